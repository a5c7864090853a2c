"""Columns side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cells import width
from .display import Column

TABLE = 32
"""Cells from which on there is room for columns. In fewer, items stand below each other like any others."""
NARROWEST = 12
"""Cells that a column of texts has at least, if its texts need as many."""
WIDEST = 48
"""Cells that a column has at most."""
LONGEST_NUMBER = 24
"""Cells of the longest number that isn't cut: a longer one would leave no room for the other columns."""


def widths(columns: Sequence[Column], items: Sequence[Any], cells: int) -> list[tuple[Column, int]]:
    """The columns that there is room for, if there is room for any, with their cells, and two between them. Texts are cut where there isn't enough for all, those
    of the first columns last; numbers aren't, unless they are very long."""
    wants = [max([width(one.name), *(min(WIDEST, width(one.shown(item))) for item in items)]) for one in columns]
    if cells < TABLE - 3:
        return []
    shown = [min(want, NARROWEST if one.align == "start" else LONGEST_NUMBER) for one, want in zip(columns, wants)]
    while len(shown) > 1 and sum(shown) + 2 * (len(shown) - 1) > cells:
        shown.pop()
    free = cells - sum(shown) - 2 * (len(shown) - 1)
    for place, want in enumerate(wants[: len(shown)]):
        more = max(0, min(free, want - shown[place]))
        shown[place], free = shown[place] + more, free - more
    return list(zip(columns, shown))
