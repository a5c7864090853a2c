"""Columns side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cells import width
from .display import Column

NARROWEST = 8
"""Cells that a column has at least."""
WIDEST = 48
"""Cells that a column takes for what is in it."""


def widths(columns: Sequence[Column], items: Sequence[Any], cells: int) -> list[tuple[Column, int]]:
    """The columns that there is room for, with their cells: what their items need, two between them. The first one gives what is
    missing, and has what is left."""
    wants = [(one, max([width(one.name), NARROWEST, *(min(WIDEST, width(one.shown(item))) for item in items)])) for one in columns]
    while len(wants) > 1 and 2 * NARROWEST + sum(want + 2 for _, want in wants[1:]) > cells:
        wants.pop()
    if not wants:
        return []
    rest = sum(want + 2 for _, want in wants[1:])
    return [(wants[0][0], max(NARROWEST, cells - rest)), *wants[1:]]


def guessed(items: Sequence[Any], members: Sequence[str]) -> list[Column]:
    """The columns of items of which nothing is said: the members of their schema, or of the first of them."""
    from .words import humane

    first = items[0] if items else {}
    names = list(members) or (list(first) if isinstance(first, dict) else [])
    numbers = {name for name in names if isinstance(first, dict) and type(first.get(name)) in (int, float)}
    return [Column(name, humane(name), align="end" if name in numbers else "start") for name in names]
