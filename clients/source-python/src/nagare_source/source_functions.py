"""The types of a source's functions, and of their arguments."""

# Copied from clients/python/src/nagare/source_functions.py; make generate

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

from .page import Page


@dataclass(frozen=True)
class Marked:
    """The marked items of an edit: those with the given ids, or all that match a query and filters, except those ids."""

    ids: list[Any]
    """The ids of the marked items. If `all` is true, the ids of the exceptions."""
    all: bool = False
    """Whether all matching items are marked, except `ids`."""
    query: str | None = None
    """The query if `all` is true; None matches everything."""
    filters: Mapping[str, Any] = field(default_factory=dict)
    """The filters if `all` is true; empty if nothing is filtered."""


class Progress(Protocol):
    """Reports the progress of a page function while it runs."""

    def __call__(self, done: int, *, of: int | None = None, unit: str | None = None) -> None:
        """Reports how much is `done`, and `of` how much, if that is known. `unit` names what is counted, such as "bytes"."""


PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Returns a page. Receives the page's key (None for the first page), the query (None for everything) and the number of
items to return.

It also receives each of the following arguments that it has a parameter for:

- `filters`: the filters, a dictionary; empty if nothing is filtered.
- `at`: the number of items before the requested page, or None.
- `around`: the id of an item that the requested page must contain, or None.
- `progress`: a `Progress`.
"""

ItemFunction: TypeAlias = Callable[[Any], object]
"""Returns the full item with the given id, or None if the item doesn't exist."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Inserts an item. Receives the item, and the id of the item before which to insert it, or None for the first position.

It may return `{"item": item}`, the item as the source stored it, or `{"id": id}`, if the source chose another id. Any
other result is ignored.
"""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Changes an item. Receives the new version of the item, including its id.

It may return `{"item": item}`, the item as the source stored it, or `{"id": id}`, if the source chose another id. Any
other result is ignored.
"""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Removes the item with the given id. Its result is ignored."""

ChangeMarkedFunction: TypeAlias = Callable[[Marked, "dict[str, Any]"], object]
"""Changes the marked items, either all of them or none. Receives the marked items and the fields to set. Its result is ignored."""

RemoveMarkedFunction: TypeAlias = Callable[[Marked], object]
"""Removes the marked items, either all of them or none. Its result is ignored."""

AnyPage = TypeVar("AnyPage", bound=PageFunction)
AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)
AnyChangeMarked = TypeVar("AnyChangeMarked", bound=ChangeMarkedFunction)
AnyRemoveMarked = TypeVar("AnyRemoveMarked", bound=RemoveMarkedFunction)


def progress_params(request: Any, done: int, of: int | None, unit: str | None) -> dict[str, Any]:
    """Returns the parameters of a `source/progress` notification."""
    params = {"request": request, "done": done, "of": of, "unit": unit}
    return {name: value for name, value in params.items() if value is not None}


def edit_result(value: object) -> dict[str, Any]:
    """Returns the answer to an insertion or a change: the item or the id that the function returned."""
    if isinstance(value, Mapping):
        for name in ("item", "id"):
            if value.get(name) is not None:
                return {name: value[name]}
    return {}
