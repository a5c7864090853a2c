"""Keyset pagination."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from math import isinf
from typing import Any, NamedTuple

from .errors import INVALID_PARAMS, SourceError
from .fitting import count_fitting
from .page import Page
from .wire import InvalidText, as_dict


class KeysetPage:
    """A page that begins after the last row of the previous page, wherever that row is now.

    So each unchanged row appears exactly once, whatever is inserted and deleted between two pages. With an index on the
    columns, the last page costs as much as the first one.

        page = KeysetPage(["received", "id"], key, size, descending=True)
        rows = database.execute(
            f"SELECT * FROM mail WHERE {page.where} ORDER BY {page.order} LIMIT {page.limit}", page.values
        )
        return page.of(rows)

    - `columns` order the rows, and must be unique together. Only columns in `nullable` may be NULL. Rows have the same
      names without a table's name: `m.received` is the row's `received`. A `-` before a name reverses its direction. A
      mapping from names to whether they are descending takes names literally. Names are inserted into the SQL, so they
      must never come from outside. Their values must be bytes, or JSON must keep them unchanged or as a text that the
      database understands.
    - `key` and `size` are those of the request.
    - `start` are the values at which the first page begins, if that isn't the first row. The page's `previous` leads to
      earlier rows.
    - `placeholder` is the driver's mark for a parameter: `?` or `%s`.
    - `filters` are those of the request. For each column in `filterable`, a filter is a value, a list of values, or a
      range `{"from", "to"}` (`[null]` matches NULL, `""` an empty text). The filter `sort` is the name of a column in
      `sortable`, descending after a `-`. It then comes before `columns`, and `start` is ignored. `filterable` and
      `sortable` are mappings from names in the filters to columns, or lists of columns with the same names. Rows must
      contain the columns in `sortable`. Other names are refused, and values become parameters.
    - `at` is the number of rows before the page, if the request has it. `LIMIT {page.limit} OFFSET {page.offset}` then
      finds the page, and `start` is ignored. The database must skip these rows, so use it only for jumps. `next` and
      `previous` are keys as usual.
    - `expressions` are the SQL for ordering columns, if it isn't the column's name.
    - `nullable` names the ordering columns that may be NULL. Rows with NULL come last in both directions.
    - `parameters` are the SQL for values of ordering columns, if a plain placeholder isn't enough.
    """

    def __init__(
        self,
        columns: Sequence[str] | Mapping[str, bool],
        key: Any,
        size: int,
        *,
        descending: bool = False,
        start: Sequence[Any] | None = None,
        at: int | None = None,
        placeholder: str = "?",
        filters: Mapping[str, Any] | None = None,
        filterable: Mapping[str, str] | Sequence[str] = (),
        sortable: Mapping[str, str] | Sequence[str] = (),
        expressions: Mapping[str, str] | None = None,
        nullable: Collection[str] = (),
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        if not columns:
            raise ValueError("rows without an order have no pages: name at least one column")
        other_filters = dict(filters or {})
        if isinstance(columns, Mapping):
            falling = {column: descending != falls for column, falls in columns.items()}
        else:
            falling = {column.removeprefix("-"): descending != column.startswith("-") for column in columns}
        if (sort := other_filters.pop("sort", None)) is not None:
            first, falls = _sorted(sort, _by_filter_name(sortable))
            falling, start = {first: falls} | {other: falls for other, falls in falling.items() if other != first}, None
        if at is not None:
            key = start = None
        self._falling, self._nullable, self._placeholder = falling, nullable, placeholder
        self._conditions, self._parameters = _conditions(other_filters, _by_filter_name(filterable), placeholder)
        self._expressions, self._placeholders = expressions or {}, parameters or {}
        self._size = size
        self._is_from_start = key is None and start is None
        side, values = _parsed_key(key, len(falling)) if key is not None else ("from", [] if start is None else list(start))
        self._backwards = side == "before"
        terms = self._terms(self._backwards)
        place, bounds = ([], []) if self._is_from_start else _beyond(terms, values, side == "from")

        self.values: list[Any] = bounds + self._parameters
        """The parameters of `where`, in order."""
        self.where = " AND ".join(place + self._conditions) or "1 = 1"
        """The SQL condition on the rows."""
        self.order = ", ".join(term.order for term in terms)
        """The SQL after ORDER BY."""
        self.limit = size + 1
        """The number of rows to read: one more than requested shows whether there is another page."""
        self.offset = at or 0
        """The number of rows to skip: 0 unless the request has `at`."""

    def before(self, row: Any) -> tuple[str, list[Any]]:
        """Returns the condition on all rows before a row, and its parameters. The number of these rows is the row's position."""
        place, bounds = _beyond(self._terms(True), self.values_of(row), False)
        return " AND ".join(place + self._conditions), bounds + self._parameters

    def between(self, begin: Any, end: Any) -> tuple[str, list[Any]]:
        """Returns the condition on the rows between two borders, and its parameters.

        - `begin` is `{"after": VALUES}` or `{"from": VALUES}`, or None for the first row. The values are those of a page's
          key.
        - `end` is `{"before": VALUES}` or `{"until": VALUES}`, or None for the last row.
        """
        conditions, parameters = [], []
        for border, terms in ((begin, self._terms(False)), (end, self._terms(True))):
            if border is not None:
                ((side, values),) = border.items()
                place, bounds = _beyond(terms, list(map(from_key, values)), side in ("from", "until"))
                conditions += place
                parameters += bounds
        return " AND ".join([*conditions, *self._conditions]) or "1 = 1", parameters + self._parameters

    def of(
        self,
        rows: Iterable[Any],
        *,
        total: int | None = None,
        exact: bool = True,
        state: str | None = None,
        read: Callable[[Any], Any] = lambda row: row,
        is_cut: bool = False,
    ) -> Page:
        """Returns the page with these rows: mappings, or objects with `row["name"]`.

        - `read` converts a row to an item. Keys are made from the row itself.
        - `is_cut` is whether the database has more rows, even if these are fewer than the page's limit.

        If the rows don't fit into a message, the page has fewer rows, and its keys continue after them.
        """
        found = list(rows)
        items = [read(row) for row in found[: self._size]]
        count = count_fitting(items)
        more, items, found = is_cut or len(found) > count, items[:count], found[:count]
        if self._backwards:
            items.reverse()
            found.reverse()
        page = Page(items, total=total, exact=exact, position=self.offset if self._is_from_start else None, state=state)
        if self._is_from_start and not more and (items or not self.offset):
            page.total, page.exact = self.offset + len(items), True
        if items:
            before, after = {"before": list(map(to_key, self.values_of(found[0])))}, {"after": list(map(to_key, self.values_of(found[-1])))}
            page.next = after if more or self._backwards else None
            is_first = self._is_from_start and not self.offset
            page.previous = before if (more if self._backwards else not is_first) else None
        return page

    def _terms(self, backwards: bool) -> list[_Term]:
        return [
            _Term(
                self._expressions.get(column, column),
                self._placeholders.get(column, self._placeholder),
                falls != backwards,
                column in self._nullable,
                backwards,
            )
            for column, falls in self._falling.items()
        ]

    def values_of(self, row: Any) -> list[Any]:
        """Returns a row's values in the ordering columns."""
        named = as_dict(row)
        return [named[name if name in self._expressions else name.rpartition(".")[2]] for name in self._falling]


