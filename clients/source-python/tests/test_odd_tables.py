"""Unusual tables: keys of several columns or none, views, full-text indexes, and rows that can't be removed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import List, Listing
from databases import Under, configure
from postgres import PostgreSQL
from server import until

def made(*words: str) -> tuple[dict[str, Any], str]:
    """Returns the configuration that the kit creates, and the warnings that it prints."""
    ran = subprocess.run([sys.executable, "-m", "nagare_source", *words, "--configuration"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), ran.stderr


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    return sqlite3.connect(tmp_path / "odd.db", isolation_level=None)


Odd = Callable[..., Listing]


@pytest.fixture
def odd(tmp_path: Path, list_of: List) -> Odd:
    """Opens the list of a table in `odd.db`, and loads its first page."""

    def start(table: str, *options: str, **screen: Any) -> Listing:
        configuration, _ = made("--sqlite", str(tmp_path / "odd.db"), "--table", table, "--write", *options)
        configuration["screens"][table]["display"]["actions"] = []
        configuration["screens"][table] |= {"livePace": 0, "arrivals": "show", "debounce": 0, "undo": 0, **screen}
        (tmp_path / "nagare.json").write_text(json.dumps(configuration))
        listing = list_of(tmp_path / "nagare.json")
        state = listing.tell("viewWillAppear")
        assert state.get("phase") in ("requestFinished", "reachedBottom"), state
        return listing

    return start


def test_a_key_of_several_columns_is_an_id(under: Under, tmp_path: Path, list_of: List) -> None:
    key = 'PRIMARY KEY ("group", "it\'s, ""so""")'
    under.raw('DROP TABLE IF EXISTS "select"')
    suffix = "WITHOUT ROWID" if under.make == "sqlite" else ""
    under.raw(f'CREATE TABLE "select" (word TEXT, "group" TEXT, "it\'s, ""so""" INTEGER, {key}) {suffix}')
    for number in range(30):
        under.raw(f"""INSERT INTO "select" VALUES ('w{number}', 'a "{number // 10}', {number % 10})""")
    listing = list_of(configure(under, tmp_path, table="select", pageSize=7))
    listing.tell("viewWillAppear")
    listing.page_to_the_end()
    assert sorted(json.loads(id) for id in listing.ids()) == [[f'a "{n // 10}', n % 10] for n in range(30)]
    third = listing.items[2]

    listing.server.notify("change", view="v", item=third | {"word": "changed"})
    until(lambda: under.rows("""SELECT count(*) FROM "select" WHERE word = 'changed'""") == [(1,)])
    under.raw("""UPDATE "select" SET word = 'by others' WHERE word = 'changed'""")
    listing.until_true(lambda: listing.items[2] == third | {"word": "by others"})
    under.raw("""INSERT INTO "select" VALUES ('new', 'b', 1)""")
    listing.until_true(lambda: '["b", 1]' in listing.ids() or '["b",1]' in listing.ids())
    listing.server.notify("remove", view="v", id=third["id"])
    until(lambda: under.rows("""SELECT count(*) FROM "select" WHERE word = 'by others'""") == [(0,)])
    assert under.rows('SELECT count(*) FROM "select"') == [(30,)]
    reply, _ = listing.server.call("open", screen="detail", view="d", params={"id": listing.items[4]["id"]})
    page = listing.server.hear("page", where=lambda page: page["whole"] is True)["params"]["value"]
    assert page["item"] == listing.items[4]
    under.raw('DROP TABLE "select"')


def test_a_key_with_another_name_is_listed_as_id(database: sqlite3.Connection, odd: Odd) -> None:
    database.execute("CREATE TABLE bills (customer_id INTEGER, number TEXT NOT NULL PRIMARY KEY)")
    database.executemany("INSERT INTO bills VALUES (7, ?)", [("b",), ("a",)])
    listing = odd("bills")
    assert sorted(listing.ids()) == ["a", "b"]
    listing.server.notify("remove", view="v", id="a")
    listing.until(["b"])
    listing.server.notify("change", view="v", item={"id": "b", "number": "b", "customer_id": 8})
    until(lambda: database.execute("SELECT * FROM bills").fetchall() == [(8, "b")])
    listing.server.notify("insert", view="v", item={"id": "c", "number": "c", "customer_id": 8})
    until(lambda: database.execute("SELECT count(*) FROM bills").fetchall() == [(2,)])


