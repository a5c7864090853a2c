"""The process ends with its input, by `exit`, or by a signal, whatever it does and whether or not its output is
read."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from command_programs import PRELUDE, ServeProgram, appear, ids, left
from server import PATIENCE, Message, Server, Start, until
from test_flow_control import FULL, configure, request, unread

EXIT = {"jsonrpc": "2.0", "method": "exit"}
CLIENT_LIST: dict[str, Any] = {
    "sources": {"s": {"type": "client"}},
    "screens": {"l": {"viewModel": "list", "source": "s"}},
}


def leave(server: Server, way: str) -> None:
    if way == "exit":
        server.send(EXIT)
    else:
        server.close()


def open_client_lists(server: Server, count: int) -> None:
    """Opens lists whose pages the client is asked for and never sends."""
    server.send(
        {"jsonrpc": "2.0", "id": 0, "method": "initialize"}
        | {"params": {"protocolVersion": "1", "capabilities": {"sources": ["s"]}}}
    )
    for number in range(count):
        server.send(
            {"jsonrpc": "2.0", "method": "open", "params": {"screen": "l", "view": f"v{number}"}},
            {"jsonrpc": "2.0", "method": "viewWillAppear", "params": {"view": f"v{number}"}},
        )
    server.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})


def heard(server: Server) -> list[Message]:
    """Returns the messages of an unread server up to the response 1."""
    messages: list[Message] = []
    while not messages or messages[-1].get("id") != 1 or "method" in messages[-1]:
        messages.append(json.loads(server.output.readline()))
    return messages


# --- The end of the input


def test_the_end_of_input_finishes_a_running_load(start: Start) -> None:
    """rules: 1.4.5"""
    server = start()
    server.call("open", screen="items", view="v")
    server.call("viewWillAppear", view="v")
    server.close()
    said = server.rest()
    assert [message["method"] for message in said] == ["items", "loading", "state"]
    assert len(said[0]["params"]["value"]) == 20
    assert server.ends() == 0


def test_the_end_of_input_finishes_a_pause_and_the_load_that_follows(start: Start) -> None:
    """rules: 1.4.5"""
    server = start()
    server.call("open", screen="articles", view="v")
    server.call("search", view="v", text="swift")
    server.close()
    said = server.rest()
    assert [message["params"]["value"] for message in said if message["method"] == "query"] == ["swift"]
    assert any(message["method"] == "items" and message["params"]["value"] for message in said)
    assert server.ends() == 0


def test_the_end_of_input_finishes_a_load_of_a_program(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 1.4.5"""
    # The program answers when the server's input has ended. Then only its own end is waited for.
    server = serve_program("for id, params in requests(): leave('asked', 1); open('answer').read(); page(id, 'a'); leave('answered', 1)")
    os.mkfifo(tmp_path / "answer")
    server.notify("viewWillAppear", view="v")
    left(tmp_path / "asked")
    server.close()
    assert not (tmp_path / "answered").exists()
    (tmp_path / "answer").write_text("now")
    assert ids(next(message for message in server.rest() if message["method"] == "items")) == ["a"]
    assert server.ends() == 0


def test_the_end_of_input_finishes_an_edit(start: Start, tmp_path: Path) -> None:
    """rules: 1.4.5"""
    program = """
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "source/page":
        page(message["id"], "a", "b")
    if message["method"] == "source/remove":
        time.sleep(0.5)
        leave("removed", message["params"]["id"])
        say({"id": message["id"], "error": {"code": 9, "message": "locked"}})
"""
    (tmp_path / "rows.py").write_text(PRELUDE + program)
    sources = {"s": {"type": "command", "command": [sys.executable, "rows.py"], "writes": ["remove"]}}
    server = start("--config", configure(tmp_path, sources=sources, screens={"l": {"viewModel": "list", "source": "s"}}))
    server.call("open", screen="l", view="v")
    appear(server)
    server.notify("remove", view="v", id="a")
    server.close()
    assert [message["params"]["value"]["message"] for message in server.rest() if message["method"] == "error"] == ["locked"]
    assert (tmp_path / "removed").read_text() == "a"
    assert server.ends() == 0


