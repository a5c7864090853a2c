"""Text measured in the terminal's cells. Some characters take two cells, some none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_WIDE = "\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U0001f300-\U0001faff\U00020000-\U0003ffff"
_CLOSING = "、。，．：；？！）」』】〉》〕｝ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々…"
# A line can break after a space, and after a wide character unless a closing sign follows.
_PIECES = re.compile(f" +|[{_WIDE}][{_CLOSING}]*|[^ {_WIDE}]+")


CLUSTER_LIMIT = 16
"""The maximum number of code points of a character with its combining characters. More code points would only disturb the terminal."""
_TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@lru_cache(maxsize=8192)
def _displayed(character: str) -> tuple[str, int]:
    """Returns the displayed form of a character, and its width. Control characters become spaces. Characters that
    change the direction of text are dropped."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " ", 1
    if category == "Cs":
        return "\ufffd", 1
    if category in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return "" if character in _TURNS else character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yields the displayed characters of a text, each with its combining characters and its width."""
    cluster, taken = "", 0
    for character in text:
        shown, cells = _displayed(character)
        if cluster and (cells == 0 or cluster[-1] == "\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"):
            cluster += shown if len(cluster) < CLUSTER_LIMIT else ""
            continue
        if cluster:
            yield cluster, taken
        cluster, taken = shown, cells
    if cluster:
        yield cluster, taken


def width(text: str) -> int:
    """Returns the width of a text in cells."""
    return len(text) if text.isascii() else sum(cells for _, cells in clusters(text))


def cut(text: str, cells: int) -> str:
    """Cuts a text to a width. An ellipsis marks the cut."""
    far = 8 * cells + CLUSTER_LIMIT
    text, is_all = (text, True) if len(text) <= far else (text[:far], False)
    if is_all and width(text) <= cells:
        return text
    kept, taken = "", 0
    for cluster, needed in clusters(text):
        if taken + needed > cells - 1:
            break
        kept, taken = kept + cluster, taken + needed
    return f"{kept}…" if cells > 0 else ""


def fit(text: str, cells: int, align: str = "start") -> str:
    """Cuts or pads a text to a width, aligned to `start`, `center` or `end`."""
    text = cut(text, cells)
    free = max(0, cells - width(text))
    before = {"center": free // 2, "end": free}.get(align, 0)
    return " " * before + text + " " * (free - before)


def wrap(text: str, cells: int) -> list[str]:
    """Wraps a text to lines of a maximum width."""
    lines = []
    for paragraph in text.split("\n"):
        line, taken, goes_on = "", 0, False
        for piece in _PIECES.findall(paragraph):
            for part in [piece] if width(piece) <= cells else [cluster for cluster, _ in clusters(piece)]:
                needed = width(part)
                if taken + needed > cells and line:
                    lines.append(line.rstrip())
                    line, taken, goes_on = "", 0, True
                if line or not (goes_on and part.isspace()):
                    line, taken = line + part, taken + needed
        lines.append(line.rstrip())
    return lines
