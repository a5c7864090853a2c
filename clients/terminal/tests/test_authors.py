"""Custom view models whose inputs and outputs have built-in names but other shapes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from conftest import run
from nagare_terminal.dialogs import Dialog
from odd import COUNT, ODD, SEED
from test_odd import check_canvas
from test_shapes import ANY, ROWS, Fake, fake, model, takes

MAILS = [{"id": "m1", "title": "Invoice", "unread": True, "text": "It is attached."}, {"id": "m2", "title": "請求書", "unread": True, "text": "添付します。"}]
ACTIONS = [{"input": "remove", "name": "Bin", "key": "d"}, {"input": "change", "set": {"unread": False}, "name": "Read", "key": "a"}]
INPUTS = {"reachBottom": ANY, "select": takes(id={}), "remove": takes(id={}), "change": takes(item={})}
LIST = model("mails", INPUTS, {"items": ROWS}, ("navigate",), display={"actions": ACTIONS})
PAGE = {"type": "object", "properties": {name: {} for name in ("id", "index", "count", "item", "hasPrevious", "hasNext")}}
PAGER = model("leaf", {"swipe": takes(to={})}, {"page": PAGE})


def page(index: int, items: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": items[index]["id"], "index": index, "count": len(items), "item": items[index], "hasPrevious": index > 0, "hasNext": index + 1 < len(items), **more,
    }  # fmt: skip


def edits(me: Fake) -> list[dict[str, Any]]:
    """Returns the edits that the list's view received."""
    return [one for one in me.heard() if {"remove", "change"} & {*one}]


SCREENS = [{"screen": "mails", "viewModel": "mails", "params": ANY}, {"screen": "leaf", "viewModel": "leaf", "params": takes(id={})}]


def test_a_custom_pager_of_a_lists_items_offers_the_lists_actions(tmp_path: Path) -> None:
    async def test() -> None:
        outputs = {"mails": {"items": MAILS}, "leaf": {"page": page(0, MAILS)}}
        answers = {"select": [{"navigate": "leaf"}], "swipe": [{"page": page(1, MAILS)}]}
        async with fake(tmp_path, [LIST, PAGER], outputs, screens=SCREENS, answers=answers) as me:
            await me.press("enter")
            assert me.status == "Leaf · 1 of 2" and "It is attached." in me.text and "d Bin" in me.text
            await me.press("right")
            assert me.status == "Leaf · 2 of 2" and "添付します。" in me.text
            await me.press("d")
            assert edits(me)[-1] == {"remove": {"id": "m2"}}

    run(test())


ATTACHED = [{"id": "m2", "title": "見積.pdf"}, {"id": "m1", "title": "Plan.pdf"}]


@pytest.mark.parametrize("item", [ATTACHED[0], {**MAILS[1], "title": "Plan.pdf"}])
def test_a_custom_pager_of_other_items_does_not_act_on_the_list(tmp_path: Path, item: dict[str, Any]) -> None:
    async def test() -> None:
        outputs = {"mails": {"items": MAILS}, "leaf": {"page": page(1, [ATTACHED[1], item], hasMore=False)}}
        answers = {"select": [{"navigate": "leaf"}], "swipe": [{"page": page(0, [ATTACHED[1], item], hasMore=False)}]}
        async with fake(tmp_path, [LIST, PAGER], outputs, screens=SCREENS, answers=answers, size=(120, 24)) as me:
            await me.press("enter")
            assert me.status == "Leaf · 2 of 2" and item["title"] in me.text and "Bin" not in me.text
            assert "請求書" not in me.text, "the list doesn't stand beside it"
            before = edits(me)
            await me.press("d", "a", "left", "d", "a", "m", *"bin", "enter", "escape", "escape")
            assert edits(me) == before and me.screen.name == "Mails" and me.screen.rows.cursor == 0

    run(test())


def test_a_custom_pager_offers_no_actions_after_moving_to_other_items(tmp_path: Path) -> None:
    async def test() -> None:
        outputs = {"mails": {"items": MAILS}, "leaf": {"page": page(0, MAILS)}}
        answers = {"select": [{"navigate": "leaf"}], "swipe": [{"page": page(0, ATTACHED)}, {"page": {**page(1, MAILS), "index": None}}]}
        async with fake(tmp_path, [LIST, PAGER], outputs, screens=SCREENS, answers=answers) as me:
            await me.press("enter", "right")
            assert "見積.pdf" in me.text and "Bin" not in me.text
            before = edits(me)
            await me.press("d", "right", "d")
            assert "no longer listed" in me.status and edits(me) == before

    run(test())