def test_the_end_of_input_cancels_requests_to_the_client(start: Start, tmp_path: Path) -> None:
    """rules: 1.4.6"""
    server = start("--config", configure(tmp_path, **CLIENT_LIST))
    open_client_lists(server, 1)
    while server.next().get("id") != 1:
        pass
    while "result" not in server.next():
        pass
    server.close()
    said = server.rest()
    assert said[0] == {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}
    assert [message["method"] for message in said[1:]] == ["loading", "error", "state"]
    assert said[2]["params"]["value"]["code"] == -32800 and not said[2]["params"]["value"]["retryable"]
    assert server.ends() == 0


@pytest.mark.parametrize("way", ["input", "exit"])
def test_an_end_works_despite_a_full_pipe_and_a_load_of_the_client(start: Start, tmp_path: Path, way: str) -> None:
    """The pipe is full to the byte when the end comes, and emptied afterwards. rules: 1.4.6, 1.4.7, 1.4.8"""
    server = start("--config", configure(tmp_path, **CLIENT_LIST), reading=False)
    open_client_lists(server, 1)
    heard(server)
    answers = 65_536 // 64
    padding = "x" * (64 - len(b'{"jsonrpc":"2.0","id":"0000","result":{}}\n'))
    server.send(*({"jsonrpc": "2.0", "id": f"{number:04}{padding}", "method": "ping"} for number in range(answers)))
    time.sleep(0.3)
    leave(server, way)
    time.sleep(0.3)
    server.read()
    said = server.rest()
    assert len([message for message in said if "result" in message]) == answers
    assert any(message.get("method") == "$/cancelRequest" for message in said)
    assert server.ends() == (way == "exit")


@pytest.mark.parametrize("way", ["input", "exit"])
def test_an_end_works_with_more_loads_to_cancel_than_fit_into_a_pipe(
    start: Start, tmp_path: Path, way: str
) -> None:
    """rules: 1.4.6, 1.4.7"""
    server = start("--config", configure(tmp_path, **CLIENT_LIST))
    open_client_lists(server, 2000)
    leave(server, way)
    said = server.rest()
    assert len([message for message in said if message.get("method") == "$/cancelRequest"]) == 2000
    assert server.ends() == (way == "exit")


# --- exit


def test_exit_works_without_a_reader(start: Start) -> None:
    """rules: 1.4.8"""
    server = start(reading=False)
    server.write(b"".join(request(number, "rpc.discover") + b"\n" for number in range(5)))
    server.send(EXIT)
    assert server.ends() == 1


@pytest.mark.parametrize("count", [30, 50, 400])
def test_exit_works_behind_more_output_than_may_wait(start: Start, count: int) -> None:
    """Nothing is handled any more while so much waits, and yet the process ends. rules: 1.4.9, 1.5.4"""
    server = start(reading=False)
    server.write(b"".join(request(number, "rpc.discover") + b"\n" for number in range(count)))
    server.send(EXIT)
    assert server.ends() == 1


def test_a_later_exit_works_behind_more_output_than_may_wait(start: Start) -> None:
    """rules: 1.4.9, 1.5.4"""
    server = start(reading=False)
    server.write(b"".join(request(number, "rpc.discover") + b"\n" for number in range(100)))
    until(lambda: unread(server) >= FULL)
    server.write(b'{"jsonrpc":"2.0","meth')
    time.sleep(0.2)
    server.write(b'od":"exit"}\n')
    assert server.ends() == 1


def test_exit_sends_a_client_more_output_than_may_wait(start: Start) -> None:
    """rules: 1.4.8"""
    server = start(reading=False)
    server.write(b"".join(request(number, "rpc.discover") + b"\n" for number in range(60)))
    server.send(EXIT)
    time.sleep(0.2)
    server.read()
    assert len(server.rest()) == 60
    assert server.ends() == 1


def test_exit_sends_everything_to_a_slow_client(start: Start) -> None:
    """rules: 1.4.8"""
    server = start(reading=False)
    server.write(b"".join(request(number, "rpc.discover") + b"\n" for number in range(20)))
    server.send(EXIT)
    lines = 0
    while piece := server.output.read(4096):
        lines += piece.count(b"\n")
        time.sleep(0.01)
    assert lines == 20
    assert server.ends() == 1


# --- Signals


