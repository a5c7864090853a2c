"""Subcommands run other programs, and a table is served by the configuration that the Python kit prints."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server import PATIENCE, Server, until

KIT = "nagare-source-sql"

ROWS = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    rows = [{"id": 1, "arguments": sys.argv[1:], "folder": os.getcwd()}]
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"items": rows}}), flush=True)
"""
"""A source with one row, which shows its arguments."""


class Place:
    """A folder with a copy of nagare, and a folder in PATH. Programs can be put into both."""

    def __init__(self, nagare: str, folder: Path) -> None:
        self.own, self.path = folder / "own", folder / "path"
        for one in (self.own, self.path):
            one.mkdir()
        self.nagare = self.own / "nagare"
        shutil.copy(nagare, self.nagare)
        self.environment = {name: value for name, value in os.environ.items() if name not in ("NAGARE", "PYTHONPATH")}
        self.environment["PATH"] = f"relative::{self.path}:/usr/bin:/bin"

    def put(self, name: str, script: str, folder: Path | None = None) -> Path:
        """Puts a shell script into a folder, by default that in PATH."""
        path = (folder or self.path) / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def put_kit(self, *, before: str = "", folder: Path | None = None, **source: Any) -> Path:
        """Puts a kit there. It prints the configuration of a source that shows the kit's arguments."""
        rows = self.own / "rows.py"
        rows.write_text(ROWS)
        printing = self.own / "kit.py"
        command = [sys.executable, str(rows)]
        printing.write_text(
            "import json, sys\n"
            f"source = {{'type': 'command', 'command': {command!r} + sys.argv[1:], **{source!r}}}\n"
            "screens = {'items': {'viewModel': 'list', 'source': 'rows', 'detail': 'detail'}, 'detail': {'viewModel': 'pager'}}\n"
            "print(json.dumps({'sources': {'rows': source}, 'screens': screens}))\n"
        )
        return self.put(KIT, f'{before}\nexec {shlex.quote(sys.executable)} {shlex.quote(str(printing))} "$@"', folder)

    def run(self, *arguments: str | bytes, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.nagare, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=PATIENCE,
            env=self.environment | environment,
            cwd=self.own,
        )

    def rows(self, *options: str) -> list[Any]:
        """Serves these options, and returns the listed items."""
        server = Server(str(self.nagare), *options, environment=self.environment, folder=self.own)
        try:
            server.call("open", screen="items", view="v")
            server.notify("viewWillAppear", view="v")
            items: list[Any] = server.hear("items")["params"]["value"]
            return items
        finally:
            server.kill()


@pytest.fixture
def place(nagare: str, tmp_path: Path) -> Place:
    return Place(nagare, tmp_path)


# Subcommands


def test_a_subcommand_runs_the_program_with_its_arguments_byte_for_byte(place: Place) -> None:
    """rules: 7.0.13"""
    place.put("nagare-show", 'printf "%s|" "$@"; echo "$NAGARE"; exit 3')
    result = place.run("show", "--file", "a b", "", "--version", "--", b"\xe9")
    assert (result.returncode, result.stderr) == (3, "")
    assert os.fsencode(result.stdout) == b"--file|a b||--version|--|\xe9|" + os.fsencode(place.nagare) + b"\n"


def test_a_subcommand_keeps_the_variable_nagare(place: Place) -> None:
    """rules: 7.0.13"""
    place.put("nagare-show", 'echo "$NAGARE"')
    assert place.run("show", NAGARE="/mine/nagare").stdout == "/mine/nagare\n"


def test_the_folder_of_the_program_comes_before_path_also_through_a_link(place: Place, tmp_path: Path) -> None:
    """rules: 7.0.13"""
    place.put("nagare-show", "echo path")
    assert place.run("show").stdout == "path\n"
    place.put("nagare-show", "echo own", place.own)
    assert place.run("show").stdout == "own\n"
    link = tmp_path / "nagare"
    link.symlink_to(place.nagare)
    assert subprocess.run([link, "show"], capture_output=True, text=True, env=place.environment, timeout=PATIENCE).stdout == "own\n"


