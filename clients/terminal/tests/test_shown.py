"""The inputs `appear` and `disappear`, and screens whose views the server closes."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from conftest import ROOT, Glass, User, before, run
from nagare_terminal import Terminal
from test_places import kill_server

SERVER = ROOT / "clients" / "behaviour" / "shown.py"


class Shown(User):
    """A user of views that receive `appear` and `disappear`."""

    log: Path

    async def hears(self, *lines: str) -> None:
        """Checks that the views have received exactly these inputs since the last check."""
        await self.settle()
        heard = self.log.read_text().splitlines()
        self.log.write_text("")
        assert heard == [*lines]

    async def go(self, name: str) -> None:
        await self.terminal.go_to(name)
        await self.settle()

    async def expire(self, reverse: bool = False) -> None:
        """Makes the server close all views."""
        await self.terminal.session._call("expire", {"reverse": reverse})
        await self.settle()


@asynccontextmanager
async def shown(folder: Path, screen: str, size: tuple[int, int] = (80, 24), state: Path | None = None) -> AsyncIterator[Shown]:
    log, glass = folder / "log", Glass(size)
    log.touch()
    async with before(Terminal([sys.executable, str(SERVER), str(log)], screen, device=glass, state=state), glass) as me:
        someone = Shown(me.terminal, glass)
        someone.log = log
        await someone.settle()
        yield someone


def test_views_receive_appear_and_disappear_when_the_screen_changes(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.hears("account open", "account viewWillAppear", "account appear")
            assert "Ask" in me.text and "ppear" not in me.text, "the program sends these"
            await me.go("offers")
            await me.hears("offers open", "account disappear", "offers appear")
            assert "Row 2" in me.text
            await me.press("?")
            await me.press("escape", "r")
            await me.hears("offers refresh")
            await me.go("counter")
            await me.hears("counter open", "offers disappear")
            await me.press("escape")
            await me.hears("counter close", "offers appear")
            await me.go("account")
            await me.hears("offers disappear", "offers close", "account appear")

    run(test())


def test_a_view_disappears_when_it_opens_another_view(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.press("enter")
            assert "Ask Mei" in me.text
            await me.hears("account open", "account viewWillAppear", "account appear", "account ask", "account disappear", "help appear")
            await me.press("escape")
            await me.hears("help disappear", "help close", "account appear")

    run(test())


def test_a_list_disappears_behind_its_detail_unless_they_are_side_by_side(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "board") as me:
            await me.hears("board open", "board appear")
            await me.press("down", "enter")
            await me.hears("board select", "board disappear", "card appear")
            await me.resize(120, 24)
            await me.hears("board appear")
            await me.resize(80, 24)
            await me.hears("board disappear")
            await me.press("escape")
            await me.hears("card disappear", "card close", "board appear")
            await me.resize(120, 24)
            await me.press("enter")
            await me.hears("board select", "card appear")

    run(test())


def test_a_list_without_details_stays_shown_while_its_item_is_open(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "offers") as me:
            await me.press("enter")
            assert me.status.startswith("Offers") and len(me.terminal.screens) == 2
            await me.press("escape")
            await me.hears("offers open", "offers appear")

    run(test())


def test_views_receive_disappear_when_the_user_quits(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "board", (120, 24)) as me:
            await me.press("enter")
            await me.hears("board open", "board appear", "board select", "card appear")
        assert me.log.read_text().splitlines() == ["board disappear", "card disappear"]

    run(test())


def test_the_views_of_a_new_server_receive_appear(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.go("offers")
            await me.hears("account open", "account viewWillAppear", "account appear", "offers open", "account disappear", "offers appear")
            await kill_server(me)
            await me.hears("offers open", "offers appear")

    run(test())


@pytest.mark.parametrize("reverse", [False, True], ids=["openers first", "opened first"])
@pytest.mark.parametrize("name", ["board", "account"])
@pytest.mark.parametrize("alone", [False, True], ids=["above another", "alone"])
def test_a_screen_is_reopened_when_the_server_closes_its_view(tmp_path: Path, name: str, reverse: bool, alone: bool) -> None:
    async def test() -> None:
        async with shown(tmp_path, name if alone else "offers") as me:
            await me.go(name)
            await me.press("enter")
            assert len(me.terminal.screens) == (2 if alone else 3)
            before = me.view
            me.log.write_text("")
            await me.expire(reverse)
            first = ["account viewWillAppear"] if name == "account" else []
            await me.hears(f"{name} open", *first, f"{name} appear")
            assert [screen.view.screen.name for screen in me.terminal.screens] == [name] and me.view is not before
            assert [view.screen.name for view in me.terminal.session._views.values()] == [name] and not me.told
            await me.go("offers")
            await me.hears("offers open", f"{name} disappear", "offers appear")
            await me.expire()
            await me.hears("offers open", "offers appear")
            assert len(me.terminal.screens) == 1 and not me.told

    run(test())


def test_filters_and_undoable_edits_of_a_closed_view_are_dropped(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "board", state=tmp_path / "state.json") as me:
            await me.press("down", "f", "right", "enter")
            assert me.view["filters"] == {"title": "Row 0"} and me.screen.rows.cursor == 1
            await me.press("e", "f")
            me.log.write_text("")
            await me.expire()
            await me.hears("board open", "board appear")
            assert me.view["filters"] == {"title": None} and me.screen.rows.cursor == 0 and len(me.screen.rows.items) == 3 and not me.told

    run(test())


def test_a_screen_that_cannot_be_reopened_is_reported(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.terminal.session._call("expire", {"refuse": True})
            await me.until(lambda: "The server has closed the screen" in me.text)
            assert me.told == ["not now (1)"]

    run(test())


def test_a_server_that_dies_while_a_screen_is_reopened_is_reported(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.terminal.session._call("expire", {"die": True})
            await me.until(lambda: "The server has ended" in me.text)

    run(test())


def test_a_screen_whose_view_is_always_closed_is_reopened_only_a_few_times(tmp_path: Path) -> None:
    async def test() -> None:
        async with shown(tmp_path, "account") as me:
            await me.terminal.session._call("expire", {"always": True})
            await me.until(lambda: "The server has closed the screen" in me.text)
            assert me.log.read_text().splitlines().count("account open") == 1 + 3

    run(test())
