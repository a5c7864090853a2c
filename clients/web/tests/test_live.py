"""Live lists: changes from the source, archiving and marking as read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from user import DESKTOP, GRACE, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"
PROGRAM = Path(__file__).with_name("live_mails.py")
Change = Callable[..., None]


def mail(number: int, subject: str) -> dict[str, Any]:
    return {"id": number, "subject": subject, "sender": "Mei", "unread": True, "body": "Just come in. " * 9}


@pytest.fixture
def mailbox(serve: Serve, tmp_path: Path) -> Callable[..., str]:
    """Returns a function that serves a live mailbox, and returns its URL."""

    def start(**screen: object) -> str:
        os.mkfifo(tmp_path / "changes")
        writes = ["insert", "change", "remove"]
        source = {"type": "command", "command": [sys.executable, str(PROGRAM)], "live": True, "writes": writes}
        inbox = {"viewModel": "list", "source": "mails", "detail": "mail", "livePace": 0, "undo": GRACE, **screen}
        screens = {"inbox": {name: value for name, value in inbox.items() if value is not None}, "mail": {"viewModel": "pager"}}
        return serve({"sources": {"mails": source}, "screens": screens}, "--clock", "virtual").url

    return start


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """Returns a function that makes the source report changes."""

    def tell(*changes: dict[str, Any], **params: object) -> None:
        with open(tmp_path / "changes", "w") as pipe:
            pipe.write(json.dumps({"changes": changes, **params}) + "\n")

    return tell


def edits(folder: Path) -> list[dict[str, Any]]:
    """Returns the edits that the source received."""
    try:
        return [json.loads(line) for line in (folder / "edits").read_text().splitlines()]
    except FileNotFoundError:
        return []


def places(me: User) -> dict[str, float]:
    """Returns the vertical positions of all entirely visible rows, by their titles."""
    script = """() => {
      const sight = document.querySelector(".screen:not([hidden]) .scroller").getBoundingClientRect();
      const rows = [...document.querySelectorAll("[role=option]")].map((row) => [row, row.getBoundingClientRect()]);
      const inSight = rows.filter(([, box]) => box.top >= sight.top && box.bottom <= sight.bottom);
      return Object.fromEntries(inSight.map(([row, box]) => [row.querySelector(".row-title").textContent, box.top]));
    }"""
    found: dict[str, float] = me.run(script)
    return found


@SIZES
def test_a_new_mail_appears_at_the_top(
    me: User, mailbox: Callable[..., str], change: Change, size: tuple[int, int]
) -> None:
    me.open(mailbox(), size)
    me.see(".row-title", "Mail 0")
    change({"insert": mail(100, "Fresh")})
    me.see(".row-title", "Fresh")
    assert me.titles[:2] == ["Fresh", "Mail 0"]
    assert not me.all(".pill")


@SIZES
@pytest.mark.parametrize("motion", [False, True], ids=["still", "moving"])
def test_visible_rows_do_not_move_while_mails_above_change(
    me: User, mailbox: Callable[..., str], change: Change, size: tuple[int, int], motion: bool
) -> None:
    me.open(mailbox(), size, motion=motion)
    me.see(".row-title", "Mail 0")
    me.scroll(SCROLLER, 900)
    before = places(me)
    assert len(before) > 3
    change({"insert": mail(100, "Fresh")}, {"insert": mail(101, "Fresher")})
    me.see(".pill", "2 new messages")
    assert places(me) == before
    assert me.run("() => document.querySelector('main > .panes + [role=status]').textContent") == "2 new messages"
    change({"remove": 0}, {"remove": 1}, {"remove": 2})
    me.at("19+")
    assert places(me) == before
    change({"insert": {**mail(3, "Mail 3"), "unread": False}}, {"insert": mail(102, "Freshest")})
    me.see(".pill", "3 new messages")
    assert places(me) == before
    me.audit()
    me.slow_motion()
    me.click(".pill")
    me.lists("Freshest")
    me.gone(".pill")
    shines = """() => [...document.querySelectorAll("[role=option]")].filter((row) => row.getAnimations().length > 0)
      .map((row) => row.querySelector(".row-title").textContent)"""
    assert "Freshest" in me.run(shines), "one sees what is new when it comes into sight"
    me.full_speed()


def test_moved_and_removed_rows_are_animated(me: User, mailbox: Callable[..., str], change: Change) -> None:
    me.open(mailbox(), motion=True)
    me.see(".row-title", "Mail 0")
    me.slow_motion()
    before = places(me)
    change({"remove": 1}, {"insert": {**mail(2, "Mail 2")}, "after": 4}, {"insert": mail(100, "Fresh"), "after": 0})
    me.lists("Mail 0", "Fresh", "Mail 3", "Mail 4", "Mail 2")
    now = places(me)
    assert all(abs(now[title] - before[title]) < 1 for title in ("Mail 0", "Mail 2", "Mail 3", "Mail 4", "Mail 5"))
    assert me.see(".row.leaving").get_attribute("aria-hidden") == "true"
    me.full_speed()
    me.gone(".row.leaving")
    me.until(lambda: places(me)["Mail 2"] > before["Mail 3"])


def test_reduced_motion_prevents_animations(me: User, mailbox: Callable[..., str], change: Change) -> None:
    me.open(mailbox())
    me.see(".row-title", "Mail 0")
    me.run("() => { window.moves = 0; const own = Element.prototype.animate;"
           " Element.prototype.animate = function (...all) { if ('translate' in all[0]) moves += 1; return own.apply(this, all); }; }")
    change({"remove": 1}, {"insert": mail(100, "Fresh")})
    me.see(".row-title", "Fresh")
    assert me.run("() => [window.moves, document.querySelectorAll('.row.leaving').length]") == [0, 0]


@SIZES
def test_deferred_arrivals_are_counted_and_shown_on_request(
    me: User, mailbox: Callable[..., str], change: Change, size: tuple[int, int]
) -> None:
    me.open(mailbox(arrivals="ask"), size)
    me.see(".row-title", "Mail 0")
    before = places(me)
    change({"insert": mail(100, "Fresh")})
    me.see(".pill", "1 new message")
    assert places(me) == before
    me.scroll(SCROLLER, 700)
    me.click(".pill")
    me.see(".row-title", "Fresh")
    assert me.titles[:2] == ["Fresh", "Mail 0"]
    me.gone(".pill")


def test_the_total_number_of_items_is_shown(me: User, mailbox: Callable[..., str], change: Change) -> None:
    me.open(mailbox())
    me.see(".row-title", "Mail 0")
    change(total=1204)
    me.at("20 of 1,204")


@SIZES
def test_a_long_load_shows_its_progress(me: User, mailbox: Callable[..., str], tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "slow").write_text('{"done": 1200000, "of": 3400000, "unit": "bytes"}')
    me.open(mailbox(), size)
    bar = me.see(".progress", "1.2 MB of 3.4 MB").find_element("css selector", "progress")
    assert (bar.get_attribute("value"), bar.get_attribute("max")) == ("1200000", "3400000")
    me.audit()
    (tmp_path / "slow").write_text('{"done": 12345, "unit": "rows"}')
    me.click("[aria-label=Refresh]")
    me.see(".progress", "12,345 rows")
    assert me.run("() => document.querySelector('progress').matches(':indeterminate')")
    (tmp_path / "slow").unlink()
    me.click("[aria-label=Refresh]")
    me.see(".row-title", "Mail 0")
    me.gone(".progress")


@SIZES
def test_opening_a_mail_marks_it_as_read(
    me: User, mailbox: Callable[..., str], change: Change, tmp_path: Path, size: tuple[int, int]
) -> None:
    me.open(mailbox(), size)
    me.see(".row.unread .row-title", "Mail 3")
    me.click(".row", "Mail 3")
    me.see("article h2", "Mail 3")
    me.until(lambda: [edit["source/change"]["item"]["unread"] for edit in edits(tmp_path)] == [False])
    me.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
    me.see("article h2", "Mail 6")
    me.until(lambda: [edit["source/change"]["item"]["id"] for edit in edits(tmp_path)] == [3, 6])
    # Another client marks it as unread. The page must not mark it as read again.
    change({"change": mail(6, "Mail 6, again")})
    me.see("article h2", "Mail 6, again")
    me.press("ESCAPE")
    me.gone(".detail")
    me.see(".row.read .row-title", "Mail 3")
    me.see(".row.unread .row-title", "Mail 6, again")
    assert len(edits(tmp_path)) == 2


def test_screen_readers_announce_unread_mails(me: User, mailbox: Callable[..., str]) -> None:
    me.open(mailbox())
    me.see(".row-title", "Mail 3")
    me.command("Accessibility.enable")
    nodes = me.command("Accessibility.getFullAXTree")["nodes"]
    names = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "option"]
    assert [name.startswith(f"Unread Mail {number} ") for number, name in enumerate(names[:4])] == [True, False, False, True]


def test_a_refused_mark_as_read_is_reported_once(me: User, mailbox: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "locked").touch()
    me.open(mailbox())
    me.click(".row", "Mail 3")
    me.see(".complaints", "The mailbox is locked")
    me.see(".row.unread .row-title", "Mail 3")
    assert me.session("({app}) => app.views.get('v1').error.number") == 1
    assert not me.all(".notice")


@pytest.mark.parametrize("way", ["key", "finger", "detail"])
def test_archiving_can_be_undone(me: User, mailbox: Callable[..., str], tmp_path: Path, way: str) -> None:
    me.open(mailbox(), PHONE if way == "finger" else DESKTOP)
    me.see(".row-title", "Mail 1")
    if way == "finger":
        me.drag(".row:has(+ .row)", 60, 0)
        assert "Mail 0" in me.titles, "a short way is none"
        me.drag(".row:has(+ .row)", 300, 0)
    elif way == "key":
        me.run("() => document.querySelector('[role=listbox]').focus()")
        me.press("e")
    else:
        me.click(".row", "Mail 0")
        me.see("article h2", "Mail 0")
        me.click(".detail [aria-label=Archive]")
        me.see("article h2", "Mail 1")
    me.see(".toast", "Archive: “Mail 0”")
    me.gone(".row-title", "Mail 0")
    assert me.position in ("19+", "1 of 19+")
    me.audit()
    if way == "key":
        me.run("() => document.querySelector('[role=listbox]').focus()")
        me.press("u")
    else:
        me.click(".toast button", "Undo")
    me.see(".row-title", "Mail 0")
    me.gone(".toast")
    me.advance(2 * GRACE)
    assert [edit for edit in edits(tmp_path) if "source/remove" in edit] == []


def test_a_refused_removal_restores_the_row_and_shows_the_reason(me: User, mailbox: Callable[..., str], tmp_path: Path) -> None:
    me.open(mailbox())
    me.see(".row-title", "Mail 1")
    (tmp_path / "locked").touch()
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("e")
    me.gone(".row-title", "Mail 0")
    me.advance(GRACE)
    me.see(".complaints", "“Mail 0” was restored: The mailbox is locked")
    me.see(".row-title", "Mail 0")
    assert me.titles[0] == "Mail 0" and not me.all(".notice")
    (tmp_path / "locked").unlink()
    me.click(".complaints button", "Try again")
    me.gone(".row-title", "Mail 0")
    me.see(".toast", "Archive: “Mail 0”")
    me.advance(GRACE)
    me.gone(".toast")
    me.until(lambda: [edit["source/remove"]["id"] for edit in edits(tmp_path)] == [0])


def test_a_server_with_confirmations_asks_at_once(me: User, mailbox: Callable[..., str], tmp_path: Path) -> None:
    me.open(mailbox(confirmRemoval="Archive it?"))
    me.see(".row-title", "Mail 1")
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("e")
    me.see("dialog", "Archive it?")
    assert not me.all(".toast *")
    me.click("dialog button", "No")
    me.gone("dialog")
    assert me.titles[0] == "Mail 0"
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("HOME", "e")
    me.see("dialog", "Archive it?")
    me.press("ENTER")
    me.see(".toast", "Archive: “Mail 0”")
    me.gone(".row-title", "Mail 0")
    me.advance(GRACE)
    me.gone(".toast")
    me.until(lambda: [edit["source/remove"]["id"] for edit in edits(tmp_path)] == [0])


def test_a_final_removal_is_confirmed_only_once(me: User, mailbox: Callable[..., str], tmp_path: Path) -> None:
    me.open(mailbox(confirmRemoval="Archive it?", undo=None))
    me.see(".row-title", "Mail 1")
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("e")
    me.see("dialog", "Archive it?")
    me.click("dialog button", "Yes")
    me.lists("Mail 1", "Mail 2")
    assert not me.all("dialog")
    me.until(lambda: [edit["source/remove"]["id"] for edit in edits(tmp_path)] == [0])
    me.press("e")
    me.see("dialog", "Archive it?")
    me.click("dialog button", "Yes")
    me.lists("Mail 2", "Mail 3")
    assert not me.all("dialog")
    me.until(lambda: [edit["source/remove"]["id"] for edit in edits(tmp_path)] == [0, 1])


def test_a_row_under_a_finger_stays_while_the_list_changes(
    me: User, mailbox: Callable[..., str], change: Change, tmp_path: Path
) -> None:
    me.open(mailbox(), PHONE)
    me.see(".row-title", "Mail 1")
    me.drag(".row:has(+ .row)", 300, 0, drop=False)
    change({"insert": mail(100, "Fresh")})
    me.until(lambda: me.session("({app}) => app.views.get('v1').items.length") == 21)
    assert me.titles[0] == "Mail 0"
    me.lift()
    me.see(".toast", "Archive: “Mail 0”")
    me.lists("Fresh", "Mail 1")
