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
    """A list that loads page by page."""

    @property
    def items(self) -> Items[T]:
        """The listed items."""
        value: Items[T] = self["items"]
        return value

    @property
    def loading(self) -> bool:
        """Whether the list is loading."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The current failure; null if there is none."""
        value: Failure | None = self["error"]
        return value

    @property
    def state(self) -> LoadState:
        """The state of the newest load."""
        value: LoadState = self["state"]
        return value

    @property
    def filters(self) -> dict[str, Any]:
        """The filters and the sorting."""
        value: dict[str, Any] = self["filters"]
        return value

    @property
    def sections(self) -> list[ListSection]:
        """The sections: groups of consecutive items that share a value."""
        value: list[ListSection] = self["sections"]
        return value

    @property
    def marks(self) -> Marks:
        """The marked items."""
        value: Marks = self["marks"]
        return value

    @property
    def pending(self) -> list[PendingItem]:
        """The items with unfinished edits."""
        value: list[PendingItem] = self["pending"]
        return value

    @property
    def undoable(self) -> UndoableEdit | None:
        """The newest edit that can be undone; null if there is none."""
        value: UndoableEdit | None = self["undoable"]
        return value

    @property
    def arrivals(self) -> Arrivals:
        """The deferred arrivals: new items before the first one."""
        value: Arrivals = self["arrivals"]
        return value

    @input
    def viewWillAppear(self) -> None:
        """Loads the first page when the view appears for the first time."""

    @input
    def reachBottom(self) -> None:
        """Loads the next page when the user reaches the end of the list."""

    @input
    def loadMore(self) -> None:
        """Loads the next page for any other reason."""

    @input
    def refresh(self) -> None:
        """Loads the first page again."""

    @input
    def retry(self) -> None:
        """Repeats the load that failed."""

    @input
    def change(self, *, item: T | None = None, marked: bool | None = None, set: dict[str, Any] | None = None) -> None:
        """Replaces a listed item, or sets fields of all marked items."""

    @input
    def select(self, *, id: Any) -> None:
        """Opens the detail screen for an item."""

    @input
    def reachTop(self) -> None:
        """Loads the previous page when the user reaches the start of the list."""

    @input
    def viewport(self, *, start: int, end: int, revision: int | None = None) -> None:
        """Reports the rows in sight: from `start` up to, but not including, `end`."""

    @input
    def insert(self, *, item: T, before: Any = None) -> None:
        """Inserts an item before another one, or at the start."""

    @input
    def remove(self, *, id: Any = None, marked: bool | None = None) -> None:
        """Removes an item, or all marked items."""

    @input
    def filter(self, *, set: dict[str, Any]) -> None:
        """Changes the filters and the sorting."""

    @input
    def showArrivals(self) -> None:
        """Lists the deferred arrivals."""

    @input
    def jump(self, *, index: int | None = None, id: Any = None) -> None:
        """Moves the window to a row or an item."""

    @input
    def mark(self, *, id: Any = None, from_: Any = None, to: Any = None, all: bool | None = None) -> None:
        """Marks an item, a range of items, or all items."""

    @input
    def unmark(self, *, id: Any = None, from_: Any = None, to: Any = None, all: bool | None = None) -> None:
        """Removes marks."""

    @input
    def undo(self) -> None:
        """Undoes the newest edit that can be undone."""


class PagerModel(View, Generic[T]):
    """One item of a list at a time."""

    @property
    def page(self) -> PagerPage:
        """The current item, and its position in the list."""
        value: PagerPage = self["page"]
        return value

    @property
    def loading(self) -> bool:
        """Whether the list is loading."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The current failure of the list; null if there is none."""
        value: Failure | None = self["error"]
        return value

    @input
    def swipe(self, *, to: Literal["next", "previous"] | None = None, id: Any = None) -> None:
        """Moves to the next or previous item, or to the item with an id."""


class SearchModel(ListModel[T]):
    """A list that the user searches by typing."""

    @property
    def query(self) -> str:
        """The search text."""
        value: str = self["query"]
        return value

    @property
    def noResult(self) -> bool:
        """Whether the first page was loaded and no item is listed."""
        value: bool = self["noResult"]
        return value

    @input
    def search(self, *, text: str) -> None:
        """Searches for a text when the user stops typing."""

    @input
    def cancelSearch(self) -> None:
        """Clears the search text and searches at once."""


class ChoiceModel(View):
    """A choice between given values."""

    @property
    def choices(self) -> list[Any]:
        """The choices: texts, or objects with an `id`."""
        value: list[Any] = self["choices"]
        return value

    @input
    def choose(self, *, id: Any) -> None:
        """Dispatches the choice to the stores. The view sends `dismiss`, and stays open until the client closes it."""


class FeedModel(View, Generic[T]):
    """One page, which is loaded on request."""

    @property
    def offers(self) -> list[T]:
        """The items of the newest response."""
        value: list[T] = self["offers"]
        return value

    @property
    def loading(self) -> bool:
        """Whether the list is loading."""
        value: bool = self["loading"]
        return value

    @property
    def error(self) -> Failure | None:
        """The current failure; null if there is none."""
        value: Failure | None = self["error"]
        return value

    @input
    def refresh(self) -> None:
        """Loads the page."""