class _Term(NamedTuple):
    """A column in the order in which rows are read. Backwards, that is the reverse of the list's order. In the list's
    order, NULL comes last."""

    column: str
    placeholder: str
    """The SQL for a value of the column."""
    falls: bool
    nullable: bool
    backwards: bool

    @property
    def order(self) -> str:
        nulls = f" NULLS {'FIRST' if self.backwards else 'LAST'}" if self.nullable else ""
        return f"{self.column} {'DESC' if self.falls else 'ASC'}{nulls}"

    def beyond(self, value: Any) -> str | None:
        """Returns the SQL condition for values that come after `value`."""
        if value is None:
            return f"{self.column} IS NOT NULL" if self.backwards else None
        condition = f"{self.column} {'<' if self.falls else '>'} {self.placeholder}"
        return f"({condition} OR {self.column} IS NULL)" if self.nullable and not self.backwards else condition

    def equal(self, value: Any) -> str:
        return f"{self.column} IS NULL" if value is None else f"{self.column} = {self.placeholder}"


def _beyond(terms: list[_Term], values: list[Any], inclusive: bool) -> tuple[list[str], list[Any]]:
    """Returns the conditions that a row comes after the row with these values, and their parameters."""
    if len({term.falls for term in terms}) == 1 and not any(term.nullable for term in terms):
        # The form that uses an index best.
        operator = ("<" if terms[0].falls else ">") + ("=" if inclusive else "")
        columns, placeholders = ", ".join(term.column for term in terms), ", ".join(term.placeholder for term in terms)
        return [f"({columns}) {operator} ({placeholders})"], values
    ways: list[str] = []
    parameters: list[Any] = []
    equal: list[str] = []
    bound: list[Any] = []
    for term, value in zip(terms, values):
        given = [] if value is None else [value]
        if (condition := term.beyond(value)) is not None:
            ways.append(" AND ".join([*equal, condition]))
            parameters += bound + given
        equal.append(term.equal(value))
        bound += given
    if inclusive:
        ways.append(" AND ".join(equal))
        parameters += bound
    return [f"({' OR '.join(f'({way})' for way in ways)})" if ways else "1 = 0"], parameters


