"""websocketd as the service starts it: which origins it accepts, which files it serves, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from gateway import Gateway, debian, free_port, runs, until
from unit import command

ORIGIN = "https://app.example.org"
ENVIRONMENT = "env > environment; cat > /dev/null"
CONFIGURATION = {
    "sources": {"rows": {"type": "command", "command": ["sh", "-c", ENVIRONMENT]}},
    "screens": {"rows": {"viewModel": "list", "source": "rows"}},
}


@pytest.fixture
def hosted(gateway: Callable[..., Gateway], nagare: str, tmp_path: Path) -> Gateway:
    """Starts the service on a free port."""
    (tmp_path / "nagare.json").write_text(json.dumps(CONFIGURATION))
    port = free_port()
    # The paths and port in the published unit, and the test's replacements.
    changes = {
        "/usr/bin/websocketd": debian("websocketd"),
        "/usr/local/bin/nagare": nagare,
        "/etc/nagare": str(tmp_path),
        "8080": str(port),
    }
    return gateway(*command("websocketd.service", changes), port=port, SECRET="hunter2")


async def refusal(gateway: Gateway, **headers: str) -> int:
    """Returns the status of the response to a WebSocket handshake; 101 if it succeeded."""
    async with aiohttp.ClientSession() as session:
        try:
            async with session.ws_connect(f"http://127.0.0.1:{gateway.port}/", headers=headers) as socket:
                await socket.send_str('{"jsonrpc":"2.0","id":1,"method":"ping"}')
                assert await socket.receive_str() == '{"jsonrpc":"2.0","id":1,"result":{}}'
                return 101
        except aiohttp.WSServerHandshakeError as error:
            return error.status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (ORIGIN, 101),
        ("https://evil.example", 403),
        ("https://app.example.org.evil.example", 403),
        ("https://evil.example/app.example.org", 403),
        ("https://app.example.org@evil.example", 403),
        ("null", 403),
        ("", 403),
        (None, 403),
    ],
)
def test_a_page_of_another_origin_is_refused(hosted: Gateway, origin: str | None, status: int) -> None:
    assert asyncio.run(refusal(hosted, **({} if origin is None else {"Origin": origin}))) == status
    until(lambda: not hosted.servers(), "no server is left")


def test_no_files_are_served(hosted: Gateway) -> None:
    async def statuses() -> set[int]:
        found = set()
        async with aiohttp.ClientSession() as session:
            for path in ("/", "/index.html", "/nagare.json", "/etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"):
                async with session.get(f"http://127.0.0.1:{hosted.port}{path}") as response:
                    found.add(response.status)
        return found

    assert asyncio.run(statuses()) == {404}
    assert not hosted.servers()


def test_a_client_s_header_does_not_set_a_command_source_s_proxy(hosted: Gateway, tmp_path: Path) -> None:
    async def load() -> None:
        async with aiohttp.ClientSession() as session:
            headers = {"Origin": ORIGIN, "Proxy": "http://evil.example", "Path": "/evil"}
            async with session.ws_connect(f"http://127.0.0.1:{hosted.port}/", headers=headers) as socket:
                await socket.send_str('{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"rows"}}')
                await socket.send_str('{"jsonrpc":"2.0","method":"viewWillAppear"}')
                until(lambda: hosted.servers("cat"), "the program runs")

    asyncio.run(load())
    environment = dict(line.partition("=")[::2] for line in (tmp_path / "environment").read_text().splitlines())
    assert "HTTP_PROXY" not in environment and "SECRET" not in environment
    assert (environment["HTTP_PATH"], environment["PATH"]) == ("/evil", os.environ["PATH"])
    until(lambda: not hosted.servers("cat"), "the program ends with its client")


def test_all_servers_end_with_websocketd(hosted: Gateway) -> None:
    async def connected() -> None:
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{hosted.port}/"
            sockets = [await session.ws_connect(url, headers={"Origin": ORIGIN}) for _ in range(3)]
            until(lambda: len(hosted.servers()) == 3, "three servers run")
            servers = hosted.servers()
            os.kill(hosted.process.pid, signal.SIGTERM)
            for socket in sockets:
                assert (await socket.receive()).type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSE)
            until(lambda: not any(map(runs, servers)), "the servers end")

    asyncio.run(connected())
