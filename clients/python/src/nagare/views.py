"""Views of the built-in view models: `inbox = await app.open("items", ListView)`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from .inputs import input
from .view import View
from .view_models import ChoiceModel, FeedModel, ListModel, PagerModel, SearchModel
from .window import Window

T = TypeVar("T")


class PagerView(PagerModel[T]):
    """One item of a list at a time (section 5.2)."""

    @property
    def item(self) -> T:
        """The item that the pager shows."""
        item: T = self["page"]["item"]
        return item


class ListView(ListModel[T]):
    """A list that grows page by page (section 5.1). `ListView[Mail]` has items of the type `Mail`, for example a `TypedDict`."""

    @input
    def select(self, *, id: Any) -> PagerView[T]:
        """Opens the screen's detail on an item: `await inbox.select.open(id="m001")`."""
        raise NotImplementedError

    @property
    def window(self) -> Window[T]:
        """The window of a view that was opened with a `window`. Raises `TypeError` if the view was opened without one."""
        items = self["items"]
        if not isinstance(items, Window):
            raise TypeError(f"{self!r} was opened without a window")
        return items

    def _detail_class(self) -> type[View]:
        return PagerView


class SearchView(ListView[T], SearchModel[T]):
    """A list that searches while the user types (section 5.3)."""


class ChoiceView(ChoiceModel):
    """A list of choices (section 5.4)."""


class FeedView(FeedModel[T], Generic[T]):
    """One page, loaded on request (section 5.6)."""
