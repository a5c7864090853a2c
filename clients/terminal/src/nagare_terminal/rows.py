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

from .moves import Moves, key
from .words import summary, title, unread

HEIGHT = 2
"""Lines of a row: its title, and what stands below."""


class Rows(ScrollView, can_focus=True):
    """Items, one of which the cursor is on."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--title", "rows--read", "rows--summary", "rows--cursor", "rows--new"}
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
        self.above = 0
        """Rows that have come above those in sight since the first one was."""
        self._new: set[str] = set()
        """What has come since the cursor was on it."""

    def set_notice(self, notice: str) -> None:
        """What to say while there are no items."""
        self.notice = notice
        self.refresh()

    @property
    def current(self) -> Any:
        """The item that the cursor is on; None where there is none."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def set_items(self, items: Sequence[Any], earlier: bool = False) -> None:
        """Shows other items. The cursor stays on its item, wherever that is now, and what is in sight stays there.

        - `earlier` says that those above are the page before, and nothing new.
        """
        before, self.items = self.items, items
        moves = Moves(before, items)
        start, end = self._sight(len(before))
        shift = moves.shift(start, end) if self.scroll_offset.y or earlier else 0
        if not earlier and any(moves.place(row) is not None for row in range(start, end)):
            new = moves.new()
            self._new |= {key(items[row]) for row in new}
            self.above += sum(row < start + shift for row in new) if start else 0
        place = moves.place(self.cursor)
        self.cursor = max(0, min(self.cursor if place is None else place, len(items) - 1))
        self._measure()
        if shift:
            self.scroll_to(y=self.scroll_offset.y + shift * HEIGHT, animate=False, immediate=True)
        self._say_sight()
        self.refresh()

    def move_to(self, row: int) -> None:
        """Puts the cursor on a row, and the row into sight."""
        self.cursor = max(0, min(row, len(self.items) - 1))
        if self._new and self.items:
            self._new.discard(key(self.items[self.cursor]))
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
        is_unread = unread(item)
        style = self.get_component_rich_style("rows--summary" if line else "rows--read" if is_unread is False else "rows--title")
        mark = self.get_component_rich_style("rows--new")
        if row == self.cursor:
            cursor = self.get_component_rich_style("rows--cursor")
            style, mark = style + cursor, mark + cursor
        is_new = bool(self._new) and key(item) in self._new
        sign = "▌" if is_new else "•" if is_unread and not line else " "
        text = Text(summary(item) if line else title(item), no_wrap=True)
        text.truncate(width - 2, overflow="ellipsis", pad=True)
        return Strip([Segment(f"{sign} ", mark), Segment(text.plain, style)], width)

    def _notice_line(self, y: int) -> Strip:
        width = self.size.width
        lines = Text(self.notice).wrap(self.app.console, max(1, width - 4))
        number = y - (self.size.height - len(lines)) // 2
        text = lines[number] if 0 <= number < len(lines) else Text()
        text.align("center", width)
        return Strip([Segment(text.plain, self.get_component_rich_style("rows--summary"))], width)

    def _measure(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.items) * HEIGHT)

    def _sight(self, count: int) -> tuple[int, int]:
        """The rows in sight, of so many: the first, and the one after the last."""
        start = self.scroll_offset.y // HEIGHT
        end = min(count, -(-(self.scroll_offset.y + self.size.height) // HEIGHT))
        return min(start, end), end

    def _say_sight(self) -> None:
        start, end = self._sight(len(self.items))
        if start == 0 and self.above:
            self.above = 0
            self.post_message(self.Moved())
        if self.items and self.size.height:
            self.post_message(self.Sight(start, end))

