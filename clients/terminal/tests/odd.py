"""Odd items: each kind of odd value, in each field that has a meaning for the terminal."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from typing import Any

SEED = 20261125
COUNT = int(os.environ.get("NAGARE_ODD", 24))
"""The number of random items for each display, and half the number of random views. `make soak` uses more."""


def raw(text: str) -> str:
    """Returns a mark for a piece of JSON that Python's encoder can't write. `fake_server` and `text_of` replace the mark by the piece."""
    return f"<raw {text}>"


def nested(depth: int, inner: Any = 0) -> Any:
    for level in range(depth):
        inner = [inner] if level % 2 else {"in": inner}
    return inner


PNG = "data:image/png;base64,iVBORw0KGgoAAAAN"
ESCAPES = "\x1b[31mred\x1b]0;title\x07\x1bPq#0\x1b\\\x9b2J\x9d52;c;aGk=\x9c\x00\x7f\r\b\u061c\u202e\u2028"
ODD: dict[str, Any] = {
    "null": None,
    "true": True,
    "zero": 0,
    "negative": -7,
    "fraction": 1e308,
    "400 digits": 10**399,
    "5000 digits": raw("9" * 5000),
    "out of range": raw("1e999"),
    "negative out of range": raw("-1E+999999999"),
    "an exponent of 20 digits": raw("1e" + "9" * 20),
    "too small": raw("1e-999"),
    "not a number": raw("NaN"),
    "infinite": raw("-Infinity"),
    "18 digits and a fraction": raw("123456789012345678.901"),
    "empty": "",
    "long": "word " * 1000,
    "without spaces": "x" * 5000,
    "wide": "検索画面" * 500,
    "right to left": "\u202eשלום\u202c עולם \u2067مرحبا",
    "combining": "e" + "\u0301" * 500 + "\u200d" * 50 + "👩\u200d👩\u200d👧" * 20,
    "only combining": "\u0301\u200d\ufe0f",
    "escape sequences": ESCAPES,
    "line ends": "a\u2028b\u2029c\x85d\r\ne\n\n\n\tf",
    "high surrogate": "a\ud83d",
    "low surrogate": "\udc80b",
    "surrogates the wrong way round": "\udc80\ud800/\udfff.txt",
    "like bytes": "b'\\x00\\xff'",
    "a date out of range": "9999-99-99T99:99:99Z",
    "a date at the end": "0001-01-01T00:00:00+14:00",
    "a date in other digits": "２０２６-11-20T10:00:00Z",
    "no address": "http://[x",
    "an odd address": "https://\ud800\x00.example.org/a b",
    "a picture": PNG,
    "a broken picture": "data:image/png;base64,検索===",
    "a picture of no size": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAAAAAAAAAAAAAAA",
    "references": "<p>&#27;[31m &#x9d;0;x&#x9c; &#xd800; &#13; <a <b <script>" + "<" * 3000,
    "marks": "[" * 3000 + "**" * 1500 + "`" * 1501 + "\n# \n> \n- \n1. ```\n~~~",
    "nested": nested(490),
    "a list": ["a", 1, None, {"b": "c"}],
    "a huge list": list(range(1000)),
    "empty list": [],
    "empty object": {},
    "odd names": {"": 1, "\x1b[2J": 2, "a.b": 3, "__class__": 4, "A" * 5000: 5, "\ud800": 6},
    "odd files": [{"url": "http://[x", "name": None, "size": 10**399}, {"url": "data:;base64,検索", "type": 7}, {"url": "", "size": raw("1e999"), "name": "\ud800"}],
    "a file of NaN bytes": [{"url": "https://example.org/\ud800", "size": raw("NaN"), "name": ESCAPES}, {"url": "data:,%ff%", "type": []}],
}
MEMBERS = (
    "id", "title", "subject", "name", "messageId", "from", "sender", "body", "html", "markdown", "date", "unread", "read", "seen", "badge",
    "number", "money", "bytes", "duration", "when", "flag", "image", "link", "files", "url", "more",
)  # fmt: skip
DISPLAYS: dict[str, dict[str, Any]] = {
    "guessed": {},
    "said": {"title": "title", "subtitle": "from.name", "body": {"member": "markdown", "format": "markdown"}, "badge": "badge", "date": "date", "unread": "unread"},
    "HTML": {"title": "subject", "subtitle": "sender", "body": {"member": "html", "format": "html"}, "date": "when", "unread": "flag", "hidden": ["more"]},
    "columns": {
        "columns": [
            {"member": member, "format": format, **({"currency": "EUR"} if format == "money" else {})}
            for member, format in (
                ("number", "number"), ("money", "money"), ("bytes", "bytes"), ("duration", "duration"), ("when", "datetime"), ("date", "date"),
                ("flag", "boolean"), ("image", "image"), ("link", "link"), ("title", "text"), ("more.in", "number"),
            )
        ]
    },
}  # fmt: skip
ACTIONS = [{"input": "change", "set": {"unread": False}, "key": "U"}, {"input": "remove", "key": "d"}]


def each_kind_in_each_member() -> Iterator[dict[str, Any]]:
    """Yields items with one odd value each."""
    for member in MEMBERS:
        for kind, value in ODD.items():
            yield {"id": f"{member}: {kind}", "title": f"{member}: {kind}", member: value}


def mixed(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yields random items with several odd values."""
    chance = random.Random(SEED + seed)
    for number in range(count):
        members = chance.sample(MEMBERS[1:], chance.randint(2, 8))
        yield {"id": number, **{member: chance.choice([*ODD.values()]) for member in members}}


def text_of(value: Any) -> str:
    """Encodes a value as JSON, with its `raw` pieces."""
    return re.sub(r'"<raw ([^>"]*)>"', r"\1", json.dumps(value))
