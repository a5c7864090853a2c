"""The answers to single lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from asking import error, line, load, load_async, say
from hypothesis import given
from hypothesis import strategies as st
from nagare_source import Page, Source
from nagare_source.program import Program


@pytest.mark.parametrize("function", [load, load_async, lambda *given: load_async(*given)])
def test_a_page_contains_the_functions_result(function: Any) -> None:
    said = say(function, line(key={"after": [1.5, "ä"]}, query="q", size=7))
    assert said == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"items": [{"id": [{"after": [1.5, "ä"]}, "q", 7]}], "next": 7},
    }


def test_a_page_can_have_a_previous_key_and_a_total() -> None:
    said = say(lambda *_: Page((), previous="p", total=0), line())
    assert said["result"] == {"items": [], "next": None, "previous": "p", "total": 0}


@pytest.mark.parametrize("id", ["a", 7, -1.5, None, "\u2028"])
def test_the_answer_has_the_id_of_the_request(id: Any) -> None:
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
        ('{"jsonrpc":"2.0","id":4,"method":"source/change","params":{}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/remove","params":{}}', -32602, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"source/fly"}', -32601, 4),
        ('{"jsonrpc":"2.0","id":4,"method":"$/fly"}', -32601, 4),
    ],
)
def test_malformed_requests_are_answered_as_json_rpc_defines(text: str, code: int, id: Any) -> None:
    source = Source(load, insert=lambda item, before: None, change=print, remove=lambda id: None)
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


def test_a_batch_is_answered_by_one_batch() -> None:
    said = say(load, b"[" + line(request="a") + b',5,{"jsonrpc":"2.0","method":"news"},[],' + line("fly", request="b") + b"]")
    assert [(one["id"], one.get("error", {}).get("code")) for one in said] == [
        ("a", None),
        (None, -32600),
        (None, -32600),
        ("b", -32601),
    ]


VALUES = st.recursive(st.none() | st.integers() | st.text(), st.lists)


@given(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_arbitrary_input_never_ends_the_program(text: bytes) -> None:
    said = say(load, text)
    assert said is None or isinstance(said, list) or said["error"]["code"] in (-32700, -32600)


def test_several_sources_are_distinguished_by_name() -> None:
    def named(name: str) -> Source:
        return Source(lambda *_: Page([{"id": name}]))

    sources: Mapping[str, Source] = {"mail": named("mail"), "people": named("people")}
    assert say(sources, line(source="people"))["result"]["items"] == [{"id": "people"}]
    for name in ("cats", None, 5, ["mail"]):
        said = error(sources, line(source=name))
        assert said["code"] == -32010 and "'mail', 'people'" in said["message"]


def test_a_source_without_functions_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'mail' has no functions"):
        Program({"mail": Source()}, 1)


def test_a_source_may_have_no_pages() -> None:
    people = Source(item=lambda id: {"id": id})
    assert say(people, line("source/item", id="mei"))["result"]["item"] == {"id": "mei"}
    assert error(people, line())["message"] == "this source gives no page"
