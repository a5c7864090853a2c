"""SQLite databases."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from decimal import Decimal
from itertools import count
from math import isinf
from time import monotonic, sleep
from typing import Any, TypeVar

from .database import COUNT_LIMIT, EVERY, LARGE, LOG_SIZE, PARAMETER, REFUSED, Capabilities, Column, Database, Execute, Kind, NameTaken, OnSteps, Row, Rows, StatementRefused, Written, literal, quoted
from .errors import TIMED_OUT, UNREACHABLE, SourceError, warn
from .exact_numbers import HugeNumber
from .lazy import asyncio
from .watcher import Watcher
from .wire import InvalidText, decode, encode, to_json

SAMPLES = 1000
"""The number of rows in the sample for an estimate."""

BYTES = re.compile(r"\\x(?:[0-9a-f]{2})*")
"""The form in which lists show bytes, the same as in PostgreSQL."""

ESCAPED = re.compile(r"(\\+)(x(?:[0-9a-f]{2})*|t(?:[0-9a-f]{2})+|-?Infinity)")
"""The form of ids for values that JSON doesn't have: bytes, text that isn't UTF-8, infinite numbers. A text that
already looks like this gets one more backslash."""

ROW_IDS = "rowid", "_rowid_", "oid"
"""The names of the row number. A column with the same name hides it."""

LONGEST_KEY = 16 * 1024
"""The size limit of a key's value in bytes. Rows with larger values aren't listed."""

FIRST_RETRY, LONGEST_RETRY = 0.001, 0.1
"""Seconds between two attempts while the database is locked, at first and at most."""

STEPS = 500_000
"""The number of steps of SQLite's virtual machine between two reports. That takes from 5 ms (an index skips rows) to
about 0.5 s (rows are sorted)."""

INTERRUPT_AGAIN = 0.01
"""Seconds between two attempts to interrupt a statement that isn't needed any more."""

UNIQUE = f"""
SELECT l.seq AS number, i.name FROM pragma_index_list({PARAMETER}) AS l, pragma_index_info(l.name) AS i WHERE l."unique" AND NOT l.partial ORDER BY 1, i.seqno
"""
"""The query for the columns of unique indexes. The name of an expression is NULL."""

LOG_COLUMNS = "seq INTEGER PRIMARY KEY, op TEXT NOT NULL, "
"""The first columns of a log. A log is never empty and drops only its oldest entries, so numbers aren't used twice even
without AUTOINCREMENT, which would leave the table `sqlite_sequence` behind."""

OLDEST_LOG_COLUMNS = "seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, "
"""The first columns of a log of an older version of this package."""

OWNER_COMMENTS = (
    "/* Made by nagare-source-sql, which notes here which rows change, and forgets old notes. To drop it: --remove-triggers */",
    "/* Made by nagare-source-sql, which notes here what rows change, and forgets old notes. To drop it: --uninstall */",
)
"""The comments in a log's SQL, the newest one first. They distinguish the log from a user's table of the same name."""

SHADOWS = "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat", "node", "parent", "rowid"
"""The suffixes of the tables in which virtual tables keep their rows, for versions of SQLite that don't list them."""

T = TypeVar("T")


