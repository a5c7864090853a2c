"""A program that runs: what it reads and writes, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

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
        # A program that makes its test hang is killed, so that the test fails.
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
    """The ids of the requests with these keys, counted from 0, in the order in which they are answered."""
    send(process, b"".join(line(key, id) for id, key in enumerate(keys)))
    return [json.loads(stream(process.stdout).readline())["id"] for _ in keys]


def send(process: Running, data: bytes) -> None:
    stream(process.stdin).write(data)
    stream(process.stdin).flush()


def said(process: Running, input: bytes) -> tuple[list[Any], str]:
    """All answers to an input that ends, and what else was printed."""
    output, errors = process.communicate(input, PATIENCE)
    assert process.returncode == 0, errors.decode()
    return [json.loads(one) for one in output.splitlines()], errors.decode()


def test_answers_come_at_once_and_the_end_of_the_input_ends_it(start: Start) -> None:
    process = start("run(load)")
    assert ask(process, "a") == [0]
    assert ask(process, "b", "c") in ([0, 1], [1, 0])
    assert said(process, b"") == ([], "")


def test_what_was_read_is_answered_before_the_end(start: Start) -> None:
    """So a program can be tried by a pipe."""
    answers, errors = said(start("run(load)"), b"\n" + line("a", 1) + b" \r\n" + line("b", 2).rstrip(b"\n"))
    assert sorted((one["id"], one["result"]["items"]) for one in answers) == [(1, [{"id": "a"}]), (2, [{"id": "b"}])]
    assert errors == ""


def test_a_slow_request_holds_up_no_other(start: Start) -> None:
    program = """
answered = threading.Event()

def wait(key, query, size):
    answered.wait() if key == "slow" else answered.set()
    return load(key, query, size)

run(wait)
"""
    assert ask(start(program), "slow", "quick")[1:] in ([0], [1])


def test_what_is_printed_goes_to_standard_error(start: Start) -> None:
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


def test_nobody_else_reads_its_input(start: Start) -> None:
    program = """
def read(key, query, size):
    return Page([{"id": subprocess.run("cat", capture_output=True).stdout.decode() + sys.stdin.read()}])

run(read)
"""
    process = start(program)
    assert ask(process, "a", "b") in ([0, 1], [1, 0])


def test_large_lines_pass(start: Start) -> None:
    text = "ä" * 3_000_000
    answers, _ = said(start("run(load)"), line(text))
    assert answers[0]["result"]["items"] == [{"id": text}]


@pytest.mark.parametrize("function", ["load", "hang", "hang_async"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_whatever_it_does(start: Start, function: str, number: signal.Signals) -> None:
    process = start(f"run({function})")
    send(process, line("hang", "h") if function != "load" else b"")
    assert ask(process, "a") == [0]
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    assert stream(process.stderr).read() == b""


@pytest.mark.parametrize("function", ["hang", "hang_async"])
def test_what_hangs_is_waited_for_only_for_a_while(start: Start, function: str) -> None:
    answers, errors = said(start(f"run({function})"), line("a", 1) + line("hang", 2))
    assert [one["id"] for one in answers] == [1]
    assert errors == ""


def test_it_ends_when_nobody_reads_its_answers(start: Start) -> None:
    process = start("run(load)")
    stream(process.stdout).close()
    send(process, line("a"))
    assert process.wait(PATIENCE) == 0
    assert stream(process.stderr).read() == b""


@pytest.mark.parametrize("function", ["def leave", "async def leave"])
def test_a_function_may_end_it(start: Start, function: str) -> None:
    process = start(f"{function}(key, query, size): sys.exit(3)\nrun(leave)")
    send(process, line("a"))
    assert process.wait(PATIENCE) == 3


def test_a_terminal_is_told_what_to_type(tmp_path: Path) -> None:
    """What the hint says to type is answered."""
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
