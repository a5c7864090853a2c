"""Rows that JSON or a list can't represent exactly. Each is shown as far as possible, or omitted with a warning, and
never affects others."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import ask, line, run
from conftest import List
from databases import Under, UnderPostgreSQL, UnderSQLite, configure
from nagare_source import ALL, SQLite, SourceError, Table, fitting, layout, table
from nagare_source.postgres import PostgreSQL
from nagare_source.program import Program
from postgres import PostgreSQL as Server
from server import until

Message = dict[str, Any]
LARGE = 17_000_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "odd.db", isolation_level=None)
    yield connection
    connection.close()


class Asked:
    """A program for a table (by default that of `odd.db` in a folder) that receives a server's requests."""

    def __init__(self, folder: Path | Table, name: str = "odd", **told: Any) -> None:
        self.table = folder if isinstance(folder, Table) else Table(SQLite(folder / "odd.db"), name, **told, write=True, triggers=True)
        self._program = Program(self.table, 1)

    def answers(self, *lines: bytes) -> list[Message]:
        async def all() -> list[Message]:
            found = [await ask(self._program, one) for one in lines]
            if isinstance(self.table._database, PostgreSQL):
                # The connections belong to this event loop.
                await self.table._database._close_idle()
            return found

        found: list[Message] = run(all())
        return found

    def guess(self) -> Message:
        async def display() -> Message:
            found = (await self.table.display_guess()).display(whole=False)
            if isinstance(self.table._database, PostgreSQL):
                await self.table._database._close_idle()
            return found

        found: Message = run(display())
        return found

    def result(self, method: str = "source/page", **params: Any) -> Any:
        (answer,) = self.answers(line(method, **{"size": 100, **params}))
        assert "result" in answer, answer
        return answer["result"]

    def error(self, method: str, **params: Any) -> Any:
        (answer,) = self.answers(line(method, **params))
        assert "error" in answer, answer
        return answer["error"]

    def pages(self, size: int, way: str = "next", **params: Any) -> list[list[Any]]:
        pages, first = [], True
        key = params.pop("key", None)
        while first or key is not None:
            page = self.result(key=key, size=size, **params)
            pages.append([item["n"] for item in page["items"]])
            key, first = page.get(way), False
            assert len(pages) < 100
        return pages


def test_a_column_named_like_the_id_except_for_case_works(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("CREATE TABLE odd (uid INTEGER PRIMARY KEY, ID TEXT, n INTEGER)")
    database.executemany("INSERT INTO odd VALUES (?, ?, ?)", [(n, f"{(n * 7) % 10}", n) for n in range(10)])
    asked = Asked(tmp_path)
    item = asked.result()["items"][0]
    assert item == {"id": 9, "uid": 9, "ID": "3", "n": 9}
    wanted = sorted(range(10), key=lambda n: (n * 7) % 10)
    assert sum(asked.pages(3, filters={"sort": "ID"}), []) == wanted
    assert sum(asked.pages(3, filters={"sort": "-ID"}), []) == wanted[::-1]


def test_rows_of_a_custom_statement_keep_the_case_of_their_names(tmp_path: Path) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    row = database.execute("SELECT 1 AS id, 2 AS ID, 3 AS n, 4 AS n").fetchone()
    from nagare_source import KeysetPage, Page

    answer = run(ask(Program(lambda *_: Page([row]), 1), line()))
    assert answer["result"]["items"] == [{"id": 1, "ID": 2, "n": 3}]
    assert KeysetPage(["ID", "id"], None, 1).of([row, row]).next == {"after": [2, 1]}


@pytest.mark.parametrize("table, other", [("mail", "MAIL"), ("Mail", "mail")])
def test_a_table_can_be_named_in_another_case(database: sqlite3.Connection, tmp_path: Path, table: str, other: str) -> None:
    database.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, n)")
    database.execute(f"INSERT INTO {table} VALUES (1, 1)")
    for n, name in enumerate((table, other, table), 1):
        asked = Asked(tmp_path, name)
        page = asked.result()
        assert page["items"] == [{"id": 1, "n": n}]
        run(asked.table.install())
        database.execute(f"UPDATE {table} SET n = n + 1")
        assert changes_since(asked.table, page["state"]) == [{"change": {"id": 1, "n": n + 1}}]
    database.execute(f"DROP TRIGGER nagare_{table}_update")
    asked = Asked(tmp_path, other)
    assert asked.result()["items"] == [{"id": 1, "n": 4}]
    run(asked.table.remove_triggers())
    assert database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'nagare%'").fetchall() == []


@pytest.mark.parametrize("name", ["rowid", "_rowid_", "oid"])
def test_a_column_can_have_the_name_of_the_row_number(database: sqlite3.Connection, tmp_path: Path, name: str) -> None:
    database.execute(f"CREATE TABLE odd (n INTEGER, {name} TEXT)")
    database.executemany("INSERT INTO odd VALUES (?, ?)", [(n, "z") for n in range(5)])
    asked = Asked(tmp_path)
    assert asked.pages(2) == [[4, 3], [2, 1], [0]]
    assert run(asked.table.capabilities()).is_large is False


def test_keys_that_differ_only_in_case_are_different_ids(database: sqlite3.Connection, tmp_path: Path) -> None:
    """The old id is reported as removed."""
    database.execute("CREATE TABLE odd (id TEXT COLLATE NOCASE PRIMARY KEY, n)")
    database.execute("INSERT INTO odd VALUES ('a', 1)")
    asked = Asked(tmp_path)
    state = asked.result()["state"]
    database.execute("UPDATE odd SET id = 'A'")
    steps, _ = run(asked.table.follower.steps(state, None, {}))
    assert [change for changes, _ in steps for change in changes] == [{"remove": "a"}, {"change": {"id": "A", "n": 1}}]


