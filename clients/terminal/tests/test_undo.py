"""Undo: what the list shows, what the status line offers, and which edits the source receives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Timers, list_of_rows, run, user, write_rows
from nagare_terminal.cells import width
from nagare_terminal.dialogs import Confirm
from test_live import Mailbox, mailbox
from test_shapes import ANY, ROWS, Fake, fake, model, takes

UNDO = 300
"""The time in milliseconds during which an action can be undone in these tests."""
ARCHIVE = {"input": "remove", "name": "Archive", "key": "e", "undo": True, "for": "many"}
READ = {"input": "change", "set": {"unread": False}, "name": "Mark as read", "key": "i", "undo": True, "for": "many"}


def list_with(*actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Returns a screen with actions that can be undone."""
    return {"undo": UNDO, "display": {"title": "subject", "unread": "unread", "actions": list(actions)}, **more}


def titles(me: Any) -> list[str]:
    return [item["subject"] for item in me.rows.items[:3]]


def removed(me: Mailbox) -> list[Any]:
    """The ids in the removals that the source received."""
    return [edit["source/remove"]["id"] for edit in me.edits() if "source/remove" in edit]


def changed(me: Mailbox) -> list[Any]:
    """The changes that the source received."""
    return [edit["source/change"].get("item", edit["source/change"].get("ids")) for edit in me.edits() if "source/change" in edit]


def test_an_archived_item_disappears_at_once_and_undoing_brings_it_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("down", "e")
            assert titles(me) == ["Mail 0", "Mail 2", "Mail 3"]
            assert me.status == "Inbox · 2 of 19+ · Archived “Mail 1” · U undo" and "U Undo" in me.lines[-1]
            await me.press("G", "U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and me.rows.cursor == 1 and "new" not in me.lines[0]
            assert "U undo" not in me.text and "U Undo" not in me.text
            await me.wait(UNDO)
            assert me.edits() == []
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"], "there is nothing to undo"

    run(test())


def test_the_source_receives_a_removal_when_its_undo_time_is_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("e")
            await me.wait(UNDO - 1)
            assert "Archived “Mail 0” · U undo" in me.status and me.edits() == []
            await me.wait(1)
            await me.until(lambda: removed(me) == [0])
            await me.settle()
            assert me.status == "Inbox · 1 of 19+" and titles(me)[0] == "Mail 1"

    run(test())


def test_the_newest_action_is_undone_first(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("e", "down", "e")
            assert titles(me) == ["Mail 1", "Mail 3", "Mail 4"] and "Archived “Mail 2”" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 1", "Mail 2", "Mail 3"] and "Archived “Mail 0” · U undo" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "U undo" not in me.status

    run(test())


@pytest.mark.parametrize("where", ["list", "detail"])
def test_undo_can_be_typed_before_the_server_has_answered(tmp_path: Path, where: str) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("e", *["enter"] * (where == "detail"))
            me.glass.heard("e")
            await asyncio.sleep(0)  # Lets the first key's command begin, as the device does before it passes on the next key.
            me.glass.heard("U")
            await me.until(lambda: not me.terminal._tasks)
            await me.settle()
            assert "Archived “Mail 0” · U undo" in me.status, "the older action isn't undone"
            await me.press("U", *["escape"] * (where == "detail"))
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "U undo" not in me.status
            await me.wait(UNDO)
            assert removed(me) == []

    run(test())


def test_closing_the_list_sends_archived_items(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("e")
            await me.view.close()
            await me.until(lambda: removed(me) == [0])

    run(test())


@pytest.mark.parametrize("marks", [True, False], ids=["the server keeps the marks", "the terminal keeps the marks"])
def test_undoing_an_action_on_marked_items_brings_all_of_them_back_and_marks_them(tmp_path: Path, marks: bool) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, marks=marks)) as me:
            await me.press("down", "e", "g", "x", "x", "e")
            assert titles(me)[0] == "Mail 3" and "Archived 2 items · U undo" in me.status and "marked" not in me.lines[0]
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 2", "Mail 3"] and "✓ 2 marked" in me.lines[0]
            assert "Archived “Mail 1” · U undo" in me.status, "the older action can still be undone"
            await me.wait(UNDO)
            await me.until(lambda: removed(me) == [1])

    run(test())


def test_archiving_all_items_but_one_can_be_undone(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, marks=True, pageSize=40)) as me:
            await me.press("A", "down", "x", "e")
            assert titles(me) == ["Mail 1"] and "Archived 39 items · U undo" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "✓ 39 marked" in me.lines[0] and "U undo" not in me.status

    run(test())


