"""The PostgreSQL example with a real database: paged to its end, and with a database that stops and starts again."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import List
from postgres import PostgreSQL
from server import until
from test_examples import MAIL, configure, refused


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    yield server
    server.remove()


@pytest.fixture
def database(server: PostgreSQL, examples: Path) -> PostgreSQL:
    """A running server with the example's mails."""
    server.kill()
    server.start()
    with server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS mail")
    server.run(examples / "postgres_mail.sql")
    return server


@pytest.fixture
def configuration(database: PostgreSQL, examples: Path) -> Path:
    return configure(examples, "postgres_mail", database.connection)


def test_the_postgres_example_is_paged_to_its_end(configuration: Path, list_of: List) -> None:
    listing = list_of(configuration, "inbox", pageSize=250)
    assert listing.tell("viewWillAppear")["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 40
    assert listing.ids() == list(range(10_000, 0, -1))
    assert listing.items[-1]["received"] == "2026-01-01T00:00:00.123456+00:00"


def test_the_postgres_example_searches(configuration: Path, list_of: List) -> None:
    listing = list_of(configuration, "inbox", pageSize=50, debounce=0)
    assert listing.tell("search", text="subject 99")["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 3
    assert listing.ids() == [*range(9999, 9899, -1), *range(999, 989, -1), 99]


def test_the_postgres_example_filters_and_sorts(configuration: Path, list_of: List) -> None:
    listing = list_of(configuration, "inbox", pageSize=700)
    listing.tell("viewWillAppear")
    asked = {"sender": ["Ren", "nobody"], "received": {"from": "2026-01-11T00:00:00Z"}, "sort": "received"}
    assert listing.tell("filter", set=asked)["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 5
    assert listing.ids() == list(range(721, 10_001, 3))
    assert listing.tell("filter", set={"sort": "-sender", "received": None, "sender": {"to": "Bob"}})["count"] == 700
    assert listing.ids() == list(range(9999, 9999 - 2100, -3))
    assert listing.tell("filter", set={"sender": "x'; DROP TABLE mail; --"})["phase"] == "reachedBottom"
    assert listing.ids() == []


def test_the_postgres_example_makes_edits(configuration: Path, database: PostgreSQL, list_of: List) -> None:
    listing = list_of(configuration, "inbox", pageSize=3)
    listing.tell("viewWillAppear")
    listing.server.call("insert", view="v", item=MAIL)
    listing.server.call("remove", view="v", id=9999)
    assert refused(listing, item={**MAIL, "id": 5})["trigger"] == "insert"
    assert refused(listing, item={"id": 6})["trigger"] == "insert"
    with database.connect() as connection:
        found = connection.execute("SELECT id FROM mail WHERE id > 9997 ORDER BY id DESC").fetchall()
    assert found == [(20_000,), (10_000,), (9998,)]
    assert listing.tell("refresh")["phase"] == "requestFinished"
    assert listing.ids() == [20_000, 10_000, 9998]


def test_a_lost_database_is_reported_and_found_again(
    configuration: Path, database: PostgreSQL, list_of: List
) -> None:
    listing = list_of(configuration, "inbox", pageSize=1000)
    listing.tell("viewWillAppear")
    for _ in range(3):
        listing.tell("loadMore")
    assert len(listing.items) == 4000
    database.kill()
    error = listing.tell("loadMore")
    assert error["code"] == -32010 and error["retryable"] and error["trigger"] == "loadMore", error
    assert "the database can't be reached" in error["message"]
    assert listing.said("state")["phase"] == "failed"
    database.start()
    assert listing.tell("retry")["phase"] == "requestFinished"
    listing.page_to_the_end()
    assert listing.ids() == list(range(10_000, 0, -1))


def test_a_restarted_database_causes_no_error(
    configuration: Path, database: PostgreSQL, list_of: List
) -> None:
    listing = list_of(configuration, "inbox", pageSize=5000)
    listing.tell("viewWillAppear")
    database.kill()
    database.start()
    assert listing.tell("loadMore")["phase"] == "reachedBottom"
    assert listing.ids() == list(range(10_000, 0, -1))


class Program:
    """The example program alone, without a server that tries again."""

    def __init__(self, example: Path, connection: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(example), connection], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        # Kills a program that hangs, so that the test fails.
        self.watchdog = threading.Timer(60, self.process.kill)
        self.watchdog.start()

    def send(self, method: str, params: dict[str, Any], **id: int) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", **id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, id: int) -> None:
        self.send("source/page", {"source": "mail", "key": None, "query": None, "size": 1}, id=id)

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    """Programs that end with the test."""
    running: list[Program] = []
    yield running
    for program in running:
        program.watchdog.cancel()
        program.process.kill()
        program.process.communicate()


def test_a_statement_that_takes_too_long_is_an_error(
    database: PostgreSQL, examples: Path, programs: list[Program]
) -> None:
    connection = f"{database.connection} options='-c statement_timeout=2s'"
    program = Program(examples / "postgres_mail.py", connection)
    programs.append(program)
    with database.connect() as other, other.transaction():
        other.execute("LOCK TABLE mail")
        program.ask(1)
        error = program.answer()["error"]
        assert error["code"] == -32011 and error["data"] == {"retryable": True}
        assert "statement timeout" in error["message"]
    program.ask(2)
    assert [item["id"] for item in program.answer()["result"]["items"]] == [10_000]


def test_a_search_that_is_no_longer_needed_is_cancelled_in_the_database(
    database: PostgreSQL, examples: Path, programs: list[Program]
) -> None:
    program = Program(examples / "postgres_mail.py", database.connection)
    programs.append(program)
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM mail%'"
    with database.connect() as watcher, database.connect() as other, other.transaction():
        other.execute("LOCK TABLE mail")
        program.ask(1)
        until(lambda: watcher.execute(waiting).fetchone() == (1,))
        program.send("$/cancelRequest", {"id": 1})
        assert program.answer()["error"]["code"] == -32800
        assert watcher.execute(waiting).fetchone() == (0,)
