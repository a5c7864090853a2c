"""Shared by all tests: the kit's path, the program `nagare`, databases, and a client that lists items."""

from __future__ import annotations

import json
import os
import queue
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

KIT = Path(__file__).resolve().parents[1]
ROOT = KIT.parents[1]
EXAMPLES = KIT / "examples"
sys.path[:0] = [str(KIT / "src"), str(ROOT / "Tests" / "Process"), str(ROOT / "clients" / "behaviour")]

from databases import Under, UnderPostgreSQL, UnderSQLite  # noqa: E402
from nagare_source import errors  # noqa: E402
from postgres import PostgreSQL  # noqa: E402
from server import Message, Server, program  # noqa: E402

# Hypothesis generates the same examples in every run, so a failure can be repeated.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets started programs find the kit and this Python, under the name that configurations use. Clears the warnings of earlier tests."""
    errors._warned.clear()
    monkeypatch.setenv("PYTHONPATH", str(KIT / "src"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="session")
def nagare() -> str:
    return program()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A server for all tests that don't stop or reconfigure it."""
    server = PostgreSQL()
    server.start()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def under(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Under]:
    """An empty table of mails, once in each database."""
    if request.param == "sqlite":
        made: UnderSQLite | UnderPostgreSQL = UnderSQLite(tmp_path / "mail.db")
    else:
        made = UnderPostgreSQL(request.getfixturevalue("postgres"))
    yield made
    made.connection.close()


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy of the examples that a test can change."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


class Listing:
    """A view of a list, with its current items."""

    def __init__(self, server: Server, screen: str, **params: Any) -> None:
        self.server = server
        self.items: list[dict[str, Any]] = []
        self.has_more = False
        self.id = "id"
        self.last: dict[str, Any] = {}
        server.call("initialize", protocolVersion="1", capabilities={"deltas": True})
        reply, _ = server.call("open", screen=screen, view="v", params={"throttle": 0, **params})
        assert "result" in reply, reply

    def tell(self, method: str, **params: Any) -> Message:
        """Sends an input that starts a load. Returns the load's result: the value of `state` or `error`."""
        self.server.notify(method, view="v", **params)
        # An earlier edit may still change the state of the previous load.
        while self.said("state")["phase"] != "requesting":
            pass
        return self.said("state", "error")

    def said(self, *outputs: str) -> Message:
        """Returns the next value of one of these outputs."""
        while True:
            message = self.server.next()
            self._take(message)
            if message.get("method") in outputs:
                value: Message = message["params"]["value"]
                return value

    def page_to_the_end(self) -> int:
        """Loads pages until the end. Returns the number of pages."""
        pages = 1
        while (state := self.tell("loadMore"))["phase"] == "requestFinished":
            pages += 1
        assert state["phase"] == "reachedBottom", state
        return pages + 1

    def ids(self) -> list[Any]:
        return [item[self.id] for item in self.items]

    def until(self, ids: list[Any]) -> None:
        """Reads messages, and loads more pages if there are any, until exactly these ids are listed."""
        self.until_true(lambda: self.ids() == ids, f"not {ids}")

    def until_true(self, condition: Callable[[], bool], what: str = "") -> None:
        """Reads messages, and loads more pages if there are any, until a condition is true."""
        while not condition():
            if self.has_more:
                self.has_more = False
                self.server.notify("loadMore", view="v")
            try:
                message = self.server.next()
            except queue.Empty:
                raise AssertionError(f"{self.ids()} is listed, {what}; {self.server.errors()}") from None
            self._take(message)

    def _take(self, message: Message) -> None:
        method, params = message.get("method"), message.get("params", {})
        if "value" in params:
            self.last[str(method)] = params["value"]
        if method == "state":
            self.has_more = params["value"]["phase"] == "requestFinished"
        if method != "items":
            return
        if "value" in params:
            self.items = params["value"]
        for splice in params.get("splices", []):
            self.items[splice["start"] : splice["start"] + splice["deleteCount"]] = splice["items"]
        assert len({item[self.id] for item in self.items}) == len(self.items), f"twice in {self.ids()}"


List = Callable[..., Listing]


@pytest.fixture
def list_of(nagare: str) -> Iterator[List]:
    """Starts a server with a configuration and returns a list, by default that of the configuration's first screen. The
    servers end with the test."""
    servers: list[Server] = []

    def start(configuration: Path, screen: str | None = None, patience: float = 120, **params: Any) -> Listing:
        servers.append(Server(nagare, "--config", str(configuration), patience=patience))
        return Listing(servers[-1], screen or next(iter(json.loads(configuration.read_text())["screens"])), **params)

    yield start
    for server in servers:
        server.kill()
