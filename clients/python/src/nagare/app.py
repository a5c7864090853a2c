"""A session with a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .codes import ErrorCode
from .connection import Connection
from .errors import MethodNotFound, NagareError, ProtocolError, SessionClosed
from .limits import Limits
from .screen import Screen
from .sources import PageFunction, Source
from .tasks import Handler, Task, outcome
from .transport import Transport
from .view import AnyView, View, kind_of

if TYPE_CHECKING:
    from .model import Outcome

VERSION = "1"
"""The version of the protocol."""

CLIENT = {"name": "nagare for Python", "version": "0.1.0"}
"""Who this is, for the server's log."""

V = TypeVar("V", bound=View)
AnyHandler = TypeVar("AnyHandler", bound=Handler)


class App:
    """The screens of one server. `spawn` and `connect` make one; it lives in `async with`.

    Handlers are named to the server with the first call, and can't be added later.
    """

    def __init__(
        self,
        start: Callable[[], Awaitable[Transport]],
        *,
        present: Mapping[str, Handler] | Handler | None = None,
        sources: Mapping[str, Source | PageFunction] | None = None,
        patience: float = 3.0,
    ) -> None:
        self._start, self._patience = start, patience
        self._transport: Transport | None = None
        self._connection: Connection | None = None
        self._views: dict[str, View] = {}
        self._screens: dict[str, Screen] = {}
        self._greeting: asyncio.Future[None] | None = None
        self._closed = asyncio.Event()
        self._handlers: dict[str | None, Handler] = {}
        self._sources: dict[str, Source] = {}
        self.server: Mapping[str, Any] = {}
        """The server's name and version, known after the first call."""
        self.capabilities: Mapping[str, Any] = {}
        """What the server can do, known after the first call."""
        self.limits: Mapping[str, int] = {}
        """What the server reads and opens at most, known after the first call: `messageSize`, `depth`, `batch`, `batchAnswer`, `views`."""
        self.status: int | None = None
        """The exit status of the server, when the app is closed and the server was started for it."""
        if isinstance(present, Mapping):
            self._handlers.update(present)
        elif present is not None:
            self._handlers[None] = present
        for name, source in (sources or {}).items():
            self._sources[name] = source if isinstance(source, Source) else Source(source)

    # What the client answers for

    def source(self, name: str) -> Callable[[PageFunction], Source]:
        """Has the decorated function answer for the pages of this source; what comes of it decorates its edits.

            @app.source("mine")
            async def mine(key: int | None, query: str | None, size: int) -> Page: ...

            @mine.remove
            async def remove(id: str) -> None: ...
        """
        self._check_early()

        def decorate(function: PageFunction) -> Source:
            self._sources[name] = source = Source(function)
            return source

        return decorate

    @overload
    def present(self, handler: AnyHandler, /) -> AnyHandler: ...
    @overload
    def present(self, /, *kinds: str) -> Callable[[AnyHandler], AnyHandler]: ...
    def present(self, /, *kinds: Any) -> Any:
        """Has the decorated function present tasks of these kinds; of all that have no other, if none is named.

            @app.present("prompt")
            async def prompt(task: Task) -> str: ...

            @app.present
            async def anything(task: Task) -> Any: ...
        """
        self._check_early()
        if kinds and callable(kinds[0]):
            self._handlers[None] = kinds[0]
            return kinds[0]

        def decorate(handler: AnyHandler) -> AnyHandler:
            for kind in kinds or (None,):
                self._handlers[kind] = handler
            return handler

        return decorate

    # What the server can be asked

    @overload
    async def open(self, screen: str, *, view: str | None = None, **params: Any) -> AnyView: ...
    @overload
    async def open(self, screen: str, kind: type[V], *, view: str | None = None, **params: Any) -> V: ...
    async def open(self, screen: str, kind: type[Any] = AnyView, *, view: str | None = None, **params: Any) -> Any:
        """Opens a view of a screen, with parameters that it has its own way: `await app.open("items", pageSize=50)`.

        `kind` is the type that it gets: `ListView` and its like have what they can do written out for type checkers.
        `view` is its name; without it the server takes one. Nothing is loaded yet.

        Raises `NoSuchScreen`, `InvalidParams`, `ViewExists`, `LimitPassed`.
        """

        def take(result: Any) -> View:
            return self._open(result["view"], screen, result["outputs"], kind)

        def undo(opened: View) -> None:
            opened._end(None)
            if self._connection is not None:
                self._connection.notify("close", {"view": opened.view_name})

        said = {"screen": screen, "params": params} if view is None else {"screen": screen, "view": view, "params": params}
        return await (await self._greeted()).request("open", said, take, undo)

    async def screens(self) -> list[Screen]:
        """All screens, also those that only another view's input opens."""
        await self._greeted()
        return list(self._screens.values())

    async def dispatch(self, type: str, value: Any = None) -> Outcome:
        """Gives an action to the stores that screens share, and waits until all that follows from it is over, such as a list's load.

        Gives what has become of it all. Raises `InvalidParams` if no store takes it.
        """
        params = {"action": {"type": type, "value": value}, "wait": True}
        over: Outcome = await (await self._greeted()).request("dispatch", params, lambda result: result["outcome"])
        return over

    def send_action(self, type: str, value: Any = None) -> None:
        """Gives an action to the stores, and waits for nothing: what goes wrong with it isn't told."""
        self._notify("dispatch", {"action": {"type": type, "value": value}})

    async def advance(self, milliseconds: int) -> int:
        """Moves a virtual clock: the milliseconds since the server's start. All that fell due has been heard then."""
        now: int = (await self._call("clock/advance", {"milliseconds": milliseconds}))["now"]
        return now

    async def discover(self) -> dict[str, Any]:
        """The service described as an OpenRPC document."""
        return await self._call("rpc.discover", {})

    async def ping(self) -> None:
        """Waits until all has been heard that was caused before."""
        await self._call("ping", {})

    # Begin and end

    async def __aenter__(self) -> App:
        if self._transport is not None:
            raise SessionClosed("an app is entered once")
        self._transport = await self._start()
        self._connection = Connection(
            self._transport.reader,
            self._transport.writer,
            notified=self._notified,
            asked=self._asked,
            diagnose=self._transport.diagnose,
            ended=self._ended,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Has the server end: `shutdown`, `exit` and the end of its input. After `patience` it and its process group get SIGTERM,
        after twice that SIGKILL. Leaving `async with` does it.
        """
        if self._connection is not None and self._transport is not None:
            connection, self._connection = self._connection, None
            try:
                await self._close(connection, self._transport)
            finally:
                self._closed.set()
        elif self._transport is not None:
            # Somebody else closes it, or has: what this one awaits is the same end.
            await self._closed.wait()

    async def _close(self, connection: Connection, transport: Transport) -> None:
        patience, now = self._patience, asyncio.get_running_loop().time
        began = now()
        try:
            # The other half is for what it does after an end of its input.
            await asyncio.wait_for(connection.request("shutdown", {}, lambda result: None), patience / 2)
        except (NagareError, asyncio.TimeoutError):
            pass  # Whatever keeps it from an end in order, it ends now.
        except asyncio.CancelledError:
            patience = 0
            raise
        finally:
            connection.leave(lambda: SessionClosed("the session is closed"))
            try:
                self.status = await transport.end(max(0.0, began + patience - now()), patience)
            finally:
                await connection.close(self._patience)
                for source in self._sources.values():
                    await source._end(self._patience)

    # Inside

    def _check_early(self) -> None:
        if self._greeting is not None:
            raise RuntimeError("the server has been told already what this client answers for: decorate before the first call")

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await (await self._greeted()).request(method, params, _members)

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        if self._connection is None:
            raise SessionClosed("the session is closed")
        self._connection.notify(method, params)

    async def _greeted(self) -> Connection:
        """The connection, when both sides know of each other."""
        connection = self._connection
        if connection is None:
            raise SessionClosed("the session is closed, or not yet entered: use `async with`")
        if self._greeting is None:
            self._greeting = asyncio.ensure_future(self._greet(connection))
            # Its failure is for those who wait for it. If nobody does any more, asyncio needn't complain of it.
            self._greeting.add_done_callback(lambda greeting: greeting.cancelled() or greeting.exception())
        if self._greeting.done():
            self._greeting.result()
        else:
            # Whoever is cancelled meanwhile leaves the others their greeting.
            await asyncio.shield(self._greeting)
        return connection

    async def _greet(self, connection: Connection) -> None:
        capabilities = {"deltas": True, "windows": True, "present": bool(self._handlers), "sources": list(self._sources)}
        hello = {"protocolVersion": VERSION, "client": CLIENT, "capabilities": capabilities}
        result, listed = await asyncio.gather(
            connection.request("initialize", hello, _members), connection.request("screens", {}, _members)
        )
        if result.get("protocolVersion") != VERSION:
            raise ProtocolError(f"the server speaks version {result.get('protocolVersion')!r}, not {VERSION!r}")
        self.server, self.capabilities = result.get("server", {}), result.get("capabilities", {})
        self.limits = _members(result.get("limits"))
        connection.limits = Limits.of(self.limits)
        for one in listed.get("screens", []):
            inputs, outputs = tuple(one["inputs"]), tuple(one["outputs"])
            # What is seen by its viewport can be opened with a window, and has these then.
            if "viewport" in inputs:
                inputs, outputs = (*inputs, "jump"), (*outputs, "scrollTo")
            screen = Screen(one["screen"], one["viewModel"], inputs, outputs)
            self._screens[screen.name] = screen

    def _open(self, name: str, screen: str, outputs: dict[str, Any], kind: type[Any]) -> View:
        definition = self._screens.get(screen) or Screen(screen, "", (), tuple(outputs))
        view = kind_of(kind)(self, name, definition, outputs)
        self._views[name] = view
        return view

    def _forget(self, view: View) -> None:
        if self._views.get(view.view_name) is view:
            del self._views[view.view_name]

    def _notified(self, method: str, params: dict[str, Any]) -> None:
        if method == "source/unwatch":
            if (source := self._sources.get(params.get("source", ""))) is not None:
                source._unwatch(params)
        elif (view := self._views.get(params.get("view", ""))) is not None:
            view._said(method, params)

    async def _asked(self, id: Any, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "present":
            view = self._views.get(params.get("view", ""))
            task = Task(view, _members(params.get("task")))
            handler = self._handlers.get(task.kind) or self._handlers.get(None)
            if handler is None:
                raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"this client presents no tasks of the kind {task.kind!r}")
            value = handler(task)
            return outcome(await value if isinstance(value, Awaitable) else value)
        source = self._sources.get(params.get("source", ""))
        if source is None or not method.startswith("source/"):
            raise MethodNotFound(ErrorCode.METHOD_NOT_FOUND, f"this client doesn't answer {method!r}")
        return await source._answer(id, method, params, self._notify)

    def _ended(self, error: Callable[[], NagareError]) -> None:
        for view in list(self._views.values()):
            view._end(error)


def _members(result: Any) -> dict[str, Any]:
    return result if isinstance(result, dict) else {}
