"""A table of a database as a source that is live."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .database import REFUSED, Ask, Database, Nature, Row, Rows, Taken
from .errors import INVALID_PARAMS, NO_SUCH_ITEM, SourceError, warn
from .fitting import KEY, ROOM, is_fitting, shortenings
from .follow import Deaf, Follower, standing
from .keyset import kept
from .layout import Condition, Layout
from .display_guess import LOOKED_AT, Looks
from .page import Page
from .source import Source
from .source_functions import Marked
from .wire import encode, shown

Read: TypeAlias = "Callable[[Ask, str, str, Sequence[Any]], Awaitable[Rows]]"

ESTIMATES = 100
"""How many estimated totals are kept."""


class Table(Source):
    """A table whose rows are given page by page, searched, filtered and sorted, edited, and told of when they change.

        run(Table(SQLite("mail.db"), "mail"))

    Triggers note each change in a table beside it, `nagare_mail`, which holds the newest 10,000. They are made when they are
    first needed, and stay, so that nothing is missed while no program runs; `uninstall` drops them.

    - `columns` are those of the rows in a list; a whole item has all. Without it a row has all as well.
    - `order` names the columns by which rows are in order, after a `-` those that fall, or is a mapping that says of each
      whether it falls; NULL is last. Without it this is a
      column with a time, the newest first. The id comes last in any case.
    - `id` names a column whose values are unique, or several that are so together; without it the primary key, or SQLite's `rowid`.
    - `search` are the columns in which the words of a query are looked for; without it all that hold texts.
    - `live` is false for a table that is to be left as it is.
    """

    def __init__(
        self,
        database: Database,
        table: str,
        *,
        columns: Sequence[str] = (),
        order: Sequence[str] | Mapping[str, bool] = (),
        id: str | Sequence[str] = (),
        search: Sequence[str] = (),
        live: bool = True,
    ) -> None:
        super().__init__(
            self._page,
            item=self._item,
            insert=self._insert,
            change=self._change,
            remove=self._remove,
            change_marked=self._change_marked,
            remove_marked=self._remove_marked,
        )
        self._database, self._table, self._is_live = database, table, live
        key = [id] if isinstance(id, str) else id
        self._told: dict[str, Any] = {"columns": columns, "order": order, "id": key, "search": search}
        self._layout: Layout | None = None
        self._life = self._shape = ""
        self._first = asyncio.Lock()
        self._estimates: OrderedDict[bytes, int] = OrderedDict()
        self.follower = Follower(database, table, self.layout)
        if live:
            self.changes(self.follower.follow)

    async def layout(self) -> Layout:
        """What the table is like now. When it is first needed, or is another table, what notes its changes is made, if it isn't there."""
        life, shape = self._database.life, await self._database.shape(self._table)
        async with self._first:
            # Making what notes changes may be a change of the shape by itself.
            while self._layout is None or self._shape != shape:
                layout = Layout(self._database, self._table, await self._database.columns(self._table), **self._told)
                layout.shape = shape
                if self._is_live and self._layout is not None and self._layout.key != layout.key:
                    await self._make(layout)
                elif self._is_live:
                    await self._install(layout, is_first=self._layout is None or self._life != life)
                await self._report(layout)
                self._layout, self._life, self._shape = layout, life, shape
                life, shape = self._database.life, await self._database.shape(self._table)
            return self._layout

    async def _report(self, layout: Layout) -> None:
        """Reports how many rows aren't listed, where they can be counted."""
        if layout.identified and self._database.is_quickly_counted(self._table):
            async with self._database.asking() as ask:
                count, is_counted = await self._database.count(ask, layout.table, f"({layout.identified}) IS NOT TRUE", [])
            if count and is_counted:
                rows, keys = "1 row isn't" if count == 1 else f"{count} rows aren't", ", ".join(layout.key)
                warn(f"{self._table}: {rows} listed, as what tells rows apart ({keys}) is NULL there, or too long")

    async def nature(self) -> Nature:
        """What can be done with the table."""
        return await self._database.nature(self._table)

    async def looks(self) -> Looks:
        """How its rows are shown."""
        layout, columns = await self.layout(), await self._database.columns(self._table)
        name = self._database.column
        read = ", ".join(f"{name(one.name)} AS {name(one.name)}" for one in columns if one.kind != "bytes")
        async with self._database.reading() as ask:
            rows = await ask(f"SELECT {read or layout.keys} FROM {layout.table} LIMIT {LOOKED_AT}", most=ROOM)
        shows = [{name: shown(value) for name, value in row.items()} for row in rows]
        return Looks(columns, layout.key, list(layout.order), shows)

    async def install(self) -> None:
        """Makes what notes changes, if any of it isn't there. Lists that are open are then read again."""
        await self._install(await self.layout(), is_first=True)

    async def uninstall(self) -> None:
        """Drops what notes changes."""
        await self._database.uninstall(self._table)

    async def _install(self, layout: Layout, is_first: bool) -> None:
        """Makes what notes changes, if any of it isn't there. What somebody has dropped since then stays dropped, but on a table that was made anew."""
        try:
            async with self._database.asking() as ask:
                await standing(self._database, self._table, ask, layout.key)
        except Deaf as deaf:
            if is_first or deaf.is_made_anew:
                await self._make(layout)

    async def _make(self, layout: Layout) -> None:
        try:
            await self._database.install(self._table, layout.identifying)
        except SourceError as error:
            if error.retryable or isinstance(error, Taken):
                raise
            # A view, or somebody else's table.
            name, log = self._table, self._database.log(self._table)
            remedy = (
                f"whoever owns {name} can make it live, by nagare-source-sql {self._database.name} --table {name} --install, and lets this"
                f" program read {log}; else it can be served as a list that isn't: --still, or live=False"
            )
            raise SourceError(error.code, f"{error.message.rstrip('.')}; {remedy}") from error

    async def _page(
        self, key: Any, query: str | None, size: int, filters: dict[str, Any], at: int | None = None, around: Any = None
    ) -> Page:
        layout = await self.layout()

        async def read(at: int | None) -> Page:
            page, (where, values) = layout.page(key, query, size, filters, at)
            part = f"FROM {layout.table} WHERE {where} ORDER BY {page.order} LIMIT {page.limit} OFFSET {page.offset}"
            if page.offset:
                # Of what is left out, an index is all that is read.
                part = f"FROM {layout.table} WHERE ({layout.keys}) IN (SELECT {layout.keys} {part}) ORDER BY {page.order}"
            rows = await layout.rows(ask, layout.listed, part, values, filters)
            return page.of(rows, read=layout.read, is_cut=rows.is_cut)

        async with self._database.reading() as ask:
            key = await self._key(ask, layout, key, query, filters)
            state = (await standing(self._database, self._table, ask, layout.key, None, layout.shape)).state if self._is_live else None
            looked_for = layout.looked_for(query, filters)
            if around is not None:
                place = await self._place(ask, layout, around, query, filters)
                at = max(place - size // 2, 0)
            page = await read(at)
            if around is not None and all(item[layout.id] != around for item in page.items):
                # What comes before it leaves no room for it.
                page = await read(place)
            if at and not page.items:
                # It lies beyond the end, where an estimate may lead to: the last page.
                page = await read(max(await self._count(ask, layout, looked_for) - size, 0))
            if page.position is not None and page.total is None:
                page.total, page.exact = await self._total(ask, layout, query, filters, page)
        page.next, page.previous = self._short(page.next, page.items[-1:], layout), self._short(page.previous, page.items[:1], layout)
        page.state = state
        return page

    async def _total(
        self, ask: Ask, layout: Layout, query: str | None, filters: dict[str, Any], page: Page
    ) -> tuple[int, bool]:
        """Returns how many rows match, and whether they were counted.

        An estimate is kept until a first page is requested, because a total that changes with each page moves scroll bars. If
        a page reaches beyond the estimate, it becomes twice the page's end, so it doesn't grow with each page either.
        """
        looked_for = encode([query, filters, layout.shape])
        estimate = self._estimates.pop(looked_for, None) if page.position else None
        if estimate is None:
            estimate, is_counted = await self._database.count(ask, layout.table, *layout.looked_for(query, filters))
            if is_counted:
                return estimate, True
        end = (page.position or 0) + len(page.items) + 1
        self._estimates[looked_for] = estimate if estimate >= end else 2 * end
        if len(self._estimates) > ESTIMATES:
            self._estimates.popitem(last=False)
        return self._estimates[looked_for], False

    def _short(self, key: Any, rows: Sequence[Any], layout: Layout) -> Any:
        """Replaces the values in a page's key by the row's id if they are too long."""
        if key is None or is_fitting(key, KEY):
            return key
        ((side, _),) = key.items()
        return {side: {"id": rows[0][layout.id]}}

    async def _key(self, ask: Ask, layout: Layout, key: Any, query: str | None, filters: dict[str, Any]) -> Any:
        """Replaces the row's id in a page's key by the row's values: the reverse of `_short`."""
        if not (isinstance(key, dict) and len(key) == 1):
            return key
        ((side, told),) = key.items()
        if not (isinstance(told, dict) and told.keys() == {"id"}):
            return key
        rows = await self._listed(ask, layout, told["id"], "1 = 1", [])
        page, _ = layout.page(None, query, 1, filters)
        return {side: list(map(kept, page.values_of(rows[0])))}

    async def _place(self, ask: Ask, layout: Layout, id: Any, query: str | None, filters: dict[str, Any]) -> int:
        """How many of the rows that are looked for come before the one with an id."""
        rows = await self._listed(ask, layout, id, *layout.looked_for(query, filters))
        return await self._count(ask, layout, layout.before(rows[0], query, filters))

    async def _listed(self, ask: Ask, layout: Layout, id: Any, where: str, values: Sequence[Any]) -> Sequence[Row]:
        """The row with an id that meets a condition, as lists have it."""
        among, given = layout.among([id])
        rows = await ask(f"SELECT {layout.listed} FROM {layout.table} WHERE {among} AND {where}", [*given, *values])
        if not rows:
            raise SourceError(NO_SUCH_ITEM, f"there is no row {id!r} here")
        return rows

    async def _count(self, ask: Ask, layout: Layout, condition: Condition) -> int:
        where, values = condition
        (found,) = await ask(f"SELECT count(*) AS number FROM {layout.table} WHERE {where}", values)
        return int(found["number"])

    async def _item(self, id: Any) -> Row | None:
        layout = await self.layout()
        async with self._database.reading() as ask:
            row = await self._row(ask, layout, id, layout.rows)
            return row and layout.read(row)

    async def _row(self, ask: Ask, layout: Layout, id: Any, read: Read | None = None) -> Row | None:
        where, values = layout.among([id])
        part = f"FROM {layout.table} WHERE {where}"
        rows = await (read(ask, layout.whole, part, values) if read else ask(f"SELECT {layout.whole} {part}", values, most=ROOM))
        if len(rows) > 1 or rows.is_cut:
            raise SourceError(REFUSED, f"{self._table} has several rows with the id {id!r}: name columns that tell rows apart by --id")
        return rows[0] if rows else None

    async def _insert(self, item: Any, before: Any) -> None:
        """Where it comes to stand is a matter of the order, not of what it was put before."""
        layout = await self.layout()
        layout.check(item)
        async with self._database.writing() as ask:
            self._made(await self._database.insert(ask, self._table, layout.inserted(item)), "insert")

    async def _change(self, item: Any) -> None:
        """Writes the columns that differ from what lists show, and no others."""
        layout = await self.layout()
        layout.check(item)
        id = item.get(layout.id)
        async with self._database.writing() as ask:
            row = await self._row(ask, layout, id)
            if row is None:
                raise self._gone(id)
            shows = layout.read(row)
            differing = {name: value for name, value in item.items() if value != shown(shows[name])}
            for name in [name for name in differing if name in row and shows[name] != row[name] and name != layout.id]:
                if differing[name] == shown(row[name]) or differing[name] in shortenings(row[name]):
                    del differing[name]
                elif shows[name] in shortenings(row[name]):
                    raise SourceError(REFUSED, f"what row {id!r} has in {name!r} is too long to be shown, so it can't be changed here")
            if differing:
                values = layout.written(differing, row)
                self._made(await self._database.change(ask, self._table, values, *layout.among([id])), "change")

    async def _remove(self, id: Any) -> None:
        layout = await self.layout()
        async with self._database.writing() as ask:
            if await self._row(ask, layout, id) is None:
                raise self._gone(id)
            self._made(await self._database.remove(ask, self._table, *layout.among([id])), "remove")

    def _made(self, count: int, edit: str) -> None:
        """Raises an error if an edit has changed no row. A count below 0 is unknown."""
        if count == 0:
            raise SourceError(REFUSED, f"the database has passed over this {edit}, without an error: a trigger or a rule of {self._table} may be why")

    def _gone(self, id: Any) -> SourceError:
        return SourceError(NO_SUCH_ITEM, f"there is no row {id!r} in {self._table} any more")

    async def _change_marked(self, marked: Marked, values: Row) -> None:
        """Rows that are gone are passed over."""
        layout = await self.layout()
        layout.check(values)
        if telling := [name for name in (layout.id, *layout.key) if name in values]:
            raise SourceError(INVALID_PARAMS, f"{telling[0]!r} tells rows apart: many can't have the same")
        if values:
            async with self._database.writing() as ask:
                self._made_many(await self._database.change(ask, self._table, layout.written(values), *self._are(layout, marked)), marked)

    async def _remove_marked(self, marked: Marked) -> None:
        layout = await self.layout()
        async with self._database.writing() as ask:
            self._made_many(await self._database.remove(ask, self._table, *self._are(layout, marked)), marked)

    def _made_many(self, count: int, marked: Marked) -> None:
        if count == 0 and marked.ids and not marked.all:
            raise SourceError(NO_SUCH_ITEM, f"there is none of these rows in {self._table} any more")

    def _are(self, layout: Layout, marked: Marked) -> Condition:
        """The condition on the rows that are marked."""
        among, given = layout.among([id for id in marked.ids if id is not None])
        if not marked.all:
            return among, given
        where, values = layout.looked_for(marked.query, marked.filters)
        return f"{where} AND NOT {among}", [*values, *given]
