"""Ends a session with a server while other processes hold the server's streams open.

usage: held.py close|exit|leave|die|cancel|begin SERVER…

Nothing may keep this process alive after the session. It prints the open resources before and after the session as
JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from typing import Any

import nagare


def left() -> dict[str, Any]:
    """Counts the open descriptors, timers, tasks and threads. The descriptors include those of the event loop."""
    loop: Any = asyncio.get_running_loop()
    descriptors = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    threads = [thread.name for thread in threading.enumerate() if not thread.daemon]
    timers = [repr(one) for one in loop._scheduled if not one.cancelled()]
    return {"descriptors": len(descriptors), "timers": timers, "tasks": len(asyncio.all_tasks()), "threads": threads}


async def session(way: str, server: list[str]) -> None:
    async with nagare.spawn(*server, patience=600) as app:
        if way == "begin":
            raise asyncio.CancelledError
        await app.ping()
        if way == "cancel":
            waiting = asyncio.ensure_future(app._call("wait", {}))
            await asyncio.sleep(0)
            waiting.cancel()
            await waiting
        elif way != "close":
            await app._call(way, {})


async def main(way: str, *server: str) -> None:
    before = left()
    try:
        await session(way, list(server))
    except (nagare.NagareError, asyncio.CancelledError) as error:
        print(f"{type(error).__name__} {error}".strip())
    for _ in range(3):
        await asyncio.sleep(0)
    print(json.dumps([before, left()]), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
