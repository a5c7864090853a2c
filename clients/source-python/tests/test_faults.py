"""Killed servers and programs, and other faults. In the end the list equals the result of SELECT.

PostgreSQL is killed twenty times by default. The environment variable `NAGARE_KILLS` sets another number.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from conftest import List, Listing
from databases import ORDER, Under, UnderPostgreSQL, configure
from postgres import PostgreSQL
from server import until

from nagare_source import SQLite

KILLS = int(os.environ.get("NAGARE_KILLS", "20"))


@pytest.fixture
def listing(under: Under, tmp_path: Path, list_of: List) -> Listing:
    return shown(under, tmp_path, list_of)


def shown(under: Under, folder: Path, list_of: List) -> Listing:
    """Returns a list of the table, with its first page."""
    listing = list_of(configure(under, folder, pageSize=20), patience=600)
    assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
    return listing


def is_listed(listing: Listing, under: Under) -> None:
    """Waits until the list has the same rows as the table, in the same order."""
    found = under.rows(f"SELECT * FROM mail {ORDER}")
    listing.until_true(lambda: [tuple(item.values()) for item in listing.items] == found, f"not {found}")


def write(run: Callable[[str, list[Any]], object], seed: random.Random, number: int) -> None:
    """Inserts, changes or removes a row."""
    some, time = seed.randrange(1, number + 2), f"2026-{seed.randrange(1, 13):02}"
    what = seed.random()
    if what < 0.5:
        run("INSERT INTO mail (id, received) VALUES (?, ?)", [number + 1, time])
    elif what < 0.8:
        run("UPDATE mail SET read = read + 1, received = ? WHERE id = ?", [time, some])
    else:
        run("DELETE FROM mail WHERE id = ?", [some])


def kill_program(listing: Listing) -> None:
    """Kills the source's program, as soon as it runs."""
    server = listing.server.process.pid

    def is_killed() -> bool:
        for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
                return True
        return False

    until(is_killed)


def test_a_program_that_is_killed_repeatedly_misses_no_change(under: Under, listing: Listing) -> None:
    seed = random.Random(1)
    for kill in range(5):
        for number in range(20):
            write(under.run, seed, 20 * kill + number)
            if number == seed.randrange(20):
                kill_program(listing)
    is_listed(listing, under)


def test_a_list_reloads_if_the_log_entries_that_it_needs_were_deleted(under: Under, listing: Listing) -> None:
    seed = random.Random(2)
    for number in range(60):
        under.run("BEGIN")
        write(under.run, seed, number)
        if number % 10 == 5:
            write(under.run, seed, number + 100)
            under.run("DELETE FROM nagare_mail WHERE seq < (SELECT max(seq) FROM nagare_mail)")
        under.run("COMMIT")
        if number % 20 == 0:
            # The program requests the changes since a state that is unknown now.
            kill_program(listing)
    is_listed(listing, under)


def test_the_size_of_the_log_is_bounded(under: Under, listing: Listing) -> None:
    under.run("INSERT INTO mail (id) SELECT 1")
    under.run("BEGIN")
    for _ in range(10_300):
        under.run("UPDATE mail SET read = read + 1")
    under.run("COMMIT")
    is_listed(listing, under)
    assert under.rows("SELECT count(*) FROM nagare_mail")[0][0] <= 10_100


def test_two_servers_can_watch_one_table(under: Under, listing: Listing, tmp_path: Path, list_of: List) -> None:
    other = shown(under, tmp_path, list_of)
    seed = random.Random(3)
    for number in range(30):
        write(under.run, seed, number)
        if number == 15:
            kill_program(other)
    is_listed(listing, under)
    is_listed(other, under)
    other.server.kill()
    under.run("INSERT INTO mail (id, received) VALUES (1000, '2027')")
    is_listed(listing, under)


def test_rows_with_earlier_times_are_listed_in_order(under: Under, listing: Listing) -> None:
    """The clock that gives rows their times was set back. The order of changes doesn't depend on clocks."""
    for id, time in [(1, "2026-05-05"), (2, "2026-05-06"), (3, "2020-01-01"), (4, "2020-01-02"), (5, "2026-05-07")]:
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, time])
        is_listed(listing, under)
    assert listing.ids() == [5, 2, 1, 4, 3]


