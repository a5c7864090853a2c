"""Finds the changes of a table without triggers: reads again the rows that lists have, and compares them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from time import monotonic
from typing import Any, TypeAlias

from .changes import ALL, Change, Changes, Log, changed, counted, inserted, removed
from .database import ChangeSignal, Database, Execute, Row
from .errors import as_source_error
from .fitting import count_fitting
from .follow import CHANGES_LIMIT, CountSchedule
from .layout import Layout
from .lazy import asyncio
from .page import Page
from .wire import encode

Count: TypeAlias = "Callable[[], Awaitable[int | None]]"

Known: TypeAlias = "dict[bytes, tuple[Any, int]]"
"""The id and a hash of each known row, by the id's JSON."""

ROWS_LIMIT = 2000
"""The maximum number of rows to compare. If lists have more, they reload at the next change."""

RANGES_LIMIT = 20
"""The maximum number of ranges to compare."""

REST, SHORT_REST = 4, 0.1
"""The pause after a comparison is so many times as long as the comparison, but more than so many seconds only if the
comparison itself is longer. So quick comparisons take at most a fifth of the time, and slow ones half of it."""

RETRIES = 0.05, 2.0
"""Seconds before a failed comparison is repeated, at first and at most."""


class Range:
    """Neighbouring rows of a list, between two borders in the list's order. For the borders see `KeysetPage.between`.

    Rows that are inserted between the borders later belong to the range.
    """

    def __init__(self, begin: dict[str, Any] | None, end: dict[str, Any] | None, rows: Known) -> None:
        self.begin, self.end, self.rows = begin, end, rows


