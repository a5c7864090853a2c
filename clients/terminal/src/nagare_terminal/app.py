"""The screens of a server, one above the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nagare

from .application import Question
from .choice import ChoiceScreen
from .detail import DetailScreen, ItemScreen
from .device import Device
from .dialogs import KINDS, Choose, Trouble, dialog
from .general import GeneralScreen
from .guard import reason, report
from .application import Layer
from .commands import Command
from .lists import ListNavigator, ListScreen
from .page import page_of
from .saved_state import Places
from .screen import ViewScreen
from .search import SearchScreen
from .shape import Shape, shapes, told_by
from .text import humane

REMEDY = "Name a program that is there: after `--`, or `nagare` itself by the environment's NAGARE."
MARGIN = 100
"""Rows of a long list that are held above and below those in sight."""
FAR = 1_000
"""Rows that are loaded one page after another. Those beyond are gone to without those before them."""
LAST = 3.0
"""Seconds that what was begun has at the end."""
SOON = 0.3
"""Seconds after which it is written down where the user is."""


class Terminal(ListNavigator):
    """Shows what a server has, and starts it again when it has died and the user wants it."""

    def __init__(
        self,
        command: Sequence[str],
        first: str | None = None,
        *,
        device: Device,
        look: Path | None = None,
        state: Path | None = None,
    ) -> None:
        """- `look` is the file of a theme, and `state` the one that holds where the user is. Raises `WrongTheme`."""
        super().__init__(device, look)
        self.command, self.first = list(command), first
        self.places = Places(state, command)
        self.shapes: dict[str, Shape] = {}
        self._saving: asyncio.TimerHandle | None = None
        self._root: nagare.View | None = None

    def run(self) -> int:
        """Shows it until the user has had enough."""
        asyncio.run(self.main())
        return 0

    async def main(self) -> None:
        """The same within a loop."""
        self.session = self._new_session()
        self._loop = asyncio.get_running_loop()
        self._over = self._loop.create_future()
        self._loop.set_exception_handler(lambda loop, context: self._fail(context.get("message", ""), context.get("exception")))
        self.device.begin(self.hear, self.redraw)
        living = asyncio.ensure_future(self._live())
        try:
            await asyncio.wait({living, self._over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.save()
            living.cancel()
            if self._lent is not None:
                self._lent.cancel()
            for layer in reversed(self.layers):
                layer.turn_down() if isinstance(layer, Question) else layer.end()
            # What was to be done when it can't be undone any more is done now, and the server has the time for it.
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=LAST)
            await self.session.close()
            self.device.end()
        if living.done() and not living.cancelled() and (error := living.exception()) is not None:
            raise error

    # Ways

    async def show(
        self, view: nagare.View, below: ViewScreen | None = None, place: dict[str, Any] | None = None, is_asked: bool = False
    ) -> ViewScreen:
        """Puts a view on top, as the screen that its shape asks for.

        - `below` is the screen that opened it. `is_asked` says that the client opened the view as a detail of that list.
        """
        shape = self.shapes.get(view.screen.name) or await told_by(view)
        screen: ViewScreen
        if shape.is_detail and ("page" not in view or isinstance(view["page"], (Mapping, type(None)))):
            # A detail of other items, such as a row's attachments, must not act on the list.
            under = below if isinstance(below, ListScreen) and (is_asked or below.lists(page_of(view))) else None
            screen = DetailScreen(view, shape, under)
        elif shape.is_choice:
            screen = ChoiceScreen(view, shape)
        elif shape.is_search:
            screen = SearchScreen(view, shape)
        elif shape.is_list or shape.rows is not None:
            screen = ListScreen(view, shape)
        else:
            screen = GeneralScreen(view, shape)
        if isinstance(screen, ListScreen):
            screen.place = dict(self.places.places.get(view.screen.name, {}) if place is None else place)
        self.put(screen)
        return screen

    async def go(self, name: str) -> nagare.View:
        """Opens a screen on top, or goes back to it."""
        for screen in self.screens:
            if screen.view.screen.name == name and not isinstance(screen, ItemScreen):
                while self.screens[-1] is not screen:
                    self._close(self.screens[-1])
                self.moved()
                return screen.view
        return await self._open(name)

    async def _open(self, name: str, place: dict[str, Any] | None = None) -> nagare.View:
        """Opens a screen on top, at a place or where the user was. A list that grows is opened whole, as long as the user's place is near enough to be grown to."""
        shape, place = self.shapes.get(name), self.places.places.get(name, {}) if place is None else place
        params: dict[str, Any] = {}
        if shape is not None and "query" in shape.params.get("properties", {}) and place.get("query"):
            params["query"] = place["query"]
        if shape is not None and shape.has_window and ("reachBottom" not in shape.inputs or (place.get("index") or 0) >= FAR):
            params["window"] = {"margin": MARGIN}
        view: nagare.View = await self.session.open(name, nagare.View, **params)
        await self.show(view, place=place)
        return view

    async def go_far(self, screen: ListScreen, index: int, above: int = 0) -> None:
        name = screen.view.screen.name
        view = await self._open(name, {**screen.where(), "row": None, "item": None, "index": max(index, FAR), "above": above})
        if self._root is screen.view:
            self._root = view
        self._close(screen)

    async def open_item(self, below: ListScreen, screen: str, id: Any) -> None:
        try:
            await self.show(await self.session.open(screen, nagare.View, id=id, list=below.view.view_name), below, is_asked=True)
        except nagare.ResponseError as error:
            self.complain(error.message)

    def show_item(self, below: ListScreen) -> None:
        self.put(ItemScreen(below))

    def detail_of(self, below: ListScreen) -> dict[str, Any] | None:
        for screen in self.screens:
            if isinstance(screen, DetailScreen) and screen.under is below:
                return {"id": screen.page.id, "screen": screen.view.screen.name}
            if isinstance(screen, ItemScreen) and screen.under is below:
                return {"id": screen.display.identity(screen.item())}
        return None

    def ways(self) -> Iterator[Command]:
        for name, shape in self.shapes.items():
            if shape.opens:
                yield Command((), f"Go to {humane(name)}", lambda name=name: self.go(name))  # type: ignore[misc]

    async def choose_screen(self) -> None:
        choices = [(humane(name), "", name) for name, shape in self.shapes.items() if shape.opens]
        if (name := await self.answer(Choose("Screens", choices))) is not nagare.CANCELLED:
            await self.go(name)

    # Where the user is

    def moved(self) -> None:
        """The user is elsewhere than before, which is soon written down."""
        if self._saving is None:
            self._saving = self._loop.call_later(SOON, self.save)

    def save(self) -> None:
        """Writes down where the user is."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        open = [screen for screen in self.screens if not isinstance(screen, ItemScreen)]
        for screen in open:
            if isinstance(screen, ListScreen) and not isinstance(screen, ChoiceScreen):
                self.places.places[screen.view.screen.name] = screen.where()
        if named := [screen.view.screen.name for screen in open if screen.view.screen.name in self.shapes]:
            self.places.screen = named[-1]
            self.places.save()

    # Inside

    async def _live(self) -> None:
        """Shows a session after the other, until the user has had enough."""
        while True:
            heading, told = "The server is gone", ""
            try:
                await self.session.__aenter__()
                self.shapes = shapes(await self.session.discover())
                openable = [name for name, shape in self.shapes.items() if shape.opens]
                if self.first and self.first not in openable:
                    heading, told = f"No screen “{self.first}” can be opened", f"These can: {', '.join(openable)}"
                else:
                    before = self.places.screen if self.places.screen in openable else None
                    self._root = await self.go(self.first or before or next(iter(openable), ""))
                    self.first = None  # Whoever begins anew goes where they were.
                    while (root := self._root) is not None:
                        await root.wait_closed()
                        if root is self._root:  # No other has taken its place.
                            break
            except nagare.ResponseError as error:
                heading, told = "That didn't work", str(error)
            except nagare.NagareError as error:
                told = str(error)
            except OSError as error:
                heading, told = "The server can't be started", f"{error.strerror}: {self.command[0]}\n\n{REMEDY}"
            except Exception as error:
                report("the session", error)
                heading, told = "That didn't work", reason(error)
            self.save()
            await self.session.close()
            if await self.answer(Trouble(heading, told)) is not True:
                self.quit()
                return
            for layer in reversed(self.layers):
                # A dialog of the old session must be answered, because a task waits for it.
                layer.turn_down() if isinstance(layer, Question) else self.remove(layer)
            self.session = self._new_session()

    def _new_session(self) -> nagare.App:
        return nagare.spawn(self.command, present=dict.fromkeys(KINDS, self._present))

    def _present(self, task: nagare.Task) -> Awaitable[Any]:
        try:
            return self.answer(dialog(task))
        except Exception as error:
            self._fail(f"the task {task.kind}", error)
            raise nagare.ResponseError(nagare.ErrorCode.INVALID_PARAMS, f"this task can't be shown: {reason(error)}") from error
