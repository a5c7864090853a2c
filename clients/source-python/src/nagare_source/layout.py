"""Which columns of a table are what in a list."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .database import REFUSED, Column, Database, Row
from .errors import INVALID_PARAMS, SourceError
from .keyset import KeysetPage

Condition: TypeAlias = "tuple[str, list[Any]]"
"""What stands after WHERE, and its parameters."""

TIME = re.compile("date|time|received|created|sent|posted|published|_at$|_on$", re.IGNORECASE)
"""Names of columns that hold times as texts or numbers."""

EDITED = re.compile("updat|modif|edit|chang|delet|expir|seen|due|ship|deliver|clos|complet|finish|resolv|paid", re.IGNORECASE)
"""Times that change while a row is read, lie ahead, or come when it has been there for a while."""


class Layout:
    """A table's columns, found out or told."""

    def __init__(
        self,
        database: Database,
        table: str,
        found: Sequence[Column],
        *,
        columns: Sequence[str],
        order: Sequence[str],
        id: Sequence[str],
        search: Sequence[str],
    ) -> None:
        self._database = database
        self.shape = ""
        """The table's shape when its columns were found."""
        self._columns = {column.name: column for column in found}
        self._name = table
        self.table = database.quoted(table)
        for option, names in (("columns", columns), ("order", order), ("id", id), ("search", search)):
            for name in names:
                self._known(name.removeprefix("-") if option == "order" else name, f"; --{option} names it in vain")
        self.key = list(id) or [column.name for column in found if column.is_key]
        """The columns that tell rows apart."""
        if not self.key:
            one, two = (shlex.quote(",".join(column.name for column in found[:count])) for count in (1, 2))
            ways = f"--id {one}" + (f", or --id {two} if only several do" if len(found) > 1 else "")
            raise SourceError(REFUSED, f"{table} has no primary key: say which columns tell its rows apart, such as {ways}")
        self.id = self.key[0] if "id" in self._columns and len(self.key) == 1 else self._named("id")
        """The member of a row that is its id: `id`, unless the table has another column of this name."""
        falling = {one.removeprefix("-"): one.startswith("-") for one in order or self._newest_first()}
        last = list(falling.values())[-1] if falling else True
        self.order = falling | {name: last for name in self.key if name not in falling}
        """The columns by which rows are in order, and whether each falls."""
        names = list(columns) or [column.name for column in found]
        names += [name for name in [*self.key, *self.order] if name not in names]
        own = [] if self.id in self._columns else [f"{database.key(self.key)} AS {database.column(self.id)}"]
        self.listed = ", ".join([*own, *map(self._selected, names)])
        self.whole = ", ".join([*own, *(self._selected(column.name) for column in found)])
        self.keys = ", ".join(map(database.column, self.key))
        self.among = f"({self.keys}) IN ({database.ids(table, self.key)})"
        """The condition on the rows whose ids are in an array that is one parameter."""
        texts = [column.name for column in found if column.kind == "text" and [column.name] != self.key]
        self.search = list(search) or texts
        # What rows are in order by is compared as what the database has, and read as that.
        self._truths = [column.name for column in found if column.is_truth and column.name not in (*self.key, *self.order)]
        self.sortable = [name for name in names if self._columns[name].kind not in ("bytes", "other") and name not in self._truths]
        self.comparable = [name for name in names if name in self.sortable or self._columns[name].is_truth]
        """Columns whose values can be told from one another, if not always put in order."""

    def looked_for(self, query: str | None, filters: Mapping[str, Any] | None) -> Condition:
        """The condition on all that is looked for."""
        return self.page(None, query, 1, filters)[1]

    def before(self, row: Row, query: str | None, filters: Mapping[str, Any]) -> Condition:
        """The condition on what is looked for and comes before a row."""
        return self._with_words(self.page(None, query, 1, filters)[0].before(row), query)

    def page(
        self, key: Any, query: str | None, size: int, filters: Mapping[str, Any] | None, at: int | None = None
    ) -> tuple[KeysetPage, Condition]:
        """A page, and the condition on its rows."""
        page = KeysetPage(
            [f"-{name}" if falls else name for name, falls in self.order.items()],
            key,
            size,
            at=at,
            placeholder=self._database.placeholder,
            filters=filters,
            filterable={name: self._database.column(name) for name in self._columns},
            sortable=self.sortable,
            expressions={name: column.sortable for name, column in self._columns.items()},
            nullable={name for name, column in self._columns.items() if column.nullable},
        )
        return page, self._with_words((page.where, page.values), query)

    def _with_words(self, condition: Condition, query: str | None) -> Condition:
        mark, words = self._database.placeholder, (query or "").split()
        text = " || ' ' || ".join(f"coalesce(CAST({self._database.column(name)} AS TEXT), '')" for name in self.search) or "''"
        found = [f"{self._database.find}(lower({text}), lower({mark})) > 0" for _ in words]
        return " AND ".join([condition[0], *found]), condition[1] + words

    def read(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Rows as they are told: what is declared to be true or false is so, also where the database has numbers for that."""
        for row in rows:
            row |= {name: bool(row[name]) for name in self._truths if name in row and row[name] in (0, 1)}
        return rows

    def check(self, item: Any) -> None:
        """Refuses an item with members that are no columns."""
        if not isinstance(item, dict):
            raise SourceError(INVALID_PARAMS, "an item is an object")
        for name in item:
            if name != self.id:
                self._known(name)

    def columns_of(self, item: Row) -> Row:
        """An item without what is no column of its own."""
        return {name: value for name, value in item.items() if name in self._columns}

    def _known(self, name: str, why: str = "") -> None:
        if name not in self._columns:
            known = ", ".join(repr(column) for column in self._columns)
            raise SourceError(INVALID_PARAMS, f"{self._name} has no column {name!r}, but {known}{why}")

    def _named(self, name: str) -> str:
        """What the id is called, where no other column is."""
        while name in self._columns:
            name = f"{name}_"
        return name

    def _newest_first(self) -> list[str]:
        columns = self._columns.values()
        times = [column.name for column in columns if column.kind == "time"]
        times += [column.name for column in columns if column.kind in ("text", "number") and TIME.search(column.name)]
        return [f"-{name}" for name in [*(one for one in times if not EDITED.search(one)), *times][:1]]

    def _selected(self, name: str) -> str:
        """A column of what is read: a row's number goes by another name otherwise."""
        return f"{self._database.column(name)} AS {self._database.column(name)}"