ODD = [
    ("CAST(x'61ff62' AS TEXT)", "a\ufffdb", "UTF-8"),
    ("9e999", "Infinity", ""),
    ("-9e999", "-Infinity", ""),
    ("x'00ff'", "\\x00ff", ""),
    ("char(0)", "\0", ""),
    (f"zeroblob({LARGE})", "\\x" + "00" * 10_000 + "…", "shortened"),
    (f"printf('%.*c', {LARGE}, 'x')", "x" * 10_000 + "…", "shortened"),
]


@pytest.mark.parametrize(("odd", "shown", "report"), ODD, ids=["text", "infinity", "minus infinity", "bytes", "NUL", "large bytes", "large text"])
def test_an_odd_row_is_shown_and_does_not_affect_others(
    database: sqlite3.Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str], odd: str, shown: str, report: str
) -> None:
    database.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, n INTEGER, what TEXT, real REAL)")
    database.execute("INSERT INTO odd VALUES (1, 1, 'plain', 1), (2, 2, 'plain', 1), (4, 4, 'plain', 1), (5, 5, 'plain', 1)")
    column = "real" if "9e999" in odd else "what"
    database.execute(f"INSERT INTO odd (id, n, {column}) VALUES (3, 3, {odd})")
    asked = Asked(tmp_path)
    assert sum(asked.pages(2), []) == [5, 4, 3, 2, 1]
    assert asked.result(at=2, size=1)["items"][0][column] == shown
    last = asked.result(at=4, size=1)
    assert sum(asked.pages(2, "previous", key=last["previous"])[::-1], []) == [5, 4, 3, 2]
    assert asked.result(around=3, size=3)["position"] == 1
    item = asked.result("source/item", id=3)["item"]
    assert item[column] == shown
    assert report in capsys.readouterr().err
    # Changes of the odd row are reported, and so are those of others.
    state = asked.result()["state"]
    database.execute("UPDATE odd SET n = n + 10")
    steps, _ = run(asked.table.follower.steps(state, None, {}))
    told = {change["change"]["id"]: change["change"] for changes, _ in steps for change in changes if changes != ALL}
    assert told.keys() == {1, 2, 3, 4, 5} or any(changes == ALL for changes, _ in steps)
    # Changes another field. The value that can't be shown stays unchanged.
    before = database.execute(f"SELECT typeof({column}), hex(substr({column}, 1, 9)), length({column}) FROM odd WHERE id = 3").fetchall()
    assert asked.result("source/change", item=item | {"n": 33}) == {}
    assert database.execute("SELECT n FROM odd WHERE id = 3").fetchone() == (33,)
    assert database.execute(f"SELECT typeof({column}), hex(substr({column}, 1, 9)), length({column}) FROM odd WHERE id = 3").fetchall() == before
    if report == "shortened":
        assert "too long to be shown" in asked.error("source/change", item=item | {column: shown + "and more"})["message"]
        assert database.execute(f"SELECT length({column}) FROM odd WHERE id = 3").fetchone() == (LARGE,)


@pytest.mark.parametrize("order", [["what", "id"], ["-what", "id"], ["id"]])
def test_rows_too_large_for_one_message_are_split_into_pages(
    database: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: list[str]
) -> None:
    for module in (fitting, layout, table):
        monkeypatch.setattr(module, "ITEMS_LIMIT", 15_000)
    for module in (fitting, table):
        # A page's key contains a row's id if its values are too long.
        monkeypatch.setattr(module, "KEY_LIMIT", 1000)
    database.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, n INTEGER, what TEXT)")
    for n in range(7):
        database.execute("INSERT INTO odd VALUES (?, ?, printf('%.*c', ?, 'x'))", [n, n, 20_000 if n == 3 else 6_000 + n])
    asked = Asked(tmp_path, order=order)
    by = ", ".join(f"{one[1:]} DESC" if one[0] == "-" else one for one in order)
    wanted = [n for (n,) in database.execute(f"SELECT n FROM odd ORDER BY {by}")]
    pages = asked.pages(7)
    assert sum(pages, []) == wanted and max(map(len, pages)) <= 3
    last = asked.result(at=6, size=5)
    assert sum(asked.pages(5, "previous", key=last["previous"])[::-1], []) == wanted[:-1]
    for at in range(7):
        assert asked.result(at=at, size=7)["items"][0]["n"] == wanted[at]
        assert wanted[at] in [item["n"] for item in asked.result(around=wanted[at], size=7)["items"]]
    # The row that a key refers to may be removed in the meantime.
    key = asked.result(size=1)["next"]
    assert ("id" in json.dumps(key)) == (order != ["id"])
    database.execute("DELETE FROM odd WHERE n = ?", [wanted[0]])
    if order == ["id"]:
        assert asked.result(key=key, size=1)["items"][0]["n"] == wanted[1]
    else:
        assert "there is no row" in asked.error("source/page", key=key)["message"]


