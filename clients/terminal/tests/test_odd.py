"""One odd thing takes nothing with it: items that nobody expects are drawn, opened, copied, paged and handed on, and so is what stands beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Faults, Glass, run
from nagare.wire import decode
from nagare_terminal.article import Article
from nagare_terminal.canvas import Canvas
from nagare_terminal.display import Display
from nagare_terminal.rows import Rows
from odd import ACTIONS, DISPLAYS, ODD, each_kind_in_each_member, mixed, text_of
from test_shapes import ANY, ROWS, fake, model, takes

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What says something to a terminal, or can't be written to one."""


def check_canvas(canvas: Canvas) -> None:
    assert not (found := CONTROL.search(canvas.text().replace("\n", ""))), f"{found!r} reaches the terminal"
    assert all(len(row) == canvas.width for row in canvas.cells)


@pytest.mark.parametrize("name", [*DISPLAYS])
def test_an_item_of_odd_values_is_drawn_and_hides_no_other(name: str) -> None:
    items = decode(text_of([*each_kind_in_each_member(), *ODD.values()]).encode())
    display = Display(DISPLAYS[name])
    plain = {"id": "plain", "title": "Plain", "subject": "Plain", "money": 2}
    rows, article, glass = Rows(display, chosen=lambda item: None), Article(display), Glass((60, 30))
    for item in items:
        canvas = Canvas(60, 8)
        rows.set_items([plain, item, plain])
        rows.draw(canvas, "", active=True)
        check_canvas(canvas)
        lines = canvas.text().split("\n")
        beside = [lines[y] for y in ((1, 3) if display.columns else (0, 4))]
        assert all("2.00 EUR" in line if display.columns else line.startswith("  Plain ") for line in beside), f"{str(item)[:80]}:\n{canvas.text()}"
        article.draw(canvas := Canvas(60, 30), item, glass)
        check_canvas(canvas)


@pytest.mark.parametrize("name", [*DISPLAYS])
def test_items_of_odd_values_are_opened_copied_paged_and_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    items = [*mixed(25, seed=[*DISPLAYS].index(name))]
    state = tmp_path / "state.json"
    more: dict[str, Any] = {"state": state, "answers": {"appear": [{"loading": False}]}}

    async def test() -> None:
        inputs = {"appear": ANY, "reachBottom": ANY, "change": takes(item={}), "remove": takes(id={})}
        listed = model("odd", inputs, {"items": ROWS, "loading": {}}, display={**DISPLAYS[name], "actions": ACTIONS})
        async with fake(tmp_path, [listed], {"odd": {"items": items, "loading": True}}, size=(60, 16), **more) as me:
            assert len(me.view["items"]) == len(items)
            for number in range(len(items)):
                await me.tap("enter")
                check_canvas(me.glass.canvas)
                assert me.terminal.top is not me.terminal.screens[0]
                await me.tap("end", "y", "v", "|", *"cat", "enter", "o", "escape")
                while len(me.terminal.layers) > 1:
                    await me.tap("escape")
                check_canvas(me.glass.canvas)
                shown, handed = me.glass.copied[-1], dict((command, given) for command, given in me.glass.ran[-2:])
                assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", shown) and shown == handed["less"]
                if "cat" in handed:
                    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", handed["cat"]) and decode(handed["cat"].encode()) == me.screen.item()
                else:
                    assert any("can't be written as JSON" in told for told in me.told), (me.told, me.text)
                me.terminal.toasts.clear()
                me.glass.ran.clear()
                await me.tap("escape", "m", "escape", "?", "escape", "U", "down")
                assert me.screen.rows.cursor == min(number + 1, len(items) - 1)
        async with fake(tmp_path, [listed], {"odd": {"items": items, "loading": True}}, size=(60, 16), **more) as me:
            assert me.screen.rows.cursor == len(items) - 1, "who comes back is where they were"

    monkeypatch.setenv("PAGER", "less")
    monkeypatch.setenv("BROWSER", "true")
    run(test())
