"""The app: opens a server's screens and answers the server's requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar, overload

from .any_view import AnyView
from .codes import ErrorCode
from .errors import MethodNotFound, NagareError
from .json_object import json_object
from .screen import Screen
from .session import Session
from .source_functions import PageFunction
from .sources import Source
from .tasks import Handler, Task, task_result
from .transport import Transport
from .view import View, class_of

V = TypeVar("V", bound=View)
AnyHandler = TypeVar("AnyHandler", bound=Handler)

log = logging.getLogger("nagare")


class App(Session):
    """The screens of one server. `spawn` and `connect` create an app; use it in `async with`.

    Declare all handlers before the first call, which announces them to the server.
    """

    def __init__(
        self,
        start: Callable[[], Awaitable[Transport]],
        *,
        present: Mapping[str, Handler] | Handler | None = None,
        sources: Mapping[str, Source | PageFunction] | None = None,
        patience: float = 3.0,
    ) -> None:
        super().__init__(start, patience)
        self._views: dict[str, View] = {}
        self._screens: dict[str, Screen] = {}
        self._handlers: dict[str | None, Handler] = {}
        self._sources: dict[str, Source] = {}
        if isinstance(present, Mapping):
            self._handlers.update(present)
        elif present is not None:
            self._handlers[None] = present
        for name, source in (sources or {}).items():
            self._sources[name] = source if isinstance(source, Source) else Source(source)

    # Handlers of the server's requests

    def source(self, name: str) -> Callable[[PageFunction], Source]:
        """Makes the decorated function return the pages of this source. The resulting `Source` has decorators for
        edits.

            @app.source("mine")
            async def mine(key: int | None, query: str | None, size: int) -> Page: ...

            @mine.remove
            async def remove(id: str) -> None: ...
        """
        self._check_not_initialized()

        def decorate(function: PageFunction) -> Source:
            self._sources[name] = source = Source(function)
            return source

        return decorate

    @overload
    def present(self, handler: AnyHandler, /) -> AnyHandler: ...
    @overload
    def present(self, /, *kinds: str) -> Callable[[AnyHandler], AnyHandler]: ...
    def present(self, /, *kinds: Any) -> Any:
        """Makes the decorated function the handler of tasks of these kinds. Without kinds it handles all remaining
        tasks.

            @app.present("prompt")
            async def prompt(task: Task) -> str: ...

            @app.present
            async def anything(task: Task) -> Any: ...
        """
        self._check_not_initialized()
        if kinds and callable(kinds[0]):
            self._handlers[None] = kinds[0]
            return kinds[0]

        def decorate(handler: AnyHandler) -> AnyHandler:
            for kind in kinds or (None,):
                self._handlers[kind] = handler
            return handler

        return decorate

    # Screens

    @overload
    async def open(self, screen: str, *, view: str | None = None, **params: Any) -> AnyView: ...
    @overload
    async def open(self, screen: str, kind: type[V], *, view: str | None = None, **params: Any) -> V: ...
    async def open(self, screen: str, kind: type[Any] = AnyView, *, view: str | None = None, **params: Any) -> Any:
        """Opens a view of a screen. Parameters override the screen's own: `await app.open("items", pageSize=50)`.

        `kind` is the class of the view. Classes such as `ListView` declare inputs and outputs for type checkers.
        `view` is the view's name; without it the server chooses a name. Opening a view loads nothing yet.

        Raises `NoSuchScreen`, `InvalidParams`, `ViewExists`, `LimitPassed`.
        """

        def receive(result: Any) -> View:
            return self._add_view(result["view"], screen, result["outputs"], kind)

        def undo(opened: View) -> None:
            opened._end(None)
            if self._connection is not None:
                self._connection.notify("close", {"view": opened.view_name})

        named = {"screen": screen, "params": params} if view is None else {"screen": screen, "view": view, "params": params}
        return await self._request("open", named, receive, undo)

    async def screens(self) -> list[Screen]:
        """Returns all screens, including those that only another view's input can open."""
        await self._initialized()
        return list(self._screens.values())

    # Implementations of the session's methods

    def _client_capabilities(self) -> dict[str, Any]:
        return {"deltas": True, "windows": True, "present": bool(self._handlers), "sources": list(self._sources)}

    def _on_screens(self, screens: list[dict[str, Any]]) -> None:
        for one in screens:
            inputs, outputs = tuple(one["inputs"]), tuple(one["outputs"])
            # Only a view with the input `viewport` can have a window. Windows add the input `jump` and the output
            # `scrollTo`.
            if "viewport" in inputs:
                inputs, outputs = (*inputs, "jump"), (*outputs, "scrollTo")
            screen = Screen(one["screen"], one["viewModel"], inputs, outputs)
            self._screens[screen.name] = screen

    def _on_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "source/unwatch":
            if (source := self._sources.get(params.get("source", ""))) is not None:
                source._unwatch(params)
        elif (view := self._views.get(params.get("view", ""))) is not None:
            if method == "navigate":
                value = params["value"]
                params = {"value": self._add_view(value["view"], value["screen"], value["outputs"], view._detail_class())}
            view._receive(method, params)

    async def _on_request(self, id: Any, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "present":
            view = self._views.get(params.get("view", ""))
            task = Task(view, json_object(params.get("task")))
            handler = self._handlers.get(task.kind) or self._handlers.get(None)
            if handler is None:
                raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"this client presents no tasks of the kind {task.kind!r}")
            value = handler(task)
            return task_result(await value if isinstance(value, Awaitable) else value)
        source = self._sources.get(params.get("source", ""))
        if source is None or not method.startswith("source/"):
            raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"this client doesn't answer {method!r}")
        return await source._answer(id, method, params, self._notify)

    def _on_end(self, error: Callable[[], NagareError]) -> None:
        for view in list(self._views.values()):
            view._end(error)

    async def _on_closed(self) -> None:
        watches = [watch for source in self._sources.values() for watch in source._end()]
        if watches:
            ending = {asyncio.ensure_future(watch.ended()) for watch in watches}
            if left := (await asyncio.wait(ending, timeout=self._patience))[1]:
                log.warning("%d functions for changes ignore that they were cancelled, and go on without a server", len(left))

    def _view_names(self) -> list[str]:
        return list(self._views)

    def _on_view_closed(self, view: View) -> None:
        if self._views.get(view.view_name) is view:
            del self._views[view.view_name]

    # Private methods

    def _check_not_initialized(self) -> None:
        if self._initializing is not None:
            raise RuntimeError("the server has been told already what this client answers for: decorate before the first call")

    def _add_view(self, name: str, screen: str, outputs: dict[str, Any], kind: type[Any]) -> View:
        definition = self._screens.get(screen) or Screen(screen, "", (), tuple(outputs))
        view = class_of(kind)(self, name, definition, outputs)
        self._views[name] = view
        return view
