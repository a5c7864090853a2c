"""SQLite, as a table's database."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from .database import KEPT, REFUSED, Ask, Column, Database, Kind, Nature, Row, literal, quoted
from .errors import TIMED_OUT, UNREACHABLE, SourceError
from .wire import HugeNumber, encode
from .workers import Workers

COUNTED = 1_000_000
"""How many rows are counted one by one at most, where nothing is looked for."""

PROBES = 1000
"""How many rows an estimate looks at."""

BYTES = re.compile(r"\\x([0-9a-f]{2})*")
"""How bytes are written, as in PostgreSQL. Only where a table has some are such texts taken for bytes."""

LONG = 100_000
"""Rows from which on a page that no index serves takes a while."""

ROW_IDS = "rowid", "_rowid_", "oid"
"""What a row's number is called, where no column is called so."""

TICK = 0.01
"""Seconds between two looks at whether another connection has committed."""

T = TypeVar("T")


class SQLite(Database):
    """A database in a file, which is there already.

    A table that is live has it write ahead (`journal_mode=WAL`), so that those who read keep nobody from writing.
    Rows that `REPLACE` takes away because of another column than the id are noted only if the writer has said
    `PRAGMA recursive_triggers = on`.
    """

    placeholder = "?"
    find = "instr"
    position = "seq"
    is_final = "1"
    patience = (TICK, None)

    def __init__(self, path: str | Path, *, timeout: float = 5, threads: int = 8) -> None:
        self._path, self._timeout = Path(path).absolute(), timeout
        self.name = f"--sqlite {path}"
        self._workers = Workers(threads)
        self._idle: list[sqlite3.Connection] = []
        self._file = 0
        self._holds_bytes = False

    @property
    def life(self) -> str:
        self._look()
        return f"{self._file:x}-"

    def quoted(self, table: str) -> str:
        return quoted(table)

    def column(self, name: str) -> str:
        # In double quotes, a name that no column has any more would be a text.
        return "`" + name.replace("`", "``") + "`"

    async def shape(self, table: str) -> str:
        async with self.asking() as ask:
            (now,) = await ask("SELECT schema_version AS number FROM pragma_schema_version")
        return f"{self.life}{now['number']}"

    def log(self, table: str) -> str:
        return f"nagare_{table}"

    async def columns(self, table: str) -> list[Column]:
        async with self.reading() as ask:
            found = await ask(
                'SELECT name, type, "notnull" AS filled, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1', [table]
            )
            made = await ask(
                "SELECT sql, type FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [table]
            )
        if not made:
            raise SourceError(REFUSED, f"there is no table {table!r} in {self._path}, {await self._tables()}")
        # Texts are compared by code points. It is said only where that may be otherwise: an index isn't searched then.
        suffix = " COLLATE BINARY" if "COLLATE" in made[0]["sql"].upper() else ""
        keys = [one["name"] for one in found if one["pk"]]
        is_view = made[0]["type"] == "view"
        if len(keys) != 1 and not re.search(r"WITHOUT\s+ROWID\b", made[0]["sql"].rpartition(")")[2], re.IGNORECASE):
            keys = ["id"] if is_view and any(one["name"] == "id" for one in found) else []
        columns = [
            Column(
                one["name"],
                _kind(one["type"]),
                nullable=not one["filled"] and one["name"] not in keys,
                is_key=one["name"] in keys,
                sortable=self.column(one["name"]) + suffix,
                is_truth=one["type"].upper().startswith("BOOL"),
            )
            for one in found
        ]
        self._holds_bytes |= any("BLOB" in one["type"].upper() for one in found)
        taken = {one["name"].lower() for one in found}
        if not keys and not is_view and (own := next((name for name in ROW_IDS if name not in taken), None)):
            columns.append(Column(own, "number", nullable=False, is_key=True, sortable=self.column(own)))
        return columns

    async def _tables(self) -> str:
        """The tables and views that there are."""
        async with self.reading() as ask:
            found = await ask(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
                " AND name NOT LIKE 'nagare~_%' ESCAPE '~' ORDER BY type, name"
            )
        return f"but {', '.join(repr(one['name']) for one in found)}" if found else "nor any other"

    async def nature(self, table: str) -> Nature:
        async with self.reading() as ask:
            (made,) = await ask("SELECT type, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [table])
            indexes = await ask(
                "SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i WHERE i.seqno = 0 AND l.partial = 0", [table]
            )
        is_view, is_virtual = made["type"] == "view", "CREATE VIRTUAL" in made["sql"].upper()
        is_closed = not all(os.access(place, os.W_OK) for place in (self._path, self._path.parent))
        still = "it is a view" if is_view else "it is a virtual table" if is_virtual else ""
        if is_closed:
            still = f"{self._path.name}, or the folder that it is in, may not be written"
        rows = 0
        with suppress(SourceError):  # A view has no row ids, nor have some tables.
            async with self.asking() as ask:
                (last,) = await ask(f"SELECT max(_rowid_) AS row FROM {quoted(table)}")
                rows = last["row"] or 0
        return Nature(still, not (is_view or is_closed), rows > LONG, frozenset(one["name"] for one in indexes if one["name"]))

    def triggers(self, table: str) -> Sequence[str]:
        return list(_triggers(table))

    def counted(self, table: str) -> str:
        names = ", ".join(map(literal, _triggers(table)))
        return f"SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name IN ({names})"

    def array(self, values: Sequence[str]) -> str:
        # What SQLite has no JSON for would keep others from writing.
        told = (f"CASE typeof({one}) WHEN 'blob' THEN '\\x' || lower(hex({one})) ELSE {one} END" for one in values)
        return f"json_array({', '.join(told)})"

    async def install(self, table: str, key: Sequence[str]) -> None:
        log = quoted(self.log(table))
        async with self.asking() as ask:
            await ask("PRAGMA journal_mode=WAL")
        async with self.writing() as ask:
            if not await ask("SELECT 1 AS one FROM sqlite_master WHERE name = ?", [self.log(table)]):
                await ask(f"CREATE TABLE {log} (seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, id)")
                # A state of another such table, before this one, isn't taken for one of this.
                await ask(f"INSERT INTO {log} (seq, op) VALUES (?, 'A')", [secrets.randbelow(1 << 48)])
            for name, (event, noted) in _triggers(table).items():
                await ask(f"DROP TRIGGER IF EXISTS {quoted(name)}")
                await ask(
                    f"CREATE TRIGGER {quoted(name)} AFTER {event} ON {quoted(table)} BEGIN"
                    f" INSERT INTO {log} (op, id) {noted.format(old=self.key(key, 'OLD.'), new=self.key(key, 'NEW.'))};"
                    f" DELETE FROM {log} WHERE seq <= (SELECT max(seq) FROM {log}) - {KEPT}; END"
                )
            await ask(f"INSERT INTO {log} (op) VALUES ('A')")

    async def uninstall(self, table: str) -> None:
        async with self.writing() as ask:
            for name in _triggers(table):
                await ask(f"DROP TRIGGER IF EXISTS {quoted(name)}")
            await ask(f"DROP TABLE IF EXISTS {quoted(self.log(table))}")

    async def listen(self, table: str, ring: Callable[[], object]) -> None:
        connection, version, life = None, None, ""
        while True:
            try:
                if life != self.life:
                    connection, version, life = None, None, self.life
                connection = connection or self._connect(timeout=0)
                now = connection.execute("PRAGMA data_version").fetchone()
                if now != version:
                    version = now
                    ring()
            except sqlite3.Error:
                pass  # It is locked, or not there: later.
            await asyncio.sleep(TICK)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[Ask]:
        async with self._connection() as connection:

            async def ask(statement: str, values: Sequence[Any] = ()) -> list[Row]:
                given = [_bytes(_written(one)) if self._holds_bytes else _written(one) for one in values]
                with self._failures():
                    rows = await self._run(lambda: connection.execute(statement, given).fetchall(), connection)
                return [{name: _read(row[name]) for name in row.keys()} for row in rows]

            yield ask

    @asynccontextmanager
    async def reading(self, begin: str = "BEGIN") -> AsyncIterator[Ask]:
        async with self.asking() as ask:
            await ask(begin)
            yield ask
            await ask("COMMIT")

    def writing(self) -> AbstractAsyncContextManager[Ask]:
        return self.reading("BEGIN IMMEDIATE")

    async def count(self, ask: Ask, table: str, where: str, values: Sequence[Any]) -> tuple[int, bool]:
        with suppress(SourceError):  # A view has no row ids, nor have some tables.
            (ends,) = await ask(f"SELECT (SELECT min(_rowid_) FROM {table}) AS first, (SELECT max(_rowid_) FROM {table}) AS last")
            span = (ends["last"] or 0) - (ends["first"] or 0) + 1
            # Each parameter stands for work that a row makes.
            if span * (1 + len(values)) > COUNTED:
                # Which of the rows at some numbers all over the table there are, and which of these are looked for.
                (found,) = await ask(
                    f"SELECT count(*) AS there, count(*) FILTER (WHERE {where}) AS wanted FROM {table} WHERE _rowid_ IN"
                    f" (WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {PROBES - 1})"
                    " SELECT ? + i * ? FROM n)",
                    [*values, ends["first"], span // PROBES],
                )
                # Where most numbers are free, these tell nothing.
                if found["there"] > PROBES // 10:
                    return found["wanted"] * span // PROBES, False
        return await super().count(ask, table, where, values)

    def ids(self, table: str, key: Sequence[str]) -> str:
        parts = [f"json_extract(value, '$[{place}]')" for place in range(len(key))] if len(key) > 1 else ["value"]
        values = [f"nagare_value({part})" if self._holds_bytes else part for part in parts]
        valid = " WHERE json_valid(value)" if len(key) > 1 else ""
        return f"SELECT {', '.join(values)} FROM json_each(?){valid}"

    async def insert(self, ask: Ask, table: str, values: Row) -> None:
        marks = ", ".join("?" * len(values))
        await ask(f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, values))}) VALUES ({marks})", list(values.values()))

    async def change(self, ask: Ask, table: str, values: Row, where: str, parameters: Sequence[Any]) -> None:
        assigned = ", ".join(f"{quoted(name)} = ?" for name in values)
        await ask(f"UPDATE {quoted(table)} SET {assigned} WHERE {where}", [*values.values(), *parameters])

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[sqlite3.Connection]:
        """A connection that nobody else uses meanwhile."""
        self._look()
        idle = self._idle
        with self._failures():
            connection = idle.pop() if idle else await self._run(self._connect)
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.rollback()
            idle.append(connection)

    def _look(self) -> None:
        """Forgets the connections to a file that another one has taken the place of. One that has only gone stays, so that
        none that comes is taken for it."""
        with suppress(OSError):
            file = self._path.stat().st_ino
            if file != self._file:
                self._file, self._idle = file, []

    def _connect(self, timeout: float | None = None) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw",
            uri=True,
            timeout=self._timeout if timeout is None else timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = on")
        connection.create_function("nagare_value", 1, _bytes, deterministic=True)
        return connection

    async def _run(self, function: Callable[[], T], connection: sqlite3.Connection | None = None) -> T:
        """Has a function run in a thread, which is over with it also if nobody waits for it any more."""
        work = asyncio.wrap_future(self._workers.submit(function))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():
                # Does nothing to a statement that hasn't begun.
                if connection is not None:
                    connection.interrupt()
                await asyncio.wait({work}, timeout=TICK)
            # Taken note of, or asyncio complains that nobody has.
            work.exception()
            raise

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            if "locked" in text or "busy" in text:
                raise SourceError(TIMED_OUT, f"{self._path} is in use for too long: {text}", retryable=True) from error
            if not self._path.is_file():
                text = "it is a folder" if self._path.is_dir() else "there is no file of this name"
                raise SourceError(UNREACHABLE, f"{self._path} can't be opened: {text}", retryable=True) from error
            if "unable to open" in text or "disk I/O" in text:
                raise SourceError(UNREACHABLE, f"{self._path} can't be opened: {text}", retryable=True) from error
            raise SourceError(REFUSED, f"{self._path.name}: {text}") from error
        except (sqlite3.Error, OverflowError) as error:
            raise SourceError(REFUSED, f"{self._path.name}: {error}") from error


