"""Text for the terminal: colors, widths, and control characters."""

from __future__ import annotations

import os
import re
from typing import TextIO

from prompt_toolkit.utils import get_cwidth

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, which a terminal would carry out, and those that change the direction of text."""

COLORS = {
    "sent": "36",
    "received": "32",
    "key": "36",
    "string": "32",
    "number": "35",
    "word": "35",
    "error": "31",
    "dim": "2",
    "bold": "1",
}
"""The terminal's own colors, because its user has chosen them for the terminal's background."""

Span = tuple[str, str]
"""The name of a color or an empty string, and a text."""


def printable(text: str) -> str:
    """Replaces control characters by escapes. In a JSON text, the escapes have the same meaning."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def width(text: str) -> int:
    """Returns the number of terminal cells that a text takes."""
    return get_cwidth(text)


def pad(text: str, cells: int) -> str:
    """Adds spaces at the end of a text until it takes a number of terminal cells."""
    return text + " " * max(0, cells - width(text))


def wrapped(text: str, cells: int) -> list[str]:
    """Breaks a text between words, so that each line takes at most a number of cells. Further lines are indented as the first."""
    begin = text[: len(text) - len(text.lstrip())]
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= cells:
            lines[-1] += f" {word}"
        else:
            lines.append(f"{begin}{word}" if lines else word)
    return lines


def has_colors(stream: TextIO) -> bool:
    """Whether texts in a stream may have colors."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def colored(spans: list[Span], colors: bool) -> str:
    """Joins spans to a text, with or without colors."""
    return "".join(f"\x1b[{COLORS[name]}m{text}\x1b[0m" if colors and name else text for name, text in spans)
