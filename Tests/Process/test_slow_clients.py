"""A client that reads slowly costs the server little, and receives everything that must not be lost."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from server import MEBIBYTE, Message, Server, Start


def changes(item: Message, count: int) -> bytes:
    """Makes a number of edits of one item, with a ping after every hundredth."""
    edit = json.dumps({"jsonrpc": "2.0", "method": "change", "params": {"view": "v", "item": {**item, "edit": "number"}}})
    head, tail = edit.split('"number"')
    lines: list[bytes] = []
    for number in range(count):
        lines.append(f"{head}{number}{tail}".encode())
        if number % 100 == 99:
            lines.append(json.dumps({"jsonrpc": "2.0", "id": f"ping {number}", "method": "ping"}).encode())
    return b"\n".join(lines) + b"\n"


def open_demo(server: Server, **capabilities: Any) -> list[Message]:
    """Opens the demo list with a hundred mails; the server's output is read line by line."""
    server.send(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
        | {"params": {"protocolVersion": "1", "capabilities": capabilities}},
        {"jsonrpc": "2.0", "id": 2, "method": "open"}
        | {"params": {"screen": "items", "view": "v", "params": {"pageSize": 100}}},
        {"jsonrpc": "2.0", "id": 3, "method": "viewWillAppear", "params": {"view": "v"}},
        {"jsonrpc": "2.0", "id": 4, "method": "clock/advance", "params": {"milliseconds": 300}},
        {"jsonrpc": "2.0", "id": 5, "method": "outputs", "params": {"view": "v"}},
    )
    while True:
        message: Message = json.loads(server.output.readline())  # unbuffered: takes no byte of the next line
        if message.get("id") == 5:
            items: list[Message] = message["result"]["outputs"]["items"]["value"]
            assert len(items) == 100
            return items


def overrun(start: Start, count: int, **capabilities: Any) -> list[Message]:
    """Sends edits without reading, then reads. Returns the received messages, in order."""
    server = start("--clock", "virtual", reading=False)
    items = open_demo(server, **capabilities)
    before = server.resident()
    server.write(changes(items[7], count))  # returns only because the server doesn't wait for this reader
    assert server.resident() < before + 32 * MEBIBYTE
    server.close()
    server.read()
    messages = server.rest()
    assert server.ends() == 0
    return messages


def test_unsent_items_merge_and_no_reply_is_lost(start: Start) -> None:
    """rules: 1.5.1, 1.5.3"""
    messages = overrun(start, 100_000)
    said = [message for message in messages if message.get("method") == "items"]
    assert [message["id"] for message in messages if "id" in message] == [f"ping {n}" for n in range(99, 100_000, 100)]
    assert 1 <= len(said) < 10_000
    revisions = [message["params"]["revision"] for message in said]
    assert revisions == sorted(set(revisions))
    assert said[-1]["params"]["value"][7]["edit"] == 99_999


def test_unsent_deltas_of_a_million_changes_merge(start: Start) -> None:
    """rules: 1.5.1"""
    messages = overrun(start, 1_000_000, deltas=True)
    said = [message["params"] for message in messages if message.get("method") == "items"]
    assert all(later["base"] == earlier["revision"] for earlier, later in zip(said, said[1:]))
    item = None
    for params in said:
        assert params["count"] == 100
        for splice in params["splices"]:
            assert len(splice["items"]) == splice["deleteCount"]
            if splice["start"] <= 7 < splice["start"] + splice["deleteCount"]:
                item = splice["items"][7 - splice["start"]]
    assert item is not None and item["edit"] == 999_999


@pytest.mark.parametrize(
    ("screen", "input", "output"),
    [
        # Each refresh fails immediately, because the client has no such source.
        ({"viewModel": "list", "source": "s"}, {"method": "refresh"}, "error"),
        ({"viewModel": "choice", "choices": ["a"], "store": "s.k"}, {"method": "choose", "params": {"id": "a"}}, "dismiss"),
    ],
    ids=["failures", "events"],
)
def test_events_wait_and_failures_merge_but_stay_counted(
    start: Start, tmp_path: Path, screen: object, input: dict[str, object], output: str
) -> None:
    """rules: 1.5.2, 1.5.3"""
    count = 20_000
    path = tmp_path / "nagare.json"
    config = {"sources": {"s": {"type": "client"}}, "stores": {"s": {"k": "a"}}, "screens": {"l": screen}}
    path.write_text(json.dumps(config))
    server = start("--config", str(path), reading=False)
    lines = open(server.output.fileno(), "rb", closefd=False)
    inputs = json.dumps({"jsonrpc": "2.0", **input}).encode() + b"\n"

    def write() -> None:
        server.write(b'{"jsonrpc":"2.0","id":0,"method":"open","params":{"screen":"l"}}\n' + inputs * count)
        server.close()

    writer = threading.Thread(target=write)
    try:
        writer.start()
        writer.join(1)
        assert server.resident() < 32 * MEBIBYTE
        values = [json.loads(line)["params"]["value"] for line in lines if f'"method":"{output}"'.encode() in line]
        if output == "dismiss":
            assert len(values) == count
        else:
            numbers = [value["number"] for value in values]
            assert numbers == sorted(set(numbers)) and numbers[0] == 1 and numbers[-1] == count > len(numbers)
        assert server.ends() == 0
    finally:
        server.kill()
        writer.join()


def test_a_view_that_changes_endlessly_does_not_delay_others(start: Start) -> None:
    """One view changes endlessly. The single change of another view is sent in between. rules: 1.5.1"""
    server = start("--clock", "virtual", reading=False)
    items = open_demo(server)
    server.send(
        {"jsonrpc": "2.0", "id": 6, "method": "open", "params": {"screen": "profile", "view": "quiet"}},
    )
    for number in range(3000):
        server.send(
            {"jsonrpc": "2.0", "method": "change", "params": {"view": "v", "item": {**items[0], "edit": number}}}
        )
        if number == 1000:
            # Without a client that can present, the quiet view reports an error.
            server.send({"jsonrpc": "2.0", "method": "rename", "params": {"view": "quiet"}})
    server.close()
    server.read()
    said = [message["params"] for message in server.rest() if message.get("method") in ("items", "error")]
    place = next(place for place, params in enumerate(said) if params["view"] == "quiet")
    assert place < len(said) - 1 and said[-1]["value"][0]["edit"] == 2999


def test_reading_stops_so_that_no_reply_is_dropped(start: Start) -> None:
    """rules: 1.5.3, 1.5.4"""
    count = 300_000
    server = start(reading=False)
    lines = open(server.output.fileno(), "rb", closefd=False)
    pings = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(count))
    server.write(pings[:50_000])

    def write_the_rest() -> None:
        server.write(pings[50_000:])
        server.close()

    writer = threading.Thread(target=write_the_rest)
    try:
        writer.start()
        writer.join(2)
        assert writer.is_alive(), "the server went on reading although nobody took its replies"
        assert server.resident() < 32 * MEBIBYTE
        for number in range(count):
            assert lines.readline() == b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % number
        assert server.ends() == 0
    finally:
        server.kill()
        writer.join()
