"""The rows of a list. Only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .canvas import Canvas
from .cells import cut, fit, width, wrap
from .commands import Command, command
from .display import Column, Display
from .guard import guarded
from .keys import Mouse
from .row_moves import item_key, row_moves
from .table import column_widths, fits_table
from .text import line

SKELETON = "▂", "░"
"""Placeholders for a row that isn't loaded: its first and second line."""
PENDING = {"sending": ("…", "dim"), "failed": ("✗ not sent", "error")}
"""The marks of rows with unfinished edits, and their styles. If there is too little room, only the first character is drawn."""


class Rows:
    """The rows, and the cursor on one of them.

    - `on_move` is called when the cursor has moved.
    - `on_choose` is called with the item that the user opens.
    - `on_pull` is called when the user moves past the end.
    """

    def __init__(
        self, display: Display, *, on_choose: Callable[[Any], object], on_move: Callable[[], object] | None = None,
        on_pull: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        self.display = display
        self.items: Sequence[Any] = ()
        self.cursor = self.top = 0
        self.new_above = 0
        """The number of rows that were added above the rows in sight, since the list was last at its start."""
        self.search_text = ""
        """The text that is highlighted."""
        self.marked: Callable[[Any], bool] = lambda item: False
        """Whether an item is marked."""
        self.removed_keys: Callable[[], set[str]] = set
        """Returns the keys of items that the user has removed. If such an item comes back, it doesn't count as new."""
        self.pending: Callable[[Any], str] = lambda item: ""
        """Returns the state of an item's unfinished edit: `sending` or `failed`. Empty if the item has none."""
        self.anchor: int | None = None
        """The first row of the range that is being marked. The range ends at the cursor."""
        self.headings: Mapping[int, str] = {}
        """The section headings, by their first row."""
        self.is_stale = False
        """Whether the rows will be replaced soon."""
        self._on_choose, self._on_move, self._on_pull = on_choose, on_move or (lambda: None), on_pull or (lambda: None)
        self._new: set[str] = set()
        self._row_count, self._height, self._head = 1, 2, 0
        self._is_table = False
        self._lines: list[tuple[int, int]] = []
        self._is_followed = True

    def open_command(self) -> Iterator[Command]:
        """The command that opens the current item."""
        if self.items:
            yield command("enter", "Open", lambda: self._on_choose(self.items[self.cursor]))

    def commands(self) -> Iterator[Command]:
        """The commands that move the cursor."""
        yield command("up k", "", lambda: self._move(-1))
        yield command("down j", "", lambda: self._move(1))
        yield command("pageup", "", lambda: self._move(1 - self._row_count))
        yield command("pagedown", "", lambda: self._move(self._row_count - 1))
        yield command("home g", "", lambda: self.move_to(0))
        yield command("end G", "", lambda: self.move_to(len(self.items) - 1))

    @property
    def current(self) -> Any:
        """The item at the cursor; None if the list is empty."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @property
    def rows_in_sight(self) -> tuple[int, int]:
        """The range of rows in sight."""
        return min(self.top, len(self.items)), min(len(self.items), self.top + self._row_count)

    def set_items(self, items: Sequence[Any], is_previous_page: bool = False) -> None:
        """Replaces the items. The cursor stays on its item, and the rows in sight stay where they are.

        - `is_previous_page` is whether rows above are the previous page, and not new items.
        """
        before, self.items = self.items, items
        found = row_moves(before, items, self.display.id)
        start, end = min(self.top, len(before)), min(len(before), self.top + self._row_count)
        shift = found.shift(start, end) if self.top or is_previous_page else 0
        if not is_previous_page and any(found.row_now(row) is not None for row in range(start, end)):
            keys = {row: item_key(items[row], self.display.id) for row in found.new()}
            removed = self.removed_keys() if keys else set()
            new = [row for row, key in keys.items() if key not in removed]
            self._new |= {keys[row] for row in new}
            self.new_above += sum(row < start + shift for row in new) if start else 0
        place = found.row_now(self.cursor)
        if self.anchor is not None:
            self.anchor = found.row_now(self.anchor)
        self.cursor = max(0, min(self.cursor if place is None else place, len(items) - 1))
        self._scroll(self.top + shift)
        self._is_followed = True

    def begin_again(self) -> None:
        """Moves the cursor to the first row. No row counts as new any more."""
        self._new.clear()
        self.anchor = None
        self.move_to(0)

    def move_to(self, row: int) -> None:
        """Moves the cursor to a row, and scrolls it into sight."""
        self.cursor = max(0, min(row, len(self.items) - 1))
        if self._new and self.current is not None:
            self._new.discard(item_key(self.current, self.display.id))
        self._scroll(min(max(self.top, self.cursor - self._row_count + 1), self.cursor))
        self._is_followed = True
        self._on_move()

    def scroll_to(self, above: int) -> None:
        """Scrolls so that `above` rows are in sight above the cursor."""
        self._scroll(self.cursor - min(above, self._row_count - 1))

    def click(self, mouse: Mouse) -> bool:
        """Handles the mouse. Returns whether a row was clicked."""
        if mouse.button in ("up", "down"):
            self._scroll(self.top + (2 if mouse.button == "down" else -2))
            self._is_followed = False
            return False
        row, below = self._lines[mouse.y - self._head] if 0 <= mouse.y - self._head < len(self._lines) else (0, -1)
        if below < 0:
            return False
        self.move_to(row)
        return True

    def draw(self, canvas: Canvas, notice: str, *, active: bool) -> None:
        """Draws the rows in sight, or a notice if there are none."""
        cells = canvas.width - 3
        self._is_table = bool(self.display.columns) and fits_table(cells)
        self._head = 1 if self._is_table and canvas.height > 4 else 0
        self._height = 1 if self._is_table or canvas.height < 6 else 2
        self._layout(canvas.height - self._head)
        in_sight = [self.items[row] for row in range(*self.rows_in_sight)]
        # Reserves room next to the columns for the widest of these marks.
        room = max((width(mark) + 3 for item in in_sight if (mark := self._mark(item, cells)[0])), default=0)
        columns = column_widths(self.display.columns, in_sight, cells, room) if self._is_table else []
        if not self.items:
            self._draw_notice(canvas, notice)
            return
        if self._head:
            self._draw_columns(canvas, 0, [(fit(column.name, cells, column.align), cells) for column, cells in columns], "dim")
        for y, (row, below) in enumerate(self._lines, self._head):
            if below < 0:
                canvas.write(1, y, cut(self.headings[row], canvas.width - 3), "accent")
            else:
                self._draw_guarded(canvas, y, row, below, columns, active)
        self._draw_thumb(canvas)

    def _layout(self, height: int) -> None:
        """Assigns rows to lines. The cursor stays in sight when the size or the sections change."""
        was_seen = self._is_followed and self.top <= self.cursor < self.top + self._row_count
        self._layout_from_top(height)
        self._scroll(min(max(self.top, self.cursor - self._row_count + 1), self.cursor) if was_seen else self.top)
        self._layout_from_top(height)
        while was_seen and self.top + self._row_count <= self.cursor:
            self._scroll(self.top + 1)
            self._layout_from_top(height)

    def _layout_from_top(self, height: int) -> None:
        self._lines, row = [], self.top
        begun = [start for start in self.headings if start <= row]
        if begun and height > 3 * self._height:
            self._lines.append((max(begun), -1))
        while len(self._lines) < height and row < len(self.items):
            if row in self.headings and row != self.top:
                self._lines.append((row, -1))
            self._lines += [(row, below) for below in range(self._height)]
            row += 1
        self._lines = self._lines[:height]
        free = max(0, height - len(self._lines)) // self._height
        self._row_count = max(1, sum(below == self._height - 1 for _, below in self._lines) + free)

    def _draw_guarded(self, canvas: Canvas, y: int, row: int, below: int, columns: list[tuple[Column, int]], active: bool) -> None:
        """Draws a line of a row. A failure doesn't affect other rows."""
        ground = ("cursor" if active else "blurred") if row == self.cursor else ""
        inside = canvas.part(0, y, canvas.width - 1, 1)
        guarded("a row", lambda: self._draw_row(canvas, y, row, below, columns, active), lambda why: inside.line(0, why, f"{ground} error", 2))

    def _draw_row(self, canvas: Canvas, y: int, row: int, below: int, columns: list[tuple[Column, int]], active: bool) -> None:
        item, display = self.items[row], self.display
        if item is None:
            canvas.write(2, y, SKELETON[below] * ((canvas.width - 4) // (2 + below)), "frame")
            return
        name = item_key(item, self.display.id) if self._new else ""
        unread = display.unread(item)
        ground = ("cursor" if active else "blurred") if row == self.cursor else ""
        style = f"{ground} {'dim' if below or self.is_stale else 'text' if unread is False else 'title'}"
        canvas.part(0, y, canvas.width - 1, 1).fill(0, ground)
        sign, color = ("▌", "new") if name in self._new else ("•", "new") if unread and not below else (" ", "new")
        is_between = self.anchor is not None and min(self.anchor, self.cursor) <= row <= max(self.anchor, self.cursor)
        if is_between or self.marked(item):
            sign, color = ("✓", "mark") if not below else (" ", "mark")
        canvas.write(0, y, sign, f"{ground} {color}")
        end = canvas.width - 2
        text, look = self._mark(item, canvas.width - 3)
        if text and not below:
            end -= width(text)
            canvas.write(end, y, text, f"{ground} {look}")
            end -= 2
        if columns:
            cells_of_row = [(fit(column.text(item), cells, column.align), cells) for column, cells in columns]
            self._draw_columns(canvas, y, cells_of_row, f"{ground} {'dim' if self.is_stale else 'title' if unread else 'text'}")
            return
        if not below:
            for text, look in zip(display.aside(item)[::-1], ("dim", "badge")):
                if text and end > 24 and width(text) < end // 2:
                    canvas.write(end - width(text), y, text, f"{ground} {'dim' if self.is_stale else look}")
                    end -= width(text) + 2
        text = cut(display.summary(item) if below else display.title(item), end - 2)
        canvas.write(2, y, text, style)
        canvas.highlight(2, y, text, self.search_text, "match")

    def _mark(self, item: Any, cells: int) -> tuple[str, str]:
        """Returns the mark of an item's unfinished edit, and its style. Both are empty if the item has no such edit."""
        text, look = PENDING.get(self.pending(item) if item is not None else "", ("", ""))
        is_short = not fits_table(cells - width(text) - 3) if self._is_table else 2 * width(text) > cells
        return text[:1] if is_short else text, look

    def _draw_columns(self, canvas: Canvas, y: int, cells_of_row: list[tuple[str, int]], style: str) -> None:
        x = 2
        for text, cells in cells_of_row:
            canvas.write(x, y, text, style)
            canvas.highlight(x, y, text, self.search_text, "match")
            x += cells + 2

    def _draw_notice(self, canvas: Canvas, notice: str) -> None:
        lines = wrap(notice, max(1, canvas.width - 4))
        start = max(0, (canvas.height - len(lines)) // 2)
        for y, text in enumerate(lines, start):
            canvas.write(0, y, fit(text, canvas.width, "center"), "dim")

    def _draw_thumb(self, canvas: Canvas) -> None:
        count, height = len(self.items), canvas.height
        if count > self._row_count and height > 1:
            length = max(1, height * self._row_count // count)
            start = (height - length) * self.top // max(1, count - self._row_count)
            for y in range(start, start + length):
                canvas.write(canvas.width - 1, y, "▐", "frame")

    def _move(self, rows: int) -> None:
        if self.cursor + rows >= len(self.items):
            self._on_pull()
        self.move_to(self.cursor + rows)

    def _scroll(self, top: int) -> None:
        self.top = max(0, min(top, len(self.items) - self._row_count))
        if self.top == 0:
            self.new_above = 0


def contains_text(item: Any, search_text: str) -> bool:
    """Whether an item contains a text, ignoring case."""
    return search_text.casefold() in line(item).casefold()
