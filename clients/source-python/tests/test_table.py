"""Live tables: changes by other writers are listed, and edits are written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import List, Listing
from databases import ORDER, Under, configure
from server import until

Serve = Callable[..., Listing]


@pytest.fixture
def under(under: Under) -> Under:
    for number in range(1, 8):
        under.run("INSERT INTO mail (id, received, subject) VALUES (?, ?, ?)", [number, f"2026-01-0{number}", f"Subject {number}"])
    return under


@pytest.fixture(params=[True, False], ids=["triggers", "compared"])
def triggers(request: pytest.FixtureRequest) -> bool:
    """Whether triggers log the changes. Otherwise rows are compared."""
    return bool(request.param)


@pytest.fixture
def serve(under: Under, tmp_path: Path, list_of: List, triggers: bool) -> Serve:
    """Opens a list of the table, and loads its first page."""

    def start(*options: str, size: int = 50, **screen: Any) -> Listing:
        listing = list_of(configure(under, tmp_path, *options, pageSize=size, triggers=triggers, **screen))
        said = listing.tell("viewWillAppear")
        assert said.get("phase") in ("requestFinished", "reachedBottom"), said
        return listing

    return start


def ids(under: Under, where: str = "1 = 1", order: str = ORDER) -> list[int]:
    return [id for (id,) in under.rows(f"SELECT id FROM mail WHERE {where} {order}")]


def test_changes_by_other_writers_are_listed(under: Under, serve: Serve) -> None:
    listing = serve()
    assert listing.ids() == ids(under) == [7, 6, 5, 4, 3, 2, 1]
    under.run("INSERT INTO mail (id, received) VALUES (8, '2026-01-03T12')")
    listing.until([7, 6, 5, 4, 8, 3, 2, 1])
    under.run("UPDATE mail SET received = '2026-02-01', read = 1 WHERE id = 2")
    listing.until([2, 7, 6, 5, 4, 8, 3, 1])
    assert listing.items[0]["read"] == 1
    under.run("DELETE FROM mail WHERE id IN (4, 5)")
    listing.until([2, 7, 6, 8, 3, 1])
    under.run("UPDATE mail SET received = NULL WHERE id = 7")
    listing.until([2, 6, 8, 3, 1, 7])
    under.run("UPDATE mail SET id = 70 WHERE id = 7")
    listing.until([2, 6, 8, 3, 1, 70])
    assert ids(under) == listing.ids()


def test_a_transaction_is_listed_when_it_is_committed(under: Under, serve: Serve) -> None:
    listing = serve()
    under.run("BEGIN")
    under.run("INSERT INTO mail (id, received) VALUES (8, '2026-01-08')")
    under.run("DELETE FROM mail WHERE id = 1")
    under.run("UPDATE mail SET received = '2026-01-09' WHERE id = 8")
    under.run("COMMIT")
    listing.until([8, 7, 6, 5, 4, 3, 2])
    under.run("BEGIN")
    under.run("INSERT INTO mail (id, received) VALUES (9, '2026-01-08')")
    under.run("ROLLBACK")
    under.run("INSERT INTO mail (id, received) VALUES (10, '2026-01-10')")
    listing.until([10, 8, 7, 6, 5, 4, 3, 2])


def test_a_changed_row_enters_or_leaves_a_filtered_list(under: Under, serve: Serve) -> None:
    listing = serve()
    under.run("UPDATE mail SET sender = 'Ren' WHERE id IN (2, 5)")
    listing.tell("filter", set={"sender": ["Ren", "Yui"]})
    listing.until([5, 2])
    under.run("UPDATE mail SET sender = 'Yui' WHERE id = 3")
    listing.until([5, 3, 2])
    under.run("UPDATE mail SET sender = 'Aoi' WHERE id = 5")
    listing.until([3, 2])
    under.run("INSERT INTO mail (id, received, sender) VALUES (8, '2026-01-01', 'Ren'), (9, '2026-01-09', 'Aoi')")
    listing.until([3, 2, 8])
    listing.tell("filter", set={"sender": None, "received": {"from": "2026-01-03", "to": "2026-01-05"}})
    listing.until([5, 4, 3])
    under.run("UPDATE mail SET received = '2026-01-04' WHERE id = 9")
    listing.until([5, 9, 4, 3])
    listing.tell("filter", set={"received": None})
    listing.tell("search", text="subject NEW")
    listing.until([])
    under.run("UPDATE mail SET subject = 'A new subject' WHERE id IN (1, 4)")
    listing.until([4, 1])


def test_pages_and_changes_that_arrive_together_agree(under: Under, serve: Serve) -> None:
    listing = serve(size=2)
    for number in range(8, 40):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [number, f"2026-01-0{number % 7 + 1}T{number}"])
        if number % 3 == 0:
            listing.server.notify("loadMore", view="v")
            under.run("UPDATE mail SET received = ? WHERE id = ?", [f"2026-01-0{number % 5 + 1}", number // 2])
        if number % 4 == 0:
            under.run("DELETE FROM mail WHERE id = ?", [number - 3])
    listing.until(ids(under))


def test_edits_are_written(under: Under, serve: Serve) -> None:
    listing = serve()
    tell = listing.server.notify
    tell("change", view="v", item={**listing.items[0], "read": 1, "subject": "read"})
    tell("insert", view="v", item={"id": 8, "received": "2026-01-08", "subject": "x'; DROP TABLE mail; --"})
    tell("remove", view="v", id=3)
    until(lambda: 3 not in ids(under))
    assert under.rows("SELECT subject, read FROM mail WHERE id IN (7, 8) ORDER BY id") == [
        ("read", 1),
        ("x'; DROP TABLE mail; --", 0),
    ]
    listing.until([8, 7, 6, 5, 4, 2, 1])
    # The list gets the values that the database filled in.
    listing.until_true(lambda: listing.items[0].get("sender") == "Aoi")


@pytest.mark.parametrize(
    ("method", "params", "reason"),
    [
        ("insert", {"item": {"id": 1, "received": "2026-01-08"}}, "mail"),
        ("insert", {"item": {"id": 9, "subject": "forbidden"}}, "check"),
        ("insert", {"item": {"id": 9, "colour": "red"}}, "no column 'colour', but 'id', 'received'"),
        ("change", {"item": {"id": 5, "subject": None}}, "null"),
        ("change", {"item": {"id": 5, "subject": "forbidden"}}, "check"),
    ],
)
def test_a_refused_edit_is_reported_and_undone(
    under: Under, serve: Serve, method: str, params: dict[str, Any], reason: str
) -> None:
    listing = serve()
    before = under.rows("SELECT * FROM mail ORDER BY id")
    listing.server.notify(method, view="v", **params)
    if method == "insert" and params["item"]["id"] == 1:
        return  # The change is listed already.
    error = listing.said("error")
    assert reason in error["message"].lower() and error["trigger"] == method and not error["retryable"], error
    listing.until([7, 6, 5, 4, 3, 2, 1])
    assert under.rows("SELECT * FROM mail ORDER BY id") == before


def test_the_total_follows_changes(under: Under, serve: Serve) -> None:
    listing = serve(size=3)
    assert listing.last["state"]["total"] == 7

    def is_told(total: int) -> None:
        listing.until_true(lambda: listing.last["state"]["total"] == total, what=f"with {listing.last['state']}")

    under.run("INSERT INTO mail (id, received) VALUES (8, '2026-02-01')")
    is_told(8)
    # Rows that aren't loaded are counted, too.
    under.run("DELETE FROM mail WHERE id IN (1, 2)")
    is_told(6)
    for number in range(10, 60):
        under.run("INSERT INTO mail (id, sender) VALUES (?, 'Ren')", [number])
    is_told(56)
    listing.tell("filter", set={"sender": "Ren"})
    assert listing.last["state"]["total"] == 50
    under.run("UPDATE mail SET sender = 'Aoi' WHERE id IN (11, 12)")
    is_told(48)


def test_unusual_column_names_are_escaped(under: Under, tmp_path: Path, list_of: List) -> None:
    strange = {"id": 'i"d', "at": "100 % of s%s", "text": "日本 {0} ?", "number": "a.b"}
    names = {key: '"' + name.replace('"', '""') + '"' for key, name in strange.items()}
    under.run("DROP TABLE mail")
    # A question mark in a name must not count as a parameter.
    sql = "CREATE TABLE mail ({id} INTEGER PRIMARY KEY, {at} TEXT, {text} TEXT, {number} REAL)".format(**names)
    under.raw(sql)
    under.raw("INSERT INTO mail VALUES (1, '2026-01-01', 'a %', 1.5), (2, '2026-01-02', 'b', 2), (3, NULL, NULL, NULL)")
    listing = list_of(configure(under, tmp_path, "--order", f"{strange['at']} desc", pageSize=2))
    listing.tell("viewWillAppear")
    listing.until([2, 1, 3])
    assert listing.items[1] == {"id": 1, strange["id"]: 1, strange["at"]: "2026-01-01", strange["text"]: "a %", strange["number"]: 1.5}
    listing.tell("search", text="%")
    listing.until([1])
    under.raw("INSERT INTO mail VALUES (4, '2026-01-04', '%', 0)")
    listing.until([4, 1])
    listing.tell("filter", set={strange["number"]: {"from": 1}})
    listing.until([1])
    listing.server.notify("change", view="v", item={**listing.items[0], strange["at"]: "%s", strange["number"]: 2})
    until(lambda: under.rows("SELECT * FROM mail ORDER BY 1")[0] == (1, "%s", "a %", 2))
    listing.server.notify("remove", view="v", id=1)
    until(lambda: len(under.rows("SELECT * FROM mail")) == 3)


def test_bytes_can_be_ids(under: Under, tmp_path: Path, list_of: List) -> None:
    under.run("DROP TABLE mail")
    name, value = ("BLOB", "x'{}'") if under.make == "sqlite" else ("bytea", "'\\x{}'")
    under.raw(f"CREATE TABLE mail (id {name} PRIMARY KEY NOT NULL, word TEXT)")

    def insert(*numbers: int) -> None:
        for number in numbers:
            under.raw(f"INSERT INTO mail VALUES ({value.format(f'{number:02x}ff')}, 'word {number}')")

    def listed(*numbers: int) -> list[str]:
        return [f"\\x{number:02x}ff" for number in numbers]

    insert(*range(10, 20))
    listing = list_of(configure(under, tmp_path, pageSize=3))
    listing.tell("viewWillAppear")
    listing.until(listed(*range(19, 9, -1)))
    insert(200)
    listing.until(listed(200, *range(19, 9, -1)))
    listing.server.notify("change", view="v", item={**listing.items[1], "word": "changed"})
    until(lambda: len(under.rows("SELECT * FROM mail WHERE word = 'changed'")) == 1)
    listing.server.notify("remove", view="v", id="\\x12ff")
    listing.until(listed(200, 19, *range(17, 9, -1)))
    listing.server.notify("insert", view="v", item={"id": "\\x00ff", "word": "first"})
    listing.until(listed(200, 19, *range(17, 9, -1), 0))
    until(lambda: len(under.rows("SELECT * FROM mail")) == 11)
    assert {type(id) for (id,) in under.rows("SELECT id FROM mail")} == {bytes}
    reply, _ = listing.server.call("open", screen="detail", view="d", params={"id": "\\x13ff"})
    page = listing.server.hear("page", where=lambda page: page["whole"] is True)["params"]["value"]
    assert page["item"] == {"id": "\\x13ff", "word": "changed"}


def test_a_view_can_be_served_as_it_is(under: Under, tmp_path: Path, list_of: List) -> None:
    under.run("DROP VIEW IF EXISTS late")
    under.run("CREATE VIEW late AS SELECT id AS number, received || '!' AS at FROM mail WHERE received > '2026-01-03'")
    options = ["--order", "at desc", "--id", "number"]
    made = configure(under, tmp_path, *options, table="late")
    source = json.loads(made.read_text())["sources"]["late"]
    assert source["live"] and source["writes"] == []
    live = list_of(made)
    live.tell("viewWillAppear")
    live.until([7, 6, 5, 4])
    under.run("UPDATE mail SET received = '2026-01-03' WHERE id = 5")
    live.until([7, 6, 4])
    under.run("UPDATE mail SET received = '2026-01-05' WHERE id = 5")
    still = list_of(configure(under, tmp_path, *options, "--still", table="late", pageSize=2))
    still.tell("viewWillAppear")
    still.until([7, 6, 5, 4])
    assert still.items[0] == {"id": 7, "number": 7, "at": "2026-01-07!"}
    under.run("DROP VIEW late")


@pytest.mark.parametrize("name", ["日" * 20, "a" * 48, "nag%re.d'or"])
def test_tables_with_long_and_unusual_names_are_live(under: Under, tmp_path: Path, list_of: List, name: str) -> None:
    if under.make == "sqlite":
        schema, table = "", name
    else:
        schema, table = f'"{"schema" * 10}".', f'{"schema" * 10}."{name}"'
        under.raw(f"DROP SCHEMA IF EXISTS {schema[:-1]} CASCADE")
        under.raw(f"CREATE SCHEMA {schema[:-1]}")
    under.raw(f'CREATE TABLE {schema}"{name}" (id INTEGER PRIMARY KEY)')
    under.raw(f'INSERT INTO {schema}"{name}" VALUES (1)')
    listing = list_of(configure(under, tmp_path, table=table))
    listing.tell("viewWillAppear")
    listing.until([1])
    under.raw(f'INSERT INTO {schema}"{name}" VALUES (2)')
    listing.until([2, 1])
    under.raw(f'DELETE FROM {schema}"{name}"')
    listing.until([])
    remove = [sys.executable, "-m", "nagare_source", *under.arguments, "--table", table, "--remove-triggers"]
    assert subprocess.run(remove).returncode == 0
    under.raw(f'INSERT INTO {schema}"{name}" VALUES (3)')
    if schema:
        assert under.rows(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema[1:-2]}'") == [(name,)]
        under.raw(f"DROP SCHEMA {schema[:-1]} CASCADE")


def test_full_items_are_returned_by_id(under: Under, serve: Serve) -> None:
    listing = serve("--columns", "id,subject", "--order", "id desc")
    assert listing.items[0] == {"id": 7, "subject": "Subject 7"}
    reply, _ = listing.server.call("open", screen="detail", view="d", params={"id": 3})
    assert "result" in reply
    page = listing.server.hear("page", where=lambda page: page["whole"] is True)["params"]["value"]
    assert page["item"] == {"id": 3, "received": "2026-01-03", "sender": "Aoi", "subject": "Subject 3", "read": 0}


@pytest.mark.parametrize("triggers", [True], indirect=True)
def test_the_error_for_a_dropped_trigger_names_the_remedy(under: Under, serve: Serve) -> None:
    listing = serve()
    if under.make == "sqlite":
        under.run("DROP TRIGGER nagare_mail_update")
    else:
        under.run("DROP TRIGGER nagare_mail_update ON mail")
    under.run("UPDATE mail SET received = '2026-02-01' WHERE id = 1")
    error = listing.said("error")
    assert "mail isn't live any more: one of nagare_mail_" in error["message"] and "--triggers" in error["message"]
    assert error["trigger"] == "invalidated" and listing.ids() == [7, 6, 5, 4, 3, 2, 1]
    remedy = [sys.executable, "-m", "nagare_source", *under.arguments, "--table", "mail", "--triggers", "--configuration"]
    assert subprocess.run(remedy).returncode == 0
    listing.until([1, 7, 6, 5, 4, 3, 2])
    under.run("DELETE FROM mail WHERE id = 7")
    listing.until([1, 6, 5, 4, 3, 2])


def test_too_many_changes_reload_the_list(under: Under, serve: Serve) -> None:
    listing = serve(size=100)
    under.run("BEGIN")
    for number in range(8, 1000):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [number, f"2026-02-{number}"])
    under.run("DELETE FROM mail WHERE id > 20")
    under.run("COMMIT")
    listing.until(ids(under))
    under.run("TRUNCATE mail" if under.make == "postgres" else "DELETE FROM mail")
    listing.until([])
    under.run("INSERT INTO mail (id, received) VALUES (5, NULL)")
    listing.until([5])


@pytest.mark.parametrize("triggers", [True], indirect=True)
def test_removing_the_triggers_leaves_nothing_in_the_database(under: Under, serve: Serve) -> None:
    serve().server.kill()
    remove = [sys.executable, "-m", "nagare_source", *under.arguments, "--table", "mail", "--remove-triggers"]
    assert subprocess.run(remove).returncode == 0
    if under.make == "sqlite":
        left = under.rows("SELECT name FROM sqlite_master WHERE name LIKE 'nagare%'")
    else:
        left = under.rows(
            "SELECT relname FROM pg_class WHERE relname LIKE 'nagare_mail%' UNION"
            " SELECT tgname FROM pg_trigger WHERE tgname LIKE 'nagare_mail%'"
            " UNION SELECT proname FROM pg_proc WHERE proname LIKE 'nagare_mail%'"
        )
    assert left == []
    under.run("DELETE FROM mail WHERE id = 1")
