"""What a list is filtered by, asked for in a form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import nagare

from .display import reach
from .form import Form

if TYPE_CHECKING:
    from .lists import ListScreen

SEEN = 500
"""Items that are looked at for the values that a filter may have."""
FEW = 12
"""Values that one chooses from, instead of typing."""
TYPED = 'from..to is a range, and "…" a text as it stands'
_RANGE = re.compile(r"(.*?)\s*\.\.\s*(.*)")


def ask(screen: ListScreen, now: Mapping[str, Any]) -> None:
    """Asks for the values of the filters. One that is left empty is as the screen has it."""
    properties = {name: _values(screen.listed, name, value) for name, value in now.items()}
    typed = [name for name, schema in properties.items() if "enum" not in schema]

    async def submit(values: dict[str, Any]) -> nagare.NagareError | None:
        wanted = {name: read(values[name]) if name in typed and name in values else values.get(name) for name in now}
        told = await screen.attempt("filter", {"set": wanted})
        return told if isinstance(told, nagare.NagareError) else None

    given = {name: written(value) if name in typed else value for name, value in now.items() if value is not None}
    screen.app.put(Form("Filter", {"properties": properties}, submit, given))


def _values(items: Sequence[Any], name: str, now: Any) -> dict[str, Any]:
    """The schema of a filter: one of a few values, where the items that are listed have no more than that."""
    seen = {value for item in items[:SEEN] if isinstance(value := reach(item, name), (str, int))}
    values = sorted(seen | (set() if now is None or isinstance(now, (list, dict)) else {now}), key=str)
    is_chosen = seen and len(values) <= FEW and not isinstance(now, (list, dict))
    return {"enum": values} if is_chosen else {"type": "string", "description": TYPED}


def read(typed: str) -> Any:
    """What was typed: `a..b` is all from one to the other, and what stands in quotes is a text, whatever it holds."""
    if not isinstance(said := _value(typed), str) or typed.strip().startswith('"') and said != typed:
        return said
    found = _RANGE.fullmatch(typed.strip())
    ends = {name: _value(text) for name, text in zip(("from", "to"), found.groups()) if text} if found else {}
    return ends or typed


def written(value: Any) -> str:
    """The same as it is typed."""
    if isinstance(value, Mapping) and value.keys() <= {"from", "to"}:
        return "..".join("" if value.get(name) is None else _text(value[name]) for name in ("from", "to"))
    return value if isinstance(value, str) and read(value) == value else _text(value)


def _text(value: Any) -> str:
    is_plain = isinstance(value, str) and _value(value) == value and ".." not in value
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
