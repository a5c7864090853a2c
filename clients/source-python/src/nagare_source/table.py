"""Tables as live sources."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from .changes import Changes
from .database import COUNT_LIMIT, LARGE, REFUSED, Capabilities, Database, Execute, NameTaken, OnSteps, Row, Rows, StatementRefused, Written
from .errors import INVALID_PARAMS, NO_SUCH_ITEM, SourceError, warn
from .fitting import ITEMS_LIMIT, KEY_LIMIT, fits, short_forms
from .follow import Follower, TriggersMissing, current_state
from .keyset import to_key
from .layout import Condition, Layout
from .lazy import asyncio
from .looking import Known, Looker, Sight, known_rows
from .page import Page
from .source import Source
from .steps import Steps
from .wire import encode, to_json

if TYPE_CHECKING:
    from .display_guess import DisplayGuess
    from .source_functions import Marked, Progress

Read: TypeAlias = "Callable[[Execute, Sequence[str], str, Sequence[Any]], Awaitable[Rows]]"

ESTIMATES = 100
"""The number of estimated totals to keep, and of lists whose steps to keep."""


class Table(Source):
    """A table as a source, with pages, search, filters, sorting and changes.

        run(Table(SQLite("mail.db"), "mail"))

    The database isn't changed, unless you allow it with `write` or `triggers`.

    - `columns` are the columns of a list's rows, by default all except bytes. A full item has all columns.
    - `order` are the ordering columns: descending with a `-` before the name, or a mapping from names to whether they
      are descending. NULL comes last. By default it is a column with a time, newest first. The id is always added at
      the end.
    - `id` is a unique column, or several that are unique together. The default is the primary key; without one, unique
      columns that are never NULL; without these, SQLite's `rowid`.
    - `search` are the columns that a search looks for words in, by default all columns with text.
    - `live` is whether changes are reported. Without triggers, the rows that lists have are read again and compared.
    - `write` is whether users may edit rows.
    - `triggers` is whether to create triggers. They log each change in a second table, `nagare_mail`, which keeps the newest
      10,000 changes. They are created when they are first needed. They stay afterwards, so that changes are logged even
      while the program doesn't run, and the table's other programs use them. `remove_triggers` drops them.
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
        write: bool = False,
        triggers: bool = False,
    ) -> None:
        super().__init__(self._page, item=self._item)
        if write:
            self.insert(self._insert)
            self.change(self._change)
            self.remove(self._remove)
            self.change_marked(self._change_marked)
            self.remove_marked(self._remove_marked)
        self._database, self._table, self._makes_triggers = database, table, live and triggers
        self._is_live, self._is_logged = live, live and triggers
        key = [id] if isinstance(id, str) else id
        self._options: dict[str, Any] = {"columns": columns, "order": order, "id": key, "search": search}
        self._layout: Layout | None = None
        self._generation = self._fingerprint = ""
        self._layout_lock = nullcontext() if database.is_direct else asyncio.Lock()
        self._estimates: OrderedDict[bytes, int] = OrderedDict()
        self._first_steps: OrderedDict[bytes, int] = OrderedDict()
        """The steps of each list's first page, by query, filters and layout."""
        self.follower = Follower(database, table, self.layout)
        self._looker = Looker(database, table, self.layout)
        if live:
            self.changes(self._follow)

    async def layout(self) -> Layout:
        """Returns the current layout. If triggers are wanted, the first call creates missing ones, and so does a call after
        the table was replaced."""
        generation, fingerprint = self._database.generation, await self._database.fingerprint(self._table)
        async with self._layout_lock:
            # Creating triggers may itself change the fingerprint.
            while self._layout is None or self._fingerprint != fingerprint:
                layout = Layout(self._database, self._table, await self._database.columns(self._table), **self._options)
                layout.fingerprint = fingerprint
                if self._makes_triggers and self._layout is not None and self._layout.key != layout.key:
                    await self._create_triggers(layout)
                elif self._makes_triggers:
                    await self._install(layout, is_first=self._layout is None or self._generation != generation)
                elif self._is_live:
                    self._is_logged = await self._has_triggers(layout)
                await self._report(layout)
                self._layout, self._generation, self._fingerprint = layout, generation, fingerprint
                generation, fingerprint = self._database.generation, await self._database.fingerprint(self._table)
            return self._layout

    async def _report(self, layout: Layout) -> None:
        """Prints the number of rows that can't be listed, if counting is quick."""
        if layout.identified and self._database.is_quickly_counted(self._table):
            async with self._database.autocommit() as execute:
                count, is_counted = await self._database.count(execute, layout.table, f"({layout.identified}) IS NOT TRUE", [])
            if count and is_counted:
                rows, keys = "1 row isn't" if count == 1 else f"{count} rows aren't", ", ".join(layout.key)
                remedy = f". --id {layout.row_number} lists every row" if layout.row_number else ""
                warn(f"{self._table}: {rows} listed, as what tells rows apart ({keys}) is NULL there, or too long{remedy}")

    async def capabilities(self) -> Capabilities:
        """Returns what the table supports."""
        return await self._database.capabilities(self._table)

    async def display_guess(self, names: Sequence[str] = ()) -> DisplayGuess:
        """Returns a guess of how to show the table's rows, with the named columns or, by default, with all."""
        from .display_guess import SAMPLE_ROWS, DisplayGuess

        layout = await self.layout()
        columns = [one for one in layout.columns if not names or one.name in names]
        name = self._database.column
        shown = [f"{name(one.name)} AS {name(one.name)}" for one in columns if one.kind != "bytes"]
        read = ", ".join(shown[: self._database.column_limit])
        async with self._database.read_transaction() as execute:
            rows = await execute(f"SELECT {read or layout.keys} FROM {layout.table} LIMIT {SAMPLE_ROWS}", max_size=ITEMS_LIMIT)
        return DisplayGuess(columns, layout.key, list(layout.order), rows)

    async def install(self) -> None:
        """Creates missing triggers. Open lists then reload."""
        await self._install(await self.layout(), is_first=True)

    async def remove_triggers(self) -> list[str]:
        """Drops the triggers and the log. Returns the names of the dropped objects."""
        return await self._database.remove_triggers(self._table)

    async def _has_triggers(self, layout: Layout) -> bool:
        """Whether triggers log the changes."""
        try:
            async with self._database.autocommit() as execute:
                await current_state(self._database, self._table, execute, layout)
        except SourceError as error:
            if error.retryable:
                raise
            return False
        return True

    async def _follow(self, since: str | None, query: str | None, filters: dict[str, Any]) -> AsyncGenerator[tuple[Changes, str], None]:
        """Yields the changes since a state, and then all further changes: those that triggers log, or otherwise those that
        comparing finds.

        If triggers are created or dropped meanwhile, pages get states of the other kind. The server then watches again,
        with such a state.
        """
        with self._looker.watching(query, filters) as sight:
            if not self._makes_triggers:
                with suppress(SourceError):
                    await self.layout()
            following = self.follower.follow(since, query, filters) if self._is_logged else self._looker.follow(sight, since)
            async with aclosing(following) as steps:
                async for step in steps:
                    yield step

    async def _install(self, layout: Layout, is_first: bool) -> None:
        """Creates missing triggers. Triggers that somebody dropped later stay dropped, unless the table was replaced."""
        try:
            async with self._database.autocommit() as execute:
                await current_state(self._database, self._table, execute, layout)
        except TriggersMissing as missing:
            if is_first or missing.is_table_replaced:
                await self._create_triggers(layout)

    async def _create_triggers(self, layout: Layout) -> None:
        made = self._database.objects_to_create(self._table)
        print(f"nagare_source: creating {made}, which log the changes of {self._table}. --remove-triggers drops them", file=sys.stderr)
        try:
            await self._database.install(self._table, layout.identifying)
        except SourceError as error:
            if error.retryable or isinstance(error, NameTaken):
                raise
            # The table is a view, or belongs to another owner.
            name, log = self._table, self._database.log_table(self._table)
            remedy = (
                f"whoever owns {name} can make it live, by nagare-source-sql {self._database.name} --table {name} --triggers --configuration, and lets this"
                f" program read {log}; without --triggers, rows are compared instead"
            )
            raise SourceError(error.code, f"{error.message.rstrip('.')}; {remedy}") from error

    async def _page(
        self,
        key: Any,
        query: str | None,
        size: int,
        filters: dict[str, Any],
        at: int | None = None,
        around: Any = None,
        progress: Progress | None = None,
    ) -> Page:
        layout = await self.layout()
        matching_key = encode([query, filters, layout.fingerprint])
        steps = Steps(progress, self._first_steps.get(matching_key))
        found: Known = {}

        async def read(at: int | None) -> Page:
            steps.expect_page(at or 0, self._database.skip_steps)
            page, (where, values) = layout.page(key, query, size, filters, at)
            part = f"FROM {layout.table} WHERE {where} ORDER BY {page.order} LIMIT {page.limit} OFFSET {page.offset}"
            if page.offset:
                # Selects the keys first, so that skipped rows are read only from an index.
                part = f"FROM {layout.table} WHERE ({layout.keys}) IN (SELECT {layout.keys} {part}) ORDER BY {page.order}"
            rows = await layout.rows(execute, layout.list_columns, part, values, filters)
            found.update(known_rows(layout, rows) if sight is not None and not self._is_logged else {})
            return page.of(rows, read=layout.item_of, is_cut=rows.is_cut)

        async with self._read(query, filters, steps.add) as (execute, sight):
            key = await self._full_key(execute, layout, key, query, filters)
            state = None
            if self._is_logged:
                state = (await current_state(self._database, self._table, execute, layout)).state
            elif sight is not None:
                await sight.compare(execute, self._database, layout)
            matching = layout.matching(query, filters)
            if around is not None:
                place = await self._position_of(execute, layout, around, query, filters)
                at = max(place - size // 2, 0)
            page = await read(at)
            if around is not None and all(item[layout.id] != around for item in page.items):
                # The rows before the item fill the message, so the page begins at the item.
                page = await read(place)
            if at and not page.items:
                # The position is beyond the end, possibly because of an estimate. Returns the last page.
                page = await read(max(await self._count(execute, layout, matching) - size, 0))
            if page.position is not None and page.total is None:
                # An estimate is quick. It is followed by the exact number if rows are compared.
                limit = LARGE if sight is not None and not self._is_logged else COUNT_LIMIT
                page.total, page.exact = await self._total(execute, layout, query, filters, page, limit)
            if sight is not None and not self._is_logged:
                ids = [encode(item[layout.id]) for item in page.items]
                sight.remember(key if at is None else None, page, {id: found[id] for id in ids})
                state = sight.log.state
                self._looker.wake()
        if key is None and not at and around is None:
            _remember(self._first_steps, matching_key, steps.taken)
        page.next, page.previous = self._short_key(page.next, page.items[-1:], layout), self._short_key(page.previous, page.items[:1], layout)
        page.state = state
        return page

    @asynccontextmanager
    async def _read(self, query: str | None, filters: dict[str, Any], on_steps: OnSteps) -> AsyncIterator[tuple[Execute, Sight | None]]:
        """Begins a transaction for a page. Also returns what the page's lists have, if they are watched."""
        sight = self._looker.sight(query, filters)
        try:
            async with sight.lock if sight is not None else nullcontext(), self._database.read_transaction(on_steps) as execute:
                yield execute, sight
        except SourceError as error:
            if sight is not None and error.code == REFUSED:
                sight.has_failed = True
            if isinstance(error, TriggersMissing) and not self._makes_triggers:
                # Somebody has dropped them. From the next try on, rows are compared.
                self._is_logged, error.retryable = False, True
            raise

    async def _total(
        self, execute: Execute, layout: Layout, query: str | None, filters: dict[str, Any], page: Page, limit: int
    ) -> tuple[int, bool]:
        """Counts the matching rows. Returns the number, and whether it is exact.

        An estimate is kept until a first page is requested, because a total that changes with each page moves scroll
        bars. If a page reaches beyond the estimate, the estimate becomes twice the page's end. So it changes only a few
        times.
        """
        matching = encode([query, filters, layout.fingerprint])
        estimate = self._estimates.pop(matching, None) if page.position else None
        if estimate is None:
            estimate, is_counted = await self._database.count(execute, layout.table, *layout.matching(query, filters), limit)
            if is_counted:
                return estimate, True
        end = (page.position or 0) + len(page.items) + 1
        return _remember(self._estimates, matching, estimate if estimate >= end else 2 * end), False

    def _short_key(self, key: Any, rows: Sequence[Any], layout: Layout) -> Any:
        """If the values in a page's key are too long, replaces them by the row's id."""
        if key is None or fits(key, KEY_LIMIT):
            return key
        ((side, _),) = key.items()
        return {side: {"id": rows[0][layout.id]}}

    async def _full_key(self, execute: Execute, layout: Layout, key: Any, query: str | None, filters: dict[str, Any]) -> Any:
        """Replaces the row's id in a page's key by the row's values: the reverse of `_short_key`."""
        if not (isinstance(key, dict) and len(key) == 1):
            return key
        ((side, values),) = key.items()
        if not (isinstance(values, dict) and values.keys() == {"id"}):
            return key
        rows = await self._listed(execute, layout, values["id"], "1 = 1", [])
        page, _ = layout.page(None, query, 1, filters)
        return {side: list(map(to_key, page.values_of(rows[0])))}

    async def _position_of(self, execute: Execute, layout: Layout, id: Any, query: str | None, filters: dict[str, Any]) -> int:
        """Returns the number of matching rows before the row with an id."""
        rows = await self._listed(execute, layout, id, *layout.matching(query, filters))
        return await self._count(execute, layout, layout.before(rows[0], query, filters))

    async def _listed(self, execute: Execute, layout: Layout, id: Any, where: str, values: Sequence[Any]) -> Sequence[Row]:
        """Returns the row with an id if it meets a condition, with a list's columns."""
        among, given = layout.with_ids([id])
        rows = await layout.read(execute, layout.list_columns, f"FROM {layout.table} WHERE {among} AND {where}", [*given, *values])
        if not rows:
            raise SourceError(NO_SUCH_ITEM, f"there is no row {id!r} here")
        return rows

    async def _count(self, execute: Execute, layout: Layout, condition: Condition) -> int:
        where, values = condition
        (found,) = await execute(f"SELECT count(*) AS number FROM {layout.table} WHERE {where}", values)
        return int(found["number"])

    async def _item(self, id: Any) -> Row | None:
        layout = await self.layout()
        async with self._database.read_transaction() as execute:
            row = await self._row(execute, layout, id, layout.rows)
            return row and layout.item_of(row)

    async def _row(self, execute: Execute, layout: Layout, id: Any, read: Read | None = None) -> Row | None:
        where, values = layout.with_ids([id])
        part = f"FROM {layout.table} WHERE {where}"
        rows = await (read or layout.read)(execute, layout.all_columns, part, values)
        if len(rows) > 1 or rows.is_cut:
            raise SourceError(REFUSED, f"{self._table} has several rows with the id {id!r}: name columns that tell rows apart by --id")
        return rows[0] if rows else None

    async def _insert(self, item: Any, before: Any) -> Row | None:
        """Inserts a row. Its position follows from the order, so `before` is ignored."""
        layout = await self.layout()
        layout.check(item)
        async with self._database.write_transaction() as execute:
            written = await self._insert_row(execute, layout, *layout.new_row(item))
            self._check_written(written, "insert")
            id = layout.numbered(written.id)
            result = await self._result(execute, layout, item, id)
        self._looker.edit(None if id is None else [id])
        return result

    async def _insert_row(self, execute: Execute, layout: Layout, values: Row, key: str) -> Written:
        """Inserts a row. `key` is the column for the client's id. If the column rejects this value, the database generates another one."""
        try:
            return await self._database.insert(execute, self._table, values, layout.identifying)
        except StatementRefused as error:
            if not (key and error.is_unfit):
                raise
            unfit = error
        others = {name: value for name, value in values.items() if name != key}
        try:
            written = await self._database.insert(execute, self._table, others, layout.identifying)
        except StatementRefused as error:
            raise unfit if error.missing == key else error from None
        if not written.has_id:
            raise unfit
        return written

    async def _result(self, execute: Execute, layout: Layout, sent: Row, id: Any) -> Row | None:
        """Returns the result of an edit: the stored row, or only its id if the row can't be read. Returns None if the
        stored row equals the sent one."""
        if id is None:
            return None
        rows = Rows()
        names = dict.fromkeys([*layout.list_names, *layout.stored_values(sent)])
        where, values = layout.with_ids([id])
        with suppress(SourceError):
            async with self._database.savepoint(execute):
                rows = await layout.read(execute, layout.selections(list(names)), f"FROM {layout.table} WHERE {where}", values)
        item = layout.item_of(rows[0]) if len(rows) == 1 else {layout.id: id}
        if all(_is_same(to_json(value), sent.get(name)) for name, value in item.items()):
            return None
        return {"item": item} if len(rows) == 1 else {"id": id}

    async def _change(self, item: Any) -> Row | None:
        """Writes only the columns that differ from the displayed values."""
        layout = await self.layout()
        layout.check(item)
        id = item.get(layout.id)
        async with self._database.write_transaction() as execute:
            row = await self._row(execute, layout, id)
            if row is None:
                raise self._not_found(id)
            shows = layout.item_of(row)
            differing = {name: value for name, value in item.items() if value != to_json(shows[name])}
            for name in [name for name in differing if name in row and shows[name] != row[name] and name != layout.id]:
                if differing[name] == to_json(row[name]) or differing[name] in short_forms(row[name]):
                    del differing[name]
                elif shows[name] in short_forms(row[name]):
                    raise SourceError(REFUSED, f"what row {id!r} has in {name!r} is too long to be shown, so it can't be changed here")
            if differing:
                values = layout.stored_values(differing, row)
                written = await self._database.change(execute, self._table, values, *layout.with_ids([id]), layout.identifying)
                self._check_written(written, "change")
                id = id if written.id is None and written.has_id else layout.numbered(written.id)
            result = await self._result(execute, layout, item, id)
        self._looker.edit([item[layout.id], *([] if id is None else [id])])
        return result

    async def _remove(self, id: Any) -> None:
        layout = await self.layout()
        async with self._database.write_transaction() as execute:
            if await self._row(execute, layout, id) is None:
                raise self._not_found(id)
            self._check_written(await self._database.remove(execute, self._table, *layout.with_ids([id])), "remove")
        self._looker.edit([id])

    def _check_written(self, written: Written, edit: str) -> None:
        """Raises an error if an edit has changed no row."""
        if written.rows == 0:
            raise SourceError(REFUSED, f"the database has passed over this {edit}, without an error: a trigger or a rule of {self._table} may be why")

    def _not_found(self, id: Any) -> SourceError:
        return SourceError(NO_SUCH_ITEM, f"there is no row {id!r} in {self._table} any more")

    async def _change_marked(self, marked: Marked, values: Row) -> None:
        """Changes the marked rows. Missing ones are skipped."""
        layout = await self.layout()
        layout.check(values)
        if telling := [name for name in (layout.id, *layout.key) if name in values]:
            raise SourceError(INVALID_PARAMS, f"{telling[0]!r} tells rows apart: many can't have the same")
        if values:
            async with self._database.write_transaction() as execute:
                self._check_marked_written(await self._database.change(execute, self._table, layout.stored_values(values), *self._marked_rows(layout, marked)), marked)
            self._looker.edit(None if marked.all else marked.ids)

    async def _remove_marked(self, marked: Marked) -> None:
        layout = await self.layout()
        async with self._database.write_transaction() as execute:
            self._check_marked_written(await self._database.remove(execute, self._table, *self._marked_rows(layout, marked)), marked)
        self._looker.edit(None if marked.all else marked.ids)

    def _check_marked_written(self, written: Written, marked: Marked) -> None:
        if written.rows == 0 and marked.ids and not marked.all:
            raise SourceError(NO_SUCH_ITEM, f"there is none of these rows in {self._table} any more")

    def _marked_rows(self, layout: Layout, marked: Marked) -> Condition:
        """Returns the condition on the marked rows."""
        ids = [id for id in marked.ids if id is not None]
        if not marked.all:
            return layout.with_ids(ids)
        (where, values), (others, given) = layout.matching(marked.query, marked.filters), layout.without_ids(ids)
        return f"{where} AND {others}", [*values, *given]


def _is_same(value: Any, sent: Any) -> bool:
    """Whether a value equals the one that a client sent. True doesn't equal the number 1."""
    return bool(value == sent) and isinstance(value, bool) == isinstance(sent, bool)


def _remember(numbers: OrderedDict[bytes, int], name: bytes, number: int) -> int:
    """Stores a number, and drops the oldest one if there are too many. Returns the number."""
    numbers[name] = number
    numbers.move_to_end(name)
    if len(numbers) > ESTIMATES:
        numbers.popitem(last=False)
    return number