def test_a_change_of_marked_items_is_undone_by_the_server(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ, marks=True)) as me:
            await me.press("x", "down", "down", "x", "i")
            assert not any(line.startswith("•") for line in me.lines[1:9]) and "Marked as read: 2 items · U undo" in me.status
            await me.press("U")
            assert me.lines[1].startswith(("•", "✓")) and [item["unread"] for item in me.rows.items[:4]] == [True, False, False, True]
            await me.wait(UNDO)
            assert me.edits() == []

    run(test())


def test_a_change_of_one_item_is_sent_at_once_and_undone_by_a_change(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ)) as me:
            before = me.rows.current
            await me.press("i")
            await me.until(lambda: changed(me) == [{**before, "unread": False}])
            await me.settle()
            assert me.lines[1].startswith("  Mail 0") and "Marked as read: “Mail 0” · U undo" in me.status
            await me.press("U")
            await me.until(lambda: changed(me) == [{**before, "unread": False}, before])
            await me.settle()
            assert me.lines[1].startswith("• Mail 0") and "U undo" not in me.status
            await me.press("i")
            assert "U undo" in me.status
            timers.end()
            await me.settle()
            assert "U undo" not in me.status and "U Undo" not in me.lines[-1]
            await me.press("U")
            assert me.lines[1].startswith("  Mail 0"), "it can't be undone any more"

    run(test())


def test_undoing_a_change_keeps_other_changes_of_the_item(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with({**READ, "set": {"unread": False, "label": "seen"}})) as me:
            before = me.rows.current
            await me.press("i")
            await me.until(lambda: changed(me))
            await me.change({"change": {**me.rows.current, "subject": "Corrected", "pinned": True}})
            await me.press("U")
            await me.until(lambda: len(changed(me)) == 2)
            await me.settle()
            assert me.rows.current == changed(me)[1] == {**before, "subject": "Corrected", "pinned": True}

    run(test())


def test_repeating_a_change_keeps_other_changes_of_the_item(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ)) as me:
            before = me.rows.current
            (tmp_path / "locked").touch()
            await me.press("i")
            await me.until(lambda: me.told)
            (tmp_path / "locked").unlink()
            await me.change({"change": {**before, "subject": "Corrected"}})
            await me.press("T")
            await me.until(lambda: changed(me) == [{**before, "subject": "Corrected", "unread": False}])

    run(test())


def test_an_action_on_an_open_item_keeps_changes_since_it_was_opened(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        tasks = model("tasks", {"refresh": ANY, "reachBottom": ANY, "change": takes(item={})}, {"items": ROWS}, display={"actions": [READ]})
        item = {"id": 1, "title": "Pack", "unread": True}
        answers = {"refresh": [{}, {"items": [{**item, "title": "Pack the tent"}]}]}
        async with fake(tmp_path, [tasks], {"tasks": {"items": [item]}}, answers=answers) as me:
            await me.press("enter", "r")
            assert "Pack the tent" in me.text
            await me.press("i")
            assert me.heard()[-1] == {"change": {"item": {**item, "title": "Pack the tent", "unread": False}}}

    run(test())


def test_changes_and_removals_are_undone_in_turn(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, READ)) as me:
            await me.press("down", "e", "g", "i", "down", "e")
            for hint in ("Archived “Mail 2”", "Marked as read: “Mail 0”", "Archived “Mail 1”"):
                assert f"{hint} · U undo" in me.status
                await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and me.lines[1].startswith("• Mail 0") and "U undo" not in me.status

    run(test())


