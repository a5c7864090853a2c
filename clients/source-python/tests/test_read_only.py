"""Looking at a database changes nothing in it, and its lists are live nevertheless."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import List, Listing
from databases import ORDER, Under, UnderPostgreSQL, UnderSQLite, configure
from postgres import PostgreSQL
from server import until

WORDS = "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, unread INTEGER); INSERT INTO words VALUES (1, 'a', 1), (2, 'b', 1);"
ODD = {
    "plain": WORDS,
    "no key": "CREATE TABLE words (word); INSERT INTO words VALUES ('a'), (NULL);",
    "without rowid": "CREATE TABLE words (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO words VALUES (1, 2), (1, 3);",
    "view": WORDS + "CREATE VIEW more AS SELECT id, upper(word) AS word FROM words;",
    "view that writes": WORDS + "CREATE VIEW more AS SELECT * FROM words; CREATE TRIGGER t INSTEAD OF DELETE ON more BEGIN DELETE FROM words; END;",
    "broken view": WORDS + "CREATE TABLE gone (x); CREATE VIEW more AS SELECT x FROM gone; DROP TABLE gone;",
    "full text": WORDS + "CREATE VIRTUAL TABLE more USING fts5(word); INSERT INTO more VALUES ('a'), ('b');",
    "triggers of others": WORDS + "CREATE TABLE log (x); CREATE TRIGGER t AFTER UPDATE ON words BEGIN INSERT INTO log VALUES (1); END;",
    "autoincrement": "CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, word); INSERT INTO words (word) VALUES ('a'), ('b');",
    "utf-16": "PRAGMA encoding = 'UTF-16le';" + WORDS,
    "bytes": "CREATE TABLE words (id BLOB PRIMARY KEY, word BLOB); INSERT INTO words VALUES (x'00ff', x'01'), (x'02', NULL);",
    "small pages": "PRAGMA page_size = 512;" + WORDS,
    "auto vacuum": "PRAGMA auto_vacuum = FULL;" + WORDS,
    "incremental vacuum": "PRAGMA auto_vacuum = INCREMENTAL;" + WORDS,
    "analyzed": WORDS + "ANALYZE;",
    "persistent journal": "PRAGMA journal_mode = PERSIST;" + WORDS,
    "truncated journal": "PRAGMA journal_mode = TRUNCATE;" + WORDS,
    "write-ahead log": "PRAGMA journal_mode = WAL;" + WORDS,
    "user version": "PRAGMA user_version = 7; PRAGMA application_id = 5;" + WORDS,
    "generated": "CREATE TABLE words (id INTEGER PRIMARY KEY, word, double GENERATED ALWAYS AS (word || word)); INSERT INTO words (word) VALUES ('a');",
    "foreign keys": WORDS + "CREATE TABLE more (id INTEGER PRIMARY KEY, of REFERENCES words (id)); INSERT INTO more VALUES (1, 2);",
    "empty": "CREATE TABLE words (id INTEGER PRIMARY KEY);",
    "spare pages": WORDS + "CREATE TABLE more (x); INSERT INTO more VALUES (zeroblob(100000)); DELETE FROM more;",
}


def command(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nagare_source", *words], capture_output=True, text=True, **more)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def made(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(script)


@pytest.mark.parametrize("kind", ODD)
def test_looking_at_a_database_leaves_its_files_byte_equal(tmp_path: Path, list_of: List, kind: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "odd.db"
    made(path, ODD[kind])
    before = contents(folder)
    shown = command("--sqlite", str(path), "--configuration")
    assert shown.returncode == 0, shown.stderr
    configuration = json.loads(shown.stdout)
    assert all(source["writes"] == [] for source in configuration["sources"].values())
    assert all(screen["display"]["actions"] == [] and "undo" not in screen for screen in configuration["screens"].values())
    (tmp_path / "nagare.json").write_text(shown.stdout)
    for screen, options in configuration["screens"].items():
        if options["viewModel"] == "search":
            listing = list_of(tmp_path / "nagare.json", screen)
            state = listing.tell("viewWillAppear")
            assert state.get("phase") == "reachedBottom", state
            listing.tell("refresh")
            listing.server.kill()
    after = contents(folder)
    # Without a program that has it open, SQLite itself makes these two for a file in WAL mode.
    allowed = {"odd.db-wal", "odd.db-shm"} if kind == "write-ahead log" else set()
    assert {name: sum for name, sum in after.items() if name not in allowed} == before
    assert all((folder / name).stat().st_size == 0 for name in after.keys() & {"odd.db-wal"})


def test_a_database_in_postgresql_is_only_read(postgres: PostgreSQL, tmp_path: Path, list_of: List) -> None:
    under = UnderPostgreSQL(postgres)
    under.run("INSERT INTO mail (id) VALUES (1)")
    objects = "SELECT relname FROM pg_class UNION ALL SELECT tgname FROM pg_trigger UNION ALL SELECT proname FROM pg_proc ORDER BY 1"
    before = under.rows(objects), under.rows("SELECT xmin, * FROM mail")
    listing = list_of(configure(under, tmp_path, write=False, triggers=False))
    listing.tell("viewWillAppear")
    listing.until([1])
    assert (under.rows(objects), under.rows("SELECT xmin, * FROM mail")) == before


def test_a_connection_for_reading_cannot_write(under: Under) -> None:
    import asyncio

    from nagare_source import SourceError

    async def write() -> None:
        database = under.database()
        async with database.autocommit() as execute:
            with pytest.raises(SourceError, match="read-?only"):
                await execute("DELETE FROM mail")
        if close := getattr(database, "_close_idle", None):
            await close()

    asyncio.run(write())


Shown = Callable[..., Listing]


@pytest.fixture
def shown(under: Under, tmp_path: Path, list_of: List) -> Shown:
    """Opens a list of the table without triggers, and loads its first page."""

    def start(*options: str, write: bool = False, **screen: Any) -> Listing:
        listing = list_of(configure(under, tmp_path, *options, write=write, triggers=False, **screen), patience=600)
        assert listing.tell("viewWillAppear")["phase"] in ("requestFinished", "reachedBottom")
        return listing

    return start


def is_listed(listing: Listing, under: Under, where: str = "1 = 1") -> None:
    found = under.rows(f"SELECT * FROM mail WHERE {where} {ORDER}")
    listing.until_true(lambda: [tuple(item.values()) for item in listing.items] == found, f"not {found}")


def write_some(under: Under, seed: random.Random, count: int) -> None:
    for _ in range(count):
        id, time = seed.randrange(60), f"2026-{seed.randrange(1, 13):02}"
        if seed.random() < 0.4:
            under.run("DELETE FROM mail WHERE id = ?", [id])
        elif under.rows(f"SELECT 1 FROM mail WHERE id = {id}"):
            under.run("UPDATE mail SET received = ?, read = read + 1 WHERE id = ?", [time, id])
        else:
            under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, time])


@pytest.mark.parametrize("size", [5, 20])
def test_changes_by_other_writers_are_listed_without_triggers(under: Under, shown: Shown, size: int) -> None:
    seed = random.Random(size)
    write_some(under, seed, 60)
    listing = shown(pageSize=size)
    for _ in range(4):
        is_listed(listing, under)
        write_some(under, seed, seed.randrange(1, 12))
    is_listed(listing, under)


def test_a_search_is_live_without_triggers(under: Under, shown: Shown) -> None:
    under.run("INSERT INTO mail (id, sender) VALUES (1, 'Ren'), (2, 'Yui')")
    listing = shown()
    listing.tell("filter", set={"sender": "Ren"})
    is_listed(listing, under, "sender = 'Ren'")
    under.run("UPDATE mail SET sender = 'Ren' WHERE id = 2")
    under.run("UPDATE mail SET sender = 'Yui' WHERE id = 1")
    is_listed(listing, under, "sender = 'Ren'")


def test_a_list_stays_where_the_user_is_when_rows_change_above(under: Under, shown: Shown) -> None:
    for id in range(400):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"{id:04}"])
    listing = shown(pageSize=20)
    listing.tell("loadMore")
    listing.server.notify("viewport", view="v", first=25, last=30)
    seen = listing.items[25]
    under.run("INSERT INTO mail (id, received) VALUES (1000, '1000')")
    under.run("UPDATE mail SET subject = 'other' WHERE id = 370")
    listing.until_true(lambda: any(item["subject"] == "other" for item in listing.items))
    assert seen in listing.items


def test_edits_are_reported_without_triggers(under: Under, shown: Shown) -> None:
    """Also if the row isn't among those that the list has loaded."""
    for id in range(1, 50):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"2026-{id:02}"])
    listing = shown(write=True, pageSize=10)
    first = listing.items[0]
    listing.server.notify("change", view="v", item=first | {"subject": "edited"})
    listing.until_true(lambda: listing.items[0]["subject"] == "edited")
    listing.server.notify("remove", view="v", id=first["id"])
    listing.until_true(lambda: listing.items[0]["id"] == 48)
    listing.server.notify("insert", view="v", item={"id": 100, "received": "2000", "sender": "Ren", "subject": "old", "read": 0})
    until(lambda: under.rows("SELECT count(*) FROM mail WHERE id = 100") == [(1,)])
    is_listed(listing, under)


