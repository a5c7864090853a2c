"""The progress of pages, in steps of the database."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from asking import line, run
from databases import UnderSQLite
from nagare_source import SQLite, Table, sqlite
from nagare_source.program import Program

Progress = list[dict[str, Any]]
ROWS = 3000
LAST = ROWS - 10


class Asked:
    """A program for a table of mails, and the progress of each page."""

    def __init__(self, path: Path) -> None:
        under = UnderSQLite(path)
        for number in range(ROWS):
            under.run("INSERT INTO mail (id, received, sender, subject) VALUES (?, ?, ?, ?)", [number, "2026", f"{number * 7919 % ROWS}", "Hi"])
        self.said: Progress = []
        self.database = SQLite(path)
        self.program = Program(Table(self.database, "mail", order=["id"]), 1, lambda one: self.said.append(json.loads(one)))

    async def page(self, **params: Any) -> tuple[dict[str, Any], Progress]:
        """Returns a page and its progress. Later reports belong to the next page."""
        self.said.clear()
        answer = await self.program.answer(line(request=7, **params))
        assert answer is not None
        assert all(one["method"] == "source/progress" and one["params"]["request"] == 7 for one in self.said)
        return json.loads(answer)["result"], [one["params"] for one in self.said]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setattr(sqlite, "STEPS", 100)
    return Asked(tmp_path / "mail.db")


def check(progress: Progress) -> int:
    """Checks that progress grows by the steps of each report. Returns the last number."""
    assert [one["done"] for one in progress] == [100 * number for number in range(1, len(progress) + 1)]
    assert all(one["unit"] == "steps" for one in progress)
    return int(progress[-1]["done"])


@pytest.mark.parametrize("place", [{"at": LAST}, {"around": LAST * 7919 % ROWS}], ids=["at", "around"])
def test_a_jump_without_an_index_reports_its_steps(asked: Asked, place: dict[str, int]) -> None:
    async def test() -> None:
        filters = {"sort": "sender"}
        _, first = await asked.page(filters=filters)
        assert check(first) > ROWS, "each row takes some steps"
        assert all("of" not in one for one in first), "nothing is known before"
        page, jump = await asked.page(filters=filters, **place)
        assert page["position"] > 0
        assert all(one["of"] >= one["done"] for one in jump)
        assert check(jump) > 0.8 * jump[-1]["of"]
        # Another order makes another list.
        _, other = await asked.page(filters={"sort": "-sender"}, at=LAST)
        assert all("of" not in one for one in other)

    run(test())


def test_a_jump_with_an_index_reports_the_rows_that_it_skips(asked: Asked) -> None:
    async def test() -> None:
        _, first = await asked.page()
        page, jump = await asked.page(at=LAST)
        assert page["position"] == LAST and check(jump) < 5 * ROWS, "most of them are for the total"
        assert jump[-1]["of"] >= jump[-1]["done"] > 0.8 * jump[-1]["of"]

    run(test())


def test_a_connection_reports_nothing_after_the_page(asked: Asked) -> None:
    async def test() -> None:
        await asked.page(filters={"sort": "sender"})
        asked.said.clear()
        async with asked.database.read_transaction() as execute:
            await execute("SELECT count(*) AS number FROM mail WHERE subject <> sender")
        await asyncio.sleep(0)
        assert asked.said == []

    run(test())
