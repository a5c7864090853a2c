"""Lists, searches and details, as a user sees them."""

from __future__ import annotations

import sys
from pathlib import Path

import nagare
import pytest
from conftest import configure, list_of_rows, run, user, write_rows
from nagare_terminal import lists
from nagare_terminal.rows import Rows


def test_a_list_shows_that_it_loads_and_then_its_rows() -> None:
    async def test() -> None:
        async with user() as me:
            assert "loading…" in me.text and me.status == "Items · 0 of 0 · loading…"
            await me.wait(300)
            assert me.status == "Items · 1 of 20+"
            assert "Handover before my holiday" in me.text and "Daniel Weiss · I'm away from Thursday on" in me.text
            assert next(line for line in me.lines if "Handover" in line).rstrip(" ▐").endswith("18:33"), "it came today"

    run(test())


def test_every_row_shows_its_sender_and_the_beginning_of_its_text() -> None:
    async def test() -> None:
        async with user(size=(60, 24)) as me:
            await me.wait(300)
            seconds = me.text.split("\n")[2:20:2]
            assert [second for second in seconds if " · " not in second] == []

    run(test())


def test_the_next_page_loads_when_the_end_comes_into_sight() -> None:
    async def test() -> None:
        async with user() as me:
            await me.wait(300)
            await me.press("end")
            assert me.status == "Items · 20 of 20+ · loading…"
            await me.wait(300)
            assert me.status == "Items · 20 of 40+"
            await me.press(*["down"] * 15)
            await me.wait(300)
            assert me.status == "Items · 35 of 40+"
            await me.press("end")
            await me.wait(300)
            assert me.status == "Items · 40 of 60+"

    run(test())


def test_pages_load_until_a_high_terminal_is_full() -> None:
    async def test() -> None:
        async with user(size=(80, 100)) as me:
            for _ in range(5):
                await me.wait(300)
            assert me.status == "Items · 1 of 60+"

    run(test())


def test_a_refresh_loads_the_first_page_and_keeps_the_rows_until_then() -> None:
    async def test() -> None:
        async with user() as me:
            await me.wait(300)
            await me.press("end", "r")
            # The old rows stay until the new ones arrive.
            assert me.status == "Items · 20 of 20+ · loading…"
            await me.wait(300)
            assert me.status == "Items · 20 of 20+"

    run(test())


def test_arrow_keys_move_between_details_and_the_list_follows() -> None:
    async def test() -> None:
        async with user() as me:
            await me.wait(300)
            await me.press("down", "enter")
            assert me.status == "Detail · 2 of 20+"
            await me.press("right")
            assert me.status == "Detail · 3 of 20+" and "I'm away from Thursday on" in me.text
            await me.press("left", "left", "left")
            assert me.status == "Detail · 1 of 20+"
            await me.press("right", "right", "right")
            pager = me.view
            await me.press("escape")
            await me.until(lambda: pager.closed)
            assert me.status == "Items · 4 of 20+"

    run(test())


def test_the_detail_of_the_last_item_loads_the_next_page() -> None:
    async def test() -> None:
        async with user(size=(80, 60)) as me:
            await me.wait(300)
            await me.wait(300)
            await me.press(*["down"] * 38, "enter", "right")
            assert me.status.startswith("Detail · 40 of 40+")
            await me.wait(2000)
            await me.press("right")
            assert me.status == "Detail · 41 of 60+"

    run(test())


def test_a_search_follows_the_typed_text() -> None:
    async def test() -> None:
        async with user("articles") as me:
            await me.wait(1000)
            await me.press("/", *"swift")
            await me.wait(199)
            assert me.view["query"] == ""
            await me.wait(1000)
            assert me.view["query"] == "swift" and "Swift Testing" in me.text
            await me.press(*"zz")
            await me.wait(1000)
            assert "nothing found for “swiftzz”" in me.text
            await me.press("escape")
            await me.wait(1000)
            assert me.view["query"] == "" and me.status == "Articles · 1 of 20+"

    run(test())


def test_the_key_line_shows_the_keys_of_the_focused_part() -> None:
    async def test() -> None:
        async with user("articles") as me:
            await me.wait(1000)
            await me.press("/", *"swift")
            assert "To the list" in me.text and "End search" in me.text and "Refresh" not in me.text
            await me.press("enter")
            assert "End search" in me.text and "Refresh" in me.text
            await me.press("escape")
            assert "End search" not in me.text and not me.screen.typing
            await me.press("s")
            assert "Refresh" not in me.text and "Esc Cancel" in me.text

    run(test())


def test_text_can_be_found_in_any_list_and_is_highlighted() -> None:
    async def test() -> None:
        async with user() as me:
            await me.wait(300)
            await me.press("/", *"invoice")
            assert me.screen.rows.cursor == 3 and "/invoice" in me.text
            row = me.lines.index(next(line for line in me.lines if "Your invoice" in line))
            assert [text for text, style in me.glass.canvas.cells[row] if style == "match"] == [*"invoice"]
            await me.press("enter")
            first = me.screen.rows.cursor
            assert first > 3 or "loading" in me.status
            await me.press("escape")
            assert "/invoice" not in me.text and me.screen.rows.search_text == ""

    run(test())


