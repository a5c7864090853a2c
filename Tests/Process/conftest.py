"""Fixtures for all tests in this folder: release builds, the protocol's conformance runner, and web servers."""

from __future__ import annotations

import contextlib
import json
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = ROOT / "protocol" / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from command_programs import ServeProgram, configured  # noqa: E402
from http_pages import PAGED, Ask, Serve, Source, page  # noqa: E402
from server import Message, Server, Start, program  # noqa: E402
from web_server import Handler, Web  # noqa: E402

# Every run uses the same examples, so failures are reproducible.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


BESIDE_CLONE = ROOT / ".build" / "beside-clone"
BUILT_BESIDE_CLONE = BESIDE_CLONE / "build"
"""The shared build folder of packages next to the clone, so that this package is built only once for all of them."""


@pytest.fixture
def beside_clone() -> Path:
    """A folder next to something that looks like a clone of this package, `nagare`. A test that puts a package there
    removes the previous one."""
    BESIDE_CLONE.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (BESIDE_CLONE / "nagare").symlink_to(ROOT)
    return BESIDE_CLONE


@pytest.fixture(scope="session")
def nagare() -> str:
    return program()


@pytest.fixture(scope="session")
def nagare_http() -> str:
    return program("nagare-http")


@pytest.fixture
def start(nagare: str) -> Iterator[Start]:
    """Starts servers that end with the test."""
    servers: list[Server] = []

    def start(*options: str, reading: bool = True) -> Server:
        servers.append(Server(nagare, *options, reading=reading))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def serve_program(start: Start, tmp_path: Path) -> ServeProgram:
    """Starts a server with a list of a program's rows."""

    def serve(program: str, *options: str) -> Server:
        server = start("--config", str(configured(tmp_path, program)), *options)
        server.call("open", screen="rows", view="v")
        return server

    return serve


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts web servers that end with the test."""
    servers: list[Web] = []

    def serve(handler: Handler, certificate: ssl.SSLContext | None = None) -> Web:
        servers.append(Web(handler, certificate))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


@pytest.fixture
def source(nagare_http: str) -> Iterator[Source]:
    """Starts `nagare-http` on an address, with more fields of its configuration."""
    servers: list[Server] = []

    def source(url: str, **members: Any) -> Server:
        configuration = {"url": url, "retries": 0, "timeout": 5000, **members}
        servers.append(Server(nagare_http, json.dumps(configuration)))
        return servers[-1]

    yield source
    for server in servers:
        server.kill()


@pytest.fixture
def ask(serve: Serve, source: Source) -> Ask:
    """Requests a page from a web server with this handler."""

    def ask(handler: Handler, path: str = PAGED, **members: Any) -> Message:
        return page(source(serve(handler).url(path), **members))

    return ask
