"""A running nagare from a client's point of view: JSON-RPC over its pipes, one message per line."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]
MEBIBYTE = 1 << 20
PATIENCE = 600.0
"""Seconds after which a test counts as hanging. The limit is generous, because a machine may be slow."""
RELEASE = Path(__file__).resolve().parents[2] / ".build" / "release"


def program(product: str = "nagare") -> str:
    """The path of a product: the program in the environment's NAGARE or one in the same folder, or the release
    build."""
    binary = Path(os.environ.get("NAGARE", RELEASE / "nagare")).with_name(product)
    assert binary.exists(), f"{binary} is missing: run `swift build -c release --product {product}`"
    return str(binary)


class Server:
    """A running server. A separate thread reads its output, unless `reading` is false; then the output stays in the pipe.

    A server that makes its test hang is killed after `patience` seconds, so that the test fails.
    """

    def __init__(
        self,
        binary: str,
        *options: str,
        reading: bool = True,
        patience: float = PATIENCE,
        environment: dict[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [binary, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            bufsize=0,
            env=environment,
            cwd=folder,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.requests = 0
        self.watchdog = threading.Timer(patience, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        if reading:
            self.read()

    def read(self) -> None:
        """Starts to read the server's output."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with open(self.output.fileno(), "rb", closefd=False) as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put(b"")

    def send(self, *messages: Message) -> None:
        """Writes messages at once."""
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def write(self, data: bytes) -> None:
        """Writes all of these bytes, however slowly they are accepted."""
        view = memoryview(data)
        while view:
            view = view[self.input.write(view) :]

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def call(self, method: str, **params: Any) -> tuple[Message, list[Message]]:
        """Returns the response to a request, and the messages before it."""
        self.requests += 1
        self.send({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        before: list[Message] = []
        while (message := self.next()).get("id") != self.requests or "method" in message:
            before.append(message)
        return message, before

    def next(self) -> Message:
        """Returns the next message."""
        line = self.next_line()
        assert line, "the server ended"
        message: Message = json.loads(line)
        return message

    def hear(self, *outputs: str, where: Callable[[Any], bool] = lambda value: True) -> Message:
        """Reads up to one of these outputs whose value satisfies a condition."""
        while True:
            message = self.next()
            if message.get("method") in outputs and where(message["params"]["value"]):
                return message

    def next_line(self) -> bytes:
        """Returns the next line; empty at the end of the output."""
        return self.lines.get(timeout=PATIENCE)

    def rest(self) -> list[Message]:
        """Returns all messages up to the end of the output."""
        messages: list[Message] = []
        while line := self.next_line():
            messages.append(json.loads(line))
        return messages

    def close(self) -> None:
        """Ends the server's input."""
        self.input.close()

    def ends(self) -> int:
        """Waits for the end, and returns the exit code; negative for a signal."""
        return self.process.wait(PATIENCE)

    def errors(self) -> str:
        """Returns the text written to standard error."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def resident(self) -> int:
        """Returns the resident memory in bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def kill(self) -> None:
        """Kills the process if it still runs."""
        self.watchdog.cancel()
        self.process.kill()
        self.process.wait()
        if not self.input.closed:
            self.input.close()
        self.log.close()


Start = Callable[..., Server]


def until(condition: Callable[[], bool]) -> None:
    """Waits until a condition outside this process holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it doesn't happen"
        time.sleep(0.01)