class Sight:
    """The rows that lists with one query and filters have received, and their changes.

    Comparing and reading a page exclude each other. Both happen in a transaction with one snapshot, so the state of a page
    is exact.
    """

    def __init__(self, query: str | None, filters: dict[str, Any]) -> None:
        self.query, self.filters = query, filters
        self.log = Log()
        self.lock = asyncio.Lock()
        self.has_failed = False
        """Whether the table couldn't be read. When it can be read again, the lists reload."""
        self._ranges: list[Range] = []
        self._is_incomplete = False
        """Whether lists have rows outside the ranges."""
        self._snapshot = self._fingerprint = ""
        self._edited: dict[bytes, Any] = {}
        """The ids of the rows that this program has edited, because lists wait for the reports of these edits."""
        self._are_edits_unknown = False
        self.is_total_old = False
        """Whether the number of rows may have changed since it was reported."""
        self._total: int | None = None

    def edit(self, ids: Iterable[Any] | None) -> None:
        """Notes the rows that this program has edited; None if they are unknown."""
        if ids is None:
            self._are_edits_unknown = True
        else:
            self._edited |= {encode(id): id for id in ids}

    def invalidate(self) -> None:
        """Makes the lists reload. They request all their rows again, so the known ones are forgotten."""
        self._ranges, self._edited = [], {}
        # A reload also brings the number of rows.
        self._is_incomplete = self._are_edits_unknown = self.is_total_old = False
        self.log.add(ALL)

    async def compare(self, execute: Execute, database: Database, layout: Layout, count: Count | None = None) -> None:
        """Reports the changes between the known rows and those that a transaction reads.

        - `count` returns the number of rows if it can be reported together with the changes.
        """
        snapshot = await database.snapshot(execute)
        if self._fingerprint != layout.fingerprint or self.has_failed:
            is_first = not (self._fingerprint or self.has_failed)
            self._fingerprint, self._snapshot, self.has_failed = layout.fingerprint, snapshot, False
            if not is_first:
                self.invalidate()
            return
        if self._snapshot == snapshot and not (self._edited or self._are_edits_unknown):
            return
        edited = dict(self._edited)
        changes = ALL if self._is_incomplete or self._are_edits_unknown else await self._changes(execute, layout, edited)
        total = await count() if count is not None and changes != ALL else None
        # No other task runs from here on, so everything changes together.
        self._snapshot = snapshot
        self._edited = {key: id for key, id in self._edited.items() if key not in edited}
        if changes == ALL:
            return self.invalidate()
        self.is_total_old = total is None
        if total is not None and total != self._total:
            self._total = total
            changes.append(counted(total))
        if changes:
            self.log.add(changes)

    async def _changes(self, execute: Execute, layout: Layout, edited: dict[bytes, Any]) -> Changes:
        """Returns the changes of the known rows, and updates these."""
        found: list[tuple[Range, Known]] = []
        items: dict[bytes, Any] = {}
        raw: list[Row] = []
        missing = dict(edited)
        for one in self._ranges:
            where, values = layout.between(one.begin, one.end, self.query, self.filters)
            limit = len(one.rows) + CHANGES_LIMIT + 1
            rows = await layout.rows(execute, layout.list_columns, f"FROM {layout.table} WHERE {where} LIMIT {limit}", values, self.filters)
            if rows.is_cut or len(rows) == limit:
                return ALL
            known = known_rows(layout, rows)
            for (key, (_, hash)), row in zip(known.items(), rows):
                if key in edited or (one.rows.get(key) or ("", None))[1] != hash:
                    items[key] = row
            missing |= {key: id for key, (id, _) in one.rows.items() if key not in known}
            found.append((one, known))
        missing = {key: id for key, id in missing.items() if key not in items}
        if not items and not missing:
            return []
        is_head = len(self._ranges) <= 1 and all(one.begin is None for one in self._ranges)
        if not (is_head or items.keys() | missing.keys() <= edited.keys()) or len(items) + len(missing) > CHANGES_LIMIT:
            return ALL
        if missing:
            # Rows that have moved out of the range, and edited ones outside of it.
            (among, given), (where, values) = layout.with_ids(list(missing.values())), layout.matching(self.query, self.filters)
            part = f"FROM {layout.table} WHERE {among} AND {where}"
            rows = await layout.rows(execute, layout.list_columns, part, [*given, *values], self.filters)
            if rows.is_cut:
                return ALL
            items |= {encode(layout.id_of(row)): row for row in rows}
        raw = list(items.values())
        if raw and (count_fitting(raw) < len(raw) or await layout.misplaces(execute, raw, self.filters)):
            return ALL
        old = {key for one in self._ranges for key in one.rows}
        changes: list[Change] = [removed(id) for key, id in missing.items() if key not in items]
        changes += [(changed if key in old else inserted)(layout.item_of(row)) for key, row in items.items()]
        for one, known in found:
            one.rows = known
        return changes

    def remember(self, key: Any, page: Page, rows: Known) -> None:
        """Adds the rows of a page, which was read after `compare` in the same transaction. `key` is the key that the page was requested by."""
        if page.total is not None:
            self._total = page.total if page.exact else None
            self.is_total_old = not page.exact
        side = next(iter(key)) if key is not None else ""
        begin = key if side == "after" else {"from": page.previous["before"]} if page.previous else None
        end = key if side == "before" else {"until": page.next["after"]} if page.next else None
        if key is not None and not page.items:
            # Nothing is beyond the border.
            begin, end = (key, None) if side == "after" else (None, key)
        elif not page.items and page.position:
            self._is_incomplete = True
            return
        if not self._extend(Range(begin, end, rows), page.position):
            self._ranges.append(Range(begin, end, rows))
        self._is_incomplete |= len(self._ranges) > RANGES_LIMIT or sum(len(one.rows) for one in self._ranges) > ROWS_LIMIT

    def _extend(self, added: Range, position: int | None) -> bool:
        """Adds rows to the range that they are in or that they adjoin. Returns whether there is one."""
        for one in self._ranges:
            is_from_start = one.begin is None and position is not None and position <= len(one.rows)
            if is_from_start or one.begin == added.begin:
                is_longer = (position or 0 if is_from_start else 0) + len(added.rows) >= len(one.rows)
                one.rows |= added.rows
                one.end = added.end if is_longer else one.end
                return True
            if added.begin is not None and one.end is not None and added.begin.get("after") == one.end.get("until", ()):
                one.rows, one.end = one.rows | added.rows, added.end
                return True
            if added.end is not None and one.begin is not None and added.end.get("before") == one.begin.get("from", ()):
                one.rows, one.begin = added.rows | one.rows, added.begin
                return True
        return False

    def count(self, total: int | None) -> None:
        """Reports the number of matching rows if it has changed; None if it is unknown."""
        self.is_total_old = False
        if total is not None and total != self._total:
            self._total = total
            self.log.add([counted(total)])


