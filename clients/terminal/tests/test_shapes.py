"""Screens with shapes that no built-in view model has."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import Glass, User, before, binary, list_of_rows, run, user, write_rows
from nagare_terminal import Terminal, lists
from nagare_terminal.dialogs import Choose
from nagare_terminal.form import NOTHING, Form, FormField
from nagare_terminal.markdown import markdown
from nagare_terminal.row_moves import row_moves
from nagare_terminal.shape import shapes

SERVER = Path(__file__).with_name("fake_server.py")
ANY = {"type": "object"}
ROWS = {"type": "array", "items": {"type": "object"}}


def takes(**properties: Any) -> dict[str, Any]:
    """Returns the schema of an input whose parameters are all required."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def model(name: str, inputs: dict[str, Any], states: dict[str, Any], events: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    told = [{"name": output, "kind": "state", "value": schema} for output, schema in states.items()]
    return {
        "viewModel": name,
        "inputs": [{"name": input, "params": schema} for input, schema in inputs.items()],
        "outputs": told + [{"name": event, "kind": "event", "value": {}} for event in events],
        **more,
    }


class Fake(User):
    """A user of a fake server."""

    log: Path

    def heard(self) -> list[dict[str, Any]]:
        """The inputs that the server received, with their parameters."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@asynccontextmanager
async def fake(
    folder: Path, models: list[dict[str, Any]], outputs: dict[str, Any], size: tuple[int, int] = (80, 24), state: Path | None = None, **more: Any
) -> AsyncIterator[Fake]:
    """Starts a fake server with a screen for each of these models. A screen has its model's name."""
    screens = [{"screen": one["viewModel"], "viewModel": one["viewModel"], "params": ANY} for one in models]
    said = {"models": models, "screens": screens, "outputs": outputs, "inputs": {}, **more}
    path = folder / "dialogue.json"
    path.write_text(json.dumps(said))
    glass = Glass(size)
    async with before(Terminal([sys.executable, str(SERVER), str(path)], device=glass, state=state), glass) as me:
        someone = Fake(me.terminal, glass)
        someone.log = folder / "dialogue.json.log"
        await someone.settle()
        yield someone


TICKETS = [{"id": "t1", "title": "Door squeaks", "state": "open"}, {"id": "t2", "title": "Lamp is dark", "state": "done"}]


def test_the_previous_page_loads_when_the_first_row_comes_into_sight(tmp_path: Path) -> None:
    async def test() -> None:
        middle = [{"id": n, "title": f"Row {n}"} for n in range(50, 100)]
        all_rows = [{"id": n, "title": f"Row {n}"} for n in range(100)]
        log = model("Log", {"reachTop": ANY, "reachBottom": ANY}, {"items": ROWS})
        answers = {"reachTop": [{}, {"items": all_rows}]}
        async with fake(tmp_path, [log], {"Log": {"items": middle}}, answers=answers) as me:
            assert me.heard() == [{"reachTop": {}}]
            await me.press("pagedown", "pagedown")
            assert me.heard() == [{"reachTop": {}}]
            await me.press("home")
            assert me.heard() == [{"reachTop": {}}] * 2
            assert "Row 50" in me.text and "Row 49" not in me.text and me.status.startswith("Log · 51 of 100"), "the rows in sight stay"
            assert "▌" not in me.text and "new" not in me.lines[0]
            await me.press("end")
            assert me.heard() == [{"reachTop": {}}] * 2 + [{"reachBottom": {}}]

    run(test())


def rows_from(first: int) -> list[dict[str, Any]]:
    return [{"id": n, "title": f"Row {n}"} for n in range(first, 100)]


VIEWPORT = takes(start={"type": "integer"}, end={"type": "integer"})


