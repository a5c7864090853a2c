"""Every order of up to three events (or `NAGARE_EVENTS`), as a follower sees them. In the end the list equals the
result of a plain SELECT."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from databases import Under, UnderPostgreSQL, UnderSQLite
from nagare_source.changes import ALL, TooOld
from nagare_source.table import Table
from postgres import PostgreSQL

WHERE = "sender IN ('Ren', 'Yui') AND subject LIKE '%new%'"
FILTERS = {"sender": ["Ren", "Yui"]}

# The events of a writer. The follower has two more: it reads changes, or it loses its connection and continues at its
# state.
EVENTS = {
    "insert": "INSERT INTO mail (id, received, sender) SELECT max(id) + 1, max(received), 'Ren' FROM mail",
    "leave": "UPDATE mail SET sender = 'Aoi', read = read + 1 WHERE id = 2",
    "enter": "UPDATE mail SET sender = 'Yui', received = '2026-01-09' WHERE id IN (2, 3)",
    "remove": "DELETE FROM mail WHERE id = 2",
    "trim": "DELETE FROM nagare_mail WHERE seq < (SELECT max(seq) FROM nagare_mail)",
}
OTHERS = ["read", "disconnect"]
MOST_EVENTS = int(os.environ.get("NAGARE_EVENTS", "3"))


class Held:
    """The list that a follower has."""

    def __init__(self, table: Table) -> None:
        self._page, self._watch = table.functions["source/page"], table.functions["source/watch"]
        self._read_at: str | None = None
        self.rows: dict[Any, Any] = {}

    async def load(self) -> None:
        page: Any = self._page(None, "NEW", 100, FILTERS)
        read = await page
        self.rows = {row["id"]: row for row in read.items}
        self._read_at = read.state

    async def catch_up(self) -> None:
        """Applies all changes since the list's state, as after a lost connection."""
        steps: Any = self._watch(self._read_at, "NEW", FILTERS)
        try:
            changes, self._read_at = await anext(steps)
            self._apply(changes)
        except TooOld:
            await self.load()
        finally:
            await steps.aclose()

    async def read(self, follow: Callable[[str], Awaitable[Any]]) -> None:
        """Applies the changes that a connected follower receives."""
        try:
            steps, _ = await follow(self._read_at or "")
        except TooOld:
            return await self.load()
        for changes, self._read_at in steps:
            if changes == ALL:
                await self.load()
            else:
                self._apply(changes)

    def _apply(self, changes: Any) -> None:
        """Applies changes as a list with an order does."""
        for change in changes:
            if "remove" in change:
                self.rows.pop(change["remove"], None)
            else:
                row = change.get("insert") or change["change"]
                self.rows[row["id"]] = row

    def listed(self) -> list[tuple[Any, ...]]:
        rows = sorted(self.rows.values(), key=lambda row: (row["received"], row["id"]), reverse=True)
        return [tuple(row.values()) for row in rows]


def worlds(most: int) -> list[tuple[str, ...]]:
    return [events for count in range(1, most + 1) for events in product([*EVENTS, *OTHERS], repeat=count)]


async def live(under: Under, most: int) -> None:
    table = Table(under.database(), "mail", write=True, triggers=True)
    await table.layout()

    async def follow(state: str) -> Any:
        # Another transaction of the server, such as an autovacuum's, delays changes until it ends.
        while not (told := await table.follower.steps(state, "NEW", FILTERS))[1]:
            await asyncio.sleep(0.01)
        return told

    for events in worlds(most):
        under.run("BEGIN")
        under.run("DELETE FROM mail")
        for id in (1, 2, 3):
            under.run("INSERT INTO mail (id, received, sender) VALUES (?, ?, ?)", [id, f"2026-01-0{id}", ["Ren", "Yui", "Aoi"][id - 1]])
        under.run("COMMIT")
        held = Held(table)
        await held.load()
        for event in events:
            if event == "read":
                await held.read(follow)
            elif event == "disconnect":
                await held.catch_up()
            else:
                under.run(EVENTS[event])
        await held.read(follow)
        found = under.rows(f"SELECT * FROM mail WHERE {WHERE} ORDER BY received DESC, id DESC")
        assert held.listed() == found, events


def test_every_sqlite_case_is_correct(tmp_path: Path) -> None:
    asyncio.run(live(UnderSQLite(tmp_path / "mail.db"), MOST_EVENTS))


def test_every_postgres_case_is_correct(postgres: PostgreSQL) -> None:
    asyncio.run(live(UnderPostgreSQL(postgres), MOST_EVENTS))


@pytest.mark.parametrize("count", [1, 4])
def test_every_order_of_events_is_tested(count: int) -> None:
    assert len(worlds(count)) == sum(7**number for number in range(1, count + 1))
