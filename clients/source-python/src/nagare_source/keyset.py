"""Pages of a table by the values of its rows, not by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .errors import INVALID_PARAMS, SourceError
from .page import Page


class KeysetPage:
    """Keyset pagination: a page begins after the last row of the page before, wherever that row is by now.

    So a row that stays is given once, whatever is inserted and deleted between two pages, and the last page costs what
    the first one costs, if there is an index on the columns.

        page = KeysetPage(["received", "id"], key, size, descending=True)
        rows = database.execute(
            f"SELECT * FROM mail WHERE {page.where} ORDER BY {page.order} LIMIT {page.limit}", page.values
        )
        return page.of(rows)

    - `columns` order the rows. Together they are unique, none is NULL, and all are columns of the rows, by the same name
      (without the table's: `m.received` is the row's `received`). They stand in the SQL as they are: never take them from
      outside. Their values must come back from JSON as what they were, or as a text that the database understands.
    - `key` and `size` are those that the page was asked for with.
    - `start` has the values at which the first page begins, where that isn't the first row: what lies before is then
      reached by the page's `previous`.
    - `placeholder` is how the database's driver marks a parameter: `?` or `%s`.
    """

    def __init__(
        self,
        columns: Sequence[str],
        key: Any,
        size: int,
        *,
        descending: bool = False,
        start: Sequence[Any] | None = None,
        placeholder: str = "?",
    ) -> None:
        if not columns:
            raise ValueError("rows without an order have no pages: name at least one column")
        self._columns = tuple(columns)
        self._size = size
        self._first = key is None and start is None
        side, values = _position(key, len(columns)) if key is not None else ("from", [] if start is None else list(start))
        self._backwards = side == "before"
        falls = descending != self._backwards
        operator = ("<" if falls else ">") + ("=" if side == "from" else "")
        marks = ", ".join([placeholder] * len(columns))

        self.values: list[Any] = values
        """The parameters in `where`, in their order."""
        self.where = "1 = 1" if self._first else f"({', '.join(columns)}) {operator} ({marks})"
        """The condition on the rows."""
        self.order = ", ".join(f"{column} {'DESC' if falls else 'ASC'}" for column in columns)
        """What comes after ORDER BY."""
        self.limit = size + 1
        """How many rows to ask for: one more than wanted tells whether there is another page."""

    def of(self, rows: Iterable[Any], *, total: int | None = None) -> Page:
        """The page of the rows that were found: mappings, or whatever gives its columns by `row["name"]`."""
        found = list(rows)
        more, items = len(found) > self._size, found[: self._size]
        if self._backwards:
            items.reverse()
        if not items:
            return Page(items, total=total)
        before, after = {"before": self._of(items[0])}, {"after": self._of(items[-1])}
        if self._backwards:
            return Page(items, next=after, previous=before if more else None, total=total)
        return Page(items, next=after if more else None, previous=None if self._first else before, total=total)

    def _of(self, row: Any) -> list[Any]:
        return [row[column.rpartition(".")[2]] for column in self._columns]


def _position(key: Any, count: int) -> tuple[str, list[Any]]:
    """What a key says: on which side of which values the page lies."""
    if isinstance(key, dict) and len(key) == 1:
        ((side, values),) = key.items()
        if side in ("after", "before") and isinstance(values, list) and len(values) == count:
            return side, values
    raise SourceError(INVALID_PARAMS, f"this is no key of a page: {key!r}")
