"""A list of any length, of which only what is in sight is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .words import identity, summary, title

HEIGHT = 2
"""Lines of a row: its title, and what stands below."""


class Rows(ScrollView, can_focus=True):
    """Items, one of which the cursor is on."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--title", "rows--summary", "rows--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("home,g", "to(0)", show=False),
        Binding("end,G", "to(-1)", show=False),
        Binding("enter", "choose", "Open"),
    ]

    @dataclass
    class Chosen(Message):
        """The user wants this one."""

        item: Any

    @dataclass
    class Sight(Message):
        """The rows from `start` to the one before `end` are in sight."""

        start: int
        end: int

    class Moved(Message):
        """The cursor is on another row."""

    class Pulled(Message):
        """The user wants to go further than the end."""

    def __init__(self) -> None:
        super().__init__()
        self.items: Sequence[Any] = ()
        self.notice = ""
        self.cursor = 0

    def set_notice(self, notice: str) -> None:
        """What to say while there are no items."""
        self.notice = notice
        self.refresh()

    def set_items(self, items: Sequence[Any]) -> None:
        """Shows other items. The cursor stays on its item, wherever that is now, and the item where it is in sight."""
        before = identity(self.items[self.cursor]) if self.cursor < len(self.items) else None
        self.items, row = items, self.cursor
        if before is not None and not (row < len(items) and identity(items[row]) == before):
            row = next((index for index, item in enumerate(items) if identity(item) == before), row)
        moved = row - self.cursor
        self.cursor = max(0, min(row, len(items) - 1))
        self._measure()
        if moved and self.scroll_offset.y:
            self.scroll_to(y=self.scroll_offset.y + moved * HEIGHT, animate=False, immediate=True)
        self._say_sight()
        self.refresh()

    def move_to(self, row: int) -> None:
        """Puts the cursor on a row, and the row into sight."""
        self.cursor = max(0, min(row, len(self.items) - 1))
        top, height = self.scroll_offset.y, self.size.height
        if self.cursor * HEIGHT < top:
            self.scroll_to(y=self.cursor * HEIGHT, animate=False, immediate=True)
        elif (self.cursor + 1) * HEIGHT > top + height:
            self.scroll_to(y=(self.cursor + 1) * HEIGHT - height, animate=False, immediate=True)
        self.post_message(self.Moved())
        self.refresh()

    def action_move(self, rows: int) -> None:
        if self.cursor + rows >= len(self.items):
            self.post_message(self.Pulled())
        self.move_to(self.cursor + rows)

    def action_page(self, pages: int) -> None:
        self.action_move(pages * max(1, self.size.height // HEIGHT - 1))

    def action_to(self, row: int) -> None:
        self.move_to(row % max(1, len(self.items)))

    def action_choose(self) -> None:
        if self.items:
            self.post_message(self.Chosen(self.items[self.cursor]))

    def on_click(self, event: events.Click) -> None:
        row = (event.y + self.scroll_offset.y) // HEIGHT
        if row < len(self.items):
            self.move_to(row)
            self.action_choose()

    def on_resize(self) -> None:
        self._measure()
        self.move_to(self.cursor)
        self._say_sight()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._say_sight()

    def render_line(self, y: int) -> Strip:
        row, line = divmod(y + self.scroll_offset.y, HEIGHT)
        width = self.scrollable_content_region.width
        if not self.items:
            return self._notice_line(y)
        if row >= len(self.items):
            return Strip.blank(width, self.rich_style)
        item = self.items[row]
        style = self.get_component_rich_style("rows--summary" if line else "rows--title")
        if row == self.cursor:
            style += self.get_component_rich_style("rows--cursor")
        text = Text(f" {summary(item) if line else title(item)}", no_wrap=True)
        text.truncate(width, overflow="ellipsis", pad=True)
        return Strip([Segment(text.plain, style)], width)

    def _notice_line(self, y: int) -> Strip:
        width = self.size.width
        lines = Text(self.notice).wrap(self.app.console, max(1, width - 4))
        number = y - (self.size.height - len(lines)) // 2
        text = lines[number] if 0 <= number < len(lines) else Text()
        text.align("center", width)
        return Strip([Segment(text.plain, self.get_component_rich_style("rows--summary"))], width)

    def _measure(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.items) * HEIGHT)

    def _say_sight(self) -> None:
        start = self.scroll_offset.y // HEIGHT
        end = min(len(self.items), -(-(self.scroll_offset.y + self.size.height) // HEIGHT))
        if self.items and self.size.height:
            self.post_message(self.Sight(min(start, end), end))
