"""Programs that report changes of their rows, also wrongly: the list settles on the program's rows."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_programs import ids
from server import MEBIBYTE, Message, Server, Start, until

# The program's rows are in a file, one id per line, and its states are the numbers of changes. Instructions of a test
# are lines in another file, because a program receives only the server's requests.
PROGRAM = """
import json, os, signal, sys, threading, time

LIFE = len(open("lives").read()) if os.path.exists("lives") else 0
open("lives", "a").write("x")
lock = threading.Lock()

def say(**message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")) + "\\n")
        sys.stdout.flush()

def changed(since, state, changes, **more):
    say(method="source/changed", params={"source": "rows", "query": None, "since": since, "state": state, "changes": changes, **more})

def page(id, rows, state=None, **more):
    say(id=id, result={"items": [{"id": row} for row in rows], **({"state": state} if state else {}), **more})

def requests():
    for line in sys.stdin:
        message = json.loads(line)
        yield message["method"], message.get("id"), message["params"]
"""

ServeLive = Callable[..., Server]


@pytest.fixture
def serve_live(start: Start, tmp_path: Path) -> ServeLive:
    """Serves a list of the rows of a live program."""

    def serve(program: str, *options: str, **screen: Any) -> Server:
        (tmp_path / "rows.py").write_text(PROGRAM + program)
        source = {"type": "command", "command": [sys.executable, "rows.py"], "live": True}
        configuration = {
            "sources": {"rows": source},
            "screens": {"rows": {"viewModel": "list", "source": "rows", "livePace": 0, **screen}},
        }
        path = tmp_path / "nagare.json"
        path.write_text(json.dumps(configuration))
        server = start("--config", str(path), *options)
        server.call("open", screen="rows", view="v")
        server.notify("viewWillAppear", view="v")
        return server

    return serve


def listed(server: Server, *rows: Any) -> Message:
    """Waits until these rows are listed."""
    return server.hear("items", where=lambda value: [item["id"] for item in value] == list(rows))


def test_a_change_is_listed(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch": say(id=id, result={"state": "1"})
    if method == "source/page":
        page(id, ["a", "b"], "1")
        changed("1", "2", [{"insert": {"id": "x"}}, {"remove": "a"}])
"""
    )
    assert ids(listed(server, "x", "b")) == ["x", "b"]


def test_a_killed_program_restarts_and_reports_the_missed_changes(serve_live: ServeLive) -> None:
    """rules: 6.4.11, 6.6.8"""
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch" and LIFE == 0: say(id=id, result={"state": "1"})
    elif method == "source/watch":
        assert params["since"] == "2", params
        say(id=id, result={"state": "3", "changes": [{"insert": {"id": "missed"}}]})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"insert": {"id": "b"}}])
        os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    listed(server, "missed", "b", "a")


def test_a_program_that_keeps_dying_restarts_with_pauses(serve_live: ServeLive, tmp_path: Path) -> None:
    """rules: 6.4.11"""
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/page": page(id, ["a"], "1")
    if method == "source/watch":
        say(id=id, result={"state": "1"})
        if LIFE > 0: sys.exit(1)
    if method == "source/page": sys.exit(1)
"""
    )
    listed(server, "a")
    # Three pauses of at least half a second are over before the program starts for the fourth time.
    for _ in range(5):
        server.call("ping")
    assert len((tmp_path / "lives").read_text()) <= 2


def test_a_program_that_never_answers_the_watch_still_has_a_list(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"remove": "a"}])
"""
    )
    listed(server, "a")
    assert server.call("ping")[1][-2:][0]["method"] in ("loading", "state")
    server.call("close", view="v")


def test_a_wrong_since_causes_a_new_watch(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch" and params["since"] is None: say(id=id, result={"state": "1"})
    elif method == "source/watch":
        assert params["since"] == "1", params
        say(id=id, result={"state": "7", "changes": [{"insert": {"id": "true"}}]})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("lie", "2", [{"remove": "a"}])
"""
    )
    listed(server, "true", "a")


def test_changes_before_the_watch_are_ignored(serve_live: ServeLive) -> None:
    server = serve_live(
        """
changed(None, None, [{"insert": {"id": "early"}}])
for method, id, params in requests():
    if method == "source/watch":
        changed(None, "0", [{"insert": {"id": "early"}}])
        say(id=id, result={"state": "1"})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"insert": {"id": "x"}}])