NAMES = "items page loading error state query filters sections marks pending undoable arrivals noResult choices dismiss scrollToTop scrollTo count user".split()
VALUES = [
    *ODD.values(), {"phase": 7, "trigger": [], "total": "many", "progress": {"done": "x", "of": []}}, {"progress": {"done": 1, "of": -1, "unit": 3}},
    {"message": None, "trigger": {}}, {"message": 7, "trigger": "remove", "number": "x"}, {"id": 1, "index": "first", "count": None, "item": 7},
    {"id": [], "index": -1, "item": []}, {"count": "two", "all": 1, "ids": {}}, {"count": None, "all": False, "ids": ["m1"]},
    {"count": 1, "input": "remove", "ids": ["m1"]}, {"count": [], "input": {}, "ids": "m", "all": 1}, {"input": "change", "all": True, "except": [{}]},
    [{"id": "m1", "state": "failed"}, {"id": [], "state": {}}, 7], [{"start": "a"}, {"start": 0, "key": {}}, 7], MAILS, [MAILS[0], None, 7, "a", []],
]  # fmt: skip
SCHEMAS = [{}, True, {"type": "array"}, {"type": ["array", "null"]}, PAGE, {"type": "object"}, {"type": "array", "items": True}, ROWS]
TOLD = [*"swipe choose select search filter refresh retry reachBottom loadMore viewport change remove mark unmark undo showArrivals cancelSearch appear".split(), "go"]
PARAMS = [ANY, takes(id={}), takes(to={}), takes(text={"type": "string"}), {"type": "object", "required": ["x"]}, {"type": "object", "properties": {"id": True}}]
LIKE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("list", {"reachBottom": ANY}, {"items": ROWS}),
    ("search", {"reachBottom": ANY, "search": takes(text={})}, {"items": ROWS, "query": {}}),
    ("detail", {"swipe": takes(to={})}, {"page": PAGE}),
    ("choice", {"choose": takes(id={})}, {"choices": ROWS}),
    ("none", {}, {}),
]
"""Built-in view models that a custom view may resemble, with the inputs and states that distinguish them."""
KEYS = [*"nryt/ma?f:xdUV", "down", "V", "A", "right", "left", "end", "enter", "d", "U", "enter"]


def test_custom_views_of_any_shape_are_shown_and_usable(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    models, outputs = [], {}
    for number in range(2 * COUNT):
        like, needed, state = chance.choice(LIKE)
        others = ["loading", "error", "state"] if like == "choice" else chance.sample(NAMES, chance.randint(1, 8))
        states = {name: chance.choice(SCHEMAS) for name in others} | state
        inputs = {name: chance.choice(PARAMS) for name in chance.sample(TOLD, chance.randint(1, 10))} | needed
        display = {"actions": [{"input": input, "key": "d"} for input in inputs][:2]}
        models.append(model(f"{like}{number}", inputs, states, tuple({"navigate", "dismiss"} - {*states}), display=display))
        outputs[f"{like}{number}"] = {name: chance.choice([*VALUES, MAILS, MAILS]) for name in states}
    said = [name for name in NAMES if name != "error"]  # An output named `error` would be taken for the answer.
    answers = {input: [{name: chance.choice(VALUES) for name in chance.sample(said, 3)} for _ in range(6)] for input in TOLD}

    seen = set()

    async def test() -> None:
        async with fake(tmp_path, models, outputs, answers=answers) as me:
            for one in models:
                await me.terminal.go_to(one["viewModel"])
                await me.settle()
                seen.add(type(me.screen).__name__)
                for key in KEYS:
                    await me.tap(key)
                    while isinstance(me.terminal.top, Dialog):
                        await me.tap("escape")
                    if getattr(me.screen, "finding", None) or getattr(me.screen, "typing", False):
                        await me.tap("escape")
                await me.resize(*chance.choice([(120, 24), (40, 7), (80, 24)]))
                check_canvas(me.glass.canvas)
                while len(me.terminal.layers) > 1:
                    me.terminal.leave()
        assert seen == {"ListScreen", "SearchScreen", "DetailScreen", "ChoiceScreen", "GeneralScreen"}

    run(test())
