"""The tracker's data, as live tables of an SQLite database.

    tracker.py DATABASE

A database without issues gets some examples. `aoi`, `mei` and `ren` log in with their names as tokens.
"""

import hashlib
import sqlite3
import sys
from pathlib import Path

from nagare_source import Source, SourceError, SQLite, Table, run

FILE = sys.argv[1]
ISSUE, COMMENT = ["id", "title", "kind", "status", "author", "updated"], ["id", "author", "text", "written"]
# The database belongs to this program, so triggers may log its changes.
issues = Table(SQLite(FILE), "issues", order=["-updated"], columns=ISSUE, write=True, triggers=True)
comments = Table(SQLite(FILE), "comments", order=["id"], columns=COMMENT, write=True, triggers=True)
people = Source()


@issues.remove
def archive(id: int) -> None:
    """Archives an issue. It stays in the table, but no filter finds it."""
    execute("UPDATE issues SET status = 'archived' WHERE id = ?", id)


@people.item
def person(token: str) -> dict[str, str]:
    """Returns the person with a token. The table contains only a hash of the token."""
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
