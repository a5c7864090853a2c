"""A session with a server: its begin, its end, and requests."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar

from .connection import Connection
from .errors import NagareError, ProtocolError, SessionClosed
from .json_object import json_object
from .limits import Limits
from .transport import Transport
from .types import Outcome

VERSION = "1"
"""The version of the protocol."""

CLIENT = {"name": "nagare for Python", "version": "0.1.0"}
"""The client's name and version, for the server's log."""

R = TypeVar("R")
S = TypeVar("S", bound="Session")


class Session(ABC):
    """A session with a server. Use it in `async with`; the first call initializes it."""

    def __init__(self, start: Callable[[], Awaitable[Transport]], patience: float) -> None:
        self._start, self._patience = start, patience
        self._transport: Transport | None = None
        self._connection: Connection | None = None
        self._initializing: asyncio.Future[None] | None = None
        self._closed = asyncio.Event()
        self.server: Mapping[str, Any] = {}
        """The server's name and version, known after the first call."""
        self.capabilities: Mapping[str, Any] = {}
        """The server's capabilities, known after the first call."""
        self.limits: Mapping[str, int] = {}
        """The server's limits, known after the first call: `messageSize`, `depth`, `batch`, `batchAnswer`, `views`."""
        self.status: int | None = None
        """The server's exit status. It is set when the session is closed, and only if the app started the server."""

    # Calls

    async def dispatch(self, type: str, value: Any = None) -> Outcome:
        """Dispatches an action to the stores that screens share, and waits until everything that it started is
        finished, such as a list's load.

        Returns the combined outcome. Raises `InvalidParams` if no store handles the action.
        """
        params = {"action": {"type": type, "value": value}, "wait": True}
        outcome: Outcome = await self._request("dispatch", params, lambda result: result["outcome"])
        return outcome

    def send_action(self, type: str, value: Any = None) -> None:
        """Dispatches an action to the stores without waiting. Errors aren't reported."""
        self._notify("dispatch", {"action": {"type": type, "value": value}})

    async def advance(self, milliseconds: int) -> int:
        """Advances a virtual clock. Returns the milliseconds since the server's start.

        When it returns, the outputs of everything that was due have been received.
        """
        now: int = (await self._call("clock/advance", {"milliseconds": milliseconds}))["now"]
        return now

    async def discover(self) -> dict[str, Any]:
        """Returns the OpenRPC document that describes the service."""
        return await self._call("rpc.discover", {})

    async def ping(self) -> None:
        """Waits until the immediate effects of all earlier messages have been received."""
        await self._call("ping", {})

    # Begin and end

    async def __aenter__(self: S) -> S:
        if self._transport is not None:
            raise SessionClosed("an app is entered once")
        self._transport = await self._start()
        self._connection = Connection(
            self._transport.reader,
            self._transport.writer,
            on_notification=self._on_notification,
            on_request=self._on_request,
            on_end=self._on_end,
            diagnose=self._transport.diagnose,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the server by `shutdown`, `exit` and the end of its input. Leaving `async with` does the same.

        After `patience` seconds the server's process group gets SIGTERM, and after twice that time SIGKILL.
        """
        if self._connection is not None and self._transport is not None:
            connection, self._connection = self._connection, None
            try:
                await self._close(connection, self._transport)
            finally:
                self._closed.set()
        elif self._transport is not None:
            # Another call has closed the session, or is closing it.
            await self._closed.wait()

    async def _close(self, connection: Connection, transport: Transport) -> None:
        patience, now = self._patience, asyncio.get_running_loop().time
        began = now()
        try:
            # The other half is for the server's work after the end of its input.
            await asyncio.wait_for(connection.request("shutdown", {}, lambda result: None), patience / 2)
        except (NagareError, asyncio.TimeoutError):
            pass  # The server then ends without an orderly shutdown.
        except asyncio.CancelledError:
            patience = 0
            raise
        finally:
            connection.exit(lambda: SessionClosed("the session is closed"))
            try:
                self.status = await transport.end(max(0.0, began + patience - now()), patience)
            finally:
                await connection.close(self._patience)
                await self._on_closed()

    # Methods that `App` implements

    @abstractmethod
    def _client_capabilities(self) -> dict[str, Any]:
        """Returns the capabilities of the client, for `initialize`."""

    @abstractmethod
    def _on_screens(self, screens: list[dict[str, Any]]) -> None:
        """Receives the definitions of the screens, once."""

    @abstractmethod
    def _on_notification(self, method: str, params: dict[str, Any]) -> None:
        """Receives a notification from the server."""

    @abstractmethod
    async def _on_request(self, id: Any, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of a request from the server."""

    @abstractmethod
    def _on_end(self, error: Callable[[], NagareError]) -> None:
        """Called when no more messages can be received."""

    @abstractmethod
    async def _on_closed(self) -> None:
        """Called when the server has ended."""

    @abstractmethod
    def _view_names(self) -> list[str]:
        """Returns the names of the open views."""

    @abstractmethod
    def _on_view_closed(self, view: Any) -> None:
        """Called by a view when it is closed."""

    # Private methods

    async def _request(
        self, method: str, params: dict[str, Any], receive: Callable[[Any], R], undo: Callable[[R], None] | None = None
    ) -> R:
        """Sends a request, after initializing the session if necessary: see `Connection.request`."""
        return await (await self._initialized()).request(method, params, receive, undo)

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._request(method, params, json_object)

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        if self._connection is None:
            raise SessionClosed("the session is closed")
        self._connection.notify(method, params)

    async def _initialized(self) -> Connection:
        """Returns the connection, after initializing the session if necessary."""
        connection = self._connection
        if connection is None:
            raise SessionClosed("the session is closed, or not yet entered: use `async with`")
        if self._initializing is None:
            self._initializing = asyncio.ensure_future(self._initialize(connection))
            # Retrieves a failure. Otherwise asyncio would report it if no call waits any more.
            self._initializing.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._initializing.done():
            self._initializing.result()
        else:
            # Cancelling one call must not cancel the initialization for the others.
            await asyncio.shield(self._initializing)
        return connection

    async def _initialize(self, connection: Connection) -> None:
        params = {"protocolVersion": VERSION, "client": CLIENT, "capabilities": self._client_capabilities()}
        result, listed = await asyncio.gather(
            connection.request("initialize", params, json_object), connection.request("screens", {}, json_object)
        )
        if result.get("protocolVersion") != VERSION:
            raise ProtocolError(f"the server speaks version {result.get('protocolVersion')!r}, not {VERSION!r}")
        self.server, self.capabilities = result.get("server", {}), result.get("capabilities", {})
        self.limits = json_object(result.get("limits"))
        connection.limits = Limits.of(self.limits)
        self._on_screens(listed.get("screens", []))
