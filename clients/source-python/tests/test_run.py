"""A running program: its input and output, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from postgres import PostgreSQL

PATIENCE = 60.0
Running = subprocess.Popen[bytes]
Start = Callable[[str], Running]

PRELUDE = """
import asyncio, os, subprocess, sys, threading, time
from nagare_source import Page, Source, SourceError, run

def load(key, query, size):
    return Page([{"id": key}])

def hang(key, query, size):
    if key != "hang": return load(key, query, size)
    threading.Event().wait()

async def hang_async(key, query, size):
    if key != "hang": return load(key, query, size)
    await asyncio.Event().wait()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts programs that end with the test."""
    running: list[Running] = []
    watchdogs: list[threading.Timer] = []

    def start(text: str) -> Running:
        program = tmp_path / "program.py"
        program.write_text(PRELUDE + text)
        running.append(
            subprocess.Popen(
                [sys.executable, str(program)],
                env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        # Kills a program that hangs, so that the test fails.
        watchdogs.append(threading.Timer(PATIENCE, running[-1].kill))
        watchdogs[-1].start()
        return running[-1]

    yield start
    for watchdog in watchdogs:
        watchdog.cancel()
    for process in running:
        process.kill()
        process.communicate()


def line(key: Any, id: Any = 1) -> bytes:
    params = {"source": "rows", "key": key, "query": None, "size": 1}
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "source/page", "params": params}).encode() + b"\n"


def stream(of: IO[bytes] | None) -> IO[bytes]:
    assert of is not None
    return of


def ask(process: Running, *keys: Any) -> list[Any]:
    """Sends requests with these keys. Returns their ids, counted from 0, in the order of the answers."""
    send(process, b"".join(line(key, id) for id, key in enumerate(keys)))
    return [json.loads(stream(process.stdout).readline())["id"] for _ in keys]


def send(process: Running, data: bytes) -> None:
    stream(process.stdin).write(data)
    stream(process.stdin).flush()


def end_input(process: Running) -> None:
    stream(process.stdin).close()
    process.stdin = None


def said(process: Running, input: bytes) -> tuple[list[Any], str]:
    """Sends an input and ends it. Returns all answers, and the text on standard error."""
    output, errors = process.communicate(input, PATIENCE)
    assert process.returncode == 0, errors.decode()
    return [json.loads(one) for one in output.splitlines()], errors.decode()


def test_answers_are_written_at_once_and_the_end_of_input_ends_the_program(start: Start) -> None:
    process = start("run(load)")
    assert ask(process, "a") == [0]
    assert ask(process, "b", "c") in ([0, 1], [1, 0])
    assert said(process, b"") == ([], "")


def test_every_request_is_answered_before_the_program_ends(start: Start) -> None:
    """So a program can be tried with a pipe."""
    answers, errors = said(start("run(load)"), b"\n" + line("a", 1) + b" \r\n" + line("b", 2).rstrip(b"\n"))
    assert sorted((one["id"], one["result"]["items"]) for one in answers) == [(1, [{"id": "a"}]), (2, [{"id": "b"}])]
    assert errors == ""


def test_a_slow_request_does_not_delay_others(start: Start) -> None:
    program = """
answered = threading.Event()

def wait(key, query, size):
    answered.wait() if key == "slow" else answered.set()
    return load(key, query, size)

run(wait)
"""
    assert ask(start(program), "slow", "quick")[1:] in ([0], [1])


def test_printed_text_goes_to_standard_error(start: Start) -> None:
    program = """
print("before")

def talk(key, query, size):
    print("a print")
    sys.stdout.write("a write\\n")
    os.write(1, b"a descriptor\\n")
    subprocess.run("echo a program", shell=True)
    return load(key, query, size)

run(talk)
"""
    answers, errors = said(start(program), line("a"))
    assert [one["result"]["items"] for one in answers] == [[{"id": "a"}]]
    assert sorted(errors.splitlines()) == ["a descriptor", "a print", "a program", "a write", "before"]


def test_other_code_cannot_read_the_programs_input(start: Start) -> None:
    program = """
