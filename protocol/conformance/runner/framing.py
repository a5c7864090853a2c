"""The two framings, checked as strictly as the protocol requires of servers."""

from __future__ import annotations

import re

_LARGEST = 8 << 20
_HEADER = re.compile(rb"Content-Length: (0|[1-9][0-9]*)\r\n\r\n")


class FramingError(Exception):
    """A fault in the bytes that a server wrote."""


def frame(body: bytes, framing: str) -> bytes:
    """Returns the bytes with which a client sends a message."""
    return body + b"\n" if framing == "lines" else b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Decoder:
    """Splits a server's output into messages."""

    def __init__(self, framing: str) -> None:
        self.framing = framing
        self.pending = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Receives more bytes, and returns the messages that they complete."""
        self.pending += data
        messages: list[bytes] = []
        try:
            while (message := self._next()) is not None:
                messages.append(message)
        except FramingError:
            if not messages:  # return the messages before the fault first; the next call raises it again
                raise
        return messages

    def _wait(self) -> None:
        if len(self.pending) > _LARGEST:
            raise FramingError(f"more than {_LARGEST:,} bytes of one message, beginning with {self.pending[:200]!r}")

    def _next(self) -> bytes | None:
        if self.framing == "lines":
            line, found, rest = self.pending.partition(b"\n")
            if not found:
                return self._wait()
            if line.strip() != line or not line:
                raise FramingError(f"a message must fill its line and end with LF alone: {line[:200]!r}")
            self.pending = rest
            return line
        header = _HEADER.match(self.pending)
        if header is None:
            if (
                b"\n\r\n" in self.pending
                or len(self.pending) > 64
                or not b"Content-Length: ".startswith(self.pending[:16])
            ):
                raise FramingError(f"not `Content-Length: N` CR LF CR LF: {self.pending[:200]!r}")
            return None
        end = header.end() + int(header[1])
        if len(self.pending) < end:
            return self._wait()
        body, self.pending = self.pending[header.end() : end], self.pending[end:]
        return body
