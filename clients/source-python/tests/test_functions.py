"""The results and errors of a source's functions, and how they run concurrently."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncGenerator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID

import pytest
from asking import PATIENCE, ask, cancel, error, line, load, run, say
from conftest import List
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import Page, Progress, Source, SourceError, inserted, removed
from nagare_source.program import Program
from nagare_source.wire import decode_row


def test_an_error_keeps_its_code_and_whether_it_is_retryable() -> None:
    def refuse(key: Any, query: str | None, size: int) -> Page:
        raise SourceError(42, "not today", retryable=query == "later")

    assert error(refuse, line()) == {"code": 42, "message": "not today"}
    assert error(refuse, line(query="later")) == {"code": 42, "message": "not today", "data": {"retryable": True}}


@pytest.mark.parametrize(
    "value, result",
    [
        ({"item": {"id": 7}}, {"item": {"id": 7}}),
        ({"id": 7}, {"id": 7}),
        ({"item": {"id": 7}, "id": 8}, {"item": {"id": 7}}),
        *((other, {}) for other in (None, 1, "id", ["id"], {}, {"id": None}, {"title": "id"})),
    ],
)
def test_an_insertion_or_a_change_is_answered_with_the_item_or_the_id_that_the_function_returns(value: Any, result: Any) -> None:
    source = Source(insert=lambda item, before: value, change=lambda item: value, remove=lambda id: value)
    assert say(source, line("source/insert", item={"id": "new"}, before=None))["result"] == result
    assert say(source, line("source/change", item={"id": "new"}))["result"] == result
    assert say(source, line("source/remove", id="new"))["result"] == {}


def test_the_last_page_may_be_open() -> None:
    assert say(Source(lambda key, query, size: Page([], open=True)), line())["result"] == {"items": [], "next": None, "open": True}


@pytest.mark.parametrize("is_async", [False, True])
def test_a_page_function_reports_its_progress(is_async: bool) -> None:
    def load(key: Any, query: str | None, size: int, progress: Progress) -> Page:
        progress(1, of=4, unit="rows")
        progress(2)
        return Page([])

    async def load_async(key: Any, query: str | None, size: int, progress: Progress) -> Page:
        return load(key, query, size, progress)

    async def scenario() -> None:
        said: list[Any] = []
        program = Program(load_async if is_async else load, 1, lambda text: said.append(json.loads(text)))
        assert (await ask(program, line(request="p")))["result"]["items"] == []
        assert [one["method"] for one in said] == ["source/progress"] * 2
        assert [one["params"] for one in said] == [{"request": "p", "done": 1, "of": 4, "unit": "rows"}, {"request": "p", "done": 2}]

    run(scenario())


def test_progress_reaches_the_screen(tmp_path: Path, list_of: List) -> None:
    (tmp_path / "slow.py").write_text(
        '''
import time
from pathlib import Path
from nagare_source import Page, run
def load(key, query, size, progress):
    for number in range(3):
        progress(number, of=3, unit="files")
    while not Path("seen").exists():
        time.sleep(0.01)
    return Page([{"id": 1}])
run(load)
'''
    )
    source = {"type": "command", "command": ["python3", "slow.py"]}
    configuration = {"sources": {"slow": source}, "screens": {"rows": {"viewModel": "list", "source": "slow"}}}
    (tmp_path / "nagare.json").write_text(json.dumps(configuration))
    listing = list_of(tmp_path / "nagare.json", "rows")
    listing.server.notify("viewWillAppear", view="v")
    listing.until_true(lambda: listing.last.get("state", {}).get("progress") == {"done": 2, "of": 3, "unit": "files"})
    (tmp_path / "seen").touch()
    listing.until([1])


@pytest.mark.parametrize("raised", [KeyError("subject"), StopIteration(), ValueError("no such\ntable"), OSError()])
def test_an_unexpected_exception_becomes_an_error_and_prints_a_traceback(
    raised: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(key: Any, query: str | None, size: int) -> Page:
        raise raised

    said = error(fail, line())
    assert said["code"] == -32603 and type(raised).__name__ in said["message"] and str(raised) in said["message"]
    assert "in fail" in capsys.readouterr().err


@pytest.mark.parametrize("given", [None, [], {"items": []}, 5])
def test_a_page_function_without_a_page_is_an_error(given: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert error(lambda *_: given, line())["code"] == -32603
    assert capsys.readouterr().err


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("odd", "shown"),
    [
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (b"\x00\xff", "\\x00ff"),
        (memoryview(b"a"), "\\x61"),
        (Decimal("Infinity"), "Infinity"),
        (timedelta(days=1), "1 day, 0:00:00"),
        (complex(1, 2), "(1+2j)"),
        ({1, }, "{1}"),
        (Path("/a"), "/a"),
        ({(1, 2): float("inf")}, {"(1, 2)": "Infinity"}),
        ([b"", [float("nan")]], ["\\x", ["NaN"]]),
        ("\ud800", "\ud800"),
        (nested(400), nested(400)),
        ("x" * 17_000_000, "x" * 10_000 + "…"),
        (b"x" * 17_000_000, "\\x" + "78" * 10_000 + "…"),
    ],
)
def test_an_item_that_json_cannot_represent_does_not_affect_others(odd: Any, shown: Any) -> None:
    """In pages, as a full item, and in changes."""
    items = [{"id": 1, "n": 1}, {"id": 2, "n": odd}, {"id": 3, "n": 3}]
    assert say(lambda *_: Page(items), line())["result"]["items"] == [items[0], {"id": 2, "n": shown}, items[2]]
    source = Source(lambda *_: Page(items), item=lambda id: items[1])
    assert say(source, line("source/item", id=2))["result"]["item"] == {"id": 2, "n": shown}

    async def scenario() -> Any:
        told: asyncio.Queue[Any] = asyncio.Queue()

        async def changes() -> AsyncGenerator[Any, None]:
            yield [inserted(item) for item in items]

        program = Program(Source(lambda *_: Page(items), changes=changes), 1, lambda text: told.put_nowait(json.loads(text)))
        await program.answer(line("source/watch"))
        return await told.get()

    assert [one["insert"] for one in run(scenario())["params"]["changes"]] == [items[0], {"id": 2, "n": shown}, items[2]]


@pytest.mark.parametrize("levels", [495, 600, 3000, 100_000])
def test_a_value_nested_too_deeply_for_a_message_is_cut(levels: int, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run(Program(lambda *_: Page([{"id": 1}, {"id": 2, "n": nested(levels)}, {"id": 3}]), 1).answer(line()))
    assert answer.count(b"[") <= 500 and [item["id"] for item in json.loads(answer)["result"]["items"]] == [1, 2, 3]
    assert "nested" in capsys.readouterr().err or levels == 495


VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text('"\\\\[]{},: \nü', max_size=6), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\\\[]{},:', max_size=3), inner, max_size=3))


@given(st.dictionaries(st.text('"\\\\[]{},: \nü', max_size=4), VALUES, max_size=4), st.sampled_from([(",", ":"), (", ", " : ")]), st.booleans())
def test_a_row_with_a_field_that_is_too_deep_is_decoded_field_by_field(row: dict[str, Any], separators: tuple[str, str], ascii: bool) -> None:
    deep = "[" * 2000 + "]" * 2000
    text = json.dumps(row, separators=separators, ensure_ascii=ascii)
    text = text[:-1] + (separators[0] if row else "") + f'"the deep one"{separators[1]}{deep}}}'
    assert decode_row(text) == row | {"the deep one": deep}


def test_a_page_too_large_for_a_message_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    large = Page([{"id": number, "text": "x" * 9_000_000} for number in range(2)])
    assert "give fewer items" in error(lambda *_: large, line())["message"]


def test_changes_too_large_for_a_message_reload_the_list() -> None:
    async def scenario() -> list[Any]:
        told: asyncio.Queue[Any] = asyncio.Queue()

        async def changes() -> AsyncGenerator[Any, None]:
            yield [inserted({"id": number, "text": "x" * 9_000_000}) for number in range(2)]
            yield removed(1)

        program = Program(Source(lambda *_: Page([]), changes=changes), 1, lambda text: told.put_nowait(json.loads(text)))
        await program.answer(line("source/watch"))
        return [await told.get() for _ in range(2)]

    assert [one["params"]["changes"] for one in run(scenario())] == ["all", [{"remove": 1}]]


def test_values_of_databases_are_converted_to_json() -> None:
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


def test_numbers_of_any_size_are_received_and_sent_without_loss() -> None:
    rows: list[Any] = []
    source = Source(lambda key, query, size: Page(rows, next=key), insert=lambda item, before: rows.append(item))
    numbers = ["9007199254740993", "7" * 5000, "1E+400", "-1E-400", "1.5", "0.12345678901234567890123", "0.10000000000000001", "1e1000000000000000000"]
    item = '{"id":%s,"more":[{"all":[%s],"text":"é"}]}' % (numbers[1], ",".join(numbers))
    inserting = '{"jsonrpc":"2.0","id":1,"method":"source/insert","params":{"item":%s,"before":null}}' % item
    assert say(source, inserting.encode())["result"] == {}
    rows.append(MappingProxyType({"on": date(2026, 11, 21), 1: Decimal("1.50"), "row": rows[0]["more"]}))
    asking = '{"jsonrpc":"2.0","id":1,"method":"source/page","params":{"key":1E+400,"size":2}}'
    answer = asyncio.run(Program(source, 1).answer(asking.encode()))
    assert answer is not None
    other = '{"on":"2026-11-21","1":"1.50","row":[{"all":[%s],"text":"é"}]}' % ",".join(numbers)
    assert answer.decode() == '{"jsonrpc":"2.0","id":1,"result":{"items":[%s,%s],"next":1E+400}}' % (item, other)


def test_edits_are_made_or_refused() -> None:
    made: list[Any] = []
    source = Source(load)

    @source.insert
    def insert(item: Any, before: Any) -> None:
        made.append((item, before))

    @source.change
    def change(item: Any) -> None:
        made.append(item)

    @source.remove
    async def remove(id: Any) -> None:
        raise SourceError(9, "locked")

    assert say(source, line("source/insert", item={"id": "c"}, before="a"))["result"] == {}
    assert say(source, line("source/insert", item={"id": "d"}, before=None))["result"] == {}
    assert say(source, line("source/change", item={"id": "c", "n": 1}))["result"] == {}
    assert made == [({"id": "c"}, "a"), ({"id": "d"}, None), {"id": "c", "n": 1}]
    assert error(source, line("source/remove", id="b")) == {"code": 9, "message": "locked"}
    assert error(load, line("source/remove", item=1)) == {"code": -32601, "message": "this source takes no remove"}


def test_edits_run_in_order_and_pages_do_not_wait_for_them() -> None:
    """A plain edit that waits delays the next `async` edit, but no page."""
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


def test_a_request_of_an_async_function_can_be_cancelled() -> None:
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


def test_a_plain_function_can_be_cancelled_only_before_it_starts() -> None:
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
    """Each function waits for the other."""
    both = threading.Barrier(2)

    def meet(key: Any, query: str | None, size: int) -> Page:
        both.wait(PATIENCE)
        return Page([])

    async def scenario() -> list[Any]:
        program = Program(meet, 2)
        return await asyncio.gather(*(ask(program, line(request=id)) for id in range(6)))

    assert all("result" in one for one in run(scenario()))


def fails(text: str) -> Any:
    raise ValueError(text)


async def changes_that_fail(since: str | None) -> Any:
    fails("in changes")
    yield


@pytest.mark.parametrize("is_async", [False, True])
def test_an_exception_names_the_file_and_line_that_raised_it(is_async: bool, capsys: pytest.CaptureFixture[str]) -> None:
    async def load(*_: Any) -> Page:
        return Page([json.loads("{")])

    raised = fails.__code__.co_firstlineno + 1
    assert error(lambda *_: fails("bad"), line())["message"] == f"ValueError: bad (test_functions.py, line {raised}; --log shows more)"
    called = load.__code__.co_firstlineno + 1
    message = error(load if is_async else lambda *_: asyncio.run(load()), line())["message"]
    # The line isn't that of Python's own module.
    assert message.startswith("JSONDecodeError: ") and message.endswith(f"(test_functions.py, line {called}; --log shows more)")
    assert error(cast(Any, lambda *_: None), line())["message"] == "TypeError: a page function gave a NoneType, not a Page"
    source = Source(load)
    source.changes(changes_that_fail)
    message = error(source, line("source/watch"))["message"]
    assert message == f"ValueError: in changes (test_functions.py, line {raised}; --log shows more)"
    assert "Traceback" in capsys.readouterr().err
