"""How a source of the client changes, as its function for changes tells it."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Literal, NamedTuple, TypeAlias

from .errors import LimitPassed

log = logging.getLogger("nagare")

Change: TypeAlias = "dict[str, Any]"
Changes: TypeAlias = "list[Change] | Literal['all']"
"""What has happened at one time, in its order. `"all"` says that nobody knows what: the list is read again, where the user is."""

ChangesFunction: TypeAlias = Callable[..., AsyncGenerator[Any, None]]
"""Yields each change, or a list of those of one time, as long as somebody looks. It takes any of `query`, `filters` and
`since`. One that takes `since`, the state from which on to tell, None for now, keeps states and yields `Step`s: the first one
answers the watch."""


class Step(NamedTuple):
    """What has happened, and the state that it leads to."""

    changes: Changes = []
    state: str | None = None
    total: int | None = None
    """How many items there are in all by now, if that is known."""


def inserted(
    item: Any, *, before: Any = None, after: Any = None, at_end: bool = False, position: int | None = None
) -> Change:
    """An item is there, or stands elsewhere: before or after the one with an id, or last; else where the `order` in the
    configuration puts it, and first where there is none. `position`, how many items come before it, is for lists that
    haven't read its neighbours."""
    place = {"before": before, "after": after, "at": "end" if at_end else None, "position": position}
    return {"insert": item} | {name: value for name, value in place.items() if value is not None}


def changed(item: Any) -> Change:
    """An item is another one from now on."""
    return {"change": item}


def removed(id: Any, *, position: int | None = None) -> Change:
    """The item with an id is gone. `position`, how many items came before it, is for lists that haven't read it."""
    return {"remove": id} if position is None else {"remove": id, "position": position}


class Watch:
    """What somebody looks for in a source, and how that changes."""

    def __init__(self, function: ChangesFunction, params: dict[str, Any], say: Callable[[dict[str, Any]], object]) -> None:
        taken = inspect.signature(function).parameters
        looked = {"query": params.get("query"), "filters": params.get("filters") or {}, "since": params.get("since")}
        self._steps = function(**{name: value for name, value in looked.items() if name in taken})
        self._keeps_states = "since" in taken
        # What doesn't know what is looked for can't tell what a change means for it.
        self._is_blind = any(looked[name] and name not in taken for name in ("query", "filters"))
        self._watched = {name: params[name] for name in ("source", "query", "filters") if name in params}
        self._say = say
        self._running: list[asyncio.Future[Any]] = []

    async def begin(self) -> dict[str, Any]:
        """What answers the watch. What happens then is said after it."""
        if self._keeps_states:
            changes, state, _ = Step(*await anext(self._steps))
            self._running.append(asyncio.ensure_future(self._tell(None, state)))
            return {name: value for name, value in (("state", state), ("changes", changes)) if value}
        first = asyncio.ensure_future(anext(self._steps, None))
        self._running.append(first)
        # It listens before the watch is answered, as far as it need not wait for that.
        await asyncio.sleep(0)
        self._running.append(asyncio.ensure_future(self._tell(first, None)))
        return {}

    def end(self) -> None:
        """Nobody looks for it any more."""
        for future in self._running:
            future.cancel()

    async def ended(self) -> None:
        """Waits until its function has ended."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._steps.aclose()

    async def _tell(self, first: asyncio.Future[Any] | None, state: str | None) -> None:
        try:
            async with aclosing(self._steps):
                if first is not None:
                    state = self._told(await first, state)
                async for told in self._steps:
                    state = self._told(told, state)
        except Exception:
            log.exception("a function for the changes of %s failed", self._watched.get("source"))

    def _told(self, told: Any, since: str | None) -> str | None:
        """Says what has happened, and gives the state after it."""
        if told is None:
            return since
        step = Step(*told) if self._keeps_states else Step(told if told == "all" or isinstance(told, list) else [told])
        said = {"since": since, "state": step.state, "total": step.total}
        changes = "all" if self._is_blind else step.changes
        members = self._watched | {name: value for name, value in said.items() if value is not None}
        try:
            self._say(members | {"changes": changes})
        except LimitPassed as error:
            # The list is read again instead, and the rows that the server can't read fail their page.
            log.warning("the changes of %s aren't sent one by one: %s", self._watched.get("source"), error)
            self._say(members | {"changes": "all"})
        return step.state or since
