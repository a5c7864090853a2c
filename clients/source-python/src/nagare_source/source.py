"""The functions of a source."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
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
"""A changes function: an `async` generator that yields an `inserted`, `changed` or `removed`, a list of changes at the
same time, or `ALL`.

- With the parameters `query` and `filters` it yields the changes of the matching items, and runs once for each
  combination. Without them it runs once for all lists. A list with a query or filters then reloads at each change.
- With the parameter `since` it keeps states, which are texts, and yields pairs of changes and the state after them. If
  `since` is None, the first pair is `([], STATE)`. Otherwise it contains the changes since that state; if these are
  unknown, the function raises `TooOld`. Further changes follow.
"""

AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)


class Source:
    """A source: its pages, edits and changes.

    Pass functions as arguments, or decorate them. They may be plain or `async`:

        mails = Source()

        @mails.page
        def load(key, query, size): ...

        @mails.remove
        async def remove(id): ...

    A plain function runs in a thread, at the same time as others. An `async` function is cancelled when its answer is
    no longer needed. A source's edits run one after another, in the order of the user's actions.
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
        """Makes this function change several items at once, if the configuration has `"marked"` in `writes`."""
        self.functions["source/change marked"] = function
        return function

    def remove_marked(self, function: AnyRemoveMarked) -> AnyRemoveMarked:
        """Makes this function remove several items at once, if the configuration has `"marked"` in `writes`."""
        self.functions["source/remove marked"] = function
        return function

    def changes(self, function: AnyChanges) -> AnyChanges:
        """Makes this function report the source's changes, if the configuration has `"live": true`."""
        self.functions["source/watch"] = function
        return function
