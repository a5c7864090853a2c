"""Fixtures of all tests: `nagare`, and programs that accept connections. Debian's programs are in .build/debian."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HOSTING = Path(__file__).resolve().parents[1]
ROOT = HOSTING.parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Process"))

from gateway import Gateway, debian, free_port  # noqa: E402
from server import program  # noqa: E402
from web_server import Handler, Web  # noqa: E402

LIMITS = ["--max-message-size", "65536", "--max-views", "100", "--max-batch", "100"]


@pytest.fixture(scope="session")
def nagare() -> str:
    return program()


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Callable[..., Gateway]]:
    """Returns a function that starts a program which listens on a port and starts a process for each connection. Ends it after the test."""
    gateways: list[Gateway] = []

    def start(*command: str, port: int, **environment: str) -> Gateway:
        gateways.append(Gateway([*command], port, tmp_path, environment))
        return gateways[-1]

    yield start
    for started in gateways:
        started.end()


@pytest.fixture
def websocketd(gateway: Callable[..., Gateway]) -> Callable[..., Gateway]:
    """Returns a function that starts websocketd with options and a command."""

    def start(*command: str, options: tuple[str, ...] = (), **environment: str) -> Gateway:
        port = free_port()
        return gateway(
            debian("websocketd"), "--address=127.0.0.1", f"--port={port}", *options, *command, port=port, **environment
        )

    return start


@pytest.fixture
def serve() -> Iterator[Callable[[Handler], Web]]:
    """Returns a function that starts web servers, which end after the test."""
    servers: list[Web] = []

    def serve(handler: Handler) -> Web:
        servers.append(Web(handler))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()
