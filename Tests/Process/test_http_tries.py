"""`nagare-http` retries, follows redirects, runs requests in parallel and cancels them, all within its limits."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest
from aiohttp import web
from http_pages import ITEMS, Ask, Serve, Source, failed, page, send, slow
from server import until
from web_server import always, each, json, raw


def test_a_request_that_fails_once_is_retried(serve: Serve, source: Source) -> None:
    """rules: 6.5.10"""
    for first in (json("", status=500), json("", status=503), raw(b""), raw(b"", reset=True)):
        web_server = serve(each(first, json(ITEMS)))
        assert page(source(web_server.url(), retries=1))["items"] == [{"id": 1}, {"id": 2}]
        assert len(web_server.requests) == 2


def test_a_permanent_failure_is_reported_after_the_last_retry(serve: Serve, source: Source) -> None:
    web_server = serve(json("", status=503))
    start = time.monotonic()
    failed(page(source(web_server.url(), retries=2)), 503, True, "503", "try again")
    assert len(web_server.requests) == 3
    assert time.monotonic() - start > 0.7


@pytest.mark.parametrize("kind", ["seconds", "date"])
def test_a_retry_waits_for_the_time_that_the_server_names(serve: Serve, source: Source, kind: str) -> None:
    """rules: 6.5.10"""
    now = time.time()
    named = "2" if kind == "seconds" else formatdate(now + 2, usegmt=True)
    web_server = serve(each(json("", status=429, Retry_After=named, Date=formatdate(now, usegmt=True)), json(ITEMS)))
    start = time.monotonic()
    assert page(source(web_server.url(), retries=1))["items"] == [{"id": 1}, {"id": 2}]
    assert time.monotonic() - start > 1.9


def test_a_server_that_names_a_long_time_is_not_retried(serve: Serve, source: Source) -> None:
    """rules: 6.5.10"""
    web_server = serve(json("", status=429, Retry_After="3600"))
    server = source(web_server.url(), retries=3)
    for _ in range(3):
        failed(page(server), 429, True, "3600")
    assert len(web_server.requests) == 1


def test_a_redirect_on_the_same_server_is_followed(serve: Serve, source: Source) -> None:
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/old":
            raise web.HTTPPermanentRedirect("/new?page=1")
        return web.Response(text=ITEMS)

    web_server = serve(handler)
    assert page(source(web_server.url("/old")))["items"] == [{"id": 1}, {"id": 2}]
    assert web_server.paths() == ["/old", "/new?page=1"]


def test_a_redirect_to_another_server_is_refused(serve: Serve, source: Source) -> None:
    """rules: 6.5.9"""
    other = serve(json(ITEMS))
    web_server = serve(always(lambda: web.Response(status=302, headers={"Location": other.url("/x?token=hunter2")})))
    answer = page(source(web_server.url()))
    failed(answer, 302, False, other.url("/x"), "allowRedirectsTo")
    assert "hunter2" not in answer["message"] and not other.requests


def test_secrets_are_not_sent_to_another_server(serve: Serve, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """rules: 6.5.9"""
    monkeypatch.setenv("NAGARE_TEST_TOKEN", "hunter2")
    other = serve(json(ITEMS))
    web_server = serve(always(lambda: web.Response(status=307, headers={"Location": other.url("/x")})))
    server = source(
        web_server.url(),
        headers={"Authorization": {"environment": "NAGARE_TEST_TOKEN"}, "X-Plain": "yes"},
        allowRedirectsTo=[f"127.0.0.1:{other.port}"],
    )
    assert page(server)["items"] == [{"id": 1}, {"id": 2}]
    assert web_server.requests[0].headers["Authorization"] == "hunter2"
    assert "Authorization" not in other.requests[0].headers and other.requests[0].headers["X-Plain"] == "yes"


def test_a_circle_of_redirects_is_an_error(serve: Serve, source: Source) -> None:
    """rules: 6.5.9"""
    web_server = serve(always(lambda: web.Response(status=302, headers={"Location": "/"})))
    failed(page(source(web_server.url(), retries=3)), -32012, False, "redirects more than 5 times")
    assert len(web_server.requests) == 6


@pytest.mark.parametrize("location", [None, "", "file:///etc/passwd", "http://[", "gopher://127.0.0.1/"])
def test_an_invalid_redirect_is_an_error(ask: Ask, location: str | None) -> None:
    headers = {} if location is None else {"Location": location}
    failed(ask(always(lambda: web.Response(status=301, headers=headers))), 301, False, "301")


def test_no_more_requests_run_than_allowed(serve: Serve, source: Source) -> None:
    async def handler(_: web.BaseRequest) -> web.StreamResponse:
        await asyncio.sleep(0.05)
        return web.Response(text=ITEMS)

    web_server = serve(handler)
    server = source(web_server.url(), maxConcurrent=3)
    send(server, *range(30))
    assert sorted(server.next()["id"] for _ in range(30)) == list(range(30))
    assert web_server.most_running == 3


def test_cancelling_closes_the_connection(serve: Serve, source: Source) -> None:
    """rules: 6.5.12"""
    web_server = serve(each(slow, json(ITEMS)))
    server = source(web_server.url(), maxConcurrent=1)
    send(server, 1)
    until(lambda: web_server.running == 1)
    server.notify("$/cancelRequest", id=1)
    reply = server.next()
    assert (reply["id"], reply["error"]["code"]) == (1, -32800)
    until(lambda: web_server.dropped == 1)
    send(server, 2)
    assert server.next()["id"] == 2


def test_cancelling_ends_the_wait_for_a_retry(serve: Serve, source: Source) -> None:
    web_server = serve(json("", status=503))
    server = source(web_server.url(), retries=5)
    send(server, 1)
    until(lambda: len(web_server.requests) == 2)
    server.notify("$/cancelRequest", id=1)
    assert server.next()["error"]["code"] == -32800
    tries = len(web_server.requests)
    time.sleep(2)
    assert len(web_server.requests) == tries


def test_hundreds_of_requests_may_start_and_end(serve: Serve, source: Source) -> None:
    async def handler(_: web.BaseRequest) -> web.StreamResponse:
        await asyncio.sleep(0.002 * (len(web_server.requests) % 7))
        return web.Response(text=ITEMS)

    web_server = serve(handler)
    server = source(web_server.url(), maxConcurrent=20)
    for start in range(0, 600, 3):
        send(server, start, start + 1, start + 2)
        server.notify("$/cancelRequest", id=start + 1)
    replies = [server.next() for _ in range(600)]
    assert sorted(reply["id"] for reply in replies) == list(range(600))
    assert sum("result" in reply for reply in replies) >= 400
