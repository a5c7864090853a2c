"""What a list is filtered by, asked for in a form."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import nagare

from .display import Display, reach
from .form import Form, parsed

SEEN = 500
"""Items that are looked at for the values that a filter may have."""
FEW = 12
"""Values that one chooses from, instead of typing."""
TYPED = 'from..to is a range, and "…" a text as it stands'
SORTED = "a column, with a - before it for the other way round"
_DAY, _MOMENT = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_RANGE = re.compile(r"(.*?)\s*\.\.\s*(.*)")


def form(
    current: Mapping[str, Any],
    items: Sequence[Any],
    display: Display,
    seen: dict[str, set[Any]],
    send: Callable[[dict[str, Any]], Awaitable[nagare.NagareError | None]],
) -> Form:
    """The form for the values of the filters. An empty field means the screen's own value.

    - `items` are the listed items, and `seen` the values that items were seen to have, by the filters' names. It is added to.
    """
    properties = {name: _schema(name, value, items, display, seen) for name, value in current.items()}
    chosen = [name for name, schema in properties.items() if "enum" in schema]

    async def submit(typed: dict[str, Any]) -> nagare.NagareError | None:
        values = {name: value if name in chosen else whole_days(read(value), seen.get(name, ())) for name, value in typed.items()}
        return await send({**dict.fromkeys(current), **values})

    given = {name: value if name in chosen else written(value) for name, value in current.items() if value is not None}
    return Form("Filter", {"properties": properties}, submit, given)


def _schema(name: str, current: Any, items: Sequence[Any], display: Display, seen: dict[str, set[Any]]) -> dict[str, Any]:
    """The schema of a filter: true or false; or a text, with the values of the listed items as examples, if these are few."""
    items = [item for item in items[:SEEN] if item is not None]
    if name == "sort":
        names = [member for member, value in items[0].items() if not isinstance(value, (dict, list, bool))] if items and isinstance(items[0], Mapping) else []
        return {"type": "string", "examples": [sign + member for sign in ("", "-") for member in names], "description": SORTED}
    # Values from before the list was filtered can be chosen, too.
    values = seen.setdefault(name, set())
    values |= {value for item in items if isinstance(value := reach(item, name), (str, int))}
    formats = {column.member: column.format for column in display.columns}
    is_one = current is None or current in (False, True)
    if is_one and values and values <= {False, True} and (formats.get(name) == "boolean" or all(isinstance(value, bool) for value in values)):
        return {"enum": sorted(values if current is None else values | {current})}
    few = {"examples": [written(value) for value in sorted(values, key=lambda value: (isinstance(value, str), value))]} if 0 < len(values) <= FEW else {}
    return {"type": "string", "description": TYPED, **few}


def read(typed: str) -> Any:
    """What was typed: `a..b` is all from one to the other, and what stands in quotes is a text, whatever it holds."""
    if not isinstance(said := _value(typed), str) or typed.strip().startswith('"') and said != typed:
        return said
    found = _RANGE.fullmatch(typed.strip())
    ends = {name: _value(text) for name, text in zip(("from", "to"), found.groups()) if text} if found else {}
    return ends or typed


def whole_days(said: Any, values: Collection[Any]) -> Any:
    """What was said of a day, where the values are moments: a day is all of it, and a range of days has all of its last one."""
    between = next((value[10] for value in values if isinstance(value, str) and _MOMENT.match(value)), None)
    if between is None:
        return said
    if isinstance(said, str) and _DAY.fullmatch(said):
        said = {"from": said, "to": said}
    last = said.get("to") if isinstance(said, dict) else None
    return {**said, "to": f"{last}{between}24:00"} if isinstance(last, str) and _DAY.fullmatch(last) else said


def written(value: Any) -> str:
    """The same as it is typed."""
    if isinstance(value, Mapping) and value.keys() <= {"from", "to"}:
        return "..".join("" if value.get(name) is None else _text(value[name]) for name in ("from", "to"))
    return value if isinstance(value, str) and read(value) == value else _text(value)


def shown(value: Any) -> Any:
    """A range as it is typed; anything else as it is."""
    return written(value) if isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    is_plain = isinstance(value, str) and _value(value) == value and ".." not in value
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _value(text: str) -> Any:
    try:
        return parsed(text)
    except ValueError:
        return text
