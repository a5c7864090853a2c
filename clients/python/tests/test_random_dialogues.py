"""After random inputs to the real server, the client's list equals the server's."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import nagare
from conftest import run
from hypothesis import given, settings
from hypothesis import strategies as st

CONFIG = {
    "sources": {"mine": {"type": "client"}},
    "screens": {
        "rows": {"viewModel": "list", "source": "mine", "pageSize": 7, "throttle": 0, "detail": "row", "onRefresh": "keep"},
        "row": {"viewModel": "pager"},
    },
}

OPERATIONS = ["loadMore", "loadMore", "reachTop", "refresh", "insert", "remove", "remove", "change", "select", "swipe"]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 200)), max_size=40))
def test_a_list_equals_the_servers_after_random_inputs(nagare_binary: str, operations: list[tuple[str, int]]) -> None:
    async def load(key: int | None, query: str | None, size: int) -> nagare.Page:
        first = key or 0
        items = [{"id": number, "first": first} for number in range(first, first + size)]
        return nagare.Page(items, next=first + size - 2, previous=first - size + 1)

    async def test() -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "config.json")
            path.write_text(json.dumps(CONFIG))
            app = nagare.spawn(nagare_binary, "--clock", "virtual", "--config", path, sources={"mine": load})
            async with app:
                view = await app.open("rows")
                await view.viewWillAppear()
                await view.until(lambda view: view.state["phase"] == "requestFinished")
                pagers: list[Any] = []
                for operation, number in operations:
                    await perform(view, pagers, operation, number)
                for one in [view, *pagers]:
                    own = dict(one._current.values)
                    assert own == await one.sync()
        assert app.status == 0

    run(test())


async def perform(view: nagare.AnyView, pagers: list[Any], operation: str, number: int) -> None:
    listed = view.items[number % len(view.items)]["id"] if view.items else 0
    if operation == "insert":
        await view.insert(item={"id": -1 - number}, **({"before": listed} if view.items else {}))
    elif operation == "change":
        await view.change(item={"id": listed, "changed": number})
    elif operation == "remove" and view.items:
        await view.remove(id=listed)
    elif operation == "select" and view.items:
        pagers.append(await view.select.open(id=listed))
    elif operation == "swipe" and pagers:
        await pagers[number % len(pagers)].swipe(to="next")
    elif operation in ("loadMore", "reachTop", "refresh"):
        await view.call(operation)
    # The input may have started a load, which the page function must answer.
    await view.until(lambda view: not view.loading)
