"""Changing lists of web servers: reported by server-sent events, or found by polling."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from http_pages import Serve, Source
from server import Message, Server, Start, until

Told = Callable[[web.StreamResponse, web.BaseRequest], Awaitable[None]]


class Items:
    """A web server's items and events: `told` writes the events of one connection after the other."""

    def __init__(self, *told: Told, items: list[Any] | None = None) -> None:
        self.items = items or [{"id": 1}, {"id": 2}]
        self.told = list(told)
        self.ids: list[str | None] = []
        self.asked = 0

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/items":
            self.asked += 1
            tag = f'"{hash(json.dumps(self.items))}"'
            if request.headers.get("If-None-Match") == tag:
                return web.Response(status=304)
            return web.json_response(self.items, headers={"ETag": tag})
        self.ids.append(request.headers.get("Last-Event-ID"))
        told = self.told.pop(0) if len(self.told) > 1 else self.told[0]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await told(response, request)
        return response


def writing(*pieces: str, stays: bool = True) -> Told:
    """Writes these and keeps the connection open, or hangs up."""

    async def told(response: web.StreamResponse, request: web.BaseRequest) -> None:
        for piece in pieces:
            await response.write(piece.encode())
        if stays:
            await asyncio.sleep(60)

    return told


def event(id: str | None, *changes: Any, **members: Any) -> str:
    data = json.dumps({"changes": list(changes), **members})
    return (f"id: {id}\n" if id else "") + f"data: {data}\n\n"


def watch(server: Server, since: str | None = None) -> Message:
    return server.call("source/watch", source="web", query=None, since=since)[0]


def changed(server: Server, count: int = 1) -> list[Message]:
    """Returns the next reports of changes."""
    said: list[Message] = []
    while len(said) < count:
        message = server.next()
        if message.get("method") == "source/changed":
            said.append(message["params"])
    return said


def begin(server: Server) -> None:
    """Watches and requests a page, as a list does."""
    page = {"source": "web", "key": None, "query": None, "size": 20}
    watched = {"source": "web", "query": None, "since": None}
    server.send(
        {"jsonrpc": "2.0", "id": "w", "method": "source/watch", "params": watched},
        {"jsonrpc": "2.0", "id": "p", "method": "source/page", "params": page},
    )
    assert server.next() == {"jsonrpc": "2.0", "id": "w", "result": {}}


@pytest.fixture
def live(serve: Serve, source: Source) -> Callable[..., Server]:
    def live(items: Items, **settings: Any) -> Server:
        web_server = serve(items.handle)
        return source(web_server.url("/items"), live=settings or {"events": web_server.url("/events")})

    return live


Live = Callable[..., Server]


def test_events_become_changes_and_their_ids_states(live: Live) -> None:
    """rules: 6.5.16"""
    server = live(Items(writing(": hello\n\n", event("a", {"remove": 1}), event("b", {"remove": 2}, total=0))))
    begin(server)
    assert changed(server, 2) == [
        {"source": "web", "query": None, "state": "a", "changes": [{"remove": 1}]},
        {"source": "web", "query": None, "since": "a", "state": "b", "total": 0, "changes": [{"remove": 2}]},
    ]


def test_an_ended_connection_is_renewed_from_the_last_id(live: Live) -> None:
    """rules: 6.5.18"""
    items = Items(
        writing("retry: 20\n", event("a", {"remove": 1}), "data: cut of", stays=False),
        writing(event("b", {"remove": 2})),
    )
    server = live(items)
    begin(server)
    assert [params["state"] for params in changed(server, 2)] == ["a", "b"]
    assert items.ids == [None, "a"]


def test_a_watch_continues_from_a_known_state(live: Live) -> None:
    items = Items(writing(event("c", {"remove": 1})))
    server = live(items)
    assert watch(server, since="b")["result"] == {"state": "b"}
    assert changed(server)[0]["since"] == "b" and items.ids == ["b"]


