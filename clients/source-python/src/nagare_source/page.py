"""One page of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Page:
    """The result of a page function.

    - `items` become JSON objects. Each has its id in the field that the configuration names. Items may also be mappings
      or `sqlite3.Row`s. They may contain dates, times, UUIDs and decimals, which become strings.
    - `next` is the key of the next page, any JSON value; None if this is the last page. `previous` is the key of the
      previous page.
    - `total` is the number of items in the source, if it is known. `exact` is False if `total` is an estimate.
    - `position` is the number of items before the page, if it is known.
    - `state` is the source's state when the rows were read, for a source that keeps states.
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
        """Converts the page to the result of `source/page`."""
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
