"""Requests that the server sends to the client, with a fake server."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, Message, fake_server


async def replies(fake: Fake, id: Any) -> Message:
    """Returns the client's answer to a request of the server."""
    message = await fake.next()
    assert message["id"] == id
    return message


def test_a_task_goes_to_the_handler_of_its_kind() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            seen: list[nagare.Task] = []

            @app.present("prompt")
            async def prompt(task: nagare.Task) -> str:
                seen.append(task)
                return "Mei"

            @app.present("alert", "confirm")
            def agree(task: nagare.Task) -> None:
                seen.append(task)

            @app.present
            async def other(task: nagare.Task) -> nagare.tasks.TaskOutcome:
                return nagare.CANCELLED

            view = await fake.open(app)
            assert fake.greeted["capabilities"]["present"] is True
            expected = [
                ("prompt", {"outcome": "completed", "value": "Mei"}),
                ("alert", {"outcome": "completed"}),
                ("scan", {"outcome": "cancelled"}),
            ]
            for id, (kind, result) in enumerate(expected):
                fake.ask(id, "present", view="v", task={"kind": kind, "title": "T"})
                assert (await replies(fake, id))["result"] == result
            assert [task.kind for task in seen] == ["prompt", "alert"] and seen[0].view is view
            assert dict(seen[0]) == {"kind": "prompt", "title": "T"} and seen[0].get("message") is None

    run(test())


def test_a_handler_is_cancelled_when_its_answer_is_no_longer_needed() -> None:
    async def test() -> None:
        began, ended = asyncio.Event(), asyncio.Event()

        async def wait(task: nagare.Task) -> None:
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        async with fake_server(present=wait) as (app, fake), app:
            await fake.open(app)
            fake.ask("x", "present", view="v", task={"kind": "prompt"})
            await began.wait()
            fake.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "x"}})
            assert (await replies(fake, "x"))["error"]["code"] == -32800
            assert ended.is_set()
            fake.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "x"}})
            began.clear()
            ended.clear()
            fake.ask("y", "present", view="v", task={"kind": "prompt"})
            await began.wait()
        assert ended.is_set(), "a handler outlives its app"

    run(test())


def test_a_request_that_is_cancelled_at_once_is_answered() -> None:
    async def wait(task: nagare.Task) -> None:
        await asyncio.Event().wait()

    async def test() -> None:
        async with fake_server(present=wait) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "present", view="v", task={"kind": "prompt"})
            fake.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}})
            assert (await replies(fake, 1))["error"]["code"] == -32800

    run(test())


@pytest.mark.parametrize("kind", ["returns", "raises", "goes on"])
def test_a_cancelled_request_is_answered_whatever_its_handler_does(kind: str) -> None:
    async def test() -> None:
        began, goes_on = asyncio.Event(), asyncio.Event()
        ended: list[str] = []

        async def stubborn(task: nagare.Task) -> bool:
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if kind == "raises":
                    raise nagare.ResponseError(4, "no keyboard") from None
                if kind == "goes on":
                    await goes_on.wait()
            finally:
                ended.append(kind)
            return True

        async with fake_server(present=stubborn) as (app, fake), app:
            await fake.open(app)
            fake.ask("x", "present", view="v", task={"kind": "confirm"})
            await began.wait()
            fake.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "x"}})
            assert (await replies(fake, "x"))["error"]["code"] == -32800
            assert ended == ([] if kind == "goes on" else [kind])
            goes_on.set()
            # No second answer is sent.
            await fake.settle(app)
            assert ended == [kind]

    run(test())


def test_an_error_of_a_handler_is_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(task: nagare.Task) -> None:
        if task.kind == "mine":
            raise nagare.ResponseError(4, "no keyboard", retryable=True)
        raise ValueError("oops")

    async def test() -> None:
        async with fake_server(present={"mine": fail, "bug": fail}) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "present", view="v", task={"kind": "mine"})
            assert (await replies(fake, 1))["error"] == {"code": 4, "message": "no keyboard", "data": {"retryable": True}}
            fake.ask(2, "present", view="v", task={"kind": "bug"})
            assert (await replies(fake, 2))["error"] == {"code": -32603, "message": "ValueError: oops"}
            fake.ask(3, "present", view="v", task={"kind": "other"})
            assert (await replies(fake, 3))["error"]["code"] == -32601

    with caplog.at_level(logging.ERROR, "nagare"):
        run(test())
    assert "ValueError: oops" in caplog.text and "no keyboard" not in caplog.text


