"""Undo: an action takes effect at once, and can be undone for a while. The server measures that time."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Serve, first_in_each_page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from serving import ROOT, Site
from test_live import edits, mailbox  # noqa: F401
from user import DESKTOP, GRACE, PHONE, User

ARCHIVE = {"input": "remove", "name": "Archive", "icon": "🗄", "key": "e", "undo": True, "for": "many"}
UNREAD = {"input": "change", "set": {"unread": True}, "name": "Mark as unread", "icon": "●", "key": "N", "for": "many"}
READ = {"input": "change", "set": {"unread": False}, "name": "Mark as read", "key": "I", "undo": True, "for": "many"}
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
LIST = "() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()"
VIEW = "[...app.views.values()][0]"
Mailbox = Callable[..., str]


def archive(me: User, url: str, size: tuple[int, int] = DESKTOP) -> None:
    """Opens a mailbox, and archives its first mail."""
    me.open(url, size)
    me.see(".row-title", "Mail 1")
    me.run(LIST)
    me.press("e")
    me.see(".toast", "Archive: “Mail 0”")
    me.gone(".row-title", "Mail 0")


def removed(folder: Path) -> list[int]:
    """Returns the ids of the mails that the source was asked to remove."""
    return [edit["source/remove"]["id"] for edit in edits(folder) if "source/remove" in edit]


def changed(folder: Path) -> list[tuple[int, bool]]:
    """Returns the ids of the mails that the source was asked to change, and whether they became unread."""
    items = [edit["source/change"]["item"] for edit in edits(folder) if "source/change" in edit]
    return [(item["id"], item["unread"]) for item in items]


def control(me: User, key: str, modifier: str = Keys.CONTROL) -> None:
    ActionChains(me.chrome).key_down(modifier).send_keys(key).key_up(modifier).perform()


@pytest.mark.parametrize("key", ["u", "Ctrl Z", "⌘ Z"])
def test_a_key_undoes_in_the_demo(me: User, serve: Serve, key: str) -> None:
    site = serve(None, "--live", "--clock", "virtual")
    me.open(site.url)
    me.load()
    first, second = me.titles[:2]
    unread = len(me.all(".row.unread"))
    me.press("e")
    me.see(".toast", f"Archive: “{first}”")
    me.lists(second)
    me.press("u") if key == "u" else control(me, "z", Keys.CONTROL if key == "Ctrl Z" else Keys.META)
    me.lists(first, second)
    me.gone(".toast")
    assert len(me.all(".row.unread")) == unread, "nothing else is done"


def test_a_key_marks_mails_of_the_demo_as_unread(me: User, serve: Serve) -> None:
    me.open(serve(None, "--live", "--clock", "virtual").url)
    me.load()
    me.press("i")
    me.see(".row.active.read")
    me.press("N")
    me.see(".row.active.unread")
    me.press("?")
    me.see("dialog.keys")
    told = [line.split("\n") for line in me.run("() => [...document.querySelectorAll('.keys dl > div')].map((row) => row.innerText)")]
    assert ["N", "Mark as unread"] in told and ["Ctrl Z", "u", "undo"] in told
    me.audit()


@SIZES
def test_other_actions_leave_an_archived_mail_undoable(me: User, mailbox: Mailbox, tmp_path: Path, size: tuple[int, int]) -> None:  # noqa: F811
    archive(me, mailbox(display={"unread": "unread", "actions": [ARCHIVE, UNREAD]}), size)
    me.press("ARROW_DOWN", "j", "k", "PAGE_DOWN", "HOME", "x", "x", "N", "/", "t", "F2")
    for key, shown in (("m", "[role=menu]"), ("?", "dialog.keys"), (":", "dialog.palette")):
        me.press(key)
        me.see(shown)
        me.press("ESCAPE")
        me.gone(shown)
    me.see(".toast", "Archive: “Mail 0”")
    # A mail is opened, swiped away, and closed.
    me.run(LIST)
    me.press("ARROW_DOWN", "ENTER")
    me.see("article h2", "Mail 2")
    me.press("ARROW_RIGHT")
    me.see(".panel:not([inert]) article h2", "Mail 3")
    me.press("ESCAPE")
    me.gone(".detail")
    me.scroll(".screen:not([hidden]) .scroller", 300)
    me.scroll(".screen:not([hidden]) .scroller", 0)
    # All mails are marked, and unmarked.
    me.run(LIST)
    control(me, "a")
    me.see(".marks")
    me.press("ESCAPE")
    me.gone(".marks")
    # The mail that was archived last is restored first.
    me.press("HOME", "e")
    me.see(".toast", "Archive: “Mail 1”")
    me.click(".toast button", "Undo")
    me.see(".toast", "Archive: “Mail 0”")
    me.see(".row-title", "Mail 1")
    control(me, "z")
    me.gone(".toast")
    me.lists("Mail 0", "Mail 1", "Mail 2")
    me.advance(2 * GRACE)
    assert removed(tmp_path) == []


def test_each_mail_is_removed_after_its_own_undo_time(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.advance(GRACE - 1)
    me.press("e")
    me.see(".toast", "Archive: “Mail 1”")
    assert removed(tmp_path) == []
    me.advance(1)
    me.until(lambda: removed(tmp_path) == [0])
    me.see(".toast", "Archive: “Mail 1”")
    me.advance(GRACE - 1)
    me.gone(".toast")
    me.until(lambda: removed(tmp_path) == [0, 1])
    assert me.titles[0] == "Mail 2" and me.position == "18+"


def test_the_screen_sets_the_undo_time(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox(undo=60_000))
    me.let_pass(60_000)
    me.advance(59_999)
    me.see(".toast", "Archive: “Mail 0”")
    assert removed(tmp_path) == []
    me.advance(1)
    me.gone(".toast")
    me.until(lambda: removed(tmp_path) == [0])


def test_pending_removals_are_sent_when_the_page_is_left(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.press("e")
    me.see(".toast", "Archive: “Mail 1”")
    me.chrome.get("about:blank")
    me.until(lambda: removed(tmp_path) == [0, 1])


def test_a_removal_can_be_undone_during_a_search_and_ctrl_z_in_a_field_undoes_typing(me: User, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id":{id},"title":"Lamp {id}"}}\n' for id in range(5)))
    screens = {"lamps": {"viewModel": "search", "source": "rows", "undo": GRACE}}
    me.open(serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens}, "--clock", "virtual").url)
    me.load()
    me.press("e")
    me.see(".toast", "Archive: “Lamp 0”")
    me.click("[type=search]")
    me.press(*"Lamp 3")
    me.load()
    me.lists("Lamp 3")
    control(me, "z")
    assert me.run("() => document.querySelector('[type=search]').value") != "Lamp 3"
    me.see(".toast", "Archive: “Lamp 0”")
    me.press("ESCAPE", "ESCAPE")
    me.load()
    me.lists("Lamp 1", "Lamp 2")
    me.click(".toast button", "Undo")
    me.lists("Lamp 0", "Lamp 1")
    me.gone(".toast")


def test_a_removal_can_be_undone_from_another_screen(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.run("() => { location.hash = '#/mail'; }")
    control(me, "z")
    me.gone(".toast")
    me.advance(2 * GRACE)
    assert removed(tmp_path) == []


def test_removals_of_marked_mails_are_undone_together(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.press("x", "ARROW_DOWN", "x", "ARROW_DOWN", "x", "e")
    me.see(".toast", "Archive: 3 items")
    me.lists("Mail 4")
    me.press("u")
    me.see(".toast", "Archive: “Mail 0”")
    me.lists("Mail 1", "Mail 2", "Mail 3", "Mail 4")
    me.see(".marks", "3 marked")
    me.advance(2 * GRACE)
    me.until(lambda: removed(tmp_path) == [0])


@SIZES
def test_undo_reverts_a_change_that_was_sent_at_once(me: User, mailbox: Mailbox, tmp_path: Path, size: tuple[int, int]) -> None:  # noqa: F811
    me.open(mailbox(display={"unread": "unread", "actions": [READ]}), size)
    me.see(".row.unread .row-title", "Mail 0")
    me.run(LIST)
    me.press("I")
    me.see(".toast", "Mark as read: “Mail 0”")
    me.see(".row.read .row-title", "Mail 0")
    me.until(lambda: changed(tmp_path) == [(0, False)])
    me.audit()
    me.click(".toast button", "Undo")
    me.see(".row.unread .row-title", "Mail 0")
    me.gone(".toast")
    me.until(lambda: changed(tmp_path) == [(0, False), (0, True)])
    # The page measures the undo time of such a change.
    me.run(LIST)
    me.press("I")
    me.see(".toast", "Mark as read: “Mail 0”")
    me.let_pass(GRACE)
    me.gone(".toast")
    me.until(lambda: len(changed(tmp_path)) == 3)


def test_changes_and_removals_are_undone_newest_first(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox(display={"unread": "unread", "actions": [ARCHIVE, READ]}))
    me.press("ARROW_DOWN", "ARROW_DOWN", "I")
    me.see(".toast", "Mark as read: “Mail 3”")
    me.press("ARROW_DOWN", "e")
    me.see(".toast", "Archive: “Mail 4”")
    me.press("u")
    me.see(".toast", "Mark as read: “Mail 3”")
    me.see(".row-title", "Mail 4")
    me.press("u")
    me.see(".toast", "Archive: “Mail 0”")
    me.see(".row.unread .row-title", "Mail 3")
    me.press("u")
    me.gone(".toast")
    me.lists("Mail 0", "Mail 1")


def test_a_refused_change_offers_no_undo(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "locked").touch()
    me.open(mailbox(display={"unread": "unread", "actions": [READ]}))
    me.see(".row.unread .row-title", "Mail 0")
    me.run(LIST)
    me.press("I")
    me.see(".complaints", "Mark as read: “Mail 0”: The mailbox is locked")
    me.gone(".toast")
    me.see(".row.unread .row-title", "Mail 0")


def test_an_edit_of_another_frontend_can_be_undone(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    me.open(mailbox(marks=True))
    me.see(".row-title", "Mail 1")
    # Another client of the same session sends these.
    me.session(f"({{app}}) => {VIEW}.call('remove', {{id: 0}})")
    me.see(".toast", "Removed 1 item")
    me.session(f"({{app}}) => {VIEW}.call('mark', {{from: 1, to: 3}}).then(() => {VIEW}.call('remove', {{marked: true}}))")
    me.see(".toast", "Removed 3 items")
    me.audit()
    me.click(".toast button", "Undo")
    me.lists("Mail 1", "Mail 2", "Mail 3")
    me.see(".toast", "Removed 1 item")
    # The other client can undo them, too.
    me.session(f"({{app}}) => {VIEW}.call('undo')")
    me.lists("Mail 0", "Mail 1")
    me.gone(".toast")


def test_another_page_shows_a_removal_after_the_undo_time(me: User, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page has its own server. Both show the same table."""
    with sqlite3.connect(tmp_path / "lamps.db") as connection:
        connection.execute("CREATE TABLE lamps (id INTEGER PRIMARY KEY, title TEXT)")
        connection.executemany("INSERT INTO lamps VALUES (?, ?)", [(id, f"Lamp {id}") for id in range(5)])
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))
    command = [sys.executable, "-m", "nagare_source", "--sqlite", os.fspath(tmp_path / "lamps.db"), "--table", "lamps", "--order=id", "--write"]
    config = json.loads(subprocess.run([*command, "--configuration"], capture_output=True, check=True).stdout)
    config["screens"]["lamps"] |= {"livePace": 0, "undo": GRACE}
    site = serve(config, "--clock", "virtual")
    me.open(site.url)
    me.load()
    me.see(".row-title", "Lamp 1")
    first = me.chrome.current_window_handle
    me.chrome.switch_to.new_window("window")
    second = me.chrome.current_window_handle
    me.command("Page.addScriptToEvaluateOnNewDocument", source=f"{{ {first_in_each_page()} }}")
    try:
        me.open(site.url)
        me.load()
        me.see(".row-title", "Lamp 1")
        me.run(LIST)
        me.press("e")
        me.gone(".row-title", "Lamp 0")
        me.see(".toast", "Delete: “Lamp 0”")
        me.chrome.switch_to.window(first)
        me.lists("Lamp 0", "Lamp 1")
        assert not me.all(".toast")
        me.chrome.switch_to.window(second)
        me.advance(GRACE)
        me.gone(".toast")
        me.chrome.switch_to.window(first)
        me.gone(".row-title", "Lamp 0")
        me.lists("Lamp 1")
    finally:
        me.chrome.switch_to.window(second)
        me.chrome.close()
        me.chrome.switch_to.window(first)