def test_a_change_that_the_source_refuses_cannot_be_undone(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ)) as me:
            (tmp_path / "locked").touch()
            await me.press("i")
            await me.until(lambda: me.told)
            await me.settle()
            assert me.told == ["Mark as read failed for “Mail 0”: The mailbox is locked"] and me.lines[1].startswith("• Mail 0")
            assert "U undo" not in me.status and "T tries that again" in me.status

    run(test())


def test_a_refused_change_that_is_undone_already_is_not_shown(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ)) as me:
            (tmp_path / "locked").touch()
            me.glass.heard("i")
            await asyncio.sleep(0)
            me.glass.heard("U")
            await me.until(lambda: not me.terminal._tasks)
            await me.settle()
            assert not me.told and "T tries that again" not in me.status and me.lines[1].startswith("• Mail 0")

    run(test())


def test_an_undo_that_the_source_refuses_is_named(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ)) as me:
            await me.press("i")
            await me.until(lambda: changed(me))
            (tmp_path / "locked").touch()
            await me.press("U")
            await me.until(lambda: me.told)
            await me.settle()
            assert me.told == ["Undo failed for “Mail 0”: The mailbox is locked"] and me.lines[1].startswith("  Mail 0")

    run(test())


@pytest.mark.parametrize("answer", [{"outcome": "failed"}, {"outcome": "failed", "error": {"trigger": "change", "number": 1}}, {"error": {"code": 9, "message": ""}}])
def test_a_change_that_is_refused_without_a_reason_cannot_be_undone(tmp_path: Path, timers: Timers, answer: dict[str, Any]) -> None:
    async def test() -> None:
        rows = model("rows", {"reachBottom": ANY, "change": takes(item={})}, {"items": ROWS, "error": {}}, display={"actions": [READ]})
        failed_load = {"code": 1, "message": "The page can't be loaded", "trigger": "reachBottom", "number": 0}
        outputs = {"rows": {"items": [{"id": 1, "title": "Row 1"}], "error": failed_load}}
        async with fake(tmp_path, [rows], outputs, answers={"change": [answer]}) as me:
            await me.press("i")
            assert me.told == ["Mark as read failed for “Row 1”: the server gave no reason"] and "U undo" not in me.text

    run(test())


def test_a_refused_change_of_marked_items_shows_one_message(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(READ, marks=True)) as me:
            (tmp_path / "locked").touch()
            await me.press("x", "x", "x", "i")
            await me.wait(UNDO)
            await me.until(lambda: (me.screen.error or {}).get("number") == 3)
            await me.settle()
            assert me.told == ["The mailbox is locked"] and me.lines[1].startswith("• Mail 0")

    run(test())


@pytest.mark.parametrize("marks", [True, False], ids=["the server keeps the marks", "the terminal keeps the marks"])
def test_refused_removals_come_back_and_can_be_tried_again(tmp_path: Path, marks: bool) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, marks=marks)) as me:
            (tmp_path / "locked").touch()
            await me.press("x", "x", "e")
            assert titles(me)[0] == "Mail 2"
            await me.wait(UNDO)
            await me.until(lambda: len(me.told) == 2)
            await me.settle()
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "T tries that again" in me.status and "▌" not in me.text
            assert me.told == [f"“Mail {n}” was restored: The mailbox is locked" for n in (0, 1)]
            (tmp_path / "locked").unlink()
            await me.press("T")
            assert titles(me)[0] == "Mail 2" and "Archived 2 items · U undo" in me.status
            await me.wait(UNDO)
            await me.until(lambda: removed(me) == [0, 1])

    run(test())