def _parsed_key(key: Any, count: int) -> tuple[str, list[Any]]:
    """Parses a page's key: its side, and the ordering values of the row at the page's border."""
    if isinstance(key, dict) and len(key) == 1:
        ((side, values),) = key.items()
        if side in ("after", "before") and isinstance(values, list) and len(values) == count:
            return side, list(map(from_key, values))
    raise SourceError(INVALID_PARAMS, f"this is no key of a page: {key!r}")


def to_key(value: Any) -> Any:
    """Converts a value to its form in a page's key, without loss."""
    if isinstance(value, InvalidText):
        return {"text": value.raw.hex()}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, float) and isinf(value):
        return {"number": str(value)}
    return {"json": value} if isinstance(value, dict) else value


def from_key(value: Any) -> Any:
    """Converts a value back from its form in a page's key."""
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((form, encoded),) = value.items()
        with suppress(ValueError, TypeError):
            if form == "text":
                return InvalidText(bytes.fromhex(encoded))
            if form == "bytes":
                return bytes.fromhex(encoded)
            if form == "number":
                return float(encoded)
            if form == "json":
                return encoded
    raise SourceError(INVALID_PARAMS, f"this is no value of a page's key: {value!r}")


def _by_filter_name(columns: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    """Returns the columns by their names in filters."""
    return columns if isinstance(columns, Mapping) else {column: column for column in columns}


def _column(name: str, columns: Mapping[str, str], what: str) -> str:
    if name in columns:
        return columns[name]
    known = ", ".join(repr(column) for column in columns) or "nothing"
    raise SourceError(INVALID_PARAMS, f"these rows are {what} by {known}, not by {name!r}")


def _sorted(sort: Any, columns: Mapping[str, str]) -> tuple[str, bool]:
    """Returns the column of a `sort`, and whether it is descending."""
    if not isinstance(sort, str):
        raise SourceError(INVALID_PARAMS, f"'sort' is to be a name, with a - before it for downwards, not {sort!r}")
    if sort in columns and sort.removeprefix("-") not in columns:
        return columns[sort], False  # The name itself begins with a -.
    return _column(sort.removeprefix("-"), columns, "sorted"), sort.startswith("-")


def _conditions(
    filters: Mapping[str, Any], columns: Mapping[str, str], placeholder: str
) -> tuple[list[str], list[Any]]:
    """Converts filters to conditions and their parameters."""
    conditions: list[str] = []
    parameters: list[Any] = []
    for name, value in filters.items():
        column = _column(name, columns, "filtered")
        if isinstance(value, Mapping):
            ends = {end: bound for end, bound in value.items() if bound is not None}
            if not ends or not ends.keys() <= {"from", "to"}:
                raise SourceError(INVALID_PARAMS, f'{name!r} is to be a value, a list, or a range {{"from", "to"}}; [null] means no value')
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
    if isinstance(value, (str, bytes, int, float, Decimal)):
        return value
    raise SourceError(INVALID_PARAMS, f"a value of {name!r} is to be a text, a number, true or false, not {value!r}")
