"""Watches: notifications about changes of sources."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from contextlib import aclosing
from typing import Any, TypeAlias

from .changes import ALL, Changes, Log, TooOld
from .errors import CANCELLED, INVALID_PARAMS, SourceError
from .fitting import ITEMS_LIMIT, fits, shorten, size_bound
from .source import Source
from .wire import as_dict

Following: TypeAlias = "AsyncGenerator[tuple[Changes, str], None]"
Params: TypeAlias = "dict[str, Any]"

PAUSES = 0.1, 10.0
"""Seconds before a failed changes function is called again, at first and at most."""


class Watches:
    """The watches of a program.

    - `send` sends a notification.
    - `drain` waits until few notifications are queued.
    """

    def __init__(self, send: Callable[[str, Params], object], drain: Callable[[], Awaitable[None]] | None = None) -> None:
        self._send, self._drain = send, drain or _no_drain
        self._watches: dict[str, Watch] = {}
        self._feeds: dict[Hashable, Feed] = {}

    def state(self, params: Params) -> str | None:
        """Returns the current state for a page, if this program counts the source's states."""
        watch = self._watches.get(_watch_key(params))
        return watch.feed.log.state if watch is not None and watch.feed is not None else None

    async def watch(self, source: Source, params: Params) -> Params:
        """Returns the answer to `source/watch`. Later changes are sent as notifications."""
        since = params.get("since")
        if not (since is None or isinstance(since, str)):
            raise SourceError(INVALID_PARAMS, "since is to be a string or null")
        name = _watch_key(params)
        if name not in self._watches:
            self._watches[name] = self._begin(source, name, params)
        return await self._watches[name].begin(since)

    def unwatch(self, params: Params) -> None:
        """Ends a watch."""
        watch = self._watches.pop(_watch_key(params), None)
        if watch is not None:
            watch.end()
        for key, feed in list(self._feeds.items()):
            if not any(watch.feed is feed for watch in self._watches.values()):
                self._feeds.pop(key).task.cancel()

    def _begin(self, source: Source, name: str, params: Params) -> Watch:
        function: Callable[..., Any] = source.functions["source/watch"]
        parameters = inspect.signature(function).parameters
        optional = {"query": params.get("query"), "filters": params.get("filters") or {}}
        given = {name: value for name, value in optional.items() if name in parameters}

        def send(params_of_change: Params) -> None:
            named = {name: params[name] for name in ("source", "query", "filters") if name in params}
            self._send("source/changed", named | params_of_change)

        if "since" in parameters:
            return Watch(send, self._drain, lambda since: function(since=since, **given))
        # A function without these parameters reports changes of all items. Then only a reload shows which of them
        # match.
        is_blind = any(value and name not in given for name, value in optional.items())
        key = name if given else source
        feed = self._feeds[key] = self._feeds.get(key) or Feed(lambda: function(**given))
        return Watch(send, self._drain, lambda since: _without_details(feed.log.follow(since)) if is_blind else feed.log.follow(since), feed)


class Watch:
    """One watch of a source, with a query and filters."""

    def __init__(
        self,
        send: Callable[[Params], object],
        drain: Callable[[], Awaitable[None]],
        follow: Callable[[str | None], Following],
        feed: Feed | None = None,
    ) -> None:
        self._send, self._drain, self._follow, self.feed = send, drain, follow, feed
        self._forwarding: asyncio.Task[None] | None = None
        self._is_over = False

    async def begin(self, since: str | None) -> Params:
        """Starts to send the changes after a state, or from now on if `since` is None. Stops an earlier start."""
        steps = self._follow(since)
        changes, state = await anext(steps)
        changes, total = _split_total(changes)
        if (changes := _shortened(changes)) == ALL:
            raise TooOld()
        if self._is_over:
            await steps.aclose()
            raise SourceError(CANCELLED, "nobody looks for it any more")
        self._stop()
        self._forwarding = asyncio.create_task(self._forward(steps, state))
        return {"state": state} | ({"changes": changes} if changes else {}) | total

    def end(self) -> None:
        self._is_over = True
        self._stop()

    def _stop(self) -> None:
        if self._forwarding is not None:
            self._forwarding.cancel()

    async def _forward(self, steps: Following, state: str) -> None:
        """Sends the changes after a state. If the function fails, it is called again."""
        pause = PAUSES[0]
        while True:
            try:
                async with aclosing(steps):
                    async for changes, to in steps:
                        changes, total = _split_total(changes)
                        changes = _shortened(changes)
                        if changes or total or to != state:
                            self._send({"since": state, "state": to, "changes": changes} | total)
                            await self._drain()
                        state, pause = to, PAUSES[0]
                return
            except TooOld:
                steps = _restarted(self._follow(None))
            except Exception as error:
                pause = await _back_off(error, pause)
                steps = self._follow(state)


class Feed:
    """Runs a changes function without states, and numbers its changes for all its watches."""

    def __init__(self, function: Callable[[], AsyncGenerator[Any, None]]) -> None:
        self.log = Log()
        self.task = asyncio.create_task(self._run(function))

    async def _run(self, function: Callable[[], AsyncGenerator[Any, None]]) -> None:
        pause = PAUSES[0]
        while True:
            try:
                async with aclosing(function()) as steps:
                    async for changes in steps:
                        self.log.add(changes if changes == ALL or isinstance(changes, list) else [changes])
                        pause = PAUSES[0]
                return
            except Exception as error:
                pause = await _back_off(error, pause)
            self.log.add(ALL)


async def _no_drain() -> None:
    """Returns at once."""


async def _restarted(steps: Following) -> Following:
    """Yields `ALL`, because changes were missed, and then the further changes."""
    async with aclosing(steps):
        _, state = await anext(steps)
        yield ALL, state
        async for step in steps:
            yield step


async def _without_details(steps: Following) -> Following:
    """Replaces all changes by `ALL`, which makes the list reload."""
    async with aclosing(steps):
        missed, state = await anext(steps)
        if missed:
            raise TooOld()
        yield [], state
        async for _, state in steps:
            yield ALL, state


async def _back_off(error: Exception, pause: float) -> float:
    """Reports an error, and waits before the next attempt. Returns the pause for the following attempt."""
    if isinstance(error, SourceError):
        print(f"nagare_source: {error.message}", file=sys.stderr)
    else:
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    await asyncio.sleep(pause)
    return min(2 * pause, PAUSES[1])


def _split_total(changes: Changes) -> tuple[Changes, Params]:
    """Splits changes into changes of items and the total."""
    items: list[Any] = []
    total: Params = {}
    if changes == ALL:
        return ALL, total
    for change in changes:
        if isinstance(change, dict) and "total" in change:
            total = change
        else:
            items.append(change)
    return items, total


def _shortened(changes: Changes) -> Changes:
    """Shortens large items so that the changes fit into a message. If they still don't fit, the list reloads."""
    if changes == ALL or sum(map(size_bound, changes)) <= ITEMS_LIMIT:
        return changes
    short = [
        {name: shorten(as_dict(one), "a changed item") if name in ("insert", "change") else one for name, one in change.items()}
        if isinstance(change, dict)
        else change
        for change in changes
    ]
    return short if fits(short) else ALL


def _watch_key(params: Params) -> str:
    """Returns a key for a watch."""
    return json.dumps([params.get(name) or None for name in ("source", "query", "filters")], sort_keys=True, default=str)
