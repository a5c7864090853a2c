"""Requests in both directions, with a fake server."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import nagare
import pytest
from conftest import run
from fake import SCREENS, Message, fake_server

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
def test_an_invalid_error_object_raises_an_internal_error(error: Any) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            pinging = asyncio.ensure_future(app.ping())
            fake.refuse(await fake.next("ping"), error)
            with pytest.raises(nagare.InternalError, match="an error that is none"):
                await pinging

    run(test())


def test_cancelling_a_call_cancels_its_request() -> None:
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
def test_a_view_is_closed_if_its_open_call_was_cancelled(late: bool) -> None:
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
                # The caller is cancelled after the answer has arrived, but before the caller resumes.
                connection = app._connection
                assert connection is not None
                connection._receive_answer({"id": asked["id"], "result": result})
                opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            closed = await fake.next("close")
            assert closed["params"] == {"view": "v"} and "id" not in closed and not app._views

    run(test())


def test_cancelling_one_call_during_initialization_leaves_the_other_calls_running() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            first, second = asyncio.ensure_future(app.screens()), asyncio.ensure_future(app.screens())
            await asyncio.sleep(0)
            first.cancel()
            await fake.settle(app)
            assert len(await second) == len(SCREENS) and first.cancelled()

    run(test())


def test_a_failed_initialization_without_waiting_calls_is_not_reported() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            pinging = asyncio.ensure_future(app.ping())
            await asyncio.sleep(0)
            pinging.cancel()
            await fake.reader.readline()
        assert pinging.cancelled()
        app._initializing = None
        gc.collect()

    run(test())


def test_unknown_messages_and_fields_are_ignored() -> None:
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
def test_an_invalid_message_of_the_server_ends_the_session(nonsense: Any) -> None:
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


def test_an_unknown_version_of_the_protocol_is_refused() -> None:
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


def test_the_end_of_a_connection_ends_all_waiting_calls() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            waiting: list[Any] = [app.ping(), view.refresh(), view.until(lambda view: view.items), view.wait_closed()]
            waiting += [anext(view.output("rang")), app.open("rows")]
            tasks = [asyncio.ensure_future(one) for one in waiting]
            await asyncio.sleep(0)
            await fake.end()
            for task in tasks:
                with pytest.raises(nagare.ServerDied, match="the connection to the server has ended"):
                    await task
            assert view.closed and list(view.items) == []
            with pytest.raises(nagare.ServerDied):
                view.send("refresh")
            for call in (app.ping(), anext(view.output("rang")), view.sync()):
                with pytest.raises(nagare.ServerDied):
                    await call

    run(test())


def test_an_app_works_only_inside_async_with() -> None:
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


def test_closing_an_app_sends_shutdown_and_exit() -> None:
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


def test_a_second_close_waits_for_the_first() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake):
            async with app:
                await fake.open(app)
                app._patience = 10
                closing = [asyncio.ensure_future(app.close()) for _ in range(2)]
                asked = await fake.next("shutdown")
                await asyncio.wait(closing, return_when=asyncio.FIRST_COMPLETED, timeout=0)
                assert not any(one.done() for one in closing)
                fake.answer(asked, {})
                await asyncio.gather(*closing)

    run(test())


def test_an_app_has_a_method_for_each_method_of_the_session() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            calls: list[tuple[Any, str, Any, Any]] = [
                (app.dispatch("a", 5), "dispatch", {"action": {"type": "a", "value": 5}, "wait": True}, {"outcome": "nothing"}),
                (app.advance(300), "clock/advance", {"milliseconds": 300}, {"now": 900}),
                (app.discover(), "rpc.discover", {}, {"openrpc": "1.3.2"}),
            ]
            results = []
            for call, method, params, result in calls:
                calling = asyncio.ensure_future(call)
                assert (await fake.serve(method, result))["params"] == params
                results.append(await calling)
            app.send_action("b")
            sent = await fake.next("dispatch")
            assert sent["params"] == {"action": {"type": "b", "value": None}} and "id" not in sent
            assert results == ["nothing", 900, {"openrpc": "1.3.2"}]

    run(test())
