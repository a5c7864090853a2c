"""The layers on the terminal, one above the other: screens and dialogs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import nagare

from .canvas import Canvas
from .cells import width, wrap
from .commands import Command
from .device import Device
from .guard import guarded, reason, report
from .keys import Event, Ground, Mouse, Paste
from .theme import theme
from .text import line

TOAST = 6.0
"""Seconds for which a message is shown."""


class Layer:
    """Something that the user is before, and whose keys are alive while it is on top."""

    app: Application
    covers = True
    """Whether nothing of what is below is seen."""

    def begin(self) -> None:
        """It is on top for the first time."""

    def end(self) -> None:
        """It is gone."""

    def commands(self) -> Iterator[Command]:
        """What can be done just now, in the order in which it is shown. Of several with one key the first one counts."""
        return iter(())

    def draw(self, canvas: Canvas) -> None:
        """Draws it."""

    def drawn(self) -> None:
        """Told when it has been drawn, and what is in sight is known."""

    def type(self, key: str) -> None:
        """A key that is no command's."""

    def paste(self, text: str) -> None:
        """A text that comes from elsewhere."""

    def click(self, mouse: Mouse) -> None:
        """The mouse, by the terminal's cells."""

    def press(self, key: str) -> None:
        """A key."""
        for command in self.commands():
            if key in command.keys:
                self.app.do(command.run)
                return
        self.type(key)


class Question(Layer):
    """A layer that ends with the user's answer, or with `CANCELLED`."""

    def __init__(self) -> None:
        self.answered: Callable[[Any], None] = lambda answer: None

    def turn_down(self) -> None:
        self.dismiss(nagare.CANCELLED)

    def dismiss(self, answer: Any) -> None:
        """Ends with an answer."""
        self.app.remove(self)
        self.answered(answer)


class Application(ABC):
    """The stack of layers on a terminal. The top one gets the keys. Commands run in the background, and messages are shown for a while."""

    def __init__(self, device: Device, look: Path | None) -> None:
        self.device = device
        self.layers: list[Layer] = []
        self.toasts: list[tuple[str, str]] = []
        """The messages that are shown, with their styles."""
        self._look, self._theme = look, theme(file=look)
        self._tasks: set[asyncio.Future[Any]] = set()
        self._drawing = False
        self._lent: asyncio.Future[None] | None = None
        """The running `lend`."""
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Future[None]

    @abstractmethod
    def leave(self) -> None:
        """Closes the layer on top, unless it is the only one."""

    @abstractmethod
    def moved(self) -> None:
        """Called when the user has gone elsewhere."""

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

    async def answer(self, question: Question) -> Any:
        """What the user answers. The question goes if nobody waits for the answer any more."""
        answered: asyncio.Future[Any] = self._loop.create_future()

        def receive(answer: Any) -> None:
            if not answered.done():
                answered.set_result(answer)

        question.answered = receive
        self.put(question)
        try:
            return await answered
        finally:
            self.remove(question)

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

    # Inside

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
