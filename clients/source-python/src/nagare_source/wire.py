"""Messages as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any, NoReturn
from uuid import UUID

from .errors import PARSE_ERROR, SourceError


def decode(line: bytes) -> Any:
    """The JSON value of a line."""
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_refuse)
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
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_convert)
    # Only half of a surrogate pair can't be UTF-8, and what takes its place is its escape in JSON, too.
    return text.encode("utf-8", "backslashreplace")


def _convert(value: Any) -> Any:
    """What databases give and JSON doesn't know."""
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (UUID, Decimal)):
        return str(value)
    if isinstance(value, Mapping) or (hasattr(value, "keys") and hasattr(value, "__getitem__")):
        return {name: value[name] for name in value.keys()}
    raise TypeError(f"a {type(value).__name__} can't be said in JSON: {value!r}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")
