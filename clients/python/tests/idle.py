#!/usr/bin/env python3
"""Waits until every thread of a process is blocked without a timeout: idle.py PID

A process that wakes up repeatedly never reaches that state. Reads `/proc/PID/task/*/syscall`, so it works only on
Linux.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

# For each system call: the index of its timeout argument, counted from 0, or None if it has none.
_X86 = {0: None, 1: None, 7: 2, 23: 4, 61: None, 202: 3, 232: 3, 247: None, 271: 2, 281: 3, 441: 3}
_ARM = {22: 3, 63: None, 64: None, 72: 4, 73: 2, 95: None, 98: 3, 260: None, 441: 3}
LIMITS = _X86 if platform.machine() == "x86_64" else _ARM
ENDLESS = {0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF}
"""Timeouts that never expire: a null pointer, or -1 milliseconds. A null timeout of 0 milliseconds returns at once, so
it is rarely observed."""


def is_idle(task: Path) -> bool:
    number, *arguments = (task / "syscall").read_text().split()
    if number == "running" or int(number) not in LIMITS:
        return False
    limit = LIMITS[int(number)]
    return limit is None or int(arguments[limit], 16) in ENDLESS


def main(pid: str) -> None:
    while not all(is_idle(task) for task in Path(f"/proc/{pid}/task").iterdir()):
        pass


if __name__ == "__main__":
    main(sys.argv[1])
