"""Filters and sorting in SQL: only declared columns, values as parameters, keyset pages in every order."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from asking import ask, error, line, run, say
from databases import Under
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import KeysetPage, Page, Source, SourceError, Table
from nagare_source.program import Program
from nagare_source.wire import encode

WORDS = st.sampled_from(["", "a", "b", "B", "ab", "日本", "a'; DROP TABLE t; --"])
NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, -1.5])
ROWS = st.lists(st.tuples(WORDS, NUMBERS, st.none() | WORDS), max_size=25)
VALUES = WORDS | NUMBERS


def ranges(ends: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"from": ends}, optional={"to": ends}) | st.fixed_dictionaries({"to": ends})


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "word": WORDS | st.lists(WORDS, max_size=3) | ranges(WORDS),
        "number": NUMBERS | st.lists(NUMBERS, max_size=3) | ranges(NUMBERS),
        "note": WORDS | st.lists(st.none() | WORDS, max_size=3),
        "sort": st.sampled_from(["word", "-word", "number", "-number"]),
    },
)


def matches(value: Any, asked: Any) -> bool:
    """The meaning of a filter, without SQL."""
    if isinstance(asked, dict):
        return value is not None and asked.get("from", value) <= value <= asked.get("to", value)
    return value in asked if isinstance(asked, list) else bool(value == asked)


def page(key: Any, size: int, filters: dict[str, Any], **told: Any) -> KeysetPage:
    columns = {"filterable": {"word": "t.word", "number": "number", "note": "note"}, "sortable": ["word", "number"]}
    return KeysetPage(["id"], key, size, filters=filters, **(columns | told))


@given(ROWS, FILTERS, st.integers(1, 6), st.booleans())
def test_filtered_pages_contain_exactly_the_matching_rows(
    rows: list[tuple[Any, ...]], filters: dict[str, Any], size: int, backwards: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT NOT NULL, number REAL NOT NULL, note TEXT)")
    database.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [(id, *row) for id, row in enumerate(rows)])
    names = ["word", "number", "note"]
    found = [
        (id, *row)
        for id, row in enumerate(rows)
        if all(matches(row[names.index(name)], asked) for name, asked in filters.items() if name != "sort")
    ]
    if sort := filters.get("sort"):
        column = 1 + names.index(sort.removeprefix("-"))
        # Equal rows stay in the order of their ids.
        found.sort(
            key=lambda row: row[column].encode() if isinstance(row[column], str) else row[column],
            reverse=sort.startswith("-"),
        )
    read: list[int] = []
    key, last = None, None
    for _ in range(len(rows) + 2):
        asked = page(key, size, filters)
        sql = f"SELECT * FROM t WHERE {asked.where} ORDER BY {asked.order} LIMIT {asked.limit}"
        last = asked.of(database.execute(sql, asked.values))
        read += [row["id"] for row in last.items]
        key = json.loads(encode(last.next))
        if key is None:
            break
    assert read == [row[0] for row in found]
    if backwards and last is not None and last.previous is not None:
        asked = page(json.loads(encode(last.previous)), len(rows), filters)
        sql = f"SELECT * FROM t WHERE {asked.where} ORDER BY {asked.order} LIMIT {asked.limit}"
        before = [row["id"] for row in asked.of(database.execute(sql, asked.values)).items]
        assert before == [row[0] for row in found][: len(found) - len(last.items)]


@pytest.mark.parametrize(
    "filters",
    [
        {"id": 1},
        {"word; DROP TABLE t": 1},
        {"sort": "note"},
        {"sort": "-"},
        {"sort": ""},
        {"sort": 7},
        {"sort": ["word"]},
        {"sort": "word; DROP TABLE t"},
        {"word": {}},
        {"word": {"from": None}},
        {"word": {"from": 1, "till": 2}},
        {"word": [["a"]]},
        {"word": [{"from": 1}]},
        {"word": {"from": [1]}},
    ],
)
def test_undeclared_filters_are_refused(filters: dict[str, Any]) -> None:
    with pytest.raises(SourceError) as refused:
        page(None, 2, filters)
    assert refused.value.code == -32602


def test_filter_values_become_sql_parameters() -> None:
    asked = page(None, 2, {"word": "x'", "number": [1, 2.5], "note": [None, "y"], "sort": "-word"})
    assert asked.where == "t.word = ? AND (number IN (?, ?)) AND (note IN (?) OR note IS NULL)"
    assert asked.values == ["x'", 1, 2.5, "y"]
    assert asked.order == "word DESC, id ASC"
    later = page({"after": ["w", 7]}, 2, {"number": {"from": 1, "to": 2}, "sort": "word"}, sortable=["word"])
    assert later.where == "(word, id) > (?, ?) AND number >= ? AND number <= ?"
    assert later.values == ["w", 7, 1, 2]


def test_empty_filters_do_not_change_the_query() -> None:
    for filters in ({}, {"sort": None}, {"word": None}):
        asked = page(None, 2, filters)
        assert (asked.where, asked.values, asked.order) == ("1 = 1", [], "id ASC")


def test_a_sort_filter_overrides_the_start() -> None:
    asked = page(None, 2, {"sort": "word"}, start=[7])
    assert asked.where == "1 = 1" and asked.values == []


def test_a_function_with_a_filters_parameter_receives_them() -> None:
    def load(key: Any, query: str | None, size: int, filters: dict[str, Any]) -> Page:
        return Page([{"id": "a", "filters": filters}])

    for given, taken in (({"a": [1]}, {"a": [1]}), ({}, {}), (None, {})):
        assert say(load, line(filters=given))["result"]["items"][0]["filters"] == taken
    assert say(load, line())["result"]["items"][0]["filters"] == {}
    assert error(load, line(filters=[1]))["code"] == -32602


def test_a_function_without_the_parameter_refuses_the_request() -> None:
    def load(key: Any, query: str | None, size: int) -> Page:
        return Page([])

    refused = error(load, line(filters={"a": 1}))
    assert refused["code"] == -32602 and "filters" in refused["message"]
    assert say(load, line(filters={}))["result"]["items"] == []


def test_full_items_are_returned_by_id() -> None:
    source = Source(lambda key, query, size: Page([]))
    assert error(source, line("source/item", id="a"))["code"] == -32601

    @source.item
    def item(id: Any) -> dict[str, Any] | None:
        if id == "broken":
            raise SourceError(7, "locked", retryable=True)
        return {"id": id, "body": "…"} if id == "a" else None

    assert say(source, line("source/item", id="a"))["result"] == {"item": {"id": "a", "body": "…"}}
    assert error(source, line("source/item", id="b"))["code"] == -32015
    assert error(source, line("source/item", id="broken"))["data"] == {"retryable": True}
    assert error(source, b'{"jsonrpc":"2.0","id":1,"method":"source/item","params":{}}')["code"] == -32602


def test_an_async_item_function_is_awaited() -> None:
    async def item(id: Any) -> dict[str, Any]:
        return {"id": id}

    assert say(Source(lambda key, query, size: Page([]), item=item), line("source/item", id=3))["result"]["item"] == {"id": 3}


def test_a_filter_distinguishes_null_from_an_empty_text(under: Under) -> None:
    under.run("DROP TABLE IF EXISTS thing")
    under.run("CREATE TABLE thing (id INTEGER PRIMARY KEY, word TEXT)")
    under.run("INSERT INTO thing VALUES (1, NULL), (2, ''), (3, 'a')")
    program = Program(Table(under.database(), "thing", live=False, write=True, triggers=True), 1)

    async def found() -> list[list[int]]:
        answers = [await ask(program, line(filters={"word": value}, size=9)) for value in ([None], "", [""], ["", None], [None, "a"], None)]
        return [sorted(row["id"] for row in answer["result"]["items"]) for answer in answers]

    assert run(found()) == [[1], [2], [2], [1, 2], [1, 3], [1, 2, 3]]
    assert "[null] means no value" in error(lambda key, query, size, filters: page(key, size, filters).of([]), line(filters={"word": {"is": None}}))["message"]
    under.run("DROP TABLE thing")
