"""Faults of the program itself are shown and logged, and the program continues."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from conftest import Faults, list_of_rows, run, user, write_rows
from nagare_terminal import external
from nagare_terminal.__main__ import log_to
from nagare_terminal.display import Display
from nagare_terminal.item_actions import ItemActions
from nagare_terminal.guard import guarded
from nagare_terminal.lists import ListScreen
from nagare_terminal.shape import shapes


def fail(*arguments: Any, **more: Any) -> Any:
    raise KeyError("検索")


@pytest.fixture
def rows(tmp_path: Path) -> list[str]:
    write_rows(tmp_path, ({"id": number, "title": f"Row {number}", "text": "本文"} for number in range(4)))
    return list_of_rows(tmp_path)


def test_a_row_that_cannot_be_drawn_hides_no_other_row(rows: list[str], monkeypatch: pytest.MonkeyPatch, faults: Faults) -> None:
    title = Display.title
    monkeypatch.setattr(Display, "title", lambda self, item: fail() if item["id"] == 1 else title(self, item))

    async def test() -> None:
        async with user(options=rows) as me:
            await me.until(lambda: me.view["items"])
            await me.settle()
            assert [line.rstrip() for line in me.lines[1:6]] == ["  Row 0", "  本文", "  can't show this: KeyError: '検索'", "  本文", "  Row 2"]
            await me.press("down", "enter")
            assert "can't show this: KeyError: '検索'" in me.text and "本文" in me.text, "the title alone is missing"
            await me.press("right")
            assert "Row 2" in me.text

    run(test())
    assert faults.found and all("a row failed" in one or "the title failed" in one for one in faults.found)
    faults.found.clear()


@pytest.mark.parametrize("part", ["heading", "position", "draw_body", "drawn"])
def test_a_part_of_a_screen_that_cannot_be_drawn_hides_no_other_part(rows: list[str], monkeypatch: pytest.MonkeyPatch, faults: Faults, part: str) -> None:
    async def test() -> None:
        async with user(options=rows) as me:
            await me.until(lambda: me.view["items"])
            monkeypatch.setattr(ListScreen, part, fail)
            await me.press("down")
            assert ("Row 1" in me.text or part == "draw_body") and "q Quit" in me.lines[-1]
            assert "can't show this: KeyError" in me.text or part == "drawn"
            monkeypatch.undo()
            await me.press("up")
            assert "can't show this" not in me.text and me.status == "Rows · 1 of 4"

    run(test())
    assert faults.found
    faults.found.clear()


def test_a_failing_command_is_reported_and_the_program_continues(rows: list[str], monkeypatch: pytest.MonkeyPatch, faults: Faults) -> None:
    async def test() -> None:
        async with user(options=rows) as me:
            await me.until(lambda: me.view["items"])
            monkeypatch.setattr(external, "_text", fail)
            monkeypatch.setattr(external, "links", fail)
            await me.press("y")
            assert me.told == ["That didn't work: KeyError: '検索'"] and "That didn't work" in me.text
            await me.press("o", "down", "enter")
            assert len(me.told) == 2 and "Row 1" in me.text

    run(test())
    assert len(faults.found) == 2 and "external.py" in faults.found[0]
    faults.found.clear()


@pytest.mark.parametrize("key", ["escape", "q"])
def test_escape_and_q_work_even_if_commands_fail(rows: list[str], monkeypatch: pytest.MonkeyPatch, faults: Faults, key: str) -> None:
    async def test() -> None:
        async with user(options=rows) as me:
            await me.until(lambda: me.view["items"])
            await me.press("enter")
            monkeypatch.setattr(ItemActions, "commands", fail)
            await me.press("y")
            assert me.told == ["That didn't work: KeyError: '検索'"]
            await me.press(key)
            assert len(me.terminal.layers) == (1 if key == "escape" else 2) and me.terminal._over.done() == (key == "q")

    run(test())
    assert faults.found
    faults.found.clear()


def test_an_invalid_screen_column_or_action_hides_no_other(faults: Faults) -> None:
    good = {"screen": "good", "viewModel": "list", "inputs": ["refresh"], "outputs": ["items"]}
    found = shapes({"x-screens": [{"screen": "odd"}, 7, good, {**good, "screen": "too", "inputs": None}]})
    assert [*found] == ["good"] and len(faults.found) == 3
    display = Display({"columns": ["title", 7, {"name": "no member"}, {"member": "size"}], "actions": [{"key": "x"}, {"input": "remove"}, None]})
    assert [one.member for one in display.columns] == ["title", "size"] and [one.input for one in display.actions] == ["remove"]
    faults.found.clear()


def test_a_fault_is_logged_only_to_the_file_and_once_per_line_of_code(tmp_path: Path, capfd: pytest.CaptureFixture[str], faults: Faults) -> None:
    before = logging.root.handlers[:]
    try:
        log_to(str(tmp_path / "log"))
        for _ in range(3):
            guarded("\udc80", fail, str)
        guarded("another", lambda: 1 / 0, str)
    finally:
        logging.root.handlers[:] = before
    told = (tmp_path / "log").read_text()
    assert told.count("KeyError: '検索'") == 1 and "ZeroDivisionError" in told and "\\udc80" in told and capfd.readouterr().err == ""
    faults.found.clear()
