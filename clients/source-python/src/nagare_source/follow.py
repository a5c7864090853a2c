"""Follows the log of a table, and converts its entries to changes of a list."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from math import inf
from time import monotonic
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

from .changes import ALL, Change, Changes, TooOld, changed, counted, inserted, removed
from .database import REFUSED, ChangeSignal, Database, Execute, Row, Rows
from .errors import SourceError
from .fitting import count_fitting
from .layout import Layout
from .lazy import asyncio

Step: TypeAlias = "tuple[Changes, str]"

CHANGES_LIMIT = 900
"""The maximum number of changes that are sent individually. After more changes, the list reloads."""


REPORT_BLOCKED_AFTER = 10.0
"""Seconds after which a transaction that delays changes is reported."""

QUICK = 0.02
"""The seconds that a count may take to be sent together with the changes. A slower count is sent later."""


class TriggersMissing(SourceError):
    """The triggers or the log of a table are missing."""

    is_table_replaced = False
    """Whether the table was replaced by another one of the same name."""


class Follower:
    """Follows the changes of a table, for any number of watches."""

    def __init__(self, database: Database, table: str, layout: Callable[[], Awaitable[Layout]]) -> None:
        self._database, self._table, self._layout = database, table, layout
        self._signal = ChangeSignal()
        self._followers = 0

    async def follow(
        self, since: str | None, query: str | None, filters: dict[str, Any]
    ) -> AsyncGenerator[tuple[Changes, str], None]:
        """Yields the changes since a state, and then all further changes. If `since` is None, it yields only further changes."""
        async with self._listening():
            awaited = self._signal.next
            is_failure_reported = False
            try:
                steps, is_all_final = await self.steps(since, query, filters)
            except SourceError as error:
                if error.retryable or isinstance(error, TooOld):
                    raise
                # The list reloads and shows the error. Refusing the watch would leave a list that only seems to be
                # live.
                steps, is_all_final, is_failure_reported = [], True, True
            if any(changes == ALL for changes, _ in steps):
                raise TooOld()
            state = steps[-1][1] if steps else since or ""
            yield [change for changes, _ in steps for change in changes], state  # type: ignore[misc]
            if is_failure_reported:
                yield ALL, state
            schedule = CountSchedule(is_due=bool(steps) and since is not None)
            blocked_since: float | None = None
            while True:
                # The transaction has run for long already, so check less often.
                pauses = (self._database.poll_intervals[is_all_final or blocked_since == inf], schedule.pause)
                await self._signal.wait(awaited, min((pause for pause in pauses if pause is not None), default=None))
                awaited = self._signal.next
                try:
                    steps, is_all_final = await self.steps(state, query, filters)
                    if is_failure_reported:
                        # The table is available again, so the list reloads.
                        steps, is_failure_reported = [*steps, (ALL, steps[-1][1] if steps else state)], False
                except TooOld:
                    # The table's columns may have changed.
                    ((_, now),), is_all_final = await self.steps(None, query, filters)
                    steps, is_failure_reported = [(ALL, now)], False
                except SourceError as error:
                    if error.retryable:
                        raise
                    # The list reloads and shows the error.
                    steps, is_all_final, is_failure_reported = [] if is_failure_reported else [(ALL, state)], True, True
                blocked_since = None if is_all_final else monotonic() if blocked_since is None else blocked_since
                if blocked_since is not None and monotonic() - blocked_since > REPORT_BLOCKED_AFTER:
                    blocked_since = inf
                    by = await self._database.blocker()
                    print(f"changes of {self._table} are told once nothing can come before them any more: this waits for {by}", file=sys.stderr)
                changes_of_steps = [changes for changes, _ in steps]
                # A reload contains the total, so no count is needed.
                schedule.is_due = ALL not in changes_of_steps and (schedule.is_due or any(changes_of_steps))
                if schedule.pause == 0 and schedule.is_quick:
                    # Sends the total in the same message as the changes, because a later message may be delayed.
                    *earlier, (changes, last) = steps or [([], state)]
                    steps = [*earlier, ([*changes, *await self._total(query, filters, schedule)], last)]
                for changes, state in steps:
                    yield changes, state
                if schedule.pause == 0:
                    yield await self._total(query, filters, schedule), state

    async def _total(self, query: str | None, filters: dict[str, Any], schedule: CountSchedule) -> Changes:
        """Returns the number of matching rows if it is exact. The number may include changes that are sent next."""
        layout = await self._layout()
        with schedule:
            async with self._database.autocommit() as execute:
                total, is_counted = await self._database.count(execute, layout.table, *layout.matching(query, filters))
        return [counted(total)] if is_counted else []

    async def steps(self, since: str | None, query: str | None, filters: dict[str, Any]) -> tuple[list[Step], bool]:
        """Returns the changes since a state, and whether all logged changes are final."""
        layout = await self._layout()
        # No transaction: a row newer than its log entry is sent twice, which is harmless.
        async with self._database.autocommit() as execute:
            now = await current_state(self._database, self._table, execute, layout, since)
            if since is None:
                return [([], now.state)], now.is_all_final
            if not now.is_known:
                raise TooOld(f"what has happened to {self._table} since {since} isn't noted any more")
            if len(now.entries) > CHANGES_LIMIT or any(entry["op"] == "A" for entry in now.entries):
                return [(ALL, now.state)], now.is_all_final
            rows = await self._rows(execute, layout, now.entries, query, filters)
            if rows is None or (rows and await layout.misplaces(execute, rows, filters)):
                return [(ALL, now.state)], now.is_all_final
            items = {_comparable_id(row[layout.id]): row for row in map(layout.item_of, rows)}
            entries: Sequence[Row] | None = now.entries
            if await self._database.hides_rows(execute, self._table):
                entries = await self._without_hidden(execute, layout, now.entries, items)
            return [(ALL, now.state)] if entries is None else _steps_of(entries, items), now.is_all_final

    async def _rows(
        self, execute: Execute, layout: Layout, entries: Sequence[Row], query: str | None, filters: dict[str, Any]
    ) -> Rows | None:
        """Returns the changed rows that match, or None if they don't fit into a message."""
        ids = list({entry["id"]: None for entry in entries if entry["id"] is not None})
        if not ids:
            return Rows()
        (among, given), (where, values) = layout.with_ids(ids), layout.matching(query, filters)
        rows = await layout.rows(execute, layout.list_columns, f"FROM {layout.table} WHERE {among} AND {where}", [*given, *values], filters)
        return None if rows.is_cut or count_fitting(rows) < len(rows) else rows

    async def _without_hidden(
        self, execute: Execute, layout: Layout, entries: Sequence[Row], items: dict[Any, Row]
    ) -> Sequence[Row] | None:
        """Returns the entries without the ids of rows that this program must not see.

        Returns None if one of these rows may have been visible before. Then only a reload removes that row without
        revealing the ids of others.
        """
        ids = list({entry["id"]: None for entry in entries if entry["id"] is not None and _comparable_id(entry["id"]) not in items})
        if not ids:
            return entries
        among, given = layout.with_ids(ids)
        rows = await layout.rows(execute, layout.list_columns, f"FROM {layout.table} WHERE {among}", given)
        visible = {_comparable_id(layout.item_of(row)[layout.id]) for row in rows}
        hidden = {_comparable_id(id) for id in ids} - visible
        if rows.is_cut or any(entry["op"] != "I" and _comparable_id(entry["id"]) in hidden for entry in entries):
            return None
        return [{**entry, "id": None} if _comparable_id(entry["id"]) in hidden else entry for entry in entries]

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        """Listens for notifications while there are watches."""
        self._followers += 1
        if self._followers == 1:
            self._listener = asyncio.create_task(self._database.listen(self._table, self._signal.notify))
        try:
            yield
        finally:
            self._followers -= 1
            if self._followers == 0:
                self._listener.cancel()