def test_a_table_that_is_not_to_be_written_refuses_edits(under: Under, shown: Shown) -> None:
    import asyncio

    from asking import ask, line
    from nagare_source import Table
    from nagare_source.program import Program

    async def refused() -> Any:
        return await ask(Program(Table(under.database(), "mail"), 1), line("source/remove", id=1))

    assert "takes no remove" in asyncio.run(refused())["error"]["message"]


def test_a_table_that_is_altered_renamed_or_dropped_while_it_is_shown_comes_back(under: Under, shown: Shown) -> None:
    under.run("INSERT INTO mail (id) VALUES (1)")
    listing = shown()
    listing.until([1])
    under.run("ALTER TABLE mail ADD COLUMN more TEXT DEFAULT 'x'")
    listing.until_true(lambda: listing.items[0].get("more") == "x")
    under.run("ALTER TABLE mail RENAME TO other")
    assert "there is no table 'mail'" in listing.said("error")["message"]
    under.run("ALTER TABLE other RENAME TO mail")
    under.run("INSERT INTO mail (id) VALUES (2)")
    listing.until([2, 1])
    under.run("DROP TABLE mail")
    listing.until_true(lambda: "there is no table 'mail'" in (listing.last.get("error") or {}).get("message", ""))
    under.run("CREATE TABLE mail (id INTEGER PRIMARY KEY, received TEXT)")
    under.run("INSERT INTO mail (id) VALUES (5)")
    listing.until([5])


