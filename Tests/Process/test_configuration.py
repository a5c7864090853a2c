"""A wrong configuration ends the server with 78. The error names the position and the remedy."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from server import PATIENCE

SOURCES = '  "sources": {"mine": {"type": "client", "id": "id"}},\n'
WRONG: dict[str, tuple[str, int, list[str]]] = {
    "not JSON": ('{\n  "screens": {,}\n}\n', 2, []),
    "cut off": ('{\n  "screens": {\n', 3, []),
    "not an object": ("[]\n", 1, []),
    "unknown key": ("{\n" + SOURCES + '  "screan": {}\n}\n', 3, ["screan", "screens"]),
    "unknown key of a screen": (
        "{\n" + SOURCES + '  "screens": {\n    "a": {"viewModel": "list", "source": "mine", "pagesize": 7}\n  }\n}\n',
        4,
        ["screens.a", "pagesize", "pageSize"],
    ),
    "unknown view model": (
        '{\n  "screens": {\n    "a": {"viewModel": "carousel"}\n  }\n}\n',
        3,
        ["screens.a.viewModel", "list"],
    ),
    "unknown source": (
        "{\n" + SOURCES + '  "screens": {\n    "a": {"viewModel": "list", "source": "yours"}\n  }\n}\n',
        4,
        ["screens.a.source", "mine"],
    ),
    "unknown type of source": (
        '{\n  "sources": {"a": {"type": "ouija"}},\n  "screens": {"p": {"viewModel": "pager"}}\n}\n',
        2,
        ["sources.a.type", "file"],
    ),
    "wrong type": (
        "{\n" + SOURCES + '  "screens": {\n    "a": {"viewModel": "list", "source": "mine", "pageSize": "7"}\n  }\n}\n',
        4,
        ["screens.a.pageSize"],
    ),
    "out of range": (
        "{\n" + SOURCES + '  "screens": {\n    "a": {"viewModel": "list", "source": "mine", "pageSize": 0}\n  }\n}\n',
        4,
        ["screens.a.pageSize"],
    ),
    "missing key": ('{\n  "screens": {\n    "a": {"viewModel": "list"}\n  }\n}\n', 3, ["screens.a", "source"]),
}


def run(nagare: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([nagare, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_reported_with_its_position(nagare: str, name: str, tmp_path: Path) -> None:
    """rules: 7.0.9"""
    text, line, mentioned = WRONG[name]
    path = tmp_path / "nagare.json"
    path.write_text(text)
    result = run(nagare, "--config", str(path))
    assert (result.returncode, result.stdout) == (78, "")
    assert f"{path}:{line}:" in result.stderr
    for word in mentioned:
        assert word in result.stderr, result.stderr


def test_a_missing_configuration_is_named(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.1"""
    result = run(nagare, "--config", str(tmp_path / "nowhere.json"))
    assert (result.returncode, result.stdout) == (78, "")
    assert "nowhere.json" in result.stderr


def test_a_valid_configuration_prints_nothing(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.12"""
    path = tmp_path / "nagare.json"
    path.write_text("{\n" + SOURCES + '  "screens": {"a": {"viewModel": "list", "source": "mine"}}\n}\n')
    result = run(nagare, "--config", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions")
def test_the_cost_of_a_start_grows_linearly_with_the_configuration(nagare: str, tmp_path: Path) -> None:
    """Eight times as many screens, sources and keys take eight times as many instructions, not 64 times."""

    def instructions(count: int) -> int:
        path, profile = tmp_path / f"{count}.json", tmp_path / "profile"
        screens = {f"l{number}": {"viewModel": "search", "source": f"s{number}", "detail": "d"} for number in range(count)}
        screens |= {f"c{number}": {"viewModel": "choice", "choices": ["a"], "store": f"s.k{number}"} for number in range(count)}
        configuration = {
            "sources": {f"s{number}": {"type": "client"} for number in range(count)},
            "stores": {"s": {f"k{number}": "a" for number in range(count)}},
            "screens": {**screens, "d": {"viewModel": "pager"}},
        }
        path.write_text(json.dumps(configuration))
        callgrind = ["valgrind", "--tool=callgrind", "--quiet", "--dump-line=no", f"--callgrind-out-file={profile}"]
        # Hashes are the same in each run.
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        subprocess.run([*callgrind, nagare, "--config", str(path)], stdin=subprocess.DEVNULL, check=True, env=environment, timeout=PATIENCE)
        found = re.search(r"^totals: (\d+)", profile.read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1])

    assert instructions(1600) < 16 * instructions(200)
