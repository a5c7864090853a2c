"""The screens of a server, one above the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import nagare

from .canvas import Canvas
from .cells import width, wrap
from .detail import DetailScreen, ItemScreen, page_of
from .device import Device
from .dialogs import KINDS, Choose, Dialog, Trouble, dialog
from .general import ChoiceScreen, GeneralScreen
from .guard import guarded, reason, report
from .keys import Event, Ground, Mouse, Paste
from .layer import Command, Layer
from .lists import ListScreen
from .place import Places
from .screen import ViewScreen
from .search import SearchScreen
from .shape import Shape, shapes, told_by
from .theme import theme
from .words import humane, line

REMEDY = "Name a program that is there: after `--`, or `nagare` itself by the environment's NAGARE."
TOAST = 6.0
"""Seconds for which a message is shown."""
MARGIN = 100
"""Rows of a long list that are held above and below those in sight."""
FAR = 1_000
"""Rows that are loaded one page after another. Those beyond are gone to without those before them."""
LAST = 3.0
"""Seconds that what was begun has at the end."""
SOON = 0.3
"""Seconds after which it is written down where the user is."""


class Terminal:
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
        self.command, self.first, self.device = list(command), first, device
        self.places = Places(state, command)
        self.layers: list[Layer] = []
        self.toasts: list[tuple[str, str]] = []
        """What is told for a while, and its style."""
        self.shapes: dict[str, Shape] = {}
        self._look, self._theme = look, theme(file=look)
        self._tasks: set[asyncio.Future[Any]] = set()
        self._drawing = False
        self._saving: asyncio.TimerHandle | None = None
        self._root: nagare.View | None = None
        self._lent: asyncio.Future[None] | None = None
        """The running `lend`."""

    def run(self) -> int:
        """Shows it until the user has had enough."""
        asyncio.run(self.main())
        return 0

    async def main(self) -> None:
        """The same within a loop."""
        self.session = self._new_session()
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()
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
                layer.turn_down() if isinstance(layer, Dialog) else layer.end()
            # What was to be done when it can't be undone any more is done now, and the server has the time for it.
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=LAST)
            await self.session.close()
            self.device.end()
        if living.done() and not living.cancelled() and (error := living.exception()) is not None:
            raise error

    # What the user does

    def hear(self, event: Event) -> None:
        """A key, the mouse, or what else the terminal tells."""
        if event == "ctrl+c":
            self.quit()
        try:
            self._hand_on(event)
        except Exception as error:
            self._fail(f"the key {event}", error)
            if event == "escape":
                self.leave()  # The user can always leave a broken screen.
            elif event == "q":
                self.quit()
        self.redraw()

    def _hand_on(self, event: Event) -> None:
        if isinstance(event, Ground):
            self._theme = theme("light" if event.is_light else "dark", self._look)
        elif self.layers:
            layer = self.layers[-1]
            if isinstance(event, Paste):
                layer.paste(event.text)
            elif isinstance(event, Mouse):
                layer.click(event)
            elif event != "ctrl+c":
                layer.press(event)

    def do(self, run: Callable[[], object]) -> None:
        """Does something now, and goes on with what it has to wait for. What fails is shown."""
        try:
            done = run()
        except Exception as error:
            self._complain_of(error)
            return
        if isinstance(done, Coroutine):
            task = asyncio.ensure_future(done)
            self._tasks.add(task)
            task.add_done_callback(self._done)
        self.redraw()

    async def lend(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        """Gives a program the terminal until it ends, or this program does. Nothing is drawn meanwhile."""
        self._lent = asyncio.ensure_future(self.device.run(command, given, wait))
        try:
            await self._lent
        except OSError as error:
            self.complain(f"{command if isinstance(command, str) else command[0]} can't be started: {error.strerror}")
        finally:
            self._lent = None
            self.redraw()

    def later(self, seconds: float, run: Callable[[], object]) -> None:
        """Does something after a while, if there still is anybody."""
        self._loop.call_later(seconds, run)

    def quit(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    # What is on the terminal

    @property
    def top(self) -> Layer | None:
        """What the user is before."""
        return self.layers[-1] if self.layers else None

    @property
    def screens(self) -> list[ViewScreen]:
        """The screens, the lowest first."""
        return [layer for layer in self.layers if isinstance(layer, ViewScreen)]

    def is_above(self, screen: ViewScreen) -> bool:
        """Whether there is a screen to go back to."""
        return self.screens[:1] != [screen]

    def put(self, layer: Layer) -> None:
        """Puts a screen or a dialog on top."""
        layer.app = self
        self.layers.append(layer)
        layer.begin()
        self.moved()
        self.redraw()

    def remove(self, layer: Layer) -> None:
        """Takes a screen or a dialog away."""
        if layer in self.layers:
            self.layers.remove(layer)
            layer.end()
        self.redraw()

    async def answer(self, asked: Dialog) -> Any:
        """What the user answers. The question goes if nobody waits for the answer any more."""
        answered: asyncio.Future[Any] = self._loop.create_future()

        def take(answer: Any) -> None:
            if not answered.done():
                answered.set_result(answer)

        asked.answered = take
        self.put(asked)
        try:
            return await answered
        finally:
            self.remove(asked)

    def notify(self, told: str, style: str = "toast") -> None:
        """Tells something for a while."""
        self.toasts.append((line(told), style))
        self._loop.call_later(TOAST, self._forget, self.toasts[-1])
        self.redraw()

    def complain(self, told: str) -> None:
        """Tells what went wrong."""
        self.notify(told, "toast error")

    def redraw(self) -> None:
        """Draws it anew, once, when all that is known has been heard."""
        if not self._drawing:
            self._drawing = True
            self._loop.call_soon(self.draw)

    def draw(self) -> None:
        """Draws it now."""
        self._drawing = False
        if self._lent is not None:
            return
        canvas = Canvas(*self.device.size)
        covering = max((number for number, layer in enumerate(self.layers) if layer.covers), default=0)
        shown = self.layers[covering:]
        if not shown:
            canvas.write(1, 0, "nagare · starting…", "dim")
        for number, layer in enumerate(shown):
            guarded("drawing", partial(layer.draw, canvas), partial(canvas.line, 0, style="error", x=1))
            if number + 1 < len(shown):
                canvas.cursor.clear()
        self._draw_toasts(canvas)
        self.device.show(canvas, self._theme)
        for layer in shown:
            guarded("telling what is in sight", layer.drawn, lambda why: None)

    # Ways

    def leave(self) -> None:
        """Closes the screen on top, unless it is the only one."""
        top = self.top
        if isinstance(top, ViewScreen) and self.is_above(top):
            self._close(top)
            self.moved()

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
        """Shows a list in part: at a row, of which so many are in sight above it."""
        name = screen.view.screen.name
        view = await self._open(name, {**screen.where(), "row": None, "item": None, "index": max(index, FAR), "above": above})
        if self._root is screen.view:
            self._root = view
        self._close(screen)

    async def open_item(self, below: ListScreen, screen: str, id: Any) -> None:
        """Opens an item that its list may not have loaded."""
        try:
            await self.show(await self.session.open(screen, nagare.View, id=id, list=below.view.view_name), below, is_asked=True)
        except nagare.ResponseError as error:
            self.complain(error.message)

    def detail_of(self, below: ListScreen) -> dict[str, Any] | None:
        """The item of a list that is open, and its screen."""
        for screen in self.screens:
            if isinstance(screen, DetailScreen) and screen.under is below:
                return {"id": screen.page.id, "screen": screen.view.screen.name}
            if isinstance(screen, ItemScreen) and screen.under is below:
                return {"id": screen.display.identity(screen.item())}
        return None

    def ways(self) -> Iterator[Command]:
        """The screens that there are, for the palette."""
        for name, shape in self.shapes.items():
            if shape.opens:
                yield Command((), f"Go to {humane(name)}", lambda name=name: self.go(name))  # type: ignore[misc]

    async def choose_screen(self) -> None:
        """Lets the user go to another screen."""
        choices = [(humane(name), "", name) for name, shape in self.shapes.items() if shape.opens]
        if (name := await self.answer(Choose("Screens", choices))) is not nagare.CANCELLED:
            await self.go(name)

    async def choose_command(
        self, commands: Iterator[Command], heading: str, made: Callable[[str], Iterator[Command]] = lambda text: iter(())
    ) -> None:
        """Lets the user do one of several things, or what `made` makes of what is typed."""
        named: dict[str, Command] = {}
        for one in commands:
            if one.name:
                named.setdefault(one.name, one)
        choices = [(name, one.key, one) for name, one in named.items()]
        choice = Choose(heading, choices, made=lambda text: ((one.name, "", one) for one in made(text)))
        if (chosen := await self.answer(choice)) is not nagare.CANCELLED:
            self.do(chosen.run)

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
                layer.turn_down() if isinstance(layer, Dialog) else self.remove(layer)
            self.session = self._new_session()

    def _close(self, screen: ViewScreen) -> None:
        self.remove(screen)
        if not any(other.view is screen.view for other in self.screens):
            self.do(lambda: self._close_view(screen.view))

    async def _close_view(self, view: nagare.View) -> None:
        with suppress(nagare.NagareError):  # It is closed with the server, too.
            await view.close()

    def _new_session(self) -> nagare.App:
        return nagare.spawn(self.command, present=dict.fromkeys(KINDS, self._present))

    def _present(self, task: nagare.Task) -> Awaitable[Any]:
        try:
            return self.answer(dialog(task))
        except Exception as error:
            self._fail(f"the task {task.kind}", error)
            raise nagare.ResponseError(nagare.ErrorCode.INVALID_PARAMS, f"this task can't be shown: {reason(error)}") from error

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            self.redraw()
        else:
            self._complain_of(error)

    def _complain_of(self, error: BaseException) -> None:
        """Shows why a command failed. An error that doesn't come from the server is a fault of this program, and is logged."""
        if isinstance(error, nagare.NagareError):
            self.complain(str(error))
        else:
            self._fail("a command", error)

    def _fail(self, what: str, error: BaseException | None) -> None:
        """Logs a fault of this program and shows it. The program goes on."""
        if error is not None:
            report(what, error)
            self.complain(f"That didn't work: {reason(error)}")

    def _forget(self, toast: tuple[str, str]) -> None:
        self.toasts = [other for other in self.toasts if other is not toast]
        self.redraw()

    def _draw_toasts(self, canvas: Canvas) -> None:
        """The newest messages, at the right above the last lines."""
        y = canvas.height - 3
        for told, style in reversed(self.toasts[-3:]):
            lines = wrap(told, max(10, min(60, canvas.width - 6)))[:4]
            wide = max(map(width, lines)) + 2
            for number, text in enumerate(lines):
                at = y - len(lines) + 1 + number
                canvas.write(canvas.width - wide - 1, at, f" {text}".ljust(wide - (width(text) - len(text))), style)
            y -= len(lines)
