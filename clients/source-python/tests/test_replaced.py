"""An SQLite file that is replaced while it is served."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import ask, line, run
from conftest import List
from databases import UnderSQLite, configure
from nagare_source.program import Program
from nagare_source.table import Table


def make(path: Path, *ids: int) -> UnderSQLite:
    under = UnderSQLite(path)
    for id in ids:
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"2026-01-{id:02}"])
    return under


def moved(path: Path) -> None:
    """Replaces the file by another one, which was created next to it."""
    make(path.with_name("new.db"), 5, 6).connection.close()
    path.with_name("new.db").replace(path)


def made_anew(path: Path) -> None:
    """Removes the file and creates it again."""
    path.unlink()
    make(path, 5, 6).connection.close()


def copied_before(path: Path) -> None:
    """Replaces the file by a copy from before some changes. The copy's own changes then have the same numbers."""
    path.with_name("copy.db").replace(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM mail WHERE id IN (1, 2)")
        connection.execute("INSERT INTO mail (id, received) VALUES (5, '2026-01-05'), (6, '2026-01-06')")
    connection.close()


@pytest.mark.parametrize("replace", [moved, made_anew, copied_before])
def test_a_list_reloads_after_its_file_was_replaced_and_stays_live(
    tmp_path: Path, list_of: List, replace: Callable[[Path], None]
) -> None:
    path = tmp_path / "mail.db"
    under = make(path, 1, 2)
    listing = list_of(configure(under, tmp_path))
    listing.tell("viewWillAppear")
    listing.until([2, 1])
    with sqlite3.connect(path.with_name("copy.db")) as copy:
        under.connection.backup(copy)
    copy.close()
    for id in (3, 4, 7, 8):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"2026-01-{id:02}"])
    listing.until([8, 7, 4, 3, 2, 1])
    under.run("PRAGMA wal_checkpoint(TRUNCATE)")
    under.connection.close()
    # The write-ahead log belongs to the replaced file.
    for name in ("mail.db-wal", "mail.db-shm"):
        path.with_name(name).unlink(missing_ok=True)
    replace(path)
    listing.until([6, 5])
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO mail (id, received) VALUES (9, '2026-01-09')")
        connection.execute("DELETE FROM mail WHERE id = 5")
    connection.close()
    listing.until([9, 6])
    listing.server.notify("remove", view="v", id=6)
    listing.until([9])
    assert "error" not in listing.last or listing.last["error"] is None


def test_a_replaced_file_may_get_its_table_later(tmp_path: Path, list_of: List) -> None:
    path = tmp_path / "mail.db"
    under = make(path, 1, 2)
    listing = list_of(configure(under, tmp_path))
    listing.tell("viewWillAppear")
    under.connection.close()
    for name in ("mail.db", "mail.db-wal", "mail.db-shm"):
        path.with_name(name).unlink(missing_ok=True)
    sqlite3.connect(path).execute("CREATE TABLE other (id)").connection.close()
    assert "no table 'mail'" in listing.said("error")["message"]
    make(path, 5, 6).connection.close()
    listing.until([6, 5])
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM mail WHERE id = 6")
    connection.close()
    listing.until([5])


def test_a_state_of_another_file_is_unknown(tmp_path: Path) -> None:
    """Even if the program was restarted in the meantime."""
    path = tmp_path / "mail.db"
    under = make(path, 1)

    def asked(method: str, **params: Any) -> Any:
        return run(ask(Program(Table(under.database(), "mail", write=True, triggers=True), 1), line(method, **params)))

    asked("source/page")
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        under.connection.backup(copy)
    copy.close()
    under.run("DELETE FROM mail")
    state = asked("source/page")["result"]["state"]
    assert asked("source/watch", since=state)["result"] == {"state": state}
    under.connection.close()
    for name in ("mail.db-wal", "mail.db-shm"):
        path.with_name(name).unlink(missing_ok=True)
    (tmp_path / "copy.db").replace(path)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO mail (id) VALUES (2)")
    connection.close()
    assert asked("source/watch", since=state)["error"]["code"] == -32014
