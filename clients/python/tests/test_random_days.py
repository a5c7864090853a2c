"""After random actions, the client's current values equal the server's answer to `outputs`."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import run

CONFIG: dict[str, Any] = {
    "sources": {
        "mine": {"type": "client", "writes": ["insert", "remove"]},
        "some": {"type": "demo"},
        "none": {"type": "file", "path": "none.jsonl"},
        "lines": {"type": "file", "path": "lines.jsonl"},
    },
    "stores": {"shop": {"query": "ramen"}},
    "screens": {
        "rows": {"viewModel": "list", "source": "mine", "pageSize": 3, "throttle": 0, "detail": "row"},
        "kept": {"viewModel": "list", "source": "mine", "onRefresh": "keep", "query": {"store": "shop.query"}, "detail": "row"},
        "sure": {"viewModel": "list", "source": "mine", "confirmRemoval": "Sure?", "prefetch": 1},
        "broken": {"viewModel": "list", "source": "lines", "pageSize": 2, "throttle": 0, "detail": "row"},
        "row": {"viewModel": "pager"},
        "find": {"viewModel": "search", "source": "mine", "pageSize": 3, "detail": "row"},
        "genres": {"viewModel": "choice", "choices": ["ramen", "curry"], "store": "shop.query"},
        "profile": {
            "viewModel": "task",
            "tasks": [
                {"input": "rename", "output": "name", "task": {"kind": "prompt", "title": "Name"}},
                {"input": "logout", "output": "in", "task": {"kind": "confirm", "title": "Out?"}, "initial": True},
            ],
        },
        "offers": {"viewModel": "feed", "source": "mine", "pageSize": 2},
        "missing": {"viewModel": "feed", "source": "none"},
        "demo": {"viewModel": "feed", "source": "some", "pageSize": 1},
    },
}
LINES = ['{"id":1}', "nonsense", '{"id":2}', '{"id":2}', '{"id":"a"}', '{"no":1}']
SEEDS = 8
STEPS = int(os.environ.get("NAGARE_STEPS", 4000)) // SEEDS
"""The number of steps for each seed. `NAGARE_STEPS` is the number for all seeds together."""


class Day:
    """A user and a source whose actions a seed determines."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.held: list[asyncio.Future[None]] = []

    def one(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def id(self) -> Any:
        return self.one("a", "b", "c", "d", 1, 2, "x")

    def item(self) -> dict[str, Any]:
        return {"id": self.id(), "n": self.random.randrange(3)}

    async def answer(self, right: Callable[[], Any]) -> Any:
        """Answers at once, later or never; with the correct result or an error."""
        if self.random.randrange(3) == 0:
            self.held.append(asyncio.get_running_loop().create_future())
            await self.held[-1]
        if self.random.randrange(4) == 0:
            raise nagare.ResponseError(self.random.randrange(2), "no", retryable=self.one(True, False, False))
        return right()

    async def page(self, key: Any, query: str | None, size: int) -> nagare.Page:
        count = self.random.randrange(5)
        page = nagare.Page([self.item() for _ in range(count)], next=self.one(None, 1, "k"), previous=self.one(None, 2))
        await self.answer(lambda: None)
        return page

    async def edit(self, *arguments: Any) -> None:
        await self.answer(lambda: None)

    async def present(self, task: nagare.Task) -> Any:
        return await self.answer(lambda: self.one("Mei", True, None, nagare.CANCELLED, 7))

    async def act(self, app: nagare.App, views: list[nagare.AnyView]) -> None:
        what = self.random.randrange(12) if views else 0
        view = self.one(*views) if views else None
        if view is None or what == 0:
            views.append(await app.open(self.one(*(screen for screen in CONFIG["screens"] if screen != "row"))))
        elif what == 1:
            if len(views) > 8:
                await view.close()
        elif what == 2:
            await app.advance(self.one(0, 1, 200, 300, 1000, 40_000))
        elif what == 3:
            app.send_action("shop.query", self.one("ramen", "curry", "sushi"))
        elif what in (4, 5):
            if self.held and not (waiting := self.held.pop(self.random.randrange(len(self.held)))).done():
                waiting.set_result(None)
        else:
            start = self.random.randrange(4)
            params = {"item": self.item(), "id": self.id(), "before": self.one(None, self.id()), "text": self.one("", "a")}
            params |= {"start": start, "end": start + self.random.randrange(3)}
            params |= self.one({}, {"to": self.one("next", "previous"), "id": None})
            opened = await view.open(self.one(*view.screen.inputs), **params)
            if opened is not None:
                views.append(opened)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_current_values_equal_the_servers_after_random_actions(seed: int, nagare_binary: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "lines.jsonl").write_text("\n".join(LINES))
    day = Day(seed)
    source = nagare.Source(day.page)
    source.insert(day.edit)
    source.remove(day.edit)
    options: dict[str, Any] = {"sources": {"mine": source}, "present": day.present}

    async def test() -> None:
        config = tmp_path / "config.json"
        async with nagare.spawn(nagare_binary, "--clock", "virtual", "--config", config, **options) as app:
            views: list[nagare.AnyView] = []
            for step in range(STEPS):
                try:
                    await day.act(app, views)
                except nagare.ResponseError:
                    pass  # The server refused the input.
                # Handlers may answer after the first ping, so more pings wait for the effects.
                for _ in range(3):
                    await app.ping()
                views[:] = [view for view in views if not view.closed]
                # Sometimes skips the comparison, because `sync` updates the client. So changes of several steps are
                # compared, too.
                for view in views if day.random.randrange(3) == 0 else []:
                    own = dict(view._current.values)
                    assert own == await view.sync(), f"step {step}, {view}"

    run(test())
