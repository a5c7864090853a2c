"""A list with cheap splices."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, TypeVar, overload

T = TypeVar("T", covariant=True)

LEAF_SIZE = 512
"""The maximum number of items in a leaf."""


class Items(Sequence[T]):
    """An immutable sequence. A changed copy shares all unchanged leaves with the original.

    So iterating over the original stays safe. Changing a list of 100,000 items takes some microseconds, plus the time
    to copy the inserted items.
    """

    __slots__ = ("_ends", "_leaves")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._leaves = _split(tuple(items))
        self._ends = list(accumulate(map(len, self._leaves)))

    def splice(self, start: int, delete_count: int, items: Iterable[Any]) -> Items[T]:
        """Returns a list with `items` in place of the `delete_count` items from `start` on.

        Raises `IndexError` if the list doesn't have these items.
        """
        end = start + delete_count
        if start < 0 or delete_count < 0 or end > len(self):
            raise IndexError(f"{len(self)} items have none from {start} to {end}")
        first = min(bisect_right(self._ends, start), max(len(self._leaves) - 1, 0))
        last = max(first, bisect_left(self._ends, end))
        leaves = self._leaves[first : last + 1]
        middle: tuple[T, ...] = tuple(items)
        if leaves:
            middle = leaves[0][: start - self._start_of(first)] + middle + leaves[-1][end - self._start_of(last) :]
        # Joins a small rest with a neighbour, so that there are few leaves.
        if len(middle) < LEAF_SIZE // 2 and first > 0:
            first -= 1
            middle = self._leaves[first] + middle
        elif len(middle) < LEAF_SIZE // 2 and last + 1 < len(self._leaves):
            last += 1
            middle += self._leaves[last]
        changed: Items[T] = Items()
        changed._leaves = self._leaves[:first] + _split(middle) + self._leaves[last + 1 :]
        changed._ends = list(accumulate(map(len, changed._leaves)))
        return changed

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._leaves)

    def __reversed__(self) -> Iterator[T]:
        return chain.from_iterable(map(reversed, reversed(self._leaves)))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return self._slice(*index.indices(len(self)))
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"{len(self)} items have none at {index}")
        leaf = bisect_right(self._ends, position)
        return self._leaves[leaf][position - self._start_of(leaf)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Items({list(self)!r})"

    def _start_of(self, leaf: int) -> int:
        return self._ends[leaf - 1] if leaf else 0

    def _slice(self, start: int, stop: int, step: int) -> tuple[T, ...]:
        if step != 1:
            return tuple(self[position] for position in range(start, stop, step))
        found: tuple[T, ...] = ()
        for leaf in range(bisect_right(self._ends, start), len(self._leaves)):
            begin = self._start_of(leaf)
            if begin >= stop:
                break
            found += self._leaves[leaf][max(start - begin, 0) : stop - begin]
        return found


def _split(items: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    """Splits items into leaves of about equal size."""
    count = -(-len(items) // LEAF_SIZE)
    bounds = [len(items) * number // count for number in range(count + 1)] if count else []
    return tuple(items[start:end] for start, end in zip(bounds, bounds[1:]))