def test_without_ids_everything_is_reloaded_after_a_gap(live: Live) -> None:
    """rules: 6.5.18"""
    told = writing("retry: 20\n", event(None, {"remove": 1}), stays=False)
    server = live(Items(told, writing()))
    watch(server)
    # The program hasn't requested a page yet, so the watcher's page must be an older one.
    assert [params["changes"] for params in changed(server, 3)] == ["all", [{"remove": 1}], "all"]


def test_events_begin_before_the_page_is_requested(live: Live) -> None:
    """rules: 6.5.17"""
    items = Items(writing())

    async def told(response: web.StreamResponse, request: web.BaseRequest) -> None:
        assert items.asked == 0
        await response.write(event("a", {"remove": 1}).encode())
        await asyncio.sleep(60)

    items.told = [told]
    server = live(items)
    begin(server)
    assert changed(server)[0]["state"] == "a" and items.ids == [None]


def test_a_broken_event_is_reported_and_the_others_count(live: Live) -> None:
    """rules: 6.5.20"""
    server = live(Items(writing("id: a\ndata: {nonsense\n\n", "id: b\ndata: 7\n\n", event("c", {"remove": 1}))))
    begin(server)
    assert changed(server, 3) == [
        {"source": "web", "query": None, "state": "a", "changes": False},
        {"source": "web", "query": None, "since": "a", "state": "b", "changes": False},
        {"source": "web", "query": None, "since": "b", "state": "c", "changes": [{"remove": 1}]},
    ]


def test_an_event_that_is_too_large_is_a_gap(serve: Serve, source: Source) -> None:
    """rules: 6.5.20"""
    big = "id: a\ndata: " + "x" * 3000 + "\n\n"
    items = Items(writing(big, event("b", {"remove": 1})))
    web_server = serve(items.handle)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")}, maxResponseSize=2000)
    begin(server)
    assert [params["changes"] for params in changed(server, 2)] == ["all", [{"remove": 1}]]