class SQLite(Database):
    """A database in an existing file.

    - Rows are read by connections that can't write (`mode=ro`, `PRAGMA query_only`). Only edits and triggers use
      connections that can.
    - `threads` is the number of threads for statements. With 0, statements run in the calling thread, and no event loop is
      needed: a coroutine never waits then.
    - The journal mode is never changed.
    - If `REPLACE` removes rows because of a column other than the id, triggers log these removals only with `PRAGMA
      recursive_triggers = on`.
    """

    placeholder = PARAMETER
    begin_reading = "BEGIN"
    begin_writing = "BEGIN IMMEDIATE"
    column_limit = 2000
    find_function = "instr"
    position_column = "seq"
    final_condition = "1"
    poll_intervals = (None, None)
    skip_steps = 2

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 5, threads: int = 8) -> None:
        self._path, self._timeout = os.path.join(os.getcwd(), path), timeout
        self._file_name = os.path.basename(self._path)
        self.name = f"--sqlite {path}"
        self.is_direct = threads == 0
        if threads:
            from .workers import Workers

            self._workers = Workers(threads)
        self._idle: list[sqlite3.Connection] = []
        self._idle_writers: list[sqlite3.Connection] = []
        self._connections = count()
        self._is_immutable = False
        self._file = ""
        self._row_ids: dict[str, str] = {}
        self._views: set[str] = set()

    @property
    def generation(self) -> str:
        self._check_file()
        return f"{self._file}-"

    def quoted(self, table: str) -> str:
        return quoted(table)

    def column(self, name: str) -> str:
        # Backquotes, because SQLite treats the name of a missing column in double quotes as a text.
        return "`" + name.replace("`", "``") + "`"

    async def fingerprint(self, table: str) -> str:
        async with self.autocommit() as execute:
            (now,) = await execute("SELECT schema_version AS number FROM pragma_schema_version")
        return f"{self.generation}{now['number']}"

    def log_table(self, table: str) -> str:
        return f"nagare_{table}"

    async def columns(self, table: str) -> list[Column]:
        async with self.read_transaction() as execute:
            found = await execute(
                f'SELECT name, type, "notnull" AS filled, pk, hidden FROM pragma_table_xinfo({PARAMETER}) WHERE hidden <> 1', [table]
            )
            made = await execute(
                f"SELECT sql, type FROM sqlite_master WHERE type IN ('table', 'view') AND name = {PARAMETER} COLLATE NOCASE", [table]
            )
            (of,) = await execute(
                "SELECT count(*) AS indexes, (SELECT encoding FROM pragma_encoding) AS encoding, (SELECT schema_version FROM pragma_schema_version) AS version"
                f" FROM pragma_index_list({PARAMETER}) WHERE origin = 'pk'",
                [table],
            )
            unique = await execute(UNIQUE, [table])
        if not made:
            raise SourceError(REFUSED, f"there is no table {table!r} in {self._path}, {await self.other_tables()}")
        # Compares texts by code points. COLLATE is added only if necessary, because it prevents the use of an index.
        suffix = " COLLATE BINARY" if "COLLATE" in made[0]["sql"].upper() else ""
        keys = [one["name"] for one in found if one["pk"]]
        is_view = made[0]["type"] == "view"
        self._views = self._views | {table} if is_view else self._views - {table}
        has_rows = not is_view and not re.search(r"WITHOUT\s+ROWID\b", made[0]["sql"].rpartition(")")[2], re.IGNORECASE)
        if len(keys) != 1 and (is_view or has_rows):
            keys = ["id"] if is_view and any(one["name"] == "id" for one in found) else _unique_key(found, unique)
        # A key without an index is the row number itself. Other keys may contain any value, including NULL.
        number = next((one["name"] for one in found if one["pk"] and keys == [one["name"]]), None) if has_rows and not of["indexes"] else None
        columns = []
        for one in found:
            name, kind = one["name"], _kind(one["type"])
            # The table's name is necessary, because ORDER BY prefers an alias and ignores case.
            column = f"{quoted(table)}.{self.column(name)}"
            is_number = name == number
            others = f"{column} < x''" if kind == "bytes" else f"{column} >= x'' OR {column} IN (9e999, -9e999)"
            columns.append(
                Column(
                    name,
                    kind,
                    nullable=not (one["filled"] or is_number),
                    is_key=name in keys,
                    sortable=column + suffix,
                    is_boolean=one["type"].upper().startswith("BOOL"),
                    is_generated=one["hidden"] > 1,
                    identifies="" if is_number else f"length(CAST({column} AS BLOB)) <= {LONGEST_KEY}",
                    # A UTF-16 database compares texts by their bytes.
                    misplaced="" if is_number else others if of["encoding"] == "UTF-8" else EVERY,
                )
            )
        taken = {one["name"].lower() for one in found}
        own = next((name for name in ROW_IDS if name not in taken), None) if has_rows else None
        self._row_ids.pop(quoted(table), None)
        if own is not None:
            self._row_ids[quoted(table)] = own
            columns.append(
                Column(
                    own,
                    "number",
                    nullable=False,
                    is_key=not keys,
                    sortable=f"{quoted(table)}.{self.column(own)}",
                    is_implicit=True,
                    # VACUUM may renumber the rows. It changes the schema's version, and so does each change of the
                    # schema.
                    numbering="" if number else f"@{of['version']}",
                    is_current="" if number else f"(SELECT schema_version FROM pragma_schema_version) = {of['version']}",
                )
            )
        return columns

    async def capabilities(self, table: str) -> Capabilities:
        async with self.read_transaction() as execute:
            (made,) = await execute(
                f"SELECT type, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name = {PARAMETER} COLLATE NOCASE", [table]
            )
            indexes = await execute(
                f"SELECT i.name FROM pragma_index_list({PARAMETER}) AS l, pragma_index_info(l.name) AS i WHERE i.seqno = 0 AND l.partial = 0",
                [table],
            )
            taken = await self._name_taken(execute, table)
        is_view, is_virtual = made["type"] == "view", "CREATE VIRTUAL" in made["sql"].upper()
        is_closed = not all(os.access(place, os.W_OK) for place in (self._path, os.path.dirname(self._path)))
        why_no_triggers = "it is a view" if is_view else "it is a virtual table" if is_virtual else ""
        if is_closed:
            why_no_triggers = f"{self._file_name}, or the folder that it is in, may not be written"
        elif taken and not why_no_triggers:
            why_no_triggers = taken.message
        async with self.autocommit() as execute:
            rows = (await self._row_number_range(execute, quoted(table)))[1]
        is_writable = not (is_view or is_closed)
        return Capabilities(why_no_triggers, is_writable, rows > LARGE, frozenset(one["name"] for one in indexes if one["name"]))

    def triggers(self, table: str) -> Sequence[str]:
        return list(_triggers(table))

    def trigger_count_sql(self, table: str) -> str:
        names = ", ".join(map(literal, _triggers(table)))
        return f"SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name COLLATE NOCASE IN ({names})"

    def log_fits_sql(self, table: str, key: Sequence[Column]) -> str:
        new, old = (", ".join(f"{of}.{column.name}" for column in key) for of in ("NEW", "OLD"))
        logged = [(name, what.rpartition("SELECT")[2] or what) for name, (_, what) in _triggers(table).items()]
        # Quotes in the triggers' SQL depend on the version that created them, and on ALTER TABLE.
        fits = (
            f"(name COLLATE NOCASE = {literal(name)} AND instr({_without_quotes('sql')},"
            f" {_without_quotes(literal(what.format(old=old, new=new)))}) > 0)"
            for name, what in logged
        )
        return f"(SELECT count(*) = {len(logged)} FROM sqlite_master WHERE type = 'trigger' AND ({' OR '.join(fits)}))"

    def id_selection(self, key: Sequence[Column], name: str) -> list[str]:
        return []

    def id_of(self, row: Row, key: Sequence[str], name: str) -> Any:
        return self.logged_id([row[column] for column in key])

    def log_columns(self, key: Sequence[str]) -> Sequence[str]:
        return ["id", *(f"id{number}" for number in range(2, len(key) + 1))]

    def logged_id(self, values: Sequence[Any]) -> Any:
        if any(value is None or (isinstance(value, (str, bytes)) and len(value) > LONGEST_KEY) for value in values):
            return None
        ids = [_to_id(value) for value in values]
        return ids[0] if len(ids) == 1 else encode(ids).decode()

    def ids_parameter(self, ids: Sequence[Any], count: int) -> Any:
        keys = [_key_values(id, count) for id in ids]
        encoded = [[_encode_value(value) for value in values] for values in keys if values is not None]
        return encoded if count > 1 else [one for values in encoded for one in values]

    def key_value(self, id: Any, column: Column) -> Any:
        return _from_id(id)

    def ids_query(self, table: str, key: Sequence[Column]) -> str:
        parts = [f"json_extract(value, '$[{place}]')" for place in range(len(key))] if len(key) > 1 else ["value"]
        # An SQL function can't return text that isn't UTF-8, so the function returns bytes and SQL casts them.
        values = [f"CASE substr({one}, 1, 1) WHEN 'g' THEN CAST(nagare_value({one}) AS TEXT) ELSE nagare_value({one}) END" for one in parts]
        return f"SELECT {', '.join(values)} FROM json_each({PARAMETER})"

    def equivalents(self, value: Any, column: Column) -> Sequence[Any]:
        if isinstance(value, str) and BYTES.fullmatch(value):
            return [value, bytes.fromhex(value[2:])]
        return [value, float(value)] if value in ("Infinity", "-Infinity") else [value]

    def is_misplaced(self, value: Any, column: Column) -> bool:
        if column.misplaced == EVERY or isinstance(value, InvalidText):
            return True
        is_bytes = isinstance(value, bytes)
        return (value is not None and not is_bytes) if column.kind == "bytes" else is_bytes or (isinstance(value, float) and isinf(value))

    def stored_value(self, value: Any, column: Column, before: Any = None) -> Any:
        is_bytes = isinstance(before, bytes) or (column.kind == "bytes" and not isinstance(before, str))
        return bytes.fromhex(value[2:]) if is_bytes and isinstance(value, str) and BYTES.fullmatch(value) else value

    def array(self, values: Sequence[str]) -> str:
        raise NotImplementedError("ids of several values are made here, not by SQL")

    async def install(self, table: str, key: Sequence[Column]) -> None:
        name, names = self.log_table(table), [self.column(column.name) for column in key]
        columns = self.log_columns(names)
        log, id_columns = quoted(name), ", ".join(columns)
        new, old = (", ".join(f"{of}.{one}" for one in names) for of in ("NEW", "OLD"))
        # Ids that differ only in case are different ids.
        differs = " OR ".join(f"OLD.{one} COLLATE BINARY IS NOT NEW.{one}" for one in names)
        async with self.write_transaction() as execute:
            if taken := await self._name_taken(execute, table):
                raise taken
            if await execute(f"SELECT 1 AS one FROM sqlite_master WHERE name = {PARAMETER} COLLATE NOCASE", [name]):
                found = await execute(f"SELECT name FROM pragma_table_info({PARAMETER}) ORDER BY cid", [name])
                if [one["name"] for one in found] != ["seq", "op", *columns]:
                    await execute(f"DROP TABLE {log}")
            if not await execute(f"SELECT 1 AS one FROM sqlite_master WHERE name = {PARAMETER} COLLATE NOCASE", [name]):
                await execute(f"CREATE TABLE {log} ({LOG_COLUMNS}{id_columns} {OWNER_COMMENTS[0]})")
                # Starts at a random position, so that states of an earlier log are unknown.
                await execute(f"INSERT INTO {log} (seq, op) VALUES ({PARAMETER}, 'A')", [int.from_bytes(os.urandom(6), "big")])
            for trigger, (event, what) in _triggers(table).items():
                await execute(f"DROP TRIGGER IF EXISTS {quoted(trigger)}")
                await execute(
                    f"CREATE TRIGGER {quoted(trigger)} AFTER {event} ON {quoted(table)} BEGIN"
                    f" INSERT INTO {log} (op, {id_columns}) {what.format(old=old, new=new, differs=differs)};"
                    f" DELETE FROM {log} WHERE seq <= (SELECT max(seq) FROM {log}) - {LOG_SIZE}; END"
                )
            await execute(f"INSERT INTO {log} (op) VALUES ('A')")

    async def remove_triggers(self, table: str | None) -> list[str]:
        async with self.autocommit() as execute:
            log = None if table is None else self.log_table(table)
            if not await self._own_objects(execute, log):
                return []  # Nothing is written.
        removed = []
        async with self.write_transaction() as execute:
            # The triggers come first, because those without a log refuse all writes.
            for kind, name, sql in await self._own_objects(execute, log):
                await execute(f"DROP {kind} {quoted(name)}")
                removed.append(f"{kind} {name}")
                if kind == "table" and "AUTOINCREMENT" in sql:
                    removed.append("")
            if "" in removed:
                removed = [one for one in removed if one]
                (left,) = await execute("SELECT (SELECT count(*) FROM sqlite_sequence) AS used, (SELECT journal_mode FROM pragma_journal_mode) AS mode")
                kept = [] if left["used"] else ["the empty table sqlite_sequence, which SQLite doesn't drop"]
                kept += ["the journal mode WAL; to end it: PRAGMA journal_mode = DELETE"] if left["mode"] == "wal" else []
                if kept:
                    warn(f"an older version of this program has created this, and leaves in {self._file_name}: {', and '.join(kept)}")
        return removed

    async def _own_objects(self, execute: Execute, log: str | None) -> list[tuple[str, str, str]]:
        """Returns the type, name and SQL of this package's triggers and logs: of one log, or of all if `log` is None."""
        found = await execute(
            "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_master WHERE type IN ('trigger', 'table')"
            " AND name LIKE 'nagare~_%' ESCAPE '~' ORDER BY type DESC, name"
        )
        return [
            (one["type"], one["name"], one["sql"])
            for one in found
            if (log is None or log.lower() == (one["name"] if one["type"] == "table" else one["name"].rpartition("_")[0]).lower())
            and await self._is_own(execute, one)
        ]

    async def _name_taken(self, execute: Execute, table: str) -> NameTaken | None:
        """Returns an error if a name for the log or its triggers belongs to another object."""
        names = [self.log_table(table), *_triggers(table)]
        for one in await execute(
            f"SELECT name, type, sql FROM sqlite_master WHERE name COLLATE NOCASE IN ({', '.join([PARAMETER] * len(names))})", names
        ):
            if not await self._is_own(execute, one):
                return NameTaken(one["name"], table, one["type"])
        return None

    async def _is_own(self, execute: Execute, object: Row) -> bool:
        """Whether this package made a trigger or a log."""
        sql, name = object["sql"] or "", object["name"]
        if object["type"] == "trigger":
            return f"INSERT INTO {quoted(name.rpartition('_')[0])} (op, id".lower() in sql.lower()
        if object["type"] == "table" and sql.endswith(f"({OLDEST_LOG_COLUMNS}id)"):
            # The log may come from an older version of this package, without the comment.
            return not await execute(f"SELECT 1 AS one FROM {quoted(name)} WHERE op NOT IN ('A', 'I', 'C') LIMIT 1")
        return object["type"] == "table" and sql.endswith(tuple(f" {comment})" for comment in OWNER_COMMENTS))

    async def snapshot(self, execute: Execute) -> str:
        (now,) = await execute("SELECT nagare_connection() AS connection, data_version AS version FROM pragma_data_version")
        return f"{self._file} {now['connection']} {now['version']}"

    async def tables(self) -> list[str]:
        kinds = "SELECT name, type FROM pragma_table_list WHERE schema = 'main'"
        if sqlite3.sqlite_version_info < (3, 37):
            shadows = ", ".join(literal(f"_{one}") for one in SHADOWS)
            kinds = (
                "SELECT name, CASE WHEN EXISTS (SELECT 1 FROM sqlite_master AS v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND m.name LIKE v.name || '~_%' ESCAPE '~'"
                f" AND substr(m.name, length(v.name) + 1) IN ({shadows})) THEN 'shadow' ELSE type END AS type FROM sqlite_master AS m WHERE type IN ('table', 'view')"
            )
        hidden = "name LIKE 'sqlite~_%' ESCAPE '~' OR name LIKE 'nagare~_%' ESCAPE '~'"
        async with self.read_transaction() as execute:
            found = await execute(f"SELECT name FROM ({kinds}) WHERE type <> 'shadow' AND NOT ({hidden}) ORDER BY type = 'view', name")
        return [one["name"] for one in found]

    async def watch_commits(self, table: str, notify: Callable[[], object]) -> None:
        await self.listen(table, notify)

    async def listen(self, table: str, notify: Callable[[], object]) -> None:
        connection, version, generation = None, None, ""
        real = os.path.realpath(self._path)
        beside = [f"{real}-{end}" for end in ("wal", "journal")]
        with Watcher([real, *beside, self._path]) as files:
            while True:
                try:
                    if generation != self.generation:
                        connection, version, generation = None, None, self.generation
                    connection = connection or self._connect()
                    now = connection.execute("PRAGMA data_version").fetchone()
                    if now != version:
                        version = now
                        notify()
                except sqlite3.Error:
                    pass  # The file is locked or missing, so try again later.
                await files.wait()

    @asynccontextmanager
    async def autocommit(self, on_steps: OnSteps | None = None, *, writes: bool = False) -> AsyncIterator[Execute]:
        async with self._connection(writes) as connection, _counted_steps(connection, on_steps):

            async def execute(statement: str, values: Sequence[Any] = (), max_size: int | None = None) -> Rows:
                parts = statement.split(PARAMETER)
                # There is no other way to bind text that isn't UTF-8. The result has no affinity, like a parameter.
                parameters = ["(CAST(? AS TEXT) || '')" if isinstance(value, InvalidText) else "?" for value in values]
                sql = "".join(part + parameter for part, parameter in zip(parts, [*parameters, ""], strict=True))
                with self._translated_errors():
                    given = list(map(_to_parameter, values))
                    return await self._retry_while_locked(lambda: _rows(connection.execute(sql, given), max_size), connection)

            yield execute

    def is_quickly_counted(self, table: str) -> bool:
        return quoted(table) in self._row_ids

    async def count(self, execute: Execute, table: str, where: str, values: Sequence[Any], limit: int = COUNT_LIMIT) -> tuple[int, bool]:
        first, last = await self._row_number_range(execute, table)
        span = last - first + 1
        # Each parameter adds work for each row.
        if span * (1 + len(values)) > limit:
            # Samples row numbers: how many exist, and how many of these rows match.
            (found,) = await execute(
                f"SELECT count(*) AS there, count(*) FILTER (WHERE {where}) AS wanted FROM {table} WHERE {self._row_ids[table]} IN"
                f" (WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {SAMPLES - 1})"
                f" SELECT {PARAMETER} + i * {PARAMETER} FROM n)",
                [*values, first, span // SAMPLES],
            )
            # If most row numbers are unused, the sample is too small.
            if found["there"] > SAMPLES // 10:
                return found["wanted"] * span // SAMPLES, False
        return await super().count(execute, table, where, values)

    async def _row_number_range(self, execute: Execute, table: str) -> tuple[int, int]:
        """Returns the first and the last row number of a table, or 0 and -1 if its rows have no numbers."""
        name = self._row_ids.get(table)
        if name is not None:
            with suppress(SourceError):  # Some virtual tables have no row numbers.
                (ends,) = await execute(f"SELECT (SELECT min({name}) FROM {table}) AS first, (SELECT max({name}) FROM {table}) AS last")
                return ends["first"] or 0, ends["last"] or 0
        return 0, -1

    def returning(self, key: Sequence[Column]) -> str:
        return ", ".join(f"{name} AS {name}" for name in (self.column(column.name) for column in key))

    def returned_id(self, row: Row, key: Sequence[Column]) -> Any:
        return self.logged_id([row[column.name] for column in key])

    async def insert(self, execute: Execute, table: str, values: Row, key: Sequence[Column]) -> Written:
        names = f"({', '.join(map(quoted, values))}) VALUES ({', '.join([PARAMETER] * len(values))})" if values else "DEFAULT VALUES"
        sql, number = f"INSERT INTO {quoted(table)} {names}", self._row_ids.get(quoted(table))
        if number is None:
            return await self._written(execute, table, sql, list(values.values()), key)
        # RETURNING lacks the row number of a virtual table, and it shows a key as it was before the table's triggers.
        written = await self._written(execute, table, sql, list(values.values()))
        rows = Rows()
        if written.rows:
            with suppress(SourceError):
                rows = await execute(f"SELECT {self.returning(key)} FROM {quoted(table)} WHERE {number} = last_insert_rowid()")
        return self.returned(written.rows, rows, key)

    async def change(
        self, execute: Execute, table: str, values: Row, where: str, parameters: Sequence[Any], key: Sequence[Column] = ()
    ) -> Written:
        assigned = ", ".join(f"{quoted(name)} = {PARAMETER}" for name in values)
        sql = f"UPDATE {quoted(table)} SET {assigned} WHERE {where}"
        return await self._written(execute, table, sql, [*values.values(), *parameters], key)

    async def remove(self, execute: Execute, table: str, where: str, parameters: Sequence[Any]) -> Written:
        return await self._written(execute, table, f"DELETE FROM {quoted(table)} WHERE {where}", parameters)

    async def _written(self, execute: Execute, table: str, sql: str, values: Sequence[Any], key: Sequence[Column] = ()) -> Written:
        written = await self.write(execute, sql, values, key)
        # A view's triggers write other rows, which aren't counted and may have other keys than the statement's.
        return written._replace(rows=-1, has_id=True) if table in self._views else written

    @asynccontextmanager
    async def _connection(self, writes: bool) -> AsyncIterator[sqlite3.Connection]:
        """Lends a connection for exclusive use."""
        self._check_file()
        idle = self._idle_writers if writes else self._idle
        with self._translated_errors():
            connection = idle.pop() if idle else await self._retry_while_locked(lambda: self._connect(writes))
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.rollback()
            idle.append(connection)

    def _check_file(self) -> None:
        """Closes the connections if the file was replaced. While the file is missing, its number is kept, so that a new
        file is recognized."""
        with suppress(OSError):
            found = os.stat(self._path)
            file = f"{found.st_ino:x}"
            if self._is_immutable:
                # Such connections see no changes.
                file += f".{found.st_mtime_ns:x}.{self._has_log()}"
            if file != self._file:
                self._file, self._idle, self._idle_writers = file, [], []

    def _has_log(self) -> bool:
        """Whether a write-ahead log is next to the file. While a program has the file open in that mode, there is one."""
        return any(os.path.exists(f"{os.path.realpath(self._path)}-{end}") for end in ("wal", "journal"))

    def _connect(self, writes: bool = False) -> sqlite3.Connection:
        try:
            connection = self._opened("mode=rw" if writes else "mode=ro")
        except sqlite3.OperationalError as error:
            # In a folder that can't be written, SQLite can't make the files that it needs for a file in WAL mode.
            # They aren't needed while no other program has the file open.
            cannot_open = "unable to open" in str(error) or "readonly database" in str(error)
            if writes or not cannot_open or not os.path.isfile(self._path) or self._has_log():
                raise
            connection = self._opened("mode=ro&immutable=1")
            self._is_immutable = True
        else:
            self._is_immutable = self._is_immutable and writes
        return connection

    def _opened(self, how: str) -> sqlite3.Connection:
        path = self._path.translate({ord(sign): f"%{ord(sign):x}" for sign in "%?#"})
        connection = sqlite3.connect(
            f"file:{path}?{how}", uri=True, timeout=0, isolation_level=None, check_same_thread=False
        )
        number = next(self._connections)
        connection.text_factory = _decode_text
        connection.execute("PRAGMA foreign_keys = on" if how == "mode=rw" else "PRAGMA query_only = on")
        connection.create_function("nagare_value", 1, _decode_value, deterministic=True)
        connection.create_function("nagare_connection", 0, lambda: number)
        # Opens the file, so that errors appear here.
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        return connection

    async def _retry_while_locked(self, function: Callable[[], T], connection: sqlite3.Connection | None = None) -> T:
        """Runs a function in a thread, and repeats it while the database is locked.

        It uses no thread between two attempts, so the program can end in the meantime.
        """
        end, pause = monotonic() + self._timeout, FIRST_RETRY
        while True:
            try:
                return await self._run(function, connection)
            except sqlite3.OperationalError as error:
                if not _is_locked(error) or monotonic() > end:
                    raise
            if self.is_direct:
                sleep(pause)
            else:
                await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_RETRY)

    async def _run(self, function: Callable[[], T], connection: sqlite3.Connection | None = None) -> T:
        """Runs a function in a thread. If cancelled, it still waits for the function's end."""
        if self.is_direct:
            return function()
        work = asyncio.wrap_future(self._workers.submit(function))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():
                # Interrupts repeatedly, because an interrupt has no effect before the statement has begun.
                if connection is not None:
                    connection.interrupt()
                # A second cancellation doesn't change anything: the connection is in use until then.
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({work}, timeout=INTERRUPT_AGAIN)
            # Retrieves the exception. Otherwise asyncio would report it.
            work.exception()
            raise

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            if _is_locked(error):
                raise SourceError(TIMED_OUT, f"{self._path} is in use for too long: {text}", retryable=True) from error
            if "readonly database" in text and self._has_log():
                text = "a program that wrote it was interrupted. Open it once with sqlite3, which undoes the interrupted changes"
                raise SourceError(REFUSED, f"{self._path} can't be read: {text}") from error
            if not os.path.isfile(self._path):
                text = "it is a folder" if os.path.isdir(self._path) else "there is no file of this name"
                raise SourceError(UNREACHABLE, f"{self._path} can't be opened: {text}", retryable=True) from error
            if "unable to open" in text or "disk I/O" in text:
                raise SourceError(UNREACHABLE, f"{self._path} can't be opened: {text}", retryable=True) from error
            raise SourceError(REFUSED, f"{self._file_name}: {text}") from error
        except UnicodeEncodeError as error:
            raise SourceError(REFUSED, f"{self._file_name}: a text has half of a surrogate pair, which UTF-8 doesn't have") from error
        except (sqlite3.Error, OverflowError) as error:
            text = str(error)
            if text == "file is not a database":
                raise SourceError(REFUSED, f"{self._path} can't be opened: it isn't an SQLite database, or it is encrypted") from error
            is_unfit = isinstance(error, OverflowError) or text == "datatype mismatch" or text.startswith("cannot store ")
            missing = text.partition(".")[2] if text.startswith("NOT NULL constraint failed: ") else ""
            raise StatementRefused(f"{self._file_name}: {text}", is_unfit=is_unfit, missing=missing) from error


