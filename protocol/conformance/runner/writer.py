"""Writes to a server, in pieces as the manner requires."""

from __future__ import annotations

import fcntl
import os
import random
import select
import subprocess
import termios
import time
from collections.abc import Iterator

from .manner import Failed, Manner
from .transcript import Place


class Writer:
    """The server's input. If the server doesn't read within the time limit, the case fails."""

    def __init__(self, process: subprocess.Popen[bytes], manner: Manner, name: str) -> None:
        assert process.stdin is not None
        self.process, self.input, self.manner = process, process.stdin, manner
        self.random = random.Random(f"{manner.seed} {name}")
        self.deadline = 0.0
        os.set_blocking(self.input.fileno(), False)

    def write(self, place: Place, data: bytes) -> None:
        """Writes piece by piece. Waits until the server has read each piece, so that no two are read as one."""
        try:
            for piece in self._pieces(data):
                self._put(place, piece)
                while len(piece) < len(data) and self._unread() and self.process.poll() is None:
                    self._check(place)
                    time.sleep(0)
        except (BrokenPipeError, ValueError):
            pass  # the server ended; the next expected message or the exit code reports that

    def close(self) -> None:
        """Ends the server's input."""
        try:
            self.input.close()
        except BrokenPipeError:
            pass

    def _put(self, place: Place, piece: bytes) -> None:
        self.deadline = time.monotonic() + self.manner.timeout
        while piece:
            if select.select([], [self.input], [], 0.1)[1]:
                piece = piece[os.write(self.input.fileno(), piece) :]
                self.deadline = time.monotonic() + self.manner.timeout
            self._check(place)

    def _check(self, place: Place) -> None:
        if time.monotonic() > self.deadline:
            raise Failed(place, "that the server reads its input", f"none of it read within {self.manner.timeout:g} s")

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        if self.manner.chunks == "bytes" and len(data) <= 20_000:
            yield from (data[i : i + 1] for i in range(len(data)))
        elif self.manner.chunks == "random":
            start = 0
            while start < len(data):
                size = self.random.choice((1, 2, 7, 40, 300, 5000))
                yield data[start : start + size]
                start += size
        elif data:
            yield data

    def _unread(self) -> int:
        count = bytearray(4)
        try:
            fcntl.ioctl(self.input.fileno(), termios.FIONREAD, count)
        except OSError:
            return 0
        return int.from_bytes(count, "little")
