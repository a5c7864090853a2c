"""One page of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Page:
    """What a page function gives.

    `items` become JSON objects; each has its id in the member that the configuration names. Besides what JSON knows, they
    may be mappings or `sqlite3.Row`s and hold dates, times, UUIDs and decimals, which become strings.

    `next` is the key with which the page after this one will be asked for, any JSON value; None says that this is the
    last. `previous` is the same for the page before. `total` is the number of items in all, where it is known; `exact` is
    False where that is an estimate. `position` is how many items come before the page, where that is known. `state` is the
    one at which the rows were read, in a source whose changes have states of its own.
    """

    def __init__(
        self,
        items: Iterable[Any],
        *,
        next: Any = None,
        previous: Any = None,
        total: int | None = None,
        exact: bool = True,
        position: int | None = None,
        state: str | None = None,
    ) -> None:
        self.items = list(items)
        self.next = next
        self.previous = previous
        self.total = total
        self.exact = exact
        self.position = position
        self.state = state

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if name != "items")
        return f"Page({self.items!r}, {parts})"

    def result(self) -> dict[str, Any]:
        """The page as the wire has it."""
        optional = {
            "previous": self.previous,
            "position": self.position,
            "total": self.total,
            "exact": False if self.total is not None and not self.exact else None,
            "state": self.state,
        }
        return {"items": self.items, "next": self.next} | {
            name: value for name, value in optional.items() if value is not None
        }
