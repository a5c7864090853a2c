"""Shared by all tests: the package's path, the program `nagare`, and a console without a program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
SOURCES = [str(PACKAGE / "src"), str(ROOT / "clients" / "python" / "src")]
sys.path[:0] = [*SOURCES, str(ROOT / "clients" / "behaviour")]

FAKE_PROGRAM = [sys.executable, str(PACKAGE / "tests" / "fake_program.py")]
"""A program that behaves as its tests need it."""
PATIENCE = 60
"""Seconds after which a test fails because it hangs."""


@pytest.fixture(scope="session")
def nagare_binary() -> str:
    """The path of `nagare`: the one that the environment variable NAGARE names, or the release build."""
    program = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare"))
    assert program.exists(), f"{program} is missing: run `swift build -c release --product nagare`"
    return str(program)


@pytest.fixture
def environment(nagare_binary: str, tmp_path: Path) -> dict[str, str]:
    """The environment of the command, with separate user folders."""
    own = {
        "HOME": str(tmp_path),
        "NAGARE": nagare_binary,
        # The programs that tests start don't answer a terminal's questions.
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "PYTHONPATH": os.pathsep.join(SOURCES),
        "TERM": "xterm-256color",
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    return {**{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}, **own}


class Run:
    """Runs the command with lines from a pipe."""

    def __init__(self, environment: dict[str, str], lines: str, *words: str) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "nagare_repl", *words],
            input=lines,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )
        self.status, self.output, self.errors = run.returncode, run.stdout, run.stderr

    @property
    def sent(self) -> list[str]:
        """The messages that were sent."""
        return [line[4:] for line in self.output.splitlines() if line.startswith("--> ")]

    @property
    def received(self) -> list[str]:
        """The messages that were received."""
        return [line[4:] for line in self.output.splitlines() if line.startswith("<-- ")]
