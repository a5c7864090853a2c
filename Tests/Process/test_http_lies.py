"""Web servers that report wrong changes: the list is as good as with a server that reports none."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from http_pages import Serve, Source
from server import MEBIBYTE, Server, Start, until
from test_http_live import Items, Told, begin, changed, event, watch, writing
from web_server import Handler, Web, raw

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
HTML = "<!doctype html><title>Please sign in</title>"


class Listed:
    """A list of a web server's items, shown by a whole server."""

    def __init__(self, start: Start, web_server: Web, folder: Path, **settings: Any) -> None:
        source = {"type": "http", "url": web_server.url("/items"), **settings}
        source.setdefault("live", {"events": web_server.url("/events")})
        screens = {"web": {"viewModel": "list", "source": "web", "livePace": 0}}
        (folder / "nagare.json").write_text(json.dumps({"sources": {"web": source}, "screens": screens}))
        self.server = start("--config", str(folder / "nagare.json"))
        self.server.call("open", screen="web", view="v")
        self.server.notify("viewWillAppear")

    def outputs(self) -> dict[str, Any]:
        outputs = self.server.call("outputs")[0]["result"]["outputs"]
        return {name: said["value"] for name, said in outputs.items()}

    def until(self, *ids: int) -> None:
        """Checks that the list settles on these items."""
        until(lambda: [item["id"] for item in self.outputs()["items"]] == list(ids))


@pytest.fixture
def listed(start: Start, serve: Serve, nagare_http: str, tmp_path: Path) -> Callable[..., Listed]:
    return lambda handler, **settings: Listed(start, serve(handler), tmp_path, **settings)


Lists = Callable[..., Listed]


def told_by(*answers: Handler, items: list[Any] | None = None) -> Handler:
    """Serves items, and these answers in turn to requests for events, the last one repeatedly."""
    own, rest = Items(writing(), items=items), list(answers)

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/items":
            return await own.handle(request)
        return await (rest.pop(0) if len(rest) > 1 else rest[0])(request)

    return handler


def stays(text: str) -> Handler:
    """An answer with events, which stays open in silence."""
    return Items(writing(text)).handle


async def html(_: web.BaseRequest) -> web.StreamResponse:
    return web.Response(text=HTML, content_type="text/html")


async def loop(request: web.BaseRequest) -> web.StreamResponse:
    raise web.HTTPFound(request.path_qs)


def test_a_server_may_ignore_the_last_id_and_repeat_its_events(listed: Lists) -> None:
    story = "retry: 20\n" + event("a", {"insert": {"id": 3}}) + event("b", {"insert": {"id": 4}}) + event("c", {"remove": 3})
    again = [Items(writing(story, stays=False)).handle] * 3
    listed(told_by(*again, stays(story))).until(4, 1, 2)


def test_ids_that_repeat_are_states_like_any_other(listed: Lists) -> None:
    told = event("b", {"insert": {"id": 3}}) + event("a", {"insert": {"id": 4}}) + event("b", {"remove": 1})
    listed(told_by(stays(told))).until(4, 3, 2)


def test_unknown_since_states_cause_requests_with_pauses(serve: Serve, source: Source, listed: Lists) -> None:
    """rules: 6.5.18"""
    asked = 0
    told = stays(event("a", {"insert": {"id": 3}}) + event("c", {"remove": 1}, since="b") + event("d", {"insert": {"id": 5}}))

    async def counted(request: web.BaseRequest) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        return await told(request)

    list = listed(told_by(counted))
    list.until(3, 1, 2)
    for _ in range(500):
        list.outputs()
    assert asked < 10 and list.outputs()["error"] is None


