"""What a list is filtered by, asked for in a form."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import nagare

from .display import reach
from .form import Form, parsed
from .moves import held

if TYPE_CHECKING:
    from .lists import ListScreen

SEEN = 500
"""Items that are looked at for the values that a filter may have."""
FEW = 12
"""Values that one chooses from, instead of typing."""
TYPED = 'from..to is a range, and "…" a text as it stands'
SORTED = "a column, with a - before it for the other way round"
_DAY, _MOMENT = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_RANGE = re.compile(r"(.*?)\s*\.\.\s*(.*)")


def ask(screen: ListScreen, now: Mapping[str, Any]) -> None:
    """Asks for the values of the filters. One that is left empty is as the screen has it."""
    properties = {name: _schema(screen, name, value) for name, value in now.items()}
    chosen = [name for name, schema in properties.items() if "enum" in schema]

    async def submit(values: dict[str, Any]) -> nagare.NagareError | None:
        meant = {name: said if name in chosen else whole_days(read(said), screen.filtered_by.get(name, ())) for name, said in values.items()}
        told = await screen.attempt("filter", {"set": {**dict.fromkeys(now), **meant}})
        return told if isinstance(told, nagare.NagareError) else None

    given = {name: value if name in chosen else written(value) for name, value in now.items() if value is not None}
    screen.app.put(Form("Filter", {"properties": properties}, submit, given))


def _schema(screen: ListScreen, name: str, now: Any) -> dict[str, Any]:
    """The schema of a filter: one of two truths, or a text, with the values that the items which are listed have, if these are few."""
    items = [item for item in held(screen.listed)[:SEEN] if item is not None]
    if name == "sort":
        names = [member for member, value in items[0].items() if not isinstance(value, (dict, list, bool))] if items and isinstance(items[0], Mapping) else []
        return {"type": "string", "examples": [sign + member for sign in ("", "-") for member in names], "description": SORTED}
    # What was there before it was filtered can be chosen, too.
    values = screen.filtered_by.setdefault(name, set())
    values |= {value for item in items if isinstance(value := reach(item, name), (str, int))}
    formats = {column.member: column.format for column in screen.display.columns}
    is_one = now is None or now in (False, True)
    if is_one and values and values <= {False, True} and (formats.get(name) == "boolean" or all(isinstance(value, bool) for value in values)):
        return {"enum": sorted(values if now is None else values | {now})}
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
