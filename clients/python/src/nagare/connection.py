"""The client's side of a JSON-RPC 2.0 connection, with one message per line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from .codes import ErrorCode
from .errors import LimitPassed, NagareError, ProtocolError, RequestCancelled, ResponseError, response_error
from .limits import Limits, too_deep
from .wire import decode, encode

T = TypeVar("T")

log = logging.getLogger("nagare")

READ_SIZE = 1 << 20
"""The maximum number of bytes per read."""


class Reader(Protocol):
    """The input: an `asyncio.StreamReader` or a similar object."""

    async def read(self, n: int, /) -> bytes:
        """Reads up to `n` bytes. An empty result is the end of the input."""


class Writer(Protocol):
    """The output: an `asyncio.StreamWriter` or a similar object."""

    def write(self, data: bytes, /) -> None:
        """Writes bytes without waiting."""

    def close(self) -> None:
        """Ends the output."""


@dataclass
class _PendingRequest:
    """A request without an answer yet."""

    message: int
    """The number of its message, counted from 1 over all sent messages."""
    future: asyncio.Future[Any]
    receive: Callable[[Any], Any]
    undo: Callable[[Any], None] | None


class Connection:
    """Sends messages and dispatches received ones. Reading never waits for handlers."""

    def __init__(
        self,
        reader: Reader,
        writer: Writer,
        *,
        on_notification: Callable[[str, dict[str, Any]], None],
        on_request: Callable[[Any, str, dict[str, Any]], Awaitable[Any]],
        on_end: Callable[[Callable[[], NagareError]], None],
        diagnose: Callable[[], Awaitable[Callable[[], NagareError]]],
    ) -> None:
        self._reader, self._writer = reader, writer
        self._on_notification, self._on_request, self._on_end, self._diagnose = on_notification, on_request, on_end, diagnose
        self._pending: dict[int, _PendingRequest] = {}
        self._answering: dict[Any, asyncio.Task[None]] = {}
        """The tasks of unanswered requests of the server, by the requests' ids."""
        self._handlers: set[asyncio.Task[None]] = set()
        """All running tasks of handlers, including those that still run after their request was cancelled."""
        self._last_id = 0
        self._sent = 0
        self._carried_out = 0
        """The number of the newest message known to be carried out, because the server answered it. All earlier
        messages are carried out, too."""
        self._last_cause = 0
        """The number of the newest message that has no answer right after its effects: a notification, or an input with `wait`."""
        self.limits: Limits | None = None
        """The server's limits; None if unknown."""
        self._end: Callable[[], NagareError] | None = None
        self._reading = asyncio.ensure_future(self._read())

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Sends a notification. Raises an error if the connection has ended, and `LimitPassed` if the message exceeds a limit."""
        self._last_cause = self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(
        self, method: str, params: dict[str, Any], receive: Callable[[Any], T], undo: Callable[[T], None] | None = None
    ) -> T:
        """Sends a request and waits for its result.

        `receive` converts the result before later messages are handled. If the caller was cancelled in the meantime,
        `undo` gets the converted result. A request that exceeds a limit isn't sent and raises `LimitPassed`.
        """
        self._last_id += 1
        id, future = self._last_id, asyncio.get_running_loop().create_future()
        number = self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        if params.get("wait"):
            self._last_cause = number
        self._pending[id] = _PendingRequest(number, future, receive, undo)
        try:
            value: T = await future
        except asyncio.CancelledError:
            if future.cancelled():
                if self._end is None:
                    self.notify("$/cancelRequest", {"id": id})
            elif undo is not None and future.exception() is None:
                undo(future.result())
            raise
        return value

    def separate(self, receive: Callable[[], object]) -> None:
        """Calls `receive` between the immediate effects of all earlier messages and the effects of any later message.

        Does nothing if every earlier notification and every earlier input with `wait` is known to be carried out.
        """
        if self._last_cause <= self._carried_out:
            return
        self._last_id += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        # Retrieves a failure. Otherwise asyncio would report it, because nothing awaits this future.
        future.add_done_callback(lambda done: done.exception())
        number = self._send({"jsonrpc": "2.0", "id": self._last_id, "method": "ping", "params": {}})
        self._pending[self._last_id] = _PendingRequest(number, future, lambda result: receive(), None)

    def end(self, error: Callable[[], NagareError]) -> None:
        """Ends the connection: all waiting requests raise this error."""
        if self._end is not None:
            return
        self._end = error
        for pending in self._pending.values():
            if not pending.future.done():
                pending.future.set_exception(error())
        self._pending.clear()
        for task in self._handlers:
            if task is not asyncio.current_task():
                task.cancel()
        self._on_end(error)

    def exit(self, error: Callable[[], NagareError]) -> None:
        """Sends `exit`, ends the output, and makes all waiting requests raise this error. Input is still read."""
        if self._end is None:
            self.notify("exit", {})
        self._writer.close()
        self.end(error)

    async def close(self, patience: float) -> None:
        """Stops reading, and waits up to `patience` seconds for running handlers."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        running = self._handlers - {asyncio.current_task()}
        if running and (left := (await asyncio.wait(running, timeout=patience))[1]):
            log.warning("%d handlers ignore that they were cancelled, and go on without a server", len(left))

    def _send(self, message: dict[str, Any], *, checked: bool = True) -> int:
        """Sends a message and returns its number, counted from 1."""
        try:
            line = encode(message)
        except RecursionError:
            raise too_deep(self.limits) from None
        if self._end is not None:
            raise self._end()
        if checked and self.limits is not None:
            self.limits.check(line)
        self._writer.write(line + b"\n")
        self._sent += 1
        return self._sent

    async def _read(self) -> None:
        pieces: list[bytes] = []
        try:
            while piece := await self._reader.read(READ_SIZE):
                head, *rest = piece.split(b"\n")
                pieces.append(head)
                for more in rest:
                    if self._end is None:
                        self._receive(b"".join(pieces))
                    pieces = [more]
        except OSError:
            pass  # A broken connection counts as ended.
        except Exception as error:
            # An invalid message ends the session. Otherwise a request could wait for an answer that never comes.
            text = str(error) if isinstance(error, ProtocolError) else f"the server broke the protocol: {error!r}"
            self.end(lambda: ProtocolError(text))
            return
        if self._end is None:
            self.end(await self._diagnose())

    def _receive(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = decode(line)
        except (ValueError, RecursionError):
            raise ProtocolError(f"the server wrote something that is no message: {line[:200]!r}") from None
        for one in message if isinstance(message, list) else [message]:
            if isinstance(one, dict):
                self._handle(one)

    def _handle(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if not isinstance(method, str):
            self._receive_answer(message)
        elif "id" in message:
            hash(message["id"])  # Raises an error if the id is an array or an object, which breaks the protocol.
            task = asyncio.ensure_future(self._answer(message["id"], method, params))
            self._answering[message["id"]] = task
            self._handlers.add(task)
            task.add_done_callback(self._handlers.discard)
        elif method == "$/cancelRequest":
            if (running := self._answering.pop(params.get("id"), None)) is not None:
                # Answers at once, because a handler may ignore its cancellation.
                self._fail({"jsonrpc": "2.0", "id": params["id"]}, _cancelled())
                running.cancel()
        else:
            self._on_notification(method, params)

    def _receive_answer(self, message: dict[str, Any]) -> None:
        id = message.get("id")
        if id is None and "error" in message:
            id = self._id_of_unreadable(message["error"])
        pending = self._pending.pop(id, None)  # type: ignore[arg-type]
        if pending is None:
            return
        self._carried_out = max(self._carried_out, pending.message)
        future = pending.future
        if "error" in message:
            if not future.done():
                future.set_exception(response_error(message["error"]))
            return
        try:
            value = pending.receive(message.get("result"))
        except Exception as error:
            if not future.done():
                future.set_exception(error)
            return
        if not future.done():
            future.set_result(value)
        elif pending.undo is not None:
            pending.undo(value)

    def _id_of_unreadable(self, error: Any) -> int | None:
        """Returns the id of the request that the server couldn't read."""
        refusal = response_error(error)
        number = refusal.data.get("message") if isinstance(refusal.data, dict) else None
        for id, pending in self._pending.items():
            if pending.message == number:
                return id
        log.warning("the server couldn't read a message: %s", refusal)
        return None

    async def _answer(self, id: Any, method: str, params: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
        try:
            result = await self._on_request(id, method, params)
            if self._is_awaited(id):
                self._send({**answer, "result": result})
        except asyncio.CancelledError:
            # The handler was cancelled, or an operation that it awaited.
            if self._end is not None or not self._is_awaited(id):
                raise
            self._fail(answer, _cancelled())
        except ResponseError as error:
            if self._is_awaited(id):
                self._fail(answer, error)
        except Exception as error:
            if self._end is None:
                log.exception("a handler of %s failed", method)
                if self._is_awaited(id):
                    self._fail(answer, ResponseError(ErrorCode.INTERNAL_ERROR, f"{type(error).__name__}: {error}"))
        finally:
            if self._is_awaited(id):
                del self._answering[id]

    def _is_awaited(self, id: Any) -> bool:
        """Whether the current handler's answer is still needed, because its request wasn't cancelled."""
        return self._answering.get(id) is asyncio.current_task()

    def _fail(self, answer: dict[str, Any], error: ResponseError) -> None:
        if self._end is None:
            try:
                self._send({**answer, "error": _error_object(error)})
            except LimitPassed as excess:
                self._send({**answer, "error": _error_object(excess)}, checked=False)


def _cancelled() -> RequestCancelled:
    return RequestCancelled(ErrorCode.REQUEST_CANCELLED, "the request was cancelled")


def _error_object(error: ResponseError) -> dict[str, Any]:
    members = {"code": error.code, "message": error.message, "data": error.data}
    return {name: value for name, value in members.items() if value is not None}
