"""PostgreSQL databases."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from hashlib import sha256
from itertools import count
from typing import Any

from .database import COUNT_LIMIT, EVERY, LARGE, LOG_SIZE, PARAMETER, REFUSED, Capabilities, Column, Database, Execute, Kind, NameTaken, OnSteps, Row, Rows, StatementRefused, Written, literal, quoted
from .errors import TIMED_OUT, UNREACHABLE, SourceError
from .follow import CHANGES_LIMIT
from .wire import decode, decode_row, encode

try:
    import psycopg
except ImportError as error:
    remedy = f"pip install 'psycopg[binary]', Debian's package python3-psycopg, or another Python (PYTHON) than {sys.executable}"
    raise ImportError(f"PostgreSQL needs psycopg: {remedy}") from error

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

COLUMNS = f"""
SELECT a.attname AS name, b.typcategory AS category, b.typname AS type, NOT a.attnotnull AS nullable,
  coalesce(a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1]), c.relkind IN ('v', 'm') AND a.attname = 'id') AS is_key,
  a.attidentity = 'a' OR a.attgenerated <> '' AS is_generated
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_type b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid) JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN LATERAL (
  SELECT indkey, indnkeyatts FROM pg_index
  WHERE indrelid = a.attrelid AND (indisprimary OR indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL AND NOT EXISTS (
    SELECT FROM pg_attribute k WHERE k.attrelid = indrelid AND k.attnum = ANY (indkey[0:indnkeyatts - 1])
    AND (NOT k.attnotnull OR k.atttypid IN ('json'::regtype, 'jsonb'::regtype))
  ))
  ORDER BY indisprimary DESC, indnkeyatts, indkey::text LIMIT 1
) i ON true
WHERE a.attrelid = to_regclass({PARAMETER}) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""

SETTINGS = """
-- Times as text are in order only within one time zone.
SET TIME ZONE 'UTC';
-- Bytes as text are in the order of the bytes.
SET bytea_output = 'hex';
-- Only edits and triggers write.
SET default_transaction_read_only = on;
-- Numbers in pages' keys are exact.
SET extra_float_digits = 1;
SET standard_conforming_strings = on;
"""

FINGERPRINT = f"""
SELECT (
  SELECT concat(c.oid, (SELECT string_agg(concat_ws(' ', indkey, indisprimary, indisvalid), ',' ORDER BY indexrelid) FROM pg_index WHERE indrelid = c.oid AND indisunique),
    string_agg(concat_ws(' ', a.attname, a.attnum, a.atttypid, a.attnotnull), ',' ORDER BY a.attnum),
    -- A part that is attached, detached or emptied calls no trigger.
    (SELECT string_agg(pg_relation_filenode(relid)::text, ' ' ORDER BY relid) FROM pg_partition_tree(c.oid) WHERE isleaf))
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.oid = to_regclass({PARAMETER}) GROUP BY c.oid
) AS shape
"""

# A running transaction may have a smaller number than finished ones. Entries below the oldest running number are final,
# because no earlier entry can appear. So final entries come in the order of these numbers, and no entry is skipped.
FINAL = "xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

TABLES = """
SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND relpersistence <> 't'
AND NOT starts_with(relname, 'nagare_') ORDER BY relkind IN ('v', 'm'), 1
"""

# Two transactions with equal snapshots see equal rows. On a replica, the snapshot doesn't name the running transactions.
SNAPSHOT = "SELECT concat(pg_current_snapshot(), CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END) AS snapshot"

POLL = 1.0
"""Seconds between two checks whether anything in the server has changed."""

BLOCKERS = f"""
SELECT format('the transaction of %s (process %s, %s) that is open since %s; to end it: SELECT pg_terminate_backend(%2$s)',
  usename, pid, coalesce(nullif(application_name, ''), 'a nameless program'), xact_start) AS told
FROM pg_stat_activity WHERE backend_xid = pg_snapshot_xmin(pg_current_snapshot())::xid
UNION ALL
SELECT format('the transaction that %s has prepared at %s; to end it: COMMIT PREPARED %L, or ROLLBACK PREPARED %3$L', owner, prepared, gid)
FROM pg_prepared_xacts WHERE transaction = pg_snapshot_xmin(pg_current_snapshot())::xid
"""

# Numbers of transactions of another server, restored from a dump.
FOREIGN_TRANSACTIONS = "xid > pg_snapshot_xmax(pg_current_snapshot())::text::bigint"

# Finds objects that have this package's names but that it hasn't created.
FOREIGN_OBJECTS = f"""
WITH names AS (SELECT to_regclass({PARAMETER}) AS log, to_regprocedure({PARAMETER}) AS function, to_regclass({PARAMETER}) AS of)
SELECT 'table' AS kind FROM names JOIN pg_class c ON c.oid = names.log WHERE c.relkind <> 'r' OR NOT EXISTS (
  SELECT FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attname = 'xid' AND pg_get_expr(d.adbin, d.adrelid) LIKE '%pg_current_xact_id()%'
) OR 4 > (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('seq', 'xid', 'op', 'id'))
UNION ALL
SELECT 'function' FROM names JOIN pg_proc p ON p.oid = names.function WHERE p.prosrc NOT LIKE '%(op, id) VALUES (what, before)%'
UNION ALL
SELECT 'trigger' FROM names JOIN pg_trigger t ON t.tgrelid = names.of WHERE t.tgname IN ({', '.join([PARAMETER] * 5)}) AND t.tgfoid IS DISTINCT FROM names.function
"""

OWN_FUNCTIONS = "SELECT oid FROM pg_proc WHERE starts_with(proname, 'nagare_') AND prosrc LIKE '%(op, id) VALUES (what, before)%'"

# What this package has made: triggers first, then their functions, then the logs. Parts of a table have copies of its
# triggers, which are dropped with them.
OWN_OBJECTS = f"""
WITH named (everything, log, function) AS (SELECT {PARAMETER}::boolean, to_regclass({PARAMETER}), to_regprocedure({PARAMETER})), own AS ({OWN_FUNCTIONS})
SELECT what FROM (
  SELECT 1 AS step, format('trigger %I ON %s', t.tgname, t.tgrelid::regclass) AS what FROM pg_trigger t JOIN own ON own.oid = t.tgfoid
  WHERE t.tgparentid = 0 AND (SELECT everything OR function = t.tgfoid FROM named)
  UNION ALL
  SELECT 2, format('function %s', own.oid::regprocedure) FROM own WHERE (SELECT everything OR function = own.oid FROM named)
  UNION ALL
  SELECT 3, format('table %s', c.oid::regclass) FROM pg_class c WHERE c.relkind = 'r' AND starts_with(c.relname, 'nagare_')
  AND (SELECT everything OR log = c.oid FROM named) AND EXISTS (
    SELECT FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attname = 'xid' AND pg_get_expr(d.adbin, d.adrelid) LIKE '%pg_current_xact_id()%'
  ) AND 4 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('seq', 'xid', 'op', 'id'))
) AS found ORDER BY step, what
"""

INSTALL = """
-- One at a time.
SELECT pg_advisory_xact_lock(hashtext({channel}));
CREATE TABLE IF NOT EXISTS {log} (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  op text NOT NULL,
  id jsonb
);
CREATE INDEX IF NOT EXISTS {index} ON {log} (xid);
-- Whoever may write the table may have that noted.
CREATE OR REPLACE FUNCTION {log}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS {tag}
#variable_conflict use_variable
DECLARE
  first bigint;
  last bigint;
  before jsonb;
  after jsonb;
  what text := CASE TG_OP WHEN 'INSERT' THEN 'I' WHEN 'TRUNCATE' THEN 'A' ELSE 'C' END;
BEGIN
  -- That the log can't be written is no reason to keep anybody from writing the table.
  IF to_regclass({log_name}) IS NULL THEN
    -- Somebody has dropped it.
    RETURN NULL;
  END IF;
  IF TG_OP = 'TRUNCATE' OR {key_count} > (SELECT count(*) FROM pg_attribute WHERE attrelid = TG_RELID AND attname IN ({key_names})) THEN
    -- The key may have another name now.
    INSERT INTO {log} (op) VALUES ('A') RETURNING seq, seq INTO first, last;
  ELSIF TG_LEVEL = 'ROW' THEN
    IF TG_OP IN ('UPDATE', 'DELETE') THEN before := to_jsonb({old}); END IF;
    IF TG_OP IN ('UPDATE', 'INSERT') THEN after := to_jsonb({new}); END IF;
    IF TG_OP = 'UPDATE' AND before IS DISTINCT FROM after THEN
      INSERT INTO {log} (op, id) VALUES (what, before);
    END IF;
    INSERT INTO {log} (op, id) VALUES (what, coalesce(after, before)) RETURNING seq, seq INTO first, last;
  ELSIF NOT EXISTS (SELECT FROM nagare_changed) THEN
    RETURN NULL;
  ELSIF EXISTS (SELECT FROM nagare_changed OFFSET {most}) THEN
    -- Lists reload after so many.
    INSERT INTO {log} (op) VALUES ('A') RETURNING seq, seq INTO first, last;
  ELSIF TG_OP = 'UPDATE' THEN
    WITH noted AS (
      INSERT INTO {log} (op, id)
      SELECT what, to_jsonb({row}) FROM nagare_replaced AS entry UNION SELECT what, to_jsonb({row}) FROM nagare_changed AS entry RETURNING seq
    ) SELECT min(seq), max(seq) FROM noted INTO first, last;
  ELSE
    WITH noted AS (
      INSERT INTO {log} (op, id) SELECT what, to_jsonb({row}) FROM nagare_changed AS entry RETURNING seq
    ) SELECT min(seq), max(seq) FROM noted INTO first, last;
  END IF;
  -- Now and then, and never waiting for another who does.
  IF (first - 1) / 100 < last / 100 THEN
    DELETE FROM {log} WHERE seq IN (SELECT seq FROM {log} WHERE seq <= last - {kept} FOR UPDATE SKIP LOCKED);
  END IF;
  -- A transaction that has notified anybody can't be prepared.
  IF current_setting('max_prepared_transactions') = '0' THEN
    PERFORM pg_notify({channel}, '');
  END IF;
  RETURN NULL;
END {tag};
{drops}
{triggers}
CREATE OR REPLACE TRIGGER {truncate} AFTER TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {log}();
ALTER TABLE {table} {enables};
DELETE FROM {log} WHERE {foreign};
-- What there is before anything is final.
INSERT INTO {log} (xid, op) SELECT 0, 'A' WHERE NOT EXISTS (SELECT FROM {log});
INSERT INTO {log} (op) VALUES ('A');
SELECT pg_notify({channel}, '');
"""

STATEMENTS = {
    "insert": ("INSERT", "NEW TABLE AS nagare_changed"),
    "update": ("UPDATE", "OLD TABLE AS nagare_replaced NEW TABLE AS nagare_changed"),
    "delete": ("DELETE", "OLD TABLE AS nagare_changed"),
}
"""The triggers that log all rows of a statement at once: the event and the rows.

A statement for a table doesn't call such triggers of its partitions or of tables that inherit from it, nor the other
way around. So these tables have a trigger for each row.
"""


BY_ROW = "EXISTS (SELECT FROM pg_class c WHERE c.oid = {of} AND (c.relkind = 'p' OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid)))"
"""The condition that a table needs a trigger for each row."""


NAME_LIMIT = 63
"""The maximum size of a name in bytes. PostgreSQL truncates longer names, which could make two names equal."""

QUALIFIED = re.compile(r'(?:("(?:[^"]|"")+"|[^."]+)\.)?("(?:[^"]|"")+"|[^."]+)')
"""A table's name, with or without a schema."""

COST_LIMIT = 20_000
"""The maximum cost of counting, in the planner's units: a few million rows with few columns, about a tenth of a second."""


class PostgreSQL(Database):
    """A database of a PostgreSQL server, version 14 or later.

    - `connection` is a connection string of libpq: a URL, or `dbname=mail connect_timeout=5 options='-c
      statement_timeout=5s'`. Put passwords into ~/.pgpass.
    - `most` is the maximum number of connections, in addition to the one that listens.
    """

    name = "--postgres …"
    placeholder = PARAMETER
    begin_reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    begin_writing = "BEGIN READ WRITE"
    column_limit = 1600
    find_function = "strpos"
    position_column = "xid"
    final_condition = FINAL
    poll_intervals = (0.02, 1.0)

    def __init__(self, connection: str, *, most: int = 8) -> None:
        self._connection = connection
        self._idle: list[Connection] = []
        self._free = asyncio.Semaphore(most)

    def quoted(self, table: str) -> str:
        return ".".join(map(quoted, _name_parts(table)))

    async def fingerprint(self, table: str) -> str:
        async with self.autocommit() as execute:
            (now,) = await execute(FINGERPRINT, [self.quoted(table)])
        return str(now["shape"])

    def display_name(self, table: str) -> str:
        return _name_parts(table)[-1]

    def log_table(self, table: str) -> str:
        *schema, _ = _name_parts(table)
        return ".".join(map(quoted, [*schema, _object_name(table)])) if '"' in table else ".".join([*schema, _object_name(table)])

    async def columns(self, table: str) -> list[Column]:
        async with self.read_transaction() as execute:
            found = await execute(COLUMNS, [self.quoted(table)])
        if not found:
            raise SourceError(REFUSED, f"there is no table {table!r} in this database, {await self.other_tables()}")
        return [_column(self.quoted(table), **one) for one in found]

    async def hides_rows(self, execute: Execute, table: str) -> bool:
        (now,) = await execute(f"SELECT row_security_active(to_regclass({PARAMETER})) AS is_active", [self.quoted(table)])
        return bool(now["is_active"])

    async def recover(self, execute: Execute) -> None:
        # Rows that are read from now on may be newer than the state. Their changes are then sent twice, which is
        # harmless.
        await execute("ROLLBACK")

    async def blocker(self) -> str:
        async with self.autocommit() as execute:
            found = await execute(BLOCKERS.strip())
        return found[0]["told"] if found else "a transaction"

    def triggers(self, table: str) -> Sequence[str]:
        return [*_statement_triggers(table), _truncate_trigger(table)]

    def trigger_count_sql(self, table: str) -> str:
        of, log, truncate = f"to_regclass({literal(self.quoted(table))})", self.quoted(self.log_table(table)), literal(_truncate_trigger(table))
        statements = ", ".join(map(literal, _statement_triggers(table)))
        # A trigger for each row replaces those for statements.
        return (
            f"SELECT coalesce(sum(CASE WHEN tgname = {literal(_row_trigger(table))} THEN {len(STATEMENTS)} WHEN tgname = {truncate}"
            f" OR tgname IN ({statements}) AND NOT {BY_ROW.format(of=of)} THEN 1 END), 0) FROM pg_trigger WHERE tgrelid = {of}"
            f" AND tgenabled <> 'D' AND NOT EXISTS (SELECT FROM {log} WHERE {FOREIGN_TRANSACTIONS})"
        )

    def log_fits_sql(self, table: str, key: Sequence[Column]) -> str:
        function, new = f"{self.quoted(self.log_table(table))}()", literal(f"to_jsonb({self.id_expression(key, 'NEW.')})")
        return f"(SELECT strpos(prosrc, {new}) > 0 FROM pg_proc WHERE oid = to_regprocedure({literal(function)}))"

    async def capabilities(self, table: str) -> Capabilities:
        async with self.read_transaction() as execute:
            taken = await self._name_taken(execute, table)
            (of,) = await execute(
                f"""SELECT CASE WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid) THEN 'h' ELSE c.relkind END AS kind,
                c.reltuples > {LARGE} AS long, (SELECT json_agg(a.attname) FROM pg_index i
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = c.oid AND i.indpred IS NULL) AS indexed FROM pg_class c WHERE c.oid = to_regclass({PARAMETER})""",
                [self.quoted(table)],
            )
        elsewhere = "it is another server's table"
        kinds = {"v": "it is a view", "m": "it is a view", "f": elsewhere, "h": "other tables inherit from it"}
        why_no_triggers, why_not_live = kinds.get(of["kind"], taken.message if taken else ""), elsewhere if of["kind"] == "f" else ""
        return Capabilities(why_no_triggers, of["kind"] not in "vm", of["long"], frozenset(of["indexed"] or []), why_not_live)

    def is_misplaced(self, value: Any, column: Column) -> bool:
        if column.kind == "time":
            return isinstance(value, str) and (value.endswith(" BC") or re.match(r"\d{5}", value) is not None)
        return column.misplaced == EVERY or (column.kind == "number" and value == "-Infinity")

    def array(self, values: Sequence[str]) -> str:
        return f"jsonb_build_array({', '.join(values)})::text"

    async def install(self, table: str, key: Sequence[Column]) -> None:
        async with self.read_transaction() as execute:
            # The function must not look up names in schemas in which other users may have created objects.
            (of,) = await execute(
                f"SELECT relnamespace::regnamespace::text AS schema, {BY_ROW.format(of='noted.oid')} AS by_row,"
                " (SELECT json_agg(tgname) FROM pg_trigger WHERE tgrelid = noted.oid) AS triggers"
                f" FROM pg_class AS noted WHERE oid = to_regclass({PARAMETER})",
                [self.quoted(table)],
            )
            taken = await self._name_taken(execute, table)
        if taken:
            raise taken
        log, new, old = _object_name(table), self.id_expression(key, "NEW."), self.id_expression(key, "OLD.")
        call = f"EXECUTE FUNCTION {of['schema']}.{quoted(log)}();"
        if of["by_row"]:
            made = {_row_trigger(table): f"AFTER INSERT OR UPDATE OR DELETE ON {self.quoted(table)} FOR EACH ROW"}
        else:
            made = {
                name: f"AFTER {event} ON {self.quoted(table)} REFERENCING {rows} FOR EACH STATEMENT"
                for name, (event, rows) in zip(_statement_triggers(table), STATEMENTS.values())
            }
        unneeded = {_row_trigger(table), *_statement_triggers(table)} - made.keys()
        script = INSTALL.format(
            # Chooses a tag that no name contains, because the tag ends the function's text.
            tag=next(tag for number in count() if (tag := f"$nagare{number}$") not in f"{log}{new}{of['schema']}"),
            log=f"{of['schema']}.{quoted(log)}",
            log_name=literal(f"{of['schema']}.{quoted(log)}"),
            key_count=len(key),
            key_names=", ".join(literal(column.name) for column in key),
            index=quoted(f"{log}_xid"),
            table=self.quoted(table),
            new=new,
            old=old,
            row=self.id_expression(key, "entry."),
            drops=" ".join(f"DROP TRIGGER {quoted(name)} ON {self.quoted(table)};" for name in sorted(unneeded.intersection(of["triggers"] or []))),
            triggers="\n".join(f"CREATE OR REPLACE TRIGGER {quoted(name)} {when} {call}" for name, when in made.items()),
            truncate=quoted(_truncate_trigger(table)),
            enables=", ".join(f"ENABLE TRIGGER {quoted(name)}" for name in [*made, _truncate_trigger(table)]),
            most=CHANGES_LIMIT,
            channel=literal(self._channel(table)),
            kept=LOG_SIZE,
            foreign=FOREIGN_TRANSACTIONS,
        )
        await self._script(script)

    async def remove_triggers(self, table: str | None) -> list[str]:
        log = "" if table is None else self.quoted(self.log_table(table))
        async with self.read_transaction() as execute:
            found = await execute(OWN_OBJECTS.strip(), [str(table is None), log or None, f"{log}()" if log else None])
        if found:
            await self._script("; ".join(f"DROP {one['what']}" for one in found))
        return [one["what"] for one in found]

    async def _name_taken(self, execute: Execute, table: str) -> NameTaken | None:
        """Returns an error if a name for the log or its triggers belongs to another object."""
        found = await execute(FOREIGN_OBJECTS, [self.quoted(self.log_table(table)), f"{self.quoted(self.log_table(table))}()", self.quoted(table), _row_trigger(table), *self.triggers(table)])
        return NameTaken(self.log_table(table), table, found[0]["kind"]) if found else None

    async def tables(self) -> list[str]:
        async with self.read_transaction() as execute:
            return [one["name"] for one in await execute(TABLES.strip())]

    async def snapshot(self, execute: Execute) -> str:
        (now,) = await execute(SNAPSHOT)
        return str(now["snapshot"])

    async def watch_commits(self, table: str, notify: Callable[[], object]) -> None:
        last = ""
        while True:
            with suppress(SourceError):
                async with self.autocommit() as execute:
                    now = await self.snapshot(execute)
                if now != last:
                    last = now
                    notify()
            await asyncio.sleep(POLL)

    async def listen(self, table: str, notify: Callable[[], object]) -> None:
        pause = 0.05
        while True:
            with suppress(psycopg.Error):
                async with await self._connect() as connection:
                    await connection.execute(f"LISTEN {quoted(self._channel(table))}".encode())
                    pause = 0.05
                    # Changes before this point weren't notified.
                    notify()
                    await _forward_notifications(connection.pgconn, notify)
            await self._close_idle()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 2.0)

    @asynccontextmanager
    async def autocommit(self, on_steps: OnSteps | None = None, *, writes: bool = False) -> AsyncIterator[Execute]:
        # A running statement can't report its progress.
        async with self._pooled() as connection:

            async def execute(statement: str, values: Sequence[Any] = (), max_size: int | None = None) -> Rows:
                is_query = statement.lstrip().startswith(("SELECT", "WITH"))
                # The star is necessary, because a column may have the name `nagare_row`.
                sql = f"SELECT row_to_json(nagare_row.*)::text FROM ({statement}) AS nagare_row" if is_query else statement
                with _translated_errors():
                    sql = sql.replace("%", "%%").replace(PARAMETER, "%s")
                    cursor = await connection.execute(sql.encode(), [_parameter(one) for one in values])
                    if cursor.description is None:
                        return Rows([{"written": cursor.rowcount}])
                    rows = await cursor.fetchall()
                    return Rows(decode_row(one) if is_query else {"value": one} for (one,) in rows)

            yield execute

    async def count(self, execute: Execute, table: str, where: str, values: Sequence[Any], limit: int = COUNT_LIMIT) -> tuple[int, bool]:
        (found,) = await execute(f"EXPLAIN (FORMAT JSON) SELECT FROM {table} WHERE {where}", values)
        plan = found["value"][0]["Plan"]
        if plan["Total Cost"] > COST_LIMIT:
            return int(plan["Plan Rows"]), False
        return await super().count(execute, table, where, values)

    def ids_query(self, table: str, key: Sequence[Column]) -> str:
        # Compares values of the columns' types, because only these use an index.
        parts = [f"(value #>> '{{}}')::json -> {place}" for place in range(len(key))] if len(key) > 1 else ["value"]
        members = ", ".join(f"{literal(column.name)}, {part}" for column, part in zip(key, parts))
        row = f"(json_populate_record(NULL::{self.quoted(table)}, json_build_object({members})))"
        values = ", ".join(f"{row}.{quoted(column.name)}" for column in key)
        return f"SELECT {values} FROM json_array_elements({PARAMETER}) AS given (value)"

    def returning(self, key: Sequence[Column]) -> str:
        identified = " AND ".join(column.identifies for column in key if column.identifies)
        return f"CASE WHEN {identified or 'true'} THEN to_json({self.id_expression(key)})::text END"

    def returned_id(self, row: Row, key: Sequence[Column]) -> Any:
        return None if row["value"] is None else decode(row["value"].encode())

    async def insert(self, execute: Execute, table: str, values: Row, key: Sequence[Column]) -> Written:
        # The database parses the JSON itself.
        names, name = ", ".join(map(quoted, values)), self.quoted(table)
        given = f"({names}) SELECT {names} FROM json_populate_record(NULL::{name}, {PARAMETER})" if values else "DEFAULT VALUES"
        return await self.write(execute, f"INSERT INTO {name} {given}", [values] if values else [], key)

    async def change(
        self, execute: Execute, table: str, values: Row, where: str, parameters: Sequence[Any], key: Sequence[Column] = ()
    ) -> Written:
        names, name = ", ".join(map(quoted, values)), self.quoted(table)
        given = f"SELECT {names} FROM json_populate_record(NULL::{name}, {self.placeholder})"
        return await self.write(execute, f"UPDATE {name} SET ({names}) = ({given}) WHERE {where}", [values, *parameters], key)

    async def remove(self, execute: Execute, table: str, where: str, parameters: Sequence[Any]) -> Written:
        return await self.write(execute, f"DELETE FROM {self.quoted(table)} WHERE {where}", parameters)

    def _channel(self, table: str) -> str:
        return _truncated(self.log_table(table), NAME_LIMIT)

    @asynccontextmanager
    async def _pooled(self) -> AsyncIterator[Connection]:
        """Lends a connection for exclusive use."""
        async with self._free:
            with _translated_errors():
                connection = self._idle.pop() if self._idle else await self._connect()
            try:
                yield connection
            except BaseException:
                with suppress(psycopg.Error):
                    await connection.execute("ROLLBACK")
                raise
            finally:
                if connection.closed:
                    await self._close_idle()
                else:
                    self._idle.append(connection)

    async def _close_idle(self) -> None:
        """Closes the unused connections, because another one was lost."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.close()

    async def _connect(self) -> Connection:
        connection = await psycopg.AsyncConnection.connect(self._connection, autocommit=True)
        await connection.execute(SETTINGS)
        return connection

    async def _script(self, script: str) -> None:
        with _translated_errors():
            async with self._pooled() as connection:
                await connection.execute(f"BEGIN READ WRITE; {script}; COMMIT".encode())


async def _forward_notifications(connection: psycopg.pq.abc.PGconn, notify: Callable[[], object]) -> None:
    """Calls `notify` for each notification until the connection is lost. psycopg's `notifies` isn't used, because it
    wakes up ten times a second."""
    loop, readable, socket = asyncio.get_running_loop(), asyncio.Event(), connection.socket
    loop.add_reader(socket, readable.set)
    try:
        while connection.status == psycopg.pq.ConnStatus.OK:
            await readable.wait()
            readable.clear()
            connection.consume_input()
            while connection.notifies():
                notify()
    finally:
        loop.remove_reader(socket)


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Converts psycopg's errors to `SourceError`s."""
    try:
        yield
    except psycopg.errors.QueryCanceled as error:
        raise SourceError(TIMED_OUT, f"the database is too slow: {error}", retryable=True) from error
    except psycopg.OperationalError as error:
        raise SourceError(UNREACHABLE, f"the database can't be reached: {error}", retryable=True) from error
    except psycopg.Error as error:
        text = error.diag.message_primary or str(error)
        raise StatementRefused(
            f"{text}: {error.diag.message_detail}" if error.diag.message_detail else text,
            is_unfit=isinstance(error, (psycopg.DataError, psycopg.errors.GeneratedAlways)),
            missing=error.diag.column_name or "" if isinstance(error, psycopg.errors.NotNullViolation) else "",
        ) from error


def _statement_triggers(table: str) -> list[str]:
    return [f"{_object_name(table)}_{event}" for event in STATEMENTS]


def _row_trigger(table: str) -> str:
    return f"{_object_name(table)}_rows"


def _truncate_trigger(table: str) -> str:
    return f"{_object_name(table)}_truncate"


def _object_name(table: str) -> str:
    """Returns the name of a table's log, which is also the prefix of its triggers."""
    return _truncated(f"nagare_{_name_parts(table)[-1]}", NAME_LIMIT - len("_truncate"))


def _truncated(name: str, size: int) -> str:
    """Truncates a name and adds a hash, so that it stays unique."""
    if len(name.encode()) <= size:
        return name
    digest = sha256(name.encode()).hexdigest()[:12]
    return name.encode()[: size - len(digest) - 1].decode(errors="ignore") + f"_{digest}"


def _name_parts(table: str) -> list[str]:
    """Splits a table's name into schema and name. Quoted parts may contain dots."""
    found = QUALIFIED.fullmatch(table)
    parts = [part for part in found.groups() if part] if found else table.split(".")
    return [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]


def _column(table: str, name: str, category: str, type: str, nullable: bool, is_key: bool, is_generated: bool) -> Column:
    column = quoted(name)
    sortable, kind, misplaced, parameter = column, "other", EVERY, ""
    if category in "SE" or type == "uuid":
        sortable, kind, misplaced = f'{column}::text COLLATE "C"', "text", ""
    elif category == "D":
        kind, misplaced = "time", ""
        if type in ("date", "timestamp", "timestamptz"):
            misplaced = f"isfinite({column}) AND {column} NOT BETWEEN '0001-01-01' AND '9999-12-31'"
    elif category == "N" and type != "money":
        kind, misplaced = "number", f"{column} = '-Infinity'" if type in ("float4", "float8", "numeric") else ""
    elif type == "bytea":
        kind, misplaced = "bytes", ""
    elif category in "AC":
        # The type's text form isn't JSON.
        parameter = f"(json_populate_record(NULL::{table}, json_build_object({literal(name)}, {PARAMETER}::json))).{column}"
    return Column(
        name,
        kind,  # type: ignore[arg-type]
        nullable,
        is_key,
        sortable,
        is_boolean=category == "B",
        identifies=f"{column} IS NOT NULL" if nullable else "",
        misplaced=misplaced,
        is_generated=is_generated,
        as_id="::text" if category in "ABCU" and type not in ("bytea", "uuid") else "",
        parameter=parameter,
    )


def _parameter(value: Any) -> Any:
    """Converts a value to a parameter."""
    return value if value is None or isinstance(value, str) else encode(value).decode()