def test_a_list_that_scrolls_to_its_end_keeps_its_place_when_the_previous_page_arrives(tmp_path: Path) -> None:
    async def test() -> None:
        chat = model("Chat", {"appear": ANY, "viewport": VIEWPORT, "reachTop": ANY}, {"items": ROWS}, ("scrollTo",))
        answers = {
            "appear": [{"items": rows_from(50), "scrollTo": {"index": 49, "id": 99}}],
            "reachTop": [{"items": rows_from(30)}, {"items": rows_from(10)}],
        }
        async with fake(tmp_path, [chat], {"Chat": {"items": []}}, answers=answers) as me:
            # The first row may have been in sight before the event arrived. In that case the previous page is loaded,
            # too.
            rows = me.screen.rows
            assert "Row 99" in me.text and rows.cursor == len(rows.items) - 1 and not me.told
            first, count = rows.items[0]["id"], len(rows.items)
            await me.press("home")
            await me.until(lambda: len(rows.items) == count + 20)
            await me.settle()
            assert {"reachTop": {}} in me.heard(), "an author's list is sent it beside viewport"
            assert f"Row {first}" in me.lines[1] + me.lines[2] and f"Row {first - 1}" not in me.text and rows.cursor == 20, "the rows in sight stay"
            assert "▌" not in me.text and "new" not in me.lines[0]
            assert me.heard()[-1] == {"viewport": {"start": 20, "end": 30}}

    run(test())


def test_a_list_whose_viewport_loads_the_previous_page_keeps_its_place(tmp_path: Path) -> None:
    async def test() -> None:
        album = model("Album", {"viewport": VIEWPORT}, {"items": ROWS})
        answers = {"viewport": [{"items": rows_from(30)}]}
        async with fake(tmp_path, [album], {"Album": {"items": rows_from(50)}}, answers=answers) as me:
            assert "Row 50" in me.text and "Row 49" not in me.text and me.status.startswith("Album · 21 of 70")
            assert "▌" not in me.text and "new" not in me.lines[0]
            assert me.heard() == [{"viewport": {"start": 0, "end": 10}}, {"viewport": {"start": 20, "end": 30}}]

    run(test())


def test_a_dropped_request_for_the_previous_page_is_sent_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "RETRY_DELAY", 0.0)

    async def test() -> None:
        log = model("Log", {"reachTop": ANY}, {"items": ROWS})
        answers = {"reachTop": [{"outcome": "nothing"}, {"items": rows_from(30)}, {"outcome": "nothing"}, {"outcome": "nothing"}]}
        async with fake(tmp_path, [log], {"Log": {"items": rows_from(50)}}, answers=answers) as me:
            await me.until(lambda: len(me.heard()) == 2)
            await me.settle()
            assert "Row 50" in me.text and "Row 49" not in me.text and me.status.startswith("Log · 21 of 70")
            await me.press("home")
            await me.until(lambda: len(me.heard()) == 4)
            await me.settle()
            assert len(me.heard()) == 4, "there is none"

    run(test())


KINDS = json.loads((Path(__file__).parents[2] / "behaviour" / "screen_kinds.json").read_text())


@pytest.mark.parametrize("case", KINDS, ids=[case["about"] for case in KINDS])
def test_the_kind_of_a_screen_follows_from_its_inputs_and_outputs(case: dict[str, Any]) -> None:
    described = {"list": case.get("lists", {}), "state": case["states"], "event": dict.fromkeys(case.get("events", []), {})}
    outputs = [{"name": name, "kind": kind, "value": value} for kind, values in described.items() for name, value in values.items()]
    inputs = [{"name": name, "params": params} for name, params in case["inputs"].items()]
    model = {"viewModel": "it", "inputs": inputs, "outputs": outputs, "configured": case.get("configured", False)}
    screen = {"screen": "it", "viewModel": "it", "inputs": [*case["inputs"]], "outputs": [output["name"] for output in outputs], "params": {}}
    assert shapes({"x-screens": [screen], "x-viewModels": [model], "x-notifications": []})["it"].kind == case["kind"]


