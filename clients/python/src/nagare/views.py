"""The built-in view models, written out: `inbox = await app.open("items", ListView)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from .items import Items
from .view import View

T = TypeVar("T")


class ListView(View, Generic[T]):
    """Items that grow page by page (section 5.1). `ListView[Mail]` has items of the type `Mail`, a `TypedDict` for example."""

    @property
    def items(self) -> Items[T]:
        """What is listed, immutable: a change is another list."""
        items: Items[T] = self["items"]
        return items

    @property
    def loading(self) -> bool:
        """Whether a load is running."""
        return bool(self["loading"])

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The failure that stands: `code`, `message`, `retryable`, `trigger`."""
        error: Mapping[str, Any] | None = self["error"]
        return error

    @property
    def state(self) -> Mapping[str, Any]:
        """How far the newest load has come: `trigger`, `phase`, `count`."""
        state: Mapping[str, Any] = self["state"]
        return state

    async def viewWillAppear(self) -> None:
        """Loads the first page, the first time."""
        await self.call("viewWillAppear")

    async def reachBottom(self) -> None:
        """Loads the next page, because the user came to the end."""
        await self.call("reachBottom")

    async def reachTop(self) -> None:
        """Loads the page before, because the user came to the start."""
        await self.call("reachTop")

    async def loadMore(self) -> None:
        """Loads the next page, for whatever reason."""
        await self.call("loadMore")

    async def refresh(self) -> None:
        """Loads the first page anew."""
        await self.call("refresh")

    async def retry(self) -> None:
        """Loads anew what failed."""
        await self.call("retry")

    async def viewport(self, *, start: int, end: int) -> None:
        """Says which rows are in sight, from `start` to the one before `end`."""
        await self.call("viewport", start=start, end=end)

    async def change(self, *, item: T) -> None:
        """Replaces a listed item by one with the same id."""
        await self.call("change", item=item)

    async def insert(self, *, item: T, before: Any = None) -> None:
        """Puts an item before the one with an id, or first."""
        await self.call("insert", item=item, **({} if before is None else {"before": before}))

    async def remove(self, *, id: Any) -> None:
        """Takes an item out."""
        await self.call("remove", id=id)

    async def select(self, *, id: Any) -> PagerView[T] | None:
        """Opens the screen's detail on an item: None if it has none."""
        opened: PagerView[T] | None = await self.call("select", id=id)
        return opened

    def _opens(self) -> type[View]:
        return PagerView


class SearchView(ListView[T]):
    """A list that is searched as somebody types (section 5.3)."""

    @property
    def query(self) -> str:
        """What is looked for."""
        return str(self["query"])

    @property
    def noResult(self) -> bool:
        """Whether a first page came, and nothing is listed."""
        return bool(self["noResult"])

    async def search(self, *, text: str) -> None:
        """Looks for a text when the user has stopped typing."""
        await self.call("search", text=text)

    async def cancelSearch(self) -> None:
        """Looks for everything, at once."""
        await self.call("cancelSearch")


class PagerView(View, Generic[T]):
    """One item of a list at a time (section 5.2)."""

    @property
    def page(self) -> Mapping[str, Any]:
        """Where the user is: `id`, `index`, `count`, `item`, `hasPrevious`, `hasNext`, `hasMore`."""
        page: Mapping[str, Any] = self["page"]
        return page

    @property
    def item(self) -> T:
        """The item that is shown."""
        item: T = self["page"]["item"]
        return item

    @property
    def loading(self) -> bool:
        """Whether the list loads."""
        return bool(self["loading"])

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The list's failure that stands."""
        error: Mapping[str, Any] | None = self["error"]
        return error

    async def swipe(self, *, to: Literal["next", "previous"] | None = None, id: Any = None) -> None:
        """Goes to the neighbour, or to the item with an id."""
        await self.call("swipe", **({"to": to} if to is not None else {"id": id}))


class ChoiceView(View):
    """Something to choose (section 5.4)."""

    @property
    def choices(self) -> list[Any]:
        """What there is to choose from: texts, or objects with an `id`."""
        return list(self["choices"])

    async def choose(self, *, id: Any) -> None:
        """Tells the stores. The view says `dismiss`, and stays open until it is closed."""
        await self.call("choose", id=id)


class FeedView(View, Generic[T]):
    """One page, loaded whenever it is asked for (section 5.6)."""

    @property
    def offers(self) -> list[T]:
        """The items of the newest answer."""
        return list(self["offers"])

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The failure that stands."""
        error: Mapping[str, Any] | None = self["error"]
        return error

    async def refresh(self) -> None:
        """Loads the page."""
        await self.call("refresh")
