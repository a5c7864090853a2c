"""Work with mail in a table, done only with the keyboard. Afterwards the table's content is checked.

Each task runs once without interruption and once with the server killed in the middle.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Glass, User, before, binary, run, user
from nagare_terminal import Terminal
from nagare_terminal.screen import ViewScreen
from test_places import kill_server

KIT = str(ROOT / "clients" / "source-python" / "src")
SENDERS = "Mei", "Ren", "Aoi"
ACTIONS = [
    {"input": "remove", "name": "Archive", "key": "e", "undo": True, "for": "many"},
    {"input": "change", "set": {"unread": 0}, "name": "Read", "key": "R", "for": "many"},
    {"input": "change", "set": {"unread": 1}, "name": "Unread", "key": "u", "for": "many"},
]
UNDO_MILLISECONDS = 5000
"""The time on the server's clock after which a removal can't be undone."""
Table = Callable[[str], list[Any]]


def mail(n: int) -> tuple[Any, ...]:
    about = "Invoice for March" if n == 33 else "請求書 四月" if n == 34 else f"Mail {n}"
    return n, about, SENDERS[n % 3], f"Words of {n}. See https://example.org/{n}", f"2026-{n // 20 + 2:02}-{n % 20 + 1:02} 10:00:00", n % 2


MAILS = [mail(n) for n in range(60)]


@dataclass
class Wish:
    """A task: the keys before and after the server may be killed, the expected screen, a query and its expected result."""

    about: str
    before: Sequence[str]
    after: Sequence[str]
    seen: Callable[[Any], object] = lambda me: True
    asked: str = "SELECT count(*), sum(unread) FROM mail"
    answer: Sequence[Any] = ((60, 30),)


def titles(me: Any) -> list[str]:
    return [item["subject"] for item in me.screen.rows.items if item is not None]


GONE = "SELECT count(*) FROM mail WHERE id = {}"
INVOICE = ["/", *"invoice", "enter"]
WISHES = [
    Wish("read the newest", [], ["enter"], lambda me: "Words of 59" in me.text, answer=[(60, 29)]),
    Wish("find the mail about the invoice and read it", INVOICE, ["enter"], lambda me: "Words of 33" in me.text, answer=[(60, 29)]),
    Wish("find what is written in Japanese", ["/", *"請求書", "enter"], ["enter"], lambda me: "Words of 34" in me.text),
    Wish("find the mail about the invoice and archive it", INVOICE, ["e"], asked=GONE.format(33), answer=[(0,)]),
    Wish("archive it and have it back", INVOICE, ["e", "U"], lambda me: titles(me) == ["Invoice for March"]),
    Wish("see the unread alone", ["f", "tab", "tab", "tab", "tab", "tab", *"1", "enter"], [], lambda me: "Mail 58" not in titles(me) and len(titles(me)) == 30),
    Wish(
        "mark all unread of March as read",
        ["f", "tab", "tab", "tab", "tab", *"2026-03-01..2026-03-31", "tab", *"1", "enter"], ["A", "R"],
        asked="SELECT sum(unread), sum(unread) FILTER (WHERE date LIKE '2026-03%') FROM mail", answer=[(20, 0)],
    ),
    Wish("mark one as unread again", ["down"], ["u"], asked="SELECT unread FROM mail WHERE id = 58", answer=[(1,)]),
    Wish("open the link that I was sent", ["down"], ["o"], lambda me: me.glass.started == [["true", "https://example.org/58"]]),
    Wish("copy it", ["enter"], ["y"], lambda me: "Words of 59" in me.glass.copied[0], answer=[(60, 29)]),
    Wish("hand it to a program", ["down"], ["|", *"jq .", "enter"], lambda me: json.loads(me.glass.ran[0][1])["subject"] == "Mail 58"),
    Wish("read it in the pager", ["down"], ["v"], lambda me: "Words of 58" in me.glass.ran[0][1]),
    Wish("archive three at once", ["down"], ["x", "x", "x", "e"], asked="SELECT count(*) FROM mail WHERE id IN (56, 57, 58)", answer=[(0,)]),
    Wish("archive from here to there", ["down"], ["V", "j", "j", "e"], asked="SELECT count(*) FROM mail WHERE id IN (56, 57, 58)", answer=[(0,)]),
    Wish("archive all of April but one", ["/", *"2026-04", "enter"], ["A", "x", "e"], asked="SELECT count(*), max(date) FROM mail", answer=[(41, "2026-04-20 10:00:00")]),
    Wish("archive what is open and see the next", ["down", "enter"], ["e"], lambda me: "Words of 57" in me.text, answer=[(59, 29)]),
    Wish("go to the fortieth", [], [":", *"40", "enter", "enter"], lambda me: "Words of 20" in me.text),
    Wish("read on from one to the next", ["enter", "right"], ["right"], lambda me: "Words of 57" in me.text, answer=[(60, 28)]),
    Wish("see who wrote, by name", ["f", *["tab"] * 6, *"sender", "enter"], [], lambda me: titles(me)[0] == "Mail 59" and titles(me)[1] == "Mail 56"),
    Wish("go back to where I was", ["down", "down", "enter"], ["escape"], lambda me: me.screen.rows.current["id"] == 57, answer=[(60, 29)]),
]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of mails that other writers can change."""
    monkeypatch.setenv("PYTHONPATH", KIT)
    monkeypatch.setenv("BROWSER", "true")
    database = sqlite3.connect(tmp_path / "mail.db", isolation_level=None, timeout=20)
    database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, subject TEXT, sender TEXT, body TEXT, date TEXT, unread INTEGER)")
    database.executemany("INSERT INTO mail VALUES (?, ?, ?, ?, ?, ?)", MAILS)
    return lambda statement: database.execute(statement).fetchall()


