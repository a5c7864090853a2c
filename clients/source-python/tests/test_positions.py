"""Pages at a position, and around an item: jumps, after which keys work as usual."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import nagare_source
import pytest
from asking import ask, error, line, run, say
from conftest import KIT
from databases import ORDER, Under, UnderSQLite
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import KeysetPage, Page, Source
from nagare_source import postgres as postgres_source
from nagare_source.program import Program
from nagare_source.table import Table
from nagare_source.wire import encode

MANY = 1_500_000
Message = dict[str, Any]


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 3), st.sampled_from("aB日")), max_size=30),
    st.integers(0, 31),
    st.integers(1, 5),
    st.sampled_from([{}, {"letter": ["a", "日"]}, {"sort": "-letter"}, {"sort": "time", "letter": {"from": "a"}}]),
)
def test_a_page_at_a_position_has_the_rows_from_there(
    rows: list[tuple[Any, ...]], at: int, size: int, filters: dict[str, Any]
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE t (time INTEGER, letter TEXT NOT NULL, id INTEGER NOT NULL)")
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", [(*row, id) for id, row in enumerate(rows)])

    def asked(key: Any = None, at: int | None = None, size: int = size) -> KeysetPage:
        columns = ["letter", "time"]
        return KeysetPage(
            ["-time", "id"], key, size, at=at, filters=filters, filterable=columns, sortable=columns, nullable={"time"}
        )

    def load(**told: Any) -> Page:
        page = asked(**told)
        sql = f"SELECT * FROM t WHERE {page.where} ORDER BY {page.order} LIMIT {page.limit} OFFSET {page.offset}"
        return page.of(database.execute(sql, page.values))

    all = load(size=100).items
    page = load(at=at)
    assert page.items == all[at : at + size] and page.position == at
    # If the page reaches the end, the total is known without counting.
    assert page.total == (len(all) if page.next is None and (page.items or at == 0) else None)
    for place, row in enumerate(page.items, at):
        where, values = asked().before(row)
        assert database.execute(f"SELECT count(*) FROM t WHERE {where}", values).fetchone()[0] == place
    read, key = list(page.items), page.next
    while key is not None:
        further = load(key=json.loads(encode(key)))
        read, key = read + further.items, further.next
        assert further.position is None
    assert read == all[at:]
    read, key = [], page.previous
    while key is not None:
        further = load(key=json.loads(encode(key)))
        read, key = further.items + read, further.previous
    assert read == (all[:at] if page.items else [])


class Asked:
    """A program for the table of mails that receives requests for pages."""

    def __init__(self, under: Under, **told: Any) -> None:
        self.program = Program(Table(under.database(), "mail", **told, write=True, triggers=True), 1)

    def answer(self, **params: Any) -> Message:
        answer: Message = run(ask(self.program, line(**params)))
        return answer

    def page(self, **params: Any) -> Message:
        answer = self.answer(**params)
        assert "result" in answer, answer
        result: Message = answer["result"]
        return result

    async def all(self, *lines: bytes) -> list[Message]:
        return [await ask(self.program, one) for one in lines]


def ids(page: Message) -> list[int]:
    return [row["id"] for row in page["items"]]


def fill(under: Under, count: int = 40) -> None:
    for number in range(1, count + 1):
        received = None if number % 9 == 0 else f"2026-01-{number % 5 + 10}"
        under.run(
            "INSERT INTO mail (id, received, sender, subject) VALUES (?, ?, ?, ?)",
            [number, received, ["Aoi", "Ren", "Yui"][number % 3], f"Subject {number}"],
        )


CASES = [
    ({}, "1 = 1", ORDER),
    ({"filters": {"sender": ["Ren", "Yui"]}}, "sender <> 'Aoi'", ORDER),
    ({"query": "1 sub"}, "subject LIKE '%1%'", ORDER),
    (
        {"query": "2", "filters": {"received": {"from": "2026-01-11"}, "sort": "-subject"}},
        "subject LIKE '%2%' AND received >= '2026-01-11'",
        'ORDER BY subject {c} DESC, received DESC, id DESC',
    ),
]


@pytest.mark.parametrize(("params", "where", "order"), CASES)
def test_a_table_returns_pages_at_a_position_and_around_an_item(under: Under, params: Message, where: str, order: str) -> None:
    fill(under)
    order = order.replace("{c}", 'COLLATE "C"' if under.make == "postgres" else "")
    all = [id for (id,) in under.rows(f"SELECT id FROM mail WHERE {where} {order}")]
    assert len(all) > 6

    async def ask_all() -> None:
        asked = Asked(under, search=["subject"])
        for at in range(0, len(all)):
            (answer,) = await asked.all(line(at=at, size=4, **params))
            page = answer["result"]
            assert ids(page) == all[at : at + 4]
            assert (page["position"], page["total"]) == (at, len(all)) and "exact" not in page
            assert isinstance(page["state"], str)
            (around,) = await asked.all(line(around=all[at], size=5, **params))
            page = around["result"]
            first = max(at - 2, 0)
            assert (page["position"], page["total"]) == (first, len(all)) and ids(page) == all[first : first + 5]
        # From a jump, keys lead in both directions.
        (answer,) = await asked.all(line(at=len(all) // 2, size=2, **params))
        read, key = ids(answer["result"]), answer["result"]["next"]
        while key is not None:
            (further,) = await asked.all(line(key=key, size=3, **params))
            read, key = read + ids(further["result"]), further["result"]["next"]
            assert "position" not in further["result"] and "total" not in further["result"]
        key = answer["result"]["previous"]
        while key is not None:
            (further,) = await asked.all(line(key=key, size=3, **params))
            read, key = ids(further["result"]) + read, further["result"].get("previous")
        assert read == all

    asyncio.run(ask_all())


def test_a_first_page_has_its_position_and_the_total(under: Under) -> None:
    fill(under, 5)
    page = Asked(under).page(size=3)
    assert (page["position"], page["total"]) == (0, 5)
    page = Asked(under, live=False).page(size=3, filters={"sender": "nobody"})
    assert page == {"items": [], "next": None, "position": 0, "total": 0}


@pytest.mark.parametrize("at", [5, 6, 1000, 1 << 40])
def test_a_page_beyond_the_end_is_the_last_page(under: Under, at: int) -> None:
    fill(under, 5)
    page = Asked(under).page(size=2, at=at)
    assert (len(page["items"]), page["position"], page["total"], page["next"]) == (2, 3, 5, None)
    under.run("DELETE FROM mail")
    page = Asked(under).page(size=2, at=at)
    assert (page["items"], page["position"], page["total"]) == ([], 0, 0)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"at": -1}, -32602),
        ({"at": 1.5}, -32602),
        ({"at": True}, -32602),
        ({"at": "1"}, -32602),
        ({"at": 1, "around": 1}, -32602),
        ({"at": 1, "key": {"after": [1]}}, -32602),
        ({"around": 1, "key": {"after": [1]}}, -32602),
        ({"around": 77}, -32015),
        ({"around": 1, "filters": {"sender": "nobody"}}, -32015),
        ({"around": 1, "query": "nothing"}, -32015),
    ],
)
def test_an_invalid_position_is_refused(under: Under, params: Message, code: int) -> None:
    fill(under, 5)
    assert Asked(under).answer(**params)["error"]["code"] == code


def make_many(under: Under) -> None:
    numbers = (
        f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) SELECT i FROM n"
        if under.make == "sqlite"
        else f"SELECT i FROM generate_series(1, {MANY}) AS n (i)"
    )
    # Every tenth row number is missing, and every fourth mail is read.
    under.run(
        "INSERT INTO mail (id, received, read) SELECT i, CAST(i AS TEXT), CASE WHEN i % 4 = 1 THEN 1 ELSE 0 END"
        f" FROM ({numbers}) AS numbers WHERE i % 10 <> 0"
    )
    under.run("ANALYZE mail")


def test_a_total_that_takes_long_to_count_is_estimated(under: Under) -> None:
    make_many(under)
    asked, there = Asked(under, order=["id"], live=False), MANY * 9 // 10

    async def ask_all() -> None:
        first, read, none = await asked.all(line(), line(filters={"read": 1}), line(filters={"subject": "other"}))
        for page, total in ((first["result"], there), (read["result"], MANY // 4)):
            assert page["exact"] is False and abs(page["total"] - total) < total / 10
        assert (none["result"]["total"], "exact" in none["result"]) == (0, False)
        (far,) = await asked.all(line(at=there // 2))
        assert far["result"]["position"] == there // 2 and far["result"]["exact"] is False
        assert ids(far["result"]) == [MANY // 2 + 1, MANY // 2 + 2]
        # The end is unknown here, so it must be found.
        for at in (there - 2, there + 5, first["result"]["total"] + there):
            (last,) = await asked.all(line(at=at))
            page = last["result"]
            assert (ids(page), page["position"], page["total"]) == ([MANY - 2, MANY - 1], there - 2, there)
            assert page["next"] is None and "exact" not in page

    asyncio.run(ask_all())


def test_an_estimated_total_changes_only_a_few_times(under: Under, monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate stays while the user scrolls. If the list has more rows, the estimate is doubled, so it changes only a few times."""
    monkeypatch.setattr("nagare_source.table.COUNT_LIMIT", 1000)
    monkeypatch.setattr(postgres_source, "COST_LIMIT", 0)
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT i FROM n"
    # SQLite's sample, every fourth row from the first on, contains none of these rows.
    under.run(f"INSERT INTO mail (id, sender) SELECT i, CASE WHEN i % 20 = 3 THEN 'Ren' ELSE 'Aoi' END FROM ({numbers}) AS numbers")
    asked = Asked(under, order=["id"], live=False)
    async def ask_all() -> None:
        for filters, there in (({"sender": "Ren"}, 200), ({"sender": "Aoi"}, 3800)):
            answers = await asked.all(*(line(at=at, size=1, filters=filters) for at in range(1, min(there - 1, 400))))
            pages = [answer["result"] for answer in answers]
            totals = [page["total"] for page in pages]
            assert all(page["exact"] is False for page in pages)
            assert all(total > at + 1 for at, total in enumerate(totals, 1))
            grown = [(one, next) for one, next in zip(totals, totals[1:]) if one != next]
            assert len(grown) <= 8 and all(next >= 2 * (one - 2) for one, next in grown), grown
            # Each list has a separate total, which is exact once the end was reached.
            (last,) = await asked.all(line(at=there - 1, size=1, filters=filters))
            assert (last["result"]["total"], "exact" in last["result"]) == (there, False)

    asyncio.run(ask_all())


