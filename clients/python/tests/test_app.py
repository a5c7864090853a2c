"""Requests in both directions, against a server that says what the test tells it to."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, Message, fake_server

CODES = [
    (-32700, nagare.ParseError),
    (-32600, nagare.InvalidRequest),
    (-32601, nagare.MethodNotFound),
    (-32602, nagare.InvalidParams),
    (-32603, nagare.InternalError),
    (-32800, nagare.RequestCancelled),
    (-32001, nagare.NoSuchView),
    (-32002, nagare.NoSuchScreen),
    (-32003, nagare.ViewExists),
    (-32005, nagare.LimitPassed),
    (7, nagare.ResponseError),
]


async def replies(fake: Fake, id: Any) -> Message:
    """The client's answer to a request of the server."""
    message = await fake.next()
    assert message["id"] == id
    return message


@pytest.mark.parametrize(("code", "kind"), CODES)
def test_an_error_is_an_exception_with_its_code_and_data(code: int, kind: type[nagare.ResponseError]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            calling = asyncio.ensure_future(view.refresh())
            fake.refuse(await fake.next("refresh"), {"code": code, "message": "no", "data": {"param": "id"}})
            with pytest.raises(nagare.ResponseError) as caught:
                await calling
            assert type(caught.value) is kind
            assert (caught.value.code, caught.value.message, caught.value.data) == (code, "no", {"param": "id"})
            assert str(caught.value) == f"no ({code})"

    run(test())


@pytest.mark.parametrize("error", [None, 5, {}, {"code": "x", "message": "y"}, {"code": 1}])
def test_an_error_that_is_none_is_told(error: Any) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            pinging = asyncio.ensure_future(app.ping())
            fake.refuse(await fake.next("ping"), error)
            with pytest.raises(nagare.InternalError, match="an error that is none"):
                await pinging

    run(test())


def test_cancelling_who_waits_cancels_the_request() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            calling = asyncio.ensure_future(view.refresh())
            asked = await fake.next("refresh")
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            cancelled = await fake.next("$/cancelRequest")
            assert cancelled["params"] == {"id": asked["id"]} and "id" not in cancelled
            fake.refuse(asked, {"code": -32800, "message": "cancelled"})
            await fake.settle(app)

    run(test())


@pytest.mark.parametrize("late", [True, False])
def test_a_view_that_nobody_waits_for_any_more_is_closed(late: bool) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows"))
            asked = await fake.next("open")
            result = {"view": "v", "screen": "rows", "outputs": {}}
            if late:
                opening.cancel()
                await asyncio.sleep(0)
                await fake.next("$/cancelRequest")
                fake.answer(asked, result)
            else:
                # The reply is there when the caller is cancelled, but it hasn't had it yet.
                connection = app._connection
                assert connection is not None
                connection._answered({"id": asked["id"], "result": result})
                opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            closed = await fake.next("close")
            assert closed["params"] == {"view": "v"} and "id" not in closed and not app._views

    run(test())


def test_one_who_is_cancelled_while_greeting_leaves_the_others_theirs() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            first, second = asyncio.ensure_future(app.screens()), asyncio.ensure_future(app.screens())
            await asyncio.sleep(0)
            first.cancel()
            await fake.settle(app)
            assert len(await second) == 2 and first.cancelled()

    run(test())


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

            @app.present()
            async def other(task: nagare.Task) -> nagare.tasks.Outcome:
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


def test_what_a_handler_raises_is_the_answer(caplog: pytest.LogCaptureFixture) -> None:
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


def test_a_source_gives_pages_and_makes_edits_one_after_another() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            edits: list[Any] = []

            @app.source("mine")
            async def mine(key: int | None, query: str | None, size: int) -> nagare.Page:
                return nagare.Page(({"id": id} for id in "ab"), next=[key, query, size], total=9)

            @mine.insert
            async def insert(item: Any, before: Any) -> None:
                await asyncio.sleep(0)
                edits.append((item, before))

            @mine.remove
            def remove(id: Any) -> None:
                edits.append(id)

            @app.source("plain")
            def plain(key: Any, query: str | None, size: int) -> nagare.Page:
                raise nagare.ResponseError(9, "closed")

            await fake.open(app)
            assert fake.greeted["capabilities"]["sources"] == ["mine", "plain"]
            fake.ask(1, "source/page", source="mine", key=3, query="q", size=2)
            page = {"items": [{"id": "a"}, {"id": "b"}], "next": [3, "q", 2], "total": 9}
            assert (await replies(fake, 1))["result"] == page
            fake.ask(2, "source/insert", source="mine", item={"id": "c"}, before=None)
            fake.ask(3, "source/remove", source="mine", id="a")
            assert (await replies(fake, 2))["result"] == {} == (await replies(fake, 3))["result"]
            assert edits == [({"id": "c"}, None), "a"]
            fake.ask(4, "source/page", source="plain", key=None, query=None, size=2)
            assert (await replies(fake, 4))["error"] == {"code": 9, "message": "closed"}
            for id, (method, source) in enumerate([("source/remove", "plain"), ("source/page", "x"), ("dance", "mine")], 5):
                fake.ask(id, method, source=source)
                assert (await replies(fake, id))["error"]["code"] == -32601

    run(test())


def test_a_source_that_gives_no_page_is_told() -> None:
    async def test() -> None:
        async with fake_server(sources={"mine": lambda key, query, size: [1]}) as (app, fake), app:
            await fake.open(app)
            fake.ask(1, "source/page", source="mine", key=None, query=None, size=2)
            assert "a source's function gives a Page, not a list" in (await replies(fake, 1))["error"]["message"]

    run(test())


def test_handlers_come_before_the_first_call() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            await fake.open(app)
            for decorate in (lambda: app.source("mine"), lambda: app.present("prompt")):
                with pytest.raises(RuntimeError, match="before the first call"):
                    decorate()

    run(test())


def test_what_is_not_known_is_passed_over() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            fake.writer.write(b"\r\n  \n")
            fake.say("sparkle", value=1)
            fake.write({"jsonrpc": "2.0", "method": "loading", "params": {"view": "nobody", "value": True}})
            fake.write({"jsonrpc": "2.0", "method": "$/sparkle"})
            fake.write({"jsonrpc": "2.0", "id": 99, "result": {}})
            fake.write({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}})
            loading = {"jsonrpc": "2.0", "method": "loading", "params": {"view": "v", "value": True, "new": 1}}
            fake.write([loading, 5, {"jsonrpc": "2.0", "method": "later", "params": [1]}])
            await fake.settle(app)
            assert view.loading is True

    run(test())