def test_a_source_returns_pages_and_makes_edits_one_after_another() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            edits: list[Any] = []

            @app.source("mine")
            async def mine(key: int | None, query: str | None, size: int) -> nagare.Page:
                return nagare.Page(({"id": id} for id in "ab"), next=[key, query, size], total=9)

            @mine.item
            async def item(id: Any) -> Any:
                return {"id": id, "body": "…"} if id == "a" else None

            @app.source("filtered")
            def filtered(key: Any, query: str | None, size: int, filters: dict[str, Any]) -> nagare.Page:
                return nagare.Page([], next=filters)

            @mine.insert
            async def insert(item: Any, before: Any) -> None:
                await asyncio.sleep(0)
                edits.append((item, before))

            @mine.change
            def change(item: Any) -> None:
                edits.append(item)

            @mine.remove
            def remove(id: Any) -> None:
                edits.append(id)

            @app.source("plain")
            def plain(key: Any, query: str | None, size: int) -> nagare.Page:
                raise nagare.ResponseError(9, "closed")

            await fake.open(app)
            assert fake.greeted["capabilities"]["sources"] == ["mine", "filtered", "plain"]
            fake.ask(1, "source/page", source="mine", key=3, query="q", size=2)
            page = {"items": [{"id": "a"}, {"id": "b"}], "next": [3, "q", 2], "total": 9}
            assert (await replies(fake, 1))["result"] == page
            fake.ask(2, "source/insert", source="mine", item={"id": "c"}, before=None)
            fake.ask(3, "source/remove", source="mine", id="a")
            fake.ask(4, "source/change", source="mine", item={"id": "c", "n": 1})
            for id in 2, 3, 4:
                assert (await replies(fake, id))["result"] == {}
            assert edits == [({"id": "c"}, None), "a", {"id": "c", "n": 1}]
            fake.ask(10, "source/item", source="mine", id="a")
            assert (await replies(fake, 10))["result"] == {"item": {"id": "a", "body": "…"}}
            fake.ask(11, "source/item", source="mine", id="b")
            assert (await replies(fake, 11))["error"]["code"] == -32015
            fake.ask(12, "source/item", source="plain", id="b")
            assert (await replies(fake, 12))["error"]["code"] == -32601
            fake.ask(13, "source/page", source="filtered", key=None, query=None, filters={"a": [1]}, size=2)
            assert (await replies(fake, 13))["result"]["next"] == {"a": [1]}
            fake.ask(14, "source/page", source="filtered", key=None, query=None, size=2)
            assert (await replies(fake, 14))["result"]["next"] == {}
            fake.ask(5, "source/page", source="plain", key=None, query=None, size=2)
            assert (await replies(fake, 5))["error"] == {"code": 9, "message": "closed"}
            for id, (method, source) in enumerate([("source/remove", "plain"), ("source/page", "x"), ("dance", "mine")], 6):
                fake.ask(id, method, source=source)
                assert (await replies(fake, id))["error"]["code"] == -32601

    run(test())


def test_an_insertion_or_a_change_is_answered_with_the_item_or_the_id_that_the_function_returns() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            value: Any = None

            @app.source("mine")
            def mine(key: Any, query: str | None, size: int) -> nagare.Page:
                return nagare.Page([], open=True)

            @mine.insert
            async def insert(item: Any, before: Any) -> Any:
                return value

            @mine.change
            def change(item: Any) -> Any:
                return value

            @mine.remove
            def remove(id: Any) -> Any:
                return value

            await fake.open(app)
            item = {"id": 7}
            answers: list[tuple[Any, Any]] = [({"item": item}, {"item": item}), ({"id": 7}, {"id": 7}), ({"item": item, "id": 8}, {"item": item})]
            answers += [(other, {}) for other in (None, 1, "id", ["id"], {}, {"id": None}, {"title": "id"})]
            number = 0
            for value, result in answers:
                for method in "source/insert", "source/change":
                    number += 1
                    fake.ask(number, method, source="mine", item=item, before=None)
                    assert (await replies(fake, number))["result"] == result
            value = {"id": 7}
            fake.ask(number + 1, "source/remove", source="mine", id=7)
            assert (await replies(fake, number + 1))["result"] == {}
            fake.ask(number + 2, "source/page", source="mine", key=None, query=None, size=2)
            assert (await replies(fake, number + 2))["result"] == {"items": [], "open": True}

    run(test())