def _triggers(table: str) -> dict[str, tuple[str, str]]:
    """What notes changes: at which event what."""
    both = "SELECT 'C', {old} WHERE {old} IS NOT {new} UNION ALL SELECT 'C', {new}"
    return {
        f"nagare_{table}_insert": ("INSERT", "VALUES ('I', {new})"),
        f"nagare_{table}_update": ("UPDATE", both),
        f"nagare_{table}_delete": ("DELETE", "VALUES ('C', {old})"),
    }


def _kind(declared: str) -> Kind:
    if re.search("DATE|TIME", declared, re.IGNORECASE):
        return "time"
    if not declared or re.search("CHAR|CLOB|TEXT", declared, re.IGNORECASE):
        return "text"
    return "bytes" if re.search("BLOB", declared, re.IGNORECASE) else "number"


def _read(value: Any) -> Any:
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


def _bytes(value: Any) -> Any:
    """Bytes where a text stands for some."""
    return bytes.fromhex(value[2:]) if isinstance(value, str) and BYTES.fullmatch(value) else value


def _written(value: Any) -> Any:
    if isinstance(value, (Decimal, HugeNumber)):
        return float(str(value) if isinstance(value, Decimal) else value.text)
    return encode(value).decode() if isinstance(value, (dict, list)) else value