@pytest.mark.parametrize("cause", ["the user declined it", "the list was refreshed"])
def test_a_refused_removal_is_not_attributed_to_an_older_removal_whose_item_is_listed(tmp_path: Path, cause: str) -> None:
    async def test() -> None:
        is_asked = cause == "the user declined it"
        async with mailbox(tmp_path, **list_with(ARCHIVE), **{"confirmRemoval": "Archive it?"} if is_asked else {}) as me:
            if is_asked:
                await me.press("e", "n")
            else:
                await me.press("e")
                await me.wait(UNDO)
                await me.until(lambda: removed(me) == [0])
                await me.press("r")
                await me.until(lambda: titles(me)[:1] == ["Mail 0"])
                await me.settle()
            await me.press("down", "down", "e", *["y"] * is_asked)
            (tmp_path / "locked").touch()
            await me.wait(UNDO)
            await me.until(lambda: me.told)
            await me.settle()
            assert me.told == ["“Mail 2” was restored: The mailbox is locked"]
            await me.press("T", *["y"] * is_asked)
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 3"] and "Archived “Mail 2” · U undo" in me.status

    run(test())


def test_a_final_removal_is_confirmed_only_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, confirmRemoval="Archive it?") as me:
            await me.press("e")
            assert "Archive it?" in me.text and "You can't undo it" not in me.text
            await me.press("y")
            await me.until(lambda: titles(me)[0] == "Mail 1" and removed(me) == [0])

    run(test())


def test_marked_items_that_the_server_did_not_ask_about_stay_marked(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, confirmRemoval="Archive it?")) as me:
            await me.press("x", "x", "x", "e", "y")
            assert titles(me) == ["Mail 1", "Mail 2", "Mail 3"] and "Archived “Mail 0” · U undo" in me.status
            assert "✓ 2 marked" in me.lines[0], "while the user is asked, the server ignores other removals"
            await me.press("e", "n")
            assert titles(me) == ["Mail 1", "Mail 2", "Mail 3"] and "✓ 2 marked" in me.lines[0] and "Archived “Mail 0” · U undo" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "✓ 3 marked" in me.lines[0] and "U undo" not in me.status
            await me.wait(UNDO)
            assert removed(me) == []

    run(test())


def test_a_removal_that_is_sent_twice_is_made_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, confirmRemoval="Archive it?")) as me:
            me.glass.heard("e")
            await asyncio.sleep(0)
            await me.press("e", "y")
            assert titles(me) == ["Mail 1", "Mail 2", "Mail 3"] and "Archived “Mail 0” · U undo" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and "U undo" not in me.status and not me.told

    run(test())


def test_an_undo_that_comes_too_late_marks_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        removal = [{"items": [{"id": 2, "title": "Row 2"}], "undoable": {"count": 1, "input": "remove", "ids": [1], "milliseconds": UNDO}}]
        rows = model("rows", {"reachBottom": ANY, "remove": takes(id={}), "undo": ANY}, {"items": ROWS, "undoable": {}}, display={"actions": [ARCHIVE]})
        items = [{"id": n, "title": f"Row {n}"} for n in (1, 2)]
        answers = {"remove": removal, "undo": [{"undoable": None, "outcome": "nothing"}]}
        async with fake(tmp_path, [rows], {"rows": {"items": items, "undoable": None}}, answers=answers) as me:
            await me.press("x", "e")
            assert "Archived “Row 1” · U undo" in me.status
            await me.press("U")
            assert "marked" not in me.lines[0] and "U undo" not in me.status

    run(test())


@pytest.mark.parametrize("size", [(80, 24), (120, 24)])
def test_an_action_of_a_detail_is_undone_in_the_list(tmp_path: Path, size: tuple[int, int]) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.resize(*size)
            await me.press("down", "enter", "e")
            assert me.status == "Mail · 2 of 19+ · Archived “Mail 1” · U undo" and "Mail 2" in me.text
            await me.press("U")
            assert me.status == "Mail · 3 of 20+" and "U Undo" not in me.lines[-1]
            await me.press("e", "escape")
            assert me.screen.name == "Inbox" and "Archived “Mail 2” · U undo" in me.status
            await me.press("U")
            assert titles(me) == ["Mail 0", "Mail 1", "Mail 2"] and me.rows.cursor == 2 and removed(me) == []

    run(test())


