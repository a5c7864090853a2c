"""Runs an example of a handwritten view model as a process: typed items, and loads in tasks outside the loop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import CONFORMANCE, ROOT
from server import Message, Server, program


@pytest.fixture
def articles() -> Iterator[Server]:
    server = Server(program("ArticlesExample"))
    yield server
    server.kill()


def open_view(server: Server, **capabilities: Any) -> None:
    server.call("initialize", protocolVersion="1", capabilities=capabilities)
    answer, _ = server.call("open", screen="articles", view="v")
    assert answer["result"]["outputs"]["loading"] == {"value": False}


def until_loaded(server: Server) -> list[Message]:
    """Returns the messages up to the end of a load."""
    messages = [server.next()]
    while messages[-1].get("method") != "loading" or messages[-1]["params"]["value"]:
        messages.append(server.next())
    return messages


def test_a_page_is_sent_as_a_splice(articles: Server) -> None:
    open_view(articles, deltas=True)
    articles.call("refresh")
    until_loaded(articles)
    articles.call("reachBottom")
    items = until_loaded(articles)[0]["params"]
    assert (items["base"], items["revision"], items["count"]) == (1, 2, 6)
    assert [splice["start"] for splice in items["splices"]] == [3]
    assert [item["id"] for item in items["splices"][0]["items"]] == ["2.0", "2.1", "2.2"]


def test_the_input_may_end_while_tasks_run(articles: Server) -> None:
    open_view(articles)
    for _ in range(100):
        articles.notify("refresh")
    articles.close()
    assert articles.ends() == 0
    assert articles.errors() == ""


def test_a_closed_view_sends_nothing(articles: Server) -> None:
    open_view(articles)
    articles.call("refresh")
    articles.call("close", view="v")
    open_view_again, before = articles.call("open", screen="articles", view="w")
    assert "result" in open_view_again and before == []
    articles.call("refresh", view="w")
    assert {message["params"]["view"] for message in until_loaded(articles)} == {"w"}


def test_many_views_load_in_parallel(articles: Server) -> None:
    for number in range(500):
        articles.send(
            {"jsonrpc": "2.0", "method": "open", "params": {"screen": "articles", "view": f"v{number}"}},
            {"jsonrpc": "2.0", "method": "refresh", "params": {"view": f"v{number}"}},
        )
    loaded: set[str] = set()
    while len(loaded) < 500:
        loaded.add(articles.hear("items")["params"]["view"])
    articles.close()
    assert articles.ends() == 0


def test_the_program_passes_the_transcripts_of_its_tests() -> None:
    transcripts = ROOT / "Tests" / "ArticlesExampleTests" / "Transcripts"
    run = [sys.executable, str(CONFORMANCE / "run.py"), str(transcripts)]
    server = [program("ArticlesExample"), "--clock", "virtual"]
    result = subprocess.run([*run, "--", *server], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
