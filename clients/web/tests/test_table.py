"""A table of a database, shown as the README says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serving import PACKAGE, ROOT, Site
from test_live import places
from user import User

SHOWN = [shlex.split(line) for line in re.findall(r"^    (.+mail.+)$", (PACKAGE / "README.md").read_text(), re.MULTILINE)]
Query = Callable[[str], str]


@pytest.fixture
def sqlite(tmp_path: Path) -> Query:
    """What `sqlite3` says to a statement."""
    fetched = ROOT / ".build" / "debian" / "usr" / "bin" / "sqlite3"
    program = shutil.which("sqlite3") or str(fetched)

    def run(statement: str) -> str:
        ran = subprocess.run([program, "mail.db", statement], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()

    return run


@pytest.fixture
def table(sqlite: Query, tmp_path: Path) -> Iterator[Site]:
    """The README's table, as its second command shows it."""
    (_, _, create), (*make, words), _ = commands = [command for command in SHOWN if command[0] in ("sqlite3", "make")][-3:]
    assert [command[0] for command in commands] == ["sqlite3", "make", "sqlite3"] and make == ["make", "web"]
    sqlite(create)
    sqlite(MANY)
    options = words.removeprefix("ARGS=").replace("mail.db", str(tmp_path / "mail.db")).split()
    site = Site(*options)
    yield site
    site.kill()


MANY = """
WITH RECURSIVE numbers(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < 150)
INSERT INTO mail SELECT n, 'Mail ' || n, 'Tom', 'Some words. ', datetime('now', 'localtime', (n - 200) || ' hours'), 0 FROM numbers
"""


def test_a_row_that_is_written_by_hand_appears_and_an_archived_one_is_gone(me: User, table: Site, sqlite: Query) -> None:
    me.open(table.url)
    me.see(".row-title", "Mail 150")
    *_, (_, _, insert) = SHOWN
    sqlite(insert)
    me.see(".row.unread .row-title", "Hello")
    assert [row["title"] for row in me.rows][:2] == ["Hello", "Mail 150"]

    # At its place, wherever that is.
    sqlite("INSERT INTO mail SELECT 2, 'Between', sender, body, datetime(date, '+1 minute'), 1 FROM mail WHERE id = 149")
    me.see(".row-title", "Between")
    assert [row["title"] for row in me.rows][:4] == ["Hello", "Mail 150", "Between", "Mail 149"]

    # Without the text under one's eyes moving.
    me.scroll(".screen:not([hidden]) .scroller", 900)
    before = places(me)
    sqlite("INSERT INTO mail VALUES (3, 'Again', 'Mei', 'Some words.', datetime('now', 'localtime', '+1 minute'), 1)")
    me.see(".pill", "1 new message")
    sqlite("DELETE FROM mail WHERE id = 150")
    sqlite("UPDATE mail SET subject = 'Changed' WHERE id = 1")
    me.until(lambda: me.session("({app}) => app.views.get('v1').items.some(({subject}) => subject === 'Changed')"))
    assert places(me) == before
    me.click(".pill")
    me.see(".row-title", "Again")

    # What is read is told to the table, and what is archived is gone from it.
    me.click(".row", "Changed")
    me.see("article h2", "Changed")
    me.until(lambda: sqlite("SELECT unread FROM mail WHERE id = 1") == "0")
    me.press("e")
    me.see(".toast", "Archived “Changed”")
    me.press("ESCAPE")
    me.gone(".row-title", "Changed")
    me.until(lambda: sqlite("SELECT count(*) FROM mail WHERE id = 1") == "0")
    me.gone(".toast")
    assert not me.all(".complaints")
