"""What has become of the rows of a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import nagare

from .item_guess import identity
from .text import line


def key(item: Any, id: str = "") -> str:
    """An item's id, told from all others."""
    named = identity(item, id)
    # What isn't a text or a number isn't an id, and may be nested deeper than `repr` goes.
    return f"<{line(named)}>" if isinstance(named, (Sequence, Mapping)) and not isinstance(named, str) else repr(named)


def held(items: Sequence[Any]) -> Sequence[Any]:
    """The rows of a list that are here: of a window on a long one, those that it holds."""
    return items.held if isinstance(items, nagare.Window) else items


def first_held(items: Sequence[Any]) -> int:
    """Where these begin in the list."""
    return items.start if isinstance(items, nagare.Window) else 0


class Moves:
    """Where the rows of one list stand in another. Lists that are kept by splices have most of their rows in common, the very
    same objects: only what lies between these is looked at."""

    def __init__(self, before: Sequence[Any], after: Sequence[Any], id: str = "") -> None:
        self._before, self._after, self._id = before, after, id
        shorter = min(len(before), len(after))
        self._start = next((row for row, (old, new) in enumerate(zip(before, after)) if old is not new), shorter)
        ends = zip(range(shorter - self._start), reversed(before), reversed(after))
        self._end = next((row for row, old, new in ends if old is not new), shorter - self._start)

    def place(self, row: int) -> int | None:
        """Where a row stands now; None where it is gone."""
        if row < self._start:
            return row
        if row >= len(self._before):
            return None
        if row >= len(self._before) - self._end:
            return row + len(self._after) - len(self._before)
        return self._places.get(key(self._before[row], self._id))

    def shift(self, start: int, end: int) -> int:
        """How far the rows between these have moved, most of them: one that was moved by itself doesn't take the others along."""
        places = ((row, self.place(row)) for row in range(start, end))
        shifts = Counter(place - row for row, place in places if place is not None)
        return shifts.most_common(1)[0][0] if shifts else 0

    def new(self) -> list[int]:
        """The rows that were not there, but for those behind the last one that was: these are the next page."""
        known = {key(self._before[row], self._id) for row in range(self._start, len(self._before) - self._end)}
        rows = [(row, name in known) for name, row in self._places.items()]
        last = len(self._after) if self._end else max((row for row, is_known in rows if is_known), default=-1)
        return [row for row, is_known in rows if not is_known and row < last]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key(self._after[row], self._id): row for row in range(self._start, len(self._after) - self._end)}


class WindowMoves(Moves):
    """The same for a window on a long list. What isn't held, or isn't read yet, moves with the rest."""

    def __init__(self, before: nagare.Window[Any], after: nagare.Window[Any], id: str) -> None:
        super().__init__(before.held, after.held, id)
        self._starts = before.start, after.start
        known = {key(item, id): row for row, item in enumerate(after.held, after.start) if item is not None}
        rows = ((row, known.get(key(item, id))) for row, item in enumerate(before.held, before.start) if item is not None)
        shifts = Counter(place - row for row, place in rows if place is not None)
        self._shift, self._known = shifts.most_common(1)[0][0] if shifts else 0, known

    def place(self, row: int) -> int | None:
        item = self._before[row - self._starts[0]] if 0 <= row - self._starts[0] < len(self._before) else None
        place = self._known.get(key(item, self._id)) if item is not None else None
        return row + self._shift if place is None else place

    def shift(self, start: int, end: int) -> int:
        return self._shift

    def new(self) -> list[int]:
        """Nobody knows: what wasn't held may have been there all along."""
        return []


def moves(before: Sequence[Any], after: Sequence[Any], id: str = "") -> Moves:
    """What has become of the rows of a list, whose ids are in this member, if that is known."""
    is_window = isinstance(before, nagare.Window) and isinstance(after, nagare.Window)
    return WindowMoves(before, after, id) if is_window else Moves(held(before), held(after), id)  # type: ignore[arg-type]
