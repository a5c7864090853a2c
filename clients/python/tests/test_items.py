"""Splices of `Items`, compared with Python's lists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nagare.items import LEAF_SIZE, Items

sizes = st.one_of(st.integers(0, 5), st.integers(0, 3 * LEAF_SIZE))


@given(sizes, st.lists(st.tuples(st.integers(0, 10**6), sizes, sizes), max_size=12))
def test_splices_work_like_slice_assignments_of_a_list(size: int, splices: list[tuple[int, int, int]]) -> None:
    plain: list[Any] = list(range(size))
    items: Items[Any] = Items(plain)
    for number, (place, deleted, inserted) in enumerate(splices):
        before, copy = items, list(plain)
        start = place % (len(plain) + 1)
        count = min(deleted, len(plain) - start)
        new = [(number, index) for index in range(inserted)]
        plain[start : start + count] = new
        items = items.splice(start, count, new)
        assert list(items) == plain and len(items) == len(plain)
        assert list(before) == copy, "an older list has changed"
        # There are few leaves, so a change is cheap, and no leaf is too large to copy.
        assert all(0 < len(leaf) <= LEAF_SIZE for leaf in items._leaves)
        assert len(items._leaves) <= 2 + 4 * len(items) / LEAF_SIZE
    assert list(reversed(items)) == plain[::-1] and items == plain and items == tuple(plain)
    assert items == Items(plain) and items != [*plain, 1]


@given(sizes, st.integers(-2000, 2000), st.integers(-2000, 2000), st.sampled_from([None, 1, 2, 7, -1, -3]))
def test_slices_equal_those_of_a_list(size: int, start: int, stop: int, step: int | None) -> None:
    plain = list(range(size))
    items = Items(plain)
    assert items[start:stop:step] == tuple(plain[start:stop:step])
    assert items[start:] == tuple(plain[start:]) and items[:stop] == tuple(plain[:stop])
    if -size <= start < size:
        assert items[start] == plain[start] and items.index(plain[start]) == plain[start] and plain[start] in items
    else:
        with pytest.raises(IndexError):
            items[start]


def test_appending_pages_copies_few_leaves() -> None:
    items: Items[int] = Items(range(100_000))
    leaves = set(map(id, items._leaves))
    for page in range(100):
        items = items.splice(len(items), 0, range(20))
    assert len(items) == 102_000
    assert len({id(leaf) for leaf in items._leaves} - leaves) <= 10


@pytest.mark.parametrize(("start", "count"), [(-1, 0), (0, -1), (4, 0), (0, 4), (3, 1)])
def test_a_splice_outside_the_list_raises_an_index_error(start: int, count: int) -> None:
    with pytest.raises(IndexError):
        Items("abc").splice(start, count, "x")


def test_items_are_an_immutable_sequence() -> None:
    items = Items([{"id": "a"}])
    with pytest.raises(TypeError):
        items[0] = {"id": "b"}  # type: ignore[index]
    with pytest.raises(TypeError):
        hash(items)
    assert not Items() and items and repr(items) == "Items([{'id': 'a'}])"
    assert items != "a" and items != 1
