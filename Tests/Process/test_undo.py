"""Edits that can still be undone when a view or the session ends: the source is asked, and gets a second to answer.

rules: 5.1.45
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_programs import appear, left
from server import Server, Start, until

PROGRAM = """
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {}
    if message["method"] == "source/page":
        result = {"items": [{"id": "a"}, {"id": "b"}]}
    elif message["method"] == "source/remove":
        # Slower than the server would end if it waited for nothing.
        time.sleep(0.2)
        with open("removed", "a") as file:
            file.write(message["params"]["id"])
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def configure(folder: Path) -> Path:
    (folder / "rows.py").write_text(PROGRAM)
    rows = {"type": "command", "command": [sys.executable, "rows.py"], "writes": ["remove"]}
    screen = {"viewModel": "list", "source": "rows", "throttle": 0, "undo": 60_000}
    configuration = folder / "nagare.json"
    configuration.write_text(json.dumps({"sources": {"rows": rows}, "screens": {"rows": screen}}))
    return configuration


def open_list(start: Start, folder: Path, *options: str) -> Server:
    server = start("--config", str(configure(folder)), *options)
    server.call("open", screen="rows", view="v")
    appear(server)
    return server


def by_close(server: Server) -> None:
    server.call("close", view="v")
    server.call("shutdown")
    server.notify("exit")


def by_end_of_input(server: Server) -> None:
    server.close()


def by_exit(server: Server) -> None:
    server.call("shutdown")
    server.notify("exit")


def by_signal(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [by_close, by_end_of_input, by_exit, by_signal])
@pytest.mark.parametrize("options", [(), ("--clock", "virtual")])
def test_the_end_sends_pending_edits_to_the_source(
    start: Start, tmp_path: Path, end: Callable[[Server], None], options: tuple[str, ...]
) -> None:
    """rules: 1.4.7"""
    server = open_list(start, tmp_path, *options)
    for item in "ba":
        reply, _ = server.call("remove", view="v", id=item, wait=True)
        assert reply["result"] == {"outcome": "finished"}
    assert not (tmp_path / "removed").exists()
    end(server)
    assert server.ends() == 0
    assert left(tmp_path / "removed") == "ba"


def test_a_client_that_has_ended_receives_no_edits(start: Start, tmp_path: Path) -> None:
    configuration = tmp_path / "nagare.json"
    screen = {"viewModel": "list", "source": "rows", "throttle": 0, "undo": 60_000}
    rows = {"type": "client", "writes": ["remove"]}
    configuration.write_text(json.dumps({"sources": {"rows": rows}, "screens": {"rows": screen}}))
    server = start("--config", str(configuration))
    server.call("initialize", protocolVersion="1", capabilities={"sources": ["rows"]})
    server.call("open", screen="rows", view="v")
    server.notify("viewWillAppear", view="v")
    while (message := server.next())["method"] != "source/page":
        pass
    server.send({"jsonrpc": "2.0", "id": message["id"], "result": {"items": [{"id": "a"}]}})
    server.hear("items")
    server.call("remove", view="v", id="a")
    server.close()
    assert all(message["method"] != "source/remove" for message in server.rest())
    assert server.ends() == 0
    assert 'the source "rows" can\'t be sent an edit (source/remove): the client has ended' in server.errors()


def test_the_end_of_the_named_process_sends_pending_edits_to_the_source(start: Start, tmp_path: Path) -> None:
    """rules: 1.4.1, 1.4.7"""
    server = open_list(start, tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        server.call("initialize", protocolVersion="1", processId=process.pid)
        server.call("remove", view="v", id="a")
        process.kill()
    assert server.ends() == 0
    assert left(tmp_path / "removed") == "a"


def test_a_client_that_crashes_loses_no_edit_that_could_be_undone(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.1, 1.4.7"""
    configuration = configure(tmp_path)
    calls = [("open", {"screen": "rows", "view": "v"}), ("refresh", {"wait": True}), ("remove", {"id": "a", "wait": True})]
    client = f"""
import json, os, subprocess

server = subprocess.Popen([{nagare!r}, "--config", {str(configuration)!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for number, (method, params) in enumerate({calls!r}):
    server.stdin.write(json.dumps(dict(jsonrpc="2.0", id=number, method=method, params=params)).encode() + b"\\n")
    server.stdin.flush()
    while json.loads(server.stdout.readline()).get("id") != number:
        pass
os._exit(0)  # both pipes are closed at once
"""
    subprocess.run([sys.executable, "-c", client], check=True)
    removed = tmp_path / "removed"
    until(lambda: removed.exists() and removed.read_text() == "a")
