"""PostgreSQL as it is often run: with restricted roles, prepared or open transactions, and replicas."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import List
from databases import UnderPostgreSQL, configure
from nagare_source import SourceError, follow
from nagare_source.postgres import PostgreSQL as Database
from nagare_source.table import Table
from postgres import PostgreSQL


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    """A server that allows prepared transactions."""
    server = PostgreSQL("max_prepared_transactions=2")
    server.start()
    yield server
    server.remove()


@pytest.fixture
def under(server: PostgreSQL) -> Iterator[UnderPostgreSQL]:
    made = UnderPostgreSQL(server)
    yield made
    made.connection.close()


def page(server: PostgreSQL, role: str, live: bool = True) -> Any:
    """Returns the rows that a role can read from the table, or the error."""

    async def asked() -> Any:
        database = Database(server.connection.replace("user=postgres", f"user={role}"))
        try:
            return (await Table(database, "mail", live=live, write=True, triggers=True)._page(None, None, 10, {})).items
        except SourceError as error:
            assert not error.retryable
            return error.message
        finally:
            await database._close_idle()

    return asyncio.run(asked())


def test_changes_of_attached_and_detached_partitions_are_listed(under: UnderPostgreSQL, tmp_path: Path, list_of: List) -> None:
    under.run("DROP TABLE mail")
    under.run("CREATE TABLE mail (id int PRIMARY KEY, received text) PARTITION BY RANGE (id)")
    for part, first in (("low", 0), ("high", 100)):
        under.run(f"CREATE TABLE mail_{part} PARTITION OF mail FOR VALUES FROM ({first}) TO ({first + 100})")
    try:
        under.run("INSERT INTO mail VALUES (1, '2026'), (101, '2027')")
        listing = list_of(configure(under, tmp_path))
        listing.tell("viewWillAppear")
        listing.until([101, 1])
        under.run("INSERT INTO mail_high VALUES (102, '2028')")
        listing.until([102, 101, 1])
        under.run("TRUNCATE mail_high")
        listing.until([1])
        under.run("CREATE TABLE mail_more (id int PRIMARY KEY, received text)")
        under.run("INSERT INTO mail_more VALUES (201, '2030')")
        under.run("ALTER TABLE mail ATTACH PARTITION mail_more FOR VALUES FROM (200) TO (300)")
        listing.until([201, 1])
        under.run("ALTER TABLE mail DETACH PARTITION mail_low")
        listing.until([201])
        under.run("UPDATE mail SET id = 203")
        listing.until([203])
    finally:
        under.run("DROP TABLE IF EXISTS mail, mail_low")


def test_a_table_that_others_inherit_from_gets_no_triggers(under: UnderPostgreSQL) -> None:
    """Triggers of the table don't log changes in tables that inherit from it."""
    under.run("CREATE TABLE old_mail () INHERITS (mail)")
    try:
        words = [sys.executable, "-m", "nagare_source", *under.arguments, "--table", "mail", "--triggers", "--configuration"]
        made = subprocess.run(words, capture_output=True, text=True)
        assert "mail gets no triggers, because other tables inherit from it" in made.stderr and '"--triggers"' not in made.stdout
    finally:
        under.run("DROP TABLE old_mail")


def test_errors_for_a_restricted_role_name_the_missing_privilege(server: PostgreSQL, under: UnderPostgreSQL) -> None:
    under.run("DROP ROLE IF EXISTS reader")
    under.run("CREATE ROLE reader LOGIN")
    try:
        assert page(server, "reader", live=False) == "permission denied for table mail"
        under.run("GRANT SELECT ON mail TO reader")
        assert page(server, "reader", live=False) == []
        told = page(server, "reader")
        assert told.startswith("permission denied for schema public; whoever owns mail can make it live") and "--triggers" in told
        assert page(server, "postgres") == []
        assert "lets this program read nagare_mail" in page(server, "reader")
        under.run("GRANT SELECT ON nagare_mail TO reader")
        assert page(server, "reader") == []
    finally:
        under.run("DROP OWNED BY reader")
        under.run("DROP ROLE reader")


