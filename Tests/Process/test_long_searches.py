"""However long and numerous searches are, the process keeps handling messages."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from server import MEBIBYTE, Start

LISTS = 2000


@pytest.fixture
def followers(tmp_path: Path) -> Path:
    """A configuration of lists on a file of 10 MB, which search for the value of a store's key."""
    text = "lorem ipsum dolor sit amet " * 8
    with (tmp_path / "rows.jsonl").open("w") as rows:
        for number in range(40_000):
            rows.write(json.dumps({"id": number, "text": text}) + "\n")
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps({
        "sources": {"rows": {"type": "file", "path": "rows.jsonl"}},
        "stores": {"rows": {"query": ""}},
        "screens": {"rows": {"viewModel": "list", "source": "rows", "query": {"store": "rows.query"}}},
    }))
    return path


def test_a_query_of_many_words_is_refused(start: Start) -> None:
    """rules: 6.0.11, 6.0.12"""
    server = start()
    server.call("open", screen="articles", view="v")
    for text in ("+ " * (4 * MEBIBYTE), " ".join(map(str, range(33)))):
        reply, _ = server.call("search", view="v", text=text)
        assert (reply["error"]["code"], reply["error"]["data"]["param"]) == (-32602, "text")
    assert server.call("ping")[0]["result"] == {}
    server.close()
    assert server.ends() == 0


def test_searches_that_begin_together_do_not_delay_other_messages(start: Start, followers: Path) -> None:
    """rules: 6.2.4"""
    server = start("--config", str(followers))
    for number in range(LISTS):
        server.notify("open", screen="rows", view=f"v{number}")
        server.notify("viewWillAppear", view=f"v{number}")
    server.call("ping")
    # Each search reads the whole file, and all begin in one step.
    reply, said = server.call("dispatch", action={"type": "rows.query", "value": "nowhere"})
    assert reply["result"] == {}
    assert sum(message["method"] == "loading" for message in said) == LISTS
    assert server.call("ping")[0]["result"] == {}
    server.process.send_signal(signal.SIGTERM)
    assert server.ends() == 0


def test_an_interrupted_search_ends(start: Start, followers: Path) -> None:
    """rules: 6.2.4"""
    server = start("--config", str(followers))
    server.call("open", screen="rows", view="v", params={"query": "dolor nowhere"})
    server.call("viewWillAppear", view="v")
    pings = 0
    while server.call("outputs", view="v")[0]["result"]["outputs"]["loading"]["value"]:
        pings += 1
    # The search took many turns, and the client's messages were handled in between.
    assert pings > 10
