"""Errands of a user, done only with the keyboard: without interruption, and with the server killed in the middle."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import User, configure, run, user, write_rows
from day import CONFIG, ISSUES
from nagare_terminal.dialogs import Choose
from nagare_terminal.screen import ViewScreen
from test_places import kill_server


@dataclass
class Errand:
    """An errand: the keys before and after the server may be killed, and the condition that shows that it is done."""

    about: str
    before: list[str]
    after: list[str]
    done: Callable[[Any], object]


def titles(me: Any) -> list[str]:
    """The first two words of each row."""
    return [" ".join(item["title"].split()[:2]) for item in me.screen.rows.items]


ERRANDS = [
    Errand("open the third", ["down", "down"], ["enter"], lambda me: "It is about number 2" in me.text),
    Errand("read on from one to the next", ["enter", "right"], ["right"], lambda me: "It is about number 2" in me.text),
    Errand("read one at the end of the second page", ["end", "end"], ["enter"], lambda me: "It is about number 39" in me.text),
    Errand("find the one about the lamp 25 and open it", ["/", *"Lamp 25", "enter"], ["enter"], lambda me: "It is about number 25" in me.text),
    Errand("go back to the list where I was", ["down", "enter", "right"], ["escape"], lambda me: me.screen.rows.cursor == 2),
    Errand("archive the second", ["down"], ["e"], lambda me: titles(me)[:2] == ["Door 0", "Stairs 2"] and "Archived “Lamp 1" in me.status),
    Errand("archive it and have it back", ["down"], ["e", "U"], lambda me: titles(me)[1] == "Lamp 1" and me.screen.rows.cursor == 1),
    Errand("archive the open one and see the next", ["down", "enter"], ["e"], lambda me: "It is about number 2" in me.text),
    Errand("archive three at once", ["x", "x", "x"], ["e"], lambda me: titles(me)[0] == "Door 3" and "3 items" in me.status),
    Errand("see the wishes alone", ["f", *"wish", "enter"], ["down"], lambda me: titles(me)[:2] == ["Lamp 1", "Door 3"]),
    Errand("see the bugs of March", ["f", *"bug", "tab", *"2026-03", "enter"], [], lambda me: titles(me) == ["Door 0", "Stairs 2", "Lamp 4"]),
    Errand("see all again", ["f", *"wish", "enter"], ["f", "ctrl+u", "enter"], lambda me: titles(me)[:2] == ["Door 0", "Lamp 1"]),
    Errand("open the link", ["down", "down"], ["o"], lambda me: me.glass.started == [["true", "https://example.org/2"]]),
    Errand("copy it from where it is read", ["down", "enter"], ["y"], lambda me: "It is about number 1" in me.glass.copied[0]),
    Errand("hand it to a program", ["down"], ["|", *"cat", "enter"], lambda me: me.glass.ran[0][0] == "cat" and json.loads(me.glass.ran[0][1])["id"] == 1),
    Errand("change my name", ["s", "down", "enter"], ["enter", *"Mei", "enter"], lambda me: me.view["name"] == "Mei"),
    Errand("go there by the palette", [], [":", *"go to me", "enter"], lambda me: me.screen.name == "Me"),
    Errand("load it anew and stay", ["down", "down"], ["r"], lambda me: me.screen.rows.cursor == 2 and len(me.screen.rows.items) >= 20),
    Errand("look up the keys", ["down"], ["?"], lambda me: "Archive" in me.text and "Filter" in me.text),
    Errand("do it from the menu", ["down"], ["m", *"arch", "enter"], lambda me: titles(me)[1] == "Stairs 2"),
]


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.about)
def test_every_errand_can_be_done_by_keyboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errand: Errand, killed: bool) -> None:
    async def press(me: User, keys: list[str]) -> None:
        for key in keys:
            await me.press(key)
            await me.wait(1)
            if isinstance(me.terminal.top, ViewScreen):
                await me.wait(1000)

    async def test() -> None:
        async with user(options=configure(tmp_path, CONFIG), state=tmp_path / "state.json") as me:
            await me.until(lambda: me.view["items"])
            await press(me, errand.before)
            if killed:
                await kill_server(me)
                await me.wait(1000)
                await me.until(lambda: not isinstance(me.terminal.top, Choose) and not getattr(me.terminal.screens[0], "restoring", None))
            await press(me, errand.after)
            await me.until(lambda: errand.done(me))

    write_rows(tmp_path, ISSUES)
    monkeypatch.setenv("BROWSER", "true")
    run(test())