def test_rows_without_a_key_are_identified_by_their_row_number(database: sqlite3.Connection, odd: Odd) -> None:
    database.execute("CREATE TABLE notes (rowid TEXT, word, more BLOB)")
    database.executemany("INSERT INTO notes VALUES ('same', ?, ?)", [(None, b"\xff"), ("日本語 🌸", None), (b"\x00", b"")])
    listing = odd("notes")
    assert [one["_rowid_"] for one in listing.items] == [3, 2, 1] and [one["word"] for one in listing.items] == ["\\x00", "日本語 🌸", None]
    database.execute("INSERT INTO notes (word) VALUES (4.5)")
    listing.until_true(lambda: [one["_rowid_"] for one in listing.items] == [4, 3, 2, 1])
    listing.server.notify("remove", view="v", id=listing.ids()[2])
    until(lambda: database.execute("SELECT count(*) FROM notes").fetchone() == (3,))


@pytest.mark.parametrize(
    "create, reason",
    [("CREATE VIEW odd AS SELECT id, word FROM words WHERE id > 1", "a view"), ("CREATE VIRTUAL TABLE odd USING fts5(word)", "virtual")],
)
def test_a_table_that_cannot_have_triggers_is_live_without_them(
    database: sqlite3.Connection, tmp_path: Path, odd: Odd, create: str, reason: str
) -> None:
    database.executescript(f"CREATE TABLE words (id INTEGER PRIMARY KEY, word); {create};")
    database.executescript("INSERT INTO words VALUES (1, 'a'), (2, 'b'), (3, 'c');")
    if "VIRTUAL" in create:
        database.execute("INSERT INTO odd (word) VALUES ('b'), ('c')")
    configuration, said = made("--sqlite", str(tmp_path / "odd.db"), "--table", "odd", "--write", "--triggers")
    assert "odd gets no triggers" in said and reason in said
    source = configuration["sources"]["odd"]
    assert source["live"] and "--triggers" not in source["command"]
    listing = odd("odd")
    assert [item["word"] for item in listing.items] == ["c", "b"]
    database.execute("INSERT INTO odd (word) VALUES ('d')" if "VIRTUAL" in create else "INSERT INTO words VALUES (4, 'd')")
    listing.until_true(lambda: [item["word"] for item in listing.items] == ["d", "c", "b"])
    # Edits that aren't possible aren't offered.
    assert source["writes"] == ([] if "VIEW" in create else ["insert", "change", "remove"])
    actions = configuration["screens"]["odd"]["display"]["actions"]
    assert [action["input"] for action in actions] == ([] if "VIEW" in create else ["remove"])


