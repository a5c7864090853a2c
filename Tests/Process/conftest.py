"""What every test here needs: the release build of nagare, and the conformance runner beside the protocol."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = ROOT / "protocol" / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from server import Server  # noqa: E402

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
