"""Pages of a table by the values of its rows, not by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
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
    - `filters` are those that the page was asked for with: a value, a list of values, or a range `{"from", "to"}` of each
      column in `filterable`, and as `sort` the name of one in `sortable`, which then orders the rows before `columns` do,
      downwards after a `-`; `start` is left out of account there. Both are the names in the filters and the columns that they
      stand for, or columns that have the filters' names. A column in `sortable` has no NULL and is one of the rows'. What
      isn't told here is refused, and values are parameters.
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
        filters: Mapping[str, Any] | None = None,
        filterable: Mapping[str, str] | Sequence[str] = (),
        sortable: Mapping[str, str] | Sequence[str] = (),
    ) -> None:
        if not columns:
            raise ValueError("rows without an order have no pages: name at least one column")
        asked = dict(filters or {})
        if (sort := asked.pop("sort", None)) is not None:
            first, descending = _sorted(sort, _told(sortable))
            columns, start = [first, *(column for column in columns if column != first)], None
        conditions, parameters = _conditions(asked, _told(filterable), placeholder)
        self._columns = tuple(columns)
        self._size = size
        self._first = key is None and start is None
        side, values = _position(key, len(columns)) if key is not None else ("from", [] if start is None else list(start))
        self._backwards = side == "before"
        falls = descending != self._backwards
        operator = ("<" if falls else ">") + ("=" if side == "from" else "")
        marks = ", ".join([placeholder] * len(columns))

        self.values: list[Any] = values + parameters
        """The parameters in `where`, in their order."""
        place = [] if self._first else [f"({', '.join(columns)}) {operator} ({marks})"]
        self.where = " AND ".join(place + conditions) or "1 = 1"
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


def _told(columns: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    """The columns by the names that filters have for them."""
    return columns if isinstance(columns, Mapping) else {column: column for column in columns}


def _column(name: str, columns: Mapping[str, str], what: str) -> str:
    if name in columns:
        return columns[name]
    known = ", ".join(repr(column) for column in columns) or "nothing"
    raise SourceError(INVALID_PARAMS, f"these rows are {what} by {known}, not by {name!r}")


def _sorted(sort: Any, columns: Mapping[str, str]) -> tuple[str, bool]:
    """The column that a `sort` names, and whether it goes downwards."""
    if not isinstance(sort, str):
        raise SourceError(INVALID_PARAMS, f"'sort' is to be a name, with a - before it for downwards, not {sort!r}")
    return _column(sort.removeprefix("-"), columns, "sorted"), sort.startswith("-")


def _conditions(
    filters: Mapping[str, Any], columns: Mapping[str, str], placeholder: str
) -> tuple[list[str], list[Any]]:
    """The conditions that filters are, and their parameters in the same order."""
    conditions: list[str] = []
    parameters: list[Any] = []
    for name, value in filters.items():
        column = _column(name, columns, "filtered")
        if isinstance(value, Mapping):
            ends = {end: bound for end, bound in value.items() if bound is not None}
            if not ends or not ends.keys() <= {"from", "to"}:
                raise SourceError(INVALID_PARAMS, f'{name!r} is to be a value, a list, or a range {{"from", "to"}}')
            for end, bound in ends.items():
                conditions.append(f"{column} {'>=' if end == 'from' else '<='} {placeholder}")
                parameters.append(_parameter(name, bound))
        elif isinstance(value, list):
            listed = [_parameter(name, one) for one in value if one is not None]
            ways = [f"{column} IN ({', '.join([placeholder] * len(listed))})"] if listed else []
            ways += [f"{column} IS NULL"] if len(listed) < len(value) else []
            conditions.append(f"({' OR '.join(ways)})" if ways else "1 = 0")
            parameters += listed
        elif value is not None:
            conditions.append(f"{column} = {placeholder}")
            parameters.append(_parameter(name, value))
    return conditions, parameters


def _parameter(name: str, value: Any) -> Any:
    if isinstance(value, (str, int, float, Decimal)):
        return value
    raise SourceError(INVALID_PARAMS, f"a value of {name!r} is to be a text, a number, true or false, not {value!r}")