def read(key, query, size):
    return Page([{"id": subprocess.run("cat", capture_output=True).stdout.decode() + sys.stdin.read()}])

run(read)
"""
    process = start(program)
    assert ask(process, "a", "b") in ([0, 1], [1, 0])


def test_large_messages_are_read_and_written(start: Start) -> None:
    text = "ä" * 3_000_000
    answers, _ = said(start("run(load)"), line(text))
    assert answers[0]["result"]["items"] == [{"id": text}]


@pytest.mark.parametrize("function", ["load", "hang", "hang_async"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_program_whatever_it_does(start: Start, function: str, number: signal.Signals) -> None:
    process = start(f"run({function})")
    send(process, line("hang", "h") if function != "load" else b"")
    assert ask(process, "a") == [0]
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    assert stream(process.stderr).read() == b""


@pytest.mark.parametrize("function", ["hang", "hang_async"])
def test_a_function_that_hangs_delays_the_end_only_for_a_limited_time(start: Start, function: str) -> None:
    answers, errors = said(start(f"run({function})"), line("a", 1) + line("hang", 2))
    assert [one["id"] for one in answers] == [1]
    assert errors == ""


def test_the_program_ends_when_its_output_is_closed(start: Start) -> None:
    process = start("run(load)")
    stream(process.stdout).close()
    send(process, line("a"))
    assert process.wait(PATIENCE) == 0
    assert stream(process.stderr).read() == b""


LARGE = """
def large(key, query, size):
    return Page([{"id": "x" * 1_000_000}])

run(large)
"""


@pytest.mark.parametrize("how", ["signal", "end of input"])
def test_the_program_can_end_while_its_answers_are_unread(start: Start, how: str) -> None:
    """Another process may hold the other end of the output."""
    process = start(LARGE)
    send(process, line("a"))
    # The program is writing, and the pipe is full.
    assert stream(process.stdout).read(10)
    if how == "signal":
        process.send_signal(signal.SIGTERM)
    else:
        end_input(process)
    assert process.wait(PATIENCE) == 0
    assert stream(process.stderr).read() == b""


def test_the_program_keeps_working_while_an_answer_is_unread(start: Start, tmp_path: Path) -> None:
    process = start(LARGE.replace("return", f"open({str(tmp_path / 'asked')!r}, 'a').write(key)\n    return"))
    send(process, line("a"))
    assert stream(process.stdout).read(10)
    send(process, line("b"))
    while (tmp_path / "asked").read_text() != "ab":
        os.sched_yield()


def test_a_slow_reader_gets_large_answers_completely(start: Start) -> None:
    process = start(LARGE)
    send(process, line("a") + line("b"))
    end_input(process)
    answers = []
    while piece := stream(process.stdout).read1(50_000):  # type: ignore[attr-defined]
        answers.append(piece)
    assert [len(json.loads(one)["result"]["items"][0]["id"]) for one in b"".join(answers).splitlines()] == [1_000_000] * 2
    assert process.wait(PATIENCE) == 0


def test_the_program_ends_with_its_server_even_if_its_input_stays_open(start: Start) -> None:
    """A killed server sends nothing, and another of its children may hold the pipe open."""
    process = start("run(load)")
    assert ask(process, "a") == [0]
    stream(process.stdout).close()
    assert process.wait(PATIENCE) == 0
    assert not stream(process.stdin).closed


def test_a_child_process_does_not_keep_the_programs_output_open(start: Start) -> None:
    program = """
def begin(key, query, size):
    return Page([{"id": subprocess.Popen(["sleep", "1000"]).pid}])

run(begin)
"""
    process = start(program)
    send(process, line("a"))
    pid = json.loads(stream(process.stdout).readline())["result"]["items"][0]["id"]
    try:
        end_input(process)
        assert stream(process.stdout).read() == b""
        assert process.wait(PATIENCE) == 0
    finally:
        os.kill(pid, signal.SIGKILL)


STUBBORN = {
    "async function": """
async def stay(key, query, size):
    while True:
        try:
            print("stays", flush=True)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

