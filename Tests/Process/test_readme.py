"""The README's dialogue is a transcript, and holds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conftest import CONFORMANCE, ROOT


def dialogue() -> str:
    """All blocks marked `transcript`: one session, with prose in between."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return "".join(re.findall(r"^```transcript\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE))


def test_the_readme_shows_a_whole_dialogue() -> None:
    for method in ("open", "viewWillAppear", "reachBottom", "select", "swipe"):
        assert f'"method":"{method}"' in dialogue(), f"the README's dialogue lacks {method}"


def test_the_readme_dialogue_holds(nagare: str, tmp_path: Path) -> None:
    """On the real clock, as one would type it, unless the dialogue moves the clock itself."""
    transcript = tmp_path / "readme.txt"
    transcript.write_text(f"# The README's dialogue.\n{dialogue()}", encoding="utf-8")
    clock = ["--clock", "virtual"] if re.search(r"^advance ", dialogue(), re.MULTILINE) else []
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--framing", "lines", "--chunks", "message", str(transcript)]
        + ["--", nagare, *clock],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"\n{run.stdout}{run.stderr}"
