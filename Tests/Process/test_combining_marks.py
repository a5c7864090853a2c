"""The cost of a text depends on its length, whatever it contains.

Comparing or hashing a text by its appearance takes time that grows with the square of the combining marks on one
letter. In these tests that would take so long that no server would finish.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from command_programs import PRELUDE
from server import Message, Server, Start

MARKS = "\u0301\u0323" * 200_000
CONFIGURATION = {
    "sources": {"mine": {"type": "client"}},
    "stores": {"s": {"k": "x", "o": {"a": 1}}},
    "screens": {
        "l": {"viewModel": "list", "source": "mine"},
        "found": {"viewModel": "list", "source": "mine", "query": {"store": "s.k"}},
        "search": {"viewModel": "search", "source": "mine"},
        "c": {"viewModel": "choice", "choices": ["a"], "store": "s.k"},
        "t": {"viewModel": "task", "tasks": [{"input": "rename", "output": "name", "task": {"kind": "other"}}]},
    },
}


def request(method: str, **params: Any) -> Message:
    return {"id": "marks", "method": method, "params": params}


REQUESTS: dict[str, Message] = {
    "method": request("p" + MARKS),
    "jsonrpc": {**request("ping"), "jsonrpc": "2.0" + MARKS},
    "id": {**request("ping"), "id": "i" + MARKS},
    "member": {**request("ping"), "i" + MARKS: 1},
    "cancel": request("$/cancelRequest", id="i" + MARKS),
    "screen": request("open", screen="l" + MARKS),
    "view": request("open", screen="l", view="v" + MARKS),
    "view-that-is-meant": request("outputs", view="v" + MARKS),
    "parameter": request("outputs", view="v", **{"view" + MARKS: 1}),
    "unknown-parameter": request("open", screen="l", params={"q" + MARKS: 1}),
    "unknown-parameter-of-marks": request("open", screen="l", params={MARKS: 1}),
    "enumeration": request("open", screen="l", params={"onRefresh": "keep" + MARKS}),
    "query": request("open", screen="l", params={"query": "q" + MARKS}),
    "searched": request("search", view="search", text="q" + MARKS),
    "action": request("dispatch", action={"type": "s.k" + MARKS}),
    "action-value": request("dispatch", action={"type": "s.k", "value": "x" + MARKS}),
    "action-member": request("dispatch", action={"type": "s.o", "value": {"a" + MARKS: 1}}),
    "capability": request("initialize", protocolVersion="1", capabilities={"sources": ["mine" + MARKS]}),
    "version": request("initialize", protocolVersion="1" + MARKS),
    "item": request("select", view="v", id="i" + MARKS),
    "chosen": request("choose", view="c", id="a" + MARKS),
}

ANSWERS: dict[str, Message] = {
    "result-member": {"result": {"items": [], "items" + MARKS: 1}},
    "item-member": {"result": {"items": [{"id": 1, "id" + MARKS: 1}]}},
    "item-id": {"result": {"items": [{"id": "i" + MARKS}]}},
    "next": {"result": {"items": [{"id": 1}], "next": "n" + MARKS}},
    "items": {"result": {"items": "i" + MARKS}},
    "error": {"error": {"code": 1, "message": "e" + MARKS}},
    "error-member": {"error": {"code": 1, "message": "e", "data": {"retryable" + MARKS: True}}},
    "message-member": {"result": {"items": []}, "result" + MARKS: 1},
}


def say(server: Server, message: Message) -> None:
    """Sends a message without escapes."""
    server.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")


@pytest.fixture
def server(start: Start, tmp_path: Path) -> Server:
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps(CONFIGURATION))
    return start("--config", str(path))


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_with_many_marks_is_answered(server: Server, name: str) -> None:
    for screen, view in {"l": "v", "c": "c", "search": "search"}.items():
        server.call("open", screen=screen, view=view)
    say(server, REQUESTS[name])
    # Twice, because the second is compared with what was kept of the first.
    say(server, REQUESTS[name])
    server.call("ping")


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_with_many_marks_is_accepted(server: Server, name: str) -> None:
    server.call("initialize", protocolVersion="1", capabilities={"sources": ["mine"]})
    server.call("open", screen="l", view="v")
    for _ in range(2):
        server.notify("refresh", view="v")
        while "id" not in (asked := server.next()):
            pass
        say(server, {"id": asked["id"], **ANSWERS[name]})
    server.call("ping")


def test_an_outcome_with_many_marks_is_accepted(server: Server) -> None:
    server.call("initialize", protocolVersion="1", capabilities={"present": True})
    server.call("open", screen="t", view="v")
    server.notify("rename", view="v")
    while "id" not in (asked := server.next()):
        pass
    say(server, {"id": asked["id"], "result": {"outcome": "completed" + MARKS}})
    server.call("ping")


def test_a_program_s_message_with_many_marks_is_read(start: Start, tmp_path: Path) -> None:
    marks = 'marks = "\\u0301\\u0323" * 200_000\n'
    program = """
for id, params in requests():
    for message in [{"id": 1, "method": "m" + marks}, {"method": "m" + marks}, {"id": id, "result": {"items": [], "items" + marks: 1}}]:
        print(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False), flush=True)
"""
    (tmp_path / "rows.py").write_text(PRELUDE + marks + program)
    sources = {"rows": {"type": "command", "command": [sys.executable, "rows.py"]}}
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps({"sources": sources, "screens": {"l": {"viewModel": "list", "source": "rows"}}}))
    server = start("--config", str(path))
    server.call("open", screen="l", view="v")
    server.notify("viewWillAppear", view="v")
    server.hear("state", where=lambda state: state["phase"] in ("reachedBottom", "failed"))
    server.call("ping")


@pytest.mark.parametrize(
    "faulty",
    [
        {"screens" + MARKS: {}},
        {"screens": {"a" + MARKS: {"viewModel": "list" + MARKS, "source": "a" + MARKS}}},
        {"screens": {}, "stores": {"a" + MARKS: {"b" + MARKS: 1}, "a" + MARKS[:-2]: {}}},
        {"screens": {"t": {"viewModel": "task", "tasks": [{"input": "_" + MARKS, "output": "_" + MARKS, "task": {"kind": "login" + MARKS}}]}}},
        {"screens": {}, "sources": {"s": {"type": "http", "url": "https://a.b/{page" + MARKS + "}/{" + MARKS + "?x=" + MARKS}}},
        {"screens": {}, "sources": {"s": {"type": "http", "url": "https://a.b/", "next": {"by": "page" + MARKS}}}},
        {
            "sources": {"s": {"type": "client"}},
            "screens": {
                "a" + MARKS: {
                    "viewModel": "list",
                    "source": "s",
                    "display": {
                        "title": "t" + MARKS,
                        "actions": [
                            {"input": "remove" + MARKS, "key": "k" + MARKS},
                            {"input": "remove", "key": "k" + MARKS, "params": {"id" + MARKS: "{id" + MARKS + "}"}},
                        ],
                    },
                }
            },
        },
    ],
    ids=["member", "screen", "store", "task", "url", "next", "display"],
)
def test_a_configuration_with_many_marks_is_read(start: Start, tmp_path: Path, faulty: Any) -> None:
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps(faulty, ensure_ascii=False))
    server = start("--config", str(path))
    server.close()
    assert server.ends() in (0, 78)
