"""The mails of an SQLite database, newest first: searched, filtered, sorted, inserted, removed.

    sqlite_mail.py DATABASE [TIME]

An empty database gets some example mails. With a time the list begins at the newest mail of that time or before;
`reachTop` loads newer ones.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

from nagare_source import KeysetPage, Page, Source, SourceError, run

DATABASE, START = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
INVALID = 1

mail = Source()
threads = threading.local()


def database() -> sqlite3.Connection:
    """Returns this thread's connection."""
    if not hasattr(threads, "connection"):
        connection = sqlite3.connect(DATABASE, timeout=5)
        connection.row_factory = sqlite3.Row
        threads.connection = connection
    connection = threads.connection
    assert isinstance(connection, sqlite3.Connection)
    return connection


@mail.page
def load(key: Any, query: str | None, size: int, filters: dict[str, Any]) -> Page:
    start = None if START is None else (START, sys.maxsize)
    columns = ["received", "sender", "subject"]
    page = KeysetPage(
        ["received", "id"], key, size, descending=True, start=start, filters=filters, filterable=columns, sortable=columns
    )
    found = database().execute(
        f"""
        SELECT id, received, sender, subject FROM mail
        WHERE {page.where} AND (subject LIKE ? ESCAPE '\\' OR sender LIKE ? ESCAPE '\\')
        ORDER BY {page.order} LIMIT {page.limit}
        """,
        [*page.values, *[like(query)] * 2],
    )
    return page.of(found)


def like(query: str | None) -> str:
    """Returns the pattern for texts that contain the query."""
    text = query or ""
    for special in "\\%_":
        text = text.replace(special, "\\" + special)
    return f"%{text}%"


@mail.item
def item(id: Any) -> sqlite3.Row | None:
    """Returns one full mail."""
    found = database().execute("SELECT * FROM mail WHERE id = ?", [id]).fetchone()
    assert found is None or isinstance(found, sqlite3.Row)
    return found


@mail.insert
def insert(item: dict[str, Any], before: Any) -> None:
    """Inserts a mail. Its time determines its position, so `before` is ignored."""
    try:
        with database() as transaction:
            transaction.execute(
                "INSERT INTO mail (id, received, sender, subject) VALUES (:id, :received, :sender, :subject)", item
            )
    except sqlite3.Error as error:
        raise SourceError(INVALID, f"this mail can't be inserted: {error}") from error


@mail.remove
def remove(id: int) -> None:
    with database() as transaction:
        transaction.execute("DELETE FROM mail WHERE id = ?", [id])


if not database().execute("SELECT 1 FROM sqlite_master WHERE name = 'mail'").fetchone():
    database().executescript(Path(__file__).with_suffix(".sql").read_text())

run(mail)