def served(folder: Path, **screen: object) -> list[str]:
    """Returns the options with which a server serves the table, with the configuration that the source kit writes."""
    words = ["--sqlite", str(folder / "mail.db"), "--table", "mail", "--write", "--configuration"]
    made = subprocess.run([sys.executable, "-m", "nagare_source", *words], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": KIT}, check=True)
    configuration = json.loads(made.stdout)
    configuration["screens"]["mail"]["display"]["actions"] = ACTIONS
    # The actions determine what can be undone.
    configuration["screens"]["mail"].pop("undo", None)
    configuration["screens"]["mail"].update(screen)
    (folder / "nagare.json").write_text(json.dumps(configuration))
    return ["--config", str(folder / "nagare.json")]


async def press(me: User, keys: Sequence[str]) -> None:
    """Presses keys. Each key waits until everything that the previous one started is finished."""

    def is_there() -> bool:
        screen = me.terminal.top
        return not isinstance(screen, ViewScreen) or not (screen.is_loading or getattr(screen, "phase", "") in ("nothing", "requesting"))

    for key in keys:
        await me.press(key)
        for _ in range(3):
            await me.wait(500)
            await me.until(is_there)


@pytest.mark.parametrize("killed", [False, True], ids=["", "killed"])
@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish.about)
def test_every_task_with_mail_can_be_done_by_keyboard(tmp_path: Path, table: Table, wish: Wish, killed: bool) -> None:
    async def test() -> None:
        async with user(options=served(tmp_path), state=tmp_path / "state.json") as me:
            await me.until(lambda: me.view["items"])
            await press(me, wish.before)
            if killed:
                await kill_server(me)
                await me.until(lambda: len(me.screen.listed if hasattr(me.screen, "listed") else [1]))
                await me.wait(1000)
                await me.until(lambda: not getattr(me.terminal.screens[0], "restoring", None))
            await press(me, wish.after)
            await me.until(lambda: wish.seen(me))
            await me.wait(UNDO_MILLISECONDS)
            await me.until(lambda: table(wish.asked) == [tuple(one) for one in wish.answer])

    run(test())


def test_a_row_that_the_table_refuses_to_remove_comes_back_and_can_be_archived_again(tmp_path: Path, table: Table) -> None:
    async def test() -> None:
        async with user(options=served(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            table("CREATE TRIGGER keep BEFORE DELETE ON mail BEGIN SELECT RAISE(ABORT, 'mails are kept'); END")
            await press(me, ["e"])
            assert "Mail 59" not in titles(me) and "Archived “Mail 59” · U undo" in me.status
            await me.wait(UNDO_MILLISECONDS)
            await me.until(lambda: "mails are kept" in me.text)
            assert titles(me)[0] == "Mail 59" and "“Mail 59” was restored" in me.told[0] and "T tries that again" in me.status
            table("DROP TRIGGER keep")
            await press(me, ["T"])
            assert "Mail 59" not in titles(me) and "Archived “Mail 59” · U undo" in me.status
            await me.wait(UNDO_MILLISECONDS)
            await me.until(lambda: table(GONE.format(59)) == [(0,)])

    run(test())


def test_quitting_removes_archived_mails(tmp_path: Path, table: Table) -> None:
    async def test() -> None:
        glass = Glass((80, 24))
        async with before(Terminal([binary(), *served(tmp_path, undo=3_600_000)], device=glass), glass) as me:
            await me.until(lambda: me.view["items"])
            await me.press("e")
            await me.until(lambda: "Archived “Mail 59” · U undo" in me.status)
            assert table(GONE.format(59)) == [(1,)], "the source isn't asked while it can be undone"
            await me.press("q")
        assert table(GONE.format(59)) == [(0,)]

    run(test())


def test_after_the_servers_death_the_list_agrees_with_the_table(tmp_path: Path, table: Table) -> None:
    async def test() -> None:
        async with user(options=served(tmp_path), state=tmp_path / "state.json") as me:
            await me.until(lambda: me.view["items"])
            await press(me, ["e"])
            await kill_server(me)
            await me.until(lambda: me.screen.rows.items and me.screen.phase == "requestFinished")
            await me.wait(500)
            assert ("Mail 59" in titles(me)) == (table(GONE.format(59)) == [(1,)])

    run(test())


def test_a_new_message_is_announced_and_a_key_moves_to_it(tmp_path: Path, table: Table) -> None:
    async def test() -> None:
        async with user(options=served(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            await press(me, ["pagedown", "pagedown"])
            before = me.screen.rows.current
            table("INSERT INTO mail VALUES (99, 'New', 'Mei', 'Words.', '2026-12-01 10:00:00', 1)")
            await me.until(lambda: "1 new message, n shows it" in me.lines[0])
            assert me.screen.rows.current == before
            await press(me, ["n"])
            await me.until(lambda: titles(me)[:1] == ["New"] and me.screen.rows.top == 0)

    run(test())
