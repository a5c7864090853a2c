"""Items with odd values are drawn, opened, copied, paged and piped, and the items around them stay visible."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Glass, run
from nagare.wire import decode
from nagare_terminal.article import Article
from nagare_terminal.canvas import Canvas
from nagare_terminal.display import Display
from nagare_terminal.lists import ListScreen
from nagare_terminal.row_moves import item_key
from nagare_terminal.saved_state import SavedState
from nagare_terminal.rows import Rows
from odd import ACTIONS, COUNT, DISPLAYS, ODD, SEED, each_kind_in_each_member, mixed, nested, text_of
from test_shapes import ANY, ROWS, fake, model, takes

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that control a terminal, or that can't be encoded."""


def check_canvas(canvas: Canvas) -> None:
    assert not (found := CONTROL.search(canvas.text().replace("\n", ""))), f"{found!r} reaches the terminal"
    assert all(len(row) == canvas.width for row in canvas.cells)


@pytest.mark.parametrize("name", [*DISPLAYS])
def test_an_odd_item_is_drawn_and_hides_no_other(name: str) -> None:
    items = decode(text_of([*each_kind_in_each_member(), *ODD.values()]).encode())
    display = Display(DISPLAYS[name])
    plain = {"id": "plain", "title": "Plain", "subject": "Plain", "money": 2}
    rows, article, glass = Rows(display, on_choose=lambda item: None), Article(display), Glass((60, 30))
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
def test_odd_items_are_opened_copied_paged_and_piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    items = [*mixed(COUNT, seed=[*DISPLAYS].index(name))]
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
                assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", shown) and shown == handed["less"]
                if "cat" in handed:
                    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u2028-\u202e]", handed["cat"]) and decode(handed["cat"].encode()) == me.screen.item()
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


FIELDS = "query", "filters", "row", "index", "above", "item", "marked", "more"
PLACES = [
    *ODD.values(), {"id": nested(400)}, {"id": "\ud800", "screen": 7}, {"id": 1, "screen": "odd"}, {"screen": "odd"}, [1, None, "a"], -(10**30), 2.5, {"unread": 1},
]  # fmt: skip


def test_an_invalid_saved_place_breaks_no_screen(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    inputs = {"appear": ANY, "reachBottom": ANY, "filter": takes(set={})}
    models = [model(f"v{number}", inputs, {"items": ROWS, "loading": {}, "filters": ANY}) for number in range(40)]
    places: dict[str, Any] = {one["viewModel"]: {name: chance.choice(PLACES) for name in FIELDS} for one in models}
    places |= {"v0": 7, "v1": None, "v2": []}
    state = tmp_path / "state.json"
    state.write_text(text_of({"screen": "v3", "places": places}))
    items = [{"id": number, "title": f"Row {number}"} for number in range(5)]
    outputs = {one["viewModel"]: {"items": items, "loading": True, "filters": {}} for one in models}

    async def test() -> None:
        async with fake(tmp_path, models, outputs, state=state, answers={"appear": [{"loading": False}] * 99}) as me:
            for one in models:
                await me.terminal.go_to(one["viewModel"])
                await me.settle()
                while not isinstance(me.screen, ListScreen):
                    await me.press("escape")  # Closes the detail.
                assert "Row 0" in me.text and me.screen.rows.current in items

    run(test())
    assert decode(state.read_bytes())["places"]["v39"]["row"] in range(5)


def test_a_place_is_saved_whatever_the_ids_are(tmp_path: Path) -> None:
    for number, (kind, value) in enumerate(ODD.items()):
        value = decode(text_of(value).encode())
        place = {"row": value, "index": 3, "above": 1, "marked": [item_key({"id": value})], "item": {"id": value, "screen": "detail"}}
        before = SavedState(tmp_path / f"{number}.json", ["\udc80"])
        before.screen, before.places = kind, {"items": place}
        before.save()
        after = SavedState(tmp_path / f"{number}.json", [])
        assert kind in ("not a number", "infinite", "a file of NaN bytes") or (after.screen, after.places) == (kind, {"items": place}), kind
