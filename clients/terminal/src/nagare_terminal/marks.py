"""The marked rows of a list, for actions on several items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .row_moves import held_rows, item_key
from .screen import ViewScreen


class Marks:
    """Marks that this program keeps, for servers that don't support marks. Only loaded rows can be marked."""

    def __init__(self, screen: ViewScreen) -> None:
        self._screen = screen
        self.keys: set[str] = set()

    def __contains__(self, item: Any) -> bool:
        return self._key(item) in self.keys

    @property
    def count(self) -> int | None:
        """The number of marked items; None if it is unknown."""
        return len(self.keys)

    @property
    def server_marks(self) -> Mapping[str, Any] | None:
        """The server's marks; None if the server keeps no marks."""
        return None

    @property
    def any(self) -> bool:
        return self.count != 0

    def of(self, items: Sequence[Any]) -> list[Any]:
        """Returns the marked rows among the loaded ones."""
        return [item for item in held_rows(items) if item is not None and item in self]

    def toggle(self, item: Any) -> None:
        """Marks or unmarks an item."""
        self.keys ^= {self._key(item)}

    def span(self, items: Sequence[Any], first: int, last: int) -> None:
        """Marks a range of rows."""
        self.keys |= {self._key(item) for item in items[min(first, last) : max(first, last) + 1] if item is not None}

    def mark(self, items: Sequence[Any]) -> None:
        """Marks items."""
        self.keys |= {*map(self._key, items)}

    def mark_all(self, items: Sequence[Any]) -> None:
        """Marks all rows."""
        self.keys |= {self._key(item) for item in held_rows(items) if item is not None}

    def clear(self) -> None:
        """Removes all marks."""
        self.keys.clear()

    def restore(self, keys: Iterable[str]) -> None:
        """Restores saved marks."""
        self.keys |= {*keys}

    def _id(self, item: Any) -> Any:
        return self._screen.display.item_id(item)

    def _key(self, item: Any) -> str:
        return item_key(item, self._screen.display.id)


class ServerMarks(Marks):
    """Marks that the server keeps, even for rows that aren't loaded."""

    @property
    def server_marks(self) -> Mapping[str, Any]:
        return marks_state(self._screen) or {"count": 0, "all": False, "ids": []}

    def __contains__(self, item: Any) -> bool:
        return is_marked(self.server_marks, self._id(item))

    @property
    def count(self) -> int | None:
        count: int | None = self.server_marks["count"]
        return count

    def toggle(self, item: Any) -> None:
        self._screen.send("unmark" if item in self else "mark", id=self._id(item))

    def span(self, items: Sequence[Any], first: int, last: int) -> None:
        ends = items[first], items[last]
        if None not in ends:
            self._screen.send("mark", **{"from": self._id(ends[0]), "to": self._id(ends[1])})

    def mark_all(self, items: Sequence[Any]) -> None:
        self._screen.send("mark", all=True)

    def clear(self) -> None:
        if self.any:
            self._screen.send("unmark", all=True)

    def restore(self, keys: Iterable[str]) -> None:
        """Does nothing: the server drops the marks of a closed view, and marked items may not be loaded."""


def is_marked(server_marks: Mapping[str, Any], id: Any) -> bool:
    """Whether an item is in the server's marks."""
    return bool((id in server_marks["ids"]) != server_marks["all"])


def marks_of(screen: ViewScreen) -> Marks:
    """Returns the marks of a list, kept by the server if possible."""
    return ServerMarks(screen) if marks_state(screen) is not None and screen.has_input("mark") else Marks(screen)


def marks_state(screen: ViewScreen) -> Mapping[str, Any] | None:
    """Returns the view's state `marks`. Returns None if the state is missing or has another form."""
    state = screen.view["marks"] if "marks" in screen.view else None
    if not isinstance(state, Mapping) or not {"count", "all", "ids"} <= state.keys():
        return None
    return state if isinstance(state["ids"], Sequence) and isinstance(state["count"], (int, type(None))) else None