def test_a_list_that_cannot_undo_asks_before_it_archives(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: len(me.view["items"]) == 3)
            await me.press("e")
            assert isinstance(me.terminal.top, Confirm) and "You can't undo it" in me.text
            await me.press("n")
            assert len(me.view["items"]) == 3
            await me.press("e", "y")
            assert len(me.view["items"]) == 2 and "U undo" not in me.status

    write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(3)))
    run(test())


SLOW = model("slow", {"reachBottom": ANY, "remove": takes(id={}), "change": takes(item={}), "undo": ANY}, {"items": ROWS, "undoable": {}, "error": {}},
             display={"actions": [ARCHIVE, READ]})  # fmt: skip
SLOW_ROWS = [{"id": n, "title": f"Row {n}", "unread": True} for n in (1, 2, 3)]
REMOVAL = {"count": 1, "input": "remove", "ids": [1], "milliseconds": 5000}


def test_an_undo_that_waits_does_not_undo_later_actions(tmp_path: Path, timers: Timers) -> None:
    async def test() -> None:
        answers = {"remove": [{"outcome": "late"}]}
        async with fake(tmp_path, [SLOW], {"slow": {"items": SLOW_ROWS, "undoable": None}}, answers=answers) as me:
            await me.press("e", "U", "U", "down", "i")
            assert [one["change"]["item"]["unread"] for one in me.heard() if "change" in one] == [False]
            await me.press("U")
            assert [one["change"]["item"]["unread"] for one in me.heard() if "change" in one] == [False, True]

    run(test())


@pytest.mark.parametrize("outcome", ["finished", "late", "never"])
def test_a_removal_that_can_be_undone_is_undone_without_waiting_for_its_answer(tmp_path: Path, outcome: str) -> None:
    async def test() -> None:
        answers = {"remove": [{"items": SLOW_ROWS[1:], "undoable": REMOVAL, "outcome": outcome}], "undo": [{"items": SLOW_ROWS, "undoable": None}]}
        async with fake(tmp_path, [SLOW], {"slow": {"items": SLOW_ROWS, "undoable": None}}, answers=answers) as me:
            await me.press("e")
            assert "Archived “Row 1” · U undo" in me.status
            await me.press("U")
            assert me.screen.rows.items == SLOW_ROWS and "U undo" not in me.text and "U Undo" not in me.text
            # The program would wait for these answers when it ends.
            me.terminal._tasks.clear()

    run(test())


@pytest.mark.parametrize("columns", [36, 60, 80])
def test_a_failure_in_the_status_does_not_hide_the_key_that_undoes(tmp_path: Path, columns: int) -> None:
    async def test() -> None:
        failed = {"code": 1, "message": "The next page can't be loaded, because the mailbox is locked", "trigger": "reachBottom", "number": 1}
        outputs = {"slow": {"items": SLOW_ROWS, "undoable": REMOVAL, "error": failed}}
        async with fake(tmp_path, [SLOW], outputs, size=(columns, 12)) as me:
            assert re.search("U undo +✗ The next", me.status)

    run(test())


def test_undo_is_not_offered_for_an_unanswered_action_if_the_server_cannot_undo(tmp_path: Path) -> None:
    async def test() -> None:
        rows = model("rows", {"reachBottom": ANY, "remove": takes(id={})}, {"items": ROWS}, display={"actions": [ARCHIVE]})
        outputs = {"rows": {"items": [{"id": n, "title": f"Row {n}"} for n in (1, 2)]}}
        async with fake(tmp_path, [rows], outputs, answers={"remove": [{"outcome": "never"}]}) as me:
            await me.press("e")
            assert me.heard()[-1] == {"remove": {"id": 1}} and "Undo" not in me.text

    run(test())


def test_an_undo_with_parameters_is_a_command_like_others(tmp_path: Path) -> None:
    async def test() -> None:
        rows = model("rows", {"reachBottom": ANY, "undo": takes(steps={"type": "integer"})}, {"items": ROWS, "undoable": {}})
        undoable = {"count": 1, "input": "remove", "ids": [2], "milliseconds": 5000}
        async with fake(tmp_path, [rows], {"rows": {"items": [{"id": 1, "title": "Row 1"}], "undoable": undoable}}) as me:
            assert "U undo" not in me.status
            await me.press(":", *"undo", "enter", *"3", "enter")
            assert me.heard()[-1] == {"undo": {"steps": 3}}

    run(test())


