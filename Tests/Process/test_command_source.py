"""A program that answers for a source: what it says, what becomes of it, and what is left when the server has ended."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from server import Message, Server

Start = Callable[..., Server]
Serve = Callable[..., Server]
MEBIBYTE = 1 << 20

# What each program below begins with: its requests one by one, and how it answers.
PRELUDE = """
import json, os, signal, subprocess, sys, time

def requests():
    for line in sys.stdin:
        message = json.loads(line)
        if message["method"] == "source/page":
            yield message["id"], message["params"]

def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def page(id, *items, **more):
    say({"id": id, "result": {"items": [{"id": item} for item in items], **more}})

def leave(name, text):
    with open(name + ".new", "w") as file:
        file.write(str(text))
    os.rename(name + ".new", name)
"""
ROWS = """
for id, params in requests():
    start = params["key"] or 0
    page(id, *range(start, start + params["size"]), next=start + params["size"])
"""


@pytest.fixture
def serve(start: Start, tmp_path: Path) -> Serve:
    """Starts a server with a list of a program's rows."""

    def serve(program: str, *options: str) -> Server:
        (tmp_path / "rows.py").write_text(PRELUDE + program)
        configuration = {
            "sources": {"rows": {"type": "command", "command": [sys.executable, "rows.py"]}},
            "screens": {"rows": {"viewModel": "list", "source": "rows", "pageSize": 3, "throttle": 0}},
        }
        (tmp_path / "nagare.json").write_text(json.dumps(configuration))
        server = start("--config", str(tmp_path / "nagare.json"), *options)
        server.call("open", screen="rows", view="v")
        return server

    return serve


def appear(server: Server, within: float = 20.0) -> Message:
    """Loads the first page: what became of it."""
    server.notify("viewWillAppear", view="v")
    return outcome(server, within)


def outcome(server: Server, within: float = 20.0) -> Message:
    """The next page or failure."""
    while True:
        message = server.next(within)
        if message.get("method") in ("items", "error"):
            return message


def ids(message: Message) -> list[Any]:
    assert message["method"] == "items", message
    return [item["id"] for item in message["params"]["value"]]


def failure(message: Message) -> dict[str, Any]:
    assert message["method"] == "error", message
    value: dict[str, Any] = message["params"]["value"]
    return value


def left(path: Path) -> str:
    """What a program has left in a file."""
    for _ in range(2000):
        if path.exists():
            return path.read_text()
        time.sleep(0.01)
    raise AssertionError(f"{path} was never written")


def lives(process: int) -> bool:
    """Whether a process runs: one that has ended and that nobody has fetched yet doesn't."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def ends(process: int, within: float) -> bool:
    deadline = time.monotonic() + within
    while lives(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_a_program_is_paged_through(serve: Serve) -> None:
    server = serve(ROWS)
    assert ids(appear(server)) == [0, 1, 2]
    server.notify("loadMore", view="v")
    assert ids(outcome(server)) == [0, 1, 2, 3, 4, 5]
    server.close()
    assert server.ends() == 0
    assert server.errors() == ""


def test_the_specification_s_program_is_one(serve: Serve) -> None:
    section = (ROOT / "protocol" / "SPECIFICATION.md").read_text().split("### 6.4")[1]
    program = section.split("```python\n")[1].split("```")[0]
    server = serve(program.replace("range(1000)", "range(5)"))
    assert ids(appear(server)) == [0, 1, 2]
    server.notify("loadMore", view="v")
    assert ids(outcome(server)) == [0, 1, 2, 3, 4]
    while (message := server.next())["method"] != "state":
        pass
    assert message["params"]["value"]["phase"] == "reachedBottom"


def test_it_runs_in_the_configuration_s_folder_with_our_environment(serve: Serve, tmp_path: Path) -> None:
    server = serve("for id, params in requests(): page(id, os.getcwd(), os.environ['PATH'])")
    assert ids(appear(server)) == [str(tmp_path.resolve()), os.environ["PATH"]]


def test_it_gets_its_standard_streams_and_no_other_descriptors(serve: Serve) -> None:
    server = serve("for id, params in requests(): page(id, *sorted(os.listdir('/proc/self/fd')))")
    # The fourth is the folder that is listed.
    assert ids(appear(server)) == ["0", "1", "2", "3"]


def test_a_death_in_the_middle_is_got_over(serve: Serve) -> None:
    server = serve(
        """
