"""What is answered to which line."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Coroutine, Mapping
from datetime import date, datetime, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import Page, Source, SourceError
from nagare_source.program import Program, Sources

Message = dict[str, Any]
PATIENCE = 20.0


def load(key: Any, query: str | None, size: int) -> Page:
    return Page([{"id": [key, query, size]}], next=size)


async def load_async(key: Any, query: str | None, size: int) -> Page:
    await asyncio.sleep(0)
    return load(key, query, size)


def line(method: str = "source/page", *, request: Any = 1, **params: Any) -> bytes:
    params = {"source": "rows", "key": None, "query": None, "size": 2, **params}
    return json.dumps({"jsonrpc": "2.0", "id": request, "method": method, "params": params}).encode()


def cancel(id: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}).encode()


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, PATIENCE))


async def ask(program: Program, text: bytes) -> Any:
    answer = await program.answer(text)
    return None if answer is None else json.loads(answer)


def say(sources: Sources, text: bytes) -> Any:
    """What a program answers to one line."""
    return run(ask(Program(sources, 2), text))


def error(sources: Sources, text: bytes) -> Message:
    said: Message = say(sources, text)["error"]
    return said


@pytest.mark.parametrize("function", [load, load_async, lambda *given: load_async(*given)])
def test_a_page_is_what_the_function_gives(function: Any) -> None:
    said = say(function, line(key={"after": [1.5, "ä"]}, query="q", size=7))
    assert said == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"items": [{"id": [{"after": [1.5, "ä"]}, "q", 7]}], "next": 7},
    }


def test_a_page_may_name_the_one_before_and_how_many_there_are() -> None:
    said = say(lambda *_: Page((), previous="p", total=0), line())
    assert said["result"] == {"items": [], "next": None, "previous": "p", "total": 0}


@pytest.mark.parametrize("id", ["a", 7, -1.5, None, "\u2028"])
def test_the_id_comes_back(id: Any) -> None:
    assert say(load, line(request=id))["id"] == id


PAGE = '"method":"source/page","params":{"size":1}'


@pytest.mark.parametrize(
    ("text", "code", "id"),
    [
        ("nonsense", -32700, None),
        ('{"jsonrpc":"2.0","id":1,', -32700, None),
        ("[" * 200_000, -32700, None),
        ("NaN", -32700, None),
        ("\udcff", -32700, None),
        ("7", -32600, None),
        ("[]", -32600, None),
        ("{}", -32600, None),
        ('{"jsonrpc":"2.0","id":4}', -32600, 4),
        ('{"jsonrpc":"2.0","id":4,"method":5}', -32600, 4),
        ('{"jsonrpc":"2.0","id":true,%s}' % PAGE, -32600, None),
        ('{"jsonrpc":"2.0","id":[1],%s}' % PAGE, -32600, None),
        ('{"jsonrpc":"1.0","id":4,%s}' % PAGE, -32600, 4),
        ('{"id":4,%s}' % PAGE, -32600, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page","params":5}', -32600, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page","params":[5]}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page"}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page","params":{"size":0}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page","params":{"size":true}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/page","params":{"size":1,"query":3}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/insert","params":{}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/remove","params":{}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/fly"}', -32601, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"$/fly"}', -32601, 4),
    ],
)
def test_what_is_malformed_is_answered_as_json_rpc_says(text: str, code: int, id: Any) -> None:
    source = Source(load, insert=lambda item, before: None, remove=lambda id: None)
    said = say(source, text.encode("utf-8", "surrogateescape"))
    assert said["jsonrpc"] == "2.0" and said["id"] == id
    assert said["error"]["code"] == code and said["error"]["message"]


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","method":"news"}',
        '{"jsonrpc":"2.0","method":"source/page","params":{"size":1}}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":5}',
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
        '[{"jsonrpc":"2.0","method":"news"}]',
    ],
)
def test_notifications_and_responses_are_not_answered(text: str) -> None:
    assert say(load, text.encode()) is None


def test_a_batch_is_answered_by_one() -> None:
    said = say(load, b"[" + line(request="a") + b',5,{"jsonrpc":"2.0","method":"news"},[],' + line("fly", request="b") + b"]")
    assert [(one["id"], one.get("error", {}).get("code")) for one in said] == [
        ("a", None),
        (None, -32600),
        (None, -32600),
        ("b", -32601),
    ]


VALUES = st.recursive(st.none() | st.integers() | st.text(), st.lists)


@given(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_no_line_ends_the_program(text: bytes) -> None:
    said = say(load, text)
    assert said is None or isinstance(said, list) or said["error"]["code"] in (-32700, -32600)


def test_an_error_passes_with_its_code_and_whether_to_try_again() -> None:
    def refuse(key: Any, query: str | None, size: int) -> Page:
        raise SourceError(42, "not today", retryable=query == "later")

    assert error(refuse, line()) == {"code": 42, "message": "not today"}
    assert error(refuse, line(query="later")) == {"code": 42, "message": "not today", "data": {"retryable": True}}


@pytest.mark.parametrize("raised", [KeyError("subject"), StopIteration(), ValueError("no such\ntable"), OSError()])
def test_an_unexpected_exception_is_an_error_and_a_traceback(
    raised: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(key: Any, query: str | None, size: int) -> Page:
        raise raised

    said = error(fail, line())
    assert said["code"] == -32603 and type(raised).__name__ in said["message"] and str(raised) in said["message"]
    assert "in fail" in capsys.readouterr().err


@pytest.mark.parametrize("given", [None, [], {"items": []}, Page([{"id": float("nan")}]), Page([{"id": object()}])])
def test_what_is_no_page_is_an_error(given: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert error(lambda *_: given, line())["code"] == -32603
    assert capsys.readouterr().err


def test_what_databases_give_can_be_said() -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    items: list[Any] = [
        database.execute("SELECT 1 AS id, 'a' AS text").fetchone(),
        MappingProxyType({"id": UUID(int=5), "lone": "\ud800"}),
        {"id": Decimal("1.50"), "on": date(2026, 11, 21), "at": datetime(2026, 11, 21, 8, tzinfo=timezone.utc)},
    ]
    assert say(lambda *_: Page(items), line())["result"]["items"] == [
        {"id": 1, "text": "a"},
        {"id": "00000000-0000-0000-0000-000000000005", "lone": "\ud800"},
        {"id": "1.50", "on": "2026-11-21", "at": "2026-11-21T08:00:00+00:00"},
    ]


def test_several_sources_go_by_their_names() -> None:
    def named(name: str) -> Source:
        return Source(lambda *_: Page([{"id": name}]))

    sources: Mapping[str, Source] = {"mail": named("mail"), "people": named("people")}
    assert say(sources, line(source="people"))["result"]["items"] == [{"id": "people"}]
    for name in ("cats", None, 5, ["mail"]):
        said = error(sources, line(source=name))
        assert said["code"] == -32010 and "'mail', 'people'" in said["message"]


def test_a_source_without_pages_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'mail' has no function for its pages"):
        Program({"mail": Source(remove=lambda id: None)}, 1)


def test_edits_are_made_or_refused() -> None:
    made: list[Any] = []
    source = Source(load)

    @source.insert
    def insert(item: Any, before: Any) -> None:
        made.append((item, before))

    @source.remove
    async def remove(id: Any) -> None:
        raise SourceError(9, "locked")

    assert say(source, line("source/insert", item={"id": "c"}, before="a"))["result"] == {}
    assert say(source, line("source/insert", item={"id": "d"}, before=None))["result"] == {}
    assert made == [({"id": "c"}, "a"), ({"id": "d"}, None)]
    assert error(source, line("source/remove", id="b")) == {"code": 9, "message": "locked"}
    assert error(load, line("source/remove", item=1)) == {"code": -32601, "message": "this source takes no remove"}


def test_edits_are_made_in_their_order_and_pages_pass_them() -> None:
    """A plain edit that waits holds up the `async` one behind it, and no page."""
    made: list[str] = []
    paged = threading.Event()

    def insert(item: Any, before: Any) -> None:
        assert paged.wait(PATIENCE)
        made.append("insert")

    async def remove(id: Any) -> None:
        made.append("remove")

    def page(key: Any, query: str | None, size: int) -> Page:
        made.append("page")
        paged.set()
        return Page([])

    async def scenario() -> None:
        program = Program(Source(page, insert=insert, remove=remove), 2)
        lines = [line("source/insert", request=1, item={}), line("source/remove", request=2, id=5), line(request=3)]
        await asyncio.gather(*map(program.answer, lines))

    run(scenario())
    assert made == ["page", "insert", "remove"]


def test_an_async_function_is_cancelled() -> None:
    async def scenario() -> Any:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def hang(key: Any, query: str | None, size: int) -> Page:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

        program = Program(hang, 1)
        asking = asyncio.ensure_future(ask(program, line(request="x")))
        await begun.wait()
        assert await ask(program, cancel("y")) is None
        assert not asking.done()
        assert await ask(program, cancel("x")) is None
        await ended.wait()
        return await asking

    assert run(scenario()) == {
        "jsonrpc": "2.0",
        "id": "x",
        "error": {"code": -32800, "message": "the request was cancelled"},
    }


def test_a_plain_function_that_waits_for_a_thread_is_cancelled_and_one_that_runs_runs_on() -> None:
    called: list[Any] = []
    begun, go = threading.Event(), threading.Event()

    def wait(key: Any, query: str | None, size: int) -> Page:
        called.append(key)
        begun.set()
        assert go.wait(PATIENCE)
        return Page([])

    async def scenario() -> None:
        program = Program(wait, 1)
        asking = [asyncio.ensure_future(ask(program, line(request=id, key=id))) for id in (1, 2, 3)]
        await asyncio.to_thread(begun.wait, PATIENCE)
        await ask(program, cancel(1))
        await ask(program, cancel(2))
        assert (await asking[1])["error"]["code"] == -32800
        go.set()
        assert (await asking[0])["error"]["code"] == -32800
        assert "result" in await asking[2]

    run(scenario())
    assert called == [1, 3]


def test_plain_functions_run_at_the_same_time() -> None:
    """Each waits for the other one."""
    both = threading.Barrier(2)

    def meet(key: Any, query: str | None, size: int) -> Page:
        both.wait(PATIENCE)
        return Page([])

    async def scenario() -> list[Any]:
        program = Program(meet, 2)
        return await asyncio.gather(*(ask(program, line(request=id)) for id in range(6)))

    assert all("result" in one for one in run(scenario()))
