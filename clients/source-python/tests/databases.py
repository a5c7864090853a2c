"""The two databases under test, SQLite and PostgreSQL, and configurations for their tables."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from nagare_source.database import Database
from nagare_source.postgres import PostgreSQL as PostgreSQLDatabase
from nagare_source.sqlite import SQLite as SQLiteDatabase
from postgres import PostgreSQL

TABLE = """
CREATE TABLE mail (
  id INTEGER PRIMARY KEY,
  received TEXT,
  sender TEXT NOT NULL DEFAULT 'Aoi',
  subject TEXT NOT NULL DEFAULT 'new' CHECK (subject <> 'forbidden'),
  read INTEGER NOT NULL DEFAULT 0
)
"""
ORDER = "ORDER BY received IS NULL, received DESC, id DESC"


class Under(Protocol):
    """A database under test, with a connection for other writers."""

    arguments: list[str]
    make: str

    def run(self, statement: str, values: Sequence[Any] = ()) -> None: ...

    def raw(self, statement: str) -> None: ...

    def rows(self, statement: str) -> list[tuple[Any, ...]]: ...

    def database(self) -> Database: ...


class UnderSQLite:
    make = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.arguments = ["--sqlite", str(path)]
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=60)
        self.connection.execute("PRAGMA synchronous=off")
        self.run("DROP TABLE IF EXISTS mail")
        self.run("DROP TABLE IF EXISTS nagare_mail")
        self.run(TABLE)

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        self.connection.execute(statement, values)

    def raw(self, statement: str) -> None:
        self.connection.execute(statement)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement).fetchall()

    def database(self) -> Database:
        return SQLiteDatabase(self.path)


class UnderPostgreSQL:
    make = "postgres"

    def __init__(self, server: PostgreSQL) -> None:
        self.server = server
        self.arguments = ["--postgres", server.connection]
        self.connection = server.connect()
        self.run("DROP TABLE IF EXISTS mail, other, nagare_mail CASCADE")
        self.run("DROP FUNCTION IF EXISTS nagare_mail() CASCADE")
        self.run(TABLE)

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        self.connection.execute(statement.replace("?", "%s").encode(), values or None)

    def raw(self, statement: str) -> None:
        self.connection.execute(statement.encode())

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement.encode()).fetchall()

    def database(self) -> Database:
        return PostgreSQLDatabase(self.server.connection)


def configure(
    under: Under, folder: Path, *options: str, table: str = "mail", write: bool = True, triggers: bool = True, **screen: Any
) -> Path:
    """Creates the configuration of a table, by default that of mails. `screen` overrides members of its screen."""
    switches = [*(["--write"] if write else []), *(["--triggers"] if triggers and "--still" not in options else [])]
    made = subprocess.run(
        [sys.executable, "-m", "nagare_source", *under.arguments, "--table", table, *options, *switches, "--configuration"],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    configuration = json.loads(made.stdout)
    first = next(iter(configuration["screens"].values()))
    # Without undo, there can't be an action that is undone.
    first["display"]["actions"] = []
    first.update({"livePace": 0, "arrivals": "show", "debounce": 0, "undo": 0, **screen})
    path = folder / "nagare.json"
    path.write_text(json.dumps(configuration))
    return path
