"""The types of what outputs hold."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Literal, TypedDict


Outcome = Literal["nothing", "finished", "dropped", "failed"]
"""What has become of all that an input began, section 4.1."""


TaskKind = Literal["alert", "confirm", "prompt", "choose", "pickImage", "login"]
"""The kinds of task that every client should know, section 5.5."""


class Failure(TypedDict):
    """A failure that a screen shows."""

    code: int
    """The other side's own number, or the server's."""
    message: str
    """One sentence for a person."""
    retryable: bool
    """Whether the same may well succeed later."""
    trigger: str
    """What had set going what failed: mostly the name of an input."""
    number: int
    """Which of the view's failures it is, counted from 1."""


class SometimesLoadState(TypedDict, total=False):
    """What only some have of: How far the newest load of a list has come."""

    total: int | None
    """How many items a live source has in all; null where nobody knows."""
    progress: LoadProgress
    """How far the load has come; absent where its source doesn't say."""


class LoadState(SometimesLoadState):
    """How far the newest load of a list has come."""

    trigger: Literal["appear", "reachBottom", "loadMore", "reachTop", "refresh", "search", "filter", "retry", "invalidated", "viewport", "jump"]
    """What made the newest load begin."""
    phase: Literal["nothing", "requesting", "requestFinished", "reachedBottom", "failed"]
    """How far it has come."""
    count: int
    """How many items are listed."""


class SometimesLoadProgress(TypedDict, total=False):
    """What only some have of: How far the load has come; absent where its source doesn't say."""

    of: int
    """Of how much; absent where nobody knows."""
    unit: str
    """What is counted, such as bytes; absent if the source doesn't say."""


class LoadProgress(SometimesLoadProgress):
    """How far the load has come; absent where its source doesn't say."""

    done: int
    """How much is done."""


class ListSection(TypedDict):
    """Neighbours in a list that have something in common."""

    key: str | float | bool | None
    """What they have in common: a text, a number, true, false or null."""
    start: int
    """The position in the list of the first, from 0."""
    count: int | None
    """How many they are; null where not all of them are read."""


class Marks(TypedDict):
    """What is marked in a list."""

    count: int | None
    """How many items are marked; null where nobody knows how many there are."""
    all: bool
    """Whether all are marked, but for those that are named."""
    ids: list[Any]
    """The items that are marked; those that aren't, if all others are."""


class PendingItem(TypedDict):
    """A listed item with an edit that isn't finished."""

    id: Any
    """The item's id."""
    state: Literal["sending", "failed"]
    """How far the edit has come."""


SometimesUndoableEdit = TypedDict("SometimesUndoableEdit", {"ids": list[Any], "all": bool, "except": list[Any]}, total=False)
"""What only some have of: An edit that can be undone: it is listed, and the source isn't asked for it yet."""


class UndoableEdit(SometimesUndoableEdit):
    """An edit that can be undone: it is listed, and the source isn't asked for it yet."""

    count: int | None
    """How many items the edit is of; null if nobody knows."""
    input: str
    """The input that made the edit: "remove" or "change"."""
    milliseconds: int
    """For how long the edit can be undone, from when it was made."""


class Arrivals(TypedDict):
    """The new items before the first one that the list defers."""

    count: int
    """How many items are held back."""


class ScrollTarget(TypedDict):
    """Where to scroll to."""

    index: int
    """The row's position, from 0."""
    id: Any | None
    """Its item's id; null where it isn't read."""


class SometimesPagerPage(TypedDict, total=False):
    """What only some have of: The item that a pager shows, and what lies around it."""

    whole: bool
    """Whether the item is whole, where the screen asks for whole items: else it is the row."""


class PagerPage(SometimesPagerPage):
    """The item that a pager shows, and what lies around it."""

    id: Any | None
    """The item's id; null where its row isn't read."""
    index: int | None
    """The item's place in the list, from 0; null where it isn't listed."""
    count: int
    """How many items are listed."""
    item: Any | None
    """The item; null where it is neither listed nor there yet."""
    hasPrevious: bool
    """Whether a swipe to the previous goes to an item."""
    hasNext: bool
    """Whether a swipe to the next goes to an item."""
    hasMore: bool
    """Whether the source has more items than are listed, or rows that aren't read follow."""
