"""The user's place and how it is restored, and the layout on terminals of different sizes."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from conftest import User, configure, list_of_rows, run, user, write_rows
from nagare_terminal.dialogs import Choose, Trouble, SaveFile
from nagare_terminal.keys import Mouse
from nagare_terminal.saved_state import state_file


async def kill_server(me: User) -> None:
    """Kills the server, and restarts it."""
    os.kill(me.terminal.session._transport._process.get_pid(), signal.SIGKILL)  # type: ignore[union-attr]
    await me.until(lambda: isinstance(me.terminal.top, Trouble))
    await me.press("enter")
    await me.until(lambda: me.terminal.screens)
    await me.settle()


async def load(me: User, pages: int) -> None:
    for _ in range(pages):
        await me.wait(300)


@pytest.mark.parametrize("how", ["killed", "started"])
def test_the_row_and_its_line_on_the_screen_are_restored(tmp_path: Path, how: str) -> None:
    state = tmp_path / "state.json"

    async def leave() -> None:
        async with user(state=state) as me:
            await load(me, 1)
            for _ in range(3):
                await me.press("end")
                await load(me, 1)
            await me.press("up", "up", "up")
            here = me.lines[1:-2]
            assert me.screen.rows.cursor == 56 and me.screen.rows.top > 0
            if how == "killed":
                await kill_server(me)
                await come_back(me, here)
            else:
                place.extend(here)

    async def come_back(me: User, here: list[str]) -> None:
        await load(me, 5)
        assert me.screen.rows.cursor == 56 and [line[:-1] for line in me.lines[1:-2]] == [line[:-1] for line in here]

    async def start() -> None:
        async with user(state=state) as me:
            await come_back(me, place)

    place: list[str] = []
    run(leave())
    if how == "started":
        run(start())


def test_the_open_item_is_restored(tmp_path: Path) -> None:
    async def test(first: bool) -> None:
        async with user(state=tmp_path / "state.json") as me:
            await load(me, 2)
            if first:
                await me.press("down", "down", "enter", "right")
            assert me.status == "Detail · 4 of 20+" and "Your invoice" in me.lines[2]
            await me.press("escape")
            assert me.screen.rows.cursor == 3
            if first:
                await me.press("enter")

    run(test(True))
    run(test(False))


def test_an_action_that_could_still_be_undone_when_the_server_died_is_named() -> None:
    async def test() -> None:
        async with user() as me:
            await load(me, 1)
            await me.press("down", "down", "e")
            await kill_server(me)
            await load(me, 1)
            assert me.told == ["May not be done: Archived “Handover before my holiday”. The server has ended."] and "Handover" in me.text

    run(test())


def test_an_open_item_is_restored_even_if_it_is_not_listed(tmp_path: Path) -> None:
    async def test() -> None:
        sources = {"file": {"type": "file", "path": "rows.jsonl", "items": True}}
        screens = {"rows": {"viewModel": "list", "source": "file", "detail": "row", "pageSize": 5}, "row": {"viewModel": "pager", "source": "file"}}
        options = configure(tmp_path, {"sources": sources, "screens": screens})
        async with user(options=options, state=state) as me:
            await me.until(lambda: len(me.terminal.screens) == 2)
            await me.until(lambda: me.view["page"]["item"])
            await me.settle()
            assert "Row 77" in me.text

    state = tmp_path / "state.json"
    place = {"query": None, "filters": {}, "row": 1, "index": 1, "above": 1, "item": {"id": 77, "screen": "row"}}
    state.write_text(json.dumps({"screen": "rows", "places": {"rows": place}}))
    write_rows(tmp_path, ({"id": n, "title": f"Row {n}"} for n in range(100)))
    run(test())


def test_the_screen_and_its_search_are_restored(tmp_path: Path) -> None:
    async def test(first: bool) -> None:
        async with user(state=tmp_path / "state.json") as me:
            if first:
                await me.press(":", *"articles", "enter")
                await load(me, 4)
                await me.press("/", *"swift")
                await load(me, 4)
                await me.press("enter", "down", "down")
            else:
                await load(me, 4)
            assert me.view["query"] == "swift" and me.status == "Articles · 3 of 20+" and "swift" in me.lines[1]

    run(test(True))
    run(test(False))


def test_filters_are_restored(tmp_path: Path) -> None:
    async def test(first: bool) -> None:
        async with user(options=list_of_rows(tmp_path, filters={"label": None}), state=tmp_path / "state.json") as me:
            if first:
                await me.until(lambda: me.view["items"])
                await me.press("x", "f")
                assert "✓ 1 marked" in me.lines[0]
                assert "‹ – ›" in me.text, "the values that there are can be chosen from"
                await me.press("right")
                assert "‹ bug ›" in me.text
                await me.press("right", "backspace", *"bug", "enter")
            await me.until(lambda: len(me.view["items"]) == 2)
            await me.settle()
            assert me.view["filters"] == {"label": "bug"} and "Label: bug" in me.lines[0] and "marked" not in me.lines[0] and "Row 1" not in me.text

    write_rows(tmp_path, ({"id": n, "title": f"Row {n}", "label": "wish" if n % 2 else "bug"} for n in range(4)))
    run(test(True))
    run(test(False))


def test_a_changed_filter_moves_to_the_first_row(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path, filters={"label": None}, pageSize=200), size=(80, 12)) as me:
            await me.until(lambda: me.view["items"])
            await me.press(*["pagedown"] * 3)
            assert me.screen.rows.top > 0
            await me.press("f", *"wish", "enter")
            await me.until(lambda: len(me.view["items"]) == 50)
            await me.settle()
            assert me.screen.rows.cursor == me.screen.rows.top == 0 and me.status == "Rows · 1 of 50"
            assert "▌" not in me.text
            await me.press("end", "f", "left", "enter")
            await me.until(lambda: me.view["items"][0]["id"] == 0)
            await me.settle()
            assert me.screen.rows.cursor == me.screen.rows.top == 0

    write_rows(tmp_path, ({"id": n, "title": f"Row {n}", "label": "wish" if n % 2 else "bug"} for n in range(100)))
    run(test())


def test_a_filter_can_be_set_to_a_value_that_no_row_has(tmp_path: Path) -> None:
    async def test() -> None:
        filters = {"label": None, "day": None, "done": None, "sort": None}
        async with user(options=list_of_rows(tmp_path, filters=filters)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("f", "tab", "right", "right", "right")
            assert "‹ 2 ›" in me.text, "numbers are in order of their values"
            await me.press("escape", "f", *"other")
            assert "other" in me.text and "‹ other ›" not in me.text, "what begins like none of the values is a text of its own"
            await me.press(*["backspace"] * 5, "right", "tab", *"1..2", "backspace", "3", "tab", "right", "right", "tab", *"-ti", "enter")
            assert me.view["filters"] == {"label": "bug", "day": {"from": 1, "to": 3}, "done": True, "sort": "-title"}
            assert "Label: bug  Day: 1..3  Done: yes  Sort: -title" in me.lines[0]
            await me.press("f", "left", "right", "right", "enter")
            assert me.view["filters"]["label"] == "wish"

    write_rows(tmp_path, ({"id": n, "title": f"Row {n}", "label": ["bug", "wish"][n % 2], "day": n % 11, "done": n % 3 == 0} for n in range(20)))
    run(test())


def test_rows_that_return_after_a_search_are_not_new(tmp_path: Path) -> None:
    async def test() -> None:
        async with user("articles", size=(80, 12)) as me:
            await load(me, 1)
            before = me.text
            await me.press("/", *"swift")
            await load(me, 1)
            assert me.text != before
            await me.press("escape")
            await load(me, 1)
            assert "▌" not in me.text and len(me.view["items"]) == 20

    run(test())


def test_old_search_results_stay_dimmed_until_new_ones_arrive(tmp_path: Path) -> None:
    async def test() -> None:
        async with user("articles", size=(80, 12)) as me:
            await load(me, 4)
            await me.press("/", *"swift")
            await me.wait(210)
            assert me.view["state"]["phase"] == "requesting"
            if me.view["items"]:
                assert {style.strip() for text, style in me.glass.canvas.cells[4] if text not in " ▐"} <= {"dim", "match"}
            await load(me, 4)
            assert "dim" not in {style.strip() for _, style in me.glass.canvas.cells[4][2:6]}

    run(test())


def test_a_key_ends_the_restoring_of_a_place(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(state=state) as me:
            await load(me, 1)
            await me.press("home")
            await load(me, 3)
            assert me.screen.rows.cursor == 0

    state = tmp_path / "state.json"
    state.write_text(json.dumps({"screen": "items", "places": {"items": {"row": "?", "index": 500, "above": 0}}}))
    run(test())


@pytest.mark.parametrize("said", ["", "[]", '{"places": 7}', '{"screen": "gone", "places": {}}', '{"screen": 7}'])
def test_an_unreadable_state_file_counts_as_empty(tmp_path: Path, said: str) -> None:
    async def test() -> None:
        async with user(state=tmp_path / "state.json") as me:
            await load(me, 1)
            assert me.status == "Items · 1 of 20+"

    (tmp_path / "state.json").write_text(said)
    run(test())


def test_each_server_and_folder_has_a_separate_state_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    here = state_file(["nagare", "--file", "a"])
    assert here is not None and here.parent == tmp_path / "nagare" and here == state_file(["nagare", "--file", "a"]) != state_file(["nagare", "--file", "b"])
    monkeypatch.chdir("/")
    assert here != state_file(["nagare", "--file", "a"])


def test_a_list_and_its_detail_are_side_by_side_in_a_wide_terminal() -> None:
    async def test() -> None:
        async with user(size=(120, 24)) as me:
            await load(me, 1)
            await me.press("down", "down", "enter")
            assert "Your invoice" in me.lines[7] and "│" in me.lines[7] and "I'm away from Thursday on" in me.text
            await me.press("right")
            assert me.screen.list_screen.rows.cursor == 3 and "The amount is EUR" in me.text
            me.glass.heard(Mouse("left", 4, 5))
            await me.settle()
            assert me.status == "Detail · 3 of 20+", "a click in the list goes there"
            await me.resize(99, 24)
            assert "Your invoice" not in me.text and "I'm away from Thursday on" in me.text

    run(test())


@pytest.mark.parametrize("size", [(29, 24), (20, 7), (80, 7), (80, 3), (10, 2), (1, 1)])
def test_small_terminals_can_still_be_used(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with user(size=size) as me:
            await load(me, 1)
            await me.press("down", "down")
            if size[0] >= 10:
                assert "Handover"[: size[0] - 5] in me.text
            await me.press("enter", "right", "escape", "s", "escape", ":", "escape", "/", "x", "escape")
            assert me.screen.rows.cursor == 3 and len(me.lines) == size[1]

    run(test())


def test_an_item_is_copied_opened_piped_and_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("y", "o", "v", "|", *"jq .", "enter")
            assert me.glass.copied[0].startswith("A page\n") and "https://example.org/a" in me.glass.copied[0]
            commands: list[Any] = [command for command, _ in me.glass.ran]
            assert commands == ["less -R", "jq ."] and me.glass.started == [["true", "https://example.org/a"]]
            assert json.loads(me.glass.ran[1][1]) == {"id": 1, "title": "A page", "url": "https://example.org/a"}

    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setenv("PAGER", "less -R")
    write_rows(tmp_path, [{"id": 1, "title": "A page", "url": "https://example.org/a"}])
    run(test())


ATTACHED = [
    {"name": "plan.pdf", "type": "application/pdf", "size": 120_000, "url": "https://example.org/plan"},
    {"name": "../note.txt", "url": "data:text/plain;base64,44GT44KT44Gr44Gh44Gv"},
    {"url": "https://example.org/a/%E5%9C%B0%E5%9B%B3?x=1", "size": None},
    {"name": "broken", "type": "text/plain", "url": "data:;base64,x"},
    {"name": "raw.csv", "url": "data:,a%2Cb"},
    {"name": "odd", "url": "javascript:alert(1)"},
]


@pytest.mark.parametrize("size", [(80, 24), (24, 12)])
def test_attachments_are_listed_and_can_be_opened_or_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path), size=size) as me:
            await me.until(lambda: me.view["items"])
            assert "data:" not in me.text and "plan.pdf" not in me.text
            await me.press("enter")
            if size[0] == 80:
                assert "6 attachments, o opens one" in me.text
                told = [line.split() for line in me.lines]
                assert ["plan.pdf", "PDF", "·", "120", "kB"] in told and ["../note.txt", "TXT", "·", "15", "B"] in told
                assert ["地図"] in told and ["raw.csv", "CSV", "·", "3", "B"] in told and "data:" not in me.text
            await me.press("o", "enter")
            assert me.glass.started == [["true", "https://example.org/plan"]]
            await me.press("o", *"note", "enter")
            kept = tmp_path / "home" / "Downloads" / "_note.txt"
            assert isinstance(me.terminal.top, SaveFile) and me.terminal.top.field.text == str(kept), "its name leads nowhere else"
            await me.press("ctrl+u", *str(tmp_path / "nowhere" / "note.txt"), "enter")
            assert "There is no folder" in me.text
            await me.press("ctrl+u", *str(tmp_path), "enter")
            assert "There is already" in me.text
            await me.press("ctrl+u", *str(tmp_path / "note.txt"), "enter")
            assert (tmp_path / "note.txt").read_text() == "こんにちは" and any("Saved as" in told for told in me.told)
            await me.press("o", *"broken", "enter")
            assert any("broken can't be read" in told for told in me.told)
            await me.press("o", *"odd", "enter")
            assert any("No program opens javascript:" in told for told in me.told)
            await me.press("o", *"raw", "enter", "enter")
            await me.press("o", *"raw", "enter", "enter")
            folder = tmp_path / "home" / "Downloads"
            assert sorted(each.name for each in folder.iterdir()) == ["raw 2.csv", "raw.csv"] and (folder / "raw.csv").read_text() == "a,b"

    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "Downloads").mkdir(parents=True)
    write_rows(tmp_path, [{"id": 1, "title": "A page", "files": ATTACHED}])
    run(test())


def test_an_attachment_is_saved_in_the_state_folder_if_there_is_no_downloads_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("o", "enter")
            await me.settle()
            assert (tmp_path / "state" / "nagare" / "downloads" / "raw.csv").read_text() == "a,b"

    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write_rows(tmp_path, [{"id": 1, "title": "A page", "files": ATTACHED[4:5]}])
    run(test())


def test_the_palette_finds_every_command_by_its_name() -> None:
    async def test() -> None:
        async with user() as me:
            await load(me, 1)
            await me.press("?")
            assert [one for one in ("Archive", "Find", "Copy", "Open link") if one not in me.text] == []
            await me.press("escape", ":", *"go off", "enter")
            assert me.screen.name == "Offers"

    run(test())


def test_the_mouse_scrolls_opens_rows_and_presses_displayed_keys() -> None:
    async def test() -> None:
        async with user() as me:
            await load(me, 1)
            me.glass.heard(Mouse("down", 5, 5))
            await me.settle()
            assert me.screen.rows.top == 2 and me.screen.rows.cursor == 0
            me.glass.heard(Mouse("left", 5, 1))
            await me.settle()
            assert me.status == "Detail · 3 of 20+"
            me.glass.heard(Mouse("left", me.lines[-1].index("Next"), 23))
            await me.settle()
            assert me.status == "Detail · 4 of 20+"
            await me.press("escape")
            me.glass.heard(Mouse("right", 5, 1))
            await me.settle()
            assert isinstance(me.terminal.top, Choose) and "Archive" in me.text

    run(test())
