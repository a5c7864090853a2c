"""systemd accepts the units, and nagare does nothing that they forbid."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from gateway import ENVIRONMENT, Gateway, debian, free_port
from unit import command, ready
from web_server import Web

UNITS = ["nagare.socket", "nagare@.service", "websocketd.service"]


def systemd_analyze(*arguments: str) -> str:
    run = subprocess.run(
        [debian("systemd-analyze"), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **ENVIRONMENT, "SYSTEMD_COLORS": "0"},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


@pytest.fixture
def units(tmp_path: Path, nagare: str) -> Path:
    """The units, with paths of programs that exist on this machine."""
    # The paths in the published units, and the test's replacements.
    programs = {"/usr/local/bin/nagare": nagare, "/usr/bin/websocketd": debian("websocketd")}
    for unit in UNITS:
        text = ready(unit, {old: new for old, new in programs.items() if old in ready(unit, {})})
        (tmp_path / unit).write_text(text)
    return tmp_path


def test_systemd_accepts_the_units(units: Path) -> None:
    assert systemd_analyze("verify", *(str(units / unit) for unit in UNITS)) == ""


def test_systemd_accepts_the_unit_with_http_conf(units: Path) -> None:
    folder = units / "nagare@.service.d"
    folder.mkdir()
    (folder / "http.conf").write_text(ready("http.conf", {}))
    assert systemd_analyze("verify", str(units / "nagare.socket"), str(units / "nagare@.service")) == ""


@pytest.mark.parametrize(("unit", "most"), [("nagare@.service", 0.4), ("websocketd.service", 1.2)])
def test_the_units_security_ratings_match_the_readme(units: Path, unit: str, most: float) -> None:
    report = systemd_analyze("security", "--offline=true", f"--threshold={round(most * 10)}", str(units / unit))
    assert f"exposure level for {unit.replace('@', '@i')}: {most} " in report
    assert f"{most} for `{unit}`" in (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_connection_unit_serves(
    tmp_path: Path, nagare: str, gateway: Callable[..., Gateway]
) -> None:
    (tmp_path / "nagare.json").write_text("{\"sources\":{},\"screens\":{}}")
    port = free_port()
    # The paths in the published unit, and the test's replacements.
    serving = command("nagare@.service", {"/usr/local/bin/nagare": nagare, "/etc/nagare": str(tmp_path)})
    activate = debian("systemd-socket-activate")
    client = gateway(activate, "--inetd", "--accept", "--listen", f"127.0.0.1:{port}", *serving, port=port).connect()
    client.write('{"jsonrpc":"2.0","id":1,"method":"screens"}')
    assert client.line() == '{"jsonrpc":"2.0","id":1,"result":{"screens":[]}}\n'
    client.close()


def filtered(*files: str) -> set[str]:
    """Returns the system calls that a unit and its drop-in files allow."""
    groups: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=@)", systemd_analyze("syscall-filter")):
        name, *rest = (line.strip() for line in block.splitlines())
        groups[name] = [line for line in rest if line and not line.startswith("#")]

    def calls(names: list[str]) -> set[str]:
        return {call for name in names for call in (calls(groups[name]) if name in groups else {name})}

    allowed: set[str] = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", "\n".join(ready(file, {}) for file in files), re.MULTILINE):
        allowed = allowed - calls(line[1:].split()) if line.startswith("~") else allowed | calls(line.split())
    return allowed


def made(folder: Path, nagare: str, source: dict[str, object]) -> tuple[str, set[str]]:
    """Loads a list of two items, and returns its output and the system calls that were made."""
    configuration = {"sources": {"s": source}, "screens": {"s": {"viewModel": "list", "source": "s"}}}
    (folder / "nagare.json").write_text(json.dumps(configuration))
    lines = ['{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"s"}}', '{"jsonrpc":"2.0","method":"viewWillAppear"}']
    process = subprocess.Popen(
        [debian("strace"), "-f", "--quiet=all", "-e", "signal=none", "-o", str(folder / "calls"), nagare]
        + ["--config", str(folder / "nagare.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ENVIRONMENT},
    )
    assert process.stdin and process.stdout
    process.stdin.write("".join(line + "\n" for line in lines).encode())
    process.stdin.flush()
    (items,) = [next(line for line in process.stdout if b'"revision":1' in line)]
    process.communicate()
    return items.decode(), set(re.findall(r"^\d+ +(\w+)\(", (folder / "calls").read_text(errors="replace"), re.MULTILINE))


def test_a_server_needs_only_the_system_calls_that_its_unit_allows(tmp_path: Path, nagare: str) -> None:
    (tmp_path / "mails.jsonl").write_text('{"id":"a"}\n{"id":"b"}\n')
    items, calls = made(tmp_path, nagare, {"type": "file", "path": "mails.jsonl"})
    assert '[{"id":"a"},{"id":"b"}]' in items
    assert calls - filtered("nagare@.service") == set()
    assert "socket" not in calls, "RestrictAddressFamilies=none"


def test_an_http_source_needs_only_the_allowed_system_calls(tmp_path: Path, nagare: str, serve: Callable[..., Web]) -> None:
    async def answer(_: web.BaseRequest) -> web.StreamResponse:
        return web.json_response([{"id": "a"}])

    items, calls = made(tmp_path, nagare, {"type": "http", "url": serve(answer).url("/items")})
    assert '[{"id": "a"}]' in items
    assert calls - filtered("nagare@.service", "http.conf") == set()
