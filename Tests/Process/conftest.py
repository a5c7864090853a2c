"""What every test here needs: the release builds, the conformance runner beside the protocol, and web servers."""

from __future__ import annotations

import json
import ssl
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = ROOT / "protocol" / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from http_pages import PAGED, Ask, Serve, Source, page  # noqa: E402
from server import Message, Server  # noqa: E402
from web_server import Handler, Web  # noqa: E402

# The same examples on every run: a test that fails today failed yesterday.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture
def beside_clone(request: pytest.FixtureRequest) -> Path:
    """An empty folder beside what looks like a clone of this package, `nagare`.

    It has the same path on every run, so that what was built of the package before needn't be built again.
    """
    folder = ROOT / ".build" / "beside-clone" / request.node.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "nagare").symlink_to(ROOT)
    return folder


@pytest.fixture(scope="session")
def nagare() -> str:
    """The binary under test, built by `swift build -c release --product nagare`."""
    binary = ROOT / ".build" / "release" / "nagare"
    assert binary.exists(), f"{binary} is missing: run `swift build -c release --product nagare`"
    return str(binary)


@pytest.fixture
def start(nagare: str) -> Iterator[Callable[..., Server]]:
    """Starts servers that end with the test."""
    servers: list[Server] = []

    def start(*options: str) -> Server:
        servers.append(Server(nagare, *options))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@pytest.fixture(scope="session")
def nagare_http() -> str:
    """The binary under test, built by `swift build -c release --product nagare-http`."""
    binary = ROOT / ".build" / "release" / "nagare-http"
    assert binary.exists(), f"{binary} is missing: run `swift build -c release --product nagare-http`"
    return str(binary)


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
    """Starts `nagare-http` on an address, with further members of its configuration."""
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
    """Asks a web server with this handler for one page."""

    def ask(handler: Handler, path: str = PAGED, **members: Any) -> Message:
        return page(source(serve(handler).url(path), **members))

    return ask
