"""Ids that an attacker has chosen to collide in an unkeyed hash cost no more than any others."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

from server import Message, Server, Start

PAGE = 32_400


def fold(word: int) -> int:
    """A step of a hash by multiplication: the result for its state and a word. It is 0 if one of them is 0."""
    wide = word * 0xA0761D6478BD642F
    return wide >> 64 ^ wide & (1 << 64) - 1


def closed(words: bytes, before: int) -> bytes | None:
    """Returns these eight bytes, followed by eight bytes that set the state to 0; None unless these are letters
    without escapes."""
    closing = fold(before ^ int.from_bytes(words, "little")).to_bytes(8, "little")
    return words + closing if all(0x23 <= byte <= 0x7E and byte != 0x5C for byte in closing) else None


def colliding(variant: str) -> list[str]:
    """Makes ids with the same hash, for a hash that begins with a known number and their length."""
    dice = random.Random(1)
    start = 0x9E3779B97F4A7C15 ^ 56

    def words(first: bytes, before: int) -> bytes:
        while True:
            letters = bytes(dice.choices(b"abcdefghijklmnopqrstuvwxyz", k=8 - len(first)))
            if found := closed(first + letters, before):
                return found

    beginning = words(b'"', start)
    pairs = [words(b"", 0) for _ in range(180)]
    return [json.loads(beginning + one + other + f'{variant:*<7}"'.encode()) for one, other in product(pairs, pairs)]


def test_two_pages_of_colliding_ids_are_listed(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "nagare.json"
    path.write_text('{"sources":{"s":{"type":"client"}},"screens":{"l":{"viewModel":"list","source":"s"}}}')
    server = start("--config", str(path), "--clock", "virtual")
    server.call("initialize", protocolVersion="1", capabilities={"deltas": True, "sources": ["s"]})
    server.call("open", screen="l", view="v")
    for number, trigger in enumerate(["viewWillAppear", "loadMore"], 1):
        answer(server, trigger, colliding(str(number)))
        # Without the protection this took 45 s. The test fails after 20 s.
        state = server.hear("state", where=lambda state: state["phase"] == "requestFinished")
        assert state["params"]["value"]["count"] == number * PAGE


def answer(server: Server, trigger: str, ids: list[str]) -> None:
    """Makes the list request a page, and answers it."""
    _, before = server.call(trigger, view="v")
    question = next(message for message in before if message["method"] == "source/page")
    result: Message = {"items": [{"id": id} for id in ids], "next": 2}
    server.send({"jsonrpc": "2.0", "id": question["id"], "result": result})
