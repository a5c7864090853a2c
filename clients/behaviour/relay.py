#!/usr/bin/env python3
"""Stands between a client and a server, and makes their life hard.

    relay.py --slow -- nagare --clock virtual          hands on a few bytes at a time
    relay.py --kill-after 3 -- nagare --clock virtual  dies with the server when it has handed on 3 messages of the server
    relay.py --count FILE -- nagare --clock virtual    writes to FILE how many messages of the server it has handed on
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading

PIECE = 7
"""How many bytes a slow pipe hands on at a time: no divisor of anything, so messages are cut at all places."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--kill-after", type=int, default=-1)
    parser.add_argument("--count")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    piece = PIECE if options.slow else 1 << 16
    server = subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    if options.kill_after == 0:
        die(server)
    threading.Thread(target=pump, args=(0, server.stdin.fileno(), piece), daemon=True).start()
    handed_on = 0
    while piece_read := os.read(server.stdout.fileno(), 1 << 16):
        for line in piece_read.splitlines(keepends=True):
            write(1, line, piece)
            handed_on += line.endswith(b"\n")
            if handed_on == options.kill_after:
                die(server)
    status = server.wait()
    if options.count:
        with open(options.count, "w") as file:
            file.write(str(handed_on))
    return status if status >= 0 else 128 - status


def pump(source: int, target: int, piece: int) -> None:
    """Hands on everything, and then the end."""
    try:
        while data := os.read(source, 1 << 16):
            write(target, data, piece)
    except OSError:
        pass  # The server has ended.
    os.close(target)


def write(target: int, data: bytes, piece: int) -> None:
    for start in range(0, len(data), piece):
        rest = memoryview(data)[start : start + piece]
        while rest:
            rest = rest[os.write(target, rest) :]


def die(server: subprocess.Popen[bytes]) -> None:
    """Ends both as abruptly as it can be done."""
    server.kill()
    server.wait()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
