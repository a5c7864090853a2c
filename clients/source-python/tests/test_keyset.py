"""Keyset pages: every row that stays appears exactly once and in order, whatever happens to other rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import KeysetPage, Page, SourceError
from nagare_source.wire import encode

Row = tuple[int, int]
Key = Any
ROWS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=40)
EDITS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 40)), max_size=6)
STEPS = st.lists(st.tuples(st.integers(1, 7), EDITS), min_size=1, max_size=20)
Steps = Sequence[tuple[int, list[tuple[bool, int, int]]]]


class Table:
    """Rows in a real database, and which of them have stayed from the start."""

    def __init__(self, rows: set[Row]) -> None:
        self.database = sqlite3.connect(":memory:")
        self.database.row_factory = sqlite3.Row
        self.database.execute("CREATE TABLE t (time INTEGER NOT NULL, id INTEGER NOT NULL, UNIQUE (time, id))")
        self.database.executemany("INSERT INTO t VALUES (?, ?)", rows)
        self.stayed = set(rows)

    def load(self, key: Key, size: int, descending: bool, start: Row | None) -> Page:
        page = KeysetPage(["t.time", "id"], key, size, descending=descending, start=start)
        sql = f"SELECT * FROM t WHERE {page.where} ORDER BY {page.order} LIMIT {page.limit}"
        return page.of(self.database.execute(sql, page.values))

    def edit(self, edits: list[tuple[bool, int, int]]) -> None:
        for insert, *row in edits:
            sql = "INSERT OR IGNORE INTO t VALUES (?, ?)" if insert else "DELETE FROM t WHERE time = ? AND id = ?"
            self.database.execute(sql, row)
            if not insert:
                self.stayed.discard((row[0], row[1]))

    def read(
        self, key: Key, steps: Steps, way: Callable[[Page], Key], descending: bool, start: Row | None = None
    ) -> list[Page]:
        """Returns all pages from a key on. The sizes and the edits in between repeat."""
        pages: list[Page] = []
        while not pages or key is not None:
            size, edits = steps[len(pages) % len(steps)]
            page = self.load(key, size, descending, start)
            assert len(page.items) <= size
            pages.append(page)
            assert len(pages) < 500, "the pages have no end"
            key = json.loads(encode(way(page)))
            self.edit(edits if len(pages) <= len(steps) else [])
        return pages


def onwards(page: Page) -> Key:
    return page.next


def back(page: Page) -> Key:
    return page.previous


def rows(pages: Sequence[Page]) -> list[Row]:
    return [(row["time"], row["id"]) for page in pages for row in page.items]


@given(ROWS, STEPS, st.booleans())
def test_pages_of_an_unchanged_table_contain_every_row_once(table: set[Row], steps: Steps, descending: bool) -> None:
    pages = Table(table).read(None, [(size, []) for size, _ in steps], onwards, descending)
    assert rows(pages) == sorted(table, reverse=descending)
    assert pages[0].previous is None
    assert all(page.items for page in pages[1:]), "a page was promised, and it was empty"


@given(ROWS, STEPS, st.booleans())
def test_edits_between_pages_neither_skip_nor_repeat_unchanged_rows(table: set[Row], steps: Steps, descending: bool) -> None:
    moving = Table(table)
    given = rows(moving.read(None, steps, onwards, descending))
    assert given == sorted(set(given), reverse=descending)
    assert moving.stayed <= set(given)


@given(ROWS, STEPS, STEPS, st.booleans(), st.tuples(st.integers(0, 5), st.integers(0, 40)))
def test_a_list_that_begins_in_the_middle_grows_both_ways(
    table: set[Row], down: Steps, up: Steps, descending: bool, start: Row
) -> None:
    moving = Table(table)
    after = moving.read(None, down, onwards, descending, start)
    before = moving.read(after[0].previous, up, back, descending, start) if after[0].previous is not None else []
    given = rows([*reversed(before), *after])
    assert given == sorted(set(given), reverse=descending)
    # If no row follows the start, there is no page, and so no previous page.
    assert moving.stayed <= set(given) or not after[0].items


@given(
    st.sets(st.tuples(st.none() | st.integers(0, 3), st.integers(0, 9)), max_size=20),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
)
def test_null_comes_last_in_both_directions(
    table: set[tuple[int | None, int]], size: int, time_falls: bool, id_falls: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE t (time INTEGER, id INTEGER NOT NULL)")
    database.executemany("INSERT INTO t VALUES (?, ?)", table)
    columns = ["-time" if time_falls else "time", "-id" if id_falls else "id"]

    def place(row: tuple[int | None, int]) -> tuple[bool, int, int]:
        time, id = row
        return time is None, (time or 0) * (-1 if time_falls else 1), id * (-1 if id_falls else 1)

    def load(key: Key) -> Page:
        page = KeysetPage(columns, key, size, nullable={"time"}, expressions={"id": "t.id"})
        sql = f"SELECT time, t.id FROM t WHERE {page.where} ORDER BY {page.order} LIMIT {page.limit}"
        return page.of(database.execute(sql, page.values))

    pages = [load(None)]
    while pages[-1].next is not None:
        pages.append(load(pages[-1].next))
    assert [tuple(row) for page in pages for row in page.items] == sorted(table, key=place)
    back = [pages[-1]]
    while back[-1].previous is not None:
        back.append(load(back[-1].previous))
    assert [tuple(row) for page in reversed(back) for row in page.items] == sorted(table, key=place)


def test_a_page_has_the_key_of_the_previous_page() -> None:
    table = Table({(0, id) for id in range(9)})
    first = table.load(None, 3, False, None)
    second = table.load(first.next, 3, False, None)
    again = table.load(second.previous, 3, False, None)
    assert rows([first, second]) == [(0, id) for id in range(6)]
    assert rows([again]) == rows([first])
    assert again.previous is None and again.next == first.next


def test_the_sql_uses_the_drivers_placeholder() -> None:
    page = KeysetPage(["id"], {"after": [7]}, 2, placeholder="%s")
    assert (page.where, page.values, page.order, page.limit) == ("(id) > (%s)", [7], "id ASC", 3)


@pytest.mark.parametrize("key", [3, "after", [], {}, {"after": [1]}, {"beside": [1, 2]}, {"after": "ab"}])
def test_an_invalid_page_key_is_refused(key: Key) -> None:
    with pytest.raises(SourceError, match="no key") as refused:
        KeysetPage(["time", "id"], key, 5)
    assert refused.value.code == -32602 and not refused.value.retryable


def test_a_page_without_ordering_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="column"):
        KeysetPage([], None, 5)
