"""Checks from outside that a waiting process does nothing, by the system calls that its threads wait in."""

from __future__ import annotations

import math
import platform
import time
from pathlib import Path

import pytest
from server import PATIENCE

WAITS = {7: "poll", 202: "futex", 232: "epoll_wait", 271: "ppoll", 281: "epoll_pwait", 0: "read", 449: "futex_waitv"}
"""System calls that wait, by their numbers on x86-64."""
LOOKS = 300
"""The number of checks. All of them must find the process in the same wait."""

needs_proc = pytest.mark.skipif(
    platform.machine() != "x86_64" or not Path("/proc/self/syscall").exists(), reason="the numbers are Linux's on x86-64"
)


def waits(pid: int) -> dict[str, tuple[str, int | None]] | None:
    """The system call that each thread waits in, with its time limit in milliseconds (None: no limit). None while a
    thread runs."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        words = (task / "syscall").read_text().split()
        if words[0] == "running" or int(words[0]) not in WAITS:
            return None
        call = WAITS[int(words[0])]
        limit = None
        if call == "poll":
            milliseconds = int(words[3], 16) & 0xFFFFFFFF
            limit = None if milliseconds == 0xFFFFFFFF else milliseconds
        found[task.name] = (call, limit)
    return found


def switches(pid: int) -> int:
    """The number of times that the process's threads were woken or interrupted."""
    lines = [
        line
        for task in Path(f"/proc/{pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if "ctxt_switches" in line
    ]
    return sum(int(line.split()[1]) for line in lines)


def shortest_wait(pid: int) -> float:
    """The shortest time after which a resting process wakes by itself, in milliseconds (infinite: never); 0 while it
    doesn't rest."""
    try:
        before, seen = switches(pid), waits(pid)
        if not seen or any(waits(pid) != seen for _ in range(LOOKS)) or switches(pid) != before:
            return 0
    except FileNotFoundError:
        # A thread has ended meanwhile.
        return 0
    return min((math.inf if limit is None else limit for _, limit in seen.values()))


def rests(pid: int, milliseconds: float = math.inf) -> bool:
    """Whether the process comes to a rest of at least this length. Work that it does once, a little later, is
    allowed."""
    deadline = time.monotonic() + PATIENCE
    while shortest_wait(pid) < milliseconds:
        if time.monotonic() > deadline:
            return False
    return True
