"""Lists and searches."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from .pager import ItemScreen
from .rows import Rows
from .rows_screen import RowsScreen
from .words import identity, line


class ListScreen(RowsScreen):
    """Items that grow as the user comes to their end."""

    def begin(self) -> None:
        super().begin()
        self.tell("viewWillAppear")

    def draw(self) -> None:
        items = self.view["items"]
        if items is not self.rows.items:
            self.rows.set_items(items)
        self.rows.set_notice(self.failure() or self.emptiness())

    def emptiness(self) -> str:
        """What to say while nothing is listed."""
        return "loading…" if self.view["state"]["phase"] in ("nothing", "requesting") else "nothing here"

    def position(self) -> str:
        count = len(self.rows.items)
        more = "+" if count and self.view["state"]["phase"] != "reachedBottom" else ""
        return f"{min(self.rows.cursor + 1, count)} of {count}{more}"

    @on(Rows.Moved)
    def _moved(self) -> None:
        self._draw()

    @on(Rows.Sight)
    def _sight(self, event: Rows.Sight) -> None:
        if "viewport" in self.view.screen.inputs:
            self.tell("viewport", start=event.start, end=event.end)
        elif event.end == len(self.rows.items):
            self.tell("reachBottom")

    @on(Rows.Pulled)
    def _pulled(self) -> None:
        self.tell("reachBottom")

    @on(Rows.Chosen)
    def _chosen(self, event: Rows.Chosen) -> None:
        self._select(event.item)

    @work()
    async def _select(self, item: Any) -> None:
        """Opens the list's detail. Of a list that has none, the item is shown as it is."""
        if await self.ask("select", id=identity(item)) is None:
            self.app.push_screen(ItemScreen(item))


class SearchField(Input):
    """What is looked for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "To the list")]


class SearchScreen(ListScreen):
    """A list that is searched as somebody types."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "focus_search", "Search", priority=True),
        Binding("escape", "end_search", "End search", priority=True),
        Binding("escape", "app.leave", "Back"),
        Binding("down", "focus_rows", show=False),
    ]

    def body(self) -> list[Widget]:
        return [SearchField(self.view["query"], placeholder="search", id="search"), *super().body()]

    @property
    def search(self) -> Input:
        return self.query_one("#search", Input)

    def emptiness(self) -> str:
        looked = line(self.view["query"])
        return f"nothing found for “{looked}”" if self.view["noResult"] and looked else super().emptiness()

    def heard(self, output: str) -> None:
        if output == "scrollToTop":
            self.rows.move_to(0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # The key comes before all others, so that those are part of what is looked for; but it can be looked for, too.
        if action == "focus_search":
            return self.focused is not self.search
        if action == "end_search":
            return self.focused is self.search or self.search.value != ""
        return super().check_action(action, parameters)

    def action_focus_search(self) -> None:
        self.set_focus(self.search)

    def action_focus_rows(self) -> None:
        self.rows.focus()

    def action_end_search(self) -> None:
        with self.search.prevent(Input.Changed):
            self.search.value = ""
        self.tell("cancelSearch")
        self.rows.focus()
        self.refresh_bindings()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self.tell("search", text=event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.rows.focus()