@pytest.mark.parametrize("end", [b"", b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"])
def test_data_after_the_end_is_ignored(listed: Lists, end: bytes) -> None:
    told = event("a", {"insert": {"id": 3}}).encode()
    more = event("b", {"insert": {"id": 4}}).encode()
    cut = raw(HEAD + b"Content-Length: %d\r\n\r\n" % len(told) + told + end + more)
    list = listed(told_by(cut, stays(event("c", {"insert": {"id": 5}}))))
    list.until(5, 3, 1, 2)


def test_chunks_after_the_last_are_ignored(listed: Lists) -> None:
    told, more = event("a", {"insert": {"id": 3}}).encode(), event("b", {"insert": {"id": 4}}).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (told, b"", more))
    cut = raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
    listed(told_by(cut, stays(event("c", {"insert": {"id": 5}})))).until(5, 3, 1, 2)


@pytest.mark.parametrize("reset", [False, True])
def test_an_incomplete_event_is_ignored(listed: Lists, reset: bool) -> None:
    whole = event("a", {"insert": {"id": 3}}).encode()
    half = event("b", {"insert": {"id": 4}}).encode()[:-2]
    cut = raw(HEAD + b"\r\nretry: 20\n" + whole + half, reset)
    list = listed(told_by(cut, stays(event("c", {"insert": {"id": 5}}))))
    # The event just before the reset may have arrived or not.
    until(lambda: [item["id"] for item in list.outputs()["items"] if not reset or item["id"] != 3] == [5, *([] if reset else [3]), 1, 2])


@pytest.mark.parametrize("data", ["{nonsense", "7", "null", '{"changes":{}}', "{}", '{"changes":[7,{"insert":5}]}', "[" * 600, ""])
def test_broken_events_are_reported_and_the_others_count(listed: Lists, data: str) -> None:
    list = listed(told_by(stays(f"id: a\ndata: {data}\n\n" + event("b", {"insert": {"id": 3}}))))
    list.until(3, 1, 2)
    error = list.outputs()["error"]
    assert error["code"] == -32013 and error["trigger"] == "changed"


def test_a_huge_event_reloads_the_list(listed: Lists) -> None:
    async def huge(response: web.StreamResponse, request: web.BaseRequest) -> None:
        await response.write(b"id: a\ndata: ")
        for _ in range(64):
            await response.write(b"x" * MEBIBYTE)
        # Every page request from now on includes it, whether it comes before or after the event.
        web_server.items.insert(0, {"id": 3})
        await response.write(b"\n\n" + event("b", {"insert": {"id": 3}}).encode())
        await asyncio.sleep(60)

    web_server = Items(huge)
    list = listed(web_server.handle, maxResponseSize=MEBIBYTE)
    list.until(3, 1, 2)
    assert list.outputs()["error"] is None


@pytest.mark.parametrize(("answer", "words"), [(html, "answered 200, text/html"), (loop, "redirects")])
def test_an_answer_without_events_keeps_the_list(serve: Serve, source: Source, listed: Lists, answer: Handler, words: str) -> None:
    web_server = serve(answer)
    error = watch(source(web_server.url("/items"), live={"events": web_server.url("/events")}))["error"]
    assert error["code"] == -32012 and words in error["message"]
    assert len(web_server.requests) == 1
    list = listed(told_by(answer))
    list.until(1, 2)
    assert list.outputs()["error"] is None


@pytest.mark.parametrize("answer", [html, loop])
def test_an_event_stream_that_fails_permanently_is_not_requested_again(serve: Serve, source: Source, answer: Handler) -> None:
    once = Items(writing("retry: 20\n" + event("a", {"remove": 1}), stays=False)).handle
    web_server = serve(told_by(once, answer))
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    begin(server)
    changed(server)
    until(lambda: web_server.paths().count("/events") == 2)
    page = server.call("source/page", source="web", key=None, query=None, size=20)[0]["result"]
    assert page["items"] == [{"id": 1}, {"id": 2}] and web_server.paths().count("/events") == 2


@pytest.mark.parametrize("retry", ["0", "1", "-5", "1e9", "99999999999999999999", "soon", ""])
def test_requests_always_have_a_pause(serve: Serve, source: Source, retry: str) -> None:
    web_server = serve(told_by(Items(writing(f"retry: {retry}\n\n", stays=False)).handle))
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    watch(server)
    # As long as thirty pages take one after the other.
    for _ in range(30):
        server.call("source/page", source="web", key=None, query=None, size=20)
    assert web_server.paths().count("/events") < 10


def test_a_decompression_bomb_is_a_gap(serve: Serve, source: Source) -> None:
    bomb = gzip.compress(b"data: " + b"x" * (256 * MEBIBYTE) + b"\n\n" + event("b", {"remove": 1}).encode())

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        headers = {"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        await response.write(bomb)
        await asyncio.sleep(60)
        return response

    web_server = serve(handler)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")}, maxResponseSize=MEBIBYTE)
    server.call("ping")
    before = server.resident()
    begin(server)
    assert changed(server)[0]["changes"] == "all"
    assert server.resident() - before < 64 * MEBIBYTE


def test_changes_before_the_watch_are_ignored(serve: Serve, source: Source) -> None:
    web_server = serve(Items(writing(event("a", {"remove": 1}))).handle)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    page = server.call("source/page", source="web", key=None, query=None, size=20)
    assert page == ({"jsonrpc": "2.0", "id": page[0]["id"], "result": page[0]["result"]}, [])
    assert web_server.paths() == ["/items"], "nobody has asked to be told"


@pytest.mark.parametrize("lie", ["not modified", "html", "500", "redirect", "broken"])
def test_a_wrong_answer_to_a_poll_keeps_the_list(listed: Lists, lie: str) -> None:
    """rules: 6.5.23"""
    asked = 0

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        if asked == 1 or asked > 4:
            return web.json_response([{"id": 1}, {"id": 2}] if asked == 1 else [{"id": 3}, {"id": 1}, {"id": 2}])
        if lie == "not modified":
            return web.Response(status=304)
        if lie == "html":
            return await html(request)
        if lie == "500":
            return web.Response(status=500)
        return await (loop(request) if lie == "redirect" else raw(b"HTTP/1.1 200 OK\r\n\r\n[{", True)(request))

    list = listed(handler, live={"poll": 100}, retries=0)
    list.until(3, 1, 2)
    assert asked > 4 and list.outputs()["error"] is None
