"""The form for a list's filters."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import nagare

from .display import Display, value_at
from .form import Form, parse_json

SAMPLE_ITEMS = 500
"""The number of items from which example values are collected."""
EXAMPLES_LIMIT = 12
"""The maximum number of example values."""
SYNTAX_HELP = 'from..to is a range, and "…" is an exact text'
SORT_HELP = "a column; a - before it means descending order"
_DAY, _MOMENT = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")


def form(
    current: Mapping[str, Any],
    items: Sequence[Any],
    display: Display,
    seen: dict[str, set[Any]],
    send: Callable[[dict[str, Any]], Awaitable[nagare.NagareError | None]],
) -> Form:
    """Creates the form for the values of the filters. An empty field means the screen's own value.

    - `items` are the listed items.
    - `seen` are the values that items were seen to have, by the filters' names. This function adds to them.
    """
    properties = {name: _schema(name, value, items, display, seen) for name, value in current.items()}
    chosen = [name for name, schema in properties.items() if "enum" in schema]

    async def submit(typed: dict[str, Any]) -> nagare.NagareError | None:
        values = {name: value if name in chosen else whole_days(read(value), seen.get(name, ())) for name, value in typed.items()}
        return await send({**dict.fromkeys(current), **values})

    given = {name: value if name in chosen else written(value) for name, value in current.items() if value is not None}
    return Form("Filter", {"properties": properties}, submit, given)


def _schema(name: str, current: Any, items: Sequence[Any], display: Display, seen: dict[str, set[Any]]) -> dict[str, Any]:
    """Returns the schema of a filter: a Boolean, or a text. If the listed items have few different values, these are the examples."""
    items = [item for item in items[:SAMPLE_ITEMS] if item is not None]
    if name == "sort":
        names = [member for member, value in items[0].items() if not isinstance(value, (dict, list, bool))] if items and isinstance(items[0], Mapping) else []
        return {"type": "string", "examples": [sign + member for sign in ("", "-") for member in names], "description": SORT_HELP}
    # Values that were seen before the list was filtered can be chosen, too.
    values = seen.setdefault(name, set())
    values |= {value for item in items if isinstance(value := value_at(item, name), (str, int))}
    formats = {column.member: column.format for column in display.columns}
    is_one = current is None or current in (False, True)
    if is_one and values and values <= {False, True} and (formats.get(name) == "boolean" or all(isinstance(value, bool) for value in values)):
        return {"enum": sorted(values if current is None else values | {current})}
    few = {"examples": [written(value) for value in sorted(values, key=lambda value: (isinstance(value, str), value))]} if 0 < len(values) <= EXAMPLES_LIMIT else {}
    return {"type": "string", "description": SYNTAX_HELP, **few}


def read(typed: str) -> Any:
    """Parses a typed value. `a..b` is a range, and a text in quotes is taken literally."""
    if not isinstance(value := _value(typed), str) or typed.strip().startswith('"') and value != typed:
        return value
    first, dots, last = typed.partition("..")
    ends = {name: _value(text) for name, text in (("from", first.strip()), ("to", last.strip())) if text} if dots else {}
    return ends or typed


def whole_days(value: Any, values: Collection[Any]) -> Any:
    """Extends days if the filter's values are times. A day means the whole day, and a range includes its last day."""
    between = next((value[10] for value in values if isinstance(value, str) and _MOMENT.match(value)), None)
    if between is None:
        return value
    if isinstance(value, str) and _DAY.fullmatch(value):
        value = {"from": value, "to": value}
    last = value.get("to") if isinstance(value, dict) else None
    return {**value, "to": f"{last}{between}24:00"} if isinstance(last, str) and _DAY.fullmatch(last) else value


def written(value: Any) -> str:
    """Returns the text to type for a value."""
    if isinstance(value, Mapping) and value.keys() <= {"from", "to"}:
        return "..".join("" if value.get(name) is None else _text(value[name]) for name in ("from", "to"))
    return value if isinstance(value, str) and read(value) == value else _text(value)


def shown(value: Any) -> Any:
    """Returns a range as text, and other values unchanged."""
    return written(value) if isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    is_plain = isinstance(value, str) and _value(value) == value and ".." not in value
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _value(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return text
