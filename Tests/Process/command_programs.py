"""Helpers for the tests of command sources: writing programs and reading results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server import Message, Server, until

ServeProgram = Callable[..., Server]

# The beginning of each program: iterating over its requests, and answering them.
PRELUDE = """
import json, os, signal, subprocess, sys, time

def requests():
    for line in sys.stdin:
        message = json.loads(line)
        if message["method"] == "source/page":
            yield message["id"], message["params"]

def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def page(id, *items, **more):
    say({"id": id, "result": {"items": [{"id": item} for item in items], **more}})

def leave(name, text):
    with open(name + ".new", "w") as file:
        file.write(str(text))
    os.rename(name + ".new", name)
"""
ROWS = """
for id, params in requests():
    start = params["key"] or 0
    page(id, *range(start, start + params["size"]), next=start + params["size"])
"""


def configured(folder: Path, program: str) -> Path:
    """Writes a program, and a configuration with a list of its rows."""
    (folder / "rows.py").write_text(PRELUDE + program)
    configuration = {
        "sources": {"rows": {"type": "command", "command": [sys.executable, "rows.py"]}},
        "screens": {"rows": {"viewModel": "list", "source": "rows", "pageSize": 3, "throttle": 0}},
    }
    path = folder / "nagare.json"
    path.write_text(json.dumps(configuration))
    return path


def appear(server: Server) -> Message:
    """Loads the first page. Returns the page or the failure."""
    server.notify("viewWillAppear", view="v")
    return outcome(server)


def outcome(server: Server) -> Message:
    """Returns the next page or failure."""
    return server.hear("items", "error")


def ids(message: Message) -> list[Any]:
    assert message["method"] == "items", message
    return [item["id"] for item in message["params"]["value"]]


def failure(message: Message) -> dict[str, Any]:
    assert message["method"] == "error", message
    value: dict[str, Any] = message["params"]["value"]
    return value


def left(path: Path) -> str:
    """Returns the content of a file that a program writes."""
    until(path.exists)
    return path.read_text()
