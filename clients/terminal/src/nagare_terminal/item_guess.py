"""What to call an item of which nothing is known but its members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .display_words import LONG_TEXT, PEOPLE, TEXTS, TITLES, UNREAD_VALUES
from .text import line

PREVIEW = 400
"""Characters of a text that are looked at for its beginning: no terminal's line is longer."""

LONGEST_NAME = 200
"""Characters of a name that is checked for looking like an id's."""

# `messageId`, `message_id`, `ID`, `uid`; but not `paid`.
_ID = re.compile(r"(?i:(.*[^a-z])?(u|uu|gu)?id)|.*[a-z0-9][A-Z]*I[dD]")
_ADDRESS = re.compile(r"(?<=\S)\s*<[^<>]*>$")


# Below, `id` is the member that is an item's id, where its screen says so.


def identity(item: Any, id: str = "") -> Any:
    """An item's id: the member that its screen names, `id`, or the first that is called like one, or the first of all. A text is its own."""
    return item.get(_identified(item, id)) if isinstance(item, Mapping) else item


def title(item: Any, id: str = "") -> str:
    """What stands first: the subject, title or name, or else the id."""
    return line(item[name] if (name := titled(item)) else identity(item, id))


def summary(item: Any, id: str = "") -> str:
    """What stands below: the first short members that aren't told yet, and how the first text to read begins."""
    if not isinstance(item, Mapping):
        return ""
    facts, texts = [], []
    for name, value in members(item, id):
        if isinstance(value, str) and value.startswith("data:"):
            continue
        if isinstance(value, str) and is_text(name, value):
            texts.append(" ".join(line(value[:PREVIEW]).split()))
        elif not isinstance(value, Mapping) and 0 < len(told := line(value)) <= LONG_TEXT:
            facts.append(unaddressed(told))
    return " · ".join(text for text in (*facts[:4], *texts[:1]) if text)


def unaddressed(told: str) -> str:
    """Who somebody is, without the address: `Mei <mei@example.jp>` is Mei."""
    return _ADDRESS.sub("", told)


def unread(item: Any) -> bool | None:
    """Whether nobody has read an item; None if it doesn't say."""
    flag = _flag(item)
    return None if flag is None else bool(item[flag]) == UNREAD_VALUES[flag]


def as_read(item: Any) -> Any:
    """An item as it is once somebody has read it; None if that changes nothing."""
    flag = _flag(item)
    if flag is None or bool(item[flag]) != UNREAD_VALUES[flag]:
        return None
    # A table may have no truths, but numbers.
    return {**item, flag: type(item[flag])(not item[flag])}


def noun(item: Any, count: int) -> str:
    """What to call items: what somebody has written is a message."""
    is_message = isinstance(item, Mapping) and any(name in item for name in PEOPLE) and any(name in item for name in TEXTS)
    return ("message" if is_message else "item") + ("" if count == 1 else "s")


def is_text(name: str, told: str) -> bool:
    """Whether a member is for reading."""
    return len(told) > LONG_TEXT or "\n" in told or name in TEXTS


def members(item: Any, id: str = "") -> Iterator[tuple[str, Any]]:
    """All members but the title, the id, whether it was read, and what is attached. What isn't an object has none."""
    for name, value in item.items() if isinstance(item, Mapping) else ():
        if name not in (_identified(item, id), titled(item), _flag(item)) and not are_files(value):
            yield name, value


def are_files(value: Any) -> bool:
    """Whether a member lists files: objects with an address, and what is there."""
    return isinstance(value, list) and bool(value) and all(_is_file(one) for one in value)


def _is_file(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("url"), str) and bool({"name", "type", "size"} & value.keys())


def _flag(item: Any) -> str | None:
    if not isinstance(item, Mapping):
        return None
    return next((name for name in UNREAD_VALUES if item.get(name) in (0, 1) and isinstance(item[name], int)), None)


def _identified(item: Mapping[str, Any], id: str) -> str | None:
    if known := next((name for name in (id, "id") if name in item), None):
        return known
    names = [name for name in item if len(name) <= LONGEST_NAME and _ID.fullmatch(name)]
    return next(iter(names or item), None)


def titled(item: Any) -> str | None:
    """The member that is an item's title, if there is one."""
    if not isinstance(item, Mapping):
        return None
    return next((name for name in TITLES if isinstance(item.get(name), str) and item[name]), None)
