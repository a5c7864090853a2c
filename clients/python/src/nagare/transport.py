"""What stands between an app and its server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .connection import Reader, Writer
from .errors import NagareError


class Transport(Protocol):
    """What a server is reached by."""

    reader: Reader
    writer: Writer

    async def diagnose(self) -> Callable[[], NagareError]:
        """Called when nothing comes any more: what to tell those who wait."""

    async def end(self, patience: float, more: float) -> int | None:
        """Called when all is said: gives the server so many seconds to end, more of them after SIGTERM, and then kills it.
        Returns its exit status, if known.
        """