def test_a_screen_that_only_other_views_open_is_not_offered() -> None:
    screen = {"screen": "it", "viewModel": "it", "inputs": [], "outputs": []}
    needing = {**screen, "screen": "needing", "params": takes(id={})}
    found = shapes({"x-screens": [screen, needing, {**screen, "screen": "offered", "params": ANY}], "x-viewModels": [], "x-notifications": []})
    assert [name for name, shape in found.items() if shape.is_openable] == ["offered"]


def test_a_list_is_recognized_whatever_its_name(tmp_path: Path) -> None:
    async def test() -> None:
        tickets = model("Backlog", {"appear": ANY, "reachBottom": ANY, "select": takes(id={"type": "string"})}, {"items": ROWS, "loading": {}}, ("opened",))
        answers = {"select": [{"opened": {"title": "Lamp is dark"}}]}
        async with fake(tmp_path, [tickets], {"Backlog": {"items": TICKETS, "loading": False}}, answers=answers) as me:
            assert me.status == "Backlog · 1 of 2" and "Door squeaks" in me.text
            await me.press("down", "enter")
            assert [{"appear": {}}, {"select": {"id": "t2"}}] == [one for one in me.heard() if "reachBottom" not in one]
            assert {"reachBottom": {}} in me.heard(), "all of it is in sight"
            assert me.told == ["Opened: Title: Lamp is dark"], "an event is a message"

    run(test())


def test_a_view_with_items_and_select_is_shown_as_a_list(tmp_path: Path) -> None:
    async def test() -> None:
        shelf = model("shelf", {"select": takes(id={"type": "string"})}, {"items": ROWS, "owner": {"type": "string"}}, ("opened",))
        answers = {"select": [{"opened": {"title": "Lamp is dark"}}]}
        async with fake(tmp_path, [shelf], {"shelf": {"items": TICKETS, "owner": "Aoi"}}, answers=answers) as me:
            assert me.status == "Shelf · 1 of 2" and "Door squeaks" in me.text
            await me.press("down", "enter")
            assert me.heard() == [{"select": {"id": "t2"}}]
            assert me.told == ["Opened: Title: Lamp is dark"]

    run(test())


def test_a_view_model_named_list_with_another_shape_breaks_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        shopping = model("list", {"add": takes(text={"type": "string"})}, {"items": {"type": "integer"}, "owner": {"type": "object"}})
        async with fake(tmp_path, [shopping], {"list": {"items": 3, "owner": {"name": "Mei", "since": "2026-11-20"}}}) as me:
            assert "Items 3" in me.words and "Name Mei" in me.words and "▸ Add…" in me.text

    run(test())


def test_states_are_formatted_by_their_schemas(tmp_path: Path) -> None:
    async def test() -> None:
        states = {
            "count": {"type": "integer"},
            "done": {"type": "boolean"},
            "photo": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "parts": {"type": "array", "items": {"type": "object", "properties": {"name": {}, "price": {}}}},
            "nothing": {"type": ["string", "null"]},
        }
        parts = [{"name": "扉", "price": 1200}, {"name": "Hinge", "price": 80}]
        now = {"count": 7, "done": False, "photo": "data:image/png;base64,iVBORw0KGgoAAAAN", "tags": ["a", "b"], "parts": parts, "nothing": None}
        async with fake(tmp_path, [model("door", {}, states)], {"door": now}) as me:
            for told in ("Count 7", "Done no", "Photo [picture, 28 B]", "Tags a b", "Parts (2)", "Nothing –"):
                assert told in me.words, told
            head = next(line for line in me.lines if line.startswith("  Name "))
            row = next(line for line in me.lines if "Hinge" in line)
            assert head.rstrip().endswith("Price") and row.rstrip().endswith("80") and len(head.rstrip()) == len(row.rstrip())
            await me.press("enter")
            assert "扉" in me.text and "Price: 1200" in me.text

    run(test())