class CountSchedule:
    """Decides when to count rows after a change: at once, but for at most a tenth of the time."""

    def __init__(self, *, is_due: bool) -> None:
        self.is_due = is_due
        self.is_quick = True
        self._begin = self._earliest = 0.0

    @property
    def pause(self) -> float | None:
        """The seconds until the next count; None if no count is due."""
        return max(self._earliest - monotonic(), 0) if self.is_due else None

    def __enter__(self) -> None:
        self._begin = monotonic()

    def __exit__(self, *_: object) -> None:
        now = monotonic()
        took = now - self._begin
        self.is_due, self.is_quick, self._earliest = False, took < QUICK, now + 9 * took


class CurrentState(NamedTuple):
    """A table's current state, and its log entries since another state."""

    state: str
    """The state of rows that are read in the same transaction, or later."""
    is_all_final: bool
    """Whether all logged changes are final."""
    is_known: bool
    """Whether the changes since the requested state are known."""
    entries: Sequence[Row]
    """The log entries since the requested state."""


async def current_state(database: Database, table: str, execute: Execute, layout: Layout, since: str | None = None) -> CurrentState:
    """Reads the current state. Checks the triggers each time, because somebody may have dropped them.

    A state of a table with another fingerprint counts as unknown.
    """
    log, position_column, final = database.quoted(database.log_table(table)), database.position_column, database.final_condition
    id_columns = database.log_columns(layout.key)
    generation = f"{database.generation}{crc32(layout.fingerprint.encode()):x}-"
    number = since.removeprefix(generation) if since and since.startswith(generation) else ""
    after = int(number) if number.isdecimal() else -1
    try:
        found = await execute(
            f"SELECT * FROM (SELECT (SELECT max({position_column}) FROM {log} WHERE {final}) AS state,"
            f" EXISTS (SELECT 1 FROM {log} WHERE {position_column} = {after}) AS known,"
            f" (SELECT max({position_column}) FROM {log}) AS newest, ({database.trigger_count_sql(table)}) AS triggers,"
            f" {database.log_fits_sql(table, layout.identifying)} AS fits) AS now"
            f" LEFT JOIN (SELECT {position_column} AS at, op, {', '.join(id_columns)} FROM {log} WHERE {position_column} > {after} AND {final}"
            f" ORDER BY 1 LIMIT {0 if since is None else CHANGES_LIMIT + 1}) AS notes ON 1 = 1 ORDER BY at"
        )
    except SourceError as error:
        if error.retryable:
            raise
        found = Rows([{"newest": None}])
    now, triggers = found[0], database.triggers(table)
    if now["newest"] is None or now["triggers"] < len(triggers) or not now["fits"]:
        missing = TriggersMissing(
            REFUSED,
            f"{table} isn't live any more: one of {', '.join(triggers)} is missing or notes another key than {', '.join(layout.key)},"
            f" or what was noted in {database.log_table(table)} is missing."
            f" Start this program again, which makes it again: nagare-source-sql {database.name} --table {table} --triggers",
        )
        missing.is_table_replaced = now["newest"] is not None and now["triggers"] == 0
        raise missing
    entries = [
        {"at": f"{generation}{one['at']}", "op": one["op"], "id": layout.numbered(database.logged_id([one[name] for name in id_columns]))}
        for one in found
        if one["at"] is not None
    ]
    return CurrentState(f"{generation}{now['state'] or 0}", now["newest"] == now["state"], bool(now["known"]), entries)


def _steps_of(entries: Sequence[Row], rows: dict[Any, Row]) -> list[Step]:
    """Groups the changes by state, because a page may have been read at any of these states. A row is sent only with its last change."""
    last = {_comparable_id(entry["id"]): entry["at"] for entry in entries}
    new = {_comparable_id(entry["id"]) for entry in entries if entry["op"] == "I"}
    steps: dict[str, list[Change]] = {}
    for entry in entries:
        id, step = _comparable_id(entry["id"]), steps.setdefault(entry["at"], [])
        if id is not None and last.get(id) == entry["at"]:
            del last[id]
            step.append(removed(entry["id"]) if id not in rows else inserted(rows[id]) if id in new else changed(rows[id]))
    return [(changes, state) for state, changes in steps.items()]


def _comparable_id(id: Any) -> Any:
    """Converts an id so that two ids are equal exactly if they are equal in JSON: 1e300 isn't the integer with 300 zeros."""
    return Decimal(repr(id)) if isinstance(id, float) else id
