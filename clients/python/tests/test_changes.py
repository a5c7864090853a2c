"""Live sources of the client: how their functions report changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, fake_server


def page(key: Any, query: str | None, size: int) -> nagare.Page:
    return nagare.Page([], state="1")


async def said(fake: Fake) -> dict[str, Any]:
    told: dict[str, Any] = (await fake.next("source/changed"))["params"]
    return told


async def watch(fake: Fake, id: int, **params: Any) -> Any:
    fake.ask(id, "source/watch", **({"source": "mine", "query": None, "since": None} | params))
    answer = await fake.next()
    assert answer["id"] == id
    return answer.get("result", answer.get("error"))


def test_yielded_changes_are_sent_until_the_watch_ends() -> None:
    async def test() -> None:
        mine, told, ended = nagare.Source(page), asyncio.Queue[Any](), asyncio.Event()

        @mine.changes
        async def changes() -> AsyncGenerator[Any, None]:
            try:
                while True:
                    yield await told.get()
            finally:
                ended.set()

        async with fake_server(sources={"mine": mine}) as (app, fake), app:
            await fake.open(app)
            # A change before the answer to the watch is sent after the answer.
            told.put_nowait(nagare.inserted({"id": 1}, before=2))
            assert await watch(fake, 1) == {}
            watched = {"source": "mine", "query": None}
            assert await said(fake) == watched | {"changes": [{"insert": {"id": 1}, "before": 2}]}
            several = [nagare.changed({"id": 1}), nagare.removed(2), nagare.inserted({"id": 3}, at_end=True)]
            told.put_nowait(several)
            assert await said(fake) == watched | {"changes": several}
            told.put_nowait("all")
            assert await said(fake) == watched | {"changes": "all"}
            fake.write({"jsonrpc": "2.0", "method": "source/unwatch", "params": watched})
            await asyncio.wait_for(ended.wait(), 10)
            ended.clear()
            assert await watch(fake, 2, query="q") == {}
            told.put_nowait(nagare.removed(1))
            assert (await said(fake)) == {"source": "mine", "query": "q", "changes": "all"}, "it doesn't know what is looked for"
        assert ended.is_set(), "it outlives its app"

    run(test())


@pytest.mark.parametrize("keeps_states", [False, True])
def test_a_function_that_ignores_its_cancellation_ends_at_its_next_yield(keeps_states: bool, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        mine, told, ended = nagare.Source(page), asyncio.Queue[Any](), asyncio.Event()

        async def stubborn() -> AsyncGenerator[Any, None]:
            try:
                if keeps_states:
                    yield nagare.Step([], "1")
                while True:
                    try:
                        row = await told.get()
                    except asyncio.CancelledError:
                        continue
                    yield nagare.Step([row], "2") if keeps_states else row
            finally:
                ended.set()

        mine.changes((lambda since: stubborn()) if keeps_states else stubborn)
        async with fake_server(sources={"mine": mine}) as (app, fake), app:
            await fake.open(app)
            await watch(fake, 1)
            fake.write({"jsonrpc": "2.0", "method": "source/unwatch", "params": {"source": "mine", "query": None}})
            await fake.settle(app)
            told.put_nowait(nagare.removed(1))
            await asyncio.wait_for(ended.wait(), 10)
            # No change was sent: the next message is the ping.
            await fake.settle(app)

    with caplog.at_level(logging.WARNING, "nagare"):
        run(test())
    assert not caplog.records


def test_the_first_step_of_a_function_with_states_answers_the_watch() -> None:
    async def test() -> None:
        mine, told = nagare.Source(page), asyncio.Queue[Any]()

        @mine.changes
        async def changes(query: str | None, since: str | None) -> AsyncGenerator[Any, None]:
            if since == "old":
                raise nagare.ResponseError(-32014, "nobody knows")
            yield nagare.Step([nagare.removed(query)] if since else [], "5")
            while True:
                yield await told.get()

        async with fake_server(sources={"mine": mine}) as (app, fake), app:
            await fake.open(app)
            fake.ask(9, "source/page", source="mine", key=None, query=None, size=2)
            assert (await fake.next())["result"] == {"items": [], "state": "1"}
            assert await watch(fake, 1) == {"state": "5"}
            told.put_nowait(nagare.Step([nagare.removed(1)], "6", total=3))
            watched = {"source": "mine", "query": None}
            assert await said(fake) == watched | {"since": "5", "state": "6", "total": 3, "changes": [{"remove": 1}]}
            told.put_nowait(([nagare.removed(2)], "7"))
            assert await said(fake) == watched | {"since": "6", "state": "7", "changes": [{"remove": 2}]}
            assert await watch(fake, 2, query="q", since="3") == {"state": "5", "changes": [{"remove": "q"}]}
            assert (await watch(fake, 3, query="q", since="old"))["code"] == -32014

    run(test())


def test_a_failed_changes_function_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        mine = nagare.Source(page)

        @mine.changes
        async def changes() -> AsyncGenerator[Any, None]:
            yield nagare.removed(1)
            raise ValueError("oops")

        async with fake_server(sources={"mine": mine, "plain": page}) as (app, fake), app:
            await fake.open(app)
            assert await watch(fake, 1) == {}
            await said(fake)
            assert (await watch(fake, 2, source="plain"))["code"] == -32601

    with caplog.at_level(logging.ERROR, "nagare"):
        run(test())
    assert "the changes of mine failed" in caplog.text and "ValueError: oops" in caplog.text