def test_a_page_function_reports_its_progress() -> None:
    async def test() -> None:
        async def slow(key: Any, query: str | None, size: int, progress: nagare.Progress) -> nagare.Page:
            progress(1, of=4, unit="rows")
            await asyncio.sleep(0)
            progress(2)
            return nagare.Page([])

        async with fake_server(sources={"mine": slow}) as (app, fake), app:
            await fake.open(app)
            fake.ask("p", "source/page", source="mine", key=None, query=None, size=2)
            told = [await fake.next("source/progress") for _ in range(2)]
            assert [one["params"] for one in told] == [
                {"request": "p", "done": 1, "of": 4, "unit": "rows"},
                {"request": "p", "done": 2},
            ]
            assert (await replies(fake, "p"))["result"] == {"items": []}

    run(test())


def test_a_page_function_receives_a_position_or_an_id() -> None:
    async def test() -> None:
        def placed(key: Any, query: str | None, size: int, at: int | None, around: Any) -> nagare.Page:
            return nagare.Page([{"id": around}], position=at, total=9, exact=False)

        def plain(key: Any, query: str | None, size: int) -> nagare.Page:
            return nagare.Page([], total=0)

        async with fake_server(sources={"mine": placed, "plain": plain}) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "source/page", source="mine", key=None, query=None, size=2, at=0)
            said = {"items": [{"id": None}], "position": 0, "total": 9, "exact": False}
            assert (await replies(fake, 1))["result"] == said
            fake.ask(2, "source/page", source="mine", key=None, query=None, size=2, around="x")
            assert (await replies(fake, 2))["result"]["items"] == [{"id": "x"}]
            fake.ask(3, "source/page", source="plain", key=None, query=None, size=2, at=0)
            assert (await replies(fake, 3))["error"]["code"] == -32602
            fake.ask(4, "source/page", source="plain", key=None, query=None, size=2)
            assert (await replies(fake, 4))["result"] == {"items": [], "total": 0}

    run(test())


def test_an_edit_of_marked_items_reaches_its_function() -> None:
    async def test() -> None:
        made: list[Any] = []
        mine = nagare.Source(lambda key, query, size: nagare.Page([]))
        mine.remove(made.append)

        async with fake_server(sources={"mine": mine}) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "source/remove", source="mine", ids=["a"])
            assert (await replies(fake, 1))["error"]["code"] == -32601
            mine.remove_marked(made.append)

            @mine.change_marked
            async def change(marked: nagare.Marked, given: dict[str, Any]) -> None:
                made.append((marked, given))

            edits: list[tuple[str, dict[str, Any]]] = [
                ("source/remove", {"ids": ["a", 2]}),
                ("source/remove", {"all": True, "except": [1], "query": "q", "filters": {"x": 1}}),
                ("source/change", {"all": True, "set": {"read": True}}),
                ("source/remove", {"id": "z"}),
            ]
            for id, (method, params) in enumerate(edits, 2):
                fake.ask(id, method, source="mine", **params)
                assert (await replies(fake, id))["result"] == {}
            assert made == [
                nagare.Marked(["a", 2]),
                nagare.Marked([1], True, "q", {"x": 1}),
                (nagare.Marked([], True, None, {}), {"read": True}),
                "z",
            ]

    run(test())


def test_a_page_function_without_a_page_fails_the_load() -> None:
    async def test() -> None:
        async with fake_server(sources={"mine": lambda key, query, size: [1]}) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "source/page", source="mine", key=None, query=None, size=2)
            assert "a source's function gives a Page, not a list" in (await replies(fake, 1))["error"]["message"]

    run(test())


def test_handlers_can_only_be_declared_before_the_first_call() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            await fake.open(app)
            for decorate in (lambda: app.source("mine"), lambda: app.present("prompt")):
                with pytest.raises(RuntimeError, match="before the first call"):
                    decorate()

    run(test())


def test_a_handler_may_close_the_app() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            closed = asyncio.Event()

            @app.present()
            async def leave(task: nagare.Task) -> None:
                await app.close()
                closed.set()

            await fake.open(app)
            fake.ask(1, "present", view="v", task={"kind": "x"})
            await fake.serve("shutdown", {})
            await closed.wait()
            await asyncio.sleep(0)

    run(test())
