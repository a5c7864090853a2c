"""Iteration over the values of an output."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Generic, TypeVar

from .errors import NagareError, TooManyEvents

T = TypeVar("T", covariant=True)

BACKLOG = 10_000
"""The maximum number of unread events."""


class Output(AsyncIterator[T], Generic[T]):
    """The values of one output of a view, from now on: `async for loading in inbox.output("loading")`.

    - A state begins with its current value. A slow reader skips older values and gets the latest one.
    - An event arrives exactly once. Events are queued for a slow reader; more than 10,000 queued events raise
      `TooManyEvents`.
    - The iteration ends when the view is closed. It raises `ServerDied` if the server dies.
    """

    def __init__(self, *, latest: bool) -> None:
        self._waiting: deque[Any] = deque(maxlen=1 if latest else BACKLOG + 1)
        self._arrived = asyncio.Event()
        self._end: Exception | None = None

    def __aiter__(self) -> Output[T]:
        return self

    async def __anext__(self) -> T:
        while not self._waiting:
            if self._end is not None:
                raise self._end
            self._arrived.clear()
            await self._arrived.wait()
        value: T = self._waiting.popleft()
        return value

    def _push(self, value: Any) -> None:
        if self._end is not None:
            return
        self._waiting.append(value)
        self._arrived.set()
        if len(self._waiting) > BACKLOG:
            self._waiting.clear()
            self._finish(TooManyEvents(f"{BACKLOG} events have waited for somebody to read them"))

    def _finish(self, error: NagareError | None) -> None:
        """Ends the iteration, or makes it raise an error."""
        if self._end is None:
            self._end = error or StopAsyncIteration()
            self._arrived.set()
