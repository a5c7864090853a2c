"""A waiting server costs nothing: with each kind of source it never wakes by itself, or seldom and for a reason."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from http_pages import Serve
from idle import needs_proc, rests
from server import Server, Start

LIVE_PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = {"state": "s"} if message["method"] == "source/watch" else {"items": [{"id": 1}], "state": "s"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
# The page never arrives.
SILENT_PROGRAM = "import sys\nfor line in sys.stdin: pass\n"
SECOND = 900
"""The shortest interval of periodic checks, in milliseconds: whether a program with an outstanding request is alive, and whether
a followed file has changed, if the system doesn't report it."""

pytestmark = needs_proc


def configure(folder: Path, source: dict[str, Any], **screen: Any) -> str:
    path = folder / "nagare.json"
    path.write_text(
        json.dumps({"sources": {"s": source}, "screens": {"rows": {"viewModel": "list", "source": "s", **screen}}})
    )
    return str(path)


def open_rows(server: Server, is_answered: bool = True) -> None:
    server.call("open", screen="rows", view="v")
    server.call("viewWillAppear", view="v", **({"wait": True} if is_answered else {}))


def command(folder: Path, program: str, **members: Any) -> dict[str, Any]:
    (folder / "rows.py").write_text(program)
    return {"type": "command", "command": [sys.executable, "rows.py"], **members}


def test_without_a_view_it_never_wakes(start: Start) -> None:
    server = start()
    server.call("ping")
    assert rests(server.process.pid)


def test_without_a_message_it_never_wakes(start: Start) -> None:
    assert rests(start().process.pid)


@pytest.mark.parametrize("screen", ["items", "inbox", "search", "feed"])
def test_with_the_demo_it_never_wakes(start: Start, screen: str) -> None:
    server = start()
    server.call("open", screen=screen, view="v")
    server.notify("viewWillAppear", view="v")
    server.call("ping")
    assert rests(server.process.pid)


def test_with_a_file_it_never_wakes(start: Start, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id":1}\n')
    server = start("--config", configure(tmp_path, {"type": "file", "path": "rows.jsonl"}))
    open_rows(server)
    assert rests(server.process.pid)


def test_with_a_followed_file_it_seldom_wakes(start: Start, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id":1}\n')
    server = start("--config", configure(tmp_path, {"type": "file", "path": "rows.jsonl", "follow": True}))
    open_rows(server)
    assert rests(server.process.pid, SECOND)


@pytest.mark.parametrize("live", [False, True])
def test_with_a_program_it_never_wakes(start: Start, tmp_path: Path, live: bool) -> None:
    server = start("--config", configure(tmp_path, command(tmp_path, LIVE_PROGRAM, live=live)))
    open_rows(server)
    assert rests(server.process.pid)


def test_with_a_program_that_never_answers_it_seldom_wakes(start: Start, tmp_path: Path) -> None:
    server = start("--config", configure(tmp_path, command(tmp_path, SILENT_PROGRAM)))
    open_rows(server, is_answered=False)
    assert rests(server.process.pid, SECOND)


def test_with_a_client_that_never_answers_it_never_wakes(start: Start, tmp_path: Path) -> None:
    server = start("--config", configure(tmp_path, {"type": "client"}))
    server.call("initialize", protocolVersion="1", capabilities={"sources": ["s"]})
    open_rows(server, is_answered=False)
    assert rests(server.process.pid, SECOND)


def test_with_a_client_that_reads_nothing_it_never_wakes(start: Start) -> None:
    server = start(reading=False)
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}).encode() + b"\n"
    server.write(ping * 20)
    assert rests(server.process.pid)


@pytest.mark.parametrize("live", [None, {"events": "/events"}, {"poll": 60_000}])
def test_with_a_web_server_it_never_wakes(start: Start, serve: Serve, tmp_path: Path, live: dict[str, Any] | None) -> None:
    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        if request.path != "/events":
            return web.json_response([{"id": 1}])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await asyncio.sleep(600)
        return response

    address = serve(handle)
    source: dict[str, Any] = {"type": "http", "url": address.url("/items?page={page}&size={size}")}
    if live and "events" in live:
        live = {"events": address.url("/events")}
    server = start("--config", configure(tmp_path, {**source, **({"live": live} if live else {})}))
    open_rows(server)
    assert rests(server.process.pid)
    children = (Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")).read_text().split()
    assert children
    for child in children:
        assert rests(int(child), SECOND)