def test_a_file_in_wal_mode_that_another_program_has_open_is_live(tmp_path: Path, list_of: List) -> None:
    under = UnderSQLite(tmp_path / "mail.db")
    under.run("PRAGMA journal_mode = WAL")
    under.run("INSERT INTO mail (id) VALUES (1)")
    listing = list_of(configure(under, tmp_path, write=False, triggers=False))
    listing.tell("viewWillAppear")
    listing.until([1])
    for id in range(2, 6):
        under.run("INSERT INTO mail (id) VALUES (?)", [id])
        listing.until(list(range(id, 0, -1)))
    assert under.rows("SELECT * FROM sqlite_master WHERE type = 'trigger'") == []


def test_a_locked_database_is_shown_when_it_is_free_again(tmp_path: Path, list_of: List) -> None:
    under = UnderSQLite(tmp_path / "mail.db")
    under.run("INSERT INTO mail (id) VALUES (1)")
    configuration = configure(under, tmp_path, write=False, triggers=False)
    under.run("BEGIN EXCLUSIVE")
    said = command("--sqlite", str(under.path), "--configuration")
    assert said.returncode == 78 and "is in use for too long" in said.stderr, said.stderr
    listing = list_of(configuration)
    listing.server.notify("viewWillAppear", view="v")
    under.run("INSERT INTO mail (id) VALUES (2)")
    under.run("COMMIT")
    listing.until([2, 1])