def test_the_error_for_a_view_without_a_key_suggests_columns_for_it(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.executescript("CREATE TABLE words (id INTEGER PRIMARY KEY, word); CREATE VIEW odd AS SELECT word, 1 AS n FROM words")
    words = [sys.executable, "-m", "nagare_source", "--sqlite", str(tmp_path / "odd.db"), "--table", "odd", "--configuration"]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 78 and "odd has no primary key" in ran.stderr
    assert "--id word" in ran.stderr and "--id word,n" in ran.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_read_only_file_is_listed_without_triggers_and_edits(
    database: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.executescript("CREATE TABLE words (id INTEGER PRIMARY KEY, word); INSERT INTO words VALUES (1, 'a')")
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(folder.stat().st_mode | 0o5)
    words = ["--sqlite", str(tmp_path / "odd.db"), "--table", "words", "--write", "--triggers", "--configuration"]
    # The other user may not be allowed to read Python's own folder.
    become = "from nagare_source import command, display_guess, sqlite; import locale, os, shutil, traceback; os.setgid(65534); os.setuid(65534); command.main()"
    ran = subprocess.run([sys.executable, "-c", become, *words], capture_output=True, text=True)
    assert "words gets no triggers" in ran.stderr and "may not be written" in ran.stderr
    assert json.loads(ran.stdout)["sources"]["words"]["writes"] == []


def test_an_edit_that_the_database_refuses_is_reported_and_undone(database: sqlite3.Connection, odd: Odd) -> None:
    database.executescript("""
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, word TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, shelf REFERENCES shelf, cents INTEGER CHECK (cents > 0),
          euros AS (cents / 100.0), label TEXT AS ('#' || id) STORED, changed INTEGER DEFAULT 0);
        CREATE TRIGGER touch AFTER UPDATE OF cents ON book BEGIN UPDATE book SET changed = changed + 1 WHERE id = NEW.id; END;
        INSERT INTO shelf VALUES (1, 'upper'), (2, 'lower');
        INSERT INTO book (id, shelf, cents) VALUES (1, 1, 150);
    """)
    shelves = odd("shelf")
    shelves.server.notify("remove", view="v", id=1)
    assert "FOREIGN KEY constraint failed" in shelves.said("error")["message"]
    shelves.until([2, 1])
    shelves.server.notify("remove", view="v", id=2)
    until(lambda: database.execute("SELECT id FROM shelf").fetchall() == [(1,)])

    books = odd("book")
    (book,) = books.items
    assert book == {"id": 1, "shelf": 1, "cents": 150, "euros": 1.5, "label": "#1", "changed": 0}
    books.server.notify("change", view="v", item=book | {"cents": 0})
    assert "CHECK constraint failed" in books.said("error")["message"]
    books.until_true(lambda: books.items == [book])
    books.server.notify("change", view="v", item=book | {"cents": 250})
    books.until_true(lambda: books.items == [book | {"cents": 250, "euros": 2.5, "changed": 1}])


@pytest.mark.parametrize(
    "words, reason",
    [
        (["--sqlite", "nowhere.db", "--table", "a"], "there is no file"),
        (["--sqlite", ".", "--table", "a"], "is a folder"),
        (["--sqlite", "text.txt", "--table", "a"], "text.txt can't be opened: it isn't an SQLite database"),
        (["--sqlite", "odd.db", "--table", "words"], "there is no table 'words' in"),
        (["--sqlite", "odd.db", "--table", "words"], "but 'word', 'some'"),
        (["--sqlite", "empty.db", "--table", "a"], "there is no table 'a' in"),
        (["--sqlite", "empty.db", "--table", "a"], "empty.db, nor any other"),
    ],
)
def test_errors_of_the_command_line_are_explained(
    database: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    database.executescript("CREATE TABLE word (a); CREATE VIEW some AS SELECT * FROM word; CREATE TABLE nagare_word (seq, op, id)")
    Path("text.txt").write_text("words " * 1000)
    Path("empty.db").touch()
    ran = subprocess.run([sys.executable, "-m", "nagare_source", *words, "--configuration"], capture_output=True, text=True)
    assert ran.returncode == 78 and reason in ran.stderr and "Traceback" not in ran.stderr, ran.stderr


def test_the_display_of_a_postgres_table_is_guessed(postgres: PostgreSQL) -> None:
    with postgres.connect() as connection:
        connection.execute("DROP SCHEMA IF EXISTS library CASCADE")
        connection.execute("CREATE SCHEMA library")
        connection.execute(
            'CREATE TABLE library."Book Loans" (branch text, number int, title text, tags text[], renewed boolean, lent timestamptz,'
            " cover bytea, more jsonb, PRIMARY KEY (branch, number))"
        )
        connection.execute("""INSERT INTO library."Book Loans" VALUES ('B', 1, 'One', '{a,b}', true, now(), '\\xff', '{}')""")
        configuration, _ = made("--postgres", postgres.connection, "--table", 'library."Book Loans"')
        display = configuration["screens"]["Book Loans"]["display"]
        assert display["hidden"] == ["cover"] and display["date"] == "lent"
        assert {"member": "renewed", "format": "boolean"} in display["columns"]
        assert "renewed" in configuration["screens"]["Book Loans"]["filters"]
        assert [one["member"] for one in display["columns"]] == ["title", "branch", "number", "tags", "renewed", "lent", "more"]
        words = [sys.executable, "-m", "nagare_source", "--postgres", postgres.connection, "--table", "Loans", "--configuration"]
        said = subprocess.run(words, capture_output=True, text=True).stderr
        assert "there is no table 'Loans' in this database, but" in said and """'library."Book Loans"'""" in said
        connection.execute('CREATE VIEW library.renewed AS SELECT branch || number AS id, title FROM library."Book Loans" WHERE renewed')
        configuration, said = made("--postgres", postgres.connection, "--table", "library.renewed")
        assert configuration["sources"]["library.renewed"]["live"] and said == ""
        assert "--order=-id" in configuration["sources"]["library.renewed"]["command"]
        connection.execute('CREATE VIEW library.titles AS SELECT title AS "the title", 1 AS n FROM library."Book Loans"')
        words = [sys.executable, "-m", "nagare_source", "--postgres", postgres.connection, "--table", "library.titles"]
        said = subprocess.run([*words, "--configuration"], capture_output=True, text=True).stderr
        assert "such as --id 'the title', or --id 'the title,n' if" in said
        connection.execute("DROP SCHEMA library CASCADE")


def test_a_locked_database_is_an_error(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("CREATE TABLE words (id INTEGER PRIMARY KEY)")
    database.execute("BEGIN EXCLUSIVE")
    words = [sys.executable, "-m", "nagare_source", "--sqlite", str(tmp_path / "odd.db"), "--table", "words", "--configuration"]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 78 and "odd.db is in use for too long: database is locked" in ran.stderr


@pytest.mark.parametrize("index, order", [("", "id"), ("CREATE INDEX dated ON many (date)", "date")])
def test_a_long_table_is_ordered_by_an_index(
    database: sqlite3.Connection, tmp_path: Path, index: str, order: str
) -> None:
    database.executescript(f"CREATE TABLE many (id INTEGER PRIMARY KEY, date TEXT NOT NULL); {index};")
    database.execute("INSERT INTO many VALUES (1, '2026'), (1000000, '2025')")
    configuration, said = made("--sqlite", str(tmp_path / "odd.db"), "--table", "many")
    assert configuration["sources"]["many"]["order"][0] == {"by": order, "descending": True}
    assert ("CREATE INDEX" in said) is not bool(index)


@pytest.mark.parametrize("last, searched", [(1_000_000, ["title", "body"]), (2, [])])
def test_a_long_table_is_searched_only_in_columns_that_people_read(
    database: sqlite3.Connection, tmp_path: Path, last: int, searched: list[str]
) -> None:
    database.execute("CREATE TABLE many (id INTEGER PRIMARY KEY, title TEXT, body TEXT, code TEXT, mark TEXT)")
    database.execute("INSERT INTO many VALUES (1, 'A', 'Words.', 'x1', 'y1'), (?, 'B', 'More.', 'x2', 'y2')", [last])
    configuration, _ = made("--sqlite", str(tmp_path / "odd.db"), "--table", "many")
    told = [word for word in configuration["sources"]["many"]["command"] if word.startswith("--search")]
    assert told == ([f"--search={','.join(searched)}"] if searched else [])


def test_declared_booleans_are_true_or_false_in_rows(database: sqlite3.Connection, odd: Odd) -> None:
    database.execute("CREATE TABLE bill (id INTEGER PRIMARY KEY, title TEXT, note TEXT, paid BOOLEAN, late bool)")
    database.execute("INSERT INTO bill VALUES (1, 'Lamp', 'Two lines\nof words', 0, 1), (2, 'Chair', '', 1, 7), (3, 'Desk', '', NULL, 0)")
    listing = odd("bill", "--order", "late, id")
    # An ordering column stays a number, because numbers can be ordered.
    assert [(row["paid"], row["late"]) for row in listing.items] == [(None, 0), (False, 1), (True, 7)]
    listing.server.notify("change", view="v", item={**listing.items[1], "paid": True})
    until(lambda: database.execute("SELECT paid, typeof(paid) FROM bill WHERE id = 1").fetchall() == [(1, "integer")])
    database.execute("UPDATE bill SET paid = 1 WHERE id = 3")
    listing.until_true(lambda: [row["paid"] for row in listing.items] == [True, True, True])
    listing.tell("filter", set={"paid": False})
    listing.until([])


@pytest.mark.parametrize("kind", ["BLOB", ""])
def test_pictures_are_loaded_only_with_the_full_item(under: Under, tmp_path: Path, list_of: List, kind: str) -> None:
    """Sixty of the pictures don't fit into a page, and no list shows them."""
    under.run("DROP TABLE IF EXISTS photo")
    under.run("DROP TABLE IF EXISTS nagare_photo")
    picture = "BYTEA" if under.make == "postgres" else kind
    under.run(f"CREATE TABLE photo (id INTEGER PRIMARY KEY, title TEXT, picture {picture})")
    bytes = "convert_to(repeat('x', 200000), 'UTF8')" if under.make == "postgres" else "zeroblob(200000)"
    for id in range(1, 61):
        under.run(f"INSERT INTO photo VALUES (?, 'A', {bytes})", [id])
    listing = list_of(configure(under, tmp_path, table="photo", pageSize=60))
    listing.tell("viewWillAppear")
    assert listing.items == [{"id": id, "title": "A"} for id in range(60, 0, -1)]
    under.run("UPDATE photo SET title = 'B' WHERE id = 60")
    listing.until_true(lambda: listing.items[0] == {"id": 60, "title": "B"})
    listing.server.notify("change", view="v", item={"id": 60, "title": "C"})
    until(lambda: under.rows("SELECT title, length(picture) FROM photo WHERE id = 60") == [("C", 200_000)])
    listing.server.call("open", screen="detail", view="d", params={"id": 1})
    page = listing.server.hear("page", where=lambda page: page["whole"] is True)["params"]["value"]
    assert len(page["item"]["picture"]) > 2 * 10_000
    under.raw("DROP TABLE photo")
