"""Edits of several rows at once: they change all rows or none, and are answered after the commit."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask, error, line, run, say
from databases import Under
from nagare_source import Marked, Page, Source, SourceError
from nagare_source.program import Program
from nagare_source.table import Table

Message = dict[str, Any]


@pytest.fixture
def under(under: Under) -> Under:
    for number in range(1, 13):
        under.run("INSERT INTO mail (id, sender, subject) VALUES (?, ?, ?)", [number, "Aoi" if number % 2 else "Ren", f"Subject {number}"])
    return under


def tell(under: Under, method: str, **params: Any) -> Message:
    answer: Message = run(ask(Program(Table(under.database(), "mail", write=True, triggers=True), 1), line(method, **params)))
    return answer


def ids(under: Under, where: str = "1 = 1") -> list[int]:
    return [id for (id,) in under.rows(f"SELECT id FROM mail WHERE {where} ORDER BY id")]


ALL = list(range(1, 13))


@pytest.mark.parametrize(
    ("params", "marked"),
    [
        ({"ids": [3, 5, 8]}, [3, 5, 8]),
        ({"ids": [3, 99, None]}, [3]),
        ({"ids": []}, []),
        ({"all": True}, ALL),
        ({"all": True, "except": []}, ALL),
        ({"all": True, "except": [1, None, 12]}, ALL[1:-1]),
        ({"all": True, "except": [2], "query": "1", "filters": {"sender": "Ren"}}, [10, 12]),
        ({"all": True, "query": "subject 12", "filters": None}, [12]),
        ({"all": True, "filters": {"id": {"from": 4, "to": 6}, "sort": "-subject"}}, [4, 5, 6]),
    ],
)
def test_only_the_marked_rows_are_edited(under: Under, params: Message, marked: list[int]) -> None:
    assert tell(under, "source/change", set={"read": 7, "received": None}, **params)["result"] == {}
    assert ids(under, "read = 7") == marked
    assert tell(under, "source/remove", **params)["result"] == {}
    assert ids(under) == [id for id in ALL if id not in marked]


def test_edits_of_many_thousand_rows_work(under: Under) -> None:
    for first in range(100, 20_000, 1000):
        values = ", ".join(f"({first + number})" for number in range(1000))
        under.run(f"INSERT INTO mail (id) VALUES {values}")
    assert tell(under, "source/remove", all=True, **{"except": list(range(1, 10_100))})["result"] == {}
    assert ids(under)[-1] == 10_099
    assert tell(under, "source/remove", ids=list(range(10, 20_000)))["result"] == {}
    assert ids(under) == list(range(1, 10))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"subject": "forbidden", "read": 1}, "check"),
        ({"subject": None}, "null"),
        ({"colour": "red"}, "no column 'colour', but 'id'"),
        ({"id": 5}, "'id' tells rows apart"),
    ],
)
def test_an_edit_of_marked_rows_changes_all_or_none(under: Under, given: Message, reason: str) -> None:
    before = under.rows("SELECT * FROM mail ORDER BY id")
    for params in ({"ids": [3, 4, 5]}, {"all": True}):
        assert reason in tell(under, "source/change", set=given, **params)["error"]["message"].lower()
    assert under.rows("SELECT * FROM mail ORDER BY id") == before


def test_a_row_that_may_not_be_removed_prevents_the_removal_of_all(under: Under) -> None:
    if under.make == "sqlite":
        under.run("CREATE TRIGGER keep BEFORE DELETE ON mail WHEN OLD.id = 5 BEGIN SELECT RAISE(ABORT, 'it is kept'); END")
    else:
        under.run("DROP TABLE IF EXISTS keeps CASCADE")
        under.run("CREATE TABLE keeps (id INTEGER REFERENCES mail)")
        under.run("INSERT INTO keeps VALUES (5)")
    said = tell(under, "source/remove", ids=[4, 5, 6])["error"]
    assert "kept" in said["message"] or "keeps" in said["message"]
    assert ids(under) == ALL


def test_an_empty_set_changes_nothing(under: Under) -> None:
    assert tell(under, "source/change", set={}, all=True)["result"] == {}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("source/remove", {"ids": 5}),
        ("source/remove", {"all": False}),
        ("source/remove", {"all": "yes"}),
        ("source/remove", {"all": True, "ids": []}),
        ("source/remove", {"all": True, "except": {}}),
        ("source/remove", {"all": True, "query": 5}),
        ("source/remove", {"all": True, "filters": []}),
        ("source/remove", {"all": True, "filters": {"colour": 1}}),
        ("source/change", {"ids": [1]}),
        ("source/change", {"ids": [1], "set": []}),
    ],
)
def test_an_edit_without_valid_marks_is_refused(under: Under, method: str, params: Message) -> None:
    assert tell(under, method, **params)["error"]["code"] == -32602
    assert ids(under) == ALL


def test_edits_of_marked_items_call_separate_functions() -> None:
    told: list[Any] = []
    source = Source(lambda key, query, size: Page([]), remove=told.append, change=told.append)
    for method in ("source/remove", "source/change"):
        refused = error(source, line(method, ids=[1], set={}))
        assert refused["code"] == -32601 and f"{method.removeprefix('source/')}_marked" in refused["message"]

    @source.remove_marked
    def remove(marked: Marked) -> None:
        if marked.all:
            raise SourceError(9, "locked")
        told.append(marked)

    @source.change_marked
    async def change(marked: Marked, given: dict[str, Any]) -> None:
        told.append((marked, given))

    assert say(source, line("source/remove", ids=[1, "b"]))["result"] == {}
    assert error(source, line("source/remove", all=True))["message"] == "locked"
    assert say(source, line("source/change", all=True, filters={"a": 1}, set={"b": 2}, **{"except": [3]}))["result"] == {}
    assert say(source, line("source/remove", id=1))["result"] == {}
    assert told == [Marked([1, "b"]), (Marked([3], True, None, {"a": 1}), {"b": 2}), 1]
    # The internal name isn't a method.
    assert error(source, line("source/remove marked", ids=[1]))["code"] == -32601
