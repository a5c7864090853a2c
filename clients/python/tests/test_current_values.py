"""The current values of a view, with a fake server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import nagare
import pytest
from conftest import run
from fake import fake_server
from hypothesis import given, settings
from hypothesis import strategies as st


def ids(view: nagare.View) -> list[Any]:
    return [item["id"] for item in view["items"]]


def splice(start: int, count: int, *new: Any) -> dict[str, Any]:
    return {"start": start, "deleteCount": count, "items": [{"id": id} for id in new]}


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 4), st.integers(0, 5)), max_size=4), max_size=8),
    st.lists(st.integers(1, 40), min_size=1, max_size=10),
)
def test_splices_give_the_same_lists_however_the_input_is_split(steps: list[Any], pieces: list[int]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            plain: list[Any] = []
            expected, heard, text = [], [], b""
            view.on("items", lambda items: heard.append([item["id"] for item in items]))
            for revision, step in enumerate(steps):
                splices: list[dict[str, Any]] = []
                for place, count, inserted in step:
                    start = place % (len(plain) + 1)
                    count = min(count, len(plain) - start)
                    new = [f"{revision}-{len(splices)}-{index}" for index in range(inserted)]
                    plain[start : start + count] = new
                    splices.append(splice(start, count, *new))
                params = {"view": "v", "base": revision, "revision": revision + 1, "count": len(plain), "splices": splices}
                text += json.dumps({"jsonrpc": "2.0", "method": "items", "params": params}).encode() + b"\n"
                expected.append(list(plain))
            while text:
                for piece in pieces:
                    fake.writer.write(text[:piece])
                    text = text[piece:]
                    await asyncio.sleep(0)
            await fake.settle(app)
            assert heard == expected and ids(view) == plain

    run(test())


LOST: list[dict[str, Any]] = [
    {"base": 4, "revision": 6, "count": 3, "splices": [splice(0, 0, "x")]},
    {"base": 5, "revision": 6, "count": 9, "splices": [splice(0, 0, "x")]},
    {"base": 5, "revision": 6, "count": 3, "splices": [splice(7, 0, "x")]},
    {"base": 5, "revision": 6, "count": 0, "splices": [splice(0, 9)]},
]


@pytest.mark.parametrize("lost", LOST)
def test_a_client_that_missed_a_revision_requests_the_outputs(lost: dict[str, Any]) -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app, [{"id": "a"}, {"id": "b"}], 5)
            heard: list[Any] = []
            view.on("items", lambda items: heard.append(list(items)))
            fake.say("items", **lost)
            fake.say("items", base=6, revision=7, count=4, splices=[splice(0, 0, "y")])
            asked = await fake.next("outputs")
            assert asked["params"] == {"view": "v"} and ids(view) == ["a", "b"] and heard == []
            outputs = {"items": {"value": [{"id": "c"}], "revision": 7}, "loading": {"value": True}, "error": {"value": None}}
            fake.answer(asked, {"outputs": outputs})
            fake.say("items", base=7, revision=8, count=2, splices=[splice(1, 0, "d")])
            await fake.settle(app)
            assert ids(view) == ["c", "d"] and len(heard) == 2 and view.loading is True

    run(test())


def test_a_change_right_after_the_answer_to_open_is_applied() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            opening = asyncio.ensure_future(app.open("rows"))
            asked = await fake.next("open")
            fake.answer(asked, {"view": "v", "screen": "rows", "outputs": {"items": {"value": [], "revision": 0}}})
            fake.say("items", base=0, revision=1, count=1, splices=[splice(0, 0, "a")])
            assert ids(await opening) == ["a"]

    run(test())


def test_a_state_keeps_the_last_sent_value_even_null() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            heard: list[Any] = []
            view.on("error", heard.append)
            failures: list[Any] = [{"code": 7, "number": 1}, {"code": 7, "number": 2}]
            for failure in failures:
                fake.say("error", value=failure)
            fake.say("loading", value=True)
            fake.say("state", value={"phase": "requesting"})
            await fake.settle(app)
            assert view.error == failures[-1]
            fake.say("error", value=None)
            await fake.settle(app)
            assert view.error is None and await anext(view.output("error")) is None
            assert heard == [*failures, None]

    run(test())