def _triggers(table: str) -> dict[str, tuple[str, str]]:
    """Returns the triggers by name: the event, and the SQL for the values to log."""
    both = "SELECT 'C', {old} WHERE {differs} UNION ALL SELECT 'C', {new}"
    return {
        f"nagare_{table}_insert": ("INSERT", "VALUES ('I', {new})"),
        f"nagare_{table}_update": ("UPDATE", both),
        f"nagare_{table}_delete": ("DELETE", "VALUES ('C', {old})"),
    }


def _unique_key(columns: Sequence[Row], indexes: Sequence[Row]) -> list[str]:
    """Returns the columns of the smallest unique index whose columns can't be NULL. Returns no columns if there is no such index."""
    filled = {one["name"] for one in columns if one["filled"]}
    keys: dict[int, list[str]] = {}
    for one in indexes:
        keys.setdefault(one["number"], []).append(one["name"])
    return min((key for key in keys.values() if filled.issuperset(key)), key=lambda key: (len(key), key), default=[])


def _without_quotes(sql: str) -> str:
    """Returns the SQL that removes the quotes of names from a text."""
    return f"replace(replace({sql}, '`', ''), '\"', '')"


def _kind(declared: str) -> Kind:
    if re.search("DATE|TIME", declared, re.IGNORECASE):
        return "time"
    if not declared or re.search("CHAR|CLOB|TEXT", declared, re.IGNORECASE):
        return "text"
    return "bytes" if re.search("BLOB", declared, re.IGNORECASE) else "number"


