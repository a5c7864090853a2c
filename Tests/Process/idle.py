"""What a waiting process does: nothing. It is looked at from outside, where the system says what its threads wait in."""

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
"""How often a process is looked at. All looks must find it in the same wait."""

needs_proc = pytest.mark.skipif(
    platform.machine() != "x86_64" or not Path("/proc/self/syscall").exists(), reason="the numbers are Linux's on x86-64"
)


def waits(pid: int) -> dict[str, tuple[str, int | None]] | None:
    """What each thread waits in, and how long at most (milliseconds; None: for ever). None while any thread runs."""
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
    """How often the process's threads were woken or interrupted."""
    lines = [
        line
        for task in Path(f"/proc/{pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if "ctxt_switches" in line
    ]
    return sum(int(line.split()[1]) for line in lines)


def shortest_wait(pid: int) -> float:
    """The shortest of the times after which a resting process wakes by itself (milliseconds; infinite: never); 0 while it
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
    """Whether the process comes to a rest of at least so long; what it does once, a little later, may pass."""
    deadline = time.monotonic() + PATIENCE
    while shortest_wait(pid) < milliseconds:
        if time.monotonic() > deadline:
            return False
    return True
