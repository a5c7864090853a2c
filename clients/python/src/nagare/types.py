"""The types of the outputs' values."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Literal, TypedDict


Outcome = Literal["nothing", "finished", "dropped", "failed"]
"""The outcome of all work that an input started (section 4.1)."""


TaskKind = Literal["alert", "confirm", "prompt", "choose", "pickImage", "login"]
"""The kinds of task that every client should know (section 5.5)."""


class Failure(TypedDict):
    """A failure that a screen shows."""

    code: int
    """A number of the server's, or of the source."""
    message: str
    """One sentence for the user."""
    retryable: bool
    """Whether the same request may succeed later."""
    trigger: str
    """What started the work that failed: usually the name of an input."""
    number: int
    """The number of the failure among the view's failures, from 1."""


class SometimesLoadState(TypedDict, total=False):
    """The optional fields of `LoadState`."""

    total: int | None
    """The total number of items of a live source; null if it isn't known."""
    progress: LoadProgress
    """The progress of the load; absent if the source doesn't report any."""


class LoadState(SometimesLoadState):
    """The state of a list's newest load."""

    trigger: Literal["appear", "reachBottom", "loadMore", "reachTop", "refresh", "search", "filter", "retry", "invalidated", "viewport", "jump"]
    """The input that started the newest load."""
    phase: Literal["nothing", "requesting", "requestFinished", "reachedBottom", "failed"]
    """The phase of the load."""
    count: int
    """The number of listed items."""


class SometimesLoadProgress(TypedDict, total=False):
    """The optional fields of `LoadProgress`."""

    of: int
    """The amount of all the work; absent if it isn't known."""
    unit: str
    """The unit of both numbers, such as bytes; absent if the source doesn't name it."""


class LoadProgress(SometimesLoadProgress):
    """The progress of the load; absent if the source doesn't report any."""

    done: int
    """How much of the work is done."""


class ListSection(TypedDict):
    """Consecutive items of a list that share a value."""

    key: str | float | bool | None
    """The value that the items share: a text, a number, true, false or null."""
    start: int
    """The position of the section's first item in the list, from 0."""
    count: int | None
    """The number of items; null if not all of them are loaded."""


class Marks(TypedDict):
    """The marks of a list."""

    count: int | None
    """The number of marked items; null if it isn't known."""
    all: bool
    """Whether all items are marked except those in ids."""
    ids: list[Any]
    """The marked items. If all is true, the items that aren't marked."""


class PendingItem(TypedDict):
    """A listed item with an unfinished edit."""

    id: Any
    """The id of the item."""
    state: Literal["sending", "failed"]
    """The state of the edit."""


SometimesUndoableEdit = TypedDict("SometimesUndoableEdit", {"ids": list[Any], "all": bool, "except": list[Any]}, total=False)
"""The optional fields of `UndoableEdit`."""


class UndoableEdit(SometimesUndoableEdit):
    """An edit that can be undone. The list shows it, and the source hasn't received it yet."""

    count: int | None
    """The number of edited items; null if it isn't known."""
    input: str
    """The kind of the edit: "remove" or "change"."""
    milliseconds: int
    """How long the edit can be undone after it was made, in milliseconds."""


class Arrivals(TypedDict):
    """The deferred arrivals: new items before the first one."""

    count: int
    """The number of deferred arrivals."""


class ScrollTarget(TypedDict):
    """A row to scroll to."""

    index: int
    """The position of the row, from 0."""
    id: Any | None
    """The id of the item there; null if the row isn't loaded."""


class SometimesPagerPage(TypedDict, total=False):
    """The optional fields of `PagerPage`."""

    whole: bool
    """Whether the item is full, if the screen requests full items. Otherwise it is the row."""


class PagerPage(SometimesPagerPage):
    """The item that a pager shows, and its position."""

    id: Any | None
    """The id of the item; null if its row isn't loaded."""
    index: int | None
    """The position of the item in the list, from 0; null if it isn't listed."""
    count: int
    """The number of listed items."""
    item: Any | None
    """The item; null if it is neither listed nor loaded."""
    hasPrevious: bool
    """Whether there is a previous item to swipe to."""
    hasNext: bool
    """Whether there is a next item to swipe to."""
    hasMore: bool
    """Whether the source has more items than the list, or rows follow that aren't loaded."""
