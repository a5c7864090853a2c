"""The tracker's data: tables of an SQLite database, which live.

    tracker.py DATABASE

A database without issues gets some to try. `aoi`, `mei` and `ren` log in by their names.
"""

import hashlib
import sqlite3
import sys
from pathlib import Path

from nagare_source import Source, SourceError, SQLite, Table, run

FILE = sys.argv[1]
issues = Table(SQLite(FILE), "issues", order=["-updated"], columns=["id", "title", "kind", "status", "author", "updated"])
comments = Table(SQLite(FILE), "comments", order=["id"], columns=["id", "author", "text", "written"])
people = Source()


@issues.remove
def archive(id: int) -> None:
    """Archived issues stay in the table, where no filter finds them."""
    execute("UPDATE issues SET status = 'archived' WHERE id = ?", id)


@people.item
def person(token: str) -> dict[str, str]:
    """Who has a token, of which the table holds no more than a hash."""
    for (name,) in execute("SELECT name FROM people WHERE token = ?", hashlib.sha256(token.encode()).hexdigest()):
        return {"id": token, "name": name}
    raise SourceError(401, "Nobody has this token")


def execute(statement: str, *values: object) -> list[tuple[str, ...]]:
    with sqlite3.connect(FILE, timeout=5) as connection:
        return connection.execute(statement, values).fetchall()


with sqlite3.connect(FILE, timeout=5) as connection:
    connection.create_function("sha256", 1, lambda text: hashlib.sha256(text.encode()).hexdigest())
    connection.executescript(Path(__file__).with_suffix(".sql").read_text())

run({"issues": issues, "comments": comments, "people": people})
