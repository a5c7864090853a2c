"""One page of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Page:
    """One page of items, see section 6 of the specification."""

    items: Iterable[Mapping[str, Any]]
    next: Any = None
    """The key of the next page, any JSON value; None at the end."""
    previous: Any = None
    """The key of the previous page, for a list that begins in the middle."""
    total: int | None = None
    """The number of items in the source; None if it is unknown."""
    exact: bool = True
    """False if the total is an estimate."""
    position: int | None = None
    """The number of items before the page; None if it is unknown."""
    state: str | None = None
    """The state that the items were read at, for a live source with states of its own."""
    open: bool = False
    """Whether more items may follow this last page later. Then reaching the bottom requests the page again."""

    def result(self) -> dict[str, Any]:
        """Returns the page as the wire has it."""
        members = {"items": list(self.items), "next": self.next, "previous": self.previous, "position": self.position}
        members |= {"total": self.total, "exact": None if self.exact else False, "state": self.state}
        members |= {"open": True if self.open else None}
        return {name: value for name, value in members.items() if value is not None}
