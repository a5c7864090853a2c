"""A window and a full list in one session have the same rows wherever both have a row, whatever changes meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import run

CONFIG = {
    "sources": {"mine": {"type": "client", "live": True, "positions": True, "around": True, "writes": ["change", "remove"]}},
    "screens": {"rows": {"viewModel": "list", "source": "mine", "pageSize": 7, "throttle": 0, "maxItems": 40}},
}


class Rows:
    """A source whose rows change, with a log of the changes. A page's key is the rank of the row before it, so changes
    don't invalidate it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rows: list[dict[str, Any]] = [{"id": number, "rank": float(number), "n": 0} for number in range(300)]
        self.log: list[list[nagare.Change]] = []
        self.told: list[asyncio.Event] = []
        self.answering = 0

    async def page(self, key: Any, query: Any, size: int, at: int | None, around: Any) -> nagare.Page:
        self.answering += 1
        try:
            for _ in range(self.random.randrange(4)):
                await asyncio.sleep(0)
            start = at or 0
            if around is not None:
                start = max(0, self.place(around) - size // 2)
            elif key is not None:
                start = sum(row["rank"] <= key for row in self.rows)
            items = [dict(row) for row in self.rows[start : start + size]]
            position, total, state = min(start, len(self.rows)), len(self.rows), str(len(self.log))
            next = items[-1]["rank"] if items and start + size < total else None
            # Delays the page, so that newer changes arrive before it.
            for _ in range(self.random.randrange(6)):
                await asyncio.sleep(0)
            return nagare.Page(items, next=next, total=total, position=position, state=state)
        finally:
            self.answering -= 1

    async def changes(self, since: str | None) -> AsyncGenerator[nagare.Step, None]:
        told = len(self.log)
        missed = [change for step in self.log[int(since or told) :] for change in step]
        yield nagare.Step(missed, str(told))
        event = asyncio.Event()
        self.told.append(event)
        while True:
            while told < len(self.log):
                told += 1
                yield nagare.Step(self.log[told - 1], str(told), len(self.rows) if told == len(self.log) else None)
            event.clear()
            await event.wait()

    def place(self, id: Any) -> int:
        for place, row in enumerate(self.rows):
            if row["id"] == id:
                return place
        raise nagare.ResponseError(-32015, f"there is no row {id}")

    async def change(self, item: dict[str, Any]) -> None:
        await self.allow()
        place = self.place(item["id"])
        self.rows[place] = {**item, "rank": self.rows[place]["rank"]}
        self.tell([nagare.changed(self.rows[place])])

    async def remove(self, id: Any) -> None:
        await self.allow()
        place = self.place(id)
        del self.rows[place]
        self.tell([nagare.removed(id, position=place)])

    async def allow(self) -> None:
        """Delays an edit, and refuses one of three."""
        self.answering += 1
        try:
            for _ in range(self.random.randrange(6)):
                await asyncio.sleep(0)
            if self.random.randrange(3) == 0:
                raise nagare.ResponseError(9, "locked")
        finally:
            self.answering -= 1

    def happen(self) -> None:
        """Inserts, removes or changes some rows."""
        step: list[nagare.Change] = []
        for _ in range(self.random.randrange(1, 4)):
            place = self.random.randrange(len(self.rows) + 1)
            kind = self.random.randrange(3)
            if kind == 0 or place == len(self.rows):
                before = self.rows[place - 1]["rank"] if place > 0 else self.rows[0]["rank"] - 2 if self.rows else 0.0
                after = self.rows[place]["rank"] if place < len(self.rows) else before + 2
                row = {"id": 1000 + len(self.log) * 3 + len(step), "rank": (before + after) / 2, "n": 0}
                anchor = {"before": self.rows[place]["id"]} if place < len(self.rows) else {"at_end": True}
                step.append(nagare.inserted(row, position=place, **anchor))
                self.rows.insert(place, row)
            elif kind == 1:
                step.append(nagare.removed(self.rows[place]["id"], position=place))
                del self.rows[place]
            else:
                self.rows[place] = {**self.rows[place], "n": len(self.log)}
                step.append(nagare.changed(self.rows[place]))
        self.tell(step)

    def tell(self, step: list[nagare.Change]) -> None:
        self.log.append(step)
        for event in self.told:
            event.set()


async def rest(app: nagare.App, rows: Rows, *views: Any) -> None:
    """Waits until everything has finished and its outputs have been received."""
    for _ in range(3):
        await app.advance(200)
        await app.ping()
        while rows.answering or any(view.loading for view in views):
            await app.ping()


@pytest.mark.parametrize("seed", range(6))
def test_a_window_and_a_full_list_agree_after_random_changes(nagare_binary: str, tmp_path: Path, seed: int) -> None:
    async def test() -> None:
        rows = Rows(seed)
        chance = random.Random(seed + 1)
        (tmp_path / "config.json").write_text(json.dumps(CONFIG))
        app = nagare.spawn(nagare_binary, "--clock", "virtual", "--config", tmp_path / "config.json")
        source = app.source("mine")(rows.page)
        source.changes(rows.changes)
        source.change(rows.change)
        source.remove(rows.remove)
        async with app:
            whole, window = await app.open("rows"), await app.open("rows", window={"margin": 5})
            for view in (whole, window):
                view.send("viewWillAppear")
            await rest(app, rows, whole, window)
            compared = 0
            for step in range(240):
                kind = chance.randrange(10)
                read = [row for row in window.items.held if row is not None]
                if kind < 3:
                    rows.happen()
                elif kind < 5:
                    near = chance.choice([window.items.start, chance.randrange(len(rows.rows) + 1), chance.randrange(len(whole.items) + 1)])
                    start = max(0, near + chance.randrange(-8, 9))
                    window.send("viewport", start=start, end=start + chance.randrange(1, 12))
                elif kind == 5 and len(window.items):
                    window.send("jump", index=chance.randrange(len(window.items)))
                elif kind == 6 and rows.rows:
                    window.send("jump", id=chance.choice(rows.rows)["id"])
                elif kind == 7 and read:
                    window.send("change", item={**chance.choice(read), "n": -step})
                elif kind == 8 and read:
                    window.send("remove", id=chance.choice(read)["id"])
                else:
                    whole.send("loadMore")
                await app.ping()
                if step % 8 == 7:
                    await rest(app, rows, whole, window)
                    held, start = list(window.items.held), window.items.start
                    assert len(window.items) == len(rows.rows) and window.items.exact, (seed, step)
                    assert held == rows.rows[start : window.items.end], (seed, step)
                    assert list(whole.items) == rows.rows[: len(whole.items)], (seed, step)
                    shared = [pair for pair in zip(window.items, whole.items) if pair[0] is not None]
                    assert all(one == other for one, other in shared), (seed, step)
                    compared += len(shared)
            assert compared > 50, "they have met"

    run(test())
