"""A client from outside reaches no file, no program and no address that the configuration doesn't name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from conftest import LIMITS
from gateway import PATIENCE, Gateway, until
from trace import reached, tracing
from web_server import Web

Message = dict[str, Any]
SCREENS = ["mails", "found", "linked", "moved", "rows"]


def hostile(folder: Path, canary: str) -> list[Any]:
    """Returns values that would do harm if the server used them as or in a path, a command or a URL."""
    return [
        "/etc/passwd", "../secret.txt", "../../../../etc/passwd", f"file://{folder}/secret.txt", "..", ".", "%2e%2e/",
        "..%2f..%2fetc%2fpasswd", canary, f"@{canary[7:]}", f"//{canary[7:]}", f"\\{canary[7:]}", "?x=1&page=9#", "%00",
        "\u0000", "a\r\nX-Evil: 1\r\n\r\nGET /evil HTTP/1.1\r\nHost: evil\r\n\r\n", "{page}", "流れ/../..", "$(touch pwned)",
        "; touch pwned #", "| touch pwned", "--config=/etc/passwd", "x" * 1000,
        ["sh", "-c", "touch pwned"], {"type": "command", "command": ["sh", "-c", "touch pwned"]},
        {"type": "http", "url": canary}, {"type": "file", "path": "/etc/passwd"}, {"url": canary}, 1, -1, 1e308, True, None,
    ]  # fmt: skip


NAMES = (
    "path file source sources url command config configuration environment headers screen screens view id key cursor query "
    "text to item before action value type params deltas client capabilities start end onRefresh pageSize milliseconds"
).split()


class Remote:
    """A client of a WebSocket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.requests = 0
        self.asked: list[str] = []

    async def next(self) -> Message:
        message: Message = json.loads(await self.socket.receive_str(timeout=PATIENCE))
        if "method" in message and "id" in message:
            self.asked.append(message["method"])
        return message

    async def call(self, method: str, **params: Any) -> Message:
        """Sends a request, and returns its answer."""
        self.requests += 1
        await self.socket.send_str(json.dumps({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params}))
        while (message := await self.next()).get("id") != self.requests or "method" in message:
            pass
        return message

    async def load(self, screen: str, query: Any = None) -> str:
        """Opens a view, loads its first page, closes it, and returns the outcome of the load."""
        opened = await self.call("open", screen=screen, view="load", params={} if query is None else {"query": query})
        if "error" in opened:
            return str(opened["error"]["message"])
        await self.socket.send_str('{"jsonrpc":"2.0","method":"viewWillAppear","params":{"view":"load"}}')
        while True:
            message = await self.next()
            phase = message["params"]["value"]["phase"] if message.get("method") == "state" else ""
            if phase not in ("", "requesting"):
                await self.call("close", view="load")
                return str(phase)


@asynccontextmanager
async def remote(gateway: Gateway, path: str = "/", **headers: str) -> AsyncIterator[Remote]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{gateway.port}{path}", headers=headers, max_msg_size=0) as socket,
    ):
        yield Remote(socket)


class Site:
    """A configuration with its files and web server, and a file and a web server that it doesn't name."""

    def __init__(self, folder: Path, serve: Callable[..., Web]) -> None:
        async def answer(request: web.BaseRequest) -> web.StreamResponse:
            if request.path == "/moved":
                return web.Response(status=302, headers={"Location": f"{self.canary.url()}moved"})
            headers = {"Link": f"<{self.canary.url()}next>; rel=next"} if request.path == "/linked" else {}
            return web.json_response([{"id": 1}], headers=headers)

        async def evil(_: web.BaseRequest) -> web.StreamResponse:
            return web.json_response([{"id": "evil"}])

        self.folder = folder / "configured"
        self.folder.mkdir()
        self.web, self.canary = serve(answer), serve(evil)
        (folder / "secret.txt").write_text('{"id":"secret"}\n')
        (self.folder / "mails.jsonl").write_text('{"id":"a"}\n{"id":"b"}\n')
        self.configuration = self.folder / "nagare.json"
        rows = r's/.*"id":\([0-9]*\).*/{"jsonrpc":"2.0","id":\1,"result":{"items":[{"id":"row"}]}}/'
        sources = {
            "mails": {"type": "file", "path": "mails.jsonl"},
            "found": {"type": "http", "url": self.web.url("/items/{query}/list?page={page}&q={query}"), "retries": 0},
            "linked": {"type": "http", "url": self.web.url("/linked"), "next": {"by": "link"}, "retries": 0},
            "moved": {"type": "http", "url": self.web.url("/moved"), "retries": 0},
            "rows": {"type": "command", "command": ["sed", "--unbuffered", rows]},
        }
        screens = {name: {"viewModel": "search" if name == "found" else "list", "source": name} for name in SCREENS}
        stores = {"stores": {"shop": {"query": "ramen"}}}
        choice = {"choice": {"viewModel": "choice", "choices": ["ramen"], "store": "shop.query"}}
        self.configuration.write_text(json.dumps({"sources": sources, **stores, "screens": {**screens, **choice}}))

    def options(self) -> list[str]:
        return ["--config", str(self.configuration), *LIMITS]


