"""The program around the functions: lines come in, answers go out."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable

from . import streams
from .program import Program, Sources

PATIENCE = 3.0
"""Seconds in which running functions may still give their answers when the input has ended."""

HINT = """This answers a Nagare server that starts it as a source of the type "command". To try it, type
{"jsonrpc":"2.0","id":1,"method":"source/page","params":{"source":"rows","key":null,"query":null,"size":3}}"""


def run(sources: Sources, *, threads: int = 8) -> None:
    """Answers for sources until standard input ends, or SIGTERM or SIGINT comes.

    `sources` is a page function or a `Source`, which then answers under every name, or a mapping of several from the
    names that they have in the configuration. Plain functions run in so many `threads` at most; more requests wait.

    From here on, what is printed goes to standard error.
    """
    if sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    end = asyncio.Event()
    input, output = streams.take()

    def say(line: bytes) -> None:
        try:
            streams.write(output, line)
        except OSError:
            end.set()

    asyncio.run(serve(Program(sources, threads, say), input, say, end))


async def serve(program: Program, input: int, say: Callable[[bytes], None], end: asyncio.Event) -> None:
    """Answers the lines that come from a descriptor."""
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()

    def take(line: bytes) -> None:
        task = loop.create_task(answer(line) if line else finish(set(tasks)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def answer(line: bytes) -> None:
        reply = await program.answer(line)
        if reply is not None:
            say(reply)

    async def finish(running: set[asyncio.Task[None]]) -> None:
        if running:
            await asyncio.wait(running, timeout=PATIENCE)
        end.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    threading.Thread(
        target=_read, args=(input, lambda line: loop.call_soon_threadsafe(take, line)), daemon=True
    ).start()
    await end.wait()
    program.ending = True


def _read(input: int, give: Callable[[bytes], object]) -> None:
    """Gives the lines of a descriptor that aren't blank, and an empty one at its end."""
    try:
        with os.fdopen(input, "rb") as lines:
            for line in lines:
                if line := line.strip():
                    give(line)
        give(b"")
    except RuntimeError:
        pass  # The loop has ended: nobody waits for more.
