"""Items that fit into a message."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from .errors import warn
from .wire import MESSAGE, encode, members, shown

ROOM = MESSAGE - 1024 * 1024
"""The bytes of a message that its items may use. The rest is for keys and for everything else."""

KEY = 64 * 1024
"""The size limit of a page's key in bytes."""

CUTS = (100_000, 10_000), (1_000, 500)
"""How an item that is too large is shortened, until it fits: texts and bytes that are longer than the first number keep the
second number of characters or bytes."""


def weight(value: Any) -> int:
    """Returns a number of bytes that a value's JSON doesn't exceed, quickly where the value is a text or bytes."""
    if isinstance(value, str):
        return 6 * len(value) + 4
    if isinstance(value, (bytes, bytearray, memoryview)):
        return 2 * len(value) + 5
    if value is None or isinstance(value, (int, float)):
        return 32 if value is None or abs(value) < 1e30 else len(encode(value))
    value = members(value)
    if isinstance(value, dict):
        return 2 + sum(weight(name) + weight(member) for name, member in value.items())
    return len(encode(value))


def is_fitting(value: Any, room: int | None = None) -> bool:
    """Whether a value's JSON has at most so many bytes, `ROOM` without a number."""
    room = ROOM if room is None else room
    return weight(value) <= room or len(encode(value)) <= room


def fitting(items: Sequence[Any]) -> int:
    """Counts how many of the first items fit into a message together, one at least."""
    left = ROOM
    for count, item in enumerate(items):
        used = weight(item)
        left -= used if used < left else len(encode(item))
        if left < 0:
            return max(count, 1)
    return len(items)


def shortened(item: Any, of: str, keep: Collection[str] = ("id",)) -> Any:
    """Returns an item that fits into a message: the same one, or one whose longest members are shortened, which is reported.

    - `of` is what the item is called in the report.
    - `keep` are the members that are never shortened.
    """
    if not isinstance(item, dict) or is_fitting(item):
        return item
    for form in range(len(CUTS)):
        cut = {name: value if name in keep else shortenings(value)[form] for name, value in item.items()}
        if is_fitting(cut):
            names = ", ".join(repr(name)[:100] for name in item if cut[name] is not item[name])
            warn(f"{of} is larger than a message may be ({MESSAGE} bytes), so what it has in {names} is shortened")
            return cut
    warn(f"{of} is larger than a message may be ({MESSAGE} bytes): only {', '.join(keep)} is sent of it")
    return {name: item[name] for name in keep if name in item}


def shortenings(value: Any) -> list[Any]:
    """Returns the forms that a value has in an item that is too large, one for each of `CUTS`."""
    if isinstance(value, (dict, list, tuple)):
        text = encode(value).decode()
        return [text[:kept] + "…" if len(text) > longest else value for longest, kept in CUTS]
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return [shown(value[:kept]) + "…" if len(value) > longest else value for longest, kept in CUTS]
    return [value for _ in CUTS]