def test_a_transaction_that_is_committed_late_is_not_missed(
    postgres: PostgreSQL, tmp_path: Path, list_of: List
) -> None:
    """One transaction begins to write before others, and ends after them. Another one stays open."""
    under = UnderPostgreSQL(postgres)
    listing = shown(under, tmp_path, list_of)
    with postgres.connect() as late, postgres.connect() as later:
        late.execute("BEGIN; INSERT INTO mail (id, received) VALUES (1, '2026')")
        later.execute("BEGIN; INSERT INTO mail (id, received) VALUES (2, '2027')")
        under.run("INSERT INTO mail (id, received) VALUES (3, '2028')")
        late.execute("COMMIT")
        # The third change is sent only when no earlier change can appear any more.
        listing.until([1])
        under.run("DELETE FROM mail WHERE id = 1")
        later.execute("ROLLBACK")
        listing.until([3])


def test_changes_of_concurrent_transactions_are_all_listed(postgres: PostgreSQL, tmp_path: Path, list_of: List) -> None:
    """Transactions begin, are committed and are rolled back in any order."""
    under = UnderPostgreSQL(postgres)
    listing = shown(under, tmp_path, list_of)

    def write_some(writer: int) -> None:
        seed = random.Random(writer)
        with postgres.connect() as connection:
            for number in range(40):
                connection.execute("BEGIN")
                for _ in range(seed.randrange(1, 4)):
                    # Each writer has separate rows, so no writer waits for another.
                    id, time = 10 * seed.randrange(1, 8) + writer, f"2026-{seed.randrange(1, 13):02}"
                    if seed.random() < 0.3:
                        connection.execute("DELETE FROM mail WHERE id = %s", [id])
                    else:
                        insert = "INSERT INTO mail (id, received) VALUES (%s, %s)"
                        connection.execute(f"{insert} ON CONFLICT (id) DO UPDATE SET received = excluded.received", [id, time])
                    threading.Event().wait(seed.random() / 200)
                connection.execute(seed.choice(["COMMIT", "COMMIT", "ROLLBACK"]))

    writers = [threading.Thread(target=write_some, args=[writer]) for writer in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    is_listed(listing, under)


def test_no_change_is_missed_while_postgresql_is_killed_repeatedly(tmp_path: Path, list_of: List) -> None:
    server = PostgreSQL()
    server.start()
    under = UnderPostgreSQL(server)
    listing = shown(under, tmp_path, list_of)
    seed = random.Random(4)
    is_over = threading.Event()

    def go_on_writing() -> None:
        number = 0
        while not is_over.is_set():
            try:
                with server.connect() as connection:
                    while not is_over.is_set():
                        number += 1
                        write(lambda sql, values: connection.execute(sql.replace("?", "%s").encode(), values), seed, number)
            except psycopg.IntegrityError:
                pass
            except psycopg.Error:
                is_over.wait(0.01)

    writer = threading.Thread(target=go_on_writing)
    writer.start()
    try:
        for _ in range(KILLS):
            is_over.wait(seed.random() / 10)
            server.crash()
            server.start()
    finally:
        is_over.set()
        writer.join()
    with server.connect() as connection:
        under.connection = connection
        is_listed(listing, under)
        connection.execute("INSERT INTO mail (id, received) VALUES (1000000, '2030')")
        is_listed(listing, under)
    server.remove()


def test_a_cancelled_statement_is_interrupted_even_before_it_begins(tmp_path: Path) -> None:
    path, complaints = tmp_path / "mail.db", []
    sqlite3.connect(path).close()
    endless = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS count FROM n"

    async def cancel() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        database, gate = SQLite(path, threads=1), threading.Event()
        async with database.autocommit() as ask:
            await ask("SELECT 1 AS one")
            # The only thread is still busy.
            database._workers.submit(gate.wait)
            asking = asyncio.ensure_future(ask(endless))
            await asyncio.sleep(0)
            asking.cancel()
            await asyncio.sleep(0)
            gate.set()
            await asyncio.wait({asking}, timeout=20)
        assert asking.cancelled()
        # asyncio reports unretrieved failures when the task is collected.
        del asking
        gc.collect()
        assert complaints == []

    asyncio.run(cancel())
