"""How a table changes: what was noted, as what it means for what is looked for."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from math import inf
from time import monotonic
from typing import Any, TypeAlias
from zlib import crc32

from .changes import ALL, Change, Changes, TooOld, changed, counted, inserted, removed
from .database import REFUSED, Ask, Bell, Database, Row, Rows
from .errors import SourceError
from .fitting import fitting
from .layout import Layout

Step: TypeAlias = "tuple[Changes, str]"

AT_ONCE = 900
"""How many changes are told one by one; if more have come meanwhile, the list is read again."""


HELD = 10.0
"""Seconds after which it is told what keeps changes from being told."""

QUICK = 0.02
"""Seconds that changes may wait for the rows to be counted."""


class Deaf(SourceError):
    """What notes changes isn't there any more."""

    is_made_anew = False
    """Whether that is so because the table is another one of the same name."""


class Follower:
    """Those who follow a table."""

    def __init__(self, database: Database, table: str, layout: Callable[[], Awaitable[Layout]]) -> None:
        self._database, self._table, self._layout = database, table, layout
        self._bell = Bell()
        self._followers = 0

    async def follow(
        self, since: str | None, query: str | None, filters: dict[str, Any]
    ) -> AsyncGenerator[tuple[Changes, str], None]:
        """What has happened since a state, None for now, and then all that happens."""
        async with self._heard():
            rung = self._bell.next
            is_told = False
            try:
                steps, is_all_final = await self.steps(since, query, filters)
            except SourceError as error:
                if error.retryable or isinstance(error, TooOld):
                    raise
                # Whoever reads the list again is told why, and a list that isn't followed would only seem to live.
                steps, is_all_final, is_told = [], True, True
            if any(changes == ALL for changes, _ in steps):
                raise TooOld()
            state = steps[-1][1] if steps else since or ""
            yield [change for changes, _ in steps for change in changes], state  # type: ignore[misc]
            if is_told:
                yield ALL, state
            counting = Counting(is_due=bool(steps) and since is not None)
            held: float | None = None
            while True:
                # What takes so long is looked for less often.
                pauses = (self._database.patience[is_all_final or held == inf], counting.pause)
                await self._bell.wait(rung, min((pause for pause in pauses if pause is not None), default=None))
                rung = self._bell.next
                try:
                    steps, is_all_final = await self.steps(state, query, filters)
                    if is_told:
                        # It is there again.
                        steps, is_told = [*steps, (ALL, steps[-1][1] if steps else state)], False
                except TooOld:
                    # The table may have other columns than what is listed.
                    ((_, now),), is_all_final = await self.steps(None, query, filters)
                    steps, is_told = [(ALL, now)], False
                except SourceError as error:
                    if error.retryable:
                        raise
                    # Whoever reads the list again is told why.
                    steps, is_all_final, is_told = [] if is_told else [(ALL, state)], True, True
                held = None if is_all_final else monotonic() if held is None else held
                if held is not None and monotonic() - held > HELD:
                    held = inf
                    by = await self._database.held_by()
                    print(f"changes of {self._table} are told once nothing can come before them any more: this waits for {by}", file=sys.stderr)
                told = [changes for changes, _ in steps]
                # Whoever reads the list again is told the total as well.
                counting.is_due = ALL not in told and (counting.is_due or any(told))
                if counting.pause == 0 and counting.is_quick:
                    # Said at once with what has changed, for what is said later may have to wait, and others behind it.
                    *earlier, (changes, last) = steps or [([], state)]
                    steps = [*earlier, ([*changes, *await self._total(query, filters, counting)], last)]
                for changes, state in steps:
                    yield changes, state
                if counting.pause == 0:
                    yield await self._total(query, filters, counting), state

    async def _total(self, query: str | None, filters: dict[str, Any], counting: Counting) -> Changes:
        """How many rows are looked for, if that can be told. It may be so only after what is told next."""
        layout = await self._layout()
        with counting:
            async with self._database.asking() as ask:
                total, is_counted = await self._database.count(ask, layout.table, *layout.looked_for(query, filters))
        return [counted(total)] if is_counted else []

    async def steps(self, since: str | None, query: str | None, filters: dict[str, Any]) -> tuple[list[Step], bool]:
        """What has happened since a state, and whether no more was noted."""
        layout = await self._layout()
        # No transaction: rows that are newer than what was noted of them are told once more.
        async with self._database.asking() as ask:
            now = await standing(self._database, self._table, ask, layout.key, since, layout.shape)
            if since is None:
                return [([], now.state)], now.is_all_final
            if not now.is_known:
                raise TooOld(f"what has happened to {self._table} since {since} isn't noted any more")
            if len(now.notes) > AT_ONCE or any(note["op"] == "A" for note in now.notes):
                return [(ALL, now.state)], now.is_all_final
            rows = await self._rows(ask, layout, now.notes, query, filters)
            if rows is None or (rows and await layout.misplaces(ask, rows, filters)):
                return [(ALL, now.state)], now.is_all_final
            return _told(now.notes, {_same(row[layout.id]): row for row in map(layout.read, rows)}), now.is_all_final

    async def _rows(
        self, ask: Ask, layout: Layout, notes: Sequence[Row], query: str | None, filters: dict[str, Any]
    ) -> Rows | None:
        """Those of the changed rows that are looked for; None if they are more than a message holds."""
        ids = list({note["id"]: None for note in notes if note["id"] is not None})
        if not ids:
            return Rows()
        (among, given), (where, values) = layout.among(ids), layout.looked_for(query, filters)
        rows = await layout.rows(ask, layout.listed, f"FROM {layout.table} WHERE {among} AND {where}", [*given, *values], filters)
        return None if rows.is_cut or fitting(rows) < len(rows) else rows

    @asynccontextmanager
    async def _heard(self) -> AsyncIterator[None]:
        """The bell rings as long as somebody follows."""
        self._followers += 1
        if self._followers == 1:
            self._listening = asyncio.create_task(self._database.listen(self._table, self._bell.ring))
        try:
            yield
        finally:
            self._followers -= 1
            if self._followers == 0:
                self._listening.cancel()


