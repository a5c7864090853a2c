"""One page of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Page:
    """What a page function gives.

    `items` become JSON objects; each has its id in the member that the configuration names. Besides what JSON knows, they
    may be mappings or `sqlite3.Row`s and hold dates, times, UUIDs and decimals, which become strings.

    `next` is the key with which the page after this one will be asked for, any JSON value; None says that this is the
    last. `previous` is the same for the page before. `total` is the number of items in all, where it is known.
    """

    def __init__(
        self, items: Iterable[Any], *, next: Any = None, previous: Any = None, total: int | None = None
    ) -> None:
        self.items = list(items)
        self.next = next
        self.previous = previous
        self.total = total

    def __repr__(self) -> str:
        return f"Page({self.items!r}, next={self.next!r}, previous={self.previous!r}, total={self.total!r})"

    def result(self) -> dict[str, Any]:
        """The page as the wire has it."""
        optional = {"previous": self.previous, "total": self.total}
        return {"items": self.items, "next": self.next} | {
            name: value for name, value in optional.items() if value is not None
        }
