"""Sends requests to a program that runs in the test's own process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from nagare_source import Page
from nagare_source.program import Program, Sources

Message = dict[str, Any]
PATIENCE = 60.0


def load(key: Any, query: str | None, size: int) -> Page:
    return Page([{"id": [key, query, size]}], next=size)


async def load_async(key: Any, query: str | None, size: int) -> Page:
    await asyncio.sleep(0)
    return load(key, query, size)


def line(method: str = "source/page", *, request: Any = 1, **params: Any) -> bytes:
    params = {"source": "rows", "key": None, "query": None, "size": 2, **params}
    return json.dumps({"jsonrpc": "2.0", "id": request, "method": method, "params": params}).encode()


def cancel(id: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}).encode()


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, PATIENCE))


async def ask(program: Program, text: bytes) -> Any:
    answer = await program.answer(text)
    return None if answer is None else json.loads(answer)


def say(sources: Sources, text: bytes) -> Any:
    """Returns a program's answer to one line."""
    return run(ask(Program(sources, 2), text))


def error(sources: Sources, text: bytes) -> Message:
    said: Message = say(sources, text)["error"]
    return said
