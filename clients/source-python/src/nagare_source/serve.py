"""Runs a program: reads lines and writes answers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from . import streams
from .program import Program, Sources

PATIENCE = 3.0
"""Seconds that running functions have after the end of the input, and that the reader has for each piece of output."""

GRACE = 1.0
"""Seconds that cancelled tasks have to end. The program doesn't wait longer, for example for a database that doesn't answer."""

HINT = """This answers a Nagare server that starts it as a source of the type "command". To try it, type
{"jsonrpc":"2.0","id":1,"method":"source/page","params":{"source":"rows","key":null,"query":null,"size":3}}"""


def run(sources: Sources, *, threads: int = 8) -> None:
    """Serves sources until standard input ends, the output is closed, or SIGTERM or SIGINT arrives.

    `sources` is a page function or a `Source`, which answers under every name, or a mapping from names in the
    configuration. At most `threads` plain functions run at once; further requests wait.

    From now on, printed text goes to standard error. If a task can't be cancelled within a second, the process exits
    nevertheless, and `run` doesn't return.
    """
    if sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    input, output = streams.claim()
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(serve(lambda out: Program(sources, threads, out.write, out.drain), input, output))
    finally:
        is_done = loop.run_until_complete(_cancel())
        status = sys.exc_info()[1]
        if not is_done and (status is None or isinstance(status, SystemExit)):
            sys.stderr.flush()
            os._exit(status.code if status is not None and isinstance(status.code, int) else 0)
        loop.close()


async def serve(make: Callable[[streams.Output], Program], input: int, output: int) -> None:
    """Reads lines from one descriptor and writes their answers to another."""
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    out = streams.Output(output, end.set)
    program = make(out)
    tasks: set[asyncio.Task[None]] = set()

    def receive(line: bytes) -> None:
        task = loop.create_task(answer(line) if line else finish(set(tasks)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def answer(line: bytes) -> None:
        reply = await program.answer(line)
        if reply is not None:
            out.write(reply)

    async def finish(running: set[asyncio.Task[None]]) -> None:
        if running:
            await asyncio.wait(running, timeout=PATIENCE)
        await out.flush(PATIENCE)
        end.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    threading.Thread(
        target=_read, args=(input, lambda line: loop.call_soon_threadsafe(receive, line)), daemon=True
    ).start()
    await end.wait()
    program.ending = True


async def _cancel() -> bool:
    """Cancels all tasks, and returns whether everything has ended."""
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    left = (await asyncio.wait(running, timeout=GRACE))[1] if running else set()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.get_running_loop().shutdown_asyncgens(), GRACE)
    # A thread that resolves a host name can't be cancelled.
    return not left and all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate())


def _read(input: int, receive: Callable[[bytes], object]) -> None:
    """Passes each line of a descriptor that isn't blank to `receive`, and an empty line at the end."""
    try:
        with os.fdopen(input, "rb") as lines:
            for line in lines:
                if line := line.strip():
                    receive(line)
        receive(b"")
    except RuntimeError:
        pass  # The event loop has ended.
