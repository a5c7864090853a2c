"""Messages as lines of JSON, whose numbers come and go as they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

EXACT = 15
"""A double holds each number of so many digits."""


@dataclass(frozen=True)
class HugeNumber:
    """A number whose exponent has 18 digits or more, which no `Decimal` holds. It goes back as it came."""

    text: str


def decode(line: bytes) -> Any:
    """The value of a line. Numbers that neither an `int` nor a `float` holds are `Decimal`s. Raises `ValueError`."""
    try:
        return json.loads(line, parse_float=_fraction)
    except ValueError:
        # Python refuses integers of thousands of digits, if it isn't the line that is wrong.
        return json.loads(line, parse_float=_fraction, parse_int=_integer)


def encode(value: Any) -> bytes:
    """A value in one line, without the line's end. Raises `TypeError` or `ValueError` if it can't be said in JSON."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError):
        text = _write(value)
    # Only half of a surrogate pair can't be UTF-8, and what takes its place is its escape in JSON, too.
    return text.encode("utf-8", "backslashreplace")


def _integer(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def _fraction(text: str) -> float | Decimal | HugeNumber:
    number = float(text)
    if repr(number) == text or (len(text) <= EXACT and "e" not in text and "E" not in text):
        return number
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return HugeNumber(text)
    # Only its shortest spelling leads to a double and back to the same number: 17 digits of another one don't.
    return number if exact == Decimal(repr(number)) else exact


def _write(value: Any) -> str:
    """What JSON's own encoder writes, but for the numbers that it doesn't take."""
    if isinstance(value, HugeNumber):
        return value.text
    if isinstance(value, Decimal) and value.is_finite():
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(Decimal(value))
    if isinstance(value, dict):
        return "{" + ",".join(_ENCODER.encode({name: 0})[1:-2] + _write(member) for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_write, value)) + "]"
    return _ENCODER.encode(value)