NONSENSE: list[Any] = [b"Warning: hello\n", b"\xff\n", b'{"jsonrpc"\n', b"[" * 100_000 + b"\n"]
NONSENSE += [{"method": "navigate", "params": {"view": "v", "value": 5}}, {"id": [], "method": "present"}]
NONSENSE += [{"method": "items", "params": {"view": "v", "base": 0, "splices": [{"start": 0}]}}]


@pytest.mark.parametrize("nonsense", NONSENSE, ids=range(len(NONSENSE)))
def test_a_server_that_talks_nonsense_ends_the_session(nonsense: Any) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            waiting = [asyncio.ensure_future(app.ping()), asyncio.ensure_future(view.wait_closed())]
            await fake.next("ping")
            fake.writer.write(nonsense) if isinstance(nonsense, bytes) else fake.write(nonsense)
            for one in waiting:
                with pytest.raises(nagare.ProtocolError, match="server (wrote something|broke the protocol)"):
                    await one

    run(test())


def test_another_version_of_the_protocol_is_refused() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            pinging = asyncio.ensure_future(app.ping())
            results: list[Message] = [{"protocolVersion": "2"}, {"screens": []}]
            for result in results:
                message: Message = json.loads(await fake.reader.readline())
                fake.answer(message, result)
            with pytest.raises(nagare.ProtocolError, match="version '2', not '1'"):
                await pinging

    run(test())


def test_the_end_of_a_connection_reaches_everyone_who_waits() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            waiting: list[Any] = [app.ping(), view.refresh(), view.until(lambda view: view.items), view.wait_closed()]
            waiting += [anext(view.output("error")), app.open("rows")]
            tasks = [asyncio.ensure_future(one) for one in waiting]
            await asyncio.sleep(0)
            await fake.end()
            for task in tasks:
                with pytest.raises(nagare.ServerDied, match="the connection to the server has ended"):
                    await task
            assert view.closed and list(view.items) == []
            with pytest.raises(nagare.ServerDied):
                view.send("refresh")
            for call in (app.ping(), anext(view.output("error")), view.sync()):
                with pytest.raises(nagare.ServerDied):
                    await call

    run(test())


def test_an_app_is_used_while_it_is_entered() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake):
            with pytest.raises(nagare.SessionClosed, match="not yet entered"):
                await app.ping()
            async with app:
                view = await fake.open(app)
                waiting = asyncio.ensure_future(view.until(lambda view: view.items))
                await asyncio.sleep(0)
            await fake.next("shutdown")
            with pytest.raises(nagare.SessionClosed):
                await waiting
            with pytest.raises(nagare.SessionClosed):
                await app.ping()
            with pytest.raises(nagare.SessionClosed):
                view.send("refresh")
            with pytest.raises(nagare.SessionClosed, match="once"):
                await app.__aenter__()
            await app.close()

    run(test())


def test_a_connection_ends_in_order() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake):
            async with app:
                await fake.open(app)
                app._patience = 10
                closing = asyncio.ensure_future(app.close())
                await fake.serve("shutdown", {})
                assert "id" not in await fake.next("exit")
                await closing
                assert await fake.reader.read() == b""

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


def test_the_session_has_its_methods() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            calls: list[tuple[Any, str, Any, Any]] = [
                (app.dispatch("a", 5), "dispatch", {"action": {"type": "a", "value": 5}}, {}),
                (app.advance(300), "clock/advance", {"milliseconds": 300}, {"now": 900}),
                (app.discover(), "rpc.discover", {}, {"openrpc": "1.3.2"}),
            ]
            results = []
            for call, method, params, result in calls:
                calling = asyncio.ensure_future(call)
                assert (await fake.serve(method, result))["params"] == params
                results.append(await calling)
            assert results == [None, 900, {"openrpc": "1.3.2"}]

    run(test())
