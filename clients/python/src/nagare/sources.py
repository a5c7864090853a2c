"""Where items come from, if they come from the client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

from .changes import ChangesFunction, Watch
from .codes import ErrorCode
from .errors import InvalidParams, MethodNotFound, ResponseError
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
    exact: bool = True
    """False where the total is an estimate."""
    position: int | None = None
    """How many items come before the page, if that is known."""
    state: str | None = None
    """The state that the items were read at, of a live source that keeps states."""


@dataclass(frozen=True)
class Marked:
    """The items that an edit of many is for: some, or all that are looked for but for some."""

    ids: list[Any]
    """Those that are marked; those that aren't, if all others are."""
    all: bool = False
    """Whether all that are looked for are marked, but for `ids`."""
    query: str | None = None
    """What is looked for, None for everything, if all are marked."""
    filters: Mapping[str, Any] = field(default_factory=dict)
    """What it is filtered by, if all are marked."""


class Progress(Protocol):
    """Says how far a page function has come, as it runs."""

    def __call__(self, done: int, *, of: int | None = None, unit: str | None = None) -> None:
        """So much is done, of so much if that is known; `unit` is what is counted, such as "bytes"."""


NO_SUCH_ITEM = -32015

PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Takes the key, None for the first page; what is looked for, None for everything; and the number of items wanted. One
that takes a parameter `filters` is given these, too: a dictionary, empty where nothing is filtered. One that takes `at` may
be asked for the page that so many items come before, and one that takes `around` for a page that holds the item with an id:
what isn't asked for is None. One that takes `progress` is given a function that says how far it has come."""

ItemFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of an item, and gives the whole item; None where there is none."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Takes the item, and the id of the item before which it goes, None for the first place. What it returns means nothing."""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Takes what the item with its id is from now on. What it returns means nothing."""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of the item. What it returns means nothing."""

ChangeMarkedFunction: TypeAlias = Callable[[Marked, "dict[str, Any]"], object]
"""Takes which items are changed, and the members that they get, all or none. What it returns means nothing."""

RemoveMarkedFunction: TypeAlias = Callable[[Marked], object]
"""Takes which items are removed, all or none. What it returns means nothing."""

AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)
AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)
AnyChangeMarked = TypeVar("AnyChangeMarked", bound=ChangeMarkedFunction)
AnyRemoveMarked = TypeVar("AnyRemoveMarked", bound=RemoveMarkedFunction)


class Source:
    """The functions of one source, plain or `async`. The latter are cancelled when their answer is no longer needed.

    They raise `ResponseError(code, message, retryable=…)` to have a failure shown. Edits are made one after another.
    """

    def __init__(self, page: PageFunction) -> None:
        self._page = page
        self._takes = inspect.signature(page).parameters.keys()
        self._changes: ChangesFunction | None = None
        self._watches: dict[bytes, Watch] = {}
        self._item: ItemFunction | None = None
        self._insert: InsertFunction | None = None
        self._change: ChangeFunction | None = None
        self._remove: RemoveFunction | None = None
        self._change_marked: ChangeMarkedFunction | None = None
        self._remove_marked: RemoveMarkedFunction | None = None
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

    def change_marked(self, function: AnyChangeMarked) -> AnyChangeMarked:
        """Has this function change many items at once, where the configuration has `"marked"` in `writes`."""
        self._change_marked = function
        return function

    def remove_marked(self, function: AnyRemoveMarked) -> AnyRemoveMarked:
        """Has this function remove many items at once, where the configuration has `"marked"` in `writes`."""
        self._remove_marked = function
        return function

    async def _answer(self, id: Any, method: str, params: dict[str, Any], notify: Notify) -> dict[str, Any]:
        """The result of a request of the server."""
        if method == "source/page":
            named = self._named(params, partial(_progress, notify, id))
            page = self._page(params.get("key"), params.get("query"), params.get("size", 20), **named)
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
        function, arguments = self._edit(method, params)
        if function is None:
            raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"the source takes no {method.removeprefix('source/')} of this kind")
        async with self._edits:
            await _awaited(function(*arguments))
        return {}

    def _named(self, params: dict[str, Any], progress: Progress) -> dict[str, Any]:
        """What only some page functions take, as this one takes it."""
        for name in ("at", "around"):
            if params.get(name) is not None and name not in self._takes:
                text = f"the source takes no {name}: its page function has no parameter of that name"
                raise InvalidParams(ErrorCode.INVALID_PARAMS, text)
        given = {
            "filters": params.get("filters") or {},
            "at": params.get("at"),
            "around": params.get("around"),
            "progress": progress,
        }
        return {name: value for name, value in given.items() if name in self._takes}

    def _edit(self, method: str, params: dict[str, Any]) -> tuple[Callable[..., object] | None, tuple[Any, ...]]:
        """The function that makes an edit, and what it is given."""
        if method == "source/insert":
            return self._insert, (params.get("item"), params.get("before"))
        is_of_many = "ids" in params or "all" in params
        if method == "source/change":
            return (self._change_marked, (_marked(params), params.get("set"))) if is_of_many else (self._change, (params.get("item"),))
        if method == "source/remove":
            return (self._remove_marked, (_marked(params),)) if is_of_many else (self._remove, (params.get("id"),))
        return None, ()

    def _unwatch(self, params: dict[str, Any]) -> None:
        """Nobody looks for it any more."""
        watch = self._watches.pop(_looked(params), None)
        if watch is not None:
            watch.end()

    async def _end(self, patience: float) -> None:
        """There is nobody any more who could look: waits so many seconds for what tells how the source changes."""
        watches = list(self._watches.values())
        self._watches.clear()
        for watch in watches:
            watch.end()
        if watches:
            await asyncio.wait({asyncio.ensure_future(watch.ended()) for watch in watches}, timeout=patience)


def _looked(params: dict[str, Any]) -> bytes:
    return encode([params.get("query"), params.get("filters")])


def _said(page: Page) -> dict[str, Any]:
    if not isinstance(page, Page):
        raise TypeError(f"a source's function gives a Page, not a {type(page).__name__}")
    said = {"items": list(page.items), "next": page.next, "previous": page.previous, "position": page.position}
    said |= {"total": page.total, "exact": None if page.exact else False, "state": page.state}
    return {name: value for name, value in said.items() if value is not None}


def _marked(params: dict[str, Any]) -> Marked:
    if "all" not in params:
        return Marked(params["ids"])
    return Marked(params.get("except", []), True, params.get("query"), params.get("filters") or {})


def _progress(notify: Notify, id: Any, done: int, *, of: int | None = None, unit: str | None = None) -> None:
    said = {"request": id, "done": done, "of": of, "unit": unit}
    notify("source/progress", {name: value for name, value in said.items() if value is not None})


async def _awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
