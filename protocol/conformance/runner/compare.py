"""Compares a received message with the expected one, and returns the JSON path of the first difference."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

_KINDS: dict[str, type | tuple[type, ...]] = {
    "<any>": object,
    "<string>": str,
    "<number>": Decimal,
    "<boolean>": bool,
    "<object>": dict,
    "<array>": list,
}
_CONTAINING = re.compile(r"<string: (.*)>")


@dataclass(frozen=True)
class Difference:
    """The first difference between two messages. `path` is its JSON path."""

    path: str
    expected: str
    received: str


class Memory:
    """The items and the revision of each view, as its client knows them. Splices are applied to these items."""

    def __init__(self) -> None:
        self.items: dict[str, list[Any]] = {}
        self.revision: dict[str, Decimal] = {}
        self.view = ""
        self.before = Decimal(0)
        self.sent = 0
        """The number of messages sent so far, which is also the number of the last one."""

    def observe(self, message: Any) -> Difference | None:
        """Applies an `items` notification as a client does. Returns what makes it impossible to apply, or None."""
        if not isinstance(message, dict) or message.get("method") != "items":
            return None
        params = message["params"]
        self.view = params["view"]
        self.before = self.revision.get(self.view, Decimal(0))
        self.revision[self.view] = params.get("revision", self.before)
        if "splices" not in params:
            self.items[self.view] = list(params["value"])
            return None
        items = self.items.setdefault(self.view, [])
        for number, splice in enumerate(params["splices"]):
            start, end = int(splice["start"]), int(splice["start"] + splice["deleteCount"])
            if not 0 <= start <= end <= len(items):
                return Difference(f"$.params.splices[{number}]", f"a range within {len(items)} items", show(splice))
            items[start:end] = splice["items"]
        if "start" in params:
            if params["start"] + len(items) > params["count"]:
                return Difference("$.params.count", f"at least {params['start'] + len(items)}", show(params["count"]))
        elif params["count"] != len(items):
            return Difference("$.params.count", str(len(items)), show(params["count"]))
        return None


def show(value: Any) -> str:
    """Returns a value as JSON on one line."""

    def number(value: Any) -> Any:
        return int(value) if value == value.to_integral_value() and abs(value) < 10**18 else float(value)

    return json.dumps(value, default=number, ensure_ascii=False)


def difference(expected: Any, received: Any, memory: Memory, path: str = "$") -> Difference | None:
    """Returns the first difference between `expected`, which may contain placeholders, and `received`; None if none."""
    if isinstance(expected, str):
        return None if _text(expected, received, memory) else Difference(path, show(expected), show(received))
    if isinstance(expected, dict) and isinstance(received, list) and set(expected) == {"<leads to>"}:
        return difference(expected["<leads to>"], memory.items.get(memory.view), memory, f"{path} applied")
    if isinstance(expected, dict) and isinstance(received, dict):
        return _members(expected, received, memory, path)
    if isinstance(expected, list) and isinstance(received, list):
        return _elements(expected, received, memory, path)
    same = type(expected) is type(received) and expected == received
    return None if same else Difference(path, show(expected), show(received))


def _text(expected: str, received: Any, memory: Memory) -> bool:
    if expected in _KINDS:
        return isinstance(received, _KINDS[expected])
    if expected in ("<integer>", "<revision>", "<base>", "<message>"):
        if not isinstance(received, Decimal) or received != received.to_integral_value():
            return False
        if expected == "<message>":
            return received == memory.sent
        if expected == "<revision>":
            return received > memory.before
        return expected == "<integer>" or received == memory.before
    if found := _CONTAINING.fullmatch(expected):
        return isinstance(received, str) and all(part.strip() in received for part in found[1].split(","))
    return isinstance(received, str) and expected == received


def _members(expected: dict[str, Any], received: dict[str, Any], memory: Memory, path: str) -> Difference | None:
    for name, value in expected.items():
        if name == "..." == value:
            continue
        if name not in received:
            return Difference(f"{path}.{name}", show(value), "nothing: the field is missing")
        if found := difference(value, received[name], memory, f"{path}.{name}"):
            return found
    if expected.get("...") == "...":
        return None
    for name, value in received.items():
        if name not in expected:
            return Difference(f"{path}.{name}", "nothing: there must be no such field", show(value))
    return None


def _elements(expected: list[Any], received: list[Any], memory: Memory, path: str) -> Difference | None:
    more = bool(expected) and expected[-1] == "..."
    wanted = expected[:-1] if more else expected
    for index, value in enumerate(wanted):
        if index >= len(received):
            return Difference(f"{path}[{index}]", show(value), f"nothing: only {len(received)} elements")
        if found := difference(value, received[index], memory, f"{path}[{index}]"):
            return found
    if len(received) > len(wanted) and not more:
        return Difference(f"{path}[{len(wanted)}]", f"nothing: {len(wanted)} elements", show(received[len(wanted)]))
    return None