@pytest.mark.parametrize("key", ["PRIMARY KEY", "TEXT PRIMARY KEY"])
def test_rows_whose_key_cannot_be_an_id_are_omitted_and_reported(
    database: sqlite3.Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    database.execute(f"CREATE TABLE odd (k {key}, n INTEGER)")
    database.execute(f"INSERT INTO odd VALUES ('a', 1), (NULL, 2), ('b', 3), (NULL, 4), (printf('%.*c', {LARGE}, 'x'), 5), ('z', 6)")
    asked = Asked(tmp_path)
    assert asked.pages(2) == [[6, 3], [1]] and asked.result()["total"] == 3
    assert "odd: 3 rows aren't listed, as what tells rows apart (k) is NULL there, or too long" in capsys.readouterr().err
    state = asked.result()["state"]
    database.execute("UPDATE odd SET n = n + 10")
    steps, _ = run(asked.table.follower.steps(state, None, {}))
    assert sorted(change["change"]["n"] for changes, _ in steps for change in changes if "change" in change) == [11, 13, 16]


def test_values_of_different_types_in_an_untyped_key_are_different_ids(database: sqlite3.Connection, tmp_path: Path) -> None:
    """Numbers, texts and bytes that look alike belong to different rows. An edit changes the right one."""
    database.execute("CREATE TABLE odd (k PRIMARY KEY, n INTEGER)")
    keys: list[Any] = [1, "1", b"1", 1.5, "1.5", b"", "", b"\x00", "\\x00", "\\\\x00", "\\x", "Infinity", float("inf"), "\\Infinity", 2**62, "é"]
    keys += [n.to_bytes(2, "big") for n in range(14)]
    database.executemany("INSERT INTO odd VALUES (?, ?)", [(key, n) for n, key in enumerate(keys)])
    asked = Asked(tmp_path)
    wanted = [n for (n,) in database.execute("SELECT n FROM odd ORDER BY k DESC")]
    assert len(wanted) == 30
    for size in (1, 4, 7):
        assert sum(asked.pages(size), []) == wanted
    items = asked.result()["items"]
    for item in items:
        asked.result("source/change", item=item | {"n": item["n"] + 100})
        assert database.execute("SELECT k FROM odd WHERE n >= 100").fetchall() == [(keys[item["n"]],)]
        assert asked.result("source/remove", id=item["id"]) == {}
        assert database.execute("SELECT count(*) FROM odd WHERE n >= 100 OR n = ?", [item["n"]]).fetchone() == (0,)
    assert database.execute("SELECT count(*) FROM odd").fetchone() == (0,)
    # An inserted item gets the id that the list shows for it.
    for item in items:
        asked.result("source/insert", item=item, before=None)
    assert database.execute("SELECT typeof(k), k, n FROM odd ORDER BY n").fetchall() == [
        ({int: "integer", str: "text", bytes: "blob", float: "real"}[type(key)], key, n) for n, key in enumerate(keys)
    ]


@pytest.mark.parametrize("id", ["nothing", "\\x00", 2**70, 1.5, "\\\\\\", "[1]", "[1,2,3]", "[", None, True, [1], {"a": 1}, "\ud800"])
@pytest.mark.parametrize("key", ["k PRIMARY KEY", "k, l, PRIMARY KEY (k, l)"])
def test_an_edit_of_a_missing_row_fails(database: sqlite3.Connection, tmp_path: Path, id: Any, key: str) -> None:
    database.execute(f"CREATE TABLE odd ({key.replace('k,', 'k, n INTEGER,', 1) if 'l' in key else key + ', n INTEGER'}) WITHOUT ROWID")
    database.execute("INSERT INTO odd (k, n" + (", l" if "l" in key else "") + ") VALUES ('a', 1" + (", 'b'" if "l" in key else "") + ")")
    asked = Asked(tmp_path)
    before = database.execute("SELECT * FROM odd").fetchall()
    assert asked.error("source/remove", id=id)["code"] == -32015
    assert asked.error("source/change", item={"id": id, "n": 2})["code"] == -32015
    assert asked.error("source/item", id=id)["code"] == -32015
    assert asked.error("source/remove", ids=[id])["code"] == -32015
    assert asked.error("source/change", ids=[id], set={"n": 2})["code"] == -32015
    assert database.execute("SELECT * FROM odd").fetchall() == before


def test_an_edit_that_a_trigger_ignores_fails(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.executescript("""
        CREATE TABLE odd (id INTEGER PRIMARY KEY, n);
        INSERT INTO odd VALUES (1, 1);
        CREATE TRIGGER u BEFORE UPDATE ON odd BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER d BEFORE DELETE ON odd BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER i BEFORE INSERT ON odd BEGIN SELECT RAISE(IGNORE); END;
    """)
    asked = Asked(tmp_path)
    for method, params in (("change", {"item": {"id": 1, "n": 2}}), ("remove", {"id": 1}), ("insert", {"item": {"id": 2}, "before": None})):
        assert f"passed over this {method}" in asked.error(f"source/{method}", **params)["message"]


def test_an_edit_whose_id_belongs_to_several_rows_is_refused(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("CREATE TABLE odd (k, n)")
    database.execute("INSERT INTO odd VALUES ('a', 1), ('a', 2)")
    asked = Asked(tmp_path, id="k")
    for method, params in (("change", {"item": {"id": "a", "n": 3}}), ("remove", {"id": "a"})):
        assert "--id" in asked.error(f"source/{method}", **params)["message"]
    assert database.execute("SELECT * FROM odd").fetchall() == [("a", 1), ("a", 2)]


@pytest.mark.parametrize("live", [True, False])
def test_an_edit_from_before_vacuum_changes_no_other_row(database: sqlite3.Connection, tmp_path: Path, live: bool) -> None:
    """VACUUM renumbers the rows of a table without a key and without an index."""
    database.execute("CREATE TABLE odd (n)")
    database.executemany("INSERT INTO odd VALUES (?)", [(n,) for n in range(1, 6)])
    database.execute("DELETE FROM odd WHERE n < 3")
    asked = Asked(tmp_path, live=live)
    before = {item["n"]: item["id"] for item in asked.result()["items"]}
    state = asked.result().get("state")
    database.execute("VACUUM")
    assert database.execute("SELECT rowid, n FROM odd").fetchall() == [(1, 3), (2, 4), (3, 5)]
    rows = [(3,), (4,), (5,)]
    for method, params in (
        ("remove", {"id": before[3]}), ("remove", {"ids": [before[3]]}), ("remove", {"all": True, "except": [before[3]]}),
        ("change", {"item": {"id": before[3], "n": 9}}), ("change", {"ids": [before[3]], "set": {"n": 9}}),
        ("change", {"all": True, "except": [before[3]], "set": {"n": 9}}), ("item", {"id": before[3]}), ("page", {"around": before[3], "size": 2}),
    ):
        assert asked.error(f"source/{method}", **params)["code"] == -32015, (method, params)
        assert database.execute("SELECT n FROM odd").fetchall() == rows
    if live:
        with pytest.raises(SourceError, match="isn't noted any more"):
            run(asked.table.follower.steps(state, None, {}))
    after = {item["n"]: item["id"] for item in asked.result()["items"]}
    assert asked.result("source/item", id=after[3])["item"]["n"] == 3
    asked.result("source/change", item={"id": after[4], "n": 9})
    asked.result("source/remove", all=True, **{"except": [after[4]]})
    assert database.execute("SELECT n FROM odd").fetchall() == [(9,)]
    if live:
        steps, _ = run(asked.table.follower.steps(asked.result()["state"], None, {}))
        assert steps == []


@pytest.mark.parametrize("key", ["", "k"])
def test_a_table_may_have_as_many_columns_as_the_database_allows(under: Under, key: str) -> None:
    """A result has one column more than the table: the key again, or the id."""
    under.run("DROP TABLE IF EXISTS thing")
    under.run("DROP TABLE IF EXISTS nagare_thing")
    count = 2000 if under.make == "sqlite" else 1600
    columns = [f"c{number}" for number in range(count)]
    declared = [f"{name} TEXT" for name in columns]
    if key or under.make == "postgres":
        declared[7] += " PRIMARY KEY"
    under.run(f"CREATE TABLE thing ({', '.join(declared)})")
    under.run("INSERT INTO thing (c0, c7, c1599) VALUES ('a', 'b', 'c'), ('d', 'e', 'f')")
    asked = Asked(Table(under.database(), "thing", order=["c0"], write=True, triggers=True))
    page = asked.result()
    assert [(item["c0"], item["c7"], item["c1599"], item[columns[-1]]) for item in page["items"]] == [
        ("a", "b", "c", "c" if count == 1600 else None), ("d", "e", "f", "f" if count == 1600 else None)
    ]
    id = page["items"][1]["id"]
    assert asked.result(query="f")["items"] == page["items"][1:]
    assert asked.result("source/item", id=id)["item"] == page["items"][1]
    assert asked.result(around=id, size=1)["items"] == page["items"][1:]
    asked.result("source/change", item=page["items"][1] | {columns[-1]: "g"})
    assert changes_since(asked.table, page["state"]) == [{"change": page["items"][1] | {columns[-1]: "g"}}]
    assert asked.guess()["title"]
    under.run("DROP TABLE thing")


def test_a_text_that_looks_like_bytes_stays_a_text(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, title TEXT, picture BLOB)")
    database.execute(r"INSERT INTO odd VALUES (1, '\x41', x'41'), (2, '\x42', '\x42')")
    asked = Asked(tmp_path, columns=["title", "picture"])
    assert asked.guess()["hidden"] == ["picture"] and asked.guess()["title"] == "title"
    for id in (1, 2):
        asked.result("source/change", item={"id": id, "title": "\\x43", "picture": "\\x43"})
    asked.result("source/insert", item={"id": 3, "title": "\\x43", "picture": "\\x43"}, before=None)
    assert database.execute("SELECT * FROM odd").fetchall() == [(1, "\\x43", b"C"), (2, "\\x43", "\\x43"), (3, "\\x43", b"C")]
    for name in ("title", "picture"):
        for value in ("\\x43", ["\\x43"], {"from": "\\x43"}):
            assert {item["id"] for item in asked.result(filters={name: value})["items"]} >= ({1, 2, 3} if name == "title" else {1, 3}), (name, value)


UNIQUE = [
    (["k TEXT NOT NULL UNIQUE"], [], ["k"]),
    (["k TEXT NOT NULL", "m INTEGER NOT NULL"], ["UNIQUE (m, k)"], ["k", "m"]),
    (["k TEXT NOT NULL", "m INTEGER NOT NULL UNIQUE"], ["UNIQUE (k, m)"], ["m"]),
    (["k TEXT NOT NULL", "m INTEGER UNIQUE"], ["CREATE UNIQUE INDEX u ON thing (k)"], ["k"]),
    (["k TEXT UNIQUE", "m INTEGER NOT NULL"], ["CREATE UNIQUE INDEX u ON thing (m) WHERE m > 5"], []),
    (["k TEXT NOT NULL", "m INTEGER NOT NULL"], ["CREATE UNIQUE INDEX u ON thing (lower(k))", "CREATE INDEX v ON thing (m)"], []),
    (["k TEXT NOT NULL UNIQUE", "id INTEGER PRIMARY KEY"], [], ["id"]),
]


@pytest.mark.parametrize(("columns", "constraints", "key"), UNIQUE)
def test_a_unique_column_that_is_never_null_is_the_key_of_a_table_without_one(
    under: Under, columns: list[str], constraints: list[str], key: list[str]
) -> None:
    under.run("DROP TABLE IF EXISTS thing")
    under.run("DROP TABLE IF EXISTS nagare_thing")
    indexes = [one for one in constraints if one.startswith("CREATE")]
    parts = [*columns, "n INTEGER", *(one for one in constraints if one not in indexes)]
    under.run(f"CREATE TABLE thing ({', '.join(parts)})")
    for index in indexes:
        under.run(index)
    names = [column.split()[0] for column in columns]
    for number in (1, 2):
        row = {"k": f"a{number}", "m": number, "id": number}
        under.run(f"INSERT INTO thing ({', '.join(names)}, n) VALUES ({', '.join('?' for _ in names)}, 0)", [row[name] for name in names])
    asked = Asked(Table(under.database(), "thing", write=True, triggers=True))
    if not key and under.make == "postgres":
        assert "has no primary key" in asked.error("source/page")["message"]
        return
    page = asked.result()
    assert asked.table._layout is not None and asked.table._layout.key == (key or ["rowid"])
    item = next(item for item in page["items"] if item["k"] == "a1")
    asked.result("source/change", item=item | {"n": 1})
    assert changes_since(asked.table, page["state"]) == [{"change": item | {"n": 1}}]
    asked.result("source/remove", id=item["id"])
    assert under.rows("SELECT k, n FROM thing") == [("a2", 0)]
    if under.make == "sqlite" and key == ["k"]:
        under.run("UPDATE thing SET k = x'41'")
        assert [item["id"] for item in asked.result()["items"]] == ["\\x41"]


def test_a_primary_key_that_is_added_later_is_used(under: Under) -> None:
    under.run("DROP TABLE IF EXISTS thing")
    under.run("DROP TABLE IF EXISTS nagare_thing")
    under.run("CREATE TABLE thing (k TEXT NOT NULL UNIQUE, m TEXT NOT NULL)")
    under.run("INSERT INTO thing VALUES ('a', 'b')")
    asked = Asked(Table(under.database(), "thing", write=True, triggers=True))
    assert asked.result()["items"] == [{"id": "a", "k": "a", "m": "b"}]
    if under.make == "postgres":
        under.run("ALTER TABLE thing DROP CONSTRAINT thing_k_key, ADD PRIMARY KEY (m)")
        assert asked.result()["items"] == [{"id": "b", "k": "a", "m": "b"}]


@pytest.mark.parametrize("ids", [["k", "m"], ["k", ["k", "m"]], [["m", "k"], ["k", "m"]], ['"`', "k"]])
def test_a_program_with_another_key_recreates_the_triggers(under: Under, ids: list[Any]) -> None:
    """Triggers that were created for another `--id` log ids that no row has."""
    under.run("DROP TABLE IF EXISTS thing")
    under.run("DROP TABLE IF EXISTS nagare_thing")
    under.raw("""CREATE TABLE thing (k TEXT NOT NULL, m TEXT NOT NULL, "\"\"`" TEXT NOT NULL, n INTEGER)""")
    under.run("INSERT INTO thing VALUES ('a', 'b', 'c', 1)")
    for id in [*ids, ids[0]]:
        asked = Asked(Table(under.database(), "thing", id=id, write=True, triggers=True))
        (item,) = asked.result()["items"]
        asked = Asked(Table(under.database(), "thing", id=id, write=True, triggers=True))
        state = asked.result()["state"]
        under.run("UPDATE thing SET n = n + 1")
        assert changes_since(asked.table, state) == [{"change": item | {"n": item["n"] + 1}}]


def changes_since(table: Table, state: str) -> list[Any]:
    async def all() -> list[Any]:
        steps, _ = await table.follower.steps(state, None, {})
        if isinstance(table._database, PostgreSQL):
            await table._database._close_idle()
        return [change for changes, _ in steps for change in changes]

    found: list[Any] = run(all())
    return found


def test_row_numbers_identify_rows_whose_key_is_null(
    database: sqlite3.Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database.execute("CREATE TABLE odd (id TEXT PRIMARY KEY, n)")
    database.execute("INSERT INTO odd VALUES ('a', 1), (NULL, 2), (NULL, 3)")
    assert Asked(tmp_path).result()["items"] == [{"id": "a", "n": 1}]
    assert "2 rows aren't listed" in (said := capsys.readouterr().err) and "--id rowid lists every row" in said
    asked = Asked(tmp_path, id="rowid")
    items = asked.result()["items"]
    assert [(item["id"], item["n"], item["rowid"]) for item in items] == [(None, 3, 3), (None, 2, 2), ("a", 1, 1)]
    assert asked.table._layout is not None and (id := asked.table._layout.id) == "id_"
    state = asked.result()["state"]
    asked.result("source/change", item=items[0] | {"id": "c"})
    asked.result("source/remove", id=items[1]["id_"])
    steps, _ = run(asked.table.follower.steps(state, None, {}))
    assert [change for changes, _ in steps for change in changes] == [{"change": items[0] | {"id": "c"}}, {"remove": items[1][id]}]
    assert database.execute("SELECT * FROM odd").fetchall() == [("a", 1), ("c", 3)]
    assert "rowid" not in Asked(tmp_path).result()["items"][0]


def test_a_change_of_a_row_without_a_key_has_the_id_of_the_list(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("CREATE TABLE odd (n)")
    database.execute("INSERT INTO odd (rowid, n) VALUES (-4, 1), (7, 2)")
    asked = Asked(tmp_path)
    page = asked.result()
    database.execute("UPDATE odd SET n = 3 WHERE rowid = -4")
    database.execute("DELETE FROM odd WHERE rowid = 7")
    steps, _ = run(asked.table.follower.steps(page["state"], None, {}))
    ids = {item["n"]: item["id"] for item in page["items"]}
    assert [change for changes, _ in steps for change in changes] == [{"change": {"id": ids[1], "n": 3, "rowid": -4}}, {"remove": ids[2]}]
    asked.result("source/remove", id=ids[1])
    assert database.execute("SELECT n FROM odd").fetchall() == []


def test_views_with_triggers_for_edits_can_be_edited(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.executescript("""
        CREATE TABLE real (id INTEGER PRIMARY KEY, n);
        INSERT INTO real VALUES (1, 1), (2, 2);
        CREATE VIEW odd AS SELECT * FROM real;
        CREATE TRIGGER u INSTEAD OF UPDATE ON odd BEGIN UPDATE real SET n = NEW.n WHERE id = NEW.id; END;
        CREATE TRIGGER d INSTEAD OF DELETE ON odd BEGIN DELETE FROM real WHERE id = OLD.id; END;
    """)
    asked = Asked(tmp_path, live=False)
    asked.result("source/change", item={"id": 1, "n": 5})
    asked.result("source/remove", id=2)
    assert database.execute("SELECT * FROM real").fetchall() == [(1, 5)]
    assert asked.error("source/remove", id=2)["code"] == -32015


@pytest.mark.parametrize("order", [[], ["n"], ["-text"]])
def test_a_row_with_a_failing_column_does_not_affect_others(under: Under, capsys: pytest.CaptureFixture[str], order: list[str]) -> None:
    """For example a view, or a column in SQLite, that is computed when it is read."""
    under.run("DROP VIEW IF EXISTS odd")
    under.run("DROP TABLE IF EXISTS texts")
    under.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL)")
    read = "json_extract(text, '$.a')" if under.make == "sqlite" else "text::json ->> 'a'"
    under.run(f"CREATE VIEW odd AS SELECT id, n, text, {read} AS a FROM texts")
    for n in range(1, 6):
        under.run("INSERT INTO texts VALUES (?, ?, ?)", [n, n, '{"a' if n == 3 else '{"a":"x"}'])
    asked = Asked(Table(under.database(), "odd", order=order, live=False, write=True, triggers=True))
    by = {(): "id DESC", ("n",): "n, id", ("-text",): "text DESC, id DESC"}[tuple(order)]
    wanted = [n for (n,) in under.rows(f"SELECT n FROM odd ORDER BY {by}")]
    for size in (1, 2, 5):
        answers: list[Any] = []
        key = None
        while not answers or key is not None:
            page = asked.result(key=key, size=size)
            answers += page["items"]
            key = page["next"]
        assert [item["id"] for item in answers] == wanted
    assert [item.get("a") for item in answers if item["id"] != 3] == ["x"] * 4
    assert [item["id"] for item in asked.result(at=wanted.index(3), size=1, filters={"sort": "n"} if order == ["n"] else {})["items"]] == [3]
    assert "a" not in asked.result("source/item", id=3)["item"] and asked.result("source/item", id=4)["item"]["a"] == "x"
    assert "odd: row 3 can't be read, so it is listed with" in capsys.readouterr().err


LOGS = [
    "CREATE TABLE nagare_odd (seq, op, id)",
    "CREATE TABLE nagare_odd (seq INTEGER PRIMARY KEY, op TEXT, id)",
    'CREATE TABLE "nagare_odd" (seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, id)',
    "CREATE TABLE NAGARE_ODD (other)",
    "CREATE VIEW nagare_odd AS SELECT 1 AS seq, 'I' AS op, 1 AS id",
]


@pytest.mark.parametrize("log", LOGS)
def test_a_users_table_with_the_logs_name_is_not_touched(database: sqlite3.Connection, tmp_path: Path, log: str) -> None:
    database.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, n)")
    database.execute(log)
    if "VIEW" not in log:
        database.execute("INSERT INTO nagare_odd VALUES ('x')" if "other" in log else "INSERT INTO nagare_odd VALUES (1, 'mine', 5)")
    before = list(database.iterdump())
    asked = Asked(tmp_path)
    said = asked.error("source/page")["message"]
    assert "nagare_odd" in said.lower() and "isn't nagare-source-sql's" in said
    with pytest.raises(SourceError, match="isn't nagare-source-sql's"):
        run(asked.table.install())
    assert run(asked.table.remove_triggers()) == []
    assert "isn't nagare-source-sql's" in run(asked.table.capabilities()).why_no_triggers
    assert list(database.iterdump()) == before and database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert Asked(tmp_path, live=False).result()["items"] == []


@pytest.mark.parametrize("on", ["odd", "other"])
def test_a_users_trigger_with_our_name_is_not_touched(database: sqlite3.Connection, tmp_path: Path, on: str) -> None:
    database.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, n)")
    database.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, n)")
    database.execute(f"CREATE TRIGGER nagare_odd_update AFTER UPDATE ON {on} BEGIN DELETE FROM other; END")
    before = list(database.iterdump())
    asked = Asked(tmp_path)
    assert "nagare_odd_update is a trigger that isn't" in asked.error("source/page")["message"]
    assert run(asked.table.remove_triggers()) == []
    assert list(database.iterdump()) == before


OLD = """
CREATE TABLE "nagare_odd" (seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, id);
INSERT INTO nagare_odd VALUES (1000, 'A', NULL);
CREATE TRIGGER "nagare_odd_insert" AFTER INSERT ON "odd" BEGIN INSERT INTO "nagare_odd" (op, id) VALUES ('I', {new});
 DELETE FROM "nagare_odd" WHERE seq <= (SELECT max(seq) FROM "nagare_odd") - 10000; END;
CREATE TRIGGER "nagare_odd_update" AFTER UPDATE ON "odd" BEGIN INSERT INTO "nagare_odd" (op, id) SELECT 'C', {old} WHERE {old} IS NOT {new}
 UNION ALL SELECT 'C', {new}; DELETE FROM "nagare_odd" WHERE seq <= (SELECT max(seq) FROM "nagare_odd") - 10000; END;
CREATE TRIGGER "nagare_odd_delete" AFTER DELETE ON "odd" BEGIN INSERT INTO "nagare_odd" (op, id) VALUES ('C', {old});
 DELETE FROM "nagare_odd" WHERE seq <= (SELECT max(seq) FROM "nagare_odd") - 10000; END;
"""


@pytest.mark.parametrize("key", ["id INTEGER PRIMARY KEY, n", "a, b, n, PRIMARY KEY (a, b)"])
def test_a_log_of_an_older_version_is_recognized(database: sqlite3.Connection, tmp_path: Path, key: str) -> None:
    """The log is kept. If the key has several columns, for which an old log has no room, it is created again."""
    is_one = "id" in key
    database.execute(f"CREATE TABLE odd ({key})" + ("" if is_one else " WITHOUT ROWID"))
    new, old = (f"{of}.id" if is_one else f"json_array({of}.a, {of}.b)" for of in ("NEW", "OLD"))
    database.executescript(OLD.format(new=new, old=old))
    asked = Asked(tmp_path)
    state = asked.result()["state"]
    database.execute("INSERT INTO odd VALUES (1, 1)" if is_one else "INSERT INTO odd VALUES (1, 1, 1)")
    steps, _ = run(asked.table.follower.steps(state, None, {}))
    assert [list(change) for changes, _ in steps for change in changes] == [["insert"]]
    assert (state.rpartition("-")[2] == "1000") == is_one
    run(asked.table.remove_triggers())
    assert database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'nagare%'").fetchall() == []


@pytest.mark.parametrize("name", ["a.b", "what"])
def test_a_new_row_gets_the_right_position_among_values_that_the_server_orders_differently(
    database: sqlite3.Connection, tmp_path: Path, list_of: List, name: str
) -> None:
    """In SQLite, bytes come after texts. As texts they begin with a backslash, so they would come before most texts. A
    name with dots is a path for the server."""
    under = UnderSQLite(tmp_path / "mail.db")
    under.run("DROP TABLE mail")
    under.run(f'CREATE TABLE mail (id INTEGER PRIMARY KEY, "{name}")')
    values: list[Any] = [1, "a", "z", b"\x00", b"\xff", float("inf"), float("-inf")] if name == "what" else ["a", "c"]
    for id, value in enumerate(values):
        under.run("INSERT INTO mail VALUES (?, ?)", [id, value])
    listing = list_of(configure(under, tmp_path, "--order", f'"{name}"'))
    listing.tell("viewWillAppear")

    def ids() -> list[int]:
        return [id for (id,) in under.rows(f'SELECT id FROM mail ORDER BY "{name}" NULLS LAST, id')]

    listing.until(ids())
    for id, value in enumerate(["b", 5, b"\x01", "Z"] if name == "what" else ["b", "0", "d"], 50):
        under.run("INSERT INTO mail VALUES (?, ?)", [id, value])
        listing.until(ids())
    under.run(f'UPDATE mail SET "{name}" = ? WHERE id = 50', [b"\x00\x00" if name == "what" else "e"])
    listing.until(ids())


@pytest.mark.parametrize("order", ["p", "p desc"])
def test_a_new_row_gets_the_right_position_among_bytes(under: Under, tmp_path: Path, list_of: List, order: str) -> None:
    under.run("DROP TABLE mail")
    under.run(f"CREATE TABLE mail (id INTEGER PRIMARY KEY, p {'BLOB' if under.make == 'sqlite' else 'BYTEA'})")
    values = [b"", b"\x00", b"\x00\x00", b"\xff", b"a", b"A", b"\\x41", b"0", None]
    for id, value in enumerate(values):
        under.run("INSERT INTO mail VALUES (?, ?)", [id, value])
    if under.make == "postgres":
        # Settings that a role or a database may have.
        under.arguments[1] += " options='-c bytea_output=escape -c extra_float_digits=-5'"
    listing = list_of(configure(under, tmp_path, "--order", order))
    listing.tell("viewWillAppear")
    assert listing.items[0]["p"].startswith("\\x")

    def ids() -> list[int]:
        return [id for (id,) in under.rows(f"SELECT id FROM mail ORDER BY {order} NULLS LAST, id {order[2:]}")]

    listing.until(ids())
    for id, value in enumerate([b"b", b"\x00\x01", b"\xfe\xff", b"\xff\x00", b"z" * 30, b"", None, b"\\"], 50):
        under.run("INSERT INTO mail VALUES (?, ?)", [id, value])
        listing.until(ids())
    under.run("UPDATE mail SET p = ? WHERE id = 50", [b"\x00\x00\x01"])
    listing.until(ids())


def test_a_list_with_odd_rows_is_paged_to_the_end_and_stays_live(database: sqlite3.Connection, tmp_path: Path, list_of: List) -> None:
    """From end to end: the list is live, its odd rows are listed, and no error is reported."""
    under = UnderSQLite(tmp_path / "mail.db")
    for id in range(1, 8):
        under.run("INSERT INTO mail (id, received, subject) VALUES (?, ?, 'plain')", [id, f"2026-{id}"])
    under.run("UPDATE mail SET subject = CAST(x'ff' AS TEXT) WHERE id = 2")
    under.run(f"UPDATE mail SET subject = printf('%.*c', {LARGE}, 'x') WHERE id = 4")
    under.run("UPDATE mail SET read = 9e999 WHERE id = 6")
    listing = list_of(configure(under, tmp_path, pageSize=2))
    listing.tell("viewWillAppear")
    listing.until([7, 6, 5, 4, 3, 2, 1])
    assert listing.items[1]["read"] == "Infinity" and listing.items[5]["subject"] == "\ufffd"
    under.run(f"UPDATE mail SET subject = printf('%.*c', {LARGE}, 'y') WHERE id = 4")
    listing.until_true(lambda: listing.items[3]["subject"].startswith("yy"))
    under.run("INSERT INTO mail (id, received) VALUES (8, '2026-8')")
    listing.until([8, 7, 6, 5, 4, 3, 2, 1])
    listing.server.notify("remove", view="v", id=4)
    until(lambda: under.rows("SELECT id FROM mail WHERE id = 4") == [])
    listing.until([8, 7, 6, 5, 3, 2, 1])
    assert listing.last.get("error") is None


@pytest.fixture
def shop(postgres: Server) -> Iterator[UnderPostgreSQL]:
    under = UnderPostgreSQL(postgres)
    yield under
    under.connection.close()


def refused(under: UnderPostgreSQL, work: str) -> str:
    """Returns the reason why an operation on the table of mails is refused."""

    async def asked() -> str:
        database = PostgreSQL(under.server.connection)
        try:
            table = Table(database, "mail", write=True, triggers=True)
            await (table.capabilities() if work == "capabilities" else getattr(table, work)() if work != "page" else table._page(None, None, 5, {}))
        except SourceError as error:
            return error.message
        finally:
            await database._close_idle()
        return ""

    message: str = run(asked())
    return message


TAKEN = {
    "table": "CREATE TABLE nagare_mail (seq bigint, xid bigint, op text, id jsonb); INSERT INTO nagare_mail VALUES (1, 1, 'mine', '1')",
    "view": "CREATE VIEW nagare_mail AS SELECT 1 AS seq, 1 AS xid, 'mine' AS op, '1'::jsonb AS id",
    "function": "CREATE FUNCTION nagare_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "trigger": "CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
    " CREATE TRIGGER nagare_mail_rows AFTER UPDATE ON mail FOR EACH ROW EXECUTE FUNCTION other()",
}


@pytest.mark.parametrize("kind", TAKEN)
def test_a_users_object_with_the_logs_name_in_postgres_is_not_touched(shop: UnderPostgreSQL, kind: str) -> None:
    shop.raw("DROP FUNCTION IF EXISTS other CASCADE; DROP VIEW IF EXISTS nagare_mail" if kind != "view" else "SELECT 1")
    shop.raw(TAKEN[kind])
    try:
        for work in ("page", "install"):
            assert "isn't nagare-source-sql's" in refused(shop, work), work
        assert refused(shop, "remove_triggers") == ""
        if kind == "table":
            assert shop.rows("SELECT op FROM nagare_mail") == [("mine",)]
        assert len(shop.rows("SELECT tgname FROM pg_trigger WHERE tgrelid = 'mail'::regclass")) == (kind == "trigger")
    finally:
        shop.raw(f"DROP {'FUNCTION other' if kind == 'trigger' else kind + ' nagare_mail'} CASCADE")


def test_our_own_log_in_postgres_is_recognized(shop: UnderPostgreSQL) -> None:
    for work in ("page", "install", "capabilities", "remove_triggers", "page", "remove_triggers"):
        assert refused(shop, work) == ""
    assert shop.rows("SELECT tgname FROM pg_trigger WHERE tgrelid = 'mail'::regclass") == []


def test_a_list_with_odd_rows_of_postgres_is_paged_to_the_end(shop: UnderPostgreSQL, tmp_path: Path, list_of: List) -> None:
    shop.raw("DROP TABLE mail; CREATE TABLE mail (id int PRIMARY KEY, what json, at timestamptz, ratio float8, text text)")
    deep = "[" * 600 + "]" * 600
    for id, column, value in (
        (2, "what", f"'{deep}'"), (3, "at", "'infinity'"), (4, "ratio", "'-Infinity'"), (5, "text", f"repeat('x', {LARGE})"), (6, "ratio", "'NaN'"), (7, "at", "'0044-03-15 BC'"),
    ):
        shop.raw(f"INSERT INTO mail (id, {column}) VALUES ({id}, {value})")
    listing = list_of(configure(shop, tmp_path, "--order", "id", pageSize=2))
    listing.tell("viewWillAppear")
    listing.until([2, 3, 4, 5, 6, 7])
    assert [listing.items[0]["what"], listing.items[1]["at"], listing.items[2]["ratio"], listing.items[4]["ratio"]] == [deep, "infinity", "-Infinity", "NaN"]
    assert listing.items[3]["text"] == "x" * 10_000 + "…"
    for id in range(2, 8):
        shop.raw(f"UPDATE mail SET id = id + 10 WHERE id = {id}")
    listing.until([12, 13, 14, 15, 16, 17])
    listing.server.notify("change", view="v", item=listing.items[0] | {"text": "new"})
    until(lambda: shop.rows("SELECT text, what::text FROM mail WHERE id = 12") == [("new", deep)])
    assert listing.last.get("error") is None
