"""Text as a terminal counts it: in cells, of which some characters take two and some none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_WIDE = "\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U0001f300-\U0001faff\U00020000-\U0003ffff"
_CLOSING = "、。，．：；？！）」』】〉》〕｝ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々…"
# A line may end behind a space, and behind any wide character that no closing sign follows.
_PIECES = re.compile(f" +|[{_WIDE}][{_CLOSING}]*|[^ {_WIDE}]+")


@lru_cache(maxsize=8192)
def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """The characters of a text, each with what combines with it, and the cells that it takes."""
    cluster, taken = "", 0
    for character in text:
        cells = _cells(character)
        if cluster and (cells == 0 or cluster[-1] == "\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"):
            cluster += character
            continue
        if cluster:
            yield cluster, taken
        cluster, taken = character, cells
    if cluster:
        yield cluster, taken


def width(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(cells for _, cells in clusters(text))


def cut(text: str, cells: int) -> str:
    """As much of a text as so many cells hold; an ellipsis tells that it goes on."""
    if width(text) <= cells:
        return text
    kept, taken = "", 0
    for cluster, needed in clusters(text):
        if taken + needed > cells - 1:
            break
        kept, taken = kept + cluster, taken + needed
    return f"{kept}…" if cells > 0 else ""


def fit(text: str, cells: int, align: str = "start") -> str:
    """A text in just so many cells: `start`, `center` or `end` of them."""
    text = cut(text, cells)
    free = max(0, cells - width(text))
    before = {"center": free // 2, "end": free}.get(align, 0)
    return " " * before + text + " " * (free - before)


def wrap(text: str, cells: int) -> list[str]:
    """The lines of a text, none of them longer than so many cells."""
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
