"""A table of a database as a source that is live."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from .database import Ask, Database, Nature, Row, quoted
from .errors import INVALID_PARAMS, NO_SUCH_ITEM, SourceError
from .follow import Deaf, Follower, standing
from .layout import Condition, Layout
from .looks import LOOKED_AT, Looks
from .marked import Marked
from .page import Page
from .source import Source


class Table(Source):
    """A table whose rows are given page by page, searched, filtered and sorted, edited, and told of when they change.

        run(Table(SQLite("mail.db"), "mail"))

    Triggers note each change in a table beside it, `nagare_mail`, which holds the newest 10,000. They are made when they are
    first needed, and stay, so that nothing is missed while no program runs; `uninstall` drops them.

    - `columns` are those of the rows in a list; a whole item has all. Without it a row has all as well.
    - `order` names the columns by which rows are in order, after a `-` those that fall; NULL is last. Without it this is a
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
        order: Sequence[str] = (),
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
                self._layout, self._life, self._shape = layout, life, shape
                life, shape = self._database.life, await self._database.shape(self._table)
            return self._layout

    async def nature(self) -> Nature:
        """What can be done with the table."""
        return await self._database.nature(self._table)

    async def looks(self) -> Looks:
        """How its rows are shown."""
        layout, columns = await self.layout(), await self._database.columns(self._table)
        name = self._database.column
        read = ", ".join(f"{name(one.name)} AS {name(one.name)}" for one in columns if one.kind != "bytes")
        async with self._database.reading() as ask:
            rows = await ask(f"SELECT {read or layout.keys} FROM {layout.table} LIMIT {LOOKED_AT}")
        return Looks(columns, layout.key, list(layout.order), rows)

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
                await standing(self._database, self._table, ask)
        except Deaf as deaf:
            if is_first or deaf.is_made_anew:
                await self._make(layout)

    async def _make(self, layout: Layout) -> None:
        try:
            await self._database.install(self._table, layout.key)
        except SourceError as error:
            if error.retryable:
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
            return page.of(layout.read(await ask(f"SELECT {layout.listed} {part}", values)))

        async with self._database.reading() as ask:
            state = (await standing(self._database, self._table, ask, None, layout.shape)).state if self._is_live else None
            looked_for = layout.looked_for(query, filters)
            if around is not None:
                at = max(await self._place(ask, layout, around, query, filters) - size // 2, 0)
            page = await read(at)
            if at and not page.items:
                # It lies beyond the end, where an estimate may lead to: the last page.
                page = await read(max(await self._count(ask, layout, looked_for) - size, 0))
            if page.position is not None and page.total is None:
                page.total, page.exact = await self._database.count(ask, layout.table, *looked_for)
                if not page.exact:
                    page.total = max(page.total, page.position + len(page.items) + 1)
        page.state = state
        return page

    async def _place(self, ask: Ask, layout: Layout, id: Any, query: str | None, filters: dict[str, Any]) -> int:
        """How many of the rows that are looked for come before the one with an id."""
        where, values = layout.looked_for(query, filters)
        rows = await ask(f"SELECT {layout.listed} FROM {layout.table} WHERE {layout.among} AND {where}", [[id], *values])
        if not rows:
            raise SourceError(NO_SUCH_ITEM, f"there is no row {id!r} here")
        return await self._count(ask, layout, layout.before(rows[0], query, filters))

    async def _count(self, ask: Ask, layout: Layout, condition: Condition) -> int:
        where, values = condition
        (found,) = await ask(f"SELECT count(*) AS number FROM {layout.table} WHERE {where}", values)
        return int(found["number"])

    async def _item(self, id: Any) -> Row | None:
        layout = await self.layout()
        async with self._database.reading() as ask:
            return await self._row(ask, layout, id)

    async def _row(self, ask: Ask, layout: Layout, id: Any) -> Row | None:
        rows = await ask(f"SELECT {layout.whole} FROM {layout.table} WHERE {layout.among}", [[id]])
        return next(iter(layout.read(rows)), None)

    async def _insert(self, item: Any, before: Any) -> None:
        """Where it comes to stand is a matter of the order, not of what it was put before."""
        layout = await self.layout()
        layout.check(item)
        async with self._database.writing() as ask:
            await self._database.insert(ask, self._table, layout.columns_of(item))

    async def _change(self, item: Any) -> None:
        """Writes what differs, and nothing else."""
        layout = await self.layout()
        layout.check(item)
        id = item.get(layout.id)
        async with self._database.writing() as ask:
            row = await self._row(ask, layout, id)
            if row is None:
                raise SourceError(NO_SUCH_ITEM, f"there is no row {id!r} in {self._table} any more")
            differing = {name: value for name, value in item.items() if value != row[name]}
            if differing:
                await self._database.change(ask, self._table, differing, layout.among, [[id]])

    async def _remove(self, id: Any) -> None:
        layout = await self.layout()
        async with self._database.writing() as ask:
            await ask(f"DELETE FROM {layout.table} WHERE {layout.among}", [[id]])

    async def _change_marked(self, marked: Marked, values: Row) -> None:
        """Rows that are gone are passed over."""
        layout = await self.layout()
        layout.check(values)
        if telling := [name for name in (layout.id, *layout.key) if name in values]:
            raise SourceError(INVALID_PARAMS, f"{telling[0]!r} tells rows apart: many can't have the same")
        if values:
            async with self._database.writing() as ask:
                await self._database.change(ask, self._table, values, *self._are(layout, marked))

    async def _remove_marked(self, marked: Marked) -> None:
        layout = await self.layout()
        where, values = self._are(layout, marked)
        async with self._database.writing() as ask:
            await ask(f"DELETE FROM {layout.table} WHERE {where}", values)

    def _are(self, layout: Layout, marked: Marked) -> Condition:
        """The condition on the rows that are marked."""
        given = [id for id in marked.ids if id is not None]
        if not marked.all:
            return layout.among, [given]
        where, values = layout.looked_for(marked.query, marked.filters)
        return f"{where} AND NOT {layout.among}", [*values, given]
