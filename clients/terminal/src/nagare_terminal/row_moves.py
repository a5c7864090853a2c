"""Finds the new positions of rows after a list has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import nagare

from .item_guess import item_id
from .text import line


def item_key(item: Any, id: str = "") -> str:
    """Returns a text that identifies an item by its id. Different ids have different texts."""
    return id_key(item_id(item, id))


def id_key(id: Any) -> str:
    """Returns a text that identifies an id. Different ids have different texts."""
    # Arrays and objects aren't ids, and they may be nested deeper than `repr` supports.
    return f"<{line(id)}>" if isinstance(id, (Sequence, Mapping)) and not isinstance(id, str) else repr(id)


def held_rows(items: Sequence[Any]) -> Sequence[Any]:
    """Returns the loaded rows. For a window, these are the rows that it holds."""
    return items.held if isinstance(items, nagare.Window) else items


def first_held_row(items: Sequence[Any]) -> int:
    """Returns the position of the first loaded row."""
    return items.start if isinstance(items, nagare.Window) else 0


class RowMoves:
    """The new positions of a list's rows.

    Lists that change by splices share most objects. So only the rows between the common start and the common end are
    compared.
    """

    def __init__(self, before: Sequence[Any], after: Sequence[Any], id: str = "") -> None:
        self._before, self._after, self._id = before, after, id
        shorter = min(len(before), len(after))
        self._start = next((row for row, (old, new) in enumerate(zip(before, after)) if old is not new), shorter)
        ends = zip(range(shorter - self._start), reversed(before), reversed(after))
        self._end = next((row for row, old, new in ends if old is not new), shorter - self._start)

    def row_now(self, row: int) -> int | None:
        """Returns the new position of a row, or None if the row was removed."""
        if row < self._start:
            return row
        if row >= len(self._before):
            return None
        if row >= len(self._before) - self._end:
            return row + len(self._after) - len(self._before)
        return self._rows_now.get(item_key(self._before[row], self._id))

    def shift(self, start: int, end: int) -> int:
        """Returns by how many positions most rows of a range have moved."""
        places = ((row, self.row_now(row)) for row in range(start, end))
        shifts = Counter(place - row for row, place in places if place is not None)
        return shifts.most_common(1)[0][0] if shifts else 0

    def new(self) -> list[int]:
        """Returns the positions of the new rows. Rows after the last old row don't count, because they are the next page."""
        known = {item_key(self._before[row], self._id) for row in range(self._start, len(self._before) - self._end)}
        rows = [(row, name in known) for name, row in self._rows_now.items()]
        last = len(self._after) if self._end else max((row for row, is_known in rows if is_known), default=-1)
        return [row for row, is_known in rows if not is_known and row < last]

    @cached_property
    def _rows_now(self) -> dict[str, int]:
        return {item_key(self._after[row], self._id): row for row in range(self._start, len(self._after) - self._end)}


class WindowRowMoves(RowMoves):
    """The new positions of a window's rows. Rows that aren't loaded move with the others."""

    def __init__(self, before: nagare.Window[Any], after: nagare.Window[Any], id: str) -> None:
        super().__init__(before.held, after.held, id)
        self._starts = before.start, after.start
        known = {item_key(item, id): row for row, item in enumerate(after.held, after.start) if item is not None}
        rows = ((row, known.get(item_key(item, id))) for row, item in enumerate(before.held, before.start) if item is not None)
        shifts = Counter(place - row for row, place in rows if place is not None)
        self._shift, self._known = shifts.most_common(1)[0][0] if shifts else 0, known

    def row_now(self, row: int) -> int | None:
        item = self._before[row - self._starts[0]] if 0 <= row - self._starts[0] < len(self._before) else None
        place = self._known.get(item_key(item, self._id)) if item is not None else None
        return row + self._shift if place is None else place

    def shift(self, start: int, end: int) -> int:
        return self._shift

    def new(self) -> list[int]:
        """Returns nothing, because rows from outside of the window may not be new."""
        return []


def row_moves(before: Sequence[Any], after: Sequence[Any], id: str = "") -> RowMoves:
    """Compares two versions of a list. `id` is the name of the id field, if it is known."""
    is_window = isinstance(before, nagare.Window) and isinstance(after, nagare.Window)
    return WindowRowMoves(before, after, id) if is_window else RowMoves(held_rows(before), held_rows(after), id)  # type: ignore[arg-type]