def test_prepared_transactions_are_listed_when_they_are_committed(under: UnderPostgreSQL, tmp_path: Path, list_of: List) -> None:
    listing = list_of(configure(under, tmp_path))
    listing.tell("viewWillAppear")
    with under.server.connect() as other:
        other.execute("BEGIN")
        other.execute("INSERT INTO mail (id, received) VALUES (1, '2026')")
        other.execute("PREPARE TRANSACTION 'one'")
        under.run("INSERT INTO mail (id, received) VALUES (2, '2027')")
        other.execute("COMMIT PREPARED 'one'")
    listing.until([2, 1])
    under.run("TRUNCATE mail")
    listing.until([])
    under.run("INSERT INTO mail (id, received) VALUES (3, '2026')")
    listing.until([3])


@pytest.mark.parametrize("prepared", [False, True])
def test_a_transaction_that_delays_changes_is_named(
    under: UnderPostgreSQL, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], prepared: bool
) -> None:
    async def test() -> None:
        table = Table(under.database(), "mail", write=True, triggers=True)
        follower = table.follower.follow(None, None, {})
        await anext(follower)
        with under.server.connect() as other:
            other.execute("SET application_name = 'nightly'")
            other.execute("BEGIN")
            other.execute("CREATE TEMPORARY TABLE scratch (id int)" if not prepared else "INSERT INTO mail (id) VALUES (1)")
            if prepared:
                other.execute("PREPARE TRANSACTION 'one'")
            under.run("INSERT INTO mail (id) VALUES (2)")
            coming = asyncio.ensure_future(anext(follower))
            while "told once nothing" not in (told := capsys.readouterr().err):
                assert not coming.done()
                await asyncio.sleep(0.01)
            pid = other.info.backend_pid
            wanted = "ROLLBACK PREPARED 'one'" if prepared else f"postgres (process {pid}, nightly)"
            assert wanted in told and (prepared or f"pg_terminate_backend({pid})" in told)
            other.execute("COMMIT PREPARED 'one'" if prepared else "ROLLBACK")
        changes, _ = await coming
        assert changes[0] == {"insert": {"id": 1 if prepared else 2, "received": None, "sender": "Aoi", "subject": "new", "read": 0}}
        await follower.aclose()

    monkeypatch.setattr(follow, "REPORT_BLOCKED_AFTER", 0.0)
    asyncio.run(asyncio.wait_for(test(), 60))


def test_a_table_on_a_replica_is_live_if_the_primarys_is(under: UnderPostgreSQL, tmp_path: Path, list_of: List) -> None:
    under.run("INSERT INTO mail (id, received) VALUES (1, '2026')")
    replica = PostgreSQL("max_prepared_transactions=2", of=under.server)
    replica.start()
    try:
        told = page(replica, "postgres")
        assert told.startswith("cannot set transaction read-write mode") and "whoever owns mail can make it live" in told and "without --triggers" in told
        remedy = [sys.executable, "-m", "nagare_source", *under.arguments, "--table", "mail", "--triggers", "--configuration"]
        assert subprocess.run(remedy).returncode == 0
        under.arguments = ["--postgres", replica.connection]
        listing = list_of(configure(under, tmp_path))
        # Waits for replication.
        while not (state := listing.tell("viewWillAppear" if not listing.items else "refresh")).get("count"):
            pass
        listing.until([1])
        under.run("INSERT INTO mail (id, received) VALUES (2, '2027')")
        under.run("DELETE FROM mail WHERE id = 1")
        listing.until([2])
        listing.server.notify("remove", view="v", id=2)
        assert "read-write mode during recovery" in listing.said("error")["message"]
        listing.until([2])
    finally:
        replica.remove()
