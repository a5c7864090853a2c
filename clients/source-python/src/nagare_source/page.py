"""One page of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Page:
    """The result of a page function.

    - `items` become JSON objects; each has its id in the field that the configuration names. They may also be mappings or
      `sqlite3.Row`s, and contain dates, times, UUIDs and decimals, which become strings.
    - `next` is the key of the next page, any JSON value; None at the end. `previous` is the key of the page before.
    - `total` is the number of items in the source, if it is known; `exact` is False if it is an estimate.
    - `position` is the number of items before the page, if it is known.
    - `state` is the state at which the rows were read, for a source with states of its own.
    - `open` is True if more rows may follow this last page later. Then reaching the bottom requests the page again.
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
        open: bool = False,
    ) -> None:
        self.items = list(items)
        self.next = next
        self.previous = previous
        self.total = total
        self.exact = exact
        self.position = position
        self.state = state
        self.open = open

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if name != "items")
        return f"Page({self.items!r}, {parts})"

    def result(self) -> dict[str, Any]:
        """Returns the page as the wire has it."""
        optional = {
            "previous": self.previous,
            "position": self.position,
            "total": self.total,
            "exact": False if self.total is not None and not self.exact else None,
            "state": self.state,
            "open": True if self.open else None,
        }
        return {"items": self.items, "next": self.next} | {
            name: value for name, value in optional.items() if value is not None
        }
