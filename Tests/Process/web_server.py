"""A web server on loopback that does what a test requires, right or wrong."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@dataclass
class Web:
    """Answers every request by its handler, in a separate thread, and records the requests."""

    handler: Handler
    certificate: ssl.SSLContext | None = None
    #: The requests in order, with path, query and headers.
    requests: list[web.BaseRequest] = field(default_factory=list)
    #: The current number of running requests, and the maximum so far.
    running: int = 0
    most_running: int = 0
    #: The number of requests that the other side cancelled.
    dropped: int = 0

    def __post_init__(self) -> None:
        ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)), daemon=True)
        self.thread.start()
        assert ready.wait(10), "the web server doesn't start"

    def url(self, path: str = "/") -> str:
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.port}{path}"

    def paths(self) -> list[str]:
        """The requested paths with their queries."""
        return [request.path_qs for request in self.requests]

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(10)

    async def _run(self, ready: threading.Event) -> None:
        self.loop, self.ended = asyncio.get_running_loop(), asyncio.Event()
        server = web.Server(self._answer, handler_cancellation=True, access_log=None)
        listening = await self.loop.create_server(server, "127.0.0.1", 0, ssl=self.certificate)
        self.port: int = listening.sockets[0].getsockname()[1]
        ready.set()
        await self.ended.wait()
        listening.close()
        await server.shutdown(0.1)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.requests.append(request)
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        try:
            return await self.handler(request)
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        finally:
            self.running -= 1


def always(response: Callable[[], web.StreamResponse]) -> Handler:
    """Gives the same answer to every request."""

    async def handler(_: web.BaseRequest) -> web.StreamResponse:
        return response()

    return handler


def each(*handlers: Handler) -> Handler:
    """Answers requests in turn, the last answer repeatedly."""
    rest = list(handlers)

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        return await (rest.pop(0) if len(rest) > 1 else rest[0])(request)

    return handler


def raw(data: bytes, reset: bool = False) -> Handler:
    """Writes these bytes unchanged and closes the connection, properly or not."""

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        transport = request.transport
        assert transport is not None
        transport.write(data)
        if reset:
            transport.abort()
        else:
            transport.close()
        await asyncio.sleep(60)
        raise AssertionError("the connection is still open")

    return handler


def json(text: str | bytes, status: int = 200, **headers: str) -> Handler:
    """Answers JSON, or something labelled as JSON. `etag` is the header `ETag`, `retry_after` is `Retry-After`."""
    body = text.encode() if isinstance(text, str) else text
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return always(lambda: web.Response(status=status, body=body, headers={"Content-Type": "application/json", **named}))
