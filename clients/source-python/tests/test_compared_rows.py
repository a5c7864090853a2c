"""The changes that comparing rows finds, message by message."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asking import line, run
from nagare_source import SQLite, Table, looking
from nagare_source.program import Program

Message = dict[str, Any]
ROWS = 300


class Watched:
    """A program for a watched table of 300 rows, ordered by their ids, and the notifications that it sends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.write("CREATE TABLE mail (id INTEGER PRIMARY KEY, word TEXT)", *(f"INSERT INTO mail VALUES ({10 * id}, 'a')" for id in range(ROWS)))
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self.program = Program(Table(SQLite(path), "mail", order=["id"], write=True), 2, lambda text: self._said.put_nowait(json.loads(text)))

    def write(self, *statements: str) -> None:
        with closing(sqlite3.connect(self._path, timeout=60)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    async def ask(self, method: str, **params: Any) -> Message:
        answer = await self.program.answer(line(method, **params))
        assert answer is not None
        result: Message = json.loads(answer)["result"]
        return result

    async def after(self, *statements: str) -> Message:
        """Writes, and returns the next notification."""
        await asyncio.to_thread(self.write, *statements)
        message = await self._said.get()
        params: Message = message["params"]
        return params

    async def page(self, **params: Any) -> Message:
        return await self.ask("source/page", **{"size": 5, **params})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mail.db"


def test_pages_and_changes_have_consecutive_states(path: Path) -> None:
    async def test() -> None:
        watched = Watched(path)
        begin = await watched.ask("source/watch")
        first = await watched.page()
        assert first["state"] == begin["state"]
        said = await watched.after("UPDATE mail SET word = 'b' WHERE id = 20", "INSERT INTO mail VALUES (5, 'c')", "DELETE FROM mail WHERE id = 40")
        assert said["since"] == begin["state"]
        assert said["changes"] == [{"remove": 40}, {"insert": {"id": 5, "word": "c"}}, {"change": {"id": 20, "word": "b"}}]
        # A page that is read before the program has noticed a commit has the state after it.
        await asyncio.to_thread(watched.write, "DELETE FROM mail WHERE id = 0")
        page = await watched.page(key=first["next"])
        assert page["state"] != said["state"]
        message = (await watched._said.get())["params"]
        assert (message["since"], message["state"], message["changes"]) == (said["state"], page["state"], [{"remove": 0}])
        assert (await watched.ask("source/watch", since=begin["state"]))["changes"] == [*said["changes"], {"remove": 0}]

    run(test())


def test_a_row_that_leaves_the_loaded_rows_is_changed_and_a_foreign_commit_is_nothing(path: Path) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch")
        await watched.page()
        said = await watched.after("UPDATE mail SET id = 5000 WHERE id = 10")
        assert said["changes"] == [{"remove": 10}]
        said = await watched.after("INSERT INTO mail VALUES (6000, 'far')")
        assert (said["changes"], said["total"]) == ([], 301)
        said = await watched.after("UPDATE mail SET word = 'far' WHERE id = 2000", "UPDATE mail SET word = 'near' WHERE id = 0")
        assert said["changes"] == [{"change": {"id": 0, "word": "near"}}] and "total" not in said

    run(test())


def test_pages_at_neighbouring_positions_are_compared_together(path: Path) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch")
        await watched.page()
        await watched.page(at=5)
        await watched.page(at=8)
        said = await watched.after("UPDATE mail SET word = 'b' WHERE id = 120")
        assert said["changes"] == [{"change": {"id": 120, "word": "b"}}]

    run(test())


@pytest.mark.parametrize("place", [{"at": 200}, {"around": 2000}])
def test_a_list_that_has_jumped_reloads_when_its_rows_change(path: Path, place: Message) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch")
        await watched.page()
        for _ in range(2):
            there = await watched.page(**place)
            before = await watched.page(key=there["previous"])
            after = await watched.page(key=there["next"])
            ids = [row["id"] for page in (before, there, after) for row in page["items"]]
            assert len(ids) == 15
            said = await watched.after("UPDATE mail SET word = 'far' WHERE id = 2900", f"UPDATE mail SET word = word || 'b' WHERE id = {ids[0]}")
            assert said["changes"] == "all"

    run(test())


def test_a_list_with_more_rows_than_are_compared_reloads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch")
        await watched.page(size=60)
        said = await watched.after("UPDATE mail SET word = 'b' WHERE id = 2900")
        assert said["changes"] == "all"
        await watched.page()
        said = await watched.after("UPDATE mail SET word = 'b' WHERE id = 0")
        assert said["changes"] == [{"change": {"id": 0, "word": "b"}}]

    monkeypatch.setattr(looking, "ROWS_LIMIT", 50)
    run(test())


def test_an_edit_is_reported_even_if_no_list_has_loaded_its_row(path: Path) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch")
        await watched.page()
        await watched.ask("source/insert", item={"id": 2501, "word": "new"}, before=None)
        said = (await watched._said.get())["params"]
        assert said["changes"] == [{"insert": {"id": 2501, "word": "new"}}]
        await watched.ask("source/change", item={"id": 2501, "word": "newer"})
        said = (await watched._said.get())["params"]
        assert said["changes"] == [{"insert": {"id": 2501, "word": "newer"}}]
        await watched.ask("source/remove", id=2501)
        said = (await watched._said.get())["params"]
        assert said["changes"] == [{"remove": 2501}]
        await watched.ask("source/change", all=True, **{"except": []}, set={"word": "same"})
        assert (await watched._said.get())["params"]["changes"] == "all"

    run(test())


def test_a_search_is_compared_by_its_own_rows(path: Path) -> None:
    async def test() -> None:
        watched = Watched(path)
        await watched.ask("source/watch", query="b")
        assert (await watched.page(query="b"))["items"] == []
        said = await watched.after("UPDATE mail SET word = 'b' WHERE id = 2900")
        assert (said["query"], said["changes"]) == ("b", [{"insert": {"id": 2900, "word": "b"}}])
        said = await watched.after("UPDATE mail SET word = 'a' WHERE id = 2900")
        assert said["changes"] == [{"remove": 2900}]

    run(test())
