"""What happens to the rows of a source, as its function for changes says it."""

from __future__ import annotations

from asyncio import Event
from collections import deque
from collections.abc import AsyncGenerator
from secrets import token_hex
from typing import Any, Literal, TypeAlias

from .errors import TOO_OLD, SourceError

Change: TypeAlias = "dict[str, Any]"
Changes: TypeAlias = "list[Change] | Literal['all']"
"""What happens at one time, in its order."""

ALL: Literal["all"] = "all"
"""Nobody knows what has happened, so the list is read again, where the user is. Say it whenever you may have missed
something: after a connection was lost, for one."""


class TooOld(SourceError):
    """Raised where nobody can tell any more what has happened since a state."""

    def __init__(self, message: str = "nobody knows any more what has happened since then") -> None:
        super().__init__(TOO_OLD, message)


def inserted(item: Any, *, before: Any = None, after: Any = None, at_end: bool = False) -> Change:
    """An item is there, or stands elsewhere: before or after the one with an id, or last; else where the `order` in the
    configuration puts it, and first where there is none."""
    place = {"before": before, "after": after, "at": "end" if at_end else None}
    return {"insert": item} | {name: value for name, value in place.items() if value is not None}


def changed(item: Any) -> Change:
    """An item is another one from now on."""
    return {"change": item}


def removed(id: Any) -> Change:
    """The item with an id is gone."""
    return {"remove": id}


def counted(total: int) -> Change:
    """So many items are there in all from now on, whatever else is said at that time."""
    return {"total": total}


class Log:
    """What has happened lately, under states of its own: they are counted, and those of another life of the program are
    unknown.

    - `size` is for how many times it remembers what happened.
    """

    def __init__(self, size: int = 1000) -> None:
        self._generation = token_hex(4)
        self._number = 0
        self._entries: deque[Changes] = deque(maxlen=size)
        self._more = Event()

    @property
    def state(self) -> str:
        """The state after all that has happened."""
        return self._state(self._number)

    def add(self, changes: Changes) -> None:
        """Something has happened."""
        self._entries.append(changes)
        self._number += 1
        more, self._more = self._more, Event()
        more.set()

    async def follow(self, since: str | None) -> AsyncGenerator[tuple[Changes, str], None]:
        """What has happened since a state, None for now, and then all that happens, each with the state that it leads to."""
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
