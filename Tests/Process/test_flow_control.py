"""The output queued for a client is bounded, whether single requests, batches or a source produce it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import struct
import sys
import termios
import threading
from pathlib import Path
from typing import Any

import pytest
from command_programs import PRELUDE
from server import MEBIBYTE, Message, Server, Start, until

# The bytes that a slow reader takes at a time, and the content of the pipe after the server has refilled it.
PIECE = 4096
FULL = 64 * 1024 - PIECE + 1


def request(number: int | str, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def unread(server: Server) -> int:
    """The number of bytes that wait in the pipe from the server."""
    held: int = struct.unpack("i", fcntl.ioctl(server.output, termios.FIONREAD, b"\0" * 4))[0]
    return held


def configure(folder: Path, **members: Any) -> str:
    path = folder / "nagare.json"
    path.write_text(json.dumps(members))
    return str(path)


def ask_in_the_background(server: Server, requests: bytes) -> None:
    """Writes as long as the server accepts bytes."""

    def write() -> None:
        with contextlib.suppress(OSError, ValueError):  # the test is over
            server.write(requests)

    threading.Thread(target=write, daemon=True).start()


def read_slowly(server: Server, pieces: int) -> int:
    """Reads piece by piece, each after the server has finished its work. Returns the server's peak memory."""
    most = 0
    for _ in range(pieces):
        until(lambda: unread(server) >= FULL)
        os.read(server.output.fileno(), PIECE)
        most = max(most, server.resident())
    return most


@pytest.mark.parametrize(("method", "count", "pieces"), [("outputs", 500, 200), ("rpc.discover", 2000, 1000)])
def test_a_slow_reader_of_large_replies_costs_little(
    start: Start, tmp_path: Path, method: str, count: int, pieces: int
) -> None:
    """Each piece that is taken makes room for a little, not for another reply of a megabyte. rules: 1.5.4"""
    items = "".join(json.dumps({"id": number, "text": "x" * 200}) + "\n" for number in range(5000))
    (tmp_path / "items.jsonl").write_text(items)
    screens = {"l": {"viewModel": "list", "source": "s", "pageSize": 5000}}
    server = start("--config", configure(tmp_path, sources={"s": {"type": "file", "path": "items.jsonl"}}, screens=screens), reading=False)
    server.send(
        {"jsonrpc": "2.0", "id": 0, "method": "open", "params": {"screen": "l"}},
        {"jsonrpc": "2.0", "id": 1, "method": "viewWillAppear"},
    )
    while b'"id":1,' not in server.output.readline()[:40]:
        pass
    before = server.resident()
    ask_in_the_background(server, b"".join(request(number, method) + b"\n" for number in range(count)))
    most = read_slowly(server, pieces)
    assert most < before + 8 * MEBIBYTE


def test_a_busy_source_stops_the_messages_of_a_client_that_does_not_read(
    start: Start, tmp_path: Path
) -> None:
    """rules: 1.5.4"""
    program = """
for id, params in requests():
    page(id, 1)
    while not os.path.exists("go"):
        time.sleep(0.001)
    for number in range(3000):
        say({"method": "$/tick", "params": {"text": "x" * 1000}})
    leave("done", "")
"""
    (tmp_path / "rows.py").write_text(PRELUDE + program)
    sources = {"s": {"type": "command", "command": [sys.executable, "rows.py"]}}
    server = start("--config", configure(tmp_path, sources=sources, screens={"l": {"viewModel": "list", "source": "s"}}), reading=False)
    server.send(
        {"jsonrpc": "2.0", "id": 0, "method": "open", "params": {"screen": "l"}},
        {"jsonrpc": "2.0", "method": "viewWillAppear"},
    )
    while b'"requestFinished"' not in (line := server.output.readline()) and b'"reachedBottom"' not in line:
        pass
    ask_in_the_background(server, b"".join(request(number, "rpc.discover") + b"\n" for number in range(40_000)))
    until(lambda: unread(server) >= FULL)
    before = server.resident()
    (tmp_path / "go").touch()
    until((tmp_path / "done").exists)
    assert server.resident() < before + 16 * MEBIBYTE


def test_the_answer_to_a_batch_is_bounded_and_every_member_answered(start: Start) -> None:
    """rules: 2.3.7"""
    count = 3000
    batch = b"[" + b",".join(request(number, "rpc.discover") for number in range(count)) + b"]\n"
    server = start()
    server.call("ping")
    before = server.resident()
    server.write(batch)
    answers: list[Message] = json.loads(server.next_line())
    assert server.resident() < before + 96 * MEBIBYTE
    assert [answer["id"] for answer in answers] == list(range(count))
    given = [answer for answer in answers if "result" in answer]
    assert 100 < len(given) < 1000 and given == answers[: len(given)]
    for answer in answers[len(given) :]:
        assert answer["error"]["code"] == -32005
        assert answer["error"]["data"] == {"limit": "batchAnswer", "max": 16 * MEBIBYTE}


def test_a_source_is_read_while_a_batch_is_handled(start: Start, tmp_path: Path) -> None:
    """The page that the batch's first member requests is sent before the batch's answer. rules: 2.3.3"""
    (tmp_path / "rows.py").write_text(PRELUDE + "for id, params in requests(): page(id, params['key'] or 'a', next='b')")
    sources = {"s": {"type": "command", "command": [sys.executable, "rows.py"]}}
    server = start("--config", configure(tmp_path, sources=sources, screens={"l": {"viewModel": "list", "source": "s"}}))
    server.call("initialize", protocolVersion="1", capabilities={"deltas": True})
    server.call("open", screen="l", view="v")
    server.notify("viewWillAppear", view="v")
    server.hear("state", where=lambda state: state["phase"] == "requestFinished")
    edit = b'{"jsonrpc":"2.0","method":"change","params":{"view":"v","item":{"id":"a","n":%d}}}'
    edits = b",".join(edit % number for number in range(99_998))
    more = b'{"jsonrpc":"2.0","method":"reachBottom","params":{"view":"v"}}'
    server.write(b"[" + more + b"," + edits + b',{"jsonrpc":"2.0","id":"last","method":"ping"}]\n')
    said = [json.loads(server.next_line())]
    while isinstance(said[-1], dict):
        said.append(json.loads(server.next_line()))
    assert said[-1] == [{"jsonrpc": "2.0", "id": "last", "result": {}}]
    assert any(message["method"] == "items" and message["params"]["count"] == 2 for message in said[:-1])
