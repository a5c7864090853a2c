"""Where items come from, if they come from the client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar

from .changes import ChangesFunction, Watch
from .codes import ErrorCode
from .errors import MethodNotFound, ResponseError
from .wire import encode

Notify: TypeAlias = Callable[[str, "dict[str, Any]"], object]


@dataclass(frozen=True)
class Page:
    """One page of items, as section 6 of the specification has it."""

    items: Iterable[Mapping[str, Any]]
    next: Any = None
    """The key of the next page, any JSON value; None at the end."""
    previous: Any = None
    """The key of the page before, for a list that begins in the middle."""
    total: int | None = None
    """How many items there are, if that is known."""
    state: str | None = None
    """The state that the items were read at, of a live source that keeps states."""


NO_SUCH_ITEM = -32015

PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Takes the key, None for the first page; what is looked for, None for everything; and the number of items wanted. One
that takes a parameter `filters` is given these, too: a dictionary, empty where nothing is filtered."""

ItemFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of an item, and gives the whole item; None where there is none."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Takes the item, and the id of the item before which it goes, None for the first place. What it returns means nothing."""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Takes what the item with its id is from now on. What it returns means nothing."""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of the item. What it returns means nothing."""

AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)
AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)


class Source:
    """The functions of one source, plain or `async`. The latter are cancelled when their answer is no longer needed.

    They raise `ResponseError(code, message, retryable=…)` to have a failure shown. Edits are made one after another.
    """

    def __init__(self, page: PageFunction) -> None:
        self._page = page
        self._takes_filters = "filters" in inspect.signature(page).parameters
        self._changes: ChangesFunction | None = None
        self._watches: dict[bytes, Watch] = {}
        self._item: ItemFunction | None = None
        self._insert: InsertFunction | None = None
        self._change: ChangeFunction | None = None
        self._remove: RemoveFunction | None = None
        self._edits = asyncio.Lock()

    def changes(self, function: AnyChanges) -> AnyChanges:
        """Has this function tell how the source changes, which is `live` in the configuration.

            @mine.changes
            async def changes() -> AsyncGenerator[Change, None]:
                async for row in feed:
                    yield inserted(row)
        """
        self._changes = function
        return function

    def item(self, function: AnyItem) -> AnyItem:
        """Has this function give whole items by their ids."""
        self._item = function
        return function

    def insert(self, function: AnyInsert) -> AnyInsert:
        """Has this function insert items."""
        self._insert = function
        return function

    def change(self, function: AnyChange) -> AnyChange:
        """Has this function change items."""
        self._change = function
        return function

    def remove(self, function: AnyRemove) -> AnyRemove:
        """Has this function remove items."""
        self._remove = function
        return function

    async def _answer(self, method: str, params: dict[str, Any], notify: Notify) -> dict[str, Any]:
        """The result of a request of the server."""
        if method == "source/page":
            filters = {"filters": params.get("filters") or {}} if self._takes_filters else {}
            page = self._page(params.get("key"), params.get("query"), params.get("size", 20), **filters)
            return _said(await _awaited(page))
        if method == "source/item" and self._item is not None:
            item = await _awaited(self._item(params.get("id")))
            if item is None:
                raise ResponseError(NO_SUCH_ITEM, "there is no such item, or none any more")
            return {"item": item}
        if method == "source/watch" and self._changes is not None:
            # The server asks again for what it watches, where it has missed something.
            self._unwatch(params)
            self._watches[_looked(params)] = watch = Watch(self._changes, params, partial(notify, "source/changed"))
            return await watch.begin()
        async with self._edits:
            if method == "source/insert" and self._insert is not None:
                await _awaited(self._insert(params.get("item"), params.get("before")))
            elif method == "source/change" and self._change is not None:
                await _awaited(self._change(params.get("item")))
            elif method == "source/remove" and self._remove is not None:
                await _awaited(self._remove(params.get("id")))
            else:
                raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"the source takes no {method.removeprefix('source/')}")
        return {}

    def _unwatch(self, params: dict[str, Any]) -> None:
        """Nobody looks for it any more."""
        watch = self._watches.pop(_looked(params), None)
        if watch is not None:
            watch.end()

    async def _end(self) -> None:
        """There is nobody any more who could look."""
        for watch in self._watches.values():
            watch.end()
            await watch.ended()
        self._watches.clear()


def _looked(params: dict[str, Any]) -> bytes:
    return encode([params.get("query"), params.get("filters")])


def _said(page: Page) -> dict[str, Any]:
    if not isinstance(page, Page):
        raise TypeError(f"a source's function gives a Page, not a {type(page).__name__}")
    said = {"items": list(page.items), "next": page.next, "previous": page.previous, "total": page.total, "state": page.state}
    return {name: value for name, value in said.items() if value is not None}


async def _awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
