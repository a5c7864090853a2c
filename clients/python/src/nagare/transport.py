"""The transport between an app and its server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .connection import Reader, Writer
from .errors import NagareError


class Transport(Protocol):
    """A server's streams, and how its end is detected and forced."""

    reader: Reader
    writer: Writer

    async def diagnose(self) -> Callable[[], NagareError]:
        """Called at the end of the input. Returns the error that waiting requests raise."""

    async def end(self, patience: float, more: float) -> int | None:
        """Called after the last message. Waits `patience` seconds for the server to end, `more` seconds after SIGTERM,
        and then kills it.

        Returns the server's exit status, if known.
        """
