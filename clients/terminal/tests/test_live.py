"""Live lists: rows that appear, move and disappear, and items that are read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from conftest import ROOT, User, configure, run, user
from nagare_terminal.row_moves import RowMoves
from nagare_terminal.rows import Rows

PROGRAM = ROOT / "clients" / "web" / "tests" / "live_mails.py"


class Mailbox(User):
    """A user of a live mailbox."""

    folder: Path

    async def change(self, *changes: dict[str, Any], **params: object) -> None:
        """Makes the source report changes."""
        before = self.view["items"], self.view["state"], "arrivals" in self.view and self.view["arrivals"]
        with open(self.folder / "changes", "w") as pipe:
            pipe.write(json.dumps({"changes": changes, **params}) + "\n")

        async def moved() -> bool:
            await self.wait(1)
            return before != (self.view["items"], self.view["state"], "arrivals" in self.view and self.view["arrivals"])

        while not await moved():
            pass

    @property
    def rows(self) -> Rows:
        rows: Rows = self.screen.rows
        return rows

    def edits(self) -> list[dict[str, Any]]:
        """The edits that the source received."""
        path = self.folder / "edits"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@asynccontextmanager
async def mailbox(folder: Path, **screen: object) -> AsyncIterator[Mailbox]:
    os.mkfifo(folder / "changes")
    writes = ["insert", "change", "remove"]
    source = {"type": "command", "command": [sys.executable, str(PROGRAM)], "live": True, "writes": writes}
    screens = {
        "inbox": {"viewModel": "list", "source": "mails", "detail": "mail", "livePace": 0, **screen},
        "mail": {"viewModel": "pager"},
    }
    async with user(options=configure(folder, {"sources": {"mails": source}, "screens": screens})) as me:
        someone = Mailbox(me.terminal, me.glass)
        someone.folder = folder
        await someone.until(lambda: len(someone.view["items"]) > 0)
        await someone.settle()
        yield someone


def mail(number: int, subject: str) -> dict[str, Any]:
    return {"id": number, "subject": subject, "sender": "Mei", "unread": True, "body": "Just come in. " * 9}


def test_new_positions_of_rows_are_found_after_any_change() -> None:
    before = [{"id": id} for id in "abcde"]
    a, b, c, d, e = before
    x, f = {"id": "x"}, {"id": "f"}

    def places(after: list[Any]) -> list[int | None]:
        return [RowMoves(before, after).row_now(row) for row in range(6)]

    assert places(before) == [0, 1, 2, 3, 4, None]
    assert places([x, a, b, c, d, e]) == [1, 2, 3, 4, 5, None]
    assert places([a, d, b, {"id": "c"}, e]) == [0, 2, 3, 1, 4, None]
    assert places([]) == [None] * 6
    assert RowMoves(before, [x, a, b, c, d, e, f]).new() == [0], "what follows is the next page"
    assert RowMoves(before, [a, b, x, c, d, e]).new() == [2]
    assert RowMoves(before, [x, *before[::-1]]).new() == [0]
    assert RowMoves([], before).new() == []
    assert RowMoves(before, [x, e, a, b, c, d]).shift(0, 4) == 2
    assert RowMoves([{"id": 1}], [{"id": "1"}]).row_now(0) is None


def test_new_rows_are_marked_until_the_cursor_has_been_on_them(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path) as me:
            assert me.lines[1].startswith("• Mail 0") and me.lines[3].startswith("  Mail 1")
            await me.change({"insert": mail(100, "Fresh")})
            assert me.lines[1].startswith("▌ Fresh") and me.rows.cursor == 1
            await me.press("up")
            assert me.lines[1].startswith("• Fresh")

    run(test())


def test_nothing_in_sight_moves_while_mails_come_and_go_above_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path) as me:
            await me.press(*["down"] * 14)
            before = [line[:-1] for line in me.lines[1:-3]]
            await me.change({"insert": mail(100, "Fresh")}, {"insert": mail(101, "Fresher")})
            assert "Inbox  ↑ 2 new messages, n shows them" in me.lines[0]
            assert [line[:-1] for line in me.lines[1:-3]] == before
            await me.change({"remove": 0}, {"remove": 1})
            await me.change({"insert": {"id": 3, "subject": "Mail 3"}}, total=1204)
            # Compares without the last column, which is the scrollbar.
            assert [line[:-1] for line in me.lines[1:-3]] == before and "of 1,204" in me.status
            await me.press("enter")
            await me.until(lambda: me.status.startswith("Mail · 15 of 1,204"))
            await me.press("escape", "n")
            assert me.rows.cursor == 0 and "new messages" not in me.text

    run(test())


def test_deferred_arrivals_are_announced_and_can_be_shown(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path, arrivals="ask") as me:
            await me.change({"insert": mail(100, "Fresh")})
            assert "↑ 1 new message, n shows it" in me.lines[0] and "Fresh" not in me.text
            await me.press("n")
            assert me.lines[1].startswith("• Fresh") and me.rows.cursor == 0

    run(test())


def test_a_long_load_shows_its_progress(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path) as me:
            (tmp_path / "slow").write_text('{"done": 1200000, "of": 4800000, "unit": "bytes"}')
            await me.press("r")
            await me.until(lambda: "progress" in me.view["state"])
            await me.settle()
            assert "loading ━━━╌╌╌╌╌╌╌╌╌ 1.2 MB of 4.8 MB" in me.status
            (tmp_path / "slow").write_text('{"done": 12345, "unit": "rows"}')
            await me.press("r")
            await me.until(lambda: me.view["state"].get("progress", {}).get("done") == 12345)
            await me.settle()
            assert "loading… 12,345 rows" in me.status

    run(test())


def test_opening_an_item_marks_it_as_read(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path) as me:
            await me.press("down", "down", "down", "enter")
            await me.until(lambda: me.edits())
            assert [edit["source/change"]["item"]["unread"] for edit in me.edits()] == [False]
            await me.press("right", "right", "right")
            await me.until(lambda: len(me.edits()) == 2)
            await me.settle()
            assert me.edits()[1]["source/change"]["item"]["id"] == 6
            await me.press("escape")
            assert [line[0] for line in me.lines[1:15:2]] == ["•"] + [" "] * 6

    run(test())


def test_a_failure_to_mark_as_read_is_shown_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with mailbox(tmp_path) as me:
            (tmp_path / "locked").touch()
            await me.press("enter")
            await me.until(lambda: me.told)
            await me.settle()
            assert me.told == ["The mailbox is locked"]
            await me.press("escape")
            assert me.lines[1].startswith("• Mail 0") and "t Try again" not in me.text

    run(test())
