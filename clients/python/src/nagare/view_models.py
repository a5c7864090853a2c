"""The inputs and outputs of the built-in view models."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from .inputs import input
from .items import Items
from .types import Arrivals, Failure, ListSection, LoadState, Marks, PagerPage, PendingItem, UndoableEdit
from .view import View

T = TypeVar("T")


class ListModel(View, Generic[T]):
    """Items that grow page by page."""

    @property
    def items(self) -> Items[T]:
        """What is listed."""
        value: Items[T] = self["items"]
        return value

    @property
    def loading(self) -> bool:
        """Whether a load is running."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The failure that stands."""
        value: Failure | None = self["error"]
        return value

    @property
    def state(self) -> LoadState:
        """How far the newest load has come."""
        value: LoadState = self["state"]
        return value

    @property
    def filters(self) -> dict[str, Any]:
        """What is filtered and sorted by."""
        value: dict[str, Any] = self["filters"]
        return value

    @property
    def sections(self) -> list[ListSection]:
        """Neighbours that have something in common, and where they are."""
        value: list[ListSection] = self["sections"]
        return value

    @property
    def marks(self) -> Marks:
        """What is marked."""
        value: Marks = self["marks"]
        return value

    @property
    def pending(self) -> list[PendingItem]:
        """The items whose edits aren't finished."""
        value: list[PendingItem] = self["pending"]
        return value

    @property
    def undoable(self) -> UndoableEdit | None:
        """The newest edit that can be undone; null if there is none."""
        value: UndoableEdit | None = self["undoable"]
        return value

    @property
    def arrivals(self) -> Arrivals:
        """The new items before the first one that the list defers."""
        value: Arrivals = self["arrivals"]
        return value

    @input
    def viewWillAppear(self) -> None:
        """Loads the first page, the first time."""

    @input
    def reachBottom(self) -> None:
        """Loads the next page, because the user came to the end."""

    @input
    def loadMore(self) -> None:
        """Loads the next page, for whatever reason."""

    @input
    def refresh(self) -> None:
        """Loads the first page again."""

    @input
    def retry(self) -> None:
        """Loads again what failed."""

    @input
    def change(self, *, item: T | None = None, marked: bool | None = None, set: dict[str, Any] | None = None) -> None:
        """Replaces a listed item by one with the same id, or gives all that is marked some members."""

    @input
    def select(self, *, id: Any) -> None:
        """Opens the screen's detail on an item."""

    @input
    def reachTop(self) -> None:
        """Loads the page before, because the user came to the start."""

    @input
    def viewport(self, *, start: int, end: int, revision: int | None = None) -> None:
        """Says which rows are in sight, from `start` to the one before `end`."""

    @input
    def insert(self, *, item: T, before: Any = None) -> None:
        """Puts an item before the one with an id, or first."""

    @input
    def remove(self, *, id: Any = None, marked: bool | None = None) -> None:
        """Takes an item out, or all that is marked."""

    @input
    def filter(self, *, set: dict[str, Any]) -> None:
        """Filters and sorts otherwise."""

    @input
    def showArrivals(self) -> None:
        """Lists what was held back."""

    @input
    def jump(self, *, index: int | None = None, id: Any = None) -> None:
        """Goes to a row or an item of a list that is seen through a window."""

    @input
    def mark(self, *, id: Any = None, from_: Any = None, to: Any = None, all: bool | None = None) -> None:
        """Marks an item, those between two, or all, to be edited together."""

    @input
    def unmark(self, *, id: Any = None, from_: Any = None, to: Any = None, all: bool | None = None) -> None:
        """Takes marks away."""

    @input
    def undo(self) -> None:
        """Undoes the newest edit that can be undone."""


class PagerModel(View, Generic[T]):
    """One item of a list at a time."""

    @property
    def page(self) -> PagerPage:
        """Where the user is."""
        value: PagerPage = self["page"]
        return value

    @property
    def loading(self) -> bool:
        """Whether the list loads."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The list's failure that stands."""
        value: Failure | None = self["error"]
        return value

    @input
    def swipe(self, *, to: Literal["next", "previous"] | None = None, id: Any = None) -> None:
        """Goes to the neighbour, or to the item with an id."""


class SearchModel(ListModel[T]):
    """A list that is searched as somebody types."""

    @property
    def query(self) -> str:
        """What is looked for."""
        value: str = self["query"]
        return value

    @property
    def noResult(self) -> bool:
        """Whether a first page came, and nothing is listed."""
        value: bool = self["noResult"]
        return value

    @input
    def search(self, *, text: str) -> None:
        """Looks for a text when the user has stopped typing."""

    @input
    def cancelSearch(self) -> None:
        """Looks for everything, at once."""


class ChoiceModel(View):
    """Something to choose."""

    @property
    def choices(self) -> list[Any]:
        """What there is to choose from: texts, or objects with an `id`."""
        value: list[Any] = self["choices"]
        return value

    @input
    def choose(self, *, id: Any) -> None:
        """Tells the stores. The view says `dismiss`, and stays open until it is closed."""


class FeedModel(View, Generic[T]):
    """One page, loaded whenever it is asked for."""

    @property
    def offers(self) -> list[T]:
        """The items of the newest answer."""
        value: list[T] = self["offers"]
        return value

    @property
    def loading(self) -> bool:
        """Whether a load is running."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The failure that stands."""
        value: Failure | None = self["error"]
        return value

    @input
    def refresh(self) -> None:
        """Loads the page."""
