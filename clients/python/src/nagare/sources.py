"""Sources whose items come from the client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

from .changes import ChangesFunction, Watch
from .codes import ErrorCode
from .errors import InvalidParams, MethodNotFound, ResponseError
from .page import Page
from .source_functions import (
    AnyChange,
    AnyChangeMarked,
    AnyInsert,
    AnyItem,
    AnyRemove,
    AnyRemoveMarked,
    ChangeFunction,
    ChangeMarkedFunction,
    InsertFunction,
    ItemFunction,
    Marked,
    PageFunction,
    Progress,
    RemoveFunction,
    RemoveMarkedFunction,
    edit_result,
    progress_params,
)
from .wire import encode

Notify: TypeAlias = Callable[[str, "dict[str, Any]"], object]


NO_SUCH_ITEM = -32015

AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)


class Source:
    """The functions of one source, plain or `async`. An `async` function is cancelled when its result is no longer
    needed.

    To show a failure, a function raises `ResponseError(code, message, retryable=…)`. Edits run one after another.
    """

    def __init__(self, page: PageFunction) -> None:
        self._page = page
        self._parameters = inspect.signature(page).parameters.keys()
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
        """Makes this function report the source's changes, if the configuration declares the source `live`.

            @mine.changes
            async def changes() -> AsyncGenerator[Change, None]:
                async for row in feed:
                    yield inserted(row)
        """
        self._changes = function
        return function

    def item(self, function: AnyItem) -> AnyItem:
        """Makes this function return full items by their ids."""
        self._item = function
        return function

    def insert(self, function: AnyInsert) -> AnyInsert:
        """Makes this function insert items."""
        self._insert = function
        return function

    def change(self, function: AnyChange) -> AnyChange:
        """Makes this function change items."""
        self._change = function
        return function

    def remove(self, function: AnyRemove) -> AnyRemove:
        """Makes this function remove items."""
        self._remove = function
        return function

    def change_marked(self, function: AnyChangeMarked) -> AnyChangeMarked:
        """Makes this function change several items at once, if the configuration has `"marked"` in `writes`."""
        self._change_marked = function
        return function

    def remove_marked(self, function: AnyRemoveMarked) -> AnyRemoveMarked:
        """Makes this function remove several items at once, if the configuration has `"marked"` in `writes`."""
        self._remove_marked = function
        return function

    async def _answer(self, id: Any, method: str, params: dict[str, Any], notify: Notify) -> dict[str, Any]:
        """Returns the result of a request from the server."""
        if method == "source/page":
            named = self._named(params, partial(_progress, notify, id))
            page = await _result(self._page(params.get("key"), params.get("query"), params.get("size", 20), **named))
            if not isinstance(page, Page):
                raise TypeError(f"a source's function gives a Page, not a {type(page).__name__}")
            return page.result()
        if method == "source/item" and self._item is not None:
            item = await _result(self._item(params.get("id")))
            if item is None:
                raise ResponseError(NO_SUCH_ITEM, "there is no such item, or none any more")
            return {"item": item}
        if method == "source/watch" and self._changes is not None:
            # The server repeats a watch after it has missed changes.
            self._unwatch(params)
            self._watches[_watch_key(params)] = watch = Watch(self._changes, params, partial(notify, "source/changed"))
            return await watch.begin()
        function, arguments = self._edit(method, params)
        if function is None:
            raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"the source takes no {method.removeprefix('source/')} of this kind")
        async with self._edits:
            value = await _result(function(*arguments))
        return edit_result(value) if method == "source/insert" or function is self._change else {}

    def _named(self, params: dict[str, Any], progress: Progress) -> dict[str, Any]:
        """Returns the optional arguments that this page function has parameters for."""
        for name in ("at", "around"):
            if params.get(name) is not None and name not in self._parameters:
                text = f"the source takes no {name}: its page function has no parameter of that name"
                raise InvalidParams(ErrorCode.INVALID_PARAMS, text)
        given = {
            "filters": params.get("filters") or {},
            "at": params.get("at"),
            "around": params.get("around"),
            "progress": progress,
        }
        return {name: value for name, value in given.items() if name in self._parameters}

    def _edit(self, method: str, params: dict[str, Any]) -> tuple[Callable[..., object] | None, tuple[Any, ...]]:
        """Returns the function for an edit, and its arguments."""
        if method == "source/insert":
            return self._insert, (params.get("item"), params.get("before"))
        is_of_many = "ids" in params or "all" in params
        if method == "source/change":
            return (self._change_marked, (_marked(params), params.get("set"))) if is_of_many else (self._change, (params.get("item"),))
        if method == "source/remove":
            return (self._remove_marked, (_marked(params),)) if is_of_many else (self._remove, (params.get("id"),))
        return None, ()

    def _unwatch(self, params: dict[str, Any]) -> None:
        """Ends the watch of a query and filters."""
        watch = self._watches.pop(_watch_key(params), None)
        if watch is not None:
            watch.end()

    def _end(self) -> list[Watch]:
        """Ends all watches, and returns them. Their functions may still run."""
        watches = list(self._watches.values())
        self._watches.clear()
        for watch in watches:
            watch.end()
        return watches


def _watch_key(params: dict[str, Any]) -> bytes:
    return encode([params.get("query"), params.get("filters")])


def _marked(params: dict[str, Any]) -> Marked:
    if "all" not in params:
        return Marked(params["ids"])
    return Marked(params.get("except", []), True, params.get("query"), params.get("filters") or {})


def _progress(notify: Notify, id: Any, done: int, *, of: int | None = None, unit: str | None = None) -> None:
    notify("source/progress", progress_params(id, done, of, unit))


async def _result(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
