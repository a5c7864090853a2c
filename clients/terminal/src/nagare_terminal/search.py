"""Screens with a search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nagare

from .canvas import Canvas
from .commands import Command, command
from .field import Field
from .keys import Mouse
from .lists import ListScreen
from .shape import Shape
from .text import line


class SearchScreen(ListScreen):
    """A list that is searched while the user types."""

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        super().__init__(view, shape)
        self.field = Field(self._query(view["query"] if "query" in view else None), hint="/ searches")
        self.typing = False
        self.rows.search_text = self.field.text

    @staticmethod
    def _query(value: Any) -> str:
        """Returns the query; empty if the state `query` isn't a text."""
        return value if isinstance(value, str) else ""

    def commands(self) -> Iterator[Command]:
        if self.typing:
            yield command("enter down", "To the list", self._leave_field)
            yield command("escape", "End search", self._end_search)
            return
        yield from super().commands()

    def _searching(self) -> Iterator[Command]:
        yield command("/", "Search", self._go_to_field)
        if self.field.text:
            yield command("escape", "End search", self._end_search)

    def type(self, key: str) -> None:
        before = self.field.text
        if self.typing and self.field.type(key) and self.field.text != before:
            self.send("search", text=self.field.text)

    def paste(self, text: str) -> None:
        if self.typing:
            self.field.paste(text)
            self.send("search", text=self.field.text)

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        self.field.draw(canvas, 1, 0, canvas.width - 2, active=self.typing and active)
        super().draw_body(canvas.part(0, 1, canvas.width, canvas.height - 1), active=active and not self.typing)

    def body_clicked(self, mouse: Mouse) -> None:
        if mouse.y == 0:
            self._go_to_field()
        else:
            self.typing = False
            super().body_clicked(Mouse(mouse.button, mouse.x, mouse.y - 1))

    def on_output(self, output: str, value: Any) -> None:
        if output == "query":
            self.rows.search_text = self._query(value)
        super().on_output(output, value)

    def empty_text(self) -> str:
        query = line(self.view["query"] if "query" in self.view else None)
        nothing = "noResult" in self.view and self.view["noResult"]
        return f"nothing found for “{query}”" if nothing and query else super().empty_text()

    def _go_to_field(self) -> None:
        self.typing = True

    def _leave_field(self) -> None:
        self.typing = False

    def _end_search(self) -> None:
        self.field, self.typing = Field(hint=self.field.hint), False
        if self.has_input("cancelSearch"):
            self.send("cancelSearch")
        else:
            self.send("search", text="")
