"""Which rows are marked, for what can be done with many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .row_moves import held, key
from .screen import ViewScreen


class Marks:
    """The marks of a list whose server knows of none: those of the rows that are here."""

    def __init__(self, screen: ViewScreen) -> None:
        self._screen = screen
        self.keys: set[str] = set()

    def __contains__(self, item: Any) -> bool:
        return self._key(item) in self.keys

    @property
    def count(self) -> int | None:
        """How many there are; None where nobody knows."""
        return len(self.keys)

    @property
    def told(self) -> Mapping[str, Any] | None:
        """What the server says of them; None if it keeps none."""
        return None

    @property
    def any(self) -> bool:
        return self.count != 0

    def of(self, items: Sequence[Any]) -> list[Any]:
        """Those among the rows that are here."""
        return [item for item in held(items) if item is not None and item in self]

    def toggle(self, item: Any) -> None:
        """Marks a row, or takes its mark away."""
        self.keys ^= {self._key(item)}

    def span(self, items: Sequence[Any], first: int, last: int) -> None:
        """Marks rows from one to another."""
        self.keys |= {self._key(item) for item in items[min(first, last) : max(first, last) + 1] if item is not None}

    def every(self, items: Sequence[Any]) -> None:
        """Marks all rows that there are."""
        self.keys |= {self._key(item) for item in held(items) if item is not None}

    def clear(self) -> None:
        """Takes all marks away."""
        self.keys.clear()

    def restore(self, keys: Iterable[str]) -> None:
        """Has marks that there were when the user left."""
        self.keys |= {*keys}

    def _id(self, item: Any) -> Any:
        return self._screen.display.identity(item)

    def _key(self, item: Any) -> str:
        return key(item, self._screen.display.id)


class ServerMarks(Marks):
    """The marks that the server keeps, of rows that are here or not."""

    @property
    def told(self) -> Mapping[str, Any]:
        return _said(self._screen) or {"count": 0, "all": False, "ids": []}

    def __contains__(self, item: Any) -> bool:
        return is_marked(self.told, self._id(item))

    @property
    def count(self) -> int | None:
        count: int | None = self.told["count"]
        return count


    def toggle(self, item: Any) -> None:
        self._screen.tell("unmark" if item in self else "mark", id=self._id(item))

    def span(self, items: Sequence[Any], first: int, last: int) -> None:
        ends = items[first], items[last]
        if None not in ends:
            self._screen.tell("mark", **{"from": self._id(ends[0]), "to": self._id(ends[1])})

    def every(self, items: Sequence[Any]) -> None:
        self._screen.tell("mark", all=True)

    def clear(self) -> None:
        if self.any:
            self._screen.tell("unmark", all=True)

    def restore(self, keys: Iterable[str]) -> None:
        """The server has forgotten them with the view, and what was marked may be far away."""


def is_marked(told: Mapping[str, Any], id: Any) -> bool:
    """Whether an item is marked, as the server tells."""
    return bool((id in told["ids"]) != told["all"])


def marks_of(screen: ViewScreen) -> Marks:
    """The marks of a list's rows."""
    return ServerMarks(screen) if _said(screen) is not None and screen.has("mark") else Marks(screen)


def _said(screen: ViewScreen) -> Mapping[str, Any] | None:
    """What a view says of its marks; None if its state `marks` is something else, or isn't there."""
    said = screen.view["marks"] if "marks" in screen.view else None
    if not isinstance(said, Mapping) or not {"count", "all", "ids"} <= said.keys():
        return None
    return said if isinstance(said["ids"], Sequence) and isinstance(said["count"], (int, type(None))) else None
