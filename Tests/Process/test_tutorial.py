"""Following the tutorial literally in an empty folder leads to a working program, and tests that pass."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import BUILT_BESIDE_CLONE, CONFORMANCE, ROOT

TUTORIAL = ROOT / "Sources" / "Nagare" / "Nagare.docc" / "Tutorial.md"
EXAMPLE = ROOT / "Sources" / "ArticlesExample"
EXAMPLE_TESTS = ROOT / "Tests" / "ArticlesExampleTests"
RUN = "swift run magazine"


@dataclass
class Step:
    """A fenced block: its language, its text, and the file named before it that it belongs to."""

    language: str
    text: str
    file: str | None


def steps() -> list[Step]:
    text = TUTORIAL.read_text(encoding="utf-8")
    found: list[Step] = []
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        paragraph = text[: match.start()].rstrip().rsplit("\n\n", 1)[-1]
        file = re.search(r"\b(?:into|contents\s+of)\s+`([^`]+)`", paragraph)
        assert match[1] != "swift" or file, f"nothing says where this goes:\n{match[2]}"
        found.append(Step(match[1], match[2], file[1] if file else None))
    return found


def run(command: str, folder: Path) -> None:
    """Runs a command of the tutorial, with a build folder that is kept."""
    if command.split()[:2] in (["swift", "build"], ["swift", "test"]):
        command += f" --scratch-path {BUILT_BESIDE_CLONE}"
    result = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    assert "warning:" not in result.stdout + result.stderr, f"{command}\n{result.stdout}{result.stderr}"


def converse(transcript: str, folder: Path) -> None:
    file = folder / "transcript.txt"
    file.write_text(f"# The tutorial's dialogue.\n{transcript}", encoding="utf-8")
    result = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--framing", "lines", "--chunks", "message", str(file)]
        + ["--", str(BUILT_BESIDE_CLONE / "debug" / "magazine")],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, f"\n{result.stdout}{result.stderr}"


def test_the_tutorial_can_be_followed(beside_clone: Path) -> None:
    folder = beside_clone
    shutil.rmtree(folder / "magazine", ignore_errors=True)
    for step in steps():
        if step.language == "sh":
            for command in step.text.splitlines():
                if command.startswith("cd "):
                    folder = folder / command.removeprefix("cd ")
                elif command != RUN:  # the transcript that follows is played instead
                    run(command, folder)
        elif step.language == "transcript":
            converse(step.text, beside_clone)
        else:
            assert step.file is not None
            (folder / step.file).write_text(step.text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "of_the_example"),
    [
        ("Sources/magazine/Articles.swift", EXAMPLE / "Articles.swift"),
        ("Sources/magazine/magazine.swift", EXAMPLE / "Main.swift"),
        ("Tests/magazineTests/magazineTests.swift", EXAMPLE_TESTS / "ArticlesTests.swift"),
    ],
)
def test_the_tutorial_ends_with_the_example(file: str, of_the_example: Path) -> None:
    last = [step.text for step in steps() if step.file == file][-1]
    assert last.replace("import magazine", "import ArticlesExample") == of_the_example.read_text(encoding="utf-8")