def processor_ticks(server: Server) -> int:
    """The used processor time, in hundredths of a second."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def ask_without_end(server: Server, requests: bytes) -> None:
    """Writes the requests repeatedly until the server ends, so it always has work."""

    def write() -> None:
        with suppress(OSError, ValueError):  # the server has ended
            while True:
                server.write(requests)

    threading.Thread(target=write, daemon=True).start()


def long_batch() -> bytes:
    """Makes edits of a list, which take long."""
    edit = b'{"jsonrpc":"2.0","method":"insert","params":{"view":"v","item":{"id":"n%d"}}}'
    return b"[" + b",".join(edit % number for number in range(99_999)) + b"]\n"


def long_queue() -> bytes:
    return b"".join(request(number, "rpc.discover") + b"\n" for number in range(100_000))


def large_batch() -> bytes:
    return b"[" + b",".join(request(number, "rpc.discover") for number in range(99_999)) + b"]\n"


@pytest.mark.parametrize("reading", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize("work", [long_batch, long_queue, large_batch])
def test_a_signal_ends_it_during_any_work(
    start: Start, tmp_path: Path, work: Callable[[], bytes], reading: bool
) -> None:
    """rules: 1.4.1, 1.4.3"""
    server = start("--config", configure(tmp_path, **CLIENT_LIST), reading=reading)
    server.send({"jsonrpc": "2.0", "method": "open", "params": {"screen": "l", "view": "v"}})
    before = processor_ticks(server)
    ask_without_end(server, work())
    # It is working, or waits for its reader.
    until(lambda: processor_ticks(server) > before + 10 or (not reading and unread(server) >= FULL))
    server.process.send_signal(signal.SIGTERM)
    assert server.ends() == 0


# --- Closed streams


@pytest.mark.parametrize("closed", ["<&-", "<&- 2>&-"])
def test_a_closed_input_counts_as_ended(nagare: str, closed: str) -> None:
    """rules: 1.4.1"""
    ended = subprocess.run(f"exec {nagare} {closed}", shell=True, stdout=subprocess.PIPE, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (0, b"")


# --- A signal while the program starts


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_pending_signal_at_the_start_ends_the_program_in_good_order(nagare: str, number: int) -> None:
    """The signal is blocked and pending when the program is executed, so it comes as soon as it can. rules: 1.4.2, 1.4.3"""
    code = (
        "import os, signal, sys; signal.signal(int(sys.argv[1]), signal.SIG_DFL);"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [int(sys.argv[1])]);"
        "os.kill(os.getpid(), int(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])"
    )
    for _ in range(20):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(int(number)), nagare], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            # Its input stays open until it has ended.
            assert process.wait(timeout=60) == 0
            assert process.stderr and b"the session ends: it received the signal" in process.stderr.read()


def test_a_signal_while_the_configuration_is_read_ends_the_program_in_good_order(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.1"""
    configuration = tmp_path / "nagare.json"
    os.mkfifo(configuration)
    # The pipe has a reader until the program has opened it.
    reader = os.open(configuration, os.O_RDWR)
    process = subprocess.Popen([nagare, "--config", str(configuration)], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    with suppress(BrokenPipeError), configuration.open("wb", buffering=0) as file:
        # More than a pipe holds, so the program is already reading when all is written.
        os.write(file.fileno(), b" " * (2 << 20))
        os.close(reader)
        process.send_signal(signal.SIGTERM)
        file.write(json.dumps(CLIENT_LIST).encode())
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind records which functions are called")
@pytest.mark.parametrize("closes", [False, True])
def test_views_that_are_open_at_the_end_are_not_released(nagare: str, tmp_path: Path, closes: bool) -> None:
    """Releasing them would take longer than everything else at the end. A view that was closed before is released."""
    profile = tmp_path / "profile"
    calls = [{"method": "open", "params": {"screen": "items"}}] + [{"method": "close"}] * closes
    messages = [json.dumps({"jsonrpc": "2.0", "id": number, **call}) + "\n" for number, call in enumerate(calls)]
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={profile}", nagare],
        input="".join(messages).encode(), stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE,
    )
    # The name of the function that releases a Nagare.View.
    assert ("$s6Nagare4ViewCfD" in profile.read_text()) == closes
