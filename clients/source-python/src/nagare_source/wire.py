"""Messages as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn
from uuid import UUID

from .errors import PARSE_ERROR, SourceError


EXACT = 15
"""A double holds each number of so many digits."""


class Number(Decimal):
    """A number of the wire that neither an `int` nor a `float` holds. It goes back as a number, as other decimals don't."""


@dataclass(frozen=True)
class HugeNumber:
    """A number whose exponent has 18 digits or more, which no `Decimal` holds. It goes back as it came."""

    text: str


class _Unwritten(TypeError):
    """There is a number that JSON's own encoder can't write."""


def decode(line: bytes) -> Any:
    """The JSON value of a line."""
    try:
        text = line.decode("utf-8")
        try:
            return json.loads(text, parse_constant=_refuse, parse_float=_fraction)
        except ValueError:
            # Python refuses integers of thousands of digits, if it isn't the line that is wrong.
            return json.loads(text, parse_constant=_refuse, parse_float=_fraction, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise SourceError(PARSE_ERROR, f"a line is no JSON: {error}") from None


def response(id: Any, result: Any) -> bytes:
    """The answer to a request; raises an error if the result can't be said in JSON."""
    return encode({"jsonrpc": "2.0", "id": id, "result": result})


def failure(id: Any, error: SourceError) -> bytes:
    """The answer to a request that failed."""
    said: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.retryable:
        said["data"] = {"retryable": True}
    return encode({"jsonrpc": "2.0", "id": id, "error": said})


def encode(value: Any) -> bytes:
    """A value in one line, without the line's end."""
    try:
        text = _text(value, _convert)
    except _Unwritten:
        text = _write(value)
    # Only half of a surrogate pair can't be UTF-8, and what takes its place is its escape in JSON, too.
    return text.encode("utf-8", "backslashreplace")


def _text(value: Any, convert: Callable[[Any], Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=convert)


def _write(value: Any) -> str:
    """What JSON's own encoder writes, but for the numbers that it doesn't take."""
    if isinstance(value, HugeNumber):
        return value.text
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_write, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(_text({name: 0}, _convert)[1:-2] + _write(member) for name, member in value.items()) + "}"
    if value is None or isinstance(value, (str, int, float)):
        return _text(value, _convert)
    return _write(_convert(value))


def _convert(value: Any) -> Any:
    """What databases give and JSON doesn't know."""
    if isinstance(value, (Number, HugeNumber)):
        raise _Unwritten
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (UUID, Decimal)):
        return str(value)
    if isinstance(value, Mapping) or (hasattr(value, "keys") and hasattr(value, "__getitem__")):
        return {name: value[name] for name in value.keys()}
    raise TypeError(f"a {type(value).__name__} can't be said in JSON: {value!r}")


def _integer(text: str) -> int | Number:
    try:
        return int(text)
    except ValueError:
        return Number(text)


def _fraction(text: str) -> float | Number | HugeNumber:
    number = float(text)
    if repr(number) == text or (len(text) <= EXACT and "e" not in text and "E" not in text):
        return number
    try:
        exact = Number(text)
    except InvalidOperation:
        return HugeNumber(text)
    # Only its shortest spelling leads to a double and back to the same number: 17 digits of another one don't.
    return number if exact == Decimal(repr(number)) else exact


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")
