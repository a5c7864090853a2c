#!/usr/bin/env python3
"""Forwards bytes between a client and a server in small pieces: relay.py -- nagare --clock virtual"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

PIECE = 7
"""The size of a piece in bytes. It divides no common buffer size, so messages are cut at all positions."""


def main() -> int:
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    threading.Thread(target=pump, args=(0, server.stdin.fileno()), daemon=True).start()
    hand_on(server.stdout.fileno(), 1)
    status = server.wait()
    return status if status >= 0 else 128 - status


def pump(source: int, target: int) -> None:
    """Forwards all bytes, then the end of the stream."""
    try:
        hand_on(source, target)
    except OSError:
        pass  # The server has ended.
    os.close(target)


def hand_on(source: int, target: int) -> None:
    while data := os.read(source, 1 << 16):
        for start in range(0, len(data), PIECE):
            rest = memoryview(data)[start : start + PIECE]
            while rest:
                rest = rest[os.write(target, rest) :]


if __name__ == "__main__":
    sys.exit(main())
