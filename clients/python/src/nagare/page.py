"""One page of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Page:
    """One page of items (section 6 of the specification)."""

    items: Iterable[Mapping[str, Any]]
    next: Any = None
    """The key of the next page, any JSON value. None if this is the last page."""
    previous: Any = None
    """The key of the previous page, for a list that begins in the middle of the source."""
    total: int | None = None
    """The number of items in the source; None if it is unknown."""
    exact: bool = True
    """Whether `total` is exact and not an estimate."""
    position: int | None = None
    """The number of items before the page; None if it is unknown."""
    state: str | None = None
    """The source's state when the items were read, for a live source that keeps states."""
    open: bool = False
    """Whether the source may get more items after this last page. If so, reaching the bottom requests the page again."""

    def result(self) -> dict[str, Any]:
        """Converts the page to the result of `source/page`."""
        members = {"items": list(self.items), "next": self.next, "previous": self.previous, "position": self.position}
        members |= {"total": self.total, "exact": None if self.exact else False, "state": self.state}
        members |= {"open": True if self.open else None}
        return {name: value for name, value in members.items() if value is not None}
