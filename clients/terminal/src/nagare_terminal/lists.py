"""Lists and searches."""

from __future__ import annotations

from typing import Any, ClassVar

import nagare
from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input, Static

from .leaving import Leaving
from .pager import ItemScreen
from .rows import Rows
from .rows_screen import RowsScreen
from .view_screen import PASSING, ViewScreen
from .words import as_read, humane, identity, line, noun


class ListScreen(RowsScreen):
    """Items that grow as the user comes to their end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "archive", "Archive"),
        Binding("u", "undo", "Undo"),
        Binding("n", "show_new", "New"),
    ]

    def __init__(self, view: nagare.View) -> None:
        super().__init__(view)
        self.leaving = Leaving(self, self._left)
        self._read: Any = None
        self._told = 0
        self._asked_earlier = False

    def begin(self) -> None:
        super().begin()
        self.tell("viewWillAppear")

    def draw(self) -> None:
        items = self.leaving.without(self.view["items"])
        if items is not self.rows.items:
            self.rows.set_items(items, self._asked_earlier)
            self._asked_earlier &= self.view["state"]["phase"] == "requesting"
        self.rows.set_notice(self.failure() or self.emptiness())
        # Beside the name it takes no line from the rows, which stay where they are.
        count = self.new
        told = f"  ↑ {count} new {noun(items[0] if items else None, count)}, n shows {'it' if count == 1 else 'them'}" if count else ""
        self.query_one("#heading", Static).update(humane(self.view.screen.name) + told)
        self._tell_failure()
        self.refresh_bindings()

    @property
    def new(self) -> int:
        """How many items have come above those in sight."""
        held = self.view["arrivals"]["count"] if "arrivals" in self.view else 0
        return int(held) + self.rows.above

    def done(self) -> str:
        return self.leaving.offer

    def heard(self, output: str) -> None:
        if output == "scrollToTop":
            self.rows.move_to(0)

    def _hear(self, output: str, value: Any) -> None:
        if output == "state" and value["trigger"] == "reachTop" and value["phase"] == "requesting":
            self._asked_earlier = True
        super()._hear(output, value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "archive":
            return "remove" in self.view.screen.inputs and len(self.rows.items) > 0
        if action == "undo":
            return self.leaving.offer != ""
        if action == "show_new":
            return self.is_mounted and self.new > 0
        return super().check_action(action, parameters)

    def action_archive(self) -> None:
        if (item := self.rows.current) is not None:
            self.leaving.take(item)
            self.rows.move_to(self.rows.cursor)

    def action_undo(self) -> None:
        self.leaving.undo()

    def action_show_new(self) -> None:
        if "arrivals" in self.view and self.view["arrivals"]["count"]:
            self.tell("showArrivals")
        else:
            self.rows.move_to(0)

    def archive(self, id: Any) -> None:
        """Takes an item out that is shown elsewhere."""
        if (item := next((item for item in self.view["items"] if identity(item) == id), None)) is not None:
            self.leaving.take(item)

    def show_row(self, id: Any, index: int) -> None:
        """Puts the cursor on an item, at this place or, where others before it aren't shown, near it."""
        items = self.rows.items
        near = [row for row in (index, index - 1) if 0 <= row < len(items) and identity(items[row]) == id]
        self.rows.move_to(near[0] if near else index)

    def mark_as_read(self, id: Any) -> None:
        """What is open has been read, and the source is told so, once: whoever marks it as unread later means it."""
        if id == self._read or "change" not in self.view.screen.inputs:
            return
        self._read = id
        read = next((as_read(item) for item in self.view["items"] if identity(item) == id), None)
        if read is not None:
            self.tell("change", item=read)

    def _left(self) -> None:
        """Other items are shown than before, and what is above this screen tells of it, too."""
        self._draw()
        if (top := self.app.screen) is not self and isinstance(top, ViewScreen):
            top._draw()

    def _tell_failure(self) -> None:
        """Tells what could not be done to an item. Of a removal whoever asked for it tells."""
        if self.error is not None and self.error["trigger"] in PASSING and self.error["number"] != self._told:
            self._told = self.error["number"]
            if self.error["trigger"] != "remove":
                self.complain(line(self.error["message"]))

    def emptiness(self) -> str:
        """What to say while nothing is listed."""
        return "loading…" if self.view["state"]["phase"] in ("nothing", "requesting") else "nothing here"

    def position(self) -> str:
        count = len(self.rows.items)
        if (total := self.view["state"].get("total")) is not None and total > count:
            return f"{min(self.rows.cursor + 1, count)} of {total:,}"
        more = "+" if count and self.view["state"]["phase"] != "reachedBottom" else ""
        return f"{min(self.rows.cursor + 1, count)} of {count}{more}"

    @on(Rows.Moved)
    def _moved(self) -> None:
        self._draw()

    @on(Rows.Sight)
    def _sight(self, event: Rows.Sight) -> None:
        if "viewport" in self.view.screen.inputs:
            # Items that are on their way out are the list's still.
            hidden = len(self.view["items"]) - len(self.rows.items)
            self.tell("viewport", start=event.start, end=event.end + max(0, hidden))
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
        opened = await self.ask("select", id=identity(item))
        if not isinstance(opened, nagare.NagareError):
            self._read = None
            self.mark_as_read(identity(item))
        if opened is None:
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
