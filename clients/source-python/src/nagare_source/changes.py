"""Changes of a source's rows."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any, Literal, TypeAlias

from .errors import TOO_OLD, SourceError
from .lazy import asyncio

Change: TypeAlias = "dict[str, Any]"
Changes: TypeAlias = "list[Change] | Literal['all']"
"""Changes that happen at the same time, in order."""

ALL: Literal["all"] = "all"
"""Reports that changes are unknown, so that the list reloads at the user's position. Yield it whenever the program may
have missed changes, for example after a lost connection."""


class TooOld(SourceError):
    """Raised if the changes since a state are unknown."""

    def __init__(self, message: str = "nobody knows any more what has happened since then") -> None:
        super().__init__(TOO_OLD, message)


def inserted(item: Any, *, before: Any = None, after: Any = None, at_end: bool = False) -> Change:
    """Reports an item that is new or has moved: to before or after another item, given by its id, or to the end.

    Without a position the `order` in the configuration places the item; without an `order` it comes first.
    """
    place = {"before": before, "after": after, "at": "end" if at_end else None}
    return {"insert": item} | {name: value for name, value in place.items() if value is not None}


def changed(item: Any) -> Change:
    """Reports a new version of an item."""
    return {"change": item}


def removed(id: Any) -> Change:
    """Reports that the item with an id was removed."""
    return {"remove": id}


def counted(total: int) -> Change:
    """Reports the number of items in the source, after all changes at the same time."""
    return {"total": total}


class Log:
    """The latest changes, each with a state. States of earlier runs of the program are unknown.

    - `size` is the maximum number of entries.
    """

    def __init__(self, size: int = 1000) -> None:
        self._generation = os.urandom(4).hex()
        self._number = 0
        self._entries: deque[Changes] = deque(maxlen=size)
        self._more = asyncio.Event()

    @property
    def state(self) -> str:
        """The newest state."""
        return self._state(self._number)

    def add(self, changes: Changes) -> None:
        """Adds an entry, and wakes the followers."""
        self._entries.append(changes)
        self._number += 1
        more, self._more = self._more, asyncio.Event()
        more.set()

    async def follow(self, since: str | None) -> AsyncGenerator[tuple[Changes, str], None]:
        """Yields the changes since a state, and then all further changes, each with the state after it. If `since` is
        None, it yields only further changes."""
        number = self._number if since is None else self._find(since)
        missed: list[Change] = []
        for changes in self._after(number):
            if changes == ALL:
                raise TooOld()
            missed += changes
        number = self._number
        yield missed, self.state
        while True:
            while number == self._number:
                await self._more.wait()
            if number < self._oldest:
                number = self._number
                yield ALL, self.state
            for changes in self._after(number):
                number += 1
                yield changes, self._state(number)

    @property
    def _oldest(self) -> int:
        return self._number - len(self._entries)

    def _find(self, state: str) -> int:
        for number in range(self._oldest, self._number + 1):
            if self._state(number) == state:
                return number
        raise TooOld()

    def _after(self, number: int) -> list[Changes]:
        return list(self._entries)[number - self._oldest :]

    def _state(self, number: int) -> str:
        return f"{self._generation}-{number}"
