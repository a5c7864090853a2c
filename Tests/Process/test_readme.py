"""The README's dialogue is a transcript, and holds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CONFORMANCE, ROOT

BLOCKS = re.findall(r"^```transcript\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)


def test_the_readme_shows_a_dialogue() -> None:
    dialogue = "\n".join(BLOCKS)
    for method in ("open", "viewWillAppear", "reachBottom", "select", "swipe"):
        assert f'"method":"{method}"' in dialogue, f"the README's dialogue lacks {method}"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_readme_dialogue_holds(nagare: str, number: int, tmp_path: Path) -> None:
    """On the real clock, as one would type it, unless the dialogue moves the clock itself."""
    transcript = tmp_path / "readme.txt"
    transcript.write_text(f"# Dialogue {number + 1} of the README.\n{BLOCKS[number]}")
    clock = ["--clock", "virtual"] if re.search(r"^advance ", BLOCKS[number], re.MULTILINE) else []
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--framing", "lines", "--chunks", "message", str(transcript)]
        + ["--", nagare, *clock],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"\n{run.stdout}{run.stderr}"
