"""The functions of a source."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any, TypeAlias, TypeVar

from .source_functions import (
    AnyChange,
    AnyChangeMarked,
    AnyInsert,
    AnyItem,
    AnyPage,
    AnyRemove,
    AnyRemoveMarked,
    ChangeFunction,
    ChangeMarkedFunction,
    InsertFunction,
    ItemFunction,
    PageFunction,
    RemoveFunction,
    RemoveMarkedFunction,
)

ChangesFunction: TypeAlias = Callable[..., "AsyncGenerator[Any, None]"]
"""An `async` generator of changes: it yields an `inserted`, `changed` or `removed`, a list of changes at the same time, or `ALL`.

- With parameters `query` and `filters` it yields the changes of the matching items, and runs once for each combination. Without, it runs
  once for all, and a list with a query or filters reloads at each change.
- With a parameter `since` it has states of its own, texts, and yields pairs of changes and the state after them: first
  `([], STATE)` if `since` is None, otherwise the changes since that state, or it raises `TooOld`; then further changes."""

AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)


class Source:
    """A source: its pages, edits and changes.

    Functions are passed as arguments or decorated, and may be plain or `async`:

        mails = Source()

        @mails.page
        def load(key, query, size): ...

        @mails.remove
        async def remove(id): ...

    A plain function runs in a thread, at the same time as others. An `async` function is cancelled when its answer is no longer needed.
    Edits of a source run one after another, in the order of the user's actions.
    """

    def __init__(
        self,
        page: PageFunction | None = None,
        *,
        item: ItemFunction | None = None,
        insert: InsertFunction | None = None,
        change: ChangeFunction | None = None,
        remove: RemoveFunction | None = None,
        change_marked: ChangeMarkedFunction | None = None,
        remove_marked: RemoveMarkedFunction | None = None,
        changes: ChangesFunction | None = None,
    ) -> None:
        self.functions: dict[str, Callable[..., object]] = {}
        given = {"page": page, "item": item, "insert": insert, "change": change, "remove": remove, "watch": changes}
        given |= {"change marked": change_marked, "remove marked": remove_marked}
        self.functions.update({f"source/{name}": function for name, function in given.items() if function is not None})

    def page(self, function: AnyPage) -> AnyPage:
        """Makes this function return the pages."""
        self.functions["source/page"] = function
        return function

    def item(self, function: AnyItem) -> AnyItem:
        """Makes this function return full items by their ids."""
        self.functions["source/item"] = function
        return function

    def insert(self, function: AnyInsert) -> AnyInsert:
        """Makes this function insert items."""
        self.functions["source/insert"] = function
        return function

    def change(self, function: AnyChange) -> AnyChange:
        """Makes this function change items."""
        self.functions["source/change"] = function
        return function

    def remove(self, function: AnyRemove) -> AnyRemove:
        """Makes this function remove items."""
        self.functions["source/remove"] = function
        return function

    def change_marked(self, function: AnyChangeMarked) -> AnyChangeMarked:
        """Makes this function change many items at once, where the configuration has `"marked"` in `writes`."""
        self.functions["source/change marked"] = function
        return function

    def remove_marked(self, function: AnyRemoveMarked) -> AnyRemoveMarked:
        """Makes this function remove many items at once, where the configuration has `"marked"` in `writes`."""
        self.functions["source/remove marked"] = function
        return function

    def changes(self, function: AnyChanges) -> AnyChanges:
        """Makes this function report how the source changes, if the configuration says `"live": true`."""
        self.functions["source/watch"] = function
        return function
