"""Messages as lines of JSON."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from datetime import date, time
from decimal import Decimal
from functools import partial
from math import isfinite
from typing import Any, NoReturn

from .errors import PARSE_ERROR, SourceError, warn
from .exact_numbers import HugeNumber, fraction, integer

MESSAGE_LIMIT = 16 * 1024 * 1024
"""The maximum size of a message in bytes, unless `nagare` is started with another limit."""

DEPTH_LIMIT = 500
"""The maximum nesting of a message. The server's limit is 512, but it puts items into deeper messages."""


class Number(Decimal):
    """A number in JSON that neither an `int` nor a `float` can represent. Unlike other decimals, it is written as a number."""


class InvalidText(str):
    """A text that isn't UTF-8. It has U+FFFD in place of invalid bytes."""

    def __new__(cls, raw: bytes) -> InvalidText:
        self = super().__new__(cls, raw.decode("utf-8", "replace"))
        self.raw = raw
        return self

    raw: bytes
    """The original bytes."""


_integer, _fraction = partial(integer, Number), partial(fraction, Number)


class _Unwritten(TypeError):
    """Raised for a number that only this module's own encoder can write."""


def decode(line: bytes) -> Any:
    """Decodes a line."""
    try:
        text = line.decode("utf-8")
        try:
            return json.loads(text, parse_constant=_refuse, parse_float=_fraction)
        except ValueError:
            # The line is invalid, or it contains an integer with thousands of digits, which Python refuses to convert.
            return json.loads(text, parse_constant=_refuse, parse_float=_fraction, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise SourceError(PARSE_ERROR, f"a line is no JSON: {error}") from None


MEMBER_DEPTH_LIMIT = DEPTH_LIMIT - 10
"""The maximum nesting of a row's field. The message adds some levels."""

PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')
"""The tokens that separate the fields of an object."""


def decode_row(text: str) -> dict[str, Any]:
    """Decodes a row's JSON object. A field that is nested too deep for a message becomes a text that contains the field's JSON."""
    # Brackets in texts are counted, too, so the depth is at most this number.
    if text.count("[") + text.count("{") <= MEMBER_DEPTH_LIMIT:
        row: dict[str, Any] = decode(text.encode())
        return row
    row, level, deepest, begin = {}, 0, 0, 1
    for part in PARTS.finditer(text):
        mark = part[0]
        level += (mark in "[{") - (mark in "]}")
        deepest = max(deepest, level)
        if (mark == "," and level == 1) or level == 0:
            member = text[begin : part.start()].strip()
            if member:
                (name,) = decode(f"[{(quoted := PARTS.match(member))[0]}]".encode())  # type: ignore[index]
                value = member[quoted.end() :].lstrip(" :")  # type: ignore[union-attr]
                row[name] = value if deepest > MEMBER_DEPTH_LIMIT else decode(value.encode())
            begin, deepest = part.end(), 0
    return row


def response(id: Any, result: Any) -> bytes:
    """Encodes a response."""
    return encode({"jsonrpc": "2.0", "id": id, "result": result})


def failure(id: Any, error: SourceError) -> bytes:
    """Encodes an error response."""
    members: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.retryable:
        members["data"] = {"retryable": True}
    return encode({"jsonrpc": "2.0", "id": id, "error": members})


def encode(value: Any) -> bytes:
    """Encodes a value as one line of JSON, without the line end.

    Values that JSON doesn't have never fail the message: see `to_json`.
    """
    try:
        text = _text(value, _convert)
        # Brackets in texts are counted, too, so the depth is at most this number.
        is_deep = text.count("[") + text.count("{") > DEPTH_LIMIT and depth(value) > DEPTH_LIMIT
    except (_Unwritten, TypeError, ValueError, RecursionError):
        is_deep = True
    if is_deep:
        text = _write(value, 1)
    # Half of a surrogate pair has no UTF-8 encoding. `backslashreplace` writes an escape that is valid in JSON.
    return text.encode("utf-8", "backslashreplace")


def depth(value: Any) -> int:
    """Returns the nesting of a value. It stops counting shortly after `DEPTH_LIMIT`."""
    level, deepest = [value], 0
    while level and deepest <= DEPTH_LIMIT:
        level = [one for one in level if isinstance(one, (dict, list, tuple))]
        deepest += bool(level)
        level = [member for one in level for member in (one.values() if isinstance(one, dict) else one)]
    return deepest


def to_json(value: Any) -> Any:
    """Converts a database's value to its JSON form: bytes to `\\x00ff` and infinite numbers to their names, both as PostgreSQL does."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"\\x{bytes(value).hex()}"
    if isinstance(value, float) and not isfinite(value):
        return str(Decimal(value))
    return value


def as_dict(row: Any) -> Any:
    """Converts a row with column names, such as a `sqlite3.Row`, to a dictionary. Returns other values unchanged.

    Names keep their case, which `sqlite3.Row` ignores. Of two columns with the same name, the first is used.
    """
    if isinstance(row, sqlite3.Row):
        named: dict[str, Any] = {}
        for name, value in zip(row.keys(), row):
            named.setdefault(name, value)
        return named
    if isinstance(row, dict) or not (hasattr(row, "keys") and hasattr(row, "__getitem__")):
        return row
    return {name: row[name] for name in row.keys()}


def _text(value: Any, convert: Callable[[Any], Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=convert)


def _write(value: Any, level: int) -> str:
    """Encodes values that `json` refuses: exact numbers, unknown types, and deep nesting."""
    if isinstance(value, HugeNumber):
        return value.text
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, (list, tuple, dict)) and level > DEPTH_LIMIT:
        warn(f"a value is nested more than {DEPTH_LIMIT} deep: what lies deeper is left out")
        return '"…"'
    parts: list[str] = []  # Comprehensions would add a stack frame for each level.
    if isinstance(value, (list, tuple)):
        for one in value:
            parts.append(_write(one, level + 1))
        return f"[{','.join(parts)}]"
    if isinstance(value, dict):
        for name, one in value.items():
            name = to_json(name) if isinstance(name, (str, int, float, type(None))) else str(name)
            parts.append(_text({name: 0}, _convert)[1:-2] + _write(one, level + 1))
        return f"{{{','.join(parts)}}}"
    value = to_json(value)
    if value is None or isinstance(value, (str, int, float)):
        return _text(value, _convert)
    try:
        value = _convert(value)
    except TypeError as error:
        warn(f"{error}. Its text takes its place")
        value = str(value)
    return _write(value, level)


def _convert(value: Any) -> Any:
    """Converts database values that JSON doesn't have."""
    if isinstance(value, (Number, HugeNumber)):
        raise _Unwritten
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal) or type(value).__name__ == "UUID":
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return to_json(value)
    converted = as_dict(value)
    if converted is value:
        raise TypeError(f"a {type(value).__name__} has no JSON: {value!r:.200}")
    return converted


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")
