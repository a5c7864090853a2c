"""Servers and programs that are killed, and more that goes wrong: at rest the list is what SELECT finds.

PostgreSQL is killed twenty times, or as often as the environment's `NAGARE_KILLS` says.
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
    """A list of the table, with its first page."""
    listing = list_of(configure(under, folder, pageSize=20), patience=600)
    assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
    return listing


def is_listed(listing: Listing, under: Under) -> None:
    """At rest: the same rows, in the same order, with the same in them."""
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
    """Kills the program of the source, as soon as there is one."""
    server = listing.server.process.pid

    def is_killed() -> bool:
        for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
                return True
        return False

    until(is_killed)


def test_a_program_that_is_killed_again_and_again_misses_nothing(under: Under, listing: Listing) -> None:
    seed = random.Random(1)
    for kill in range(5):
        for number in range(20):
            write(under.run, seed, 20 * kill + number)
            if number == seed.randrange(20):
                kill_program(listing)
    is_listed(listing, under)


def test_what_was_trimmed_is_read_again(under: Under, listing: Listing) -> None:
    seed = random.Random(2)
    for number in range(60):
        under.run("BEGIN")
        write(under.run, seed, number)
        if number % 10 == 5:
            write(under.run, seed, number + 100)
            under.run("DELETE FROM nagare_mail WHERE seq < (SELECT max(seq) FROM nagare_mail)")
        under.run("COMMIT")
        if number % 20 == 0:
            # It asks for what has happened since a state that nobody knows any more.
            kill_program(listing)
    is_listed(listing, under)


def test_the_table_of_changes_is_bounded(under: Under, listing: Listing) -> None:
    under.run("INSERT INTO mail (id) SELECT 1")
    under.run("BEGIN")
    for _ in range(10_300):
        under.run("UPDATE mail SET read = read + 1")
    under.run("COMMIT")
    is_listed(listing, under)
    assert under.rows("SELECT count(*) FROM nagare_mail")[0][0] <= 10_100


def test_two_watch(under: Under, listing: Listing, tmp_path: Path, list_of: List) -> None:
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


def test_times_that_step_back(under: Under, listing: Listing) -> None:
    """What others write has the time of a clock that was set back; the order of changes has nothing to do with clocks."""
    for id, time in [(1, "2026-05-05"), (2, "2026-05-06"), (3, "2020-01-01"), (4, "2020-01-02"), (5, "2026-05-07")]:
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, time])
        is_listed(listing, under)
    assert listing.ids() == [5, 2, 1, 4, 3]


def test_a_transaction_that_is_committed_late_is_not_passed_over(
    postgres: PostgreSQL, tmp_path: Path, list_of: List
) -> None:
    """One that has begun to write before others, and ends after them, and another that stays."""
    under = UnderPostgreSQL(postgres)
    listing = shown(under, tmp_path, list_of)
    with postgres.connect() as late, postgres.connect() as later:
        late.execute("BEGIN; INSERT INTO mail (id, received) VALUES (1, '2026')")
        later.execute("BEGIN; INSERT INTO mail (id, received) VALUES (2, '2027')")
        under.run("INSERT INTO mail (id, received) VALUES (3, '2028')")
        late.execute("COMMIT")
        # The third is told when it is certain that nothing can come before it any more.
        listing.until([1])
        under.run("DELETE FROM mail WHERE id = 1")
        later.execute("ROLLBACK")
        listing.until([3])


def test_many_write_at_a_time(postgres: PostgreSQL, tmp_path: Path, list_of: List) -> None:
    """Transactions begin, are committed and are rolled back in any order."""
    under = UnderPostgreSQL(postgres)
    listing = shown(under, tmp_path, list_of)

    def write_some(writer: int) -> None:
        seed = random.Random(writer)
        with postgres.connect() as connection:
            for number in range(40):
                connection.execute("BEGIN")
                for _ in range(seed.randrange(1, 4)):
                    # Each has rows of its own, so none waits for another.
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


def test_postgresql_is_killed_under_writes(tmp_path: Path, list_of: List) -> None:
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


def test_a_statement_that_nobody_waits_for_is_interrupted_even_before_it_begins(tmp_path: Path) -> None:
    path, complaints = tmp_path / "mail.db", []
    sqlite3.connect(path).close()
    endless = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS count FROM n"

    async def cancel() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        database, gate = SQLite(path, threads=1), threading.Event()
        async with database.autocommit() as ask:
            await ask("SELECT 1 AS one")
            # The only thread has something else to do yet.
            database._workers.submit(gate.wait)
            asking = asyncio.ensure_future(ask(endless))
            await asyncio.sleep(0)
            asking.cancel()
            await asyncio.sleep(0)
            gate.set()
            await asyncio.wait({asking}, timeout=20)
        assert asking.cancelled()
        # What fails unseen is complained of when it is thrown away.
        del asking
        gc.collect()
        assert complaints == []

    asyncio.run(cancel())
