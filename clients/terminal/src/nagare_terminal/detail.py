"""The screens for one item. The arrow keys move to its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import nagare

from .article import Article
from .canvas import Canvas
from .commands import Command, command
from .display import Action
from .keys import Mouse
from .lists import ListNavigator, ListScreen
from .page import Page, page_of
from .row_moves import item_key
from .screen import ViewScreen
from .shape import Shape

SPLIT_WIDTH = 100
"""The minimum width for a list and its detail side by side."""


class ItemScreen(ViewScreen):
    """An item of a list without details. If the terminal is wide enough, the list is shown on its left."""

    app: ListNavigator

    def __init__(self, list_screen: ListScreen) -> None:
        super().__init__(list_screen.view, list_screen.shape)
        self.list_screen: ListScreen | None = list_screen
        self.opener = list_screen
        self.article = Article(self.display)
        self._shown = list_screen.rows.current
        self._list_width = 0

    def begin(self) -> None:
        """Does nothing, because the list already observes the view."""

    def end(self) -> None:
        """Does nothing, because the list keeps observing the view."""

    @property
    def _is_beside_list(self) -> bool:
        return self.list_screen is not None and self.app.device.size[0] >= SPLIT_WIDTH

    def shown_screens(self) -> Sequence[ViewScreen]:
        # The item belongs to the list's view.
        return [self] if self.list_screen is None else [self.list_screen]

    def commands(self) -> Iterator[Command]:
        yield command("right n", "Next", lambda: self.swipe(1))
        yield command("left p", "Previous", lambda: self.swipe(-1))
        yield from self._actions()
        yield from self.article.commands()
        yield from super().commands()

    def palette(self) -> Iterator[Command]:
        yield from self.commands()
        yield from self.app.screen_commands()

    def item(self) -> Any:
        if self.list_screen is not None and (now := self.list_screen.rows.current) is not None:
            # The item may have changed since it was opened.
            id = self.display.id
            return now if item_key(now, id) == item_key(self._shown, id) else self._shown
        return self._shown

    def swipe(self, by: int) -> None:
        """Moves to a neighbour of the item."""
        if self.list_screen is not None:
            self.list_screen.rows.move_to(self.list_screen.rows.cursor + by)
            self._shown = self.list_screen.rows.current
        self.article.begin()

    def show(self, item: Any) -> None:
        """Moves to an item of the list."""
        self._shown = item
        self.article.begin()

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        self._list_width = min(canvas.width * 2 // 5, 64) if self._is_beside_list else 0
        if self._list_width and self.list_screen is not None:
            self.list_screen.draw_body(canvas.part(0, 0, self._list_width, canvas.height), active=False)
            for y in range(canvas.height):
                canvas.write(self._list_width, y, "│", "frame")
        start = self._list_width + 1 if self._list_width else 0
        self.article.draw(canvas.part(start, 0, canvas.width - start, canvas.height), self.item(), self.app.device)

    def drawn(self) -> None:
        if self._list_width and self.list_screen is not None:
            self.list_screen.drawn()

    def body_clicked(self, mouse: Mouse) -> None:
        if self.list_screen is None or mouse.x >= self._list_width:
            self.article.click(mouse)
        elif self.list_screen.rows.click(mouse) and mouse.button == "left":
            self.show(self.list_screen.rows.current)

    def heading(self) -> str:
        return self.list_screen.heading() if self.list_screen is not None else ""

    def undo_hint(self) -> tuple[str, str]:
        return self.list_screen.undo_hint() if self.list_screen is not None else ("", "")

    def position(self) -> str:
        return self.list_screen.position() if self.list_screen is not None else ""

    def menu(self) -> Iterator[Command]:
        yield from self._actions()
        yield from super().menu()

    def _actions(self) -> Iterator[Command]:
        """The list's actions for the shown item, if it is in the list."""
        if self.list_screen is not None and self._is_listed():
            yield from self.list_screen.item_commands(self.item(), lambda action: self.app.do(lambda: self._perform(action)))
        elif self.list_screen is not None:
            yield from self.list_screen.actions.undo_commands()

    def _is_listed(self) -> bool:
        """Whether the shown item is in the list."""
        return self.item() is not None

    async def _perform(self, action: Action) -> None:
        if self.list_screen is not None and self._is_listed():
            before = self._advance if action.input == "remove" else None
            await self.list_screen.actions.perform(action, [self.item()], before)

    async def _advance(self) -> None:
        """Moves to a neighbour of the item that is being removed, or goes back if it has none."""
        if self.list_screen is not None and len(self.list_screen.rows.items) > 1:
            self.swipe(1 if self.list_screen.rows.cursor + 1 < len(self.list_screen.rows.items) else -1)
        else:
            self.app.leave()


class DetailScreen(ItemScreen):
    """A list's detail."""

    def __init__(self, view: nagare.View, shape: Shape, list_screen: ListScreen | None) -> None:
        ViewScreen.__init__(self, view, shape)
        self.list_screen = list_screen
        if list_screen is not None and not shape.display:
            self.display = list_screen.display
        elif list_screen is not None and not shape.id:
            self.display.id = list_screen.display.id
        self.article = Article(self.display)
        self._list_width = 0

    def begin(self) -> None:
        ViewScreen.begin(self)
        self._sync_list()

    def end(self) -> None:
        ViewScreen.end(self)
        self._sync_list()

    def shown_screens(self) -> Sequence[ViewScreen]:
        return [self.list_screen, self] if self.list_screen is not None and self._is_beside_list else [self]

    @property
    def page(self) -> Page:
        return page_of(self.view)

    def item(self) -> Any:
        return self.page.item

    def swipe(self, by: int) -> None:
        self.article.begin()
        self.send("swipe", to="next" if by > 0 else "previous")

    def show(self, item: Any) -> None:
        self.article.begin()
        self.send("swipe", id=self.display.item_id(item))

    def drawn(self) -> None:
        super().drawn()
        if self.list_screen is not None and isinstance(self.list_screen.listed, nagare.Window):
            self.list_screen.drawn()  # Reports the list's rows in sight, so that the list keeps the row that this screen shows.

    def on_output(self, output: str, value: Any) -> None:
        if output == "page":
            self._sync_list()

    def position(self) -> str:
        page = self.page
        if page.index is None:
            return "no longer listed" if page.count else ""
        total = self.list_screen.total if self.list_screen and page.has_more else None
        amount = f"{total:,}" if total is not None and total > page.count else f"{page.count:,}{'+' if page.has_more else ''}"
        return f"{page.index + 1:,} of {amount}"

    def _is_listed(self) -> bool:
        return self.list_screen is not None and self.list_screen.contains(self.page)

    async def _advance(self) -> None:
        page = self.page
        if page.has_next or page.has_previous:
            self.article.begin()
            await self.call("swipe", to="next" if page.has_next else "previous")
        else:
            self.app.leave()

    def _sync_list(self) -> None:
        """Moves the list's cursor to the shown item, and marks it as read."""
        page = self.page
        if self.list_screen is not None and page.index is not None:
            self.list_screen.rows.move_to(page.index)
            self.list_screen.mark_as_read(page.id)
            self.app.user_moved()
