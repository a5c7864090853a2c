"""How a table changes: what was noted, as what it means for what is looked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from .changes import ALL, Change, Changes, TooOld, changed, inserted, removed
from .database import REFUSED, Ask, Bell, Database, Row, quoted
from .errors import SourceError
from .layout import Layout

Step: TypeAlias = "tuple[Changes, str]"

AT_ONCE = 900
"""How many changes are told one by one; if more have come meanwhile, the list is read again."""


class Deaf(SourceError):
    """What notes changes isn't there any more."""


class Follower:
    """Those who follow a table."""

    def __init__(self, database: Database, table: str) -> None:
        self._database, self._table = database, table
        self._bell = Bell()
        self._followers = 0

    async def follow(
        self, layout: Layout, since: str | None, query: str | None, filters: dict[str, Any]
    ) -> AsyncGenerator[Step, None]:
        """What has happened since a state, None for now, and then all that happens."""
        async with self._heard():
            rung = self._bell.next
            try:
                steps, is_all_final = await self.steps(layout, since, query, filters)
            except Deaf as error:
                raise SourceError(error.code, error.message, retryable=True) from error
            state = steps[-1][1] if steps else since or ""
            yield _together(steps), state
            is_deaf = False
            while True:
                await self._bell.wait(rung, self._database.patience[is_all_final])
                rung = self._bell.next
                try:
                    steps, is_all_final = await self.steps(layout, state, query, filters)
                    is_deaf = False
                except Deaf:
                    # Whoever reads the list again is told why.
                    steps, is_all_final, is_deaf = [] if is_deaf else [(ALL, state)], True, True
                for changes, state in steps:
                    yield changes, state

    async def steps(
        self, layout: Layout, since: str | None, query: str | None, filters: dict[str, Any]
    ) -> tuple[list[Step], bool]:
        """What has happened since a state, and whether no more was noted."""
        log, mark, final = self._database.quoted(self._database.log(self._table)), self._database.placeholder, self._database.is_final
        async with self._database.reading() as ask:
            now = await state(self._database, self._table, ask)
            if since is None:
                return [([], now)], True
            position = self._database.position
            known = since.isdecimal() and await ask(f"SELECT 1 AS known FROM {log} WHERE {position} = {mark} LIMIT 1", [int(since)])
            if not known:
                raise TooOld(f"what has happened to {self._table} since {since} isn't noted any more")
            (more,) = await ask(f"SELECT EXISTS (SELECT 1 FROM {log} WHERE NOT ({final})) AS more")
            notes = await ask(
                f"SELECT {position} AS state, op, id FROM {log} WHERE {position} > {mark} AND {final} ORDER BY 1 LIMIT {AT_ONCE + 1}",
                [int(since)],
            )
            if len(notes) > AT_ONCE or any(note["op"] == "A" for note in notes):
                return [(ALL, now)], not more["more"]
            rows = await self._rows(ask, layout, notes, query, filters)
        return _told(notes, rows), not more["more"]

    async def _rows(
        self, ask: Ask, layout: Layout, notes: Sequence[Row], query: str | None, filters: dict[str, Any]
    ) -> dict[Any, Row]:
        """Those of the changed rows that are looked for, by their ids."""
        ids = list({note["id"]: None for note in notes})
        if not ids:
            return {}
        _, where, values = layout.page(None, query, 1, filters)
        among = f"{quoted(layout.id)} IN ({', '.join([self._database.placeholder] * len(ids))})"
        sql = f"SELECT {layout.listed} FROM {layout.table} WHERE {among} AND {where}"
        return {row[layout.id]: row for row in await ask(sql, [*ids, *values])}

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


async def state(database: Database, table: str, ask: Ask) -> str:
    """The state of what is read in a transaction."""
    missing = await database.missing(ask, table)
    log = database.quoted(database.log(table))
    found = [] if missing else await ask(f"SELECT max({database.position}) AS state FROM {log} WHERE {database.is_final}")
    if found and found[0]["state"] is not None:
        return str(found[0]["state"])
    lost = f"{', '.join(missing)} is missing" if missing else f"{log} was emptied"
    raise Deaf(
        REFUSED,
        f"{table} isn't live any more: {lost}. Start this program again, which makes it anew, or run"
        f" nagare-source-sql {database.name} --table {table} --install",
    )


def _told(notes: Sequence[Row], rows: dict[Any, Row]) -> list[Step]:
    """A step for each state, as a page may have been read at any of them. What a row is like is told at its last one."""
    last = {note["id"]: note["state"] for note in notes}
    new = {note["id"] for note in notes if note["op"] == "I"}
    steps: dict[Any, list[Change]] = {}
    for note in notes:
        id, step = note["id"], steps.setdefault(note["state"], [])
        if last.get(id) == note["state"]:
            del last[id]
            step.append(removed(id) if id not in rows else inserted(rows[id]) if id in new else changed(rows[id]))
    return [(changes, str(state)) for state, changes in steps.items()]


def _together(steps: Sequence[Step]) -> Changes:
    """All that has happened, as the answer to who has missed it."""
    together: list[Change] = []
    for changes, _ in steps:
        if changes == ALL:
            raise TooOld()
        together += changes
    return together
