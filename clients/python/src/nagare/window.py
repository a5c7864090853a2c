"""Windows: the loaded parts of long lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, TypeVar, overload

from .items import Items

T = TypeVar("T", covariant=True)


class Window(Sequence["T | None"]):
    """An immutable sequence as long as the whole list. Rows outside the held part, and rows that aren't loaded yet, are
    None.

    - `held` is the part that the client has, and `start` its position in the list.
    - `len()` is the list's length. If `exact` is false, it is an estimate or the number of known rows.
    - `revision` is the server's number for this state of the list.
    """

    __slots__ = ("_length", "exact", "held", "revision", "start")

    def __init__(
        self, held: Iterable[T | None] = (), start: int = 0, length: int = 0, exact: bool = True, revision: int = 0
    ) -> None:
        self.held: Items[T | None] = held if isinstance(held, Items) else Items(held)
        self.start, self._length, self.exact, self.revision = start, length, exact, revision
        if start < 0 or self.end > length:
            raise IndexError(f"a list of {length} items has none from {start} to {self.end}")

    @property
    def end(self) -> int:
        """The position after the last held row."""
        return self.start + len(self.held)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T | None]:
        return chain(repeat(None, self.start), self.held, repeat(None, self._length - self.end))

    @overload
    def __getitem__(self, index: int) -> T | None: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T | None, ...]: ...
    def __getitem__(self, index: int | slice) -> T | None | tuple[T | None, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self._length)))
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"{self._length} items have none at {index}")
        return self.held[place - self.start] if self.start <= place < self.end else None

    def __contains__(self, item: object) -> bool:
        return item in self.held

    def index(self, item: Any, start: int = 0, stop: int | None = None) -> int:
        """Returns the position of a held item. Raises `ValueError` if it isn't held."""
        first, end, _ = slice(start, stop).indices(self._length)
        for place, held in enumerate(self.held, self.start):
            if first <= place < end and held == item:
                return place
        raise ValueError(f"{item!r} is not held")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Window):
            return NotImplemented
        return (self.start, self._length, self.exact, self.held) == (other.start, other._length, other.exact, other.held)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Window({len(self.held)} of {self._length} from {self.start})"