run(stay)
""",
    "changes": """
async def changes():
    while True:
        try:
            print("stays", flush=True)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass
        yield []

run(Source(load, changes=changes))
""",
    "thread": """
def stay(key, query, size):
    threading.Thread(target=threading.Event().wait).start()
    print("stays", flush=True)
    threading.Event().wait()

run(stay)
""",
}


@pytest.mark.parametrize("kind", STUBBORN)
def test_the_program_ends_even_if_a_task_cannot_be_cancelled(start: Start, kind: str) -> None:
    process = start(STUBBORN[kind])
    watch = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": {"source": "rows"}}).encode() + b"\n"
    send(process, watch if kind == "changes" else line("a"))
    assert stream(process.stderr).readline() == b"stays\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


ENDLESS = "CREATE VIEW mail AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n WHERE id < 0"


@pytest.mark.parametrize("held", ["statement", "lock"])
def test_the_program_can_end_while_a_database_is_busy_or_locked(start: Start, tmp_path: Path, held: str) -> None:
    database = sqlite3.connect(tmp_path / "mail.db", isolation_level=None)
    database.execute(ENDLESS if held == "statement" else "CREATE TABLE mail (id INTEGER PRIMARY KEY)")
    table = f"Table(SQLite({str(tmp_path / 'mail.db')!r}, timeout=1000), 'mail', live=False)"
    process = start(f"""
from nagare_source import SQLite, Table
from nagare_source.sqlite import SQLite as Kind
tell = Kind._run

async def told_run(self, function, connection=None):
    print("runs", flush=True)
    return await tell(self, function, connection)

def traced(self, writes=False):
    connection = connect(self, writes)
    connection.set_trace_callback(lambda statement: print(statement, flush=True))
    return connection

connect, Kind._connect, Kind._run = Kind._connect, traced, told_run
run({table})
""")
    if held == "lock":
        database.execute("BEGIN EXCLUSIVE")
    send(process, line(None))
    # If the database is locked, the second run repeats the first statement.
    for sign in [b"LIMIT"] if held == "statement" else [b"runs", b"runs"]:
        while sign not in (told := stream(process.stderr).readline()):
            assert told
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    assert b"Traceback" not in stream(process.stderr).read()
    database.close()


def test_the_program_can_end_while_its_database_server_is_stopped(start: Start, postgres: PostgreSQL) -> None:
    with postgres.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS stopped; CREATE TABLE stopped (id int PRIMARY KEY); INSERT INTO stopped VALUES (1)")
        process = start(f"""
from nagare_source import Table
from nagare_source.postgres import PostgreSQL
run(Table(PostgreSQL({postgres.connection!r}), "stopped", live=False))
""")
        assert ask(process, None) == [0]
        (found,) = connection.execute("SELECT array_agg(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
        pids = [*found[0], connection.execute("SELECT pg_read_file('postmaster.pid')").fetchone()[0].split()[0]]  # type: ignore[index]
        try:
            for pid in pids:
                os.kill(int(pid), signal.SIGSTOP)
            send(process, line(None))
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            for pid in pids:
                os.kill(int(pid), signal.SIGCONT)


@pytest.mark.parametrize("function", ["def leave", "async def leave"])
def test_a_function_can_end_the_program(start: Start, function: str) -> None:
    process = start(f"{function}(key, query, size): sys.exit(3)\nrun(leave)")
    send(process, line("a"))
    assert process.wait(PATIENCE) == 3


def test_a_program_in_a_terminal_prints_what_to_type(tmp_path: Path) -> None:
    """The text that the hint suggests is answered."""
    (tmp_path / "program.py").write_text(PRELUDE + "run(load)")
    terminal, inside = os.openpty()
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "program.py")], stdin=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        os.close(inside)
        assert b"Nagare" in stream(process.stderr).readline()
        os.write(terminal, stream(process.stderr).readline())
        assert json.loads(stream(process.stdout).readline())["result"]["items"] == [{"id": None}]
        process.terminate()
        assert process.wait(PATIENCE) == 0
        watchdog.cancel()
    os.close(terminal)
