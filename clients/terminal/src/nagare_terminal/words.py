"""What to call an item of which nothing is known but its members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TITLES = "subject", "title", "name", "label"
LONG = 60
"""Characters from which on a text is for the detail alone."""

# A control character would be the terminal's, not the reader's.
_CONTROL = {code: " " for code in (*range(0x20), *range(0x7F, 0xA0))}
_LINES = {code: sign for code, sign in _CONTROL.items() if code != 0x0A}
# `messageId`, `message_id`, `ID`, `uid`; but not `paid`.
_ID = re.compile(r"(?i:(.*[^a-z])?(u|uu|gu)?id)|.*[a-z0-9][A-Z]*I[dD]")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\S*")


def identity(item: Any) -> Any:
    """An item's id: the member `id`, or the first that is called like one, or the first of all. A text is its own."""
    return item.get(_identified(item)) if isinstance(item, Mapping) else item


def title(item: Any) -> str:
    """What stands first: the subject, title or name, or else the id."""
    return line(item[_titled(item)] if isinstance(item, Mapping) and _titled(item) else identity(item))


def summary(item: Any) -> str:
    """What stands below: the first short members that aren't told yet."""
    if not isinstance(item, Mapping):
        return ""
    told = (line(value) for name, value in members(item) if not isinstance(value, Mapping))
    return " · ".join([text for text in told if 0 < len(text) <= LONG][:4])


def members(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All members but the title and the id."""
    for name, value in item.items():
        if name not in (_identified(item), _titled(item)):
            yield name, value


def line(value: Any) -> str:
    """A value in one line."""
    return paragraphs(value).translate(_CONTROL)


def paragraphs(value: Any) -> str:
    """A value as text of any number of lines."""
    if isinstance(value, str):
        moment = _MOMENT.fullmatch(value)
        return f"{moment[1]} {moment[2]}" if moment else value.replace("\r\n", "\n").translate(_LINES)
    if isinstance(value, Sequence):
        return ", ".join(paragraphs(part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{line(name)}: {paragraphs(part)}" for name, part in value.items())
    return {None: "", True: "yes", False: "no"}.get(value, str(value)) if value is None or isinstance(value, bool) else str(value)


def _identified(item: Mapping[str, Any]) -> str | None:
    names = [name for name in item if _ID.fullmatch(name)]
    return "id" if "id" in item else next(iter(names or item), None)


def _titled(item: Mapping[str, Any]) -> str | None:
    return next((name for name in TITLES if isinstance(item.get(name), str) and item[name]), None)
