"""Checks that the README's programs work as pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CLIENT

BLOCKS = re.findall(r"^```python\n(.*?)^```$", (CLIENT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)

SAID = [
    r"(.+\n){20}",
    r"50 False \{'trigger': 'appear', 'phase': 'requestFinished', 'count': 50\}\n.+\n"
    r"'id' must be the id of a listed item.* -32602 id .+\nTrue\n",
    r"60\n",
    r".+\nMei\n",
    r"Remove it\?\nRemove it\?\nRow 3 stays\n\[0, 1, 3, 4\]\n",
    r"\['Tick 3', 'Tick 2', 'Tick 1', 'Tick 0'\]\n",
]


def test_the_first_program_has_less_than_ten_lines() -> None:
    assert len([line for line in BLOCKS[0].splitlines() if line]) < 10


@pytest.mark.parametrize("number", range(len(SAID)))
def test_every_program_of_the_readme_works_as_pasted(number: int, nagare_binary: str, tmp_path: Path) -> None:
    path = f"{Path(nagare_binary).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(CLIENT / "src")}
    command = [sys.executable, "-W", "error", "-c", BLOCKS[number]]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0 and ran.stderr == "", ran.stderr
    assert re.fullmatch(SAID[number], ran.stdout), ran.stdout


def test_every_program_of_the_readme_is_tested() -> None:
    assert len(BLOCKS) == len(SAID)


def test_the_typed_program_passes_the_type_checker(tmp_path: Path) -> None:
    (tmp_path / "typed.py").write_text(BLOCKS[3])
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "typed.py"]
    environment = {**os.environ, "MYPYPATH": str(CLIENT / "src")}
    checked = subprocess.run(mypy, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
