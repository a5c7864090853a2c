"""The built-in view models, and what they are made of."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Generic, Literal, TypedDict, TypeVar

from .items import Items
from .view import View

T = TypeVar("T")


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


class LoadState(TypedDict):
    """How far the newest load of a list has come."""

    trigger: Literal["appear", "reachBottom", "loadMore", "reachTop", "refresh", "search", "retry"]
    """What made the newest load begin."""
    phase: Literal["nothing", "requesting", "requestFinished", "reachedBottom", "failed"]
    """How far it has come."""
    count: int
    """How many items are listed."""


class PagerPage(TypedDict):
    """The item that a pager shows, and what lies around it."""

    id: Any
    """The item's id."""
    index: int
    """The item's place in the list, from 0."""
    count: int
    """How many items are listed."""
    item: Any
    """The item."""
    hasPrevious: bool
    """Whether an item is listed before it."""
    hasNext: bool
    """Whether an item is listed after it."""
    hasMore: bool
    """Whether the source has more items than are listed."""


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

    async def viewWillAppear(self) -> View | None:
        """Loads the first page, the first time."""
        opened: View | None = await self.call("viewWillAppear")
        return opened

    async def reachBottom(self) -> View | None:
        """Loads the next page, because the user came to the end."""
        opened: View | None = await self.call("reachBottom")
        return opened

    async def loadMore(self) -> View | None:
        """Loads the next page, for whatever reason."""
        opened: View | None = await self.call("loadMore")
        return opened

    async def refresh(self) -> View | None:
        """Loads the first page anew."""
        opened: View | None = await self.call("refresh")
        return opened

    async def retry(self) -> View | None:
        """Loads anew what failed."""
        opened: View | None = await self.call("retry")
        return opened

    async def change(self, *, item: T) -> View | None:
        """Replaces a listed item by one with the same id."""
        opened: View | None = await self.call("change", item=item)
        return opened

    async def select(self, *, id: Any) -> View | None:
        """Opens the screen's detail on an item."""
        opened: View | None = await self.call("select", id=id)
        return opened

    async def reachTop(self) -> View | None:
        """Loads the page before, because the user came to the start."""
        opened: View | None = await self.call("reachTop")
        return opened

    async def viewport(self, *, start: int, end: int) -> View | None:
        """Says which rows are in sight, from `start` to the one before `end`."""
        opened: View | None = await self.call("viewport", start=start, end=end)
        return opened

    async def insert(self, *, item: T, before: Any = None) -> View | None:
        """Puts an item before the one with an id, or first."""
        given = {name: value for name, value in {"before": before}.items() if value is not None}
        opened: View | None = await self.call("insert", item=item, **given)
        return opened

    async def remove(self, *, id: Any) -> View | None:
        """Takes an item out."""
        opened: View | None = await self.call("remove", id=id)
        return opened


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

    async def swipe(self, *, to: Literal["next", "previous"] | None = None, id: Any = None) -> None:
        """Goes to the neighbour, or to the item with an id."""
        given = {name: value for name, value in {"to": to, "id": id}.items() if value is not None}
        await self.call("swipe", **given)


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

    async def search(self, *, text: str) -> View | None:
        """Looks for a text when the user has stopped typing."""
        opened: View | None = await self.call("search", text=text)
        return opened

    async def cancelSearch(self) -> View | None:
        """Looks for everything, at once."""
        opened: View | None = await self.call("cancelSearch")
        return opened


class ChoiceModel(View):
    """Something to choose."""

    @property
    def choices(self) -> list[Any]:
        """What there is to choose from: texts, or objects with an `id`."""
        value: list[Any] = self["choices"]
        return value

    async def choose(self, *, id: Any) -> None:
        """Tells the stores. The view says `dismiss`, and stays open until it is closed."""
        await self.call("choose", id=id)


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

    async def refresh(self) -> None:
        """Loads the page."""
        await self.call("refresh")