def test_without_undo_the_page_asks_before_a_removal(me: User, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id":{id},"title":"Lamp {id}"}}\n' for id in range(5)))
    screens = {"lamps": {"viewModel": "list", "source": "rows"}}
    me.open(serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens}, "--clock", "virtual").url, PHONE, motion=True)
    me.load()
    me.lists("Lamp 0")
    me.drag(".row:has(+ .row)", 300, 0)
    me.see("dialog", "Archive? This can’t be undone.")
    me.audit()
    me.click("dialog button", "No")
    # The row that was swiped away is restored.
    me.sees("() => [...document.querySelectorAll('.row')].every((row) => row.style.translate === '' && row.getAnimations().length === 0)")
    me.lists("Lamp 0", "Lamp 1")
    me.drag(".row:has(+ .row)", 300, 0)
    me.click("dialog button", "Yes")
    me.lists("Lamp 1")
    me.gone(".row-title", "Lamp 0")
    assert not me.all(".toast *")


@SIZES
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_rows_show_whether_their_edits_are_sent(me: User, own: Site, size: tuple[int, int], dark: bool) -> None:
    me.open(own.url, size, dark=dark, part="#/outbox")
    me.see(".row", "Sending…")
    me.see(".row .failed", "Not sent")
    me.count(1, ".row .failed")
    assert not me.all(".states dt", "Pending")
    me.audit()
    me.run(LIST)
    me.press("m")
    assert not me.all("[role=menu]", "Send again")
    me.press("ESCAPE", "END", "m")
    me.click("[role=menuitem]", "Send again")
    me.gone(".row .failed")
    me.sees("() => eyes.all('.row', 'Sending…').length === 2")
