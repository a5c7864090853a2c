"""Changes that a source of the client reports."""

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
"""Changes that happen at the same time, in order. `"all"` means that changes are unknown: the list then reloads at the user's position."""

ChangesFunction: TypeAlias = Callable[..., AsyncGenerator[Any, None]]
"""A source's function for changes. It runs while a view shows the source, and yields a change, or a list of changes
that happen at the same time.

The function may have the parameters `query`, `filters` and `since`. With `since`, the last known state or None, the
function yields `Step`s. It then yields the first `Step` at once, as the answer to the watch.
"""


class Step(NamedTuple):
    """Some changes, and the source's state after them."""

    changes: Changes = []
    state: str | None = None
    total: int | None = None
    """The number of items in the source, or None if it is unknown."""


def inserted(
    item: Any, *, before: Any = None, after: Any = None, at_end: bool = False, position: int | None = None
) -> Change:
    """Reports an item that is new or has moved: to before or after another item, given by its id, or to the end.

    Without `before`, `after` and `at_end`, the `order` in the configuration places the item; without an `order` it
    comes first. `position` is the number of items before it. It helps lists that haven't loaded the item's neighbours.
    """
    place = {"before": before, "after": after, "at": "end" if at_end else None, "position": position}
    return {"insert": item} | {name: value for name, value in place.items() if value is not None}


def changed(item: Any) -> Change:
    """Reports a new version of an item."""
    return {"change": item}


def removed(id: Any, *, position: int | None = None) -> Change:
    """Reports that the item with an id was removed. `position` is the number of items before it. It helps lists that
    haven't loaded the item."""
    return {"remove": id} if position is None else {"remove": id, "position": position}


class Watch:
    """One watch of a source, with a query and filters: forwards the changes that a function yields."""

    def __init__(self, function: ChangesFunction, params: dict[str, Any], notify: Callable[[dict[str, Any]], object]) -> None:
        parameters = inspect.signature(function).parameters
        given = {"query": params.get("query"), "filters": params.get("filters") or {}, "since": params.get("since")}
        self._steps = function(**{name: value for name, value in given.items() if name in parameters})
        self._keeps_states = "since" in parameters
        # A function without these parameters reports changes of all items. Then only a reload shows which of them
        # match.
        self._is_blind = any(given[name] and name not in parameters for name in ("query", "filters"))
        self._watched = {name: params[name] for name in ("source", "query", "filters") if name in params}
        self._notify = notify
        self._running: list[asyncio.Future[Any]] = []
        self._is_over = False

    async def begin(self) -> dict[str, Any]:
        """Starts the function and returns the answer to the watch. Later changes are sent as notifications."""
        if self._keeps_states:
            changes, state, _ = Step(*await anext(self._steps))
            self._running.append(asyncio.ensure_future(self._forward(None, state)))
            return {name: value for name, value in (("state", state), ("changes", changes)) if value}
        first = asyncio.ensure_future(anext(self._steps, None))
        self._running.append(first)
        # Lets the function run up to its first `await`, so that it observes its source before the watch is answered.
        await asyncio.sleep(0)
        self._running.append(asyncio.ensure_future(self._forward(first, None)))
        return {}

    def end(self) -> None:
        """Ends the watch. The function is cancelled, and nothing that it still yields is sent."""
        self._is_over = True
        for future in self._running:
            future.cancel()

    async def ended(self) -> None:
        """Waits until the function has ended."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._steps.aclose()

    async def _forward(self, first: asyncio.Future[Any] | None, state: str | None) -> None:
        try:
            async with aclosing(self._steps):
                yielded = await first if first is not None else None
                while not self._is_over:
                    state = self._send(yielded, state)
                    yielded = await anext(self._steps)
        except StopAsyncIteration:
            pass
        except Exception:
            log.exception("a function for the changes of %s failed", self._watched.get("source"))

    def _send(self, yielded: Any, since: str | None) -> str | None:
        """Sends changes, and returns the state after them."""
        if yielded is None:
            return since
        step = Step(*yielded) if self._keeps_states else Step(yielded if yielded == "all" or isinstance(yielded, list) else [yielded])
        optional = {"since": since, "state": step.state, "total": step.total}
        changes = "all" if self._is_blind else step.changes
        members = self._watched | {name: value for name, value in optional.items() if value is not None}
        try:
            self._notify(members | {"changes": changes})
        except LimitPassed as error:
            # The changes exceed a limit, so the list must reload.
            log.warning("the changes of %s aren't sent one by one: %s", self._watched.get("source"), error)
            self._notify(members | {"changes": "all"})
        return step.state or since
