"""Reads the published configuration files, and the commands in them."""

from __future__ import annotations

import shlex
from pathlib import Path

HOSTING = Path(__file__).resolve().parents[1]


def ready(name: str, changes: dict[str, str]) -> str:
    """Returns a published file with some texts replaced. Each text to replace must occur in the file.

    The files contain Debian's paths of programs, certificates and configurations. Tests replace them by their own, so that nothing
    outside of a test's folder is read.
    """
    text = (HOSTING / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"{name} has no {old}"
        text = text.replace(old, new)
    return text


def command(name: str, changes: dict[str, str]) -> list[str]:
    """Returns the command that a service starts."""
    (line,) = (line for line in ready(name, changes).replace("\\\n", " ").splitlines() if line.startswith("ExecStart="))
    return shlex.split(line.removeprefix("ExecStart="))
