"""One request to a function."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from .errors import INTERNAL_ERROR, INVALID_PARAMS, NO_SUCH_ITEM, SourceError
from .page import Page
from .source import Source
from .wire import failure, response


class Call:
    """A function, what it is called with, and how its outcome is said.

    - `state` is that of the page, where its function gives none.
    """

    def __init__(self, id: Any, method: str, source: Source, params: dict[str, Any], state: str | None = None) -> None:
        self._id = id
        self.source = source
        self._function = source.functions[method]
        self._arguments = METHODS[method](params)
        self._named = _filters(params, self._function) if method == "source/page" else {}
        self._result = _RESULTS.get(method, _nothing)
        self._state = {"state": state} if method == "source/page" and state is not None else {}
        self.is_async = inspect.iscoroutinefunction(self._function)
        self.is_edit = method in EDITS

    def begin(self) -> bytes | Awaitable[object]:
        """Calls the function: its answer, or what it has to wait for, which is to be finished."""
        try:
            value = self._function(*self._arguments, **self._named)
            return value if inspect.isawaitable(value) else self._say(value)
        except Exception as error:
            return self._fail(error)

    async def finish(self, value: Awaitable[object]) -> bytes:
        """The answer, when the function's result has come."""
        try:
            return self._say(await value)
        except Exception as error:
            return self._fail(error)

    def _say(self, value: object) -> bytes:
        return response(self._id, self._state | self._result(value))

    def _fail(self, error: Exception) -> bytes:
        if not isinstance(error, SourceError):
            traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
            text = str(error)
            name = type(error).__name__
            error = SourceError(INTERNAL_ERROR, f"{name}: {text}" if text else name)
        return failure(self._id, error)


def _page(value: object) -> dict[str, Any]:
    if not isinstance(value, Page):
        raise TypeError(f"a page function gave a {type(value).__name__}, not a Page")
    return value.result()


def _item(value: object) -> dict[str, Any]:
    if value is None:
        raise SourceError(NO_SUCH_ITEM, "there is no such item, or none any more")
    return {"item": value}


def _nothing(value: object) -> dict[str, Any]:
    return {}


def _of_page(params: dict[str, Any]) -> tuple[Any, str | None, int]:
    query, size = params.get("query"), params.get("size")
    if not (query is None or isinstance(query, str)):
        raise SourceError(INVALID_PARAMS, "query is to be a string or null")
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise SourceError(INVALID_PARAMS, "size is to be a whole number from 1")
    return params.get("key"), query, size


def _filters(params: dict[str, Any], function: Callable[..., object]) -> dict[str, Any]:
    """The filters as the function takes them."""
    filters = params.get("filters") or {}
    if not isinstance(filters, dict):
        raise SourceError(INVALID_PARAMS, "filters are to be an object or null")
    if "filters" in inspect.signature(function).parameters:
        return {"filters": filters}
    if filters:
        raise SourceError(INVALID_PARAMS, "this source takes no filters: its page function has no parameter of that name")
    return {}


def _of_insert(params: dict[str, Any]) -> tuple[Any, Any]:
    if "item" not in params:
        raise SourceError(INVALID_PARAMS, "item is missing")
    return params["item"], params.get("before")


def _of_change(params: dict[str, Any]) -> tuple[Any]:
    return _of_insert(params)[:1]


def _of_id(params: dict[str, Any]) -> tuple[Any]:
    if "id" not in params:
        raise SourceError(INVALID_PARAMS, "id is missing")
    return (params["id"],)


EDITS = {"source/insert", "source/change", "source/remove"}

METHODS: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
    "source/page": _of_page,
    "source/insert": _of_insert,
    "source/change": _of_change,
    "source/remove": _of_id,
    "source/item": _of_id,
}

_RESULTS: dict[str, Callable[[object], dict[str, Any]]] = {"source/page": _page, "source/item": _item}
