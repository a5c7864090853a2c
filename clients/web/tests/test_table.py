"""A table of a database, served by the README's commands."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import PACKAGE, ROOT, Site
from test_live import places
from user import User

sys.path.append(str(ROOT / "clients" / "source-python" / "tests"))

from postgres import PostgreSQL  # noqa: E402


def shown(page: Path) -> list[list[str]]:
    """Returns a page's commands that create a table, show it and insert a row."""
    lines = re.findall(r"^    ((?:sqlite3|make web|nagare web) .*mail\.db.*)$", page.read_text(), re.MULTILINE)
    return [shlex.split(line) for line in lines]


SHOWN = shown(PACKAGE / "README.md")
assert len(SHOWN) == 3 and shown(ROOT / "protocol" / "DATA.md") == [SHOWN[0], ["nagare", "web", "--open", "--sqlite", "mail.db"], SHOWN[2]]
MANY = [f"({n}, 'Mail {n}', 'Tom', 'Some words.', '2026-11-20 10:{n - 100}:00', 0)" for n in range(110, 160)]
TABLE = "CREATE TABLE mail (id INTEGER PRIMARY KEY, subject TEXT, sender TEXT, body TEXT, date TIMESTAMP, unread INTEGER)"


class Database:
    """A database, with its shell command and its options for `serve`."""

    def __init__(self, command: list[str], options: list[str]) -> None:
        self.command, self.options = command, options

    def __call__(self, statement: str) -> str:
        """Runs a statement in the database's shell, and returns its output."""
        ran = subprocess.run([*self.command, statement], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    fetched = ROOT / ".build" / "debian" / "usr" / "bin" / "sqlite3"
    path = str(tmp_path / "mail.db")
    # The source locks the file briefly from time to time, first when it starts.
    return Database([shutil.which("sqlite3") or str(fetched), "-cmd", ".timeout 10000", path], ["--sqlite", path])


@pytest.fixture
def postgres() -> Iterator[Database]:
    server = PostgreSQL()
    server.start()
    yield Database(["psql", "-qtAX", server.connection, "-c"], ["--postgres", server.connection])
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> Database:
    found: Database = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def table(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Serves a table of the database."""
    monkeypatch.setenv("PYTHON", sys.executable)
    database(TABLE)
    database(f"INSERT INTO mail VALUES {', '.join(MANY)}")
    site = Site(*database.options, "--table", "mail", "--write")
    yield site
    site.kill()


def test_the_readme_s_three_commands_make_a_live_table(me: User, sqlite: Database) -> None:
    create, (*make, words), insert = SHOWN[-3:]
    assert [create[:2], make, insert[:2]] == [["sqlite3", "mail.db"], ["make", "web"], ["sqlite3", "mail.db"]]
    sqlite(create[2])
    site = Site(*words.removeprefix("ARGS=").replace("mail.db", sqlite.options[1]).split())
    try:
        me.open(site.url)
        me.see(".emptiness", "Nothing here")
        sqlite(insert[2])
        me.see(".row.unread .row-title", "Hello")
    finally:
        site.kill()


def test_an_inserted_row_appears_in_order_and_visible_rows_do_not_move(
    me: User, table: Site, database: Database
) -> None:
    me.open(table.url)
    me.see(".row-title", "Mail 159")
    database("INSERT INTO mail VALUES (1, 'Hello', 'Mei', 'Written by hand.', '2026-11-20 12:00:00', 1)")
    me.see(".row.unread .row-title", "Hello")
    database("INSERT INTO mail VALUES (2, 'Between', 'Mei', 'Written by hand.', '2026-11-20 10:58:30', 1)")
    me.see(".row-title", "Between")
    assert [row["title"] for row in me.rows][:4] == ["Hello", "Mail 159", "Between", "Mail 158"]

    me.scroll(".screen:not([hidden]) .scroller", 900)
    before = places(me)
    database("INSERT INTO mail VALUES (3, 'Again', 'Mei', 'Written by hand.', '2026-11-20 12:01:00', 1)")
    me.see(".pill", "1 new message")
    database("DELETE FROM mail WHERE id = 159")
    database("UPDATE mail SET subject = 'Changed' WHERE id = 1")
    me.until(lambda: me.session("({app}) => app.views.get('v1').items.some(({subject}) => subject === 'Changed')"))
    assert places(me) == before
    me.click(".pill")
    me.see(".row-title", "Again")


def test_edits_in_the_page_change_the_table(me: User, table: Site, database: Database) -> None:
    me.open(table.url)
    database("UPDATE mail SET unread = 1 WHERE id = 158")
    me.click(".row.unread", "Mail 158")
    me.see("article h2", "Mail 158")
    me.until(lambda: database("SELECT unread FROM mail WHERE id = 158") == "0")
    me.press("e")
    me.see(".toast", "Delete: “Mail 158”")
    me.press("ESCAPE")
    me.gone(".row-title", "Mail 158")
    # This server has no virtual clock.
    me.until(lambda: database("SELECT count(*) FROM mail WHERE id = 158") == "0")
    me.gone(".toast")
    assert not me.all(".complaints") and database("SELECT count(*) FROM mail") == "49"


def test_a_configuration_with_a_password_is_not_left_in_a_file(
    me: User, sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setenv("TMPDIR", str(passing))
    sqlite(TABLE)
    site = Site(*sqlite.options, "--table", "mail")
    try:
        for _ in range(2):
            me.open(site.url)
            me.see(".emptiness", "Nothing here")
        served = [path for path in (ROOT / ".build" / "site").rglob("*") if path.is_file()]
        assert served and not any(str(tmp_path).encode() in path.read_bytes() for path in served)
        assert not [*passing.iterdir()]
    finally:
        site.kill()
