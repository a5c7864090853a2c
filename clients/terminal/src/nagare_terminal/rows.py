"""Rows of any number, of which only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .canvas import Canvas
from .cells import cut, fit, width, wrap
from .display import Column, Display
from .guard import guarded
from .keys import Mouse
from .commands import Command, command
from .row_moves import key, moves
from .table import widths
from .text import line
SKELETON = "▂", "░"
"""What stands for a row that isn't read yet: its title, and what stands below."""


class Rows:
    """Items, one of which the cursor is on.

    - `moved` is called when the cursor has been put on another row.
    - `chosen` is called with the item that the user wants.
    - `pulled` is called when the user wants to go further than the end.
    """

    def __init__(
        self, display: Display, *, chosen: Callable[[Any], object], moved: Callable[[], object] | None = None,
        pulled: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        self.display = display
        self.items: Sequence[Any] = ()
        self.cursor = self.top = 0
        self.above = 0
        """Rows that have come above those in sight since the first one was."""
        self.sought = ""
        """What is looked for, wherever it stands."""
        self.marked: Callable[[Any], bool] = lambda item: False
        """Whether an item is marked."""
        self.anchor: int | None = None
        """The row from which on to the cursor rows are about to be marked."""
        self.headings: Mapping[int, str] = {}
        """What stands above rows with which a section begins."""
        self.stale = False
        """Whether others will be here soon."""
        self._chosen, self._moved, self._pulled = chosen, moved or (lambda: None), pulled or (lambda: None)
        self._new: set[str] = set()
        self._room, self._height, self._head = 1, 2, 0
        self._lines: list[tuple[int, int]] = []
        self._is_followed = True

    def opening(self) -> Iterator[Command]:
        """How the user opens the one that the cursor is on."""
        if self.items:
            yield command("enter", "Open", lambda: self._chosen(self.items[self.cursor]))

    def commands(self) -> Iterator[Command]:
        """How the user goes through them."""
        yield command("up k", "", lambda: self._move(-1))
        yield command("down j", "", lambda: self._move(1))
        yield command("pageup", "", lambda: self._move(1 - self._room))
        yield command("pagedown", "", lambda: self._move(self._room - 1))
        yield command("home g", "", lambda: self.move_to(0))
        yield command("end G", "", lambda: self.move_to(len(self.items) - 1))

    @property
    def current(self) -> Any:
        """The item that the cursor is on; None where there is none."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @property
    def sight(self) -> tuple[int, int]:
        """The rows in sight: the first, and the one after the last."""
        return min(self.top, len(self.items)), min(len(self.items), self.top + self._room)

    def set_items(self, items: Sequence[Any], earlier: bool = False, others: bool = False) -> None:
        """Shows other items. The cursor stays on its item, wherever that is now, and what is in sight stays there.

        - `earlier` says that those above are the page before, and nothing new.
        - `others` says that they are what something else is looked for has found, of which nothing is new either.
        """
        before, self.items = self.items, items
        found = moves(before, items, self.display.id)
        start, end = min(self.top, len(before)), min(len(before), self.top + self._room)
        shift = found.shift(start, end) if self.top or earlier else 0
        if others:
            self._new.clear()
        elif not earlier and any(found.place(row) is not None for row in range(start, end)):
            new = found.new()
            self._new |= {key(items[row], self.display.id) for row in new}
            self.above += sum(row < start + shift for row in new) if start else 0
        place = found.place(self.cursor)
        if self.anchor is not None:
            self.anchor = found.place(self.anchor)
        self.cursor = max(0, min(self.cursor if place is None else place, len(items) - 1))
        self._scroll(self.top + shift)
        self._is_followed = True

    def move_to(self, row: int) -> None:
        """Puts the cursor on a row, and the row into sight."""
        self.cursor = max(0, min(row, len(self.items) - 1))
        if self._new and self.current is not None:
            self._new.discard(key(self.current, self.display.id))
        self._scroll(min(max(self.top, self.cursor - self._room + 1), self.cursor))
        self._is_followed = True
        self._moved()

    def put_at(self, above: int) -> None:
        """Has so many rows in sight above the cursor."""
        self._scroll(self.cursor - min(above, self._room - 1))

    def click(self, mouse: Mouse) -> bool:
        """The mouse over them: whether it was put on a row."""
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
        """Draws those in sight, or the notice where there are none."""
        columns = widths(self.display.columns, [self.items[row] for row in range(*self.sight)], canvas.width - 3)
        self._head = 1 if columns and canvas.height > 4 else 0
        self._height = 1 if columns or canvas.height < 6 else 2
        self._lay(canvas.height - self._head)
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

    def _lay(self, height: int) -> None:
        """Says what stands in each line. What the cursor is on stays in sight when the terminal has another size, or sections begin."""
        was_seen = self._is_followed and self.top <= self.cursor < self.top + self._room
        self._lay_from_top(height)
        self._scroll(min(max(self.top, self.cursor - self._room + 1), self.cursor) if was_seen else self.top)
        self._lay_from_top(height)
        while was_seen and self.top + self._room <= self.cursor:
            self._scroll(self.top + 1)
            self._lay_from_top(height)

    def _lay_from_top(self, height: int) -> None:
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
        self._room = max(1, sum(below == self._height - 1 for _, below in self._lines) + free)

    def _draw_guarded(self, canvas: Canvas, y: int, row: int, below: int, columns: list[tuple[Column, int]], active: bool) -> None:
        """Draws a line of a row. A row that can't be drawn takes no other with it."""
        ground = ("cursor" if active else "blurred") if row == self.cursor else ""
        inside = canvas.part(0, y, canvas.width - 1, 1)
        guarded("a row", lambda: self._draw_row(canvas, y, row, below, columns, active), lambda why: inside.line(0, why, f"{ground} error", 2))

    def _draw_row(self, canvas: Canvas, y: int, row: int, below: int, columns: list[tuple[Column, int]], active: bool) -> None:
        item, display = self.items[row], self.display
        if item is None:
            canvas.write(2, y, SKELETON[below] * ((canvas.width - 4) // (2 + below)), "frame")
            return
        name = key(item, self.display.id) if self._new else ""
        unread = display.unread(item)
        ground = ("cursor" if active else "blurred") if row == self.cursor else ""
        style = f"{ground} {'dim' if below or self.stale else 'text' if unread is False else 'title'}"
        canvas.part(0, y, canvas.width - 1, 1).fill(0, ground)
        sign, color = ("▌", "new") if name in self._new else ("•", "new") if unread and not below else (" ", "new")
        is_between = self.anchor is not None and min(self.anchor, self.cursor) <= row <= max(self.anchor, self.cursor)
        if is_between or self.marked(item):
            sign, color = ("✓", "mark") if not below else (" ", "mark")
        canvas.write(0, y, sign, f"{ground} {color}")
        if columns:
            told = [(fit(column.shown(item), cells, column.align), cells) for column, cells in columns]
            self._draw_columns(canvas, y, told, f"{ground} {'dim' if self.stale else 'title' if unread else 'text'}")
            return
        end = canvas.width - 2
        if not below:
            for text, look in zip(display.aside(item)[::-1], ("dim", "badge")):
                if text and end > 24 and width(text) < end // 2:
                    canvas.write(end - width(text), y, text, f"{ground} {'dim' if self.stale else look}")
                    end -= width(text) + 2
        text = cut(display.summary(item) if below else display.title(item), end - 2)
        canvas.write(2, y, text, style)
        canvas.mark(2, y, text, self.sought, "match")

    def _draw_columns(self, canvas: Canvas, y: int, told: list[tuple[str, int]], style: str) -> None:
        x = 2
        for text, cells in told:
            canvas.write(x, y, text, style)
            canvas.mark(x, y, text, self.sought, "match")
            x += cells + 2

    def _draw_notice(self, canvas: Canvas, notice: str) -> None:
        lines = wrap(notice, max(1, canvas.width - 4))
        start = max(0, (canvas.height - len(lines)) // 2)
        for y, text in enumerate(lines, start):
            canvas.write(0, y, fit(text, canvas.width, "center"), "dim")

    def _draw_thumb(self, canvas: Canvas) -> None:
        count, height = len(self.items), canvas.height
        if count > self._room and height > 1:
            length = max(1, height * self._room // count)
            start = (height - length) * self.top // max(1, count - self._room)
            for y in range(start, start + length):
                canvas.write(canvas.width - 1, y, "▐", "frame")

    def _move(self, rows: int) -> None:
        if self.cursor + rows >= len(self.items):
            self._pulled()
        self.move_to(self.cursor + rows)

    def _scroll(self, top: int) -> None:
        self.top = max(0, min(top, len(self.items) - self._room))
        if self.top == 0:
            self.above = 0


def stands(item: Any, sought: str) -> bool:
    """Whether a text stands in an item, in whatever case."""
    return sought.casefold() in line(item).casefold()
