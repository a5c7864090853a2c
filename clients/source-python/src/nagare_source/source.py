"""The functions that answer for one source."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from .marked import Marked
from .page import Page

PageFunction: TypeAlias = Callable[..., "Page | Awaitable[Page]"]
"""Takes the key, None for the first page; what is looked for, None for everything; and the number of items wanted. One
that takes a parameter `filters` is given these, too: a dictionary, empty where nothing is filtered. One that takes `at` may
be asked for the page that so many items come before, and one that takes `around` for the page that holds the item with an
id: what isn't asked for is None. One that takes `progress` is given a function that says how far it has come."""


class Progress(Protocol):
    """Says how far a page function has come, as it runs."""

    def __call__(self, done: int, *, of: int | None = None, unit: str | None = None) -> None:
        """So much is done, of so much if that is known; `unit` is what is counted, such as "bytes"."""


ItemFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of an item, and gives the whole item; None where there is none."""

InsertFunction: TypeAlias = Callable[[Any, Any], object]
"""Takes the item, and the id of the item before which it goes, None for the first place. What it returns means nothing."""

ChangeFunction: TypeAlias = Callable[[Any], object]
"""Takes what the item with its id is from now on. What it returns means nothing."""

RemoveFunction: TypeAlias = Callable[[Any], object]
"""Takes the id of the item. What it returns means nothing."""

ChangeMarkedFunction: TypeAlias = Callable[[Marked, "dict[str, Any]"], object]
"""Takes which items are changed, and the members that they get, all or none. What it returns means nothing."""

RemoveMarkedFunction: TypeAlias = Callable[[Marked], object]
"""Takes which items are removed, all or none. What it returns means nothing."""

ChangesFunction: TypeAlias = Callable[..., "AsyncGenerator[Any, None]"]
"""An `async` generator that gives what happens, when it has happened: an `inserted`, `changed` or `removed`, a list of these
that happen at one time, or `ALL`.

One that takes parameters `query` and `filters` tells how what is looked for by these changes, and runs once for each. One
that takes none runs once for all; where something is looked for, the list is then read again at each change.

One that takes a parameter `since` has states of its own, texts, and gives pairs of changes and the state that they lead to:
first `([], STATE)` if `since` is None, else what has happened since that state, or it raises `TooOld`; and then what
happens."""

AnyItem = TypeVar("AnyItem", bound=ItemFunction)
AnyPage = TypeVar("AnyPage", bound=PageFunction)
AnyInsert = TypeVar("AnyInsert", bound=InsertFunction)
AnyChange = TypeVar("AnyChange", bound=ChangeFunction)
AnyRemove = TypeVar("AnyRemove", bound=RemoveFunction)
AnyChangeMarked = TypeVar("AnyChangeMarked", bound=ChangeMarkedFunction)
AnyRemoveMarked = TypeVar("AnyRemoveMarked", bound=RemoveMarkedFunction)
AnyChanges = TypeVar("AnyChanges", bound=ChangesFunction)


class Source:
    """One source: its pages, the edits that it takes, and how it changes.

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
        change_marked: ChangeMarkedFunction | None = None,
        remove_marked: RemoveMarkedFunction | None = None,
        changes: ChangesFunction | None = None,
    ) -> None:
        self.functions: dict[str, Callable[..., object]] = {}
        given = {"page": page, "item": item, "insert": insert, "change": change, "remove": remove, "watch": changes}
        given |= {"change marked": change_marked, "remove marked": remove_marked}
        self.functions.update({f"source/{name}": function for name, function in given.items() if function is not None})

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

    def change_marked(self, function: AnyChangeMarked) -> AnyChangeMarked:
        """Has this function change many items at once, where the configuration has `"marked"` in `writes`."""
        self.functions["source/change marked"] = function
        return function

    def remove_marked(self, function: AnyRemoveMarked) -> AnyRemoveMarked:
        """Has this function remove many items at once, where the configuration has `"marked"` in `writes`."""
        self.functions["source/remove marked"] = function
        return function

    def changes(self, function: AnyChanges) -> AnyChanges:
        """Has this function tell how the source changes, where the configuration says `"live": true`."""
        self.functions["source/watch"] = function
        return function
