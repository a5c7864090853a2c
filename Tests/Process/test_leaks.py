"""A server that is used for a long time needs no more memory than after a short time.

`NAGARE_ROUNDS` is the number of rounds. `make soak` runs many, so that a leak of a few bytes per round shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from server import Message, Server, Start

ROUNDS = int(os.environ.get("NAGARE_ROUNDS", "60"))
SLACK = 512 << 10
"""The allowed difference in bytes, for the allocator's own pages."""


def use_a_list(server: Server) -> None:
    """Opens a list, loads two pages, changes an item, opens it, swipes to the next, and closes the list with
    everything it opened."""
    call(server, "open", screen="items", view="v")
    tell(server, "viewWillAppear")
    wait(server)
    tell(server, "reachBottom")
    wait(server)
    item = call(server, "outputs", view="v")["result"]["outputs"]["items"]["value"][3]
    call(server, "change", view="v", item={**item, "note": "x" * 200})
    _, before = server.call("select", view="v", id=item["id"])
    opened = [message["params"]["value"]["view"] for message in before if message.get("method") == "navigate"]
    assert len(opened) == 1
    call(server, "swipe", view=opened[0], to="next")
    wait(server)
    call(server, "close", view="v")


def search_and_leave(server: Server) -> None:
    """Opens a search and closes it while it loads."""
    call(server, "open", screen="articles", view="v")
    tell(server, "viewWillAppear")
    call(server, "search", view="v", text="swift")
    call(server, "close", view="v")


def tell(server: Server, method: str) -> None:
    server.notify(method, view="v")


def wait(server: Server) -> None:
    call(server, "clock/advance", milliseconds=400)


def call(server: Server, method: str, **params: Any) -> Message:
    reply, _ = server.call(method, **params)
    return reply


@pytest.mark.parametrize("use", [use_a_list, search_and_leave])
def test_closed_views_hold_no_memory(start: Start, use: Callable[[Server], None]) -> None:
    server = start("--clock", "virtual")
    sizes = []
    for _ in range(3):
        for _ in range(ROUNDS):
            use(server)
        sizes.append(server.resident())
    # Memory that the first third allocates is reused by the next.
    assert sizes[2] <= sizes[1] + SLACK, sizes


def test_errors_hold_no_memory(start: Start) -> None:
    server = start("--clock", "virtual")
    sizes = []
    for _ in range(3):
        for number in range(20 * ROUNDS):
            server.send({"jsonrpc": "2.0", "id": number, "method": "open", "params": {"screen": "x" * 500}})
            assert "error" in server.next()
            server.write(b'{"jsonrpc":"2.0","id":1,"method":"o\n')
            assert "error" in server.next()
        sizes.append(server.resident())
    assert sizes[2] <= sizes[1] + SLACK, sizes
