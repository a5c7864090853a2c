"""The state `page` of a detail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import nagare


@dataclass(frozen=True)
class Page:
    """A detail's state `page`. A view model that isn't built in may omit any field."""

    id: Any = None
    index: int | None = None
    """The item's position in the list, from 0; None if it isn't listed."""
    count: int = 0
    item: Any = None
    has_previous: bool = False
    has_next: bool = False
    has_more: bool = False
    is_whole: bool = False
    """Whether the item has more fields than its row in the list."""


def page_of(view: nagare.View) -> Page:
    """Returns a view's state `page`. Ignores fields with another type than the built-in pager's."""
    state = view["page"] if "page" in view else None
    if not isinstance(state, Mapping):
        return Page()
    index, count = (number if isinstance(number := state.get(name), int) else None for name in ("index", "count"))
    ends = (state.get(name) is True for name in ("hasPrevious", "hasNext", "hasMore", "whole"))
    return Page(state.get("id"), index, count or 0, state.get("item"), *ends)
