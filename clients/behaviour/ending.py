#!/usr/bin/env python3
"""A server for tests of ends. It records each step towards its end in a FIFO.

    ending.py FIFO answers|ignores exit|input|SIGTERM|SIGKILL [session] [stdin] [stdout] [stderr]

It answers `shutdown`, or ignores it. It ends at `exit`, at the end of its input, at SIGTERM, or only at SIGKILL. It writes one
line for each of these, and for each request `wait`.

A child process in another process group, like the program of a source, holds the FIFO open, too. So the FIFO ends when the
server and everything in its session have ended.

A process in another session holds the named streams open and outlives the server. Its process id is the first line,
`holder PID`; the test kills it. With `session`, the child process in the server's session holds them open, too.

A request `die` ends the server with the status 3, right after it has answered every request `wait` that came before. A request
`leave` ends it with the status 0, without an answer.
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
    streams = {name: number if name in held else subprocess.DEVNULL for number, name in enumerate(("stdin", "stdout", "stderr"))}
    if held:
        holder = subprocess.Popen(["sleep", "600"], start_new_session=True, **streams)
        note(f"holder {holder.pid}")
    own = streams if "session" in held else dict.fromkeys(streams, subprocess.DEVNULL)
    subprocess.Popen(["sleep", "600"], preexec_fn=os.setpgrp, pass_fds=[record], **own)

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
        elif method == "leave":
            os._exit(0)
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
