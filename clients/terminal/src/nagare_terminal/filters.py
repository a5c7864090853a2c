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
_RANGE = re.compile(r"(.*?)\s*\.\.\s*(.*)")


def ask(screen: ListScreen, now: Mapping[str, Any]) -> None:
    """Asks for the values of the filters. One that is left empty is as the screen has it."""
    properties = {name: _values(screen.listed, name, value) for name, value in now.items()}

    async def submit(values: dict[str, Any]) -> nagare.NagareError | None:
        told = await screen.attempt("filter", {"set": {name: _read(values.get(name)) for name in now}})
        return told if isinstance(told, nagare.NagareError) else None

    given = {name: _written(value) for name, value in now.items() if value is not None}
    screen.app.put(Form("Filter", {"properties": properties}, submit, given))


def _values(items: Sequence[Any], name: str, now: Any) -> dict[str, Any]:
    """The schema of a filter: one of a few values, where the items that are listed have no more than that."""
    seen = {value for item in items[:SEEN] if isinstance(value := reach(item, name), (str, int))}
    values = sorted(seen | (set() if now is None or isinstance(now, (list, dict)) else {now}), key=str)
    return {"enum": values} if seen and len(values) <= FEW and not isinstance(now, (list, dict)) else {}


def _read(value: Any) -> Any:
    """What was typed: `a..b` is all from one to the other."""
    if not isinstance(value, str) or not (found := _RANGE.fullmatch(value.strip())):
        return value
    ends = {name: _value(text) for name, text in zip(("from", "to"), found.groups()) if text}
    return ends or value


def _written(value: Any) -> Any:
    """The same as it is typed."""
    if isinstance(value, Mapping) and value.keys() <= {"from", "to"}:
        return "..".join(str(value.get(name) or "") for name in ("from", "to"))
    return value


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
