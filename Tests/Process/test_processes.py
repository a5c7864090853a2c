"""The process's start and end, and its treatment of the pipes that it inherits."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from server import PATIENCE, Server, Start

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_end_of_input_comes_after_every_answer(start: Start) -> None:
    """rules: 1.4.1, 1.4.8"""
    server = start()
    server.send(*({"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(10_000)))
    server.close()
    assert [message["id"] for message in server.rest()] == list(range(10_000))
    assert server.ends() == 0
    assert server.errors() == ""


def test_a_last_line_without_line_feed_is_answered(start: Start) -> None:
    server = start()
    server.write(json.dumps(PING).encode())
    server.close()
    assert server.rest() == [PONG]
    assert server.ends() == 0


@pytest.mark.parametrize("busy", [True, False])
def test_a_closed_output_ends_the_process_without_a_signal(nagare: str, busy: bool) -> None:
    """rules: 1.4.1, 1.4.11"""
    server = Server(nagare, reading=False)
    server.send(PING)
    assert server.output.readline() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    server.output.close()
    if busy:
        with contextlib.suppress(BrokenPipeError):  # it may have ended already
            server.send(PING)
    try:
        assert server.ends() >= 0
    finally:
        server.kill()


def test_the_server_ends_with_the_process_that_it_was_given(start: Start) -> None:
    """rules: 1.4.1"""
    parent = subprocess.Popen(["sleep", "600"])
    server = start()
    try:
        reply, _ = server.call("initialize", protocolVersion="1", processId=parent.pid, capabilities={})
        assert "result" in reply
        server.call("ping")
    finally:
        parent.kill()
        parent.wait()
    assert server.ends() >= 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_good_order(start: Start, number: signal.Signals) -> None:
    """rules: 1.4.1"""
    server = start()
    assert server.call("ping")[0]["result"] == {}
    server.process.send_signal(number)
    assert server.ends() == 0


def test_a_stray_print_goes_to_standard_error(start: Start) -> None:
    """rules: 1.4.11"""
    server = start()
    server.call("ping")
    descriptors = Path(f"/proc/{server.process.pid}/fd")
    assert os.readlink(descriptors / "1") == os.readlink(descriptors / "2")


def test_a_load_on_the_real_clock_takes_its_time(start: Start) -> None:
    server = start()
    server.call("open", screen="items", view="v")
    begin = time.monotonic()
    server.notify("viewWillAppear", view="v")
    said = [server.next()["method"] for _ in range(5)]
    assert said == ["loading", "state", "items", "loading", "state"]
    assert time.monotonic() - begin > 0.25


def test_the_real_clock_can_not_be_moved(start: Start) -> None:
    """rules: 3.16"""
    reply, _ = start().call("clock/advance", milliseconds=1)
    assert reply["error"]["code"] == -32601
    assert "--clock virtual" in reply["error"]["message"]


def test_ten_thousand_views_may_be_open(start: Start) -> None:
    """rules: 1.3.1"""
    server = start()
    server.send(*({"jsonrpc": "2.0", "id": n, "method": "open", "params": {"screen": "items"}} for n in range(10_001)))
    replies = [server.next() for _ in range(10_001)]
    assert [reply["result"]["view"] for reply in replies[:-1]] == [f"v{n}" for n in range(1, 10_001)]
    assert replies[-1]["error"]["code"] == -32005
    assert replies[-1]["error"]["data"] == {"limit": "views", "max": 10_000}
    server.close()
    assert server.ends() == 0


def test_the_log_is_written_to_standard_error_only(start: Start) -> None:
    """rules: 1.4.12"""
    server = start("--log")
    server.send(PING)
    server.close()
    assert server.rest() == [PONG]
    assert server.ends() == 0
    assert "ping" in server.errors()


def test_a_full_disk_loses_the_log_but_delays_nothing(nagare: str) -> None:
    """rules: 1.4.2"""
    with open("/dev/full", "wb") as full:
        result = subprocess.run([nagare, "--log"], input=json.dumps(PING).encode(), stdout=subprocess.PIPE, stderr=full, timeout=PATIENCE)
    assert (result.returncode, json.loads(result.stdout)["result"]) == (74, {})


def test_an_input_that_ends_within_a_message_is_reported(nagare: str) -> None:
    """rules: 1.2.1"""
    line = json.dumps(PING).encode()
    for cut in (line[:-20], b"Content-Length: 100\r\n\r\n" + line):
        result = subprocess.run([nagare], input=cut, stdout=subprocess.PIPE, timeout=PATIENCE)
        assert result.returncode == 0 and b'"code":-32700' in result.stdout


def test_a_million_messages_are_answered_in_order(nagare: str) -> None:
    count = 1_000_000
    pings = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(count))
    result = subprocess.run([nagare], input=pings, stdout=subprocess.PIPE, timeout=PATIENCE)
    assert result.stdout == b"".join(b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % number for number in range(count))


def run(nagare: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([nagare, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)


def test_help_names_every_option(nagare: str) -> None:
    """rules: 7.0.12"""
    result = run(nagare, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    for option in ("--file", "--id", "--config", "--clock", "--log", "--version", "--help"):
        assert option in result.stdout
    for option in ("--max-message-size", "--max-depth", "--max-batch", "--max-batch-answer", "--max-views"):
        assert option in result.stdout


def test_version_prints_the_version(nagare: str) -> None:
    """rules: 7.0.12"""
    result = run(nagare, "--version")
    assert result.returncode == 0
    assert re.fullmatch(r"nagare \d+\.\d+\.\d+\n", result.stdout)


@pytest.mark.parametrize(
    "options",
    [["--colour"], ["--clock"], ["--clock", "sundial"], ["--max-depth", "0"], ["--file", "a", "--config", "b"], ["a"]],
)
def test_a_wrong_command_line_is_explained(nagare: str, options: list[str]) -> None:
    """rules: 7.0.12"""
    result = run(nagare, *options)
    assert result.returncode not in (0, 78) and result.returncode > 0
    assert result.stdout == ""
    assert options[0] in result.stderr and "nagare --help" in result.stderr
