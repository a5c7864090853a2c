"""A screen for any view model: its states, formatted by their schemas, and its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import nagare

from . import picture
from .article import article
from .canvas import Canvas
from .cells import cut, fit, wrap
from .commands import Command, command
from .dialogs import Alert
from .display import guessed_columns
from .guard import guarded
from .keys import Mouse
from .markdown import Part
from .screen import ViewScreen
from .shape import Schema, Shape
from .table import column_widths
from .text import humanize, line, paragraphs

INPUT_NAMES = dict.fromkeys(("reachBottom", "loadMore"), "Show more")
"""The display names of inputs that need another name."""
NAME_WIDTH = 18
"""The width of names, in cells."""
TABLE_ROWS = 200
"""The maximum rows of a table."""


@dataclass
class ScreenLine:
    """One line of the screen."""

    label: str = ""
    text: str = ""
    style: str = "text"
    run: Callable[[], object] | None = None
    """The command that Enter runs."""
    parts: Sequence[Part] = ()
    """The text in parts with separate styles."""


class GeneralScreen(ViewScreen):
    """A screen for any view model."""

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        super().__init__(view, shape)
        self._at = self._top = self._height = 0
        self._lines: list[ScreenLine] = []

    def commands(self) -> Iterator[Command]:
        if any(one.run for one in self._lines):
            yield command("enter", "Do", self._do)
        yield command("up k", "", lambda: self._move(-1))
        yield command("down j", "", lambda: self._move(1))
        yield command("pageup", "", lambda: self._move(-10))
        yield command("pagedown", "", lambda: self._move(10))
        yield command("home g", "", lambda: self._move(-len(self._lines)))
        yield command("end G", "", lambda: self._move(len(self._lines)))
        yield from super().commands()

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        self._lines = lines = list(self._made(max(10, canvas.width - 4)))
        stops = [row for row, one in enumerate(lines) if one.run]
        if stops and self._at not in stops:
            self._at = min(stops, key=lambda row: abs(row - self._at))
        self._height = canvas.height
        self._top = max(0, min(self._top, len(lines) - canvas.height))
        for y, one in enumerate(lines[self._top : self._top + canvas.height]):
            is_at = bool(stops) and self._top + y == self._at
            ground = "cursor" if is_at else ""
            canvas.fill(y, ground)
            canvas.write(2, y, one.label, f"{ground} dim")
            x = 2 + (NAME_WIDTH if one.label else 0)
            for text, style in one.parts or [(cut(one.text, canvas.width - 3), one.style)]:
                x = canvas.write(x, y, text, f"{ground} {style}")

    def body_clicked(self, mouse: Mouse) -> None:
        if mouse.button in ("up", "down"):
            self._move(3 if mouse.button == "down" else -3)
        elif self._top + mouse.y < len(self._lines) and self._lines[self._top + mouse.y].run:
            self._at = self._top + mouse.y
            self._do()

    def _made(self, cells: int) -> Iterator[ScreenLine]:
        """Yields the lines: first the states, then the inputs."""
        yield ScreenLine()
        for name, schema in self.shape.states.items():
            if name not in ("loading", "error") and name in self.view:
                yield from guarded(f"the state {name}", partial(self._shown, name, schema, cells), lambda why: [ScreenLine(text=why, style="error")])
        if self.error is not None:
            yield ScreenLine()
            for text in wrap(self.failure_text(), cells):
                yield ScreenLine(text=text, style="error")
        yield ScreenLine()
        for input in self.shape.inputs:
            if input in self.own_inputs or (input == "retry" and self.error is None):
                continue
            asks = "…" if self.shape.inputs[input].get("properties") else ""
            about = self.shape.summaries.get(input, "")
            yield ScreenLine("", f"▸ {INPUT_NAMES.get(input) or humanize(input)}{asks}" + (f"  {about}" if about and cells > 60 else ""), "accent", self._runs(input))

    def _shown(self, name: str, schema: Schema, cells: int) -> list[ScreenLine]:
        return [*self._state(humanize(name), self.view[name], schema, cells)]

    def _state(self, name: str, value: Any, schema: Schema, cells: int) -> Iterator[ScreenLine]:
        """Yields the lines of a state, depending on its type."""
        properties = schema.get("items", {}).get("properties", {})
        if isinstance(value, Mapping) and self.display.has_text(value):
            for label, parts in article(value, self.display, cells):
                yield ScreenLine(label, parts=parts)
        elif isinstance(value, Mapping):
            yield ScreenLine(text=name, style="title")
            for member, field in value.items():
                yield from self._text(f"  {humanize(member)}", field, cells)
        elif isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(item, Mapping) for item in value):
            yield ScreenLine()
            yield from self._table(name, value[:TABLE_ROWS], list(properties), cells)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            yield from self._text(name, "\n".join(map(line, value)), cells)
        else:
            yield from self._text(name, value, cells)

    def _text(self, name: str, value: Any, cells: int) -> Iterator[ScreenLine]:
        content = picture.placeholder(value) or ("–" if value is None or value == "" else paragraphs(value))
        for number, text in enumerate(wrap(content, cells - NAME_WIDTH)):
            yield ScreenLine(cut(name, NAME_WIDTH - 2) if number == 0 else " ", text)

    def _table(self, name: str, items: Sequence[Any], members: list[str], cells: int) -> Iterator[ScreenLine]:
        yield ScreenLine(text=f"{name} ({len(items)})", style="title")
        columns = column_widths(guessed_columns(items[0], members), items[:20], cells)
        yield ScreenLine(text="  ".join(fit(one.name, room, one.align) for one, room in columns), style="dim")
        for item in items:
            text = "  ".join(fit(one.text(item), room, one.align) for one, room in columns)
            yield ScreenLine(text=text, run=lambda item=item: self._open(item))  # type: ignore[misc]

    def _open(self, item: Any) -> None:
        """Opens a table row: by an input that takes an id if there is one, otherwise as a dialog."""
        takes = next((name for name in ("select", "open") if self.shape.inputs.get(name, {}).get("properties")), None)
        if takes is not None:
            self.send(takes, **{name: self.display.item_id(item) for name in self.shape.inputs[takes]["properties"]})
        else:
            facts = "\n".join(f"{name}: {value}" for name, value in self.display.facts(item))
            self.app.push(Alert(self.display.title(item), "\n\n".join([facts, *(text for text, _ in self.display.texts(item))])))

    def _runs(self, input: str) -> Callable[[], object]:
        return lambda: self.run_input(input)

    def _do(self) -> None:
        if not self._top <= self._at < self._top + self._height:
            self._top = self._at - 1  # The selected line is out of sight, so scroll to it first.
        elif self._at < len(self._lines) and (run := self._lines[self._at].run):
            self.app.do(run)

    def _move(self, by: int) -> None:
        """Moves to the next selectable line. If that line is out of sight, only scrolls."""
        ahead = [row for row, one in enumerate(self._lines) if one.run and (row - self._at) * by > 0]
        near = [row for row in ahead if abs(row - self._at) <= abs(by)] or (ahead[:1] if by > 0 else ahead[-1:])
        at = near[-1 if by > 0 else 0] if near else None
        if at is not None and self._top - abs(by) <= at < self._top + self._height + abs(by):
            self._at = at
            self._top = min(max(self._top, at - self._height + 2), at - 1)
        else:
            self._top += by
