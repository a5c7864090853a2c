"""One call of a source's function."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeGuard

from .errors import INTERNAL_ERROR, INVALID_PARAMS, NO_SUCH_ITEM, SourceError, as_source_error
from .fitting import shorten
from .page import Page
from .source import Source
from .source_functions import Marked, Progress, edit_result, progress_params
from .wire import MESSAGE_LIMIT, as_dict, failure, response


class Call:
    """A request, the function that answers it, and the encoding of its result.

    - `send` sends a notification.
    - `state` is the state of a page whose function returns a page without a state.
    """

    def __init__(
        self,
        id: Any,
        method: str,
        source: Source,
        params: dict[str, Any],
        send: Callable[[str, dict[str, Any]], object],
        state: str | None = None,
    ) -> None:
        self._id = id
        self.source = source
        self._function = source.functions[method]
        self._arguments = (METHODS | MARKED)[method](params)
        self._send, self._loop = send, asyncio.get_running_loop()
        self._optional_arguments = _optional_arguments(params, self._function, self._progress) if method == "source/page" else {}
        self._result = _RESULTS.get(method, _no_result)
        self._state = {"state": state} if method == "source/page" and state is not None else {}
        self.is_async = inspect.iscoroutinefunction(self._function)
        self.is_edit = method in EDITS

    def begin(self) -> bytes | Awaitable[object]:
        """Calls the function. Returns the encoded response, or an awaitable to pass to `finish`."""
        try:
            value = self._function(*self._arguments, **self._optional_arguments)
            return value if inspect.isawaitable(value) else self._answer(value)
        except Exception as error:
            return self._failure(error)

    async def finish(self, value: Awaitable[object]) -> bytes:
        """Awaits the result, and returns the encoded response."""
        try:
            return self._answer(await value)
        except Exception as error:
            return self._failure(error)

    def _progress(self, done: int, *, of: int | None = None, unit: str | None = None) -> None:
        params = progress_params(self._id, done, of, unit)
        if self.is_async:
            self._send("source/progress", params)
        else:  # The function runs in a thread, but only the event loop's thread writes lines.
            self._loop.call_soon_threadsafe(self._send, "source/progress", params)

    def _answer(self, value: object) -> bytes:
        result = self._state | self._result(value)
        line = response(self._id, result)
        if len(line) > MESSAGE_LIMIT:
            line = response(self._id, _shortened(result))
        if len(line) > MESSAGE_LIMIT:
            raise SourceError(INTERNAL_ERROR, f"the answer has {len(line)} bytes, and a message at most {MESSAGE_LIMIT}: give fewer items in a page")
        return line

    def _failure(self, error: Exception) -> bytes:
        return failure(self._id, as_source_error(error))


def _page(value: object) -> dict[str, Any]:
    if not isinstance(value, Page):
        raise TypeError(f"a page function gave a {type(value).__name__}, not a Page")
    return value.result()


def _item(value: object) -> dict[str, Any]:
    if value is None:
        raise SourceError(NO_SUCH_ITEM, "there is no such item, or none any more")
    return {"item": value}


def _shortened(result: dict[str, Any]) -> dict[str, Any]:
    """Shortens the items of a result, so that each fits into a message."""
    items = [shorten(as_dict(item), "an item") for item in result.get("items", [])]
    return result | ({"items": items} if items else {}) | ({"item": shorten(as_dict(result["item"]), "an item")} if "item" in result else {})


def _no_result(value: object) -> dict[str, Any]:
    return {}


def _page_arguments(params: dict[str, Any]) -> tuple[Any, str | None, int]:
    query, size = params.get("query"), params.get("size")
    if not (query is None or isinstance(query, str)):
        raise SourceError(INVALID_PARAMS, "query is to be a string or null")
    if not _is_count(size) or size < 1:
        raise SourceError(INVALID_PARAMS, "size is to be a whole number from 1")
    return params.get("key"), query, size


def _optional_arguments(params: dict[str, Any], function: Callable[..., object], progress: Progress) -> dict[str, Any]:
    """Returns the optional arguments that this function has parameters for."""
    filters, at, around = params.get("filters") or {}, params.get("at"), params.get("around")
    if not isinstance(filters, dict):
        raise SourceError(INVALID_PARAMS, "filters are to be an object or null")
    if at is not None and (not _is_count(at) or at < 0):
        raise SourceError(INVALID_PARAMS, "at is to be a whole number, 0 or more")
    if sum(place is not None for place in (params.get("key"), at, around)) > 1:
        raise SourceError(INVALID_PARAMS, "key, at and around are each a place: name one")
    taken, given = inspect.signature(function).parameters, {"filters": filters, "at": at, "around": around}
    for name, value in given.items():
        if name not in taken and value not in ({}, None):
            raise SourceError(INVALID_PARAMS, f"this source takes no {name}: its page function has no parameter of that name")
    return {name: value for name, value in {**given, "progress": progress}.items() if name in taken}


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _insert_arguments(params: dict[str, Any]) -> tuple[Any, Any]:
    if "item" not in params:
        raise SourceError(INVALID_PARAMS, "item is missing")
    return params["item"], params.get("before")


def _change_arguments(params: dict[str, Any]) -> tuple[Any]:
    return _insert_arguments(params)[:1]


def _id_arguments(params: dict[str, Any]) -> tuple[Any]:
    if "id" not in params:
        raise SourceError(INVALID_PARAMS, "id is missing")
    return (params["id"],)


def _remove_marked_arguments(params: dict[str, Any]) -> tuple[Marked]:
    return (_marked(params),)


def _change_marked_arguments(params: dict[str, Any]) -> tuple[Marked, dict[str, Any]]:
    given = params.get("set")
    if not isinstance(given, dict):
        raise SourceError(INVALID_PARAMS, "set is to be an object")
    return _marked(params), given


def _marked(params: dict[str, Any]) -> Marked:
    """Reads the marked items of a request."""
    if "all" not in params:
        return Marked(_ids(params, "ids"))
    if params["all"] is not True or "ids" in params:
        raise SourceError(INVALID_PARAMS, 'it is either "ids" or "all": true')
    query, filters = params.get("query"), params.get("filters")
    if not isinstance(query, (str, type(None))) or not isinstance(filters, (dict, type(None))):
        raise SourceError(INVALID_PARAMS, "query is to be a string or null, and filters an object or null")
    return Marked(_ids(params, "except"), True, query, filters or {})


def _ids(params: dict[str, Any], name: str) -> list[Any]:
    ids = params.get(name, [])
    if not isinstance(ids, list):
        raise SourceError(INVALID_PARAMS, f"{name} is to be an array of ids")
    return ids


def function_of(method: str, params: dict[str, Any]) -> str:
    """Returns the name of the function that answers a request. Edits of marked items have separate functions."""
    is_of_many = f"{method} marked" in MARKED and ("ids" in params or "all" in params)
    return f"{method} marked" if is_of_many else method


METHODS: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
    "source/page": _page_arguments,
    "source/insert": _insert_arguments,
    "source/change": _change_arguments,
    "source/remove": _id_arguments,
    "source/item": _id_arguments,
}

MARKED: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
    "source/change marked": _change_marked_arguments,
    "source/remove marked": _remove_marked_arguments,
}

EDITS = {"source/insert", "source/change", "source/remove", *MARKED}

_RESULTS: dict[str, Callable[[object], dict[str, Any]]] = {
    "source/page": _page,
    "source/item": _item,
    "source/insert": edit_result,
    "source/change": edit_result,
}