@pytest.fixture
def site(tmp_path: Path, serve: Callable[..., Web]) -> Site:
    return Site(tmp_path, serve)


async def behave(client: Remote) -> None:
    """Uses everything in the configuration as intended."""
    await client.call("initialize", protocolVersion="1")
    for screen in SCREENS:
        await client.load(screen)
    await client.load("found", "ramen")


async def attack(client: Remote, site: Site) -> None:
    """Sends every hostile value to every method, and loads every source with it."""
    values = hostile(site.folder.parent, site.canary.url())
    discovered = (await client.call("rpc.discover"))["result"]["methods"]
    methods = [method["name"] for method in discovered if method["name"] not in ("shutdown", "exit", "close")]
    # Claims to provide the sources of the configuration, and capabilities that don't exist.
    capabilities = {"sources": SCREENS, "files": True, "commands": True, "deltas": True, "present": True}
    await client.call("initialize", protocolVersion="1", capabilities=capabilities, environment={"PATH": "/tmp"})
    await client.call("open", screen="mails", view="v")
    for method in methods + ["source/page", "source/insert", "clock/advance", "$/evil", "workspace/executeCommand"]:
        for value in values:
            answer = await client.call(method, **dict.fromkeys(NAMES, value))
            assert "result" in answer or "error" in answer
            await client.call(method, view="v", **{name: value for name in NAMES if name != "view"})
    for screen in SCREENS:
        for value in values:
            await client.call("open", screen=screen, view="w", params={"source": value, "path": value, "url": value})
            await client.load(screen, value)
    assert client.asked == [], "the client is asked for what other sources have"
    assert "result" in await client.call("ping")


def traced(site: Site, websocketd: Callable[..., Gateway], nagare: str, name: str, client: Callable[..., Any]) -> set[str]:
    """Returns the files, programs and addresses that a server uses while a client runs."""
    folder = site.folder.parent / name
    gateway = websocketd(*tracing(folder, nagare, *site.options()), options=("--loglevel=fatal",))

    async def run() -> None:
        async with remote(gateway) as connection:
            await client(connection)

    asyncio.run(run())
    until(lambda: not gateway.servers(), "the server ends")
    until(lambda: not gateway.servers("strace"), "all that it did is written")
    return reached(folder)


def test_a_client_reaches_only_configured_files_programs_and_addresses(
    site: Site, websocketd: Callable[..., Gateway], nagare: str
) -> None:
    usual = traced(site, websocketd, nagare, "usual", behave)
    assert any("mails.jsonl" in target for target in usual), "strace sees the file"
    assert any(f"htons({site.web.port})" in target for target in usual), "strace sees the web server"
    beyond = traced(site, websocketd, nagare, "hostile", lambda client: attack(client, site))
    # The C library reads the number of processors if two threads allocate at the same moment, which happens at random.
    assert sorted(beyond - usual - {"openat /sys/devices/system/cpu/online"}) == []
    assert site.canary.requests == []
    assert not list(site.folder.parent.rglob("pwned*"))
    for request in site.web.requests:
        assert request.path_qs.startswith(("/items/", "/linked", "/moved")), request.path_qs
        assert request.headers["Host"] == f"127.0.0.1:{site.web.port}" and "X-Evil" not in request.headers


def test_a_client_s_headers_and_address_have_no_effect(
    site: Site, websocketd: Callable[..., Gateway], nagare: str
) -> None:
    """websocketd passes headers to the server as environment variables, `Proxy` as `HTTP_PROXY`."""
    gateway = websocketd(nagare, *site.options())
    canary = site.canary.url()
    headers = {"Proxy": canary, "Http-Proxy": canary, "Path": "/tmp", "Ld-Preload": "/tmp/x", "Config": "/etc/passwd"}

    async def run() -> None:
        for path in ("/etc/passwd", "/..%2f..%2fetc/passwd", "/?--config=/etc/passwd", "/?--file=/etc/passwd"):
            async with remote(gateway, path, **headers) as client:
                screens = (await client.call("screens"))["result"]["screens"]
                assert [screen["screen"] for screen in screens] == [*SCREENS, "choice"]
                assert await client.load("found", "ramen") in ("requestFinished", "reachedBottom")

    asyncio.run(run())
    assert site.canary.requests == [] and len(site.web.requests) == 4


def test_messages_over_a_limit_are_rejected_and_the_next_one_works(
    site: Site, websocketd: Callable[..., Gateway], nagare: str
) -> None:
    gateway = websocketd(nagare, *site.options())

    async def run() -> None:
        async with remote(gateway) as client:
            await client.socket.send_str(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "x": "x" * (4 << 20)}))
            assert (await client.next())["error"]["data"] == {"limit": "messageSize", "max": 65536, "message": 1}
            for _ in range(100):
                assert "result" in await client.call("open", screen="mails")
            assert (await client.call("open", screen="mails"))["error"]["data"] == {"limit": "views", "max": 100}
            assert "result" in await client.call("ping")

    asyncio.run(run())