def test_no_action_can_have_the_key_that_undoes(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE, {"input": "remove", "name": "Delete", "key": "U"})) as me:
            assert "U Delete" not in me.text
            await me.press("U")
            assert titles(me)[0] == "Mail 0"
            await me.press("e", "U")
            assert titles(me)[0] == "Mail 0"
            await me.press("m", *"delete", "enter")
            assert titles(me)[0] == "Mail 1" and "Deleted “Mail 0” · U undo" in me.status

    run(test())


@pytest.mark.parametrize("key", ["ctrl+z", "u"])
def test_other_keys_do_not_undo_and_control_z_suspends(tmp_path: Path, key: str) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, **list_with(ARCHIVE)) as me:
            await me.press("e", key)
            assert titles(me)[0] == "Mail 1" and me.glass.suspended == (key == "ctrl+z")
            await me.press("/", *"mail", key)
            assert me.screen.find_field is not None and me.glass.suspended == 2 * (key == "ctrl+z")

    run(test())


@pytest.mark.parametrize("columns", [16, 24, 40, 80])
def test_the_key_that_undoes_is_shown_however_long_the_title_is(tmp_path: Path, columns: int) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path, undo=UNDO), size=(columns, 12)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("e")
            assert me.status.endswith("U undo") and width(me.status) <= columns - 2
            assert "Archived “検" in me.status or columns < 24

    write_rows(tmp_path, ({"id": n, "title": "検索画面の件について、" * 9} for n in range(3)))
    run(test())


EDITS = [
    ({"count": 1, "input": "remove", "ids": ["m1"], "milliseconds": 5000}, "Removed 1 item"),
    ({"count": 1200, "input": "change", "ids": ["m1"], "milliseconds": 5000}, "Changed 1,200 items"),
    ({"count": None, "input": "remove", "all": True, "except": ["m2"], "milliseconds": 5000}, "Removed all items"),
    ({"count": 2, "input": "sendAway", "ids": ["m1", "m2"], "milliseconds": 5000}, "Send away: 2 items"),
    ({}, "Edited items"),
    ({"count": 1}, "Edited 1 item"),
    ({"input": "remove", "ids": "m1"}, "Removed items"),
    ({"count": -7, "input": ["remove"], "ids": [{"id": "m1"}, None]}, "Edited items"),
    ({"count": 10**12, "input": "", "all": 1, "except": 5}, f"Edited {10**12:,} items"),
    ({"count": "3", "input": "\x1b[2J", "ids": None}, "[2 j: items"),
]


@pytest.mark.parametrize("edit, hint", EDITS)
def test_an_edit_that_no_action_made_is_described_and_undone(tmp_path: Path, edit: dict[str, Any], hint: str) -> None:
    async def test() -> None:
        mails = model("mails", {"reachBottom": ANY, "undo": ANY}, {"items": ROWS, "undoable": {}})
        states = {"items": [{"id": "m1", "title": "Invoice"}], "undoable": edit}
        async with fake(tmp_path, [mails], {"mails": states}, answers={"undo": [{"undoable": None}]}) as me:
            assert f"{hint} · U undo" in me.status
            await me.press(":", *"undo", "enter")
            assert me.heard()[-1] == {"undo": {}} and "U undo" not in me.status
            await me.press(":", *"undo")
            assert "Undo" not in me.words.split("Commands")[-1], "there is nothing to undo"

    run(test())


CHAT = model(
    "chat", {"reachBottom": ANY, "retry": takes(id={}), "remove": takes(id={})}, {"items": ROWS, "pending": {}, "error": {}},
    display={"title": "text", "date": "at", "actions": []},
)  # fmt: skip
MESSAGES = [{"id": n, "text": text, "at": "2026-11-20T10:11:00Z"} for n, text in enumerate(["On my way", "電車が遅れています", "See you"])]
PENDING = [{"id": 1, "state": "failed"}, {"id": 2, "state": "sending"}]


