"""Long lists: section headings, and actions on all marked items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from test_windows import COUNT, SCROLLER, drag_thumb, long, seen
from user import DESKTOP, GRACE, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
ACTIONS = [
    {"input": "remove", "name": "Archive", "icon": "🗄", "key": "e", "undo": True, "for": "many"},
    {"input": "change", "name": "Mark as read", "key": "i", "set": {"unread": False}, "undo": True, "for": "many"},
]


def rows(serve: Serve, count: int = COUNT) -> str:
    return long(
        serve,
        count,
        "--positions",
        writes=["change", "remove", "marked"],
        clock="virtual",
        livePace=0,
        throttle=0,
        marks=True,
        sections={"by": "date", "prefix": 10},
        display={"date": "date", "unread": "unread", "actions": ACTIONS},
    )


def edits(folder: Path) -> list[dict[str, Any]]:
    """Returns the edits that the source received."""
    path = folder / "edits"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def open_rows(me: User, url: str, size: tuple[int, int] = DESKTOP, count: str = "10,000,000") -> None:
    me.open(url, size)
    me.at(count)
    me.see(".row-title", "Row 3")
    me.run("() => document.querySelector('[role=listbox]').focus()")


def mark_all(me: User) -> None:
    ActionChains(me.chrome).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()


@SIZES
def test_section_headings_stick_to_the_top(me: User, serve: Serve, size: tuple[int, int]) -> None:
    open_rows(me, rows(serve), size)
    me.see(".heading.now", "20")
    row = me.see(".row").size["height"]
    me.see(".headings .heading", "19")
    # The heading is above its first row.
    heading, first = me.see(".headings .heading", "19").rect, me.see(".row", "Row 5").rect
    assert abs(heading["y"] + heading["height"] / 2 - first["y"]) < 2
    me.scroll(SCROLLER, 5 * row + 4)
    me.see(".heading.now", "19")
    me.audit()
    drag_thumb(me, 0.5, drop=False)
    me.see(".row-title", "Row")
    me.gone(".row.skeleton")
    # The label next to the thumb shows the day of the first visible row.
    day = me.see(".heading.now").text
    assert day.strip() and day.startswith(me.see(".thumb-label").text)
    ActionChains(me.chrome).release().perform()


@SIZES
def test_archiving_all_items_is_undone_at_once(
    me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]
) -> None:
    open_rows(me, rows(serve), size)
    drag_thumb(me, 0.5)
    me.gone(".row.skeleton")
    if size == DESKTOP:
        mark_all(me)
    else:
        # On a phone, one row is marked by touch, and then all.
        me.all(".portrait")[2].click()
        me.see(".marks", "1 marked")
        me.click(".marks .button", "Mark all")
    me.see(".marks", "10,000,000 marked")
    before = seen(me)
    me.audit()
    me.click(".marks .button", "Archive")
    me.see(".toast", "10,000,000 items")
    me.gone(".row-title", "Row")
    me.gone(".marks")
    me.click(".toast .button", "Undo")
    me.at("10,000,000")
    me.until(lambda: seen(me) == before)
    me.see(".marks", "10,000,000 marked")
    assert edits(tmp_path) == []
    # The question is answered with yes.
    me.all(".portrait")[3].click()
    me.see(".marks", "9,999,999 marked")
    kept = me.run("() => Number(document.querySelector('.row:not(.marked)').ariaPosInSet) - 1")
    me.click(".marks .button", "Archive")
    me.see(".toast", "9,999,999 items")
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    assert [edit["source/remove"]["except"] for edit in edits(tmp_path)] == [[kept]]
    me.at("1")
    me.see(".row-title", f"Row {kept}")


def test_all_items_can_be_marked_as_read(me: User, serve: Serve, tmp_path: Path) -> None:
    open_rows(me, rows(serve))
    me.see(".row.unread")
    mark_all(me)
    me.see(".marks", "10,000,000 marked")
    me.press("i")
    me.gone(".row.unread")
    me.press("u")
    me.see(".row.unread")
    me.press("i")
    me.gone(".row.unread")
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    mark_all(me)
    told = edits(tmp_path)[0]["source/change"]
    assert (told["all"], told["except"], told["set"]) == (True, [], {"unread": False})
    # The bar with the number of marks is above the rows and takes some of their space.
    me.see(".marks", "10,000,000 marked")
    drag_thumb(me, 1)
    me.see(".row.read .row-title", "Row 9999999")


def test_all_items_can_be_marked_while_the_source_still_edits(me: User, serve: Serve, tmp_path: Path) -> None:
    open_rows(me, rows(serve))
    (tmp_path / "silent").touch()
    mark_all(me)
    me.see(".marks", "10,000,000 marked")
    me.press("i")
    me.gone(".marks")
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    mark_all(me)
    me.see(".marks", "marked")
    assert len(edits(tmp_path)) == 1


def test_marks_made_after_an_action_are_not_part_of_it(me: User, serve: Serve, tmp_path: Path) -> None:
    open_rows(me, rows(serve))
    ActionChains(me.chrome).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    me.see(".marks", "3 marked")
    me.press("e")
    me.at("9,999,997")
    me.press("x")
    me.see(".marks", "1 marked")
    assert edits(tmp_path) == []
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    assert [edit["source/remove"]["ids"] for edit in edits(tmp_path)] == [[0, 1, 2]]
    # The mark is sent to the server now, which keeps it.
    me.until(lambda: me.session("({app}) => [...app.views.values()].at(-1).marks.ids.length") == 1)
    me.see(".marks", "1 marked")
    me.count(1, ".row.marked")


def test_a_refused_removal_restores_items_and_marks(me: User, serve: Serve, tmp_path: Path) -> None:
    open_rows(me, rows(serve))
    (tmp_path / "locked").touch()
    mark_all(me)
    me.see(".marks", "10,000,000 marked")
    me.press("e")
    me.see(".toast", "10,000,000 items")
    me.advance(GRACE)
    me.see(".complaints", "10,000,000 items were restored: The rows are locked")
    me.at("10,000,000")
    (tmp_path / "locked").unlink()
    me.click(".complaints .button", "Try again")
    me.until(lambda: me.position in ("", "0"))
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    assert len(edits(tmp_path)) == 1


def test_keys_mark_a_range(me: User, serve: Serve, tmp_path: Path) -> None:
    open_rows(me, rows(serve))
    ActionChains(me.chrome).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    me.see(".marks", "3 marked")
    me.press("x")
    me.see(".marks", "2 marked")
    me.press("e")
    me.at("9,999,998")
    me.press("x")
    me.see(".marks", "1 marked")
    me.advance(GRACE)
    me.until(lambda: edits(tmp_path))
    assert edits(tmp_path)[0]["source/remove"]["ids"] == [0, 1]
    me.see(".marks", "1 marked")
