"""Reads objects that a server may have left out."""

from __future__ import annotations

from typing import Any


def json_object(value: Any) -> dict[str, Any]:
    """Returns a JSON object as it is, and an empty one in place of any other value."""
    return value if isinstance(value, dict) else {}
