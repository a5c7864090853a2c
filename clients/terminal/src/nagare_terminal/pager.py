"""One item, whose neighbours are an arrow key away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text
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


class PagerScreen(ViewScreen):
    """A list's detail."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n", "swipe('next')", "Next", key_display="→", priority=True),
        Binding("left,p", "swipe('previous')", "Previous", key_display="←", priority=True),
    ]

    def body(self) -> list[Widget]:
        return [VerticalScroll(Static(id="article", markup=False))]

    def begin(self) -> None:
        self.query_one(VerticalScroll).focus()

    def draw(self) -> None:
        self.query_one("#article", Static).update(article(self.view["page"]["item"]))

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
