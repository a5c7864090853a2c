"""The web server: it decides which requests to accept, and serves the page's files and a WebSocket for each page."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
from collections.abc import Sequence
from hmac import compare_digest

from aiohttp import web
from aiohttp.typedefs import Handler

from .bridge import Limits, bridge
from .files import Site

HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
START = """<!doctype html><title>Nagare</title>
<script>location.replace("web/" + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url=web/"></noscript>
"""
"""Goes on to the page. A redirect would count as the request of the page that had the link, and those come without the cookie."""
PORTS = 100
"""How many ports are tried."""
LOOPBACK = (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")


class Server:
    """Serves a site, and a program for each page, on ports of this machine only.

    A browser gets in with the key, which is in the address that is opened first. The answer sets a cookie with the key. The page's
    scripts and styles need no cookie, because they contain no data, and because browsers load an app's manifest without cookies.
    """

    def __init__(self, site: Site, command: Sequence[str], listeners: list[socket.socket], key: str | None = None, limits: Limits = Limits()) -> None:
        self.site, self.command, self.listeners, self.limits = site, command, listeners, limits
        self.port: int = listeners[0].getsockname()[1]
        self.key = key or secrets.token_urlsafe()
        self.once: str | None = None
        names = [f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        # Browsers omit the default port.
        self.hosts = {*names, *(name.removesuffix(":80") for name in names)}
        self.origins = {f"http://{host}" for host in self.hosts}
        self.cookie = f"nagare-{self.port}"
        self.stopping = asyncio.Event()
        application = web.Application(middlewares=[self.guard])
        application.on_response_prepare.append(add_headers)
        application.on_shutdown.append(self.close_pages)
        application.router.add_get("/", self.enter)
        application.router.add_get("/nagare", self.connect)
        application.router.add_get("/{path:.+}", self.send_file)
        # Longer than a page and its program may take to close.
        self.runner = web.AppRunner(application, access_log=None, shutdown_timeout=6 * limits.patience + 1)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?key={self.key}"

    @property
    def address_once(self) -> str:
        """An address that can be opened once. While a browser starts, other users of this machine can see its arguments."""
        self.once = secrets.token_urlsafe()
        return f"http://127.0.0.1:{self.port}/?key={self.once}"

    async def start(self) -> None:
        await self.runner.setup()
        for listener in self.listeners:
            await web.SockSite(self.runner, listener).start()

    async def stop(self) -> None:
        """Closes all pages, and ends their programs."""
        await self.runner.cleanup()

    async def close_pages(self, _: web.Application) -> None:
        self.stopping.set()

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses requests that another site could cause."""
        host, origin = request.headers.get("Host", "").lower(), request.headers.get("Origin")
        if host not in self.hosts:
            raise web.HTTPForbidden(text=self.foreign_host(host))
        if origin is not None and origin not in self.origins:
            raise web.HTTPForbidden(text=f"Pages of {origin} can't use this server. Open the page at http://{host}/ instead.\n")
        return await handler(request)

    def foreign_host(self, host: str) -> str:
        return (
            f"This server answers only at http://127.0.0.1:{self.port}/ and http://localhost:{self.port}/, and this request is for “{host}”.\n"
            f"If you forward a port from another machine, use the same port there: ssh -L {self.port}:127.0.0.1:{self.port} HOST\n"
            "To serve the page to others, behind a proxy with a login, set it up as clients/hosting describes.\n"
        )

    def has_cookie(self, request: web.Request) -> bool:
        return compare_digest(request.cookies.get(self.cookie, "").encode(), self.key.encode())

    def takes(self, key: str) -> bool:
        """Whether a key from an address is right."""
        if self.once is not None and compare_digest(key.encode(), self.once.encode()):
            self.once = None
            return True
        return compare_digest(key.encode(), self.key.encode())

    def check_cookie(self, request: web.Request) -> None:
        if not self.has_cookie(request):
            text = "This browser hasn't been let in, or the server was started again since. Open the address that `nagare web` has printed, with the key in it.\n"
            raise web.HTTPForbidden(text=text)

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """Checks the key in the address, and goes on to the page."""
        key = request.query.get("key")
        if key is None:
            self.check_cookie(request)
        elif not self.takes(key):
            raise web.HTTPForbidden(text="The key in the address is wrong. Open the address that `nagare web` has printed.\n")
        response = web.Response(text=START, content_type="text/html")
        response.set_cookie(self.cookie, self.key, httponly=True, samesite="Strict")
        return response

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Starts a program for a page."""
        # Browsers always send the origin of a WebSocket.
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text="A WebSocket needs the header Origin.\n")
        self.check_cookie(request)
        page = web.WebSocketResponse(timeout=self.limits.patience, max_msg_size=self.limits.message + 1, compress=False)
        await page.prepare(request)
        await bridge(request, page, self.command, self.stopping, self.limits)
        return page

    async def send_file(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        if path in ("web/", "web/index.html"):
            self.check_cookie(request)
            path = "web/index.html"
        file = self.site.read(path, accepts_gzip="gzip" in request.headers.get("Accept-Encoding", ""))
        if file is None:
            raise web.HTTPNotFound(text=f"There is no file /{path}.\n")
        headers = {"ETag": f'"{file.tag}"', "Vary": "Accept-Encoding"}
        if any(tag.value == file.tag for tag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        if file.compressed:
            headers["Content-Encoding"] = "gzip"
        return web.Response(body=file.body, headers={**headers, "Content-Type": file.type})


async def add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def listen(port: int) -> list[socket.socket]:
    """Listens at a port of this machine, or at the next free one; with 0, at any.

    A port is free if it is free for IPv4 and IPv6. Otherwise a browser that prefers the other kind would reach another program. The
    machine may lack IPv6.
    """
    last = min(port + PORTS, 65535) if port else 0
    for candidate in [0] * PORTS if port == 0 else range(port, last + 1):
        try:
            return listen_at(candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            taken = error
    raise taken


def listen_at(port: int) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    try:
        for family, address in LOOPBACK:
            try:
                listeners.append(socket.create_server((address, port), family=family, backlog=128))
            except OSError as error:
                if family == socket.AF_INET or error.errno == errno.EADDRINUSE:
                    raise
            port = listeners[0].getsockname()[1]
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners
