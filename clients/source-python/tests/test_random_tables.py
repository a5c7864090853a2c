"""Random tables with unusual names, types and values, compared with plain SQL.

For each table, pages list every row once and in order (forwards, backwards and by position), a change of each row is
reported, and an edit changes exactly the right row. An insertion is answered with the item that the list then has.
"""

from __future__ import annotations

import asyncio
import math
import os
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from nagare_source import SQLite, Table
from nagare_source.changes import ALL
from nagare_source.postgres import PostgreSQL
from nagare_source.program import Program
from nagare_source.wire import InvalidText, Number, decode, encode
from postgres import PostgreSQL as Server

NAMES = [
    *("ID", "id", "Id", "rowid", "_rowid_", "OID", "next", "previous", "total", "items", "value", "key", "sort", "state", "seq", "op"),
    *("a.b", ".", 'q"u', "it's", "back`tick", "[b]", "{0}", "$$", "$nagare0$", "new\nline", "", " ", "-", "-minus", "minus", "%s", "%", "?", "?1", ":a"),
    *("İ", "i̇", "ß", "SS", "日本", "🌸", "nagare_row", "nagare_value", "given", "n", "i", "mail", "select", "\\", "/", "a,b", "--", "/*"),
]
VALUES = [
    *(None, 0, 1, -1, 10, 2**63 - 1, -(2**63), 2**53 + 1, 1.0, 1.5, -0.0, 0.1 + 0.2, 1e300, 5e-324, math.inf, -math.inf),
    *("", " ", "a", "A", "ab", "0", "1", "1.0", "\\", "\\x", "\\x00", "\\\\x61", "\\tff", "\\Infinity", "Infinity", "-Infinity", "NaN", "null"),
    *("a\0b", "\n", '"', "'; DROP TABLE mail; --", "日本", "🌸", "\ufffd", "İ", "ß", "[1]", '{"id":1}', "2026-01-01", "x" * 3000),
    *(b"", b"\x00", b"a", b"A", b"1", b"\xff\xfe", b"\\x00", InvalidText(b"\xff"), InvalidText(b"a\xff\x00b"), InvalidText(b"\xed\xa0\x80"), InvalidText(b"\xf0\x9f")),
]
TYPES = ["", "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB", "BOOLEAN", "DATETIME", "TEXT COLLATE NOCASE"]
DEEP = "[" * 600 + "]" * 600
LITERALS = {
    "integer": ["0", "1", "-1", "2147483647"],
    "bigint": ["0", "9223372036854775807", "9007199254740993"],
    "numeric": ["'NaN'", "'Infinity'", "'-Infinity'", "1.50", "1e400", "0.1", "-1"],
    "double precision": ["'NaN'", "'Infinity'", "'-Infinity'", "0.1", "1e300", "-0.0", "1"],
    "text": ["''", "'a'", "'A'", "'İ'", "'日本'", "E'\\n'", r"'\x00'", "'🌸'", "'\"'", "'[1]'", f"'{DEEP}'"],
    "boolean": ["true", "false"],
    "bytea": [r"'\x'", r"'\x00ff'", r"'\x61'"],
    "date": ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'10000-01-01'", "'2026-01-01'"],
    "timestamptz": ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'10000-01-01'", "'2026-01-01 10:00:00.123456+02'"],
    "timetz": ["'10:00+02'", "'10:00-02'"],
    "interval": ["'1 day'", "'1 mon'", "'-1 year'", "'24:00:00'"],
    "integer[]": ["'{}'", "'{1,2}'", "'{NULL}'", "'{{1},{2}}'"],
    "text[]": ["ARRAY['a,b',NULL,'\"','{']"],
    "jsonb": ["'1'", "'{\"a\":[1]}'", "'[]'", "'\"a\"'", "'true'"],
    "int4range": ["'[1,2)'", "'empty'", "'(,)'"],
    "money": ["1000", "2"],
    "mood": ["'sad'", "'happy'"],
    "pair": ["(1,'a')", "(2,NULL)", "(NULL,'b')"],
    "inet": ["'10.0.0.1'", "'::1'"],
    "uuid": ["'00000000-0000-0000-0000-000000000001'", "'f0000000-0000-0000-0000-000000000001'"],
    "positive": ["1", "20"],
    "bit(3)": ["'101'", "'010'"],
    "json": ["'null'", f"'{DEEP}'", "'{\"a\": 1e400}'", r"""'"\ud83c\udf38"'""", """'{"a":1,"a":2}'""", f"""'{{"{DEEP}":{DEEP}}}'"""],
    "point": ["'(1,2)'"],
}
"""Types of PostgreSQL, and SQL literals of each type."""
UNORDERED = ["json", "jsonb", "point"]
KEYS = ["INTEGER PRIMARY KEY", "PRIMARY KEY", "TEXT PRIMARY KEY", "BLOB PRIMARY KEY", "REAL PRIMARY KEY", "TEXT COLLATE NOCASE PRIMARY KEY", "two", "row", "without", "two without"]
TABLES = int(os.environ.get("NAGARE_TABLES", "20"))
"""The number of tables in SQLite. PostgreSQL has a fourth of that number."""

LAST = "number of the row"
"""The column that identifies rows in tests."""


@dataclass
class Case:
    """A random table: its columns, its rows, and the options for listing it."""

    key: str
    columns: list[tuple[str, str]]
    rows: list[list[Any]]
    order: list[tuple[int, bool]]
    size: int


@st.composite
def cases(draw: st.DrawFn, keys: list[str], names: list[str], types: list[str], values: list[Any]) -> Case:
    names = draw(st.lists(st.sampled_from(names), min_size=2, max_size=4, unique_by=str.lower))
    columns = [(name, draw(st.sampled_from(types))) for name in names]
    row = st.lists(st.sampled_from(values), min_size=len(names), max_size=len(names))
    rows = draw(st.lists(row, min_size=1, max_size=12))
    order = draw(st.lists(st.tuples(st.integers(0, len(names) - 1), st.booleans()), max_size=2, unique_by=lambda one: one[0]))
    return Case(draw(st.sampled_from(keys)), columns, rows, order, draw(st.integers(1, 4)))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def make(database: sqlite3.Connection, case: Case) -> None:
    """Creates the table and inserts its rows."""
    names, types = [name for name, _ in case.columns], [type for _, type in case.columns]
    last = ")"
    if case.key.startswith("two"):
        last = f", PRIMARY KEY ({quoted(names[1])}, {quoted(names[0])}))"
    elif case.key == "without":
        last = f", PRIMARY KEY ({quoted(names[0])}))"
    elif case.key != "row":
        types[0] = case.key
    if case.key.endswith("without"):
        last += " WITHOUT ROWID"
    made = ", ".join(f"{quoted(name)} {type}" for name, type in zip(names, types))
    database.execute(f"CREATE TABLE mail ({made}, {quoted(LAST)} INTEGER{last}")
    for number, row in enumerate(case.rows):
        marks = ["CAST(? AS TEXT)" if isinstance(value, InvalidText) else "?" for value in row]
        values = [value.raw if isinstance(value, InvalidText) else value for value in row]
        try:
            database.execute(f"INSERT OR IGNORE INTO mail VALUES ({', '.join(marks)}, {number})", values)
        except sqlite3.IntegrityError:
            pass  # Not every value can be a row number.


def text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return InvalidText(raw)


def as_shown(value: Any) -> Any:
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(value) if isinstance(value, str) else value


class Asked:
    """A program for the table that receives a server's requests."""

    def __init__(self, table: Table) -> None:
        self.table, self.program = table, Program(table, 1)

    async def answer(self, method: str, **params: Any) -> Any:
        """Returns the answer to a request. Numbers are exact in both directions, as in the server."""
        params = {"source": "rows", "key": None, "query": None, "size": 2, **params}
        answer = await self.program.answer(encode({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        return decode(answer or b"")

    async def error(self, method: str, **params: Any) -> Any:
        return (await self.answer(method, **params))["error"]

    async def result(self, method: str, **params: Any) -> Any:
        answer = await self.answer(method, **params)
        assert "result" in answer, (answer, method, params)
        return answer["result"]

    async def pages(self, size: int, way: str, key: Any) -> list[Any]:
        """Returns all items from a key on, in the order of the list."""
        items: list[Any] = []
        first = True
        while first or key is not None:
            page = await self.result("source/page", key=key, size=size)
            assert page["items"] or first, "a page was promised, and it was empty"
            items = items + page["items"] if way == "next" else page["items"] + items
            key, first = page.get(way), False
            assert len(items) < 100, "the pages have no end"
        return items


async def check_pages(asked: Asked, size: int, wanted: list[int]) -> list[Any]:
    """Checks that pages list every row once and in order: by keys in both directions, and by position."""
    items = await asked.pages(size, "next", None)
    assert [item[LAST] for item in items] == wanted
    last = await asked.result("source/page", at=max(len(wanted) - 1, 0), size=size)
    assert [item[LAST] for item in last["items"]] == wanted[-1:]
    if last.get("previous") is not None:
        before = await asked.pages(size, "previous", last["previous"])
        assert [item[LAST] for item in before + last["items"]] == wanted
    for at in range(len(wanted)):
        page = await asked.result("source/page", at=at, size=size)
        assert [item[LAST] for item in page["items"]] == wanted[at : at + size]
        assert (page["position"], page["total"]) == (at, len(wanted))
    id = asked.table._layout.id  # type: ignore[union-attr]
    ids = [item[id] for item in items]
    assert len({encode(one) for one in ids}) == len(ids) and all(type(one) in (str, int, float, Number) for one in ids)
    for place, item in enumerate(items):
        page = await asked.result("source/page", around=item[id], size=size)
        assert item in page["items"] and page["position"] == max(place - size // 2, 0)
        assert (await asked.result("source/item", id=item[id]))["item"] == item
    return items


async def check_changes(asked: Asked, state: str, changed: list[Any], id: str) -> None:
    """Checks that the change of each row is reported."""
    while True:
        steps, is_final = await asked.table.follower.steps(state, None, {})
        if is_final:
            break
        await asyncio.sleep(0.01)
    told: list[Any] = [change for changes, _ in steps for change in ([ALL] if changes == ALL else changes)]
    if ALL not in told:
        assert sorted(encode(change["change"][id]) for change in told) == sorted(encode(item[id]) for item in changed)


async def check_removals(
    asked: Asked, items: list[Any], stored: dict[int, Any], rows: Callable[[], dict[int, Any]], id: str
) -> None:
    """Checks that removing an item removes exactly its row, and that an edit of a removed item fails."""
    while items:
        removed = items.pop(len(items) // 2)
        assert await asked.result("source/remove", id=removed[id]) == {}
        del stored[removed[LAST]]
        assert rows() == stored
        assert (await asked.error("source/remove", id=removed[id]))["code"] == -32015
        assert (await asked.error("source/change", item=removed))["code"] == -32015


async def check_insertions(asked: Asked, items: list[Any], id: str) -> None:
    """Checks that an insertion is answered with the row that the list then has, if it differs from the sent item."""
    for item in items:
        result = await asked.result("source/insert", item=item, before=None)
        (listed,) = (await asked.result("source/page", around=result.get("item", item)[id], size=1))["items"]
        assert result == ({} if encode(listed) == encode(item) else {"item": listed})


@settings(max_examples=TABLES)
@given(cases(KEYS, NAMES, TYPES, VALUES))
def test_every_sqlite_case_is_correct(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(Path(folder) / "mail.db", isolation_level=None)
        database.text_factory = text
        try:
            asyncio.run(check_sqlite(case, database, Path(folder) / "mail.db"))
        finally:
            database.close()


async def check_sqlite(case: Case, database: sqlite3.Connection, path: Path) -> None:
    database.execute("PRAGMA synchronous=off")
    make(database, case)
    names = [name for name, _ in case.columns]
    order = [(names[place], falls) for place, falls in case.order]
    table = Table(SQLite(path), "mail", order=[f"-{name}" if falls else name for name, falls in order], columns=[*names, LAST], write=True, triggers=True)
    if any(name.startswith("-") and name[1:] in names for name, _ in order):
        return  # Two rows have this id, so it is unclear which one is meant.
    asked = Asked(table)
    layout = await table.layout()
    by = dict(order or layout.order)
    falls = list(by.values())[-1] if by else True
    by |= {name: falls for name in layout.key if name not in by}
    # A row number has a name that no column has, and that isn't quoted.
    column = {name: f"mail.{quoted(name) if name in names else name}" for name in by}
    sql = ", ".join(f"{column[name]} COLLATE BINARY {'DESC' if down else 'ASC'} NULLS LAST" for name, down in by.items())
    known = " AND ".join(f"{column[name]} IS NOT NULL" for name in layout.key)
    wanted = [number for (number,) in database.execute(f"SELECT {quoted(LAST)} FROM mail WHERE {known} ORDER BY {sql}")]

    def rows() -> dict[int, tuple[Any, ...]]:
        columns = ", ".join(f"typeof(mail.{quoted(name)}), mail.{quoted(name)}" for name in names)
        return {row[0]: row[1:] for row in database.execute(f"SELECT {quoted(LAST)}, {columns} FROM mail")}

    items = await check_pages(asked, case.size, wanted)
    stored = rows()
    for item in items:
        for name, value in zip(names, stored[item[LAST]][1::2]):
            if name != layout.id and name not in layout._booleans:
                assert item[name] == as_shown(value) and type(item[name]) is type(as_shown(value))
    state = (await asked.result("source/page", size=1))["state"]
    database.execute(f"UPDATE mail SET {quoted(LAST)} = {quoted(LAST)} + 1000 WHERE {known}")
    await check_changes(asked, state, items, layout.id)
    stored = rows()
    for item in items:
        number = item[LAST]
        assert await asked.result("source/change", item=item | {LAST: number}) == {}
        changed = rows()
        stored[number] = stored.pop(number + 1000)
        assert changed == stored
    await check_removals(asked, items.copy(), stored, rows, layout.id)
    await check_insertions(asked, items, layout.id)


@st.composite
def postgres_cases(draw: st.DrawFn) -> Case:
    names = draw(st.lists(st.sampled_from([name for name in NAMES if name]), min_size=2, max_size=4, unique=True))
    types = [draw(st.sampled_from([one for one in LITERALS if one not in UNORDERED] if place < 2 else list(LITERALS))) for place in range(len(names))]
    row = st.tuples(*(st.sampled_from([*LITERALS[type], "NULL"]) for type in types)).map(list)
    rows = draw(st.lists(row, min_size=1, max_size=8))
    order = draw(st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=2, unique_by=lambda one: one[0]))
    return Case(draw(st.sampled_from(["one", "two"])), list(zip(names, types)), rows, order, draw(st.integers(1, 3)))


@settings(max_examples=TABLES // 4)
@given(case=postgres_cases())
def test_every_postgres_case_is_correct(postgres: Server, case: Case) -> None:
    asyncio.run(asyncio.wait_for(check_postgres(case, postgres), 60))


async def check_postgres(case: Case, postgres: Server) -> None:
    connection = postgres.connect()

    def run(sql: str) -> list[Any]:
        found = connection.execute(sql.encode())
        return found.fetchall() if found.description else []

    run("DROP TABLE IF EXISTS mail, nagare_mail CASCADE; DROP FUNCTION IF EXISTS nagare_mail() CASCADE;"
        " DROP TYPE IF EXISTS mood, pair, positive CASCADE")
    run("CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE TYPE pair AS (one int, two text); CREATE DOMAIN positive AS int CHECK (VALUE > 0)")
    names, types = zip(*case.columns)
    if any(name.startswith("-") and name[1:] in names for name in names):
        return
    key = [quoted(name) for name in names[: 1 if case.key == "one" else 2]]
    made = ", ".join(f"{quoted(name)} {type}" for name, type in case.columns)
    run(f"CREATE TABLE mail ({made}, {quoted(LAST)} integer, PRIMARY KEY ({', '.join(key)}))")
    for number, row in enumerate(case.rows):
        if "NULL" not in row[: len(key)]:
            run(f"INSERT INTO mail VALUES ({', '.join(row)}, {number}) ON CONFLICT DO NOTHING")
    database = PostgreSQL(postgres.connection)
    table = Table(database, "mail", order=[f"-{names[place]}" if falls else names[place] for place, falls in case.order], write=True, triggers=True)
    asked, columns = Asked(table), ", ".join(f"mail.{quoted(name)}::text" for name in names)
    layout = await table.layout()
    order = ", ".join(f"{layout._columns[name].sortable} {'DESC' if falls else 'ASC'} NULLS LAST" for name, falls in layout.order.items())

    def rows() -> dict[int, Any]:
        return {row[0]: row[1:] for row in run(f"SELECT {quoted(LAST)}, {columns} FROM mail")}

    try:
        items = await check_pages(asked, case.size, [number for (number,) in run(f"SELECT {quoted(LAST)} FROM mail ORDER BY {order}")])
        state = (await asked.result("source/page", size=1))["state"]
        run(f"UPDATE mail SET {quoted(LAST)} = {quoted(LAST)} + 1000")
        await check_changes(asked, state, items, layout.id)
        stored = rows()
        for item in items:
            assert await asked.result("source/change", item=item) == {}
            stored[item[LAST]] = stored.pop(item[LAST] + 1000)
            assert rows() == stored
        await check_removals(asked, items.copy(), stored, rows, layout.id)
        await check_insertions(asked, items, layout.id)
    finally:
        await database._close_idle()
        connection.close()