def test_a_table_with_sparse_row_numbers_is_counted_exactly(tmp_path: Path) -> None:
    under = UnderSQLite(tmp_path / "mail.db")
    for number in range(20):
        under.run("INSERT INTO mail (id) VALUES (?)", [number << 50])
    page = Asked(under).page(size=3)
    assert page["total"] == 20 and "exact" not in page


def test_a_table_without_row_ids_is_counted(tmp_path: Path) -> None:
    under = UnderSQLite(tmp_path / "mail.db")
    under.run("DROP TABLE mail")
    under.run("CREATE TABLE mail (id TEXT PRIMARY KEY) WITHOUT ROWID")
    for number in range(20):
        under.run("INSERT INTO mail (id) VALUES (?)", [f"m{number}"])
    page = Asked(under).page(size=3, at=5)
    assert (page["total"], page["position"]) == (20, 5)


def test_a_function_with_position_parameters_receives_them() -> None:
    def load(key: Any, query: str | None, size: int, at: int | None, around: Any) -> Page:
        return Page([{"id": [at, around]}], position=at, total=7, exact=at is None)

    assert say(load, line())["result"] == {"items": [{"id": [None, None]}], "next": None, "total": 7}
    assert say(load, line(at=0))["result"]["position"] == 0
    assert say(load, line(at=3))["result"] == {
        "items": [{"id": [3, None]}], "next": None, "position": 3, "total": 7, "exact": False
    }
    assert say(load, line(around="x"))["result"]["items"] == [{"id": [None, "x"]}]
    assert error(load, line(at=-1))["code"] == -32602


