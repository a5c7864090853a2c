"""A server's screens in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import nagare

from .application import Question
from .application import Layer
from .choice import ChoiceScreen
from .commands import Command
from .detail import DetailScreen, ItemScreen
from .device import Device
from .dialogs import KINDS, Choose, Trouble, dialog
from .general import GeneralScreen
from .guard import log_failure, short_reason
from .keys import Background, Event
from .lists import ListNavigator, ListScreen
from .page import page_of
from .saved_state import SavedState
from .screen import ViewScreen
from .search import SearchScreen
from .shape import Shape, shape_of, shapes
from .text import humanize

REMEDY = "Name an existing program after `--`, or set NAGARE to the path of `nagare`."
WINDOW_MARGIN = 100
"""The number of rows of a windowed list to load above the rows in sight, and below them."""
WINDOW_START = 1_000
"""The first row for which a list is opened with a window. Earlier rows are loaded page by page."""
SHUTDOWN_TIMEOUT = 3.0
"""Seconds that running commands have at the end."""
MOST_REOPENINGS = 3
"""How often a screen is reopened automatically. Then the user must ask for it."""
SAVE_DELAY = 0.3
"""Seconds until the user's place is saved."""


class Terminal(ListNavigator):
    """Shows the screens of a server. When the server has died, the user can start it again."""

    def __init__(
        self,
        command: Sequence[str],
        first_screen: str | None = None,
        *,
        device: Device,
        theme_file: Path | None = None,
        state: Path | None = None,
    ) -> None:
        """- `theme_file` and `state` are the files of the theme and of the user's place. Raises `WrongTheme` for an invalid theme."""
        super().__init__(device, theme_file)
        self.command, self.first_screen = list(command), first_screen
        self.places = SavedState(state, command)
        self.shapes: dict[str, Shape] = {}
        self._saving: asyncio.TimerHandle | None = None
        self._removed = asyncio.Event()
        """Set when a screen was removed."""
        self._reopenings = 0
        """How often a screen was reopened automatically since the user's last action."""

    def run(self) -> int:
        """Runs until the user quits."""
        asyncio.run(self.main())
        return 0

    async def main(self) -> None:
        """Runs within an event loop."""
        self.session = self._new_session()
        self._loop = asyncio.get_running_loop()
        self._over = self._loop.create_future()
        self._loop.set_exception_handler(lambda loop, context: self._report_fault(context.get("message", ""), context.get("exception")))
        self.device.begin(self.handle, self.redraw)
        running = asyncio.ensure_future(self._run_sessions())
        try:
            await asyncio.wait({running, self._over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.save()
            running.cancel()
            if self._lending is not None:
                self._lending.cancel()
            for layer in reversed(self.layers):
                layer.cancel() if isinstance(layer, Question) else layer.end()
            self._is_ending = True
            self.report_shown()
            # Running commands end first, because the server still answers them.
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=SHUTDOWN_TIMEOUT)
            await self.session.close()
            self.device.end()
        if running.done() and not running.cancelled() and (error := running.exception()) is not None:
            raise error

    # Screens

    async def show(
        self, view: nagare.View, below: ViewScreen | None = None, place: dict[str, Any] | None = None, is_asked: bool = False
    ) -> ViewScreen:
        """Adds a screen for a view. The kind of screen depends on the view's shape.

        - `below` is the screen that opened the view.
        - `is_asked` is true if this program opened the view as a detail of that list.
        """
        shape = self.shapes.get(view.screen.name) or await shape_of(view)
        screen: ViewScreen
        if shape.kind == "pager" and ("page" not in view or isinstance(view["page"], (Mapping, type(None)))):
            # A detail of other items, such as a row's attachments, must not act on the list.
            list_screen = below if isinstance(below, ListScreen) and (is_asked or below.contains(page_of(view))) else None
            screen = DetailScreen(view, shape, list_screen)
        elif shape.kind == "choice":
            screen = ChoiceScreen(view, shape)
        elif shape.kind == "search":
            screen = SearchScreen(view, shape)
        elif shape.kind in ("list", "feed"):
            screen = ListScreen(view, shape)
        else:
            screen = GeneralScreen(view, shape)
        screen.opener = below
        if isinstance(screen, ListScreen):
            screen.restoring = dict(self.places.places.get(view.screen.name, {}) if place is None else place)
        self.push(screen)
        return screen

    async def go_to(self, name: str) -> nagare.View:
        """Opens a screen, or goes back to it if it is open."""
        for screen in self.screens:
            if screen.view.screen.name == name and not isinstance(screen, ItemScreen):
                while self.screens[-1] is not screen:
                    self._close(self.screens[-1])
                self.user_moved()
                return screen.view
        return await self._open(name)

    async def view_closed(self, screen: ViewScreen) -> None:
        """Handles a view that the server closed. Closes the details of its screen, too.

        If the screen is on top, it is reopened in its first state; otherwise it is reopened when the user returns to
        it.
        """
        if screen not in self.layers:
            return
        if screen.opener is not None:
            for other in reversed(self.screens):
                if other is screen or other.opener is screen:
                    self._close(other)
            return
        self.places.places.pop(screen.view.screen.name, None)
        above = self.screens[self.screens.index(screen) + 1 :]
        details = [*takewhile(lambda one: one.opener is not None, above)]
        if len(details) < len(above):
            for one in reversed([screen, *details]):
                self._close(one)
            return
        for layer in reversed(self.layers[self.layers.index(screen) + 1 :]):
            if isinstance(layer, ViewScreen):
                self._close(layer)
            elif isinstance(layer, Question):
                layer.cancel()
        await self._open_anew(screen)

    async def _open_anew(self, screen: ViewScreen) -> None:
        """Replaces a screen by a new one in its first state. The old screen stays until then, so that no screen below
        appears in between.

        A server that closes each view at once gets only a few attempts.
        """
        if self._reopenings == MOST_REOPENINGS:
            return self._close(screen)
        self._reopenings += 1
        try:
            view = await self._open_view(screen.view.screen.name, {})
            if screen in self.layers:
                await self.show(view, place={})
            else:
                await self._close_view(view)  # The user has gone to another screen.
        except nagare.NagareError as error:
            self.show_error(str(error))
        self._close(screen)

    async def _open(self, name: str, place: dict[str, Any] | None = None) -> nagare.View:
        """Opens a screen at a place, by default at the saved place."""
        view = await self._open_view(name, self.places.places.get(name, {}) if place is None else place)
        await self.show(view, place=place)
        return view

    async def _open_view(self, name: str, place: dict[str, Any]) -> nagare.View:
        """Opens a view for a place. If the place is near the list's start, the list needs no window."""
        shape = self.shapes.get(name)
        params: dict[str, Any] = {}
        if shape is not None and "query" in shape.params.get("properties", {}) and place.get("query"):
            params["query"] = place["query"]
        if shape is not None and shape.has_window and ("reachBottom" not in shape.inputs or (place.get("index") or 0) >= WINDOW_START):
            params["window"] = {"margin": WINDOW_MARGIN}
        return await self.session.open(name, nagare.View, **params)

    async def open_window_at(self, screen: ListScreen, index: int, above: int = 0) -> None:
        name = screen.view.screen.name
        await self._open(name, {**screen.current_place(), "row": None, "item": None, "index": max(index, WINDOW_START), "above": above})
        self._close(screen)

    async def open_item(self, below: ListScreen, screen: str, id: Any) -> None:
        try:
            await self.show(await self.session.open(screen, nagare.View, id=id, list=below.view.view_name), below, is_asked=True)
        except nagare.ResponseError as error:
            self.show_error(error.message)

    def show_item(self, below: ListScreen) -> None:
        self.push(ItemScreen(below))

    def detail_of(self, below: ListScreen) -> dict[str, Any] | None:
        for screen in self.screens:
            if isinstance(screen, DetailScreen) and screen.list_screen is below:
                return {"id": screen.page.id, "screen": screen.view.screen.name}
            if isinstance(screen, ItemScreen) and screen.list_screen is below:
                return {"id": screen.display.item_id(screen.item())}
        return None

    def screen_commands(self) -> Iterator[Command]:
        for name, shape in self.shapes.items():
            if shape.is_openable:
                yield Command((), f"Go to {humanize(name)}", lambda name=name: self.go_to(name))  # type: ignore[misc]

    async def choose_screen(self) -> None:
        choices = [(humanize(name), "", name) for name, shape in self.shapes.items() if shape.is_openable]
        if (name := await self.answer(Choose("Screens", choices))) is not nagare.CANCELLED:
            await self.go_to(name)

    # The user's place

    def user_moved(self) -> None:
        """Schedules saving the user's place."""
        if self._saving is None:
            self._saving = self._loop.call_later(SAVE_DELAY, self.save)

    def save(self) -> None:
        """Saves the user's place."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        open = [screen for screen in self.screens if not isinstance(screen, ItemScreen)]
        for screen in open:
            if isinstance(screen, ListScreen) and not isinstance(screen, ChoiceScreen):
                self.places.places[screen.view.screen.name] = screen.current_place()
        if named := [screen.view.screen.name for screen in open if screen.view.screen.name in self.shapes]:
            self.places.screen = named[-1]
            self.places.save()

    # Private methods

    async def _run_sessions(self) -> None:
        """Runs one session after another, until the user quits."""
        while True:
            heading, message = "The server has ended", ""
            try:
                await self.session.__aenter__()
                self.shapes = shapes(await self.session.discover())
                openable = [name for name, shape in self.shapes.items() if shape.is_openable]
                if self.first_screen and self.first_screen not in openable:
                    heading, message = f"No screen “{self.first_screen}” can be opened", f"Available screens: {', '.join(openable)}"
                else:
                    before = self.places.screen if self.places.screen in openable else None
                    await self.go_to(self.first_screen or before or next(iter(openable), ""))
                    self.first_screen = None  # A new session begins at the saved place.
                    await self._no_screens()
                    await self.session.ping()  # Fails if the server has died.
                    heading = "The server has closed the screen"
            except nagare.ResponseError as error:
                heading, message = "That didn't work", str(error)
            except nagare.NagareError as error:
                message = str(error)
            except OSError as error:
                heading, message = "The server can't be started", f"{error.strerror}: {self.command[0]}\n\n{REMEDY}"
            except Exception as error:
                log_failure("the session", error)
                heading, message = "That didn't work", short_reason(error)
            self.save()
            await self.session.close()
            for screen in self.screens:
                if isinstance(screen, ListScreen):
                    screen.actions.server_gone()
            if await self.answer(Trouble(heading, message)) is not True:
                self.quit()
                return
            for layer in reversed(self.layers):
                # Dialogs of the old session are cancelled, because tasks wait for their answers.
                layer.cancel() if isinstance(layer, Question) else self.remove(layer)
            self.session = self._new_session()

    def _dispatch(self, event: Event) -> None:
        if not isinstance(event, Background):
            self._reopenings = 0
        super()._dispatch(event)

    async def _no_screens(self) -> None:
        """Waits until the server has closed all screens. Raises `ServerDied` if the server dies."""
        while self.screens:
            lowest = self.screens[0]
            await lowest.view.wait_closed()
            while lowest in self.layers:  # The screen is being reopened.
                self._removed.clear()
                await self._removed.wait()

    def remove(self, layer: Layer) -> None:
        super().remove(layer)
        self._removed.set()

    def _new_session(self) -> nagare.App:
        return nagare.spawn(self.command, present=dict.fromkeys(KINDS, self._present))

    def _present(self, task: nagare.Task) -> Awaitable[Any]:
        try:
            return self.answer(dialog(task))
        except Exception as error:
            self._report_fault(f"the task {task.kind}", error)
            raise nagare.ResponseError(nagare.ErrorCode.INVALID_PARAMS, f"this task can't be shown: {short_reason(error)}") from error