"""
    )
    listed(server, "x", "a")


def test_a_million_changes_at_once_are_applied(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch": say(id=id, result={"state": "1"})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"remove": row} for row in range(1_000_000)])
        changed("2", "3", [{"insert": {"id": "x"}}])
""",
        "--max-message-size",
        str(64 << 20),
    )
    listed(server, "x", "a")
    assert server.call("ping")[0]["result"] == {}


def test_changes_during_a_load_that_never_ends_cost_little(serve_live: ServeLive, tmp_path: Path) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch": say(id=id, result={"state": "0"})
    if method == "source/page" and params["key"] is None: page(id, ["a", "b"], "0", next=2)
    if method == "source/page" and params["key"] == 2:
        while not os.path.exists("go"): time.sleep(0.001)
        for state in range(400_000):
            changed(str(state), str(state + 1), [{"change": {"id": "a", "text": "x" * 100}}])
        open("done", "w").close()
"""
    )
    listed(server, "a", "b")
    server.notify("reachBottom", view="v")
    server.hear("loading", where=lambda value: value is True)
    before = server.resident()
    (tmp_path / "go").touch()
    until((tmp_path / "done").exists)
    server.call("ping")
    assert server.resident() < before + 40 * MEBIBYTE


def test_broken_items_are_reported_once_and_the_others_count(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch": say(id=id, result={"state": "1"})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"insert": {"n": row}} for row in range(1000)] + [{"insert": {"id": "x"}}, 5, {"insert": []}])
"""
    )
    listed(server, "x", "a")
    told = server.hear("error")["params"]["value"]
    assert (told["code"], told["trigger"], told["number"]) == (-32013, "changed", 1)
    assert "changes[0]" in told["message"] and "1001 more" in told["message"]


def test_unwatched_changes_cost_nothing(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch": say(id=id, result={"state": "1"})
    if method == "source/page":
        page(id, ["a"], "1")
        for query in range(20_000):
            say(method="source/changed", params={"source": "rows", "query": str(query), "changes": [{"insert": {"id": query, "text": "x" * 1000}}]})
            say(method="source/changed", params={"source": str(query), "changes": [{"insert": {"id": query}}]})
        changed("1", "2", [{"insert": {"id": "x"}}])
"""
    )
    listed(server, "a")
    before = server.resident()
    listed(server, "x", "a")
    assert server.resident() - before < 8 << 20


def test_a_change_of_16_mib_is_applied_and_a_larger_one_is_a_gap(serve_live: ServeLive) -> None:
    server = serve_live(
        """
for method, id, params in requests():
    if method == "source/watch" and params["since"] is None: say(id=id, result={"state": "1"})
    elif method == "source/watch": say(id=id, result={"state": "4", "changes": [{"remove": "large"}]})
    if method == "source/page":
        page(id, ["a"], "1")
        changed("1", "2", [{"insert": {"id": "large", "text": "x" * (16 * 2**20 - 1000)}}])
        changed("2", "3", [{"insert": {"id": "too large", "text": "x" * (17 * 2**20)}}])
        changed("3", "4", [])
"""
    )
    listed(server, "large", "a")
    listed(server, "a")


def test_a_watch_with_an_unusable_answer_is_repeated(serve_live: ServeLive) -> None:
    server = serve_live(
        """
asked = 0
for method, id, params in requests():
    if method == "source/page": page(id, ["a"] if asked < 3 else ["a", "b"], "1")
    if method == "source/watch":
        asked += 1
        changes = "[" * 600 + "]" * 600 if asked == 1 else '"' + "x" * (17 * 2**20) + '"'
        if asked < 3: print(f'{{"jsonrpc":"2.0","id":{id},"result":{{"state":"1","changes":{changes}}}}}', flush=True)
        else: say(id=id, result={"state": "1"})
        if asked == 3: changed("1", "2", [{"insert": {"id": "x"}}])
"""
    )
    failure = server.hear("error", where=lambda value: value and "nested deeper" in value["message"])["params"]["value"]
    assert (failure["code"], failure["trigger"], failure["retryable"]) == (-32012, "changed", True)
    failure = server.hear("error", where=lambda value: value and "--max-message-size" in value["message"])
    assert failure["params"]["value"]["code"] == -32012
    server.hear("error", where=lambda value: value is None)
    listed(server, "x", "a", "b")
