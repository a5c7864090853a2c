"""Guesses the title, summary and id of an item from its field names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .display_words import LONG_TEXT, PEOPLE, TEXTS, TITLES, UNREAD_VALUES
from .text import line

PREVIEW = 400
"""The number of characters that a preview is made of. It exceeds the width of any terminal."""

LONGEST_NAME = 200
"""The maximum length of field names that may count as names of an id."""

# `messageId`, `message_id`, `ID`, `uid`; but not `paid`.
_ID = re.compile(r"(?i:(.*[^a-z])?(u|uu|gu)?id)|.*[a-z0-9][A-Z]*I[dD]")
_ADDRESS = re.compile(r"(?<=\S)\s*<[^<>]*>$")


# In this file, the parameter `id` is the name of the id field if the screen defines it, otherwise empty.


def item_id(item: Any, id: str = "") -> Any:
    """Returns an item's id: the field `id`, otherwise the first field whose name looks like an id's, otherwise the
    first field. An item that isn't an object is its own id."""
    return item.get(_id_field(item, id)) if isinstance(item, Mapping) else item


def title(item: Any, id: str = "") -> str:
    """Returns the title: the field with the subject, title or name, otherwise the id."""
    return line(item[name] if (name := title_field(item)) else item_id(item, id))


def summary(item: Any, id: str = "") -> str:
    """Returns the summary: the first short fields, and the start of the first long text."""
    if not isinstance(item, Mapping):
        return ""
    facts, texts = [], []
    for name, value in other_fields(item, id):
        if isinstance(value, str) and value.startswith("data:"):
            continue
        if isinstance(value, str) and is_text(name, value):
            texts.append(" ".join(line(value[:PREVIEW]).split()))
        elif not isinstance(value, Mapping) and 0 < len(text := line(value)) <= LONG_TEXT:
            facts.append(without_address(text))
    return " · ".join(text for text in (*facts[:4], *texts[:1]) if text)


def without_address(text: str) -> str:
    """Removes the address: `Mei <mei@example.jp>` becomes Mei."""
    return _ADDRESS.sub("", text)


def unread(item: Any) -> bool | None:
    """Whether an item is unread; None if unknown."""
    field = _unread_field(item)
    return None if field is None else bool(item[field]) == UNREAD_VALUES[field]


def as_read(item: Any) -> Any:
    """Returns the item marked as read, or None if it is read already."""
    field = _unread_field(item)
    if field is None or bool(item[field]) != UNREAD_VALUES[field]:
        return None
    # Keeps the field's type, because a table may store numbers in place of Booleans.
    return {**item, field: type(item[field])(not item[field])}


def noun(item: Any, count: int) -> str:
    """Returns the noun for items: "messages" if people have written them, otherwise "items"."""
    is_message = isinstance(item, Mapping) and any(name in item for name in PEOPLE) and any(name in item for name in TEXTS)
    return ("message" if is_message else "item") + ("" if count == 1 else "s")


def is_text(name: str, text: str) -> bool:
    """Whether a field contains a text to read."""
    return len(text) > LONG_TEXT or "\n" in text or name in TEXTS


def other_fields(item: Any, id: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the fields except the title, the id, the read flag and the attachments. An item that isn't an object has none."""
    for name, value in item.items() if isinstance(item, Mapping) else ():
        if name not in (_id_field(item, id), title_field(item), _unread_field(item)) and not are_files(value):
            yield name, value


def are_files(value: Any) -> bool:
    """Whether a field lists attachments: objects with an address and other properties of a file."""
    return isinstance(value, list) and bool(value) and all(_is_file(one) for one in value)


def _is_file(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("url"), str) and bool({"name", "type", "size"} & value.keys())


def _unread_field(item: Any) -> str | None:
    if not isinstance(item, Mapping):
        return None
    return next((name for name in UNREAD_VALUES if item.get(name) in (0, 1) and isinstance(item[name], int)), None)


def _id_field(item: Mapping[str, Any], id: str) -> str | None:
    if known := next((name for name in (id, "id") if name in item), None):
        return known
    names = [name for name in item if len(name) <= LONGEST_NAME and _ID.fullmatch(name)]
    return next(iter(names or item), None)


def title_field(item: Any) -> str | None:
    """Returns the name of the field with the item's title, if there is one."""
    if not isinstance(item, Mapping):
        return None
    return next((name for name in TITLES if isinstance(item.get(name), str) and item[name]), None)