def test_the_readmes_function_for_jumps_works() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (KIT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    (program,) = (block for block in blocks if "at, around" in block)
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, received TEXT NOT NULL)")
    database.executemany("INSERT INTO mail VALUES (?, ?)", [(number, f"{number % 3}") for number in range(30)])
    names: dict[str, Any] = {name: getattr(nagare_source, name) for name in nagare_source.__all__} | {"database": lambda: database}
    exec(program, names)
    load, all = names["load"], [id for (id,) in database.execute("SELECT id FROM mail ORDER BY received DESC, id DESC")]
    jump = say(load, line(at=7, size=4))["result"]
    assert (ids(jump), jump["position"], jump["total"]) == (all[7:11], 7, 30)
    jump = say(load, line(around=all[9], size=5))["result"]
    assert (ids(jump), jump["position"], jump["total"]) == (all[7:12], 7, 30)
    assert ids(say(load, line(key=jump["previous"], size=5))["result"]) == all[2:7]
    assert error(load, line(around=77))["code"] == -32015


def test_a_function_without_the_parameter_refuses_the_request() -> None:
    source = Source(lambda key, query, size: Page([]))
    for params in ({"at": 0}, {"around": "a"}):
        refused = error(source, line(**params))
        assert refused["code"] == -32602 and next(iter(params)) in refused["message"]
    assert say(source, line(at=None, around=None))["result"]["items"] == []