def test_relative_folders_in_path_and_files_that_cannot_run_are_skipped(place: Place) -> None:
    """rules: 7.0.13"""
    (place.own / "relative").mkdir()
    place.put("nagare-show", "echo relative", place.own / "relative")
    (place.own / "nagare-show").write_text("not a program")
    assert place.run("show").returncode == 64
    place.put("nagare-show", "echo path")
    assert place.run("show").stdout == "path\n"


@pytest.mark.parametrize("name", ["check", "schema"])
def test_no_program_replaces_a_built_in_subcommand(place: Place, name: str) -> None:
    """rules: 7.0.13"""
    place.put(f"nagare-{name}", "echo another program", place.own)
    assert "another program" not in place.run(name).stdout


@pytest.mark.parametrize(("name", "near"), [("wbe", "web"), ("chekc", "check"), ("shema", "schema"), ("quartz", None)])
def test_an_unknown_subcommand_is_a_usage_error_that_names_the_nearest_one(place: Place, name: str, near: str | None) -> None:
    """rules: 7.0.13"""
    place.put("nagare-web", "exit 0")
    result = place.run(name)
    assert (result.returncode, result.stdout) == (64, "")
    assert f"there is no command '{name}'" in result.stderr and "nagare --help" in result.stderr
    assert (f"did you mean '{near}'?" in result.stderr) if near else ("did you mean" not in result.stderr)


@pytest.mark.parametrize("name", ["check", "web"])
def test_an_option_before_a_subcommand_is_a_usage_error(place: Place, name: str) -> None:
    """rules: 7.0.13"""
    place.put("nagare-web", "exit 0")
    result = place.run("--log", name)
    assert (result.returncode, result.stdout) == (64, "")
    assert f"the command '{name}' must be the first argument" in result.stderr


def test_a_subcommand_without_its_interpreter_fails_with_its_path(place: Place) -> None:
    program = place.path / "nagare-web"
    program.write_text("#!/nowhere/python3\n")
    program.chmod(0o755)
    result = place.run("web")
    assert result.returncode == 1 and str(program) in result.stderr


# Tables


def test_a_table_is_served_by_the_configuration_of_the_kit(place: Place) -> None:
    """rules: 7.0.14"""
    place.put_kit()
    options = ["--sqlite", "mail.db", "--table=mail", "--table", "tags", "--id", "a,b", "--order", "-a", "--still", "--write"]
    [row] = place.rows(*options)
    passed = ["--sqlite=mail.db", "--table=mail", "--table=tags", "--order=-a", "--still", "--write", "--id=a,b", "--configuration"]
    assert row == {"id": 1, "arguments": passed, "folder": str(place.own)}


def test_the_kit_next_to_nagare_comes_before_the_one_in_path(place: Place) -> None:
    """rules: 7.0.14"""
    place.put(KIT, "exit 1")
    place.put_kit(folder=place.own)
    assert len(place.rows("--csv", "a.csv")) == 1


def test_a_checkout_has_its_own_kit(nagare: str, place: Place) -> None:
    """rules: 7.0.14"""
    package = place.own / "clients" / "source-python" / "src" / "nagare_source"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    place.put_kit()
    (place.path / KIT).unlink()
    (place.own / "kit.py").rename(package / "__main__.py")
    folder = place.own / ".build" / "release"
    folder.mkdir(parents=True)
    place.nagare = place.nagare.rename(folder / "nagare")
    [row] = place.rows("--postgres", "postgres:///a")
    assert row["arguments"] == ["--postgres=postgres:///a", "--configuration"]


def test_without_a_kit_the_error_names_the_ways_to_get_it(place: Place) -> None:
    """rules: 7.0.14"""
    result = place.run("--sqlite", "mail.db")
    assert (result.returncode, result.stdout) == (78, "")
    for word in (KIT, "make packages", "pipx install", "pip install", "checkout"):
        assert word in result.stderr


