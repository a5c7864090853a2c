"""What every test here needs: the kit, the program `nagare`, and a list that is read to its end."""

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

# The same examples on every run: a test that fails today failed yesterday.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that are started find the kit, and this Python by the name that configurations use. No warning was given before."""
    errors._warned.clear()
    monkeypatch.setenv("PYTHONPATH", str(KIT / "src"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="session")
def nagare() -> str:
    return program()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A server that runs for all tests that only use it."""
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
    """A copy of the examples, to work in."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


class Listing:
    """A view of a screen with a list, and its items as they come."""

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
        """Sends an input that begins a load: what became of it, a state or an error."""
        self.server.notify(method, view="v", **params)
        # An edit from before may still change the state of what was loaded before.
        while self.said("state")["phase"] != "requesting":
            pass
        return self.said("state", "error")

    def said(self, *outputs: str) -> Message:
        """The next value of one of these outputs."""
        while True:
            message = self.server.next()
            self._take(message)
            if message.get("method") in outputs:
                value: Message = message["params"]["value"]
                return value

    def page_to_the_end(self) -> int:
        """Asks for the next page until there is none: the number of pages."""
        pages = 1
        while (state := self.tell("loadMore"))["phase"] == "requestFinished":
            pages += 1
        assert state["phase"] == "reachedBottom", state
        return pages + 1

    def ids(self) -> list[Any]:
        return [item[self.id] for item in self.items]

    def until(self, ids: list[Any]) -> None:
        """Reads on, and asks for more while there is some, until these are listed."""
        self.until_true(lambda: self.ids() == ids, f"not {ids}")

    def until_true(self, condition: Callable[[], bool], what: str = "") -> None:
        """Reads on, and asks for more while there is some, until something is so."""
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
    """Starts servers on configurations, that end with the test. A list is their first screen's unless told otherwise."""
    servers: list[Server] = []

    def start(configuration: Path, screen: str | None = None, patience: float = 120, **params: Any) -> Listing:
        servers.append(Server(nagare, "--config", str(configuration), patience=patience))
        return Listing(servers[-1], screen or next(iter(json.loads(configuration.read_text())["screens"])), **params)

    yield start
    for server in servers:
        server.kill()
