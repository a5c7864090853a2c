"""Messages as lines of JSON. Numbers are read and written without loss."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial
from typing import Any

from .exact_numbers import HugeNumber, fraction, integer

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

_integer, _fraction = partial(integer, Decimal), partial(fraction, Decimal)


def decode(line: bytes) -> Any:
    """Decodes a line. Numbers that neither an `int` nor a `float` can represent become `Decimal`s.

    Raises `ValueError` if the line isn't valid JSON.
    """
    try:
        return json.loads(line, parse_float=_fraction)
    except ValueError:
        # The line is invalid, or it contains an integer with thousands of digits, which Python refuses to convert.
        return json.loads(line, parse_float=_fraction, parse_int=_integer)


def encode(value: Any) -> bytes:
    """Encodes a value in one line, without the line end. Raises `TypeError` or `ValueError` if JSON can't represent it."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError):
        text = _write(value)
    # Half of a surrogate pair has no UTF-8 encoding. `backslashreplace` writes an escape that is valid in JSON.
    return text.encode("utf-8", "backslashreplace")


def _write(value: Any) -> str:
    """Encodes like `json`, and also the numbers that it refuses."""
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
