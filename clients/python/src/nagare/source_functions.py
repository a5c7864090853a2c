"""The functions of a source, and what they receive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

from .page import Page


@dataclass(frozen=True)
class Marked:
    """The items of an edit of many: those with some ids, or all that match a query and filters, except some."""

    ids: list[Any]
    """The ids of the marked items; if `all` is true, of the items that aren't marked."""
    all: bool = False
    """Whether everything that matches is marked, except `ids`."""
    query: str | None = None
    """The query if `all` is true; None matches everything."""
    filters: Mapping[str, Any] = field(default_factory=dict)
    """The filters if `all` is true; empty where nothing is filtered."""


class Progress(Protocol):
    """Reports the progress of a page function while it runs."""

    def __call__(self, done: int, *, of: int | None = None, unit: str | None = None) -> None:
        """Reports how much is done, and of how much if that is known; `unit` is what is counted, such as "bytes"."""


PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Receives the page's key, None for the first page; the query, None for everything; and the number of items wanted.

It also receives these, if it has a parameter of that name:

- `filters`: the filters, a dictionary; empty where nothing is filtered.
- `at`: the number of items before the requested page, or None.
- `around`: the id of an item that the requested page holds, or None.
- `progress`: a `Progress`."""

ItemFunction: TypeAlias = Callable[[Any], object]
"""Receives the id of an item, and returns the full item; None if there is no such item."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Receives the item, and the id of the item before which it goes, None for the first position.

It may return `{"item": item}`, the item as the source has it, or `{"id": id}`, if the source gave it another id. Any other result is
ignored."""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Receives the new version of the item with its id.

It may return `{"item": item}`, the item as the source has it, or `{"id": id}`, if the source gave it another id. Any other result is
ignored."""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Receives the id of the item. Its result is ignored."""

ChangeMarkedFunction: TypeAlias = Callable[[Marked, "dict[str, Any]"], object]
"""Receives the marked items, and the fields that they get: all items or none. Its result is ignored."""

RemoveMarkedFunction: TypeAlias = Callable[[Marked], object]
"""Receives the marked items, and removes all or none. Its result is ignored."""

AnyPage = TypeVar("AnyPage", bound=PageFunction)
AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)
AnyChangeMarked = TypeVar("AnyChangeMarked", bound=ChangeMarkedFunction)
AnyRemoveMarked = TypeVar("AnyRemoveMarked", bound=RemoveMarkedFunction)


def progress_params(request: Any, done: int, of: int | None, unit: str | None) -> dict[str, Any]:
    """Returns the parameters of the notification `source/progress` for a request."""
    params = {"request": request, "done": done, "of": of, "unit": unit}
    return {name: value for name, value in params.items() if value is not None}


def edit_result(value: object) -> dict[str, Any]:
    """Returns the answer to an insertion or a change: the item or the id that the function returned. Other results are ignored."""
    if isinstance(value, Mapping):
        for name in ("item", "id"):
            if value.get(name) is not None:
                return {name: value[name]}
    return {}