@pytest.fixture
def unprivileged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that this process can't write if it isn't root, and that others can read."""
    folder = Path("/tmp") / f"nagare-{os.getpid()}-{random.getrandbits(32):x}"
    folder.mkdir()
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_in_a_read_only_folder_is_shown(unprivileged: Path, mode: str) -> None:
    path = unprivileged / "odd.db"
    made(path, f"PRAGMA journal_mode = {mode};" + WORDS)
    path.chmod(0o444)
    unprivileged.chmod(0o555)
    program = (
        # Root may write everywhere. Another user may not be allowed to read Python's own folder, so modules are imported first.
        "import asyncio, os\nfrom nagare_source import SQLite, Table, workers\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        f"page = asyncio.run(Table(SQLite({str(path)!r}), 'words')._page(None, None, 10, {{}}))\n"
        "print([item['word'] for item in page.items])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "['b', 'a']\n", ran.stderr
    assert contents(unprivileged).keys() == {"odd.db"}


@pytest.mark.parametrize(
    ("content", "words", "reason"),
    [
        (None, [], "there is no file of this name"),
        (b"\x93not a database at all" * 500, [], "it isn't an SQLite database, or it is encrypted"),
        (b"", [], "there is no table in"),
        ("CREATE TABLE mail (id INTEGER PRIMARY KEY);", ["--table", "mial"], "there is no table 'mial' in"),
    ],
)
def test_what_the_command_line_names_and_is_not_there_ends_with_the_status_78(
    tmp_path: Path, content: bytes | str | None, words: list[str], reason: str
) -> None:
    path = tmp_path / "mail.db"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        made(path, content)
    before = contents(tmp_path)
    for what in ([*words, "--configuration"], ["--csv"] if content is None else []):
        if what:
            said = command(*(["--csv", str(path), "--configuration"] if what == ["--csv"] else ["--sqlite", str(path), *what]))
            assert said.returncode == 78 and (reason in said.stderr or "No such file" in said.stderr), said.stderr
            assert "Traceback" not in said.stderr and said.stdout == ""
    assert contents(tmp_path) == before


def test_interrupted_changes_of_another_program_are_named(tmp_path: Path) -> None:
    """They are in a journal, which only a program that may write can undo."""
    path = tmp_path / "mail.db"
    made(path, WORDS)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN")
        writer.executemany("INSERT INTO words (word) VALUES (?)", [("x" * 1000,)] * 500)
        shutil.copy(path, tmp_path / "copy.db")
        shutil.copy(f"{path}-journal", tmp_path / "copy.db-journal")
    said = command("--sqlite", str(tmp_path / "copy.db"), "--configuration")
    assert said.returncode == 78 and "Open it once with sqlite3" in said.stderr, said.stderr


def test_all_tables_are_shown_without_a_table_option_and_a_broken_one_is_left_out(tmp_path: Path, list_of: List) -> None:
    path = tmp_path / "shop.db"
    made(
        path,
        "CREATE TABLE detail (id INTEGER PRIMARY KEY, word); INSERT INTO detail VALUES (1, 'x'); CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT);"
        "CREATE VIEW recent AS SELECT id FROM orders; CREATE VIEW broken AS SELECT * FROM nowhere; CREATE VIRTUAL TABLE notes USING fts5(text);"
        "CREATE TABLE nagare_orders (x);",
    )
    said = command("--sqlite", str(path), "--configuration")
    assert said.returncode == 0 and "broken is left out: " in said.stderr
    configuration = json.loads(said.stdout)
    lists = [name for name, screen in configuration["screens"].items() if screen["viewModel"] == "search"]
    assert lists == ["detail", "notes", "orders", "recent"] == list(configuration["sources"])
    assert list(configuration["screens"])[: len(lists)] == lists
    (tmp_path / "nagare.json").write_text(said.stdout)
    for name in lists:
        assert list_of(tmp_path / "nagare.json", name).tell("viewWillAppear")["phase"] == "reachedBottom"
    two = json.loads(command("--sqlite", str(path), "--table", "orders", "--table", "notes", "--configuration").stdout)
    assert list(two["sources"]) == ["orders", "notes"]


def test_all_tables_of_postgresql_are_shown_and_those_without_rights_are_left_out(postgres: PostgreSQL) -> None:
    under = UnderPostgreSQL(postgres)
    under.raw("DROP ROLE IF EXISTS guest")
    under.raw("CREATE ROLE guest LOGIN")
    under.raw("CREATE TABLE other (id int PRIMARY KEY, word text)")
    under.raw("GRANT SELECT ON other TO guest")
    try:
        guest = postgres.connection.replace("user=postgres", "user=guest")
        said = command("--postgres", guest, "--configuration")
        assert said.returncode == 0 and "mail is left out: permission denied for table mail" in said.stderr, said.stderr
        assert "other" in json.loads(said.stdout)["sources"] and "mail" not in json.loads(said.stdout)["sources"]
        said = command("--postgres", guest, "--table", "mail", "--configuration")
        assert said.returncode == 78 and "permission denied for table mail" in said.stderr
    finally:
        under.raw("DROP TABLE other")
        under.raw("DROP OWNED BY guest")
        under.raw("DROP ROLE guest")


def test_a_table_is_written_only_with_the_option(under: Under, tmp_path: Path, nagare: str) -> None:
    """The action that removes a row is named for what it does."""
    said = command(*under.arguments, "--table", "mail", "--write", "--configuration")
    (tmp_path / "nagare.json").write_text(said.stdout)
    assert subprocess.run([nagare, "check", str(tmp_path / "nagare.json")]).returncode == 0
    configuration = json.loads(said.stdout)
    assert configuration["sources"]["mail"]["writes"] == ["insert", "change", "remove"]
    assert "--write" in configuration["sources"]["mail"]["command"]
    (action,) = configuration["screens"]["mail"]["display"]["actions"]
    assert (action["input"], action["name"], action["undo"]) == ("remove", "Delete", True)
    assert configuration["screens"]["mail"]["undo"] == 5000


def schema(under: Under) -> Any:
    if under.make == "sqlite":
        return under.rows("SELECT * FROM sqlite_master"), under.rows("PRAGMA journal_mode")
    kinds = ("pg_class", "relname"), ("pg_trigger", "tgname"), ("pg_proc", "proname")
    return [under.rows(f"SELECT {name} FROM {table} WHERE {name} LIKE 'nagare%' OR {name} LIKE 'mail%' ORDER BY 1") for table, name in kinds]


@pytest.mark.parametrize("named", [True, False])
def test_triggers_are_named_before_they_are_created_and_removed_without_a_trace(under: Under, named: bool) -> None:
    table = ["--table", "mail"] if named else []
    # The server is shared with other tests.
    command(*under.arguments, "--remove-triggers")
    before = schema(under)
    nothing = command(*under.arguments, *table, "--remove-triggers")
    assert nothing.returncode == 0 and "there are no triggers to drop" in nothing.stderr, nothing.stderr
    said = command(*under.arguments, "--table", "mail", "--triggers", "--configuration")
    assert "creating the table nagare_mail and the triggers nagare_mail_insert" in said.stderr, said.stderr
    source = json.loads(said.stdout)["sources"]["mail"]
    assert source["writes"] == [] and "--triggers" in source["command"]
    assert schema(under) != before
    again = command(*under.arguments, "--table", "mail", "--triggers", "--configuration")
    assert "creating" not in again.stderr
    said = command(*under.arguments, *table, "--remove-triggers")
    assert said.returncode == 0 and "nagare_mail_insert" in said.stderr, said.stderr
    assert schema(under) == before


def test_triggers_are_removed_after_the_table_was_renamed_or_dropped(under: Under) -> None:
    before = schema(under)
    for change in ("ALTER TABLE mail RENAME TO other", "DROP TABLE mail"):
        command(*under.arguments, "--table", "mail", "--triggers", "--configuration")
        under.run(change)
        assert command(*under.arguments, "--remove-triggers").returncode == 0
        if "RENAME" in change:
            under.run("INSERT INTO other (id) VALUES (1)")
            under.run("ALTER TABLE other RENAME TO mail")
    left = schema(under)
    assert "nagare" not in repr(left) and left != before


def test_what_an_older_version_leaves_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "mail.db"
    made(
        path,
        "PRAGMA journal_mode = WAL; CREATE TABLE mail (id INTEGER PRIMARY KEY);"
        'CREATE TABLE "nagare_mail" (seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, id);'
        """INSERT INTO nagare_mail VALUES (1000, 'A', NULL); CREATE TRIGGER "nagare_mail_insert" AFTER INSERT ON "mail" BEGIN"""
        """ INSERT INTO "nagare_mail" (op, id) VALUES ('I', NEW.id); END;""",
    )
    said = command("--sqlite", str(path), "--remove-triggers")
    assert said.returncode == 0 and "dropped trigger nagare_mail_insert, table nagare_mail" in said.stderr, said.stderr
    assert "the empty table sqlite_sequence" in said.stderr and "the journal mode WAL" in said.stderr
    with closing(sqlite3.connect(path)) as connection:
        assert {name for (name,) in connection.execute("SELECT name FROM sqlite_master")} == {"mail", "sqlite_sequence"}


def test_existing_triggers_are_used_without_the_option(under: Under, tmp_path: Path, list_of: List) -> None:
    """When somebody drops them, rows are compared."""
    command(*under.arguments, "--table", "mail", "--triggers", "--configuration")
    listing = list_of(configure(under, tmp_path, write=False, triggers=False))
    listing.tell("viewWillAppear")
    under.run("INSERT INTO mail (id) VALUES (1)")
    listing.until([1])
    command(*under.arguments, "--remove-triggers")
    under.run("INSERT INTO mail (id) VALUES (2)")
    listing.until([2, 1])
    under.run("DELETE FROM mail WHERE id = 1")
    listing.until([2])
    command(*under.arguments, "--table", "mail", "--triggers", "--configuration")
    under.run("INSERT INTO mail (id) VALUES (3)")
    listing.until([3, 2])
