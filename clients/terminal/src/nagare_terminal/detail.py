"""One item, whose neighbours are an arrow key away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nagare

from .article import Article
from .canvas import Canvas
from .display import Action
from .keys import Mouse
from .commands import Command, command
from .lists import ListNavigator, ListScreen
from .page import Page, page_of
from .screen import ViewScreen
from .shape import Shape

BESIDE = 100
"""Columns from which on a list and its detail stand side by side."""


class ItemScreen(ViewScreen):
    """An item of a list that has no detail. Where there is room for both, the list stands beside it."""

    app: ListNavigator

    def __init__(self, under: ListScreen) -> None:
        super().__init__(under.view, under.shape)
        self.under: ListScreen | None = under
        self.article = Article(self.display)
        self._shown = under.rows.current
        self._beside = 0

    def begin(self) -> None:
        """The list hears of the view already."""

    def end(self) -> None:
        """The list goes on."""

    def commands(self) -> Iterator[Command]:
        yield command("right n", "Next", lambda: self.swipe(1))
        yield command("left p", "Previous", lambda: self.swipe(-1))
        yield from self._actions()
        yield from self.article.commands()
        yield from super().commands()

    def everything(self) -> Iterator[Command]:
        yield from self.commands()
        yield from self.app.ways()

    def item(self) -> Any:
        return self._shown

    def swipe(self, by: int) -> None:
        """Goes to a neighbour."""
        if self.under is not None:
            self.under.rows.move_to(self.under.rows.cursor + by)
            self._shown = self.under.rows.current
        self.article.begin()

    def show(self, item: Any) -> None:
        """Goes to an item of the list."""
        self._shown = item
        self.article.begin()

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        self._beside = min(canvas.width * 2 // 5, 64) if self.under is not None and canvas.width >= BESIDE else 0
        if self._beside and self.under is not None:
            self.under.draw_body(canvas.part(0, 0, self._beside, canvas.height), active=False)
            for y in range(canvas.height):
                canvas.write(self._beside, y, "│", "frame")
        start = self._beside + 1 if self._beside else 0
        self.article.draw(canvas.part(start, 0, canvas.width - start, canvas.height), self.item(), self.app.device)

    def drawn(self) -> None:
        if self._beside and self.under is not None:
            self.under.drawn()

    def body_clicked(self, mouse: Mouse) -> None:
        if self.under is None or mouse.x >= self._beside:
            self.article.click(mouse)
        elif self.under.rows.click(mouse) and mouse.button == "left":
            self.show(self.under.rows.current)

    def heading(self) -> str:
        return self.under.heading() if self.under is not None else ""

    def done(self) -> str:
        return self.under.done() if self.under is not None else ""

    def position(self) -> str:
        return self.under.position() if self.under is not None else ""

    def menu(self) -> Iterator[Command]:
        yield from self._actions()
        yield from super().menu()

    def _actions(self) -> Iterator[Command]:
        """The list's actions, for the item that is shown, if it is one of the list's."""
        if self.under is not None and self._is_listed():
            yield from self.under.actions.commands(lambda action: self.app.do(lambda: self._act(action)))

    def _is_listed(self) -> bool:
        """Whether the item that is shown is one of the list's."""
        return self.item() is not None

    async def _act(self, action: Action) -> None:
        if self.under is not None and self._is_listed():
            before = self._go_on if action.input == "remove" else None
            await self.under.actions.perform(action, [self.item()], before)

    async def _go_on(self) -> None:
        """Goes to the item beside the one that goes, or back where it is the last."""
        if self.under is not None and len(self.under.rows.items) > 1:
            self.swipe(1 if self.under.rows.cursor + 1 < len(self.under.rows.items) else -1)
        else:
            self.app.leave()


class DetailScreen(ItemScreen):
    """A list's detail."""

    def __init__(self, view: nagare.View, shape: Shape, under: ListScreen | None) -> None:
        ViewScreen.__init__(self, view, shape)
        self.under = under
        if under is not None and not shape.display:
            self.display = under.display
        elif under is not None and not shape.id:
            self.display.id = under.display.id
        self.article = Article(self.display)
        self._beside = 0

    def begin(self) -> None:
        ViewScreen.begin(self)
        self._follow()

    def end(self) -> None:
        ViewScreen.end(self)
        self._follow()

    @property
    def page(self) -> Page:
        return page_of(self.view)

    def item(self) -> Any:
        return self.page.item

    def swipe(self, by: int) -> None:
        self.article.begin()
        self.tell("swipe", to="next" if by > 0 else "previous")

    def show(self, item: Any) -> None:
        self.article.begin()
        self.tell("swipe", id=self.display.identity(item))

    def drawn(self) -> None:
        super().drawn()
        if self.under is not None and isinstance(self.under.listed, nagare.Window):
            self.under.drawn()  # The list must keep the row that is shown here.

    def heard(self, output: str, value: Any) -> None:
        if output == "page":
            self._follow()

    def position(self) -> str:
        page = self.page
        if page.index is None:
            return "no longer listed" if page.count else ""
        total = self.under.total if self.under and page.has_more else None
        amount = f"{total:,}" if total is not None and total > page.count else f"{page.count:,}{'+' if page.has_more else ''}"
        return f"{page.index + 1:,} of {amount}"

    def _is_listed(self) -> bool:
        return self.under is not None and self.under.lists(self.page)

    async def _go_on(self) -> None:
        page = self.page
        if page.has_next or page.has_previous:
            self.article.begin()
            await self.ask("swipe", to="next" if page.has_next else "previous")
        else:
            self.app.leave()

    def _follow(self) -> None:
        """The list goes where its detail is, and knows what was read."""
        page = self.page
        if self.under is not None and page.index is not None:
            self.under.show_row(page.id, page.index)
            self.under.mark_as_read(page.id)
            self.app.moved()
