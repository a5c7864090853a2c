"""The tracker as a process with its own database: view models whose live lists come from a program."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from server import Message, Server, program


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tracker.db"


@pytest.fixture
def tracker(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))
    server = Server(program("TrackerExample"), os.fspath(file))
    server.call("initialize", protocolVersion="1", capabilities={"present": True})
    yield server
    server.kill()


def write(file: Path, statement: str, *values: Any) -> list[Any]:
    with sqlite3.connect(file, timeout=10) as connection:
        return connection.execute(statement, values).fetchall()


def shown(message: Message) -> list[Any]:
    return [item["id"] for item in message["params"]["value"]]


def log_in(tracker: Server, token: str) -> Message:
    tracker.call("open", screen="account", view="me")
    _, before = tracker.call("logIn", view="me")
    (asked,) = [message for message in before if message.get("method") == "present"]
    assert asked["params"]["task"] == {"kind": "login", "title": "Your token"}
    tracker.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": "completed", "value": token}})
    return tracker.hear("user", "error", where=lambda value: value is not None)


def test_an_issue_is_opened_and_answered(tracker: Server, file: Path) -> None:
    tracker.call("open", screen="issues", view="list")
    assert shown(tracker.hear("items", where=len)) == list(range(60, 40, -1))
    tracker.call("filter", view="list", set={"kind": "bug"})
    assert shown(tracker.hear("items", where=lambda items: len(items) == 20 and items[1]["id"] == 57))[0] == 59

    log_in(tracker, "mei")
    _, before = tracker.call("select", view="list", id=59)
    opened = next(message["params"]["value"] for message in before if message.get("method") == "navigate")
    issue = tracker.hear("issue", where=lambda issue: issue is not None)["params"]
    assert opened["screen"] == "issue" and issue["value"]["body"].startswith("# Roof 59")
    answer, _ = tracker.call("comment", view=issue["view"], text="")
    assert answer["error"]["data"] == {"param": "text", "expected": "something to say"}
    tracker.call("comment", view=issue["view"], text="Me, too")
    comments = tracker.hear("comments", where=len)["params"]["value"]
    assert [(comment["author"], comment["text"]) for comment in comments] == [("Mei", "Me, too")]
    write(file, "INSERT INTO comments (issue, author, text) VALUES (59, 'Aoi', 'So do I')")
    assert tracker.hear("comments", where=lambda comments: len(comments) == 2)["params"]["value"][1]["author"] == "Aoi"

    write(file, "INSERT INTO issues (id, title, kind, author) VALUES (70, 'Window is stuck', 'bug', 'Aoi')")
    assert shown(tracker.hear("items", where=lambda items: items[0]["id"] == 70))[:2] == [70, 59]
    _, before = tracker.call("remove", view="list", id=70)
    assert [shown(message)[0] for message in before if message["method"] == "items"] == [59]
    while write(file, "SELECT status FROM issues WHERE id = 70") != [("archived",)]:
        tracker.call("ping")


def test_the_form_and_the_database_refuse_reports(tracker: Server, file: Path) -> None:
    assert log_in(tracker, "nobody")["params"]["value"]["message"] == "Nobody has this token"
    tracker.call("close", view="me")
    log_in(tracker, "aoi")
    tracker.call("open", screen="report", view="form")
    answer, _ = tracker.call("report", view="form", title="No", kind="bug")
    assert answer["error"]["message"] == "'title' must be 3 to 80 characters, not \"No\""
    answer, _ = tracker.call("report", view="form", title="It squeaks", kind="noise")
    assert answer["error"]["data"]["param"] == "kind"
    answer, before = tracker.call("report", view="form", title="Roof 59 がきしむ", kind="bug", wait=True)
    error = next(message["params"]["value"] for message in before if message.get("method") == "error")
    assert answer["result"] == {"outcome": "failed"} and "UNIQUE constraint failed: issues.title" in error["message"]
    answer, _ = tracker.call("report", view="form", title="It squeaks", kind="bug", wait=True)
    assert answer["result"] == {"outcome": "finished"}
    assert write(file, "SELECT author, status FROM issues WHERE title = 'It squeaks'") == [("Aoi", "open")]