def test_a_failed_load_is_reported_and_can_be_repeated(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: me.screen.error)
            await me.settle()
            assert "No such file or directory" in " ".join(me.text.split()) and "t tries again" in me.text and "✗" in me.status
            write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(3)))
            await me.press("t")
            await me.until(lambda: len(me.view["items"]) == 3)
            await me.settle()
            assert me.status == "Rows · 1 of 3" and "Row 2" in me.text

    run(test())


def test_a_hundred_thousand_items_are_drawn_as_fast_as_ten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path, pageSize=10_000)) as me:
            for pages in range(1, 11):
                await me.until(lambda: len(me.view["items"]) == pages * 10_000)
                await me.press("end")
            rows = me.screen.rows
            assert len(rows.items) == 100_000 and "Row 99999" in me.text
            assert me.status == "Rows · 100,000 of 100,000"

    monkeypatch.setattr(lists, "WINDOW_THRESHOLD", 100_000)
    write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(100_000)))
    run(test())


def test_a_list_that_has_grown_long_is_reopened_with_a_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path, pageSize=1000), size=(80, 24)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("x")
            for _ in range(4):
                await me.press("end")
                await me.until(lambda: me.screen.phase == "requestFinished")
            assert not isinstance(me.view["items"], nagare.Window), "what is marked stays marked"
            await me.press("escape", "pageup")
            before = me.screen.rows.current, me.screen.rows.cursor - me.screen.rows.top
            await me.until(lambda: isinstance(me.view["items"], nagare.Window) and me.screen.rows.current is not None)
            assert (me.screen.rows.current, me.screen.rows.cursor - me.screen.rows.top) == before
            assert len(me.view["items"].held) < 1000 and len(me.terminal.screens) == 1
            await me.press("end")
            await me.until(lambda: me.screen.rows.current == {"id": 9999, "title": "Row 9999"})

    monkeypatch.setattr(lists, "WINDOW_THRESHOLD", 3000)
    write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(10_000)))
    run(test())


def test_saving_the_users_place_does_not_disturb_going_to_a_row(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path), size=(80, 24)) as me:
            await me.until(lambda: me.view["items"])
            await me.press(":", *"4000")
            me.glass.heard("enter")
            while not isinstance(me.view["items"], nagare.Window):
                me.terminal.save()
                await me.breathe()
            await me.until(lambda: me.screen.rows.current == {"id": 3999, "title": "Row 3999"})

    write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(10_000)))
    run(test())


def test_rows_of_any_table_are_shown_in_columns(tmp_path: Path) -> None:
    async def test() -> None:
        sources = {"file": {"type": "file", "path": "rows.jsonl", "id": "order_id"}}
        options = configure(tmp_path, {"sources": sources, "screens": {"rows": {"viewModel": "list", "source": "file"}}})
        async with user(options=options, size=(50, 12)) as me:
            await me.until(lambda: me.view["items"])
            await me.settle()
            assert me.lines[1].split() == ["Order", "id", "Customer", "Amount", "Paid"]
            assert me.lines[2].split() == ["1", "鈴木", "健太", "12800", "yes"] and me.lines[3].split() == ["2", "Mei", "80", "no"]
            assert me.lines[1].index("Amount") + 6 == me.lines[3].index("80") + 2
            await me.press("enter")
            assert "Customer 鈴木 健太" in me.words

    rows = [{"order_id": 1, "customer": "鈴木 健太", "amount": 12800, "paid": True}, {"order_id": 2, "customer": "Mei", "amount": 80, "paid": False}]
    write_rows(tmp_path, rows)
    run(test())


EARLIER = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    first = request["params"]["key"] or 0
    items = [{"id": n, "title": f"Row {n}"} for n in range(first, first + 20)]
    result = {"items": items, "next": first + 20, "previous": first - 20 if first > -40 else None}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""


def test_the_previous_page_is_inserted_above_and_does_not_count_as_new(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "pages.py").write_text(EARLIER)
        sources = {"pages": {"type": "command", "command": [sys.executable, "pages.py"]}}
        screens = {"rows": {"viewModel": "list", "source": "pages"}}
        async with user(options=configure(tmp_path, {"sources": sources, "screens": screens})) as me:
            await me.until(lambda: len(me.view["items"]) == 40)
            await me.settle()
            assert me.screen.rows.cursor == 20 and "▌" not in me.text and "new" not in me.text

    run(test())


def test_going_to_a_far_row_does_not_load_the_rows_before_it(tmp_path: Path) -> None:
    async def test() -> None:
        source = {"type": "demo", "rows": 10_000_000}
        options = configure(tmp_path, {"sources": {"mails": source}, "screens": {"mails": {"viewModel": "list", "source": "mails"}}})
        async with user(options=options) as me:
            await me.wait(300)
            assert me.status == "Mails · 1 of 20+"
            await me.press(":", *"5,000,000")
            assert "Go to row 5,000,000" in me.text
            await me.press("enter")
            for _ in range(20):
                await me.wait(300)
            assert me.status == "Mails · 5,000,000 of 10,000,000" and "▂▂" not in me.text
            await me.press("G")
            for _ in range(20):
                await me.wait(300)
            assert me.status == "Mails · 10,000,000 of 10,000,000" and "▂▂" not in me.text
            assert len(me.screen.rows.items.held) < 400

    run(test())


def test_an_empty_list_offers_no_actions(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: "nothing here" in me.text)
            await me.settle()
            assert "Archive" not in me.text
            await me.press("e", "?")
            assert "Archive" not in me.text

    write_rows(tmp_path, [])
    run(test())