def right_of(me: Fake, rows: Sequence[int]) -> list[str]:
    return [me.lines[1 + 2 * row].rstrip().split("  ")[-1].strip() for row in rows]


def test_rows_show_edits_that_are_not_finished_and_failed_ones_can_be_sent_again(tmp_path: Path) -> None:
    async def test() -> None:
        failure = {"code": 1, "message": "offline", "trigger": "insert", "number": 1}
        outputs = {"chat": {"items": MESSAGES, "pending": PENDING, "error": failure}}
        answers = {"retry": [{"pending": [{"id": 1, "state": "sending"}]}]}
        async with fake(tmp_path, [CHAT], outputs, answers=answers) as me:
            assert right_of(me, range(3)) == ["19:11", "✗ not sent", "…"] and "19:11  ✗ not sent" in me.lines[3]
            await me.press("m", *"again")
            assert "Send again" not in me.text, "the first message was sent"
            await me.press("escape", "down", "m", *"again", "enter")
            assert me.heard()[-1] == {"retry": {"id": 1}}
            assert right_of(me, range(3)) == ["19:11", "…", "19:11"]

    run(test())


NO_EDITS: list[Any] = [
    None, 0, "failed", [0, "failed"], {"state": "failed"}, {"id": 0}, {"id": 0, "state": None}, {"id": 0, "state": ["failed"]},
    {"id": {"id": 0}, "state": "failed"}, {"id": None, "state": "failed"}, {"id": 1, "state": "lost"},
]  # fmt: skip


@pytest.mark.parametrize("pending", [NO_EDITS, None, 7, "failed", {"id": 0, "state": "failed"}])
@pytest.mark.parametrize("items", [[*MESSAGES, {"text": "Without an id"}, None], []], ids=["items", "no items"])
def test_odd_unfinished_edits_mark_no_rows(tmp_path: Path, pending: Any, items: list[Any]) -> None:
    async def test() -> None:
        async with fake(tmp_path, [CHAT], {"chat": {"items": items, "pending": pending}}) as me:
            assert "✗" not in me.text and not any(line.rstrip().endswith("…") for line in me.lines)
            await me.press("down", ":", *"again")
            assert "Send again" not in me.text

    run(test())


@pytest.mark.parametrize("size", [(16, 12), (24, 12), (40, 12)])
def test_marks_of_unfinished_edits_fit_next_to_wide_characters(tmp_path: Path, size: tuple[int, int]) -> None:
    async def test() -> None:
        items = [{**one, "text": "電車が遅れています。" * 5} for one in MESSAGES]
        async with fake(tmp_path, [CHAT], {"chat": {"items": items, "pending": PENDING}}, size=size) as me:
            mark = "✗ not sent" if size[0] >= 24 else "✗"
            assert re.search(f"  電車.*… +(19:11  )?{mark} *$", me.lines[3]) and re.search("  電車.*… .*… *$", me.lines[5])
            assert all(width(line) == size[0] for line in me.lines)

    run(test())


@pytest.mark.parametrize("columns", [32, 36, 44, 45, 80])
def test_marks_of_unfinished_edits_are_next_to_the_columns(tmp_path: Path, columns: int) -> None:
    async def test() -> None:
        chat = {**CHAT, "display": {"columns": ["text", "at", {"member": "count", "format": "number"}]}}
        items = [{**one, "count": 10**9} for one in MESSAGES]
        async with fake(tmp_path, [chat], {"chat": {"items": items, "pending": PENDING}}, size=(columns, 12)) as me:
            mark = "✗ not sent" if columns >= 45 else "✗"
            for _ in range(2):
                head, first, failed, sending = me.lines[1:5]
                assert failed.rstrip().endswith(f"  {mark}") and sending.rstrip().endswith("  …") and "電車" in failed
                assert head.startswith("  Text") and width(failed[: failed.index("✗")]) > width(head.rstrip()), "it is still a table"
                await me.resize(columns, 13)

    run(test())
