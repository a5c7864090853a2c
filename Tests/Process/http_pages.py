"""Helpers for the tests of `nagare-http`: requesting pages and checking results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from aiohttp import web

from server import Message, Server
from web_server import Web

Serve = Callable[..., Web]
Source = Callable[..., Server]
Ask = Callable[..., Message]
ITEMS = '[{"id":1},{"id":2}]'
PAGED = "/items?page={page}&size={size}"


def page(server: Server, key: Any = None, query: str | None = None, size: int = 2) -> Message:
    """Returns the result or the error of one `source/page` request."""
    reply, _ = server.call("source/page", source="web", key=key, query=query, size=size)
    assert ("result" in reply) != ("error" in reply)
    result: Message = reply.get("result") or reply["error"]
    return result


def failed(answer: Message, code: int, retryable: bool, *words: str) -> None:
    """Checks that an answer is a certain error, and that its message has all the words that a person needs."""
    assert (answer.get("code"), answer.get("data")) == (code, {"retryable": retryable}), answer
    for word in words:
        assert word in answer["message"], answer["message"]


def send(server: Server, *ids: int) -> None:
    params = {"source": "web", "key": None, "query": None, "size": 2}
    server.send(*({"jsonrpc": "2.0", "id": id, "method": "source/page", "params": params} for id in ids))


async def slow(_: web.BaseRequest) -> web.StreamResponse:
    await asyncio.sleep(60)
    raise AssertionError("nobody waits so long")
