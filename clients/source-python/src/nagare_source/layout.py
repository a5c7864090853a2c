"""The roles of a table's columns in a list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .database import EVERY, REFUSED, Column, Database, Execute, Row, Rows
from .errors import INVALID_PARAMS, NO_SUCH_ITEM, SourceError, warn
from .fitting import ITEMS_LIMIT, shorten
from .keyset import KeysetPage, to_key
from .wire import InvalidText, encode, to_json

Condition: TypeAlias = "tuple[str, list[Any]]"
"""The SQL after WHERE, and its parameters."""

TIME_NAMES = "(?i)date|time|received|created|sent|posted|published|_at$|_on$"
"""Names of columns that hold times as texts or numbers."""

CHANGING_TIME_NAMES = "(?i)updat|modif|edit|chang|delet|expir|seen|due|ship|deliver|clos|complet|finish|resolv|paid"
"""Names of times that change after a row is created, or that lie in the future."""

ROW_NUMBER = re.compile("-?[0-9]{1,19}")
"""A row number as a text."""


class Layout:
    """The roles of a table's columns in a list. The options determine them; otherwise they are guessed."""

    def __init__(
        self,
        database: Database,
        table: str,
        found: Sequence[Column],
        *,
        columns: Sequence[str],
        order: Sequence[str] | Mapping[str, bool],
        id: Sequence[str],
        search: Sequence[str],
    ) -> None:
        self._database = database
        self.fingerprint = ""
        """The table's fingerprint when the columns were read."""
        self.row_number = next((column.name for column in found if column.is_implicit and not column.is_key and column.name not in id), None)
        """A row number that could be the key instead; None if there is none."""
        self.columns = found = [column for column in found if column.name != self.row_number]
        """The columns of full items."""
        self._columns = {column.name: column for column in found}
        self._name = table
        self.table = database.quoted(table)
        for option, names in (("columns", columns), ("id", id), ("search", search)):
            for name in names:
                self._check_column(name, f"; --{option} names it in vain")
        if isinstance(order, Mapping):
            for name in order:
                self._check_column(name, "; --order names it in vain")
            configured = dict(order)
        else:
            configured = dict(self._column_and_direction(one, "; --order names it in vain") for one in order)
        self.key = list(id) or [column.name for column in found if column.is_key]
        """The columns that identify a row."""
        self.identifying = [self._columns[name] for name in self.key]
        """The columns of `key`."""
        if not self.key:
            import shlex

            one, two = (shlex.quote(",".join(column.name for column in found[:count])) for count in (1, 2))
            ways = f"--id {one}" + (f", or --id {two} if only several do" if len(found) > 1 else "")
            raise SourceError(REFUSED, f"{table} has no primary key: say which columns tell its rows apart, such as {ways}")
        self._numbering = "".join(column.numbering for column in self.identifying)
        self._is_current = "".join(f" AND {column.is_current}" for column in self.identifying if column.is_current)
        is_column = "id" in self._columns and len(self.key) == 1 and not self._numbering
        self.id = self.key[0] if is_column else self._unused_name("id")
        """The name of an item's id field: `id`, unless another column has this name."""
        falling = configured or self._newest_first()
        last = list(falling.values())[-1] if falling else True
        self.order = falling | {name: last for name in self.key if name not in falling}
        """The ordering columns, and whether each is descending."""
        # Lists don't show bytes, such as pictures.
        names = list(dict.fromkeys(columns)) or [column.name for column in found if column.kind != "bytes"]
        names += [name for name in [*self.key, *self.order] if name not in names]
        self.list_names = names
        """The columns of rows in lists."""
        self._id_selection = [] if self.id in self._columns else database.id_selection(self.identifying, self.id)
        self.list_columns = self.selections(names)
        self.all_columns = self.selections([column.name for column in found])
        self.keys = ", ".join(map(database.column, self.key))
        self._with_ids = f"({self.keys}) IN ({database.ids_query(table, self.identifying)})"
        self.identified = " AND ".join(column.identifies for column in self.identifying if column.identifies)
        """The condition on rows with an id; empty if all rows have one. Other rows aren't listed."""
        self._misplacing: dict[str, bool] = {}
        texts = [column.name for column in found if column.kind == "text" and [column.name] != self.key]
        self.search = list(search) or texts
        # Ordering columns keep the database's values, because page keys are compared with them.
        self._booleans = [column.name for column in found if column.is_boolean and column.name not in (*self.key, *self.order)]
        self.sortable = [name for name in names if self._columns[name].kind not in ("bytes", "other") and name not in self._booleans]
        self.comparable = [name for name in names if name in self.sortable or self._columns[name].is_boolean]
        """The columns whose values can be compared for equality."""

    def with_ids(self, ids: Sequence[Any]) -> Condition:
        """Returns the condition on the rows with these ids. Ids of an earlier numbering match no rows."""
        return f"{self._with_ids}{self._is_current}", [self._ids_parameter(ids)]

    def without_ids(self, ids: Sequence[Any]) -> Condition:
        """Returns the condition on all rows except those with these ids. An id of an earlier numbering is an error."""
        if not all(map(self._is_numbered, ids)):
            raise SourceError(NO_SUCH_ITEM, f"the rows of {self._name} have new numbers, so the marked ones aren't known any more: refresh the list")
        return f"NOT ({self._with_ids}){self._is_current if ids else ''}", [self._ids_parameter(ids)]

    def _ids_parameter(self, ids: Sequence[Any]) -> Any:
        keys = [self._key_of(id) for id in ids if self._is_numbered(id)] if self._numbering else ids
        return self._database.ids_parameter(keys, len(self.key))

    def _is_numbered(self, id: Any) -> bool:
        return not self._numbering or (isinstance(id, str) and id.endswith(self._numbering))

    def _key_of(self, id: str) -> Any:
        """Converts an id to the database's form, without the numbering."""
        key = id.removesuffix(self._numbering)
        return int(key) if len(self.key) == 1 and ROW_NUMBER.fullmatch(key) else key

    def numbered(self, key: Any) -> Any:
        """Converts an id from the database's form. If rows may get other numbers, the numbering is added."""
        return f"{key}{self._numbering}" if self._numbering and key is not None else key

    def matching(self, query: str | None, filters: Mapping[str, Any] | None) -> Condition:
        """Returns the condition on the rows that match a query and filters."""
        return self.page(None, query, 1, filters)[1]

    def before(self, row: Row, query: str | None, filters: Mapping[str, Any]) -> Condition:
        """Returns the condition on the matching rows before a row."""
        return self._matching_words(self.page(None, query, 1, filters)[0].before(row), query)

    def between(self, begin: Any, end: Any, query: str | None, filters: Mapping[str, Any]) -> Condition:
        """Returns the condition on the matching rows between two borders: see `KeysetPage.between`."""
        return self._matching_words(self.page(None, query, 1, filters)[0].between(begin, end), query)

    def page(
        self, key: Any, query: str | None, size: int, filters: Mapping[str, Any] | None, at: int | None = None
    ) -> tuple[KeysetPage, Condition]:
        """Returns a page, and the condition on its rows."""
        page = KeysetPage(
            self.order,
            key,
            size,
            at=at,
            placeholder=self._database.placeholder,
            filters=self._with_equivalents(filters),
            filterable={name: self._database.column(name) for name in self._columns},
            sortable=self.sortable,
            expressions={name: column.sortable for name, column in self._columns.items()},
            nullable={name for name, column in self._columns.items() if column.nullable and name not in self.key},
            parameters={name: column.parameter for name, column in self._columns.items() if column.parameter and not self._is_text(name)},
        )
        return page, self._matching_words((page.where, page.values), query)

    def _matching_words(self, condition: Condition, query: str | None) -> Condition:
        parameter, words = self._database.placeholder, (query or "").split()
        text = _concatenated([f"coalesce(CAST({self._database.column(name)} AS TEXT), '')" for name in self.search]) or "''"
        found = [f"{self._database.find_function}(lower({text}), lower({parameter})) > 0" for _ in words]
        identified = [self.identified] if self.identified else []
        return " AND ".join([condition[0], *found, *identified]), condition[1] + words

    def selections(self, names: Sequence[str]) -> Sequence[str]:
        """Returns the SQL after SELECT for columns. If they exceed a result's maximum, there are several selections, each with the key."""
        limit = self._database.column_limit - len(self._id_selection)
        if len(names) <= limit:
            return [", ".join([*self._id_selection, *map(self._selected, names)])]
        others, count = [name for name in names if name not in self.key], limit - len(self.key)
        parts = [[*self.key, *others[start : start + count]] for start in range(0, len(others), count)]
        return [", ".join([*self._id_selection, *map(self._selected, part)]) for part in parts]

    async def read(self, execute: Execute, selections: Sequence[str], part: str, values: Sequence[Any]) -> Rows:
        """Reads rows; `part` is the statement after the columns. Several selections are joined by the rows' keys."""
        rows = await execute(f"SELECT {selections[0]} {part}", values, max_size=ITEMS_LIMIT)
        for selection in selections[1:]:
            more = await execute(f"SELECT {selection} {part}", values, max_size=ITEMS_LIMIT)
            others = {self._key_text(row): row for row in more}
            found = Rows(row | others[key] for row in rows if (key := self._key_text(row)) in others)
            found.is_cut = rows.is_cut or more.is_cut
            rows = found
        return rows

    def _key_text(self, row: Row) -> bytes:
        return encode([to_key(row[name]) for name in self.key])

    async def rows(
        self, execute: Execute, selections: Sequence[str], part: str, values: Sequence[Any], filters: Mapping[str, Any] | None = None
    ) -> Rows:
        """Reads rows; `part` is the statement after the columns.

        If a column of a row can't be computed, that row has only its id and the ordering columns. All other rows are
        complete.
        """
        try:
            return await self.read(execute, selections, part, values)
        except SourceError as error:
            if error.retryable:
                raise
            await self._database.recover(execute)
        rows = Rows()
        names = ", ".join([*self._id_selection, *map(self._selected, dict.fromkeys([*self.key, *self._sorting(filters)]))])
        for row in await execute(f"SELECT {names} {part}", values):
            id = self.id_of(row)
            where, given = self.with_ids([id])
            try:
                rows += await self.read(execute, selections, f"FROM {self.table} WHERE {where}", given)
            except SourceError as error:
                if error.retryable:
                    raise
                await self._database.recover(execute)
                warn(f"{self._name}: row {id!r} can't be read, so it is listed with {', '.join(map(repr, row))} alone: {error.message}")
                rows.append(row)
        return rows

    def _with_equivalents(self, filters: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Adds to filters the values that lists show in the same way, for example bytes shown as a text."""

        def equivalents(name: str, value: Any) -> Any:
            if name not in self._columns:
                return value
            if isinstance(value, Mapping):
                return {end: self._database.stored_value(bound, self._columns[name]) for end, bound in value.items()}
            found = [same for one in (value if isinstance(value, list) else [value]) for same in self._database.equivalents(one, self._columns[name])]
            return found if isinstance(value, list) or len(found) > 1 else found[0]

        return filters and {name: value if name == "sort" else equivalents(name, value) for name, value in filters.items()}

    def item_of(self, row: Row) -> Row:
        """Converts a row to an item. A Boolean column becomes true or false, even in SQLite, which stores numbers."""
        item = row if self.id in row else {self.id: None, **row}
        item = item | {self.id: self.id_of(row)}
        item |= {name: bool(item[name]) for name in self._booleans if name in item and item[name] in (0, 1)}
        for name, value in row.items():
            if isinstance(value, InvalidText):
                warn(f"{self._name}: what row {item[self.id]!r} has in {name!r} isn't UTF-8. It is shown with \ufffd for what can't be read")
        return shorten(item, f"{self._name}: row {item[self.id]!r:.100}", [self.id])  # type: ignore[no-any-return]

    def id_of(self, row: Row) -> Any:
        return self.numbered(self._database.id_of(row, self.key, self.id))

    def _sorting(self, filters: Mapping[str, Any] | None) -> Sequence[str]:
        """Returns the ordering columns, beginning with the column of the filter `sort`."""
        sort = (filters or {}).get("sort")
        return [*([self._column_and_direction(sort)[0]] if isinstance(sort, str) else []), *self.order]

    async def misplaces(self, execute: Execute, rows: Sequence[Row], filters: Mapping[str, Any] | None) -> bool:
        """Whether the server can't place changed rows, because the database orders some values differently."""
        order = self._sorting(filters)
        for name in order:
            column = self._columns[name]
            if name not in self._misplacing:
                # The server treats a name with dots as a path.
                all = "." in name or column.misplaced == EVERY
                sql = f"SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM {self.table} WHERE {column.misplaced})"
                self._misplacing[name] = all or (bool(column.misplaced) and bool(await execute(sql)))
            self._misplacing[name] |= any(self._database.is_misplaced(row[name], column) for row in rows)
        return any(self._misplacing[name] for name in order)

    def check(self, item: Any) -> None:
        """Refuses an item with fields that aren't columns."""
        if not isinstance(item, dict):
            raise SourceError(INVALID_PARAMS, "an item is an object")
        for name in item:
            if name != self.id:
                self._check_column(name)

    def new_row(self, item: Row) -> tuple[Row, str]:
        """Returns the values of a new row, and the name of the key's column if its value comes from the item's id.

        The values exclude those that the database generates. The key comes from the id if possible, because lists may
        show different keys as the same text.
        """
        given = self.stored_values(item).items()
        values = {name: value for name, value in given if not (self._columns[name].is_generated or (value is None and name in self.key))}
        column, id = self.identifying[0], item.get(self.id)
        if len(self.key) > 1 or column.is_generated or id is None or not self._is_numbered(id):
            return values, ""
        value = self._database.key_value(self._key_of(id) if self._numbering else id, column)
        if column.name != self.id and column.name in values and to_json(value) != item[column.name]:
            return values, ""
        return values | {column.name: value}, column.name

    def stored_values(self, item: Row, before: Row | None = None) -> Row:
        """Converts an item's fields to the values to write. `before` is the row that they replace."""
        return {
            name: self._database.stored_value(value, self._columns[name], before and before.get(name))
            for name, value in item.items()
            if name in self._columns
        }

    def _check_column(self, name: str, why: str = "") -> None:
        if name not in self._columns:
            known = ", ".join(repr(column) for column in self._columns)
            raise SourceError(INVALID_PARAMS, f"{self._name} has no column {name!r}, but {known}{why}")

    def _column_and_direction(self, one: str, why: str = "") -> tuple[str, bool]:
        """Parses a column of an order, and whether it is descending. A `-` before the name means descending, unless the
        name itself begins with it."""
        if one.startswith("-") and (one[1:] in self._columns or one not in self._columns):
            self._check_column(one[1:], why)
            return one[1:], True
        self._check_column(one, why)
        return one, False

    def _unused_name(self, name: str) -> str:
        """Returns a name for the id that no column has."""
        while name in self._columns:
            name = f"{name}_"
        return name

    def _newest_first(self) -> dict[str, bool]:
        columns = self._columns.values()
        times = [column.name for column in columns if column.kind == "time"]
        times += [column.name for column in columns if column.kind in ("text", "number") and re.search(TIME_NAMES, column.name)]
        return {name: True for name in [*(one for one in times if not re.search(CHANGING_TIME_NAMES, one)), *times][:1]}

    def _selected(self, name: str) -> str:
        """Returns the SQL that selects a column under its own name."""
        return f"{self._database.column(name)}{self._columns[name].as_id if self._is_text(name) else ''} AS {self._database.column(name)}"

    def _is_text(self, name: str) -> bool:
        """Whether a column is selected as text, because it is the id and its JSON is neither a text nor a number."""
        return [name] == self.key and name == self.id and bool(self._columns[name].as_id)


def _concatenated(texts: Sequence[str]) -> str:
    """Returns the SQL that joins texts with spaces. It nests halves, because SQLite refuses expressions more than 1,000 levels deep."""
    if len(texts) <= 1:
        return "".join(texts)
    half = len(texts) // 2
    return f"({_concatenated(texts[:half])} || ' ' || {_concatenated(texts[half:])})"
