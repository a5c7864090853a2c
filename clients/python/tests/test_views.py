"""Views, against a server that says what the test tells it to."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, fake_server
from hypothesis import given, settings
from hypothesis import strategies as st


def ids(view: nagare.View) -> list[Any]:
    return [item["id"] for item in view["items"]]


def splice(start: int, count: int, *new: Any) -> dict[str, Any]:
    return {"start": start, "deleteCount": count, "items": [{"id": id} for id in new]}


def test_the_client_says_what_it_can_do() -> None:
    async def test() -> None:
        async with fake_server(sources={"mine": lambda key, query, size: nagare.Page([])}) as (app, fake), app:
            view = await fake.open(app)
            assert fake.greeted["capabilities"] == {"deltas": True, "present": False, "sources": ["mine"]}
            assert app.server == {"name": "fake", "version": "1"} and app.capabilities["virtualClock"]
            assert view.view_name == "v" and view.screen.view_model == "list"
            assert [screen.name for screen in await app.screens()] == ["rows", "row"]

    run(test())


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 4), st.integers(0, 5)), max_size=4), max_size=8),
    st.lists(st.integers(1, 40), min_size=1, max_size=10),
)
def test_splices_that_come_in_any_pieces_make_the_same_lists(steps: list[Any], pieces: list[int]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            plain: list[Any] = []
            expected, heard, text = [], [], b""
            view.on("items", lambda items: heard.append([item["id"] for item in items]))
            for revision, step in enumerate(steps):
                splices: list[dict[str, Any]] = []
                for place, count, inserted in step:
                    start = place % (len(plain) + 1)
                    count = min(count, len(plain) - start)
                    new = [f"{revision}-{len(splices)}-{index}" for index in range(inserted)]
                    plain[start : start + count] = new
                    splices.append(splice(start, count, *new))
                params = {"view": "v", "base": revision, "revision": revision + 1, "count": len(plain), "splices": splices}
                text += json.dumps({"jsonrpc": "2.0", "method": "items", "params": params}).encode() + b"\n"
                expected.append(list(plain))
            while text:
                for piece in pieces:
                    fake.writer.write(text[:piece])
                    text = text[piece:]
                    await asyncio.sleep(0)
            await fake.settle(app)
            assert heard == expected and ids(view) == plain

    run(test())


LOST: list[dict[str, Any]] = [
    {"base": 4, "revision": 6, "count": 3, "splices": [splice(0, 0, "x")]},
    {"base": 5, "revision": 6, "count": 9, "splices": [splice(0, 0, "x")]},
    {"base": 5, "revision": 6, "count": 3, "splices": [splice(7, 0, "x")]},
    {"base": 5, "revision": 6, "count": 0, "splices": [splice(0, 9)]},
]


@pytest.mark.parametrize("lost", LOST)
def test_a_client_that_has_lost_track_asks_for_the_outputs(lost: dict[str, Any]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app, [{"id": "a"}, {"id": "b"}], 5)
            heard: list[Any] = []
            view.on("items", lambda items: heard.append(list(items)))
            fake.say("items", **lost)
            fake.say("items", base=6, revision=7, count=4, splices=[splice(0, 0, "y")])
            asked = await fake.next("outputs")
            assert asked["params"] == {"view": "v"} and ids(view) == ["a", "b"] and heard == []
            outputs = {"items": {"value": [{"id": "c"}], "revision": 7}, "loading": {"value": True}, "error": {"value": None}}
            fake.answer(asked, {"outputs": outputs})
            fake.say("items", base=7, revision=8, count=2, splices=[splice(1, 0, "d")])
            await fake.settle(app)
            assert ids(view) == ["c", "d"] and len(heard) == 2 and view.loading is True

    run(test())


def test_what_follows_the_reply_in_the_same_breath_is_heard() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows"))
            asked = await fake.next("open")
            fake.answer(asked, {"view": "v", "screen": "rows", "outputs": {"items": {"value": [], "revision": 0}}})
            fake.say("items", base=0, revision=1, count=1, splices=[splice(0, 0, "a")])
            assert ids(await opening) == ["a"]

    run(test())


def test_one_who_reads_slowly_has_the_latest_value_and_all_events() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            states, errors = view.output("state"), view.output("error")
            assert await anext(states) == {"phase": "nothing"}
            for number in range(5000):
                fake.say("state", value={"count": number})
                fake.say("error", value={"code": number})
            await fake.settle(app)
            assert await anext(states) == {"count": 4999}
            assert [(await anext(errors))["code"] for _ in range(5000)] == list(range(5000))

    run(test())


def test_events_that_nobody_reads_are_not_kept_for_ever() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            errors = view.output("error")
            for number in range(10_001):
                fake.say("error", value={"code": number})
            await fake.settle(app)
            with pytest.raises(nagare.TooManyEvents):
                await anext(errors)
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
            assert view.closed and await _all(view.output("error")) == []
            await view.wait_closed()
            with pytest.raises(nagare.ViewClosed):
                await view.until(lambda view: view.loading is None)

    run(test())


async def _all(output: nagare.Output[Any]) -> list[Any]:
    return [value async for value in output]


def test_closing_a_view_ends_it_with_the_reply() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            waiting = asyncio.ensure_future(view.until(lambda view: view.items))
            closing = asyncio.ensure_future(view.close())
            assert (await fake.serve("close", {}))["params"] == {"view": "v"}
            await closing
            with pytest.raises(nagare.ViewClosed, match="'v' of the screen 'rows'"):
                await waiting
            fake.say("loading", value=True)
            await fake.settle(app)
            assert view.loading is False

    run(test())


def test_until_sees_what_is_current_for_a_moment_only() -> None:
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


def test_a_callback_that_fails_keeps_nobody_from_hearing() -> None:
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


def navigate(fake: Fake, name: str) -> None:
    fake.say("navigate", value={"screen": "row", "view": name, "outputs": {"page": {"value": {"index": 0}}}})


def test_an_input_gives_the_view_that_it_opened() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            opened = view.navigations()
            one, two, other = (asyncio.ensure_future(view.select(id=id)) for id in "abx")
            selected = [await fake.next("select") for _ in range(3)]
            assert [message["params"] for message in selected] == [{"id": id, "view": "v"} for id in "abx"]
            for name, message in zip(["p1", "p2"], selected):
                navigate(fake, name)
                fake.answer(message, {})
            fake.answer(selected[2], {})
            first, second = await one, await two
            assert (first.view_name, second.view_name, await other) == ("p1", "p2", None)
            assert first.page == {"index": 0} and first.screen.view_model == "pager"
            assert await anext(opened) is first and await anext(opened) is second
            fake.write({"jsonrpc": "2.0", "method": "page", "params": {"view": "p1", "value": {"index": 1}}})
            await fake.settle(app)
            assert (first.page, second.page) == ({"index": 1}, {"index": 0})

    run(test())


def test_a_typed_view_has_what_its_view_model_has() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows", nagare.ListView[dict[str, str]], view="v"))
            outputs = {"items": {"value": [{"id": "a"}], "revision": 1}, "loading": {"value": False}}
            await fake.serve("open", {"view": "v", "screen": "rows", "outputs": outputs})
            view = await opening
            assert isinstance(view, nagare.ListView) and view.items[0]["id"] == "a" and view.loading is False
            selecting = asyncio.ensure_future(view.select(id="a"))
            message = await fake.next("select")
            navigate(fake, "p")
            fake.answer(message, {})
            pager = await selecting
            assert isinstance(pager, nagare.PagerView) and pager.page == {"index": 0}
            with pytest.raises(AttributeError):
                view.nothing  # type: ignore[attr-defined]

    run(test())


def test_a_mistyped_name_is_told_with_those_that_there_are() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            with pytest.raises(AttributeError, match="'rows' has no 'selct': its inputs are viewWillAppear, refresh, select"):
                view.selct(id="a")
            for wrong in (view.output, lambda name: view.on(name, print), view.__getitem__):
                with pytest.raises(KeyError, match="'rows' has no .*'item'.* but items, loading, error"):
                    wrong("item")
            assert "select" in dir(view) and "items" in dir(view) and "loading" in view and "navigate" not in view
            with pytest.raises(TypeError, match="a callback is a plain function"):
                view.on("items", view.until)
            assert copy.copy(view).items is view.items
            view.send("refresh", how="fast")
            message = await fake.next("refresh")
            assert message["params"] == {"how": "fast", "view": "v"} and "id" not in message

    run(test())


def test_a_failure_stands_until_a_load_begins() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            begun: list[tuple[str, Any]] = [("loading", True), ("state", {"phase": "requesting"})]
            for output, value in begun:
                fake.say("error", value={"code": 7})
                fake.say("loading", value=False)
                fake.say("state", value={"phase": "failed"})
                await fake.settle(app)
                assert view.error == {"code": 7}
                fake.say(output, value=value)
                await fake.settle(app)
                assert view.error is None

    run(test())
