"""The built-in view models, and what they are made of."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Generic, Literal, TypedDict, TypeVar

from .inputs import input
from .items import Items
from .view import View

T = TypeVar("T")


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


class Arrivals(TypedDict):
    """What is held back that would come to stand before the first item."""

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
    def arrivals(self) -> Arrivals:
        """What is held back that would come to stand before the first item."""
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
