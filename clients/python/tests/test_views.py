"""Views: their inputs and outputs, and the views they open, with a fake server."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, fake_server


def test_the_client_sends_its_capabilities() -> None:
    async def test() -> None:
        async with fake_server(sources={"mine": lambda key, query, size: nagare.Page([])}) as (app, fake), app:
            view = await fake.open(app)
            assert fake.greeted["capabilities"] == {"deltas": True, "windows": True, "present": False, "sources": ["mine"]}
            assert app.server == {"name": "fake", "version": "1"} and app.capabilities["virtualClock"]
            assert view.view_name == "v" and view.screen.view_model == "list"
            assert [screen.name for screen in await app.screens()] == ["rows", "row", "profile", "letter"]

    run(test())


def test_a_view_ends_with_the_answer_to_close() -> None:
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


def navigate(fake: Fake, name: str) -> None:
    fake.say("navigate", value={"screen": "row", "view": name, "outputs": {"page": {"value": {"index": 0}}}})


def test_open_returns_the_view_that_its_input_opened() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            opened = view.navigations()
            one, two, other = (asyncio.ensure_future(view.select.open(id=id)) for id in "abx")
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


def test_open_ignores_a_view_that_was_opened_earlier() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            view.send("select", id="a")
            await fake.next("select")
            navigate(fake, "p")
            await fake.settle(app)
            refreshing = asyncio.ensure_future(view.refresh.open())
            await fake.serve("refresh", {})
            assert await refreshing is None

    run(test())


@pytest.mark.parametrize("sent", ["send", "call"])
def test_open_ignores_the_view_of_an_input_sent_just_before(sent: str) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            calling = asyncio.ensure_future(view.select(id="a")) if sent == "call" else None
            if calling is None:
                view.select.send(id="a")
            await asyncio.sleep(0)
            one, other = (asyncio.ensure_future(view.select.open(id=id)) for id in "xb")
            selected = await fake.next("select")
            messages = [await fake.next(method) for method in ("ping", "select", "ping", "select")]
            navigate(fake, "p1")
            for message in messages[:3]:
                fake.answer(message, {})
            navigate(fake, "p2")
            fake.answer(messages[3], {})
            opened = await other
            assert await one is None and opened is not None and opened.view_name == "p2"
            if calling is not None:
                fake.answer(selected, {"outcome": "nothing"})
                await calling

    run(test())


def test_events_of_an_unlisted_screen_are_received() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            selecting = asyncio.ensure_future(view.select.open(id="a"))
            message = await fake.next("select")
            value = {"screen": "people", "view": "p", "outputs": {"people": {"value": ["Aoi"]}}}
            fake.say("navigate", value=value)
            fake.answer(message, {})
            people = await selecting
            heard: list[Any] = []
            people.on("dismiss", heard.append)
            fake.write({"jsonrpc": "2.0", "method": "dismiss", "params": {"view": "p", "value": {}}})
            await fake.settle(app)
            assert heard == [{}]

    run(test())


def test_a_typed_view_has_the_inputs_and_outputs_of_its_view_model() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows", nagare.ListView[dict[str, str]], view="v"))
            outputs = {"items": {"value": [{"id": "a"}], "revision": 1}, "loading": {"value": False}}
            await fake.serve("open", {"view": "v", "screen": "rows", "outputs": outputs})
            view = await opening
            assert isinstance(view, nagare.ListView) and view.items[0]["id"] == "a" and view.loading is False
            selecting = asyncio.ensure_future(view.select.open(id="a"))
            message = await fake.next("select")
            navigate(fake, "p")
            fake.answer(message, {})
            pager = await selecting
            assert isinstance(pager, nagare.PagerView) and pager.page == {"index": 0}
            with pytest.raises(AttributeError):
                view.nothing  # type: ignore[attr-defined]

    run(test())


def test_a_typed_list_has_sections_and_marks() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows", nagare.ListView[dict[str, Any]], view="v"))
            marks, sections = {"count": 1, "all": False, "ids": ["a"]}, [{"key": None, "start": 0, "count": 2}]
            values = {"items": {"value": [], "revision": 0}, "marks": {"value": marks}, "sections": {"value": sections}}
            await fake.serve("open", {"view": "v", "screen": "rows", "outputs": values})
            view = await opening
            assert (view.marks["ids"], view.sections[0]["count"]) == (["a"], 2)
            calls: list[tuple[Awaitable[Any], str, dict[str, Any]]] = [
                (view.mark(from_="a", to="b"), "mark", {"from": "a", "to": "b"}),
                (view.unmark(all=True), "unmark", {"all": True}),
                (view.remove(marked=True), "remove", {"marked": True}),
                (view.change(marked=True, set={"read": True}), "change", {"marked": True, "set": {"read": True}}),
                (view.call("mark", **{"from": "a", "to": "b"}), "mark", {"from": "a", "to": "b"}),
            ]
            for told, method, params in calls:
                telling = asyncio.ensure_future(told)
                asked = await fake.serve(method, {"outcome": "nothing"})
                assert asked["params"] == {**params, "view": "v", "wait": True}
                await telling

    run(test())


def test_inputs_and_outputs_of_a_nested_view_model_are_reached_through_its_namespace() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("letter", view="v"))
            await fake.serve("open", {"view": "v", "screen": "letter", "outputs": {"title.text": {"value": "Dear"}}})
            view = await opening
            assert view.title.text == "Dear"
            telling = asyncio.ensure_future(view.title.write(text="Dear Mei"))
            assert (await fake.serve("title.write", {"outcome": "nothing"}))["params"] == {"text": "Dear Mei", "view": "v", "wait": True}
            assert await telling == "nothing"
            with pytest.raises(AttributeError, match=r"'letter' has no 'title.txet': its inputs are title.write"):
                view.title.txet
            with pytest.raises(AttributeError, match="'letter' has no 'titl'"):
                view.titl
            copy.copy(view.title)

    run(test())


def test_the_error_for_an_unknown_name_lists_the_existing_names() -> None:
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