for id, params in requests():
    if not os.path.exists("died"):
        leave("died", 1)
        os.kill(os.getpid(), signal.SIGKILL)
    page(id, "second life")
"""
    )
    assert ids(appear(server)) == ["second life"]


def test_what_keeps_dying_is_told_with_its_last_words(serve: Serve) -> None:
    server = serve("for id, params in requests(): raise ValueError('no such table')", "--log")
    told = failure(appear(server, within=40))
    assert told["code"] == -32010 and told["retryable"]
    for part in ('"rows"', "exit status 1", "ValueError: no such table"):
        assert part in told["message"]
    errors = server.errors()
    assert errors.count("[rows] ValueError: no such table\n") == 5
    assert errors.count("[rows] has ended: exit status 1\n") == 5


def test_without_a_log_its_standard_error_is_not_passed_on(serve: Serve) -> None:
    server = serve("print('hello', file=sys.stderr, flush=True)\n" + ROWS)
    assert ids(appear(server)) == [0, 1, 2]
    server.close()
    assert server.ends() == 0
    assert server.errors() == ""


def test_nonsense_is_a_failure_that_lasts(serve: Serve) -> None:
    server = serve("for id, params in requests(): say({'id': id, 'rows': []})")
    told = failure(appear(server))
    assert told["code"] == -32012 and not told["retryable"]
    assert '"result"' in told["message"]


def test_a_stray_print_is_passed_over(serve: Serve) -> None:
    server = serve("print('warming up', flush=True)\nprint([1, 2], flush=True)\n" + ROWS, "--log")
    assert ids(appear(server)) == [0, 1, 2]
    assert "[rows] --> warming up\n" in server.errors()


def test_an_answer_that_is_printed_wrongly_is_told_when_the_time_is_over(serve: Serve, tmp_path: Path) -> None:
    program = """
for number, (id, params) in enumerate(requests()):
    print({"jsonrpc": "2.0", "id": id}, flush=True)
    time.sleep(0.1)
    leave(f"asked {number}", 1)
"""
    server = serve(program, "--clock", "virtual")
    server.call("viewWillAppear", view="v")
    for number in range(2):
        left(tmp_path / f"asked {number}")
        server.call("ping")  # what the program has said by now is read before the next line of the client is
        reply, said = server.call("clock/advance", milliseconds=31_000)
        assert "result" in reply
    told = [message["params"]["value"] for message in said if message["method"] == "error"]
    assert [error["code"] for error in told] == [-32011]
    assert "{'jsonrpc': '2.0', 'id': " in told[0]["message"]


def test_a_slow_program_keeps_nobody_waiting(serve: Serve, tmp_path: Path) -> None:
    server = serve(
        """
for id, params in requests():
    leave("asked", 1)
    while not os.path.exists("go"): time.sleep(0.01)
    page(id, 1)
"""
    )
    server.call("viewWillAppear", view="v")
    left(tmp_path / "asked")
    assert server.call("ping")[0]["result"] == {}
    (tmp_path / "go").touch()
    assert ids(outcome(server)) == [1]


def test_a_flood_costs_no_memory_and_keeps_nobody_waiting(serve: Serve) -> None:
    program = """
os.set_blocking(0, False)
line = b"x" * 1000 + b"\\n"
while True:
    os.write(1, line * 60)
    os.write(2, line * 60)
    if data := os.read(0, 1 << 16) if select.select([0], [], [], 0)[0] else b"":
        page(json.loads(data.splitlines()[0])["id"], "dry")
