"""Standard input and output, reserved for messages."""

from __future__ import annotations

import asyncio
import os
import queue
import stat
import sys
import threading
from collections.abc import Callable

QUEUE_LIMIT = 1 << 20
"""The number of queued bytes above which changes of live sources wait."""


def claim() -> tuple[int, int]:
    """Moves standard input and output to other descriptors, and returns these.

    From now on, printed text goes to standard error, even that of libraries and child processes. Other code can't read
    the server's messages.
    """
    input, output = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # Flushes text that was printed earlier.
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return input, output


class Output:
    """Writes lines to a descriptor, in a thread. So a slow reader delays neither the program's work nor its end.

    - `broken` is called when the reader has closed its end, even if nothing is written.
    """

    def __init__(self, descriptor: int, broken: Callable[[], object]) -> None:
        self._descriptor, self._broken = descriptor, broken
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._waiting = 0
        self._written = asyncio.Event()
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            # The write end of a pipe becomes readable only when the read end is closed.
            self._loop.add_reader(descriptor, self._close)
        threading.Thread(target=self._write, daemon=True).start()

    def write(self, line: bytes) -> None:
        """Queues a line, and adds the line end."""
        self._waiting += len(line) + 1
        self._lines.put(line + b"\n")

    async def drain(self) -> None:
        """Waits until the queue is short."""
        while self._waiting > QUEUE_LIMIT:
            await self._progress()

    async def flush(self, patience: float) -> None:
        """Waits until everything is written. Gives up after `patience` seconds without progress."""
        while self._waiting:
            try:
                await asyncio.wait_for(self._progress(), patience)
            except asyncio.TimeoutError:
                return

    async def _progress(self) -> None:
        self._written.clear()
        await self._written.wait()

    def _close(self) -> None:
        self._loop.remove_reader(self._descriptor)
        # The reader has closed its end, so the queue is dropped.
        self._waiting = 0
        self._written.set()
        self._broken()

    def _on_written(self, count: int) -> None:
        self._waiting = max(self._waiting - count, 0)
        self._written.set()

    def _write(self) -> None:
        try:
            while True:
                rest = memoryview(self._lines.get())
                while rest:
                    count = os.write(self._descriptor, rest[: 1 << 16])
                    rest = rest[count:]
                    self._loop.call_soon_threadsafe(self._on_written, count)
        except OSError:
            self._loop.call_soon_threadsafe(self._close)
        except RuntimeError:
            pass  # The event loop has ended.