def test_the_standard_error_of_the_kit_is_passed_on(place: Place) -> None:
    """rules: 7.0.14"""
    place.put_kit(before="echo 'mail has no index' >&2")
    result = place.run("--sqlite", "mail.db")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "mail has no index\n")


def test_a_mistake_that_the_kit_explains_is_reported_once(place: Place) -> None:
    """rules: 7.0.14"""
    place.put_kit(before="echo 'there is no table mials' >&2; exit 78")
    result = place.run("--sqlite", "mail.db")
    assert (result.returncode, result.stdout, result.stderr) == (78, "", "there is no table mials\n")


def test_an_old_kit_that_does_not_know_an_option_is_reported_with_its_message(place: Place) -> None:
    """rules: 7.0.14"""
    kit = place.put(KIT, "echo 'error: unrecognized arguments: --triggers' >&2; exit 2")
    result = place.run("--sqlite", "mail.db", "--triggers")
    assert (result.returncode, result.stdout) == (78, "")
    assert "unrecognized arguments: --triggers" in result.stderr
    assert f"{kit} has failed with exit status 2" in result.stderr and "older than this nagare" in result.stderr


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'there is no mail.db' >&2; exit 1", "has failed with exit status 1"),
        ("kill -KILL $$", "has failed with signal 9"),
        ("exit 0", "not JSON"),
        ("echo '{'", "not JSON"),
        ("""echo '{"screens": {}, "wrong": 1}'""", "'wrong' is unknown"),
        ("cat /dev/zero", "has printed more than 16777216 bytes, and was stopped"),
    ],
)
def test_a_kit_that_prints_no_configuration_ends_the_start_with_78(place: Place, script: str, message: str) -> None:
    """rules: 7.0.14"""
    kit = place.put(KIT, script)
    result = place.run("--sqlite", "mail.db")
    assert (result.returncode, result.stdout) == (78, "")
    assert str(kit) in result.stderr and message in result.stderr


def test_the_kit_has_no_input_and_ends_with_nagare(place: Place, tmp_path: Path) -> None:
    """rules: 7.0.14"""
    pid = tmp_path / "pid"
    os.mkfifo(pid)
    place.put(KIT, f"cat; echo $$ >{shlex.quote(str(pid))}; while :; do sleep 1000; done")
    server = Server(str(place.nagare), "--sqlite", "mail.db", environment=place.environment, folder=place.own)
    number = int(pid.read_text())
    server.process.terminate()
    assert server.ends() == 0
    server.kill()
    until(lambda: not lives(number))


def lives(number: int) -> bool:
    """Whether a process runs. An ended process that its parent hasn't reaped doesn't run."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_removing_triggers_runs_the_kit_and_ends(place: Place) -> None:
    """rules: 7.0.14"""
    place.put(KIT, 'echo "$@"; echo removed >&2')
    result = place.run("--sqlite", "mail.db", "--remove-triggers")
    assert (result.returncode, result.stdout, result.stderr) == (0, "--sqlite=mail.db --remove-triggers\n", "removed\n")
    place.put(KIT, "exit 1")
    assert place.run("--sqlite", "mail.db", "--remove-triggers").returncode == 78


def test_a_file_that_does_not_exist_ends_the_start_with_78(place: Place) -> None:
    """rules: 7.0.2"""
    result = place.run("--file", "nowhere.jsonl")
    assert (result.returncode, result.stdout) == (78, "")
    assert "nowhere.jsonl" in result.stderr and "--file" in result.stderr


def test_the_configuration_that_the_kit_prints_is_described_in_json(place: Place) -> None:
    """A kit may print any configuration, also one with mistakes, which are then reported with their positions."""
    configuration = {"sources": {"a": {"type": "client"}}, "screens": {"items": {"viewModel": "list", "source": "b"}}}
    kit = place.put(KIT, f"echo {shlex.quote(json.dumps(configuration))}")
    result = place.run("--sqlite", "mail.db")
    assert result.returncode == 78 and f"the configuration of {kit}:1:" in result.stderr and "screens.items.source" in result.stderr

