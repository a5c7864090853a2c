"""The ready files, and the commands that are in them."""

from __future__ import annotations

import shlex
from pathlib import Path

HOSTING = Path(__file__).resolve().parents[1]


def ready(name: str, changes: dict[str, str]) -> str:
    """A ready file with what a machine has elsewhere; each change is of something that is there.

    The files name the places that Debian and the page have for programs, certificates and configurations. A test puts its own
    in their stead, so nothing outside of its folder is read.
    """
    text = (HOSTING / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"{name} has no {old}"
        text = text.replace(old, new)
    return text


def command(name: str, changes: dict[str, str]) -> list[str]:
    """What a service starts."""
    (line,) = (line for line in ready(name, changes).replace("\\\n", " ").splitlines() if line.startswith("ExecStart="))
    return shlex.split(line.removeprefix("ExecStart="))
