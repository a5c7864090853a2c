"""A JSON-RPC server for sources."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from .call import EDITS, METHODS, Call, function_of
from .errors import CANCELLED, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, UNREACHABLE, SourceError, as_source_error
from .live import Watches
from .source import Source
from .source_functions import PageFunction
from .wire import decode, encode, failure, response
from .workers import Workers

Sources: TypeAlias = "Source | PageFunction | Mapping[str, Source | PageFunction]"


class Program:
    """Answers the lines of a client.

    - `send` sends a line that isn't an answer.
    - `drain` waits until few lines are queued.
    """

    def __init__(
        self,
        sources: Sources,
        threads: int,
        send: Callable[[bytes], object] = lambda line: None,
        drain: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        named: dict[str | None, Source | PageFunction] = {}
        if isinstance(sources, Mapping):
            named.update(sources)
        else:
            named[None] = sources
        self._sources = {name: one if isinstance(one, Source) else Source(one) for name, one in named.items()}
        for name, source in self._sources.items():
            if not source.functions:
                raise ValueError(f"the source{'' if name is None else f' {name!r}'} has no functions")
        self._edits = {source: asyncio.Lock() for source in self._sources.values()}
        self._workers = Workers(threads)
        self._send = send
        self._watches = Watches(self._send_notification, drain)
        self._running: dict[Any, asyncio.Task[Any] | None] = {}
        self.ending = False
        """Whether the program is ending, so that answers aren't needed any more."""

    async def answer(self, line: bytes) -> bytes | None:
        """Returns the answer to a line: a response, a batch of responses, or None."""
        try:
            message = decode(line)
        except SourceError as error:
            return failure(None, error)
        if not isinstance(message, list):
            return await self._answer(message)
        if not message:
            return failure(None, SourceError(INVALID_REQUEST, "a batch is empty"))
        answers = [answer for answer in await asyncio.gather(*map(self._answer, message)) if answer is not None]
        return b"[" + b",".join(answers) + b"]" if answers else None

    async def _answer(self, message: Any) -> bytes | None:
        if not isinstance(message, dict):
            return failure(None, SourceError(INVALID_REQUEST, "a message is an object"))
        id, method = message.get("id"), message.get("method")
        if "method" not in message and ("result" in message or "error" in message):
            return None  # A response. This program sends no requests.
        if isinstance(id, (bool, list, dict)):
            return failure(None, SourceError(INVALID_REQUEST, "an id is a string, a number or null"))
        if "id" not in message and isinstance(method, str):
            self._on_notification(method, message.get("params"))
            return None
        self._running[id] = task = asyncio.current_task()
        try:
            return await self._perform(id, *self._checked(message))
        except Exception as error:
            return failure(id, as_source_error(error))
        except asyncio.CancelledError:
            if self.ending:
                raise
            return failure(id, SourceError(CANCELLED, "the request was cancelled"))
        except (SystemExit, KeyboardInterrupt):
            self.ending = True
            raise
        finally:
            if self._running.get(id) is task:
                del self._running[id]

    def _on_notification(self, method: str, params: Any) -> None:
        if method == "source/unwatch" and isinstance(params, dict):
            self._watches.unwatch(params)
        if method == "$/cancelRequest" and isinstance(params, dict) and not isinstance(params.get("id"), (list, dict)):
            task = self._running.get(params.get("id"))
            if task is not None:
                task.cancel()

    def _checked(self, message: dict[str, Any]) -> tuple[str, Source, dict[str, Any]]:
        """Validates a request. Returns its method, source and parameters."""
        method, params = message.get("method"), message.get("params")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            raise SourceError(INVALID_REQUEST, 'a request has a method, and "jsonrpc":"2.0"')
        if not (params is None or isinstance(params, (dict, list))):
            raise SourceError(INVALID_REQUEST, "params are an object")
        if method not in METHODS and method != "source/watch":
            raise SourceError(METHOD_NOT_FOUND, f"there is no method {method!r}")
        if isinstance(params, list) and params:
            raise SourceError(INVALID_PARAMS, "params are an object")
        params = params if isinstance(params, dict) else {}
        source, method = self._source(params.get("source")), function_of(method, params)
        if method not in source.functions:
            verb = "takes" if method in EDITS else "gives"
            name = method.removeprefix("source/").replace(" ", "_")
            raise SourceError(METHOD_NOT_FOUND, f"this source {verb} no {name}")
        return method, source, params

    def _source(self, name: Any) -> Source:
        for candidate in (name, None):
            if isinstance(candidate, (str, type(None))) and candidate in self._sources:
                return self._sources[candidate]
        names = ", ".join(repr(name) for name in self._sources)
        raise SourceError(UNREACHABLE, f"there is no source {name!r} here, but {names}")

    async def _perform(self, id: Any, method: str, source: Source, params: dict[str, Any]) -> bytes:
        if method == "source/watch":
            return response(id, await self._watches.watch(source, params))
        call = Call(id, method, source, params, self._send_notification, self._watches.state(params))
        if not call.is_edit:
            return await self._outcome(call)
        async with self._edits[call.source]:
            return await self._outcome(call)

    def _send_notification(self, method: str, params: dict[str, Any]) -> None:
        self._send(encode({"jsonrpc": "2.0", "method": method, "params": params}))

    async def _outcome(self, call: Call) -> bytes:
        outcome = call.begin() if call.is_async else await self._in_thread(call)
        return await call.finish(outcome) if inspect.isawaitable(outcome) else outcome

    async def _in_thread(self, call: Call) -> Any:
        work = self._workers.submit(call.begin)
        future = asyncio.wrap_future(work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            # A thread can't be interrupted. A later edit must not overtake this one.
            if not work.cancel() and not self.ending:
                await asyncio.wait({future})
            raise
