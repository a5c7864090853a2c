"""What was just done is undone, whatever was done since, and by nothing but time and leaving is it carried out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Serve
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from test_live import edits, mailbox  # noqa: F401
from user import DESKTOP, GRACE, PHONE, User

ARCHIVE = {"input": "remove", "name": "Archive", "icon": "🗄", "key": "e", "undo": True, "for": "many"}
UNREAD = {"input": "change", "set": {"unread": True}, "name": "Mark as unread", "icon": "●", "key": "N", "for": "many"}
LIST = "() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()"
Mailbox = Callable[..., str]


def archive(me: User, url: str, size: tuple[int, int] = DESKTOP) -> None:
    me.open(url, size)
    me.see(".row-title", "Mail 1")
    me.run(LIST)
    me.press("e")
    me.see(".toast", "Archive: “Mail 0”")
    me.gone(".row-title", "Mail 0")


def removed(folder: Path) -> list[int]:
    return [edit["source/remove"]["id"] for edit in edits(folder) if "source/remove" in edit]


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
    me.let_pass(2 * GRACE)
    me.load()
    assert me.session("({app}) => app.views.get('v1').items.length") >= 20


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


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_else_carries_out_what_is_archived(me: User, mailbox: Mailbox, tmp_path: Path, size: tuple[int, int]) -> None:  # noqa: F811
    archive(me, mailbox(display={"unread": "unread", "actions": [ARCHIVE, UNREAD]}), size)
    me.press("ARROW_DOWN", "j", "k", "PAGE_DOWN", "HOME", "x", "x", "N", "/", "t", "F2")
    for key, shown in (("m", "[role=menu]"), ("?", "dialog.keys"), (":", "dialog.palette")):
        me.press(key)
        me.see(shown)
        me.press("ESCAPE")
        me.gone(shown)
    me.see(".toast", "Archive: “Mail 0”")
    # Something is opened, swiped through, and left.
    me.run(LIST)
    me.press("ARROW_DOWN", "ENTER")
    me.see("article h2", "Mail 2")
    me.press("ARROW_RIGHT")
    me.see(".panel:not([inert]) article h2", "Mail 3")
    me.press("ESCAPE")
    me.gone(".detail")
    me.scroll(".screen:not([hidden]) .scroller", 300)
    me.scroll(".screen:not([hidden]) .scroller", 0)
    # All are marked, and unmarked.
    me.run(LIST)
    control(me, "a")
    me.see(".marks")
    me.press("ESCAPE")
    me.gone(".marks")
    assert removed(tmp_path) == []
    # What was archived afterwards is undone first.
    me.press("HOME", "e")
    me.see(".toast", "Archive: “Mail 1”")
    assert removed(tmp_path) == []
    me.click(".toast button", "Undo")
    me.see(".toast", "Archive: “Mail 0”")
    me.see(".row-title", "Mail 1")
    control(me, "z")
    me.gone(".toast")
    me.lists("Mail 0", "Mail 1", "Mail 2")
    me.let_pass(2 * GRACE)
    assert removed(tmp_path) == []


def test_each_is_removed_when_its_own_time_is_over(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.let_pass(GRACE - 1)
    me.press("e")
    me.see(".toast", "Archive: “Mail 1”")
    assert removed(tmp_path) == []
    me.let_pass(1)
    me.until(lambda: removed(tmp_path) == [0])
    me.see(".toast", "Archive: “Mail 1”")
    me.let_pass(GRACE - 1)
    me.gone(".toast")
    me.until(lambda: removed(tmp_path) == [0, 1])
    assert me.titles[0] == "Mail 2" and me.position == "18+"


def test_whoever_leaves_the_page_means_it(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    archive(me, mailbox())
    me.press("e")
    me.see(".toast", "Archive: “Mail 1”")
    me.chrome.get("about:blank")
    me.until(lambda: removed(tmp_path) == [0, 1])


def test_in_a_field_what_was_written_is_undone(me: User, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id":{id},"title":"Lamp {id}"}}\n' for id in range(5)))
    screens = {"lamps": {"viewModel": "search", "source": "rows"}}
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
    # The time to undo it is over while it isn't listed: it is removed once it is.
    me.let_pass(GRACE)
    me.press("ESCAPE", "ESCAPE")
    me.load()
    me.lists("Lamp 1", "Lamp 2")
    me.gone(".toast")
    me.until(lambda: me.session("({app}) => app.views.get('v1').items.length") == 4)


def test_what_is_archived_in_another_screen_is_undone_from_here(me: User, mailbox: Mailbox, tmp_path: Path) -> None:  # noqa: F811
    url = mailbox()
    archive(me, url)
    me.run("() => { location.hash = '#/mail'; }")
    control(me, "z")
    me.gone(".toast")
    me.let_pass(2 * GRACE)
    assert removed(tmp_path) == []