FORM = {
    "type": "object",
    "required": ["title", "hours"],
    "properties": {
        "title": {"type": "string", "minLength": 3, "description": "The title."},
        "hours": {"type": "integer", "minimum": 1, "maximum": 40},
        "kind": {"type": "string", "enum": ["bug", "wish"]},
        "urgent": {"type": "boolean", "default": True},
        "due": {"type": "string", "format": "date"},
        "who": {"type": "object", "properties": {"name": {"type": "string"}, "team": {"type": "integer"}}, "required": ["name"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "more": {},
    },
}


def test_an_input_with_parameters_gets_a_form_from_its_schema(tmp_path: Path) -> None:
    async def test() -> None:
        async with fake(tmp_path, [model("desk", {"file": FORM}, {})], {"desk": {}}) as me:
            await me.press("enter")
            for label in ("Title *", "Hours *", "Kind", "Urgent", "[✓]", "Who › Name *", "Who › Team", "Tags", "The title.", "1 to 40", "YYYY-MM-DD"):
                assert label in me.text, label
            await me.press("a", "enter")
            assert "has 3 characters at least" in me.text
            await me.press(*"bc", "tab", *"41", "enter")
            assert "is 1 to 40" in me.text and me.heard() == []
            await me.press("backspace", "tab", "right", "right", "tab", " ", "tab", *"soon", "enter")
            assert "is a date" in me.text
            await me.press("ctrl+u", *"2026-12-24", "tab", *"Mei", "tab", "tab", *"a, b", "tab", *'{"x": 1}', "enter")
            assert me.heard() == [
                {
                    "file": {
                        "title": "abc", "hours": 4, "kind": "wish", "urgent": False, "due": "2026-12-24", "who": {"name": "Mei"},
                        "tags": ["a", "b"], "more": {"x": 1},
                    }
                }
            ]  # fmt: skip
            assert not isinstance(me.terminal.top, Form)

    run(test())


def test_the_servers_error_is_shown_at_the_field_that_it_names(tmp_path: Path) -> None:
    async def test() -> None:
        refusal = {"code": -32602, "message": "wrong", "data": {"param": "params.who.name", "expected": "somebody who works here"}}
        schema = {"type": "object", "properties": {"a": {"type": "string"}, "who": {"type": "object", "properties": {"name": {"type": "string"}}}}}
        async with fake(tmp_path, [model("desk", {"file": schema}, {})], {"desk": {}}, answers={"file": [{"error": refusal}]}) as me:
            await me.press("enter", "tab", *"Mei", "enter")
            form = me.terminal.top
            assert isinstance(form, Form) and form.fields[1].complaint == "must be somebody who works here"
            assert "must be somebody who works here" in me.text
            await me.press("enter")
            assert me.terminal.top is me.screen and len(me.heard()) == 2

    run(test())


def test_an_undescribed_parameter_is_asked_for_after_the_servers_error(tmp_path: Path) -> None:
    async def test() -> None:
        desk = model("desk", {"assign": ANY}, {}, ("navigate",))
        refusal = {"error": {"code": -32602, "message": "wrong", "data": {"param": "name", "expected": "one of the people"}}}
        answers = {"assign": [{"navigate": "people"}], "invite": [refusal, refusal], "choose": [refusal, {"dismiss": {}}]}
        outputs = {"desk": {}, "people": {"people": ["Aoi", "Mei"]}}
        async with fake(tmp_path, [desk], outputs, answers=answers, inputs={"people": ["choose", "invite"]}) as me:
            await me.press("enter")
            assert me.screen.name == "People" and "Aoi" in me.text
            await me.press(":", *"invite", "enter")
            assert "Name *" in me.text
            await me.press(*"Rin", "enter")
            assert "must be one of the people" in me.text
            await me.press(*["backspace"] * 3, *"Ren", "enter")
            assert [one["invite"] for one in me.heard() if "invite" in one] == [{}, {"name": "Rin"}, {"name": "Ren"}]
            await me.press("down", "enter")
            assert [one["choose"] for one in me.heard() if "choose" in one] == [{"id": "Mei"}, {"name": "Mei"}]
            assert me.screen.name == "Desk", "it is done, and goes"

    run(test())


def test_only_the_rows_near_the_sight_of_a_long_list_are_held(tmp_path: Path) -> None:
    async def test() -> None:
        long = model("long", {"viewport": takes(start={}, end={}), "select": takes(id={})}, {"items": ROWS})
        params = {"type": "object", "properties": {"window": {}}}
        screens = [{"screen": "long", "viewModel": "long", "params": params}]
        async with fake(tmp_path, [long], {"long": {}}, screens=screens, rows=1_000_000) as me:
            assert me.status == "Long · 1 of 1,000,000" and me.lines[1].startswith("  ▂▂▂") and "Row 1 " in me.lines[3]
            await me.press("enter")
            assert me.heard() and "select" not in me.heard()[-1], "what isn't read can't be opened"
            await me.press("G")
            assert me.status == "Long · 1,000,000 of 1,000,000" and "Row 999999" in me.text
            assert len(me.screen.rows.items.held) < 100
            await me.press("up", "up", "e")
            await me.press("enter")
            assert me.heard()[-1] == {"select": {"id": 999_997}} or {"select": {"id": 999_997}} in me.heard()
            await me.press("escape", "/", *"row 99995", "enter")
            assert me.screen.rows.current["id"] == 999_951

    run(test())


def test_the_user_can_go_to_a_row_by_its_number(tmp_path: Path) -> None:
    async def test() -> None:
        long = model("long", {"viewport": takes(start={}, end={}), "select": takes(id={})}, {"items": ROWS})
        screens = [{"screen": "long", "viewModel": "long", "params": {"type": "object", "properties": {"window": {}}}}]
        async with fake(tmp_path, [long], {"long": {}}, screens=screens, rows=1_000_000) as me:
            await me.press(":", *"500,000")
            assert "Go to row 500,000" in me.text
            await me.press("enter")
            assert me.status == "Long · 500,000 of 1,000,000" and "Row 499999" in me.text

    run(test())


def test_many_rows_are_marked_from_one_to_another(tmp_path: Path) -> None:
    async def test() -> None:
        mails = model("mails", LIST, {"items": ROWS}, display={**DISPLAY, "actions": [{"input": "remove", "key": "d", "for": "many"}]})
        async with fake(tmp_path, [mails], {"mails": {"items": MAILS}}) as me:
            await me.press("V", "down")
            assert me.lines[1].startswith("✓ Invoice") and me.lines[3].startswith("✓ Lunch")
            await me.press("escape")
            assert not me.screen.marks.any
            await me.press("V", "up", "V")
            assert me.screen.marks.count == 2 and "✓ 2 marked" in me.lines[0]
            await me.press("d")
            assert [one["remove"] for one in me.heard() if "remove" in one] == [{"key": "m1"}, {"key": "m2"}]

    run(test())


def test_marks_are_kept_by_the_server_and_edited_together(tmp_path: Path) -> None:
    async def test() -> None:
        inputs = {**LIST, "mark": takes(id={}), "unmark": takes(id={})}
        actions = [{"input": "remove", "key": "d", "for": "many"}]
        mails = model("mails", inputs, {"items": ROWS, "marks": ANY, "sections": ANY}, display={**DISPLAY, "actions": actions})
        states = {"items": MAILS, "marks": {"count": None, "all": True, "ids": ["m2"]}, "sections": [{"key": "March", "start": 1, "count": 1}]}
        async with fake(tmp_path, [mails], {"mails": states}) as me:
            assert me.lines[1].startswith("✓ Invoice") and me.lines[4].startswith("  Lunch") and "all marked" in me.lines[0]
            assert me.lines[3].startswith(" March")
            await me.press("V", "down", "V", "A", "d")
            said = [one for one in me.heard() if not {"appear", "viewport", "reachBottom"} & {*one}]
            assert said == [{"mark": {"from": "m1", "to": "m2"}}, {"mark": {"all": True}}, {"remove": {"marked": True}}]

    run(test())


def test_markdown_is_rendered() -> None:
    told = "# Why\n\nIt is **due**, see [there](https://example.org/) and 日本語の**文章**です。\n\n- one\n\n> quoted\n\n```\ncode  here\n```"
    lines = list(markdown(told, 30))
    assert ["".join(text for text, _ in parts) for parts in lines] == [
        "Why", "", "It is due, see there", "(https://example.org/) and 日", "本語の文章です。", "", "• one", "", "│ quoted", "", "  code  here",
    ]  # fmt: skip
    assert ("due", "title") in lines[2] and ("文章", "title") in lines[4] and ("there", "link") in lines[2]


def test_rows_of_a_window_stay_with_their_items() -> None:
    def window(start: int, *ids: int | None) -> nagare.Window[Any]:
        return nagare.Window([None if id is None else {"id": id} for id in ids], start, 1000)

    same = row_moves(window(10, 1, 2, None, 4), window(12, 1, 2, 3, 4))
    assert [same.row_now(row) for row in (5, 10, 11, 12, 13, 700)] == [7, 12, 13, 14, 15, 702] and same.shift(0, 3) == 2
    other = row_moves(window(10, 1, 2), window(500, 8, 9))
    assert [other.row_now(row) for row in (10, 11, 500)] == [10, 11, 500] and other.new() == []


def test_screens_that_need_parameters_are_not_offered(tmp_path: Path) -> None:
    async def test() -> None:
        one, two = model("one", {}, {"a": {}}), model("two", {}, {"b": {}})
        screens = [
            {"screen": "one", "viewModel": "one", "params": ANY},
            {"screen": "two", "viewModel": "two", "params": {"type": "object", "properties": {"id": {}}, "required": ["id"]}},
        ]
        async with fake(tmp_path, [one, two], {"one": {"a": 1}, "two": {"b": 2}}, screens=screens) as me:
            await me.press("s")
            menu = me.terminal.top
            assert isinstance(menu, Choose) and [choice[2] for choice in menu.choices] == ["one"]

    run(test())


MAILS = [
    {"key": "m1", "what": "Invoice", "who": {"name": "Northlight"}, "words": "It is attached.", "label": "money", "at": "2026-11-20T10:11:00Z",
     "fresh": True, "raw": "0xdeadbeef", "amount": 12800, "size": 1234567, "took": 3725},
    {"key": "m2", "what": "Lunch", "who": {"name": "鈴木"}, "words": "At noon?", "label": "", "at": "2026-03-20T10:11:00Z",
     "fresh": False, "raw": "0x00", "amount": 80, "size": 12, "took": 59},
]  # fmt: skip
DISPLAY = {"title": "what", "subtitle": "who.name", "body": "words", "badge": "label", "date": "at", "unread": "fresh", "hidden": ["raw"]}
LIST = {"reachBottom": ANY, "change": takes(item={}), "remove": takes(key={"type": "string"}), "assign": takes(key={}, to={}, why={"type": "string"})}


def test_display_determines_the_parts_of_a_row(tmp_path: Path) -> None:
    async def test() -> None:
        mails = model("mails", LIST, {"items": ROWS}, display=DISPLAY)
        async with fake(tmp_path, [mails], {"mails": {"items": MAILS}}) as me:
            assert me.lines[1].startswith("• Invoice") and me.lines[1].rstrip().rstrip("▐").split()[-2:] == ["money", "19:11"]
            assert me.lines[2].startswith("  Northlight · It is attached.")
            assert me.lines[3].startswith("  Lunch") and me.lines[3].rstrip().endswith("03-20")
            await me.press("enter")
            assert "0xdeadbeef" not in me.text and "It is attached." in me.text and "Amount" in me.text

    run(test())


def test_numbers_are_shown_as_times_if_display_declares_them(tmp_path: Path) -> None:
    async def test() -> None:
        columns = ["name", {"member": "made", "format": "datetime"}, {"member": "day", "format": "date"}, {"member": "cents", "format": "number"}]
        display = {"title": "name", "date": "made", "columns": columns}
        rows = [{"id": 1, "name": "Lamp", "made": 1763600000, "day": 1763600000000, "cents": 1999.0}]
        lamps = model("lamps", LIST, {"items": ROWS}, display=display)
        async with fake(tmp_path, [lamps], {"lamps": {"items": rows}}) as me:
            assert me.lines[2].split() == ["Lamp", "2025-11-20", "09:53", "2025-11-20", "1,999"]
            await me.press("enter")
            assert "Made          2025-11-20 09:53" in me.text
        lamps = model("lamps", LIST, {"items": ROWS}, display={"title": "name", "date": "made"})
        async with fake(tmp_path, [lamps], {"lamps": {"items": rows}}) as me:
            assert me.lines[1].split() == ["Lamp", "2025-11-20"]
            await me.press("enter")
            assert "Made          2025-11-20 09:53" in me.text

    run(test())


def test_a_detail_shows_each_field_once(tmp_path: Path) -> None:
    async def test() -> None:
        rows = [{"id": 1, "city": "Kyoto", "note": "Ring twice", "text": "Word " * 30}]
        lamps = model("lamps", LIST, {"items": ROWS}, display={"columns": ["city", "note", "text"]})
        async with fake(tmp_path, [lamps], {"lamps": {"items": rows}}) as me:
            await me.press("enter")
            assert me.text.count("Ring twice") == 1 and "Note          Ring twice" in me.text
            assert me.words.count("Word " * 12) == 2 and "Text  " not in me.text, "a text to read stands by itself"

    run(test())


def test_a_field_with_examples_also_accepts_typed_values() -> None:
    def said(schema: dict[str, Any], *keys: str, required: bool = False) -> Any:
        field = FormField(("color",), schema, required)
        for key in keys:
            field.type_key(key)
        return field.value()

    colors = {"type": "string", "examples": ["red", "green"]}
    assert said(colors) is NOTHING and said(colors, required=True) == ""
    assert said(colors, "right", "right") == "green" and said(colors, "left", required=True) == "green"
    assert said(colors, *"gr") == "green" and said(colors, *"grey") == "grey" and said(colors, *"blue", "backspace") == "blu"
    assert said(colors, *"blue", "ctrl+u") is NOTHING and said({"type": "integer", "examples": [1, 2]}, *"17") == 17


def test_a_table_is_shown_as_a_list_in_a_narrow_terminal(tmp_path: Path) -> None:
    async def test() -> None:
        columns = ["city", {"member": "paid", "format": "boolean"}, {"member": "made", "format": "date"}, {"member": "size", "format": "bytes"}]
        rows = [{"id": n, "city": f"Kyoto {n}", "paid": n, "made": 1763600000, "size": 5_000_000} for n in range(2)]
        lamps = model("lamps", LIST, {"items": ROWS}, display={"columns": columns})
        async with fake(tmp_path, [lamps], {"lamps": {"items": rows}}) as me:
            await me.resize(36, 12)
            assert me.lines[1].split() == ["City", "Paid", "Made", "Size"]
            await me.resize(31, 12)
            assert [line.strip() for line in me.lines[1:5]] == ["Kyoto 0", "paid – · 2025-11-20 · 5 MB", "Kyoto 1", "paid ✓ · 2025-11-20 · 5 MB"]

    run(test())


def test_display_determines_columns_and_their_formats(tmp_path: Path) -> None:
    async def test() -> None:
        columns = [
            "what",
            {"member": "amount", "name": "Sum", "format": "money", "currency": "JPY"},
            {"member": "size", "format": "bytes"},
            {"member": "took", "format": "duration"},
            {"member": "fresh", "format": "boolean", "align": "center"},
            {"member": "at", "format": "date"},
        ]
        mails = model("mails", LIST, {"items": ROWS}, display={"columns": columns})
        async with fake(tmp_path, [mails], {"mails": {"items": MAILS}}) as me:
            assert me.lines[1].split() == ["What", "Sum", "Size", "Took", "Fresh", "At"]
            assert me.lines[2].split()[-6:] == ["12,800", "JPY", "1.23", "MB", "1:02:05", "✓", "2026-11-20"][-6:]
            assert me.lines[3].split() == ["Lunch", "80", "JPY", "12", "B", "0:59", "–", "2026-03-20"]
            assert me.lines[1].index("Sum") + 3 == me.lines[2].index("JPY") + 3 == me.lines[3].index("JPY") + 3
            await me.resize(34, 12)
            assert me.lines[1].split() == ["What", "Sum", "Size"]

    run(test())


ACTIONS = [
    {"input": "remove", "name": "Bin", "icon": "🗑", "key": "d"},
    {"input": "change", "set": {"fresh": False}, "name": "Mark as read", "key": "u", "for": "many"},
    {"input": "assign", "params": {"to": "me"}, "name": "Assign to me", "key": "a", "confirm": "Take this one?"},
]


def test_actions_have_keys_confirmations_and_forms_for_missing_parameters(tmp_path: Path) -> None:
    async def test() -> None:
        mails = model("mails", LIST, {"items": ROWS}, display={**DISPLAY, "actions": ACTIONS})
        async with fake(tmp_path, [mails], {"mails": {"items": MAILS}}, size=(100, 24)) as me:
            assert "d 🗑 Bin" in me.text
            await me.press("a")
            assert "Take this one?" in me.text
            await me.press("y")
            assert "Why *" in me.text and "To" not in me.words.split("Why")[0].split("Assign")[-1]
            await me.press(*"Mine.", "enter")
            assert {"assign": {"key": "m1", "to": "me", "why": "Mine."}} in me.heard()
            await me.press("x", "x", "u")
            assert [one["change"]["item"] for one in me.heard() if "change" in one] == [{**mail, "fresh": False} for mail in MAILS]
            await me.press("g", "m", *"bin", "enter")
            assert me.heard()[-1] == {"remove": {"key": "m1"}}

    run(test())


def test_a_failed_action_shows_its_reason_and_can_be_repeated(tmp_path: Path) -> None:
    async def test() -> None:
        actions = [{"input": "remove", "name": "Bin", "key": "d"}]
        mails = model("mails", LIST, {"items": ROWS}, display={**DISPLAY, "actions": actions})
        refusal = {"error": {"code": -7, "message": "The bin is full"}}
        async with fake(tmp_path, [mails], {"mails": {"items": MAILS}}, answers={"remove": [refusal]}) as me:
            await me.press("d")
            assert me.told == ["“Invoice” was restored: The bin is full"] and "T tries that again" in me.status
            await me.press("T")
            assert len([one for one in me.heard() if "remove" in one]) == 2 and "T tries" not in me.status

    run(test())


def test_the_tutorials_list_is_shown_as_a_list(tmp_path: Path) -> None:
    async def test() -> None:
        glass = Glass((80, 24))
        async with before(Terminal([binary("ArticlesExample")], device=glass), glass) as me:
            await me.until(lambda: "Article 2 on page 1" in me.text)
            await me.press("down", "enter")
            assert me.told == ["Opened: Id: 1.1, Title: Article 1 on page 1"]

    run(test())


def test_a_configuration_determines_the_display_of_its_items(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path, undo=5000, display={**DISPLAY, "actions": ACTIONS[:2]})) as me:
            await me.until(lambda: me.view["items"])
            await me.settle()
            assert me.lines[1].startswith("• Invoice") and me.lines[2].startswith("  Northlight · It is attached.")
            await me.press("x", "x", "u")
            assert me.lines[1].startswith("  Invoice"), "it was read"
            await me.press("d")
            assert "Bin: “Lunch” · U undo" in me.status and "Lunch" not in me.lines[3]

    write_rows(tmp_path, ({"id": number, **mail} for number, mail in enumerate(MAILS)))
    run(test())
