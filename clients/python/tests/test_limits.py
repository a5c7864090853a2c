"""Messages that the server can't read fail at once, and nothing else fails with them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import run
from fake import fake_server
from nagare.limits import Limits
from nagare.wire import encode

CONFIG = """{
  "sources": {"mine": {"type": "client", "live": true, "items": true, "writes": ["change"]}},
  "screens": {"rows": {"viewModel": "list", "source": "mine", "throttle": 0, "detail": "row"}, "row": {"viewModel": "pager", "source": "mine"}}
}"""


def nested(depth: int) -> Any:
    value: Any = 7
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def server(binary: str, folder: Path, *options: str) -> nagare.App:
    (folder / "nagare.json").write_text(CONFIG)
    return nagare.spawn(binary, "--clock", "virtual", "--config", folder / "nagare.json", *options)


def test_a_request_over_a_limit_fails_at_once(nagare_binary: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with server(nagare_binary, tmp_path, "--max-message-size", "2000", "--max-depth", "20") as app:

            @app.source("mine")
            def mine(key: Any, query: str | None, size: int) -> nagare.Page:
                return nagare.Page([{"id": 1}])

            rows = await app.open("rows")
            assert app.limits["messageSize"] == 2000 and app.limits["depth"] == 20
            for value, limit, most in [("x" * 2000, "messageSize", 2000), ("流" * 700, "messageSize", 2000), (nested(30), "depth", 20)]:
                item = {"id": 1, "value": value}
                for request in (rows.call("change", item=item), app.dispatch("a", value), app.open("rows", query=value)):
                    with pytest.raises(nagare.LimitPassed) as caught:
                        await request
                    assert caught.value.data == {"limit": limit, "max": most} and "start the server with" in caught.value.message
                with pytest.raises(nagare.LimitPassed):
                    rows.send("change", item=item)
            with pytest.raises(nagare.LimitPassed):
                await app.dispatch("a", nested(5000))
            await app.ping()

    run(test())


def test_a_message_exactly_at_a_limit_is_sent(nagare_binary: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with server(nagare_binary, tmp_path, "--max-message-size", "500", "--max-depth", "20") as app:
            await app.ping()
            # The size of the message around the text. Ids in this test have one digit.
            around = len(encode({"jsonrpc": "2.0", "id": 4, "method": "ping", "params": {"fill": ""}}))
            await app._call("ping", {"fill": "x" * (500 - around)})
            with pytest.raises(nagare.LimitPassed):
                await app._call("ping", {"fill": "x" * (501 - around)})
            # Depth 20: the message, its params, and 18 more.
            await app._call("ping", {"fill": nested(18)})
            with pytest.raises(nagare.LimitPassed):
                await app._call("ping", {"fill": nested(19)})

    run(test())


@pytest.mark.parametrize("value", ["x" * 2000, nested(30)], ids=["size", "depth"])
def test_an_answer_over_a_limit_is_sent_as_an_error(nagare_binary: str, tmp_path: Path, value: Any) -> None:
    async def test() -> None:
        async with server(nagare_binary, tmp_path, "--max-message-size", "2000", "--max-depth", "20") as app:
            pages = [{"id": 1, "value": value}], [{"id": 1}]

            @app.source("mine")
            def mine(key: Any, query: str | None, size: int) -> nagare.Page:
                return nagare.Page(pages[query is not None])

            @mine.item
            def item(id: Any) -> Any:
                return {"id": id, "whole": value}

            @mine.change
            def change(item: Any) -> None:
                raise nagare.ResponseError(7, "x" * 3000)

            rows = await app.open("rows")
            assert await rows.viewWillAppear() == "failed"
            assert rows.error["code"] == -32005 and "the server reads" in rows.error["message"]
            good = await app.open("rows", query="a")
            assert await good.viewWillAppear() == "finished"
            assert await good.call("change", item={"id": 1, "a": 1}) == "failed"
            assert good.error["code"] == -32005
            pager = await good.select.open(id=1)
            assert pager is not None
            error = await pager.until(lambda view: view.error)
            assert error["code"] == -32005

    run(test())


@pytest.mark.parametrize("value", ["x" * 2000, nested(30)], ids=["size", "depth"])
def test_a_change_over_a_limit_reloads_the_list(nagare_binary: str, tmp_path: Path, value: Any) -> None:
    async def test() -> None:
        async with server(nagare_binary, tmp_path, "--max-message-size", "2000", "--max-depth", "20") as app:
            changes: asyncio.Queue[Any] = asyncio.Queue()
            rows = [{"id": 1}]

            @app.source("mine")
            def mine(key: Any, query: str | None, size: int) -> nagare.Page:
                return nagare.Page(rows)

            @mine.changes
            async def tell() -> AsyncGenerator[Any, None]:
                while True:
                    yield await changes.get()

            view = await app.open("rows")
            await view.viewWillAppear()
            rows[0] = {"id": 1, "short": True}
            changes.put_nowait(nagare.changed({"id": 1, "value": value}))
            assert await view.until(lambda view: view.items[0].get("short"))
            changes.put_nowait(nagare.inserted({"id": 2}))
            assert await view.until(lambda view: len(view.items) == 2)

    run(test())


def test_a_message_that_the_server_cannot_read_fails_its_request() -> None:
    """The server reports no limits. The message's number in the error identifies the request."""

    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            view.send("refresh")
            first, second = (asyncio.ensure_future(view.call("refresh")) for _ in range(2))
            messages = [await fake.next("refresh") for _ in range(3)]
            # The earlier messages were `initialize`, `screens`, `open` and the notification.
            error = {"code": -32700, "message": "nested too deep", "data": {"offset": 9, "message": 6}}
            fake.write({"jsonrpc": "2.0", "id": None, "error": error})
            with pytest.raises(nagare.ParseError) as caught:
                await second
            assert caught.value.data == {"offset": 9, "message": 6} and not first.done()
            for data in (None, {}, {"message": 4}, {"message": 99}, {"message": "5"}, [5]):
                fake.write({"jsonrpc": "2.0", "id": None, "error": {"code": -32005, "message": "no", "data": data}})
            fake.answer(messages[1], {"outcome": "finished"})
            assert await first == "finished"

    run(test())


def test_the_depth_of_a_message_is_counted_correctly_from_its_text() -> None:
    random_ = random.Random(7)

    def value(depth: int) -> tuple[Any, int]:
        if depth == 0 or random_.random() < 0.2:
            return random_.choice(["[{", '"]\\"[', 7, None, "\\", "}" * 9]), 0
        inner = [value(depth - 1) for _ in range(random_.randrange(4))]
        deepest = 1 + max((below for _, below in inner), default=0)
        if random_.random() < 0.5:
            return [one for one, _ in inner], deepest
        return {f'[{{"\\{number}': one for number, (one, _) in enumerate(inner)}, deepest

    for _ in range(500):
        one, depth = value(6)
        Limits(1 << 20, depth).check(encode(one))
        if depth > 0:
            with pytest.raises(nagare.LimitPassed):
                Limits(1 << 20, depth - 1).check(encode(one))