"""
    server = serve("import select\n" + program)
    before = server.resident()
    assert ids(appear(server)) == ["dry"]
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        assert server.call("ping")[0]["result"] == {}
    assert server.resident() < before + 16 * MEBIBYTE
    server.close()
    assert server.ends(within=5) == 0


def test_one_line_without_an_end_costs_a_message_s_size(serve: Serve) -> None:
    program = """
for id, params in requests():
    for _ in range(1000): os.write(1, b"x" * 100_000)
    os.write(1, b"\\n")
    page(id, "small")
"""
    server = serve(program, "--max-message-size", "1000000")
    before = server.resident()
    told = failure(appear(server))
    assert told["code"] == -32012 and "--max-message-size" in told["message"]
    assert server.resident() < before + 16 * MEBIBYTE


def test_a_flood_of_requests_is_stopped_by_not_reading(serve: Serve) -> None:
    program = """
call = json.dumps({"jsonrpc": "2.0", "id": "x" * 1000, "method": "give"}).encode() + b"\\n"
while True: os.write(1, call * 50)
"""
    server = serve(program)
    before = server.resident()
    server.notify("viewWillAppear", view="v")
    time.sleep(1)
    assert server.call("ping")[0]["result"] == {}
    assert server.resident() < before + 16 * MEBIBYTE
    server.close()
    assert server.ends(within=5) == 0


STUBBORN = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"],
    stdout=subprocess.PIPE)
grandchild.stdout.readline()
for id, params in requests():
    page(id, os.getpid(), grandchild.pid)
time.sleep(600)
"""


def by_end_of_input(server: Server) -> None:
    server.close()


def by_exit(server: Server) -> None:
    server.notify("exit")


def by_signal(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [by_end_of_input, by_exit, by_signal])
def test_a_stubborn_program_ends_with_the_server_and_all_that_it_started(
    serve: Serve, end: Callable[[Server], None]
) -> None:
    server = serve(STUBBORN)
    processes = ids(appear(server))
    assert len(processes) == 2 and all(lives(process) for process in processes)
    end(server)
    assert server.ends(within=5) == (1 if end is by_exit else 0)
    assert all(ends(process, within=1) for process in processes)


def test_a_closed_output_ends_the_program_too(nagare: str, serve: Serve, tmp_path: Path) -> None:
    serve(STUBBORN).close()
    server = Server(nagare, "--config", str(tmp_path / "nagare.json"), reading=False)
    try:
        server.send(
            {"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"screen": "rows", "view": "v"}},
            {"jsonrpc": "2.0", "method": "viewWillAppear"},
        )
        while (message := json.loads(server.output.readline())).get("method") != "items":
            pass
        server.output.close()
        assert server.ends(within=5) >= 0
        assert all(ends(process, within=1) for process in ids(message))
    finally:
        server.kill()


def test_a_program_that_obeys_ends_at_once(serve: Serve) -> None:
    server = serve(ROWS)
    appear(server)
    began = time.monotonic()
    server.close()
    assert server.ends() == 0
    assert time.monotonic() - began < 0.8


def test_what_a_dead_program_has_started_ends_too(serve: Serve, tmp_path: Path) -> None:
    server = serve(
        """
for id, params in requests():
    if not os.path.exists("grandchild"):
        leave("grandchild", subprocess.Popen(["sleep", "600"]).pid)
        os._exit(3)
    page(id, "again")
"""
    )
    assert ids(appear(server)) == ["again"]
    assert ends(int(left(tmp_path / "grandchild")), within=5)


def test_killed_itself_the_server_leaves_a_program_its_end_of_input(serve: Serve) -> None:
    server = serve("for id, params in requests(): page(id, os.getpid())")
    [process] = ids(appear(server))
    server.process.kill()
    assert ends(process, within=5)


def test_a_dropped_load_is_cancelled(serve: Serve) -> None:
    server = serve(
        """
first = None
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "$/cancelRequest": cancelled = message["params"]["id"]
    elif first is None: first = message["id"]
    else: page(message["id"], f"{first} {cancelled}")
"""
    )
    server.call("viewWillAppear", view="v")
    server.call("refresh", view="v")
    assert ids(outcome(server)) == ["1 1"]