class Counting:
    """When rows that have changed are counted: at once, but for a tenth of the time at most."""

    def __init__(self, *, is_due: bool) -> None:
        self.is_due = is_due
        self.is_quick = True
        self._begin = self._earliest = 0.0

    @property
    def pause(self) -> float | None:
        """The seconds until then, None where there is nothing to count."""
        return max(self._earliest - monotonic(), 0) if self.is_due else None

    def __enter__(self) -> None:
        self._begin = monotonic()

    def __exit__(self, *_: object) -> None:
        now = monotonic()
        took = now - self._begin
        self.is_due, self.is_quick, self._earliest = False, took < QUICK, now + 9 * took


@dataclass(frozen=True)
class Standing:
    """What was noted by now."""

    state: str
    """The state of what is read in the same transaction, or later."""
    is_all_final: bool
    """Whether no more was noted that can't be told yet."""
    is_known: bool
    """Whether it can be told what has happened since the state that was asked for."""
    notes: Sequence[Row]
    """What was noted since then."""


async def standing(
    database: Database, table: str, ask: Ask, key: Sequence[str], since: str | None = None, shape: str = ""
) -> Standing:
    """What was noted by now. What notes it is looked for each time: it may be dropped at any. A state of a table of another shape is unknown."""
    log, position, final = database.quoted(database.log(table)), database.position, database.is_final
    noted = database.noted(key)
    life = f"{database.life}{crc32(shape.encode()):x}-"
    number = since.removeprefix(life) if since and since.startswith(life) else ""
    after = int(number) if number.isdecimal() else -1
    try:
        found = await ask(
            f"SELECT * FROM (SELECT (SELECT max({position}) FROM {log} WHERE {final}) AS state,"
            f" EXISTS (SELECT 1 FROM {log} WHERE {position} = {after}) AS known,"
            f" (SELECT max({position}) FROM {log}) AS newest, ({database.counted(table)}) AS triggers) AS now"
            f" LEFT JOIN (SELECT {position} AS at, op, {', '.join(noted)} FROM {log} WHERE {position} > {after} AND {final}"
            f" ORDER BY 1 LIMIT {0 if since is None else AT_ONCE + 1}) AS notes ON 1 = 1 ORDER BY at"
        )
    except SourceError as error:
        if error.retryable:
            raise
        found = Rows([{"newest": None}])
    now, triggers = found[0], database.triggers(table)
    if now["newest"] is None or now["triggers"] < len(triggers):
        deaf = Deaf(
            REFUSED,
            f"{table} isn't live any more: one of {', '.join(triggers)} is missing, or what was noted in {database.log(table)}."
            " Start this program again, which makes it anew, or run"
            f" nagare-source-sql {database.name} --table {table} --install",
        )
        deaf.is_made_anew = now["newest"] is not None and now["triggers"] == 0
        raise deaf
    notes = [
        {"at": f"{life}{one['at']}", "op": one["op"], "id": database.noted_id([one[name] for name in noted])}
        for one in found
        if one["at"] is not None
    ]
    return Standing(f"{life}{now['state'] or 0}", now["newest"] == now["state"], bool(now["known"]), notes)


def _told(notes: Sequence[Row], rows: dict[Any, Row]) -> list[Step]:
    """A step for each state, as a page may have been read at any of them. What a row is like is told at its last one."""
    last = {_same(note["id"]): note["at"] for note in notes}
    new = {_same(note["id"]) for note in notes if note["op"] == "I"}
    steps: dict[str, list[Change]] = {}
    for note in notes:
        id, step = _same(note["id"]), steps.setdefault(note["at"], [])
        if id is not None and last.get(id) == note["at"]:
            del last[id]
            step.append(removed(note["id"]) if id not in rows else inserted(rows[id]) if id in new else changed(rows[id]))
    return [(changes, state) for state, changes in steps.items()]


def _same(id: Any) -> Any:
    """Converts an id so that equal ids on the wire are equal here, where 1e300 isn't the integer of 300 zeros."""
    return Decimal(repr(id)) if isinstance(id, float) else id
