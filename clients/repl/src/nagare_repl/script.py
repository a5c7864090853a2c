"""Carries out lines from a pipe or a file."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from typing import Any

from .client import Client
from .console import Console
from .errors import LineFailed, ProgramEnded

READ_SIZE = 1 << 16


async def run_script(client: Client) -> int:
    """Carries out the lines of standard input, and then lets the program finish its work. Returns the number of failed lines."""
    console = Console(client)
    queue = _read_lines()
    number, failures = 0, 0
    await client.discovered()
    while not console.has_quit and (line := await _next(queue, client)) is not None:
        number += 1
        try:
            await console.run(line)
        except LineFailed as error:
            failures += 1
            client.printer.error(f"nagare repl: line {number}: {error}")
            if isinstance(error, ProgramEnded):
                break
    await client.end(is_hurried=console.has_quit)
    return failures


async def _next(queue: asyncio.Queue[str | None], client: Client) -> str | None:
    """Returns the next line; None at the end of the input. If the program has ended, lines that come later aren't waited for."""
    line = asyncio.ensure_future(queue.get())
    either: set[asyncio.Future[Any]] = {line, client.ended}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if line.done() or select.select([0], [], [], 0)[0]:
        return await line
    line.cancel()
    return None


def _read_lines() -> asyncio.Queue[str | None]:
    """Reads standard input in a thread. The event loop can't wait for regular files."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(line: bytes | None) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, None if line is None else line.decode("utf-8", "replace"))

    def read() -> None:
        begun = b""
        try:
            while piece := os.read(0, READ_SIZE):
                *lines, begun = (begun + piece).split(b"\n")
                for line in lines:
                    put(line)
            if begun:
                put(begun)
            put(None)
        except (OSError, RuntimeError):
            pass  # The session has ended before the input.

    # The thread may still wait for input when the program has ended, so the process must not wait for the thread.
    threading.Thread(target=read, daemon=True).start()
    return queue