class Looker:
    """Looks for the changes of a table, for any number of watches.

    - `layout` returns the table's current layout.
    """

    def __init__(self, database: Database, table: str, layout: Callable[[], Awaitable[Layout]]) -> None:
        self._database, self._table, self._layout = database, table, layout
        self._signal = ChangeSignal()
        self._sights: dict[bytes, list[Sight]] = {}
        """What lists have, by query and filters, once for each watch."""

    def sight(self, query: str | None, filters: dict[str, Any]) -> Sight | None:
        """Returns what lists with a query and filters have, if they are watched."""
        return next(iter(self._sights.get(_key(query, filters), [])), None)

    def edit(self, ids: Iterable[Any] | None) -> None:
        """Notes the rows that this program has edited; None if they are unknown."""
        for sight, *_ in self._sights.values():
            sight.edit(ids)
        self._signal.notify()

    def wake(self) -> None:
        """Lets the number of rows be counted, if it is an estimate."""
        if any(sight.is_total_old for sight, *_ in self._sights.values()):
            self._signal.notify()

    @contextmanager
    def watching(self, query: str | None, filters: dict[str, Any]) -> Iterator[Sight]:
        """Keeps what lists with a query and filters have."""
        key = _key(query, filters)
        sights = self._sights.setdefault(key, [])
        sights.append(sights[0] if sights else Sight(query, filters))
        try:
            yield sights[0]
        finally:
            sights.pop()
            if not sights:
                del self._sights[key]

    async def follow(self, sight: Sight, since: str | None) -> AsyncGenerator[tuple[Changes, str], None]:
        """Yields the changes since a state, and then all further changes. If `since` is None, it yields only further changes."""
        commits = asyncio.create_task(self._database.watch_commits(self._table, self._signal.notify))
        looking = asyncio.create_task(self._look(sight))
        try:
            async with aclosing(sight.log.follow(since)) as steps:
                async for step in steps:
                    yield step
        finally:
            commits.cancel()
            looking.cancel()

    async def _look(self, sight: Sight) -> None:
        """Compares after each commit."""
        schedule, retry, is_retry, awaited = CountSchedule(is_due=False), RETRIES[0], False, self._signal.next
        while True:
            if not is_retry:
                await self._signal.wait(awaited, schedule.pause)
            awaited, begun = self._signal.next, monotonic()
            try:
                await self._compare(sight, schedule)
                is_retry, retry = False, RETRIES[0]
            except Exception as error:
                is_retry = as_source_error(error).retryable
                if is_retry:
                    await asyncio.sleep(retry)
                    retry = min(2 * retry, RETRIES[1])
                elif not sight.has_failed:
                    # The lists reload and show the error.
                    sight.has_failed = True
                    sight.invalidate()
            took = monotonic() - begun
            await asyncio.sleep(max(took, min(REST * took, SHORT_REST)))

    async def _compare(self, sight: Sight, schedule: CountSchedule) -> None:
        layout = await self._layout()

        async def count() -> int | None:
            with schedule:
                total, is_exact = await self._database.count(execute, layout.table, *layout.matching(sight.query, sight.filters))
            return total if is_exact else None

        async def count_if_quick() -> int | None:
            schedule.is_due = True
            return await count() if schedule.pause == 0 and schedule.is_quick else None

        async with sight.lock, self._database.read_transaction() as execute:
            await sight.compare(execute, self._database, layout, count_if_quick)
            schedule.is_due = sight.is_total_old
            if schedule.pause == 0:
                sight.count(await count())


def known_rows(layout: Layout, rows: Sequence[Row]) -> Known:
    """Returns what is kept of rows to notice their changes."""
    return {encode(id := layout.id_of(row)): (id, hash(encode(row))) for row in rows}


def _key(query: str | None, filters: dict[str, Any]) -> bytes:
    return encode([query or None, sorted(filters.items())])
