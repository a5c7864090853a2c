"""The functions that answer for one source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from .page import Page

PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Takes the key, None for the first page; what is looked for, None for everything; and the number of items wanted. One
that takes a parameter `filters` is given these, too: a dictionary, empty where nothing is filtered."""

ItemFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of an item, and gives the whole item; None where there is none."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Takes the item, and the id of the item before which it goes, None for the first place. What it returns means nothing."""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Takes what the item with its id is from now on. What it returns means nothing."""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of the item. What it returns means nothing."""

AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyPage = TypeVar("AnyPage", bound=PageFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)


class Source:
    """One source: its pages, and the edits that it takes.

    The functions are given here or by decorators, and may be plain or `async`:

        mails = Source()

        @mails.page
        def load(key, query, size): ...

        @mails.remove
        async def remove(id): ...

    A plain one runs in a thread, so others run meanwhile. An `async` one is cancelled when its answer is no longer needed.
    The edits of a source are made one after another, in the order in which the user made them.
    """

    def __init__(
        self,
        page: PageFunction | None = None,
        *,
        item: ItemFunction | None = None,
        insert: InsertFunction | None = None,
        change: ChangeFunction | None = None,
        remove: RemoveFunction | None = None,
    ) -> None:
        self.functions: dict[str, Callable[..., object]] = {}
        if page is not None:
            self.page(page)
        if item is not None:
            self.item(item)
        if insert is not None:
            self.insert(insert)
        if change is not None:
            self.change(change)
        if remove is not None:
            self.remove(remove)

    def page(self, function: AnyPage) -> AnyPage:
        """Has this function give the pages."""
        self.functions["source/page"] = function
        return function

    def item(self, function: AnyItem) -> AnyItem:
        """Has this function give whole items by their ids."""
        self.functions["source/item"] = function
        return function

    def insert(self, function: AnyInsert) -> AnyInsert:
        """Has this function insert items."""
        self.functions["source/insert"] = function
        return function

    def change(self, function: AnyChange) -> AnyChange:
        """Has this function change items."""
        self.functions["source/change"] = function
        return function

    def remove(self, function: AnyRemove) -> AnyRemove:
        """Has this function remove items."""
        self.functions["source/remove"] = function
        return function