def test_a_server_without_events_refuses_the_watch(serve: Serve, source: Source) -> None:
    """rules: 6.5.19"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        return web.json_response([])

    web_server = serve(handler)
    error = watch(source(web_server.url("/items"), live={"events": web_server.url("/items")}))["error"]
    assert error["code"] == -32012 and "answered 200, application/json, not 200, text/event-stream" in error["message"]


def test_an_unavailable_server_is_retried(serve: Serve, source: Source) -> None:
    """rules: 6.5.19"""
    answers = iter([503, 500])

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if status := next(answers, None):
            return web.Response(status=status)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await writing(event("a", {"remove": 1}))(response, request)
        return response

    web_server = serve(handler)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    begin(server)
    changed(server)


def test_the_connection_closes_when_the_watch_ends(serve: Serve, source: Source) -> None:
    web_server = serve(Items(writing()).handle)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    watch(server)
    assert web_server.running == 1
    server.notify("source/unwatch", source="web", query=None)
    until(lambda: web_server.running == 0)


@pytest.mark.parametrize(
    ("asked", "answers", "connections"),
    [
        # A stream from a certain state also serves watchers without a state; they use what happens from now on.
        ([None, "b"], [{"result": {}}, {"result": {"state": "b"}}], [None, "b"]),
        (["b", None], [{"result": {"state": "b"}}, {"result": {}}], ["b"]),
        (["a", "b"], [{"code": -32014}, {"result": {"state": "b"}}], ["a", "b"]),
        (["a", "unwatch"], [{"code": -32800}], ["a"]),
    ],
)
def test_each_watch_is_answered_whatever_is_requested_meanwhile(
    serve: Serve, source: Source, asked: list[str | None], answers: list[Any], connections: list[str | None]
) -> None:
    items, gate = Items(writing()), asyncio.Event()

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/events":
            heard.append(request.headers.get("Last-Event-ID"))
            await gate.wait()
        return await items.handle(request)

    heard: list[str | None] = []
    web_server = serve(handler)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    for number, since in enumerate(asked):
        if since == "unwatch":
            server.notify("source/unwatch", source="web", query=None)
        else:
            params = {"source": "web", "query": None, "since": since}
            server.send({"jsonrpc": "2.0", "id": number, "method": "source/watch", "params": params})
        until(lambda: heard == connections[: number + 1])
    web_server.loop.call_soon_threadsafe(gate.set)
    said: dict[int, Message] = {}
    while len(said) < len(answers):
        message = server.next()
        if "id" in message:
            said[message["id"]] = message
    for number, answer in enumerate(answers):
        found = said[number].get("error", {}) | said[number]
        assert {name: found.get(name) for name in answer} == answer


def test_a_poll_finds_new_changed_and_removed_items(live: Live) -> None:
    """rules: 6.5.22"""
    items = Items(items=[{"id": 1}, {"id": 2}, {"id": 3}])
    server = live(items, poll=100)
    assert watch(server)["result"] == {}
    server.call("source/page", source="web", key=None, query=None, size=20)
    items.items = [{"id": 0}, {"id": 1, "n": 1}, {"id": 3}]
    changes = changed(server)[0]["changes"]
    assert changes == [{"remove": 2}, {"insert": {"id": 0}}, {"change": {"id": 1, "n": 1}}]
    items.items = [{"id": 3}, {"id": 0}, {"id": 1, "n": 1}, {"id": 4}]
    assert changed(server)[0]["changes"] == [{"insert": {"id": 3}}, {"insert": {"id": 4}, "after": 1}]
    items.items = [{"id": 9}]
    assert changed(server)[0]["changes"] == "all"
    asked = items.asked
    until(lambda: items.asked > asked + 2)


def test_a_list_polls_without_messages_to_the_client(start: Start, serve: Serve, nagare_http: str, tmp_path: Path) -> None:
    """rules: 6.5.22"""
    items = Items()
    source = {"type": "http", "url": serve(items.handle).url("/items"), "live": {"poll": 100}}
    screens = {"web": {"viewModel": "list", "source": "web", "livePace": 0}}
    (tmp_path / "nagare.json").write_text(json.dumps({"sources": {"web": source}, "screens": screens}))
    server = start("--config", str(tmp_path / "nagare.json"))
    server.call("open", screen="web", view="v")
    server.notify("viewWillAppear")
    server.hear("items", where=lambda value: value == [{"id": 1}, {"id": 2}])
    server.hear("loading", where=lambda value: not value)
    items.items = [{"id": 3}, {"id": 1}, {"id": 2}]
    while (message := server.next())["method"] != "items":
        assert message["method"] != "loading"
    assert message["params"]["value"] == items.items


def test_a_list_receives_events_and_outlives_its_program(
    start: Start, serve: Serve, nagare_http: str, tmp_path: Path
) -> None:
    items = Items(
        writing(event("a", {"insert": {"id": 3}}), "data: nonsense\n\n"),
        writing(event("b", {"insert": {"id": 4}})),
    )
    web_server = serve(items.handle)
    source = {"type": "http", "url": web_server.url("/items"), "live": {"events": web_server.url("/events")}}
    screens = {"web": {"viewModel": "list", "source": "web", "livePace": 0}}
    (tmp_path / "nagare.json").write_text(json.dumps({"sources": {"web": source}, "screens": screens}))
    server = start("--config", str(tmp_path / "nagare.json"))
    server.call("open", screen="web", view="v")
    server.notify("viewWillAppear")
    server.hear("items", where=lambda value: value == [{"id": 3}, {"id": 1}, {"id": 2}])
    # The web server decides which of the two comes first.
    until(lambda: server.call("outputs")[0]["result"]["outputs"]["error"]["value"] is not None)
    assert server.call("outputs")[0]["result"]["outputs"]["error"]["value"]["code"] == -32013
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    server.hear("items", where=lambda value: [item["id"] for item in value] == [4, 3, 1, 2])
    assert items.ids == [None, "a"]
