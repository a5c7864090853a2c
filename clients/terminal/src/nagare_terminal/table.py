"""The widths of a table's columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cells import width
from .display import Column

MIN_TABLE_WIDTH = 32
"""The minimum width of a table. In a narrower area, items are shown in lines."""
MIN_TEXT_WIDTH = 12
"""The minimum width of a text column, if its texts need it."""
MAX_WIDTH = 48
"""The maximum width of a column."""
MAX_NUMBER_WIDTH = 24
"""The maximum width of a number column. A wider column would leave no room for others."""


def fits_table(cells: int) -> bool:
    """Whether a table fits between its margins."""
    return cells >= MIN_TABLE_WIDTH - 3


def column_widths(columns: Sequence[Column], items: Sequence[Any], cells: int, room: int = 0) -> list[tuple[Column, int]]:
    """Returns the columns that fit, with their widths. Two cells are between columns.

    If there is too little room for all texts, the texts of later columns are cut first. Numbers are only cut if they
    are very long.

    - `room` is the number of cells to reserve next to the columns. It doesn't affect whether a table fits.
    """
    wants = [max([width(one.name), *(min(MAX_WIDTH, width(one.text(item))) for item in items)]) for one in columns]
    if not fits_table(cells):
        return []
    cells -= room
    shown = [min(want, MIN_TEXT_WIDTH if one.align == "start" else MAX_NUMBER_WIDTH) for one, want in zip(columns, wants)]
    while len(shown) > 1 and sum(shown) + 2 * (len(shown) - 1) > cells:
        shown.pop()
    free = cells - sum(shown) - 2 * (len(shown) - 1)
    for place, want in enumerate(wants[: len(shown)]):
        more = max(0, min(free, want - shown[place]))
        shown[place], free = shown[place] + more, free - more
    return list(zip(columns, shown))
