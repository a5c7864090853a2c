"""The transport between an app and its server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .connection import Reader, Writer
from .errors import NagareError


class Transport(Protocol):
    """The connection to a server."""

    reader: Reader
    writer: Writer

    async def diagnose(self) -> Callable[[], NagareError]:
        """Called at the end of the input. Returns the error for waiting requests."""

    async def end(self, patience: float, more: float) -> int | None:
        """Called after the last message: gives the server `patience` seconds to end, `more` seconds after SIGTERM, and then kills it.
        Returns its exit status, if known.
        """
