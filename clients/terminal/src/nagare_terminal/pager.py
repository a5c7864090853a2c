"""One item, whose neighbours are an arrow key away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import nagare
from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Static

from .view_screen import ViewScreen
from .words import humane, is_text, members, paragraphs, title


def article(item: Any) -> Text:
    """An item at length: its title, its short members, and then its long ones."""
    told = [(name, paragraphs(value)) for name, value in members(item)] if isinstance(item, Mapping) else []
    text = Text(title(item), "bold")
    text.append("\n\n")
    for name, value in told:
        if not is_text(name, value):
            text.append(f"{humane(name):<12} ", "dim").append(f"{value}\n", "not bold")
    for name, value in told:
        if value and is_text(name, value):
            text.append(f"\n{value}\n", "not bold")
    return text


class Under(Protocol):
    """The list whose item is shown."""

    def mark_as_read(self, id: Any) -> None: ...

    def archive(self, id: Any) -> None: ...

    def action_undo(self) -> None: ...

    def done(self) -> str: ...


class PagerScreen(ViewScreen):
    """A list's detail."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "archive", "Archive"),
        Binding("u", "undo", "Undo"),
        Binding("right,n", "swipe('next')", "Next", key_display="→", priority=True),
        Binding("left,p", "swipe('previous')", "Previous", key_display="←", priority=True),
    ]

    def __init__(self, view: nagare.View) -> None:
        super().__init__(view)
        self.under: Under | None = None

    def body(self) -> list[Widget]:
        return [VerticalScroll(Static(id="article", markup=False))]

    def begin(self) -> None:
        self.query_one(VerticalScroll).focus()

    def draw(self) -> None:
        page = self.view["page"]
        self.query_one("#article", Static).update(article(page["item"]))
        if self.under is not None:
            self.under.mark_as_read(page["id"])
        self.refresh_bindings()

    def done(self) -> str:
        return self.under.done() if self.under is not None else ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "archive":
            return self.under is not None
        if action == "undo":
            return self.done() != ""
        return super().check_action(action, parameters)

    @work(exclusive=True)
    async def action_archive(self) -> None:
        """Takes the item out of its list, and goes on to one beside it."""
        page = self.view["page"]
        is_left = page["hasNext"] or page["hasPrevious"]
        if is_left:
            self.query_one(VerticalScroll).scroll_home(animate=False)
            await self.ask("swipe", to="next" if page["hasNext"] else "previous")
        if self.under is not None:
            self.under.archive(page["id"])
        if not is_left:
            await self.run_action("app.leave")

    def action_undo(self) -> None:
        if self.under is not None:
            self.under.action_undo()

    def position(self) -> str:
        page = self.view["page"]
        if page["index"] is None:
            return "no longer listed"
        return f"{page['index'] + 1} of {page['count']}{'+' if page['hasMore'] else ''}"

    def action_swipe(self, to: str) -> None:
        self.query_one(VerticalScroll).scroll_home(animate=False)
        self.tell("swipe", to=to)


class ItemScreen(Screen[None]):
    """An item of a screen that has no detail."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back"), Binding("q", "app.quit", "Quit")]

    def __init__(self, item: Any) -> None:
        super().__init__()
        self.item = item

    def compose(self) -> ComposeResult:
        yield VerticalScroll(Static(article(self.item), markup=False))
        yield Footer(show_command_palette=False)
