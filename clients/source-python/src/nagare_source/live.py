"""What a program says of its sources by itself."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import traceback
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

from .changes import ALL, Changes, Log, TooOld
from .errors import CANCELLED, INVALID_PARAMS, SourceError
from .source import Source

Following: TypeAlias = "AsyncGenerator[tuple[Changes, str], None]"
Params: TypeAlias = "dict[str, Any]"

PAUSES = 0.1, 10.0
"""Seconds before a function for changes that has failed is called again, at first and at most."""


class Live:
    """The watches of a program.

    - `say` writes a notification.
    """

    def __init__(self, say: Callable[[str, Params], object]) -> None:
        self._say = say
        self._watches: dict[str, Watch] = {}

    def state(self, params: Params) -> str | None:
        """The state of what a page is asked of, where that is counted here: what happens from now on isn't in it for sure."""
        watch = self._watches.get(_named(params))
        return watch.log.state if watch is not None and watch.log is not None else None

    async def watch(self, source: Source, params: Params) -> Params:
        """The answer to `source/watch`. What happens then is said once that was written."""
        since = params.get("since")
        if not (since is None or isinstance(since, str)):
            raise SourceError(INVALID_PARAMS, "since is to be a string or null")
        name = _named(params)
        if name not in self._watches:
            self._watches[name] = Watch(source.functions["source/watch"], params)
        return await self._watches[name].begin(since, lambda said: self._say("source/changed", said))

    def unwatch(self, params: Params) -> None:
        """Nobody looks for it any more."""
        watch = self._watches.pop(_named(params), None)
        if watch is not None:
            watch.end()


class Watch:
    """What is looked for, and how that changes."""

    def __init__(self, function: Callable[..., Any], params: Params) -> None:
        taken = inspect.signature(function).parameters
        looked = {"query": params.get("query"), "filters": params.get("filters") or {}}
        given = {name: value for name, value in looked.items() if name in taken}
        self._params = {name: params[name] for name in ("source", "query", "filters") if name in params}
        self._steps: Task | None = None
        self._feed: Task | None = None
        self._is_over = False
        self.log: Log | None = None
        """Where what happens is kept, if its function has no states of its own."""
        if "since" in taken:
            self._follow: Callable[[str | None], Following] = lambda since: function(since=since, **given)
        else:
            self.log = Log()
            self._follow = self.log.follow
            # What doesn't know what is looked for can't tell what a change means for it.
            is_blind = any(value and name not in given for name, value in looked.items())
            self._feed = asyncio.ensure_future(feed(self.log, lambda: function(**given), is_blind))

    async def begin(self, since: str | None, say: Callable[[Params], object]) -> Params:
        """Begins to follow from a state on, None for now."""
        steps = self._follow(since)
        changes, state = await anext(steps)
        if self._is_over:
            await steps.aclose()
            raise SourceError(CANCELLED, "nobody looks for it any more")
        self._stop()
        self._steps = asyncio.ensure_future(self._go_on(steps, state, say))
        return {"state": state} | ({"changes": changes} if changes else {})

    def end(self) -> None:
        self._is_over = True
        self._stop()
        if self._feed is not None:
            self._feed.cancel()

    def _stop(self) -> None:
        if self._steps is not None:
            self._steps.cancel()

    async def _go_on(self, steps: Following, state: str, say: Callable[[Params], object]) -> None:
        """Says what happens after a state, as long as it may be."""

        def tell(changes: Changes, to: str) -> None:
            nonlocal state
            if changes or to != state:
                say(self._params | {"since": state, "state": to, "changes": changes})
            state = to

        pause = PAUSES[0]
        while True:
            try:
                async with aclosing(steps):
                    async for changes, to in steps:
                        tell(changes, to)
                        pause = PAUSES[0]
                return
            except TooOld:
                steps = self._anew()
            except Exception as error:
                report(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, PAUSES[1])
                steps = self._follow(state)

    async def _anew(self) -> Following:
        """From now on, as nobody knows what has happened until then."""
        async with aclosing(self._follow(None)) as steps:
            _, state = await anext(steps)
            yield ALL, state
            async for step in steps:
                yield step


Task: TypeAlias = "asyncio.Future[None]"


async def feed(log: Log, function: Callable[[], AsyncGenerator[Any, None]], is_blind: bool) -> None:
    """Keeps what a function without states says."""
    pause = PAUSES[0]
    while True:
        try:
            async with aclosing(function()) as said:
                async for changes in said:
                    log.add(ALL if is_blind or changes == ALL else changes if isinstance(changes, list) else [changes])
                    pause = PAUSES[0]
            return
        except Exception as error:
            report(error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, PAUSES[1])
        log.add(ALL)


def report(error: Exception) -> None:
    """Tells people what went wrong."""
    if isinstance(error, SourceError):
        print(f"nagare_source: {error.message}", file=sys.stderr)
    else:
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)


def _named(params: Params) -> str:
    """What tells watches apart."""
    return json.dumps([params.get(name) or None for name in ("source", "query", "filters")], sort_keys=True, default=str)
