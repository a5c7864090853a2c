"""Windows of long lists, with a fake server."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import nagare
import pytest
from conftest import run
from fake import Fake, fake_server

LONG = 10_000_000


async def opened(app: nagare.App, fake: Fake, **items: Any) -> nagare.AnyView:
    opening = asyncio.ensure_future(app.open("rows", window={"margin": 2}))
    outputs = {"items": items, "sections": {"value": []}, "marks": {"value": {"count": 0, "all": False, "ids": []}}}
    asked = await fake.serve("open", {"view": "v", "screen": "rows", "viewModel": "list", "outputs": outputs})
    assert asked["params"]["params"] == {"window": {"margin": 2}} and fake.greeted["capabilities"]["windows"] is True
    return await opening


def rows(*ids: Any) -> list[Any]:
    return [None if id is None else {"id": id} for id in ids]


def test_a_window_has_its_rows_at_their_positions_in_the_list() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await opened(app, fake, value=rows("a", "b", None), revision=7, start=0, count=LONG, exact=True)
            before = view.items
            assert isinstance(before, nagare.Window) and len(before) == LONG and before.exact and before.revision == 7
            assert before[0] == {"id": "a"} and before[2] is None and before[LONG - 1] is None and before[-1] is None
            assert before[:4] == (*rows("a", "b", None), None) and before[LONG - 2 :] == (None, None)
            for index in (LONG, -LONG - 1):
                with pytest.raises(IndexError):
                    before[index]
            splices = [{"start": 0, "deleteCount": 2, "items": []}, {"start": 1, "deleteCount": 0, "items": rows("x", None)}]
            fake.say("items", base=7, revision=8, start=4_999_950, count=LONG, exact=False, splices=splices)
            await fake.settle(app)
            now = view.items
            assert (now.start, now.end, now.exact) == (4_999_950, 4_999_953, False)
            assert list(now.held) == rows(None, "x", None) and now[4_999_951] == {"id": "x"} and now[0] is None
            assert now[4_999_949:4_999_954] == (None, None, {"id": "x"}, None, None)
            assert {"id": "x"} in now and {"id": "a"} not in now and now.index({"id": "x"}) == 4_999_951
            assert now.index({"id": "x"}, 4_999_951, -1) == 4_999_951
            for range in [(4_999_952,), (0, 4_999_951)]:
                with pytest.raises(ValueError, match="not held"):
                    now.index({"id": "x"}, *range)
            # The old window is unchanged.
            assert before[0] == {"id": "a"} and before != now and before == before.__class__(before.held, 0, LONG, True, 7)
            # A row inserted above the window moves the window by one, and changes nothing else.
            fake.say("items", base=8, revision=9, start=4_999_951, count=LONG + 1, exact=True, splices=[])
            await fake.settle(app)
            assert view.items[4_999_952] == {"id": "x"} and len(view.items) == LONG + 1
            assert repr(view.items) == "Window(3 of 10000001 from 4999951)"

    run(test())


def test_a_window_is_a_sequence() -> None:
    window = nagare.Window(rows("a", None), 1, 4, False, 3)
    assert list(window) == [None, {"id": "a"}, None, None] == list(reversed(window))[::-1] == list(window[:])
    assert window[::-2] == (None, {"id": "a"}) and window[3:1] == () and window[1] is window[-3]
    assert window and not nagare.Window()
    with pytest.raises(TypeError):
        hash(window)


def test_a_typed_view_returns_its_window() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows", nagare.ListView[Any], window={}))
            items = {"value": rows("a"), "revision": 1, "start": 4, "count": 9, "exact": True}
            await fake.serve("open", {"view": "v", "screen": "rows", "viewModel": "list", "outputs": {"items": items}})
            view = await opening
            assert view.window is view["items"] and view.window[4] == {"id": "a"}
            fake.say("items", value=rows("a"), revision=2)
            await fake.settle(app)
            with pytest.raises(TypeError, match="without a window"):
                view.window

    run(test())


def test_the_input_viewport_contains_the_revision_of_its_row_numbers() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await opened(app, fake, value=rows("a"), revision=7, start=0, count=1000, exact=True)
            view.send("viewport", start=5, end=9)
            assert (await fake.next("viewport"))["params"] == {"view": "v", "start": 5, "end": 9, "revision": 7}
            fake.say("items", base=7, revision=8, start=3, count=1000, exact=True, splices=[])
            await fake.settle(app)
            moving = asyncio.ensure_future(view.call("viewport", start=5, end=9))
            asked = await fake.serve("viewport", {"outcome": "finished"})
            assert asked["params"]["revision"] == 8 and asked["params"]["wait"] is True and await moving == "finished"
            view.send("viewport", start=5, end=9, revision=7)
            assert (await fake.next("viewport"))["params"]["revision"] == 7
            view.send("refresh")
            assert "revision" not in (await fake.next("refresh"))["params"]

        async with fake_server() as (app, fake), app:
            view = await fake.open(app, [{"id": "a"}], 7)
            view.send("viewport", start=0, end=1)
            assert "revision" not in (await fake.next("viewport"))["params"]

    run(test())


LOST: list[dict[str, Any]] = [
    {"base": 6, "revision": 8, "start": 0, "count": 5, "exact": True, "splices": []},
    {"base": 7, "revision": 8, "start": 0, "count": 5, "exact": True, "splices": [{"start": 9, "deleteCount": 0, "items": []}]},
    {"base": 7, "revision": 8, "start": 4, "count": 5, "exact": True, "splices": []},
    {"base": 7, "revision": 8, "start": -1, "count": 5, "exact": True, "splices": []},
]


@pytest.mark.parametrize("lost", LOST)
def test_a_client_that_missed_a_revision_requests_the_outputs(lost: dict[str, Any]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await opened(app, fake, value=rows("a", "b"), revision=7, start=0, count=5, exact=True)
            fake.say("items", **lost)
            asked = await fake.next("outputs")
            assert list(view.items) == rows("a", "b", None, None, None)
            now = {"value": rows("c"), "revision": 9, "start": 3, "count": 6, "exact": False}
            fake.answer(asked, {"outputs": {"items": now}})
            await fake.settle(app)
            assert list(view.items) == rows(None, None, None, "c", None, None)

    run(test())


def test_a_jump_moves_the_window_and_sends_a_scroll_target() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await opened(app, fake, value=rows("a"), revision=7, start=0, count=1000, exact=True)
            jumps = view.output("scrollTo")
            jumping = asyncio.ensure_future(view.call("jump", index=700))
            asked = await fake.next("jump")
            assert asked["params"] == {"view": "v", "index": 700, "wait": True}
            fake.say("items", base=7, revision=8, start=698, count=1000, exact=True,
                     splices=[{"start": 0, "deleteCount": 1, "items": rows(None, "x")}])
            fake.say("scrollTo", value={"index": 700, "id": None})
            fake.answer(asked, {"outcome": "finished"})
            assert await jumping == "finished" and view.items[699] == {"id": "x"}
            assert await anext(jumps) == {"index": 700, "id": None}
            # Marks and sections are ordinary states.
            marked, sections = {"count": None, "all": True, "ids": ["x"]}, [{"key": "2026", "start": 698, "count": None}]
            fake.say("marks", value=marked)
            fake.say("sections", value=sections)
            await fake.settle(app)
            assert (view.marks, view.sections) == (marked, sections)
            marking = asyncio.ensure_future(view.call("mark", **{"from": "x", "to": "y"}))
            asked = await fake.serve("mark", {"outcome": "nothing"})
            assert asked["params"] == {"view": "v", "from": "x", "to": "y", "wait": True} and await marking == "nothing"

    run(test())


class Long:
    """A simulated list with some loaded rows, and the window that a client has."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ids = list(range(300))
        self.read: set[int] = set()
        self.place = 0
        self.revision = 0
        self.exact = True
        self.start, self.held = 0, self._held()

    def _held(self) -> list[Any]:
        self.start = min(self.place, len(self.ids))
        return [{"id": id} if id in self.read else None for id in self.ids[self.start : self.start + 40]]

    def step(self) -> dict[str, Any]:
        """Makes a random change and returns the notification that reports it."""
        happens = self.random.randrange(5)
        if happens == 0:
            self.place = self.random.randrange(len(self.ids) + 1)
        elif happens == 1:
            self.ids.insert(self.random.randrange(len(self.ids) + 1), 1000 + self.revision)
        elif happens == 2 and self.ids:
            del self.ids[self.random.randrange(len(self.ids))]
        elif happens == 3:
            self.read.update(self.random.sample(self.ids, min(10, len(self.ids))))
        else:
            self.exact = not self.exact
        before, self.held = self.held, self._held()
        self.revision += 1
        same = 0
        while same < min(len(before), len(self.held)) and before[same] == self.held[same]:
            same += 1
        end = 0
        while end < min(len(before), len(self.held)) - same and before[len(before) - 1 - end] == self.held[len(self.held) - 1 - end]:
            end += 1
        splice = {"start": same, "deleteCount": len(before) - same - end, "items": self.held[same : len(self.held) - end]}
        place = {"start": self.start, "count": len(self.ids), "exact": self.exact}
        return {"base": self.revision - 1, "revision": self.revision, **place, "splices": [splice]}


@pytest.mark.parametrize("seed", range(5))
def test_a_window_equals_the_servers_after_random_changes(seed: int) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            long = Long(seed)
            view = await opened(app, fake, value=long.held, revision=0, start=0, count=300, exact=True)
            for step in range(400):
                fake.say("items", **long.step())
                if step % 20 == 0:
                    await fake.settle(app)
                    window = view.items
                    assert (window.start, list(window.held), window.exact) == (long.start, long.held, long.exact), seed
                    expected = [None] * long.start + long.held
                    assert list(window) == expected + [None] * (len(long.ids) - len(expected)), seed

    run(test())
