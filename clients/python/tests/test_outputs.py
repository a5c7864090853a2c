"""Iterators, callbacks and conditions on a view's outputs, with a fake server."""

from __future__ import annotations

import asyncio
from typing import Any

import nagare
import pytest
from conftest import run
from fake import fake_server


def test_a_slow_reader_gets_the_latest_value_and_all_events() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            states, rings = view.output("state"), view.output("rang")
            assert await anext(states) == {"phase": "nothing"}
            for number in range(5000):
                fake.say("state", value={"count": number})
                fake.say("rang", value=number)
            await fake.settle(app)
            assert await anext(states) == {"count": 4999}
            assert [await anext(rings) for _ in range(5000)] == list(range(5000))

    run(test())


def test_too_many_unread_events_raise_an_error() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            rings = view.output("rang")
            for number in range(10_001):
                fake.say("rang", value=number)
            await fake.settle(app)
            with pytest.raises(nagare.TooManyEvents):
                await anext(rings)
            forgotten = view.output("loading")
            assert len(view._readers["loading"]) == 1
            del forgotten
            assert len(view._readers["loading"]) == 0

    run(test())


def test_an_iterator_ends_with_its_view() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            reading = asyncio.ensure_future(_all(view.output("loading")))
            await asyncio.sleep(0)
            fake.say("loading", value=True)
            await fake.settle(app)
            fake.say("closed", value={})
            assert await reading == [False, True]
            assert view.closed and await _all(view.output("error")) == [None]
            await view.wait_closed()
            with pytest.raises(nagare.ViewClosed):
                await view.until(lambda view: view.loading is None)

    run(test())


def test_calls_on_a_view_that_the_server_closed_raise_no_such_view() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            fake.say("closed", value={})
            await view.wait_closed()
            for call in (view.refresh(), view.select.open(id="a"), view.sync(), view.close()):
                with pytest.raises(nagare.NoSuchView, match="the view 'v' was closed") as raised:
                    await call
                assert raised.value.code == nagare.ErrorCode.NO_SUCH_VIEW and raised.value.views == []
            # Another view has the same name now.
            other = await fake.open(app)
            view.send("refresh")
            await fake.settle(app)
            fake.say("loading", value=True)
            await other.until(lambda view: view["loading"])
            assert view["loading"] is False

    run(test())


async def _all(output: nagare.Output[Any]) -> list[Any]:
    return [value async for value in output]


def test_until_notices_a_value_that_is_replaced_at_once() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            waiting = asyncio.ensure_future(view.until(lambda view: view["loading"] and "it was"))
            await asyncio.sleep(0)
            fake.say("loading", value=True)
            fake.say("loading", value=False)
            assert await waiting == "it was" and view.loading is False
            with pytest.raises(ZeroDivisionError):
                await view.until(lambda view: 1 / 0)
            later = asyncio.ensure_future(view.until(lambda view: view.loading and 1 / 0))
            await asyncio.sleep(0)
            fake.say("loading", value=True)
            with pytest.raises(ZeroDivisionError):
                await later

    run(test())


def test_a_failing_callback_does_not_prevent_other_callbacks() -> None:
    async def test() -> None:
        failures: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            heard: list[Any] = []

            def fail(value: Any) -> None:
                raise RuntimeError(value)

            view.on("loading", fail)
            off = view.on("loading", heard.append)
            fake.say("loading", value=True)
            await fake.settle(app)
            off()
            off()
            fake.say("loading", value=False)
            await fake.settle(app)
            assert heard == [True] and [str(failure) for failure in failures] == ["True", "False"]

    run(test())
