#!/usr/bin/env python3
"""A server that ends as it is told to, and writes into a FIFO what it gets.

    ending.py FIFO answers|ignores exit|input|SIGTERM|SIGKILL [stdin] [stdout] [stderr]

It answers `shutdown`, or ignores it, and ends at `exit`, at the end of its input, at SIGTERM, or at SIGKILL alone. It writes a
line for each of these that comes, and for `wait`. The FIFO ends when the server has ended and nothing is left in its session: a program in a
process group of its own, as the programs of sources are, holds it as well.

The streams that are named are held open by a program in another session, which outlives it. Its process id is the first line,
`holder PID`: whoever reads the FIFO kills it.

A request `die` ends the server with the status 3, right after it has answered every request `wait` that came before.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any


def main(fifo: str, shutdown: str, end: str, *held: str) -> None:
    record = os.open(fifo, os.O_WRONLY)

    def note(line: str) -> None:
        os.write(record, f"{line}\n".encode())
        if line == end or (line, end) == ("end of input", "input"):
            os._exit(0)

    signal.signal(signal.SIGTERM, lambda *_: note("SIGTERM"))
    if held:
        streams = {name: number if name in held else subprocess.DEVNULL for number, name in enumerate(("stdin", "stdout", "stderr"))}
        holder = subprocess.Popen(["sleep", "600"], start_new_session=True, **streams)
        note(f"holder {holder.pid}")
    quiet = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
    subprocess.Popen(["sleep", "600"], preexec_fn=os.setpgrp, pass_fds=[record], **quiet)

    waiting: list[Any] = []
    for line in iter(sys.stdin.buffer.readline, b""):
        message = json.loads(line)
        method = message.get("method")
        if method == "initialize":
            answer(message["id"], {"protocolVersion": "1", "server": {"name": "ending"}, "capabilities": {}})
        elif method == "screens":
            answer(message["id"], {"screens": []})
        elif method == "wait":
            waiting.append(message["id"])
            note(method)
        elif method == "die":
            for id in waiting:
                answer(id, {"now": 7})
            os._exit(3)
        elif method in ("shutdown", "exit"):
            note(method)
            if method == "shutdown" and shutdown == "answers":
                answer(message["id"], {})
        elif "id" in message:
            answer(message["id"], {})
    note("end of input")
    while True:
        signal.pause()


def answer(id: Any, result: Any) -> None:
    os.write(1, json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