def _is_locked(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


def _decode_text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return InvalidText(raw)


@asynccontextmanager
async def _counted_steps(connection: sqlite3.Connection, on_steps: OnSteps | None) -> AsyncIterator[None]:
    """Reports the steps of the connection's statements while the context is active."""
    if on_steps is None:
        yield
        return
    loop = asyncio.get_running_loop()

    def report() -> None:
        # The statement runs in another thread, so the event loop may have ended.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(on_steps, STEPS)

    connection.set_progress_handler(report, STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def _rows(cursor: sqlite3.Cursor, max_size: int | None) -> Rows:
    """Reads a statement's rows by the exact names of their columns. `sqlite3.Row` isn't used, because it ignores case."""
    if cursor.description is None:
        return Rows([{"written": cursor.rowcount}])
    names, rows, size = [one[0] for one in cursor.description], Rows(), 0
    for row in cursor:
        if max_size is not None and size > max_size:
            rows.is_cut = True
            break
        rows.append(dict(zip(names, row)))
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
    cursor.close()
    return rows


def _to_parameter(value: Any) -> Any:
    """Converts a value to a parameter of SQLite."""
    if isinstance(value, InvalidText):
        return value.raw
    if isinstance(value, (Decimal, HugeNumber)):
        return float(str(value) if isinstance(value, Decimal) else value.text)
    return encode(value).decode() if isinstance(value, (dict, list)) else value


def _to_id(value: Any) -> Any:
    """Converts a key's value to an id."""
    if isinstance(value, InvalidText):
        return f"\\t{value.raw.hex()}"
    if isinstance(value, str):
        return f"\\{value}" if ESCAPED.fullmatch(value) else value
    return f"\\{to_json(value)}" if isinstance(value, float) and isinf(value) else to_json(value)


def _from_id(id: Any) -> Any:
    """Converts an id back to a key's value."""
    found = ESCAPED.fullmatch(id) if isinstance(id, str) else None
    if found is None:
        return id
    slashes, encoded = found.groups()
    if len(slashes) > 1:
        return id[1:]
    if encoded[0] == "x":
        return bytes.fromhex(encoded[1:])
    return InvalidText(bytes.fromhex(encoded[1:])) if encoded[0] == "t" else float(encoded)


def _key_values(id: Any, count: int) -> list[Any] | None:
    """Converts an id back to the values of a key. Returns None if no row can have this id."""
    if count > 1:
        try:
            parts = decode(id.encode()) if isinstance(id, str) else None
        except (SourceError, UnicodeEncodeError):
            return None
        if not isinstance(parts, list) or len(parts) != count:
            return None
    else:
        parts = [id]
    values = [float(one) if isinstance(one, Decimal) and Decimal(float(one)) == one else _from_id(one) for one in parts]
    return values if all(map(_is_possible, values)) else None


def _is_possible(value: Any) -> bool:
    """Whether a row can have this value as a key."""
    if isinstance(value, int):
        return -1 << 63 <= value < 1 << 63
    return isinstance(value, (bytes, float)) or (isinstance(value, str) and not re.search("[\ud800-\udfff]", value))


def _encode_value(value: Any) -> str:
    """Encodes a value as a text without loss, for `_decode_value`."""
    if isinstance(value, InvalidText):
        return f"g{value.raw.hex()}"
    if isinstance(value, bytes):
        return f"b{value.hex()}"
    if isinstance(value, str):
        return f"t{value.encode().hex()}"
    return f"r{value.hex()}" if isinstance(value, float) else f"i{int(value)}"


def _decode_value(typed: str) -> Any:
    form, encoded = typed[0], typed[1:]
    if form in "gbt":
        raw = bytes.fromhex(encoded)
        return raw.decode() if form == "t" else raw
    return float.fromhex(encoded) if form == "r" else int(encoded)
