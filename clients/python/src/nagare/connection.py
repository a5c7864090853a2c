"""One side of a JSON-RPC 2.0 dialogue, in lines."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from .codes import ErrorCode
from .errors import NagareError, ProtocolError, RequestCancelled, ResponseError, response_error
from .wire import decode, encode

T = TypeVar("T")

log = logging.getLogger("nagare")

PIECE = 1 << 20
"""How many bytes are read at a time."""


class Reader(Protocol):
    """Where messages come from: an `asyncio.StreamReader`, or what reads like one."""

    async def read(self, n: int, /) -> bytes:
        """No more than so many bytes; none at the end."""


class Writer(Protocol):
    """Where messages go: an `asyncio.StreamWriter`, or what writes like one."""

    def write(self, data: bytes, /) -> None:
        """Takes bytes, and never waits."""

    def close(self) -> None:
        """Ends what is written."""


@dataclass
class _Waiting:
    """A request that isn't answered yet."""

    future: asyncio.Future[Any]
    take: Callable[[Any], Any]
    undo: Callable[[Any], None] | None


class Connection:
    """Sends, and hands on what comes: it never waits for those who wait for it."""

    def __init__(
        self,
        reader: Reader,
        writer: Writer,
        *,
        notified: Callable[[str, dict[str, Any]], None],
        asked: Callable[[Any, str, dict[str, Any]], Awaitable[Any]],
        diagnose: Callable[[], Awaitable[Callable[[], NagareError]]],
        ended: Callable[[Callable[[], NagareError]], None],
    ) -> None:
        self._reader, self._writer = reader, writer
        self._notified, self._asked, self._diagnose, self._say_ended = notified, asked, diagnose, ended
        self._waiting: dict[int, _Waiting] = {}
        self._answering: dict[Any, asyncio.Task[None]] = {}
        self._last_id = 0
        self._end: Callable[[], NagareError] | None = None
        self._reading = asyncio.ensure_future(self._read())

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Sends a notification; raises an error if the connection has ended."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(
        self, method: str, params: dict[str, Any], take: Callable[[Any], T], undo: Callable[[T], None] | None = None
    ) -> T:
        """Sends a request and waits for its result.

        `take` turns it into what is returned, before anything that was said later is heard. `undo` gets that if it came
        although the caller was cancelled.
        """
        self._last_id += 1
        id, future = self._last_id, asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        self._waiting[id] = _Waiting(future, take, undo)
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

    def end(self, error: Callable[[], NagareError]) -> None:
        """Lets all who wait have this error."""
        if self._end is not None:
            return
        self._end = error
        for waiting in self._waiting.values():
            if not waiting.future.done():
                waiting.future.set_exception(error())
        self._waiting.clear()
        for task in self._answering.values():
            if task is not asyncio.current_task():
                task.cancel()
        self._say_ended(error)

    async def close(self) -> None:
        """Ends what is written, and waits until nothing runs any more."""
        self._writer.close()
        self._reading.cancel()
        running = [task for task in self._answering.values() if task is not asyncio.current_task()]
        await asyncio.gather(self._reading, *running, return_exceptions=True)

    def _send(self, message: dict[str, Any]) -> None:
        line = encode(message)
        if self._end is not None:
            raise self._end()
        self._writer.write(line + b"\n")

    async def _read(self) -> None:
        pieces: list[bytes] = []
        try:
            while piece := await self._reader.read(PIECE):
                head, *rest = piece.split(b"\n")
                pieces.append(head)
                for more in rest:
                    self._take(b"".join(pieces))
                    pieces = [more]
        except OSError:
            pass  # A connection that breaks has ended, too.
        except Exception as error:
            # Whatever can't be understood ends the session, so that nobody waits in vain.
            text = str(error) if isinstance(error, ProtocolError) else f"the server broke the protocol: {error!r}"
            self.end(lambda: ProtocolError(text))
            return
        self.end(await self._diagnose())

    def _take(self, line: bytes) -> None:
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
            self._answered(message)
        elif "id" in message:
            task = asyncio.ensure_future(self._answer(message["id"], method, params))
            self._answering[message["id"]] = task
        elif method == "$/cancelRequest":
            if (running := self._answering.get(params.get("id"))) is not None:
                # A task that is cancelled before its first step never takes it, and what was asked stays unanswered.
                asyncio.get_running_loop().call_soon(running.cancel)
        else:
            self._notified(method, params)

    def _answered(self, message: dict[str, Any]) -> None:
        waiting = self._waiting.pop(message.get("id"), None)  # type: ignore[arg-type]
        if waiting is None:
            return
        future = waiting.future
        if "error" in message:
            if not future.done():
                future.set_exception(response_error(message["error"]))
            return
        try:
            value = waiting.take(message.get("result"))
        except Exception as error:
            if not future.done():
                future.set_exception(error)
            return
        if not future.done():
            future.set_result(value)
        elif waiting.undo is not None:
            waiting.undo(value)

    async def _answer(self, id: Any, method: str, params: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
        try:
            self._send({**answer, "result": await self._asked(id, method, params)})
        except asyncio.CancelledError:
            self._fail(answer, RequestCancelled(ErrorCode.REQUEST_CANCELLED, "the request was cancelled"))
            if self._end is not None:
                raise
        except ResponseError as error:
            self._fail(answer, error)
        except Exception as error:
            if self._end is None:
                log.exception("a handler of %s failed", method)
                self._fail(answer, ResponseError(ErrorCode.INTERNAL_ERROR, f"{type(error).__name__}: {error}"))
        finally:
            self._answering.pop(id, None)

    def _fail(self, answer: dict[str, Any], error: ResponseError) -> None:
        if self._end is None:
            said = {"code": error.code, "message": error.message, "data": error.data}
            self._send({**answer, "error": {name: value for name, value in said.items() if value is not None}})
