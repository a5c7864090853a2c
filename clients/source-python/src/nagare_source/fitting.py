"""Fits items into messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from .errors import warn
from .wire import MESSAGE_LIMIT, as_dict, encode, to_json

ITEMS_LIMIT = MESSAGE_LIMIT - 1024 * 1024
"""The bytes of a message that its items may use. The rest is for keys and other members."""

KEY_LIMIT = 64 * 1024
"""The size limit of a page's key in bytes."""

CUTS = (100_000, 10_000), (1_000, 500)
"""The two steps of shortening the texts and bytes of an item that is too large: values longer than the first number are
cut to the second."""


def size_bound(value: Any) -> int:
    """Returns an upper bound for the size of a value's JSON. Texts and bytes aren't encoded for it, so it is quick."""
    if isinstance(value, str):
        return 6 * len(value) + 4
    if isinstance(value, (bytes, bytearray, memoryview)):
        return 2 * len(value) + 5
    if value is None or isinstance(value, (int, float)):
        return 32 if value is None or abs(value) < 1e30 else len(encode(value))
    value = as_dict(value)
    if isinstance(value, dict):
        return 2 + sum(size_bound(name) + size_bound(member) for name, member in value.items())
    return len(encode(value))


def fits(value: Any, room: int | None = None) -> bool:
    """Whether a value's JSON has at most `room` bytes (by default `ITEMS_LIMIT`)."""
    room = ITEMS_LIMIT if room is None else room
    return size_bound(value) <= room or len(encode(value)) <= room


def count_fitting(items: Sequence[Any]) -> int:
    """Returns how many of the first items fit into one message, at least 1."""
    left = ITEMS_LIMIT
    for count, item in enumerate(items):
        used = size_bound(item)
        left -= used if used < left else len(encode(item))
        if left < 0:
            return max(count, 1)
    return len(items)


def shorten(item: Any, of: str, keep: Collection[str] = ("id",)) -> Any:
    """Returns an item that fits into a message. If the item is too large, its longest fields are shortened, with a
    warning.

    - `of` names the item in the warning.
    - `keep` are the fields that are never shortened.
    """
    if not isinstance(item, dict) or fits(item):
        return item
    for form in range(len(CUTS)):
        cut = {name: value if name in keep else short_forms(value)[form] for name, value in item.items()}
        if fits(cut):
            names = ", ".join(repr(name)[:100] for name in item if cut[name] is not item[name])
            warn(f"{of} is larger than a message may be ({MESSAGE_LIMIT} bytes), so what it has in {names} is shortened")
            return cut
    warn(f"{of} is larger than a message may be ({MESSAGE_LIMIT} bytes): only {', '.join(keep)} is sent of it")
    return {name: item[name] for name in keep if name in item}


def short_forms(value: Any) -> list[Any]:
    """Returns the shortened forms of a value, one for each step in `CUTS`."""
    if isinstance(value, (dict, list, tuple)):
        text = encode(value).decode()
        return [text[:kept] + "…" if len(text) > longest else value for longest, kept in CUTS]
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return [to_json(value[:kept]) + "…" if len(value) > longest else value for longest, kept in CUTS]
    return [value for _ in CUTS]
