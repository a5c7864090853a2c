"""An idle program doesn't wake up. Checks in which system call each thread is blocked, and for how long."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import line
from databases import Under

PATIENCE = 60.0
READ, EPOLL, FUTEX = {"x86_64": ({"0"}, {"232", "281"}, {"202"}), "aarch64": ({"63"}, {"22"}, {"98"})}.get(platform.machine(), ({""},) * 3)
FOR_EVER = 0xFFFFFFFF

pytestmark = pytest.mark.skipif(not (os.path.exists("/proc/self/syscall") and READ != {""}), reason="needs Linux' /proc")


class Running:
    """A program that receives its requests line by line."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, **params: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line(method, **params) + b"\n")
        self.process.stdin.flush()
        while "id" not in (message := json.loads(self.process.stdout.readline())):
            pass
        return message["result"]

    def pauses(self) -> list[int]:
        """The timeouts of the system calls in which the threads are blocked, in milliseconds. Calls without a timeout aren't included."""
        pauses = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            call, *arguments = (task / "syscall").read_text().split()
            if call in READ:
                pauses.append(FOR_EVER)
            elif call in EPOLL:
                pauses.append(int(arguments[3], 16) & FOR_EVER)
            elif call in FUTEX:
                pauses.append(FOR_EVER if int(arguments[3], 16) == 0 else 0)
            else:  # The thread runs, or waits for something short.
                pauses.append(0)
        return pauses

    def wait_until_idle(self, pause: int) -> None:
        """Waits until every thread is blocked for at least `pause` milliseconds."""
        deadline = time.monotonic() + PATIENCE
        while min(self.pauses()) < pause:
            assert time.monotonic() < deadline, self.pauses()
            os.sched_yield()


@pytest.fixture
def running() -> Iterator[list[Running]]:
    programs: list[Running] = []
    yield programs
    for program in programs:
        program.process.kill()
        program.process.communicate()


def test_an_idle_program_waits_only_for_its_input(tmp_path: Path, running: list[Running]) -> None:
    (tmp_path / "program.py").write_text("from nagare_source import Page, run\nrun(lambda key, query, size: Page([{'id': 1}]))")
    running.append(Running(str(tmp_path / "program.py")))
    running[0].wait_until_idle(FOR_EVER)
    assert running[0].ask("source/page")["items"] == [{"id": 1}]
    running[0].wait_until_idle(FOR_EVER)


def test_a_watched_table_wakes_the_program_at_most_once_a_second(under: Under, running: list[Running]) -> None:
    """PostgreSQL needs a check whether the table was altered. An SQLite file may be on a network share, whose writes
    the system can't report."""
    under.run("INSERT INTO mail (id) VALUES (1)")
    running.append(Running("-m", "nagare_source", *under.arguments, "--table", "mail", "--triggers"))
    program = running[0]
    assert program.process.stdout
    state = program.ask("source/watch")["state"]
    program.ask("source/page")
    program.wait_until_idle(900)
    for id in (2, 3):
        under.run("INSERT INTO mail (id) VALUES (?)", [id])
        told = json.loads(program.process.stdout.readline())["params"]
        while not told["changes"]:
            told = json.loads(program.process.stdout.readline())["params"]
        assert told["changes"][0]["insert"]["id"] == id and told["state"] != state
        program.wait_until_idle(900)
    # After the watch has ended, the program waits without a timeout, except for unused connections.
    assert program.process.stdin
    unwatch = {"jsonrpc": "2.0", "method": "source/unwatch", "params": {"source": "rows", "query": None}}
    program.process.stdin.write(json.dumps(unwatch).encode() + b"\n")
    program.process.stdin.flush()
    program.wait_until_idle(FOR_EVER)
