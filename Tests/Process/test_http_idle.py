"""`nagare-http` costs nothing while it waits, and needs no more memory for a fast server than for a slow one."""

from __future__ import annotations

import asyncio
import json as text
from pathlib import Path

import pytest
from aiohttp import web
from http_pages import ITEMS, Serve, Source, page, send
from idle import needs_proc, rests, shortest_wait, switches
from server import MEBIBYTE, Server, until
from test_http_live import Items, Told, begin, changed, event, watch, writing
from web_server import json

pytestmark = needs_proc
HOUR = 3_500_000
"""Milliseconds: an event connection ends after an hour of silence. Nothing else has a time limit then."""


def most_resident(server: Server) -> int:
    """The peak memory in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def test_an_idle_program_never_wakes(serve: Serve, source: Source) -> None:
    server = source(serve(json(ITEMS)).url())
    assert rests(server.process.pid)
    page(server)
    assert rests(server.process.pid)


def test_an_idle_event_stream_costs_nothing(serve: Serve, source: Source) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()

    async def tell(response: web.StreamResponse, request: web.BaseRequest) -> None:
        while True:
            await response.write((await told.get()).encode())

    web_server = serve(Items(tell).handle)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    begin(server)
    spent: list[int] = []
    for number in range(20):
        web_server.loop.call_soon_threadsafe(told.put_nowait, event(str(number), {"remove": number}))
        changed(server)
        # The connection ends after an hour of silence. Nothing else has a time limit.
        assert rests(server.process.pid, HOUR)
        spent.append(switches(server.process.pid))
    # One wake-up for each event, and few others.
    assert spent[-1] - spent[0] < 100


def test_the_program_sleeps_until_the_deadline_of_a_slow_page(serve: Serve, source: Source) -> None:
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b"[")
        await asyncio.sleep(600)
        return response

    web_server = serve(handler)
    server = source(web_server.url(), timeout=600_000)
    send(server, 1)
    until(lambda: web_server.running == 1)
    assert rests(server.process.pid, 500_000) and shortest_wait(server.process.pid) <= 600_000


def test_the_program_sleeps_until_the_next_poll(serve: Serve, source: Source) -> None:
    server = source(serve(json(ITEMS)).url(), live={"poll": 86_400_000})
    watch(server)
    page(server, size=20)
    assert rests(server.process.pid, 86_000_000) and shortest_wait(server.process.pid) <= 86_400_000


def test_the_program_sleeps_while_a_server_does_not_answer(serve: Serve, source: Source) -> None:
    async def handler(_: web.BaseRequest) -> web.StreamResponse:
        await asyncio.sleep(600)
        raise AssertionError("nobody waits so long")

    web_server = serve(handler)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")}, timeout=600_000)
    params = {"source": "web", "query": None, "since": None}
    server.send({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": params})
    until(lambda: web_server.running == 1)
    assert rests(server.process.pid, HOUR)
    send(server, 2)
    until(lambda: web_server.running == 2)
    assert rests(server.process.pid, 500_000) and shortest_wait(server.process.pid) <= 600_000


def flood(piece: bytes, megabytes: int, sent: list[int]) -> Told:
    async def told(response: web.StreamResponse, request: web.BaseRequest) -> None:
        for _ in range(megabytes):
            await response.write(piece * (MEBIBYTE // len(piece) + 1))
            sent.append(MEBIBYTE)
        await response.write(event("end", {"remove": 1}).encode())
        await asyncio.sleep(600)

    return told


@pytest.mark.parametrize(
    "piece",
    [b": hello\n", b":\n\n", b"retry: 5\n", b"event: other\ndata: 1\n\n", b"id: x\n", b"x" * 9999 + b"\n", b": " + b"x" * 99_999],
    ids=["comments", "short comments", "retry", "others", "ids", "no field", "a comment without an end"],
)
def test_a_flood_of_meaningless_events_takes_no_memory(serve: Serve, source: Source, piece: bytes) -> None:
    """rules: 6.5.20"""
    sent: list[int] = []
    # If it were kept, it would exceed the allowed memory.
    megabytes = 100 if b"hello" in piece else 40
    web_server = serve(Items(flood(piece, megabytes, sent)).handle)
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")})
    begin(server)
    until(lambda: len(sent) == megabytes)
    if piece.endswith(b"\n"):
        changed(server)
    assert most_resident(server) < 40 * MEBIBYTE


@pytest.mark.parametrize(
    "data", [b"{}", text.dumps({"changes": [{"change": {"id": 1, "text": "x" * 1000}}]}).encode()], ids=["short", "long"]
)
def test_unread_events_wait_at_the_web_server(serve: Serve, nagare_http: str, data: bytes) -> None:
    """The program stops reading, so the web server has to wait; nothing is lost by it.

    rules: 6.5.21
    """
    count = 0

    async def tell(response: web.StreamResponse, request: web.BaseRequest) -> None:
        nonlocal count
        while count < 60_000:
            await response.write(b"".join(b"id: %d\ndata: %s\n\n" % (count + number, data) for number in range(1000)))
            count += 1000
        await asyncio.sleep(600)

    web_server = serve(Items(tell).handle)
    configuration = {"url": web_server.url("/items"), "live": {"events": web_server.url("/events")}}
    server = Server(nagare_http, text.dumps(configuration), reading=False)
    try:
        params = {"source": "web", "query": None, "since": None}
        server.send({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": params})
        until(lambda: unread(web_server.port) > 0)
        assert rests(server.process.pid, HOUR) and unread(web_server.port) > 0
        assert most_resident(server) < 40 * MEBIBYTE
        server.read()
        for number in range(30_000):
            while (message := server.next()).get("params", {}).get("state") is None:
                pass
            assert message["params"]["state"] == str(number)
        assert most_resident(server) < 40 * MEBIBYTE
    finally:
        server.kill()


def unread(port: int) -> int:
    """The number of received bytes from a port that the program hasn't read, from Linux's table of connections."""
    connections = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(int(fields[4].split(":")[1], 16) for fields in connections if int(fields[2].split(":")[1], 16) == port)
