"""What has become of the rows of a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from .words import identity


def key(item: Any) -> str:
    """An item's id, told from all others."""
    return repr(identity(item))


class Moves:
    """Where the rows of one list stand in another. Lists that are kept by splices have most of their rows in common, the very
    same objects: only what lies between these is looked at."""

    def __init__(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        self._before, self._after = before, after
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
        return self._places.get(key(self._before[row]))

    def shift(self, start: int, end: int) -> int:
        """How far the rows between these have moved, most of them: one that was moved by itself doesn't take the others along."""
        places = ((row, self.place(row)) for row in range(start, end))
        shifts = Counter(place - row for row, place in places if place is not None)
        return shifts.most_common(1)[0][0] if shifts else 0

    def new(self) -> list[int]:
        """The rows that were not there, but for those behind the last one that was: these are the next page."""
        known = {key(self._before[row]) for row in range(self._start, len(self._before) - self._end)}
        rows = [(row, name in known) for name, row in self._places.items()]
        last = len(self._after) if self._end else max((row for row, is_known in rows if is_known), default=-1)
        return [row for row, is_known in rows if not is_known and row < last]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key(self._after[row]): row for row in range(self._start, len(self._after) - self._end)}
