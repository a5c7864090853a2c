"""Reads JSON objects that a server may have omitted."""

from __future__ import annotations

from typing import Any


def json_object(value: Any) -> dict[str, Any]:
    """Returns a JSON object unchanged, and an empty object for any other value."""
    return value if isinstance(value, dict) else {}
