"""Layers on the terminal, one above the other: screens and dialogs."""

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
from .guard import guarded, log_failure, short_reason
from .keys import Background, Event, Mouse, Paste
from .text import line
from .theme import theme

TOAST = 6.0
"""Seconds during which a message is visible."""


class Layer:
    """A screen or a dialog. The layer on top gets the keys."""

    app: Application
    is_opaque = True
    """Whether the layer hides the layers below."""

    def begin(self) -> None:
        """Called when the layer is on top for the first time."""

    def end(self) -> None:
        """Called when the layer was removed."""

    def commands(self) -> Iterator[Command]:
        """The commands that are possible now, in display order. If several have the same key, the first one gets it."""
        return iter(())

    def draw(self, canvas: Canvas) -> None:
        """Draws the layer."""

    def drawn(self) -> None:
        """Called after drawing, when the rows in sight are known."""

    def type(self, key: str) -> None:
        """Handles a key that no command has."""

    def paste(self, text: str) -> None:
        """Handles pasted text."""

    def click(self, mouse: Mouse) -> None:
        """Handles the mouse, in the terminal's coordinates."""

    def press(self, key: str) -> None:
        """Handles a key."""
        for command in self.commands():
            if key in command.keys:
                self.app.do(command.run)
                return
        self.type(key)


class Question(Layer):
    """A layer that ends with the user's answer, or with `CANCELLED`."""

    def __init__(self) -> None:
        self.on_answer: Callable[[Any], None] = lambda answer: None

    def cancel(self) -> None:
        self.dismiss(nagare.CANCELLED)

    def dismiss(self, answer: Any) -> None:
        """Removes the question and passes on the answer."""
        self.app.remove(self)
        self.on_answer(answer)


class Application(ABC):
    """The stack of layers on a terminal. The top layer gets the keys. Commands run in the background, and messages
    disappear after some seconds."""

    def __init__(self, device: Device, theme_file: Path | None) -> None:
        self.device = device
        self.layers: list[Layer] = []
        self.toasts: list[tuple[str, str]] = []
        """The visible messages, with their styles."""
        self._theme_file, self._theme = theme_file, theme(file=theme_file)
        self._tasks: set[asyncio.Future[Any]] = set()
        self._drawing = False
        self._lending: asyncio.Future[None] | None = None
        """The running `lend_terminal`."""
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Future[None]

    @abstractmethod
    def leave(self) -> None:
        """Closes the layer on top, unless it is the only one."""

    @abstractmethod
    def report_shown(self) -> None:
        """Called before drawing, because other screens may be visible than before."""

    @abstractmethod
    def user_moved(self) -> None:
        """Called when the user went to another screen or row."""

    # Input

    def handle(self, event: Event) -> None:
        """Handles a key, the mouse, or another event of the terminal."""
        if event == "ctrl+z":
            self.device.suspend()
            return
        if event == "ctrl+c":
            self.quit()
        try:
            self._dispatch(event)
        except Exception as error:
            self._report_fault(f"the key {event}", error)
            if event == "escape":
                self.leave()  # The user can always leave a broken screen.
            elif event == "q":
                self.quit()
        self.redraw()

    def _dispatch(self, event: Event) -> None:
        if isinstance(event, Background):
            self._theme = theme("light" if event.is_light else "dark", self._theme_file)
        elif self.layers:
            layer = self.layers[-1]
            if isinstance(event, Paste):
                layer.paste(event.text)
            elif isinstance(event, Mouse):
                layer.click(event)
            elif event != "ctrl+c":
                layer.press(event)

    def do(self, run: Callable[[], object]) -> None:
        """Runs a command, in the background if it is a coroutine. Shows its errors."""
        try:
            done = run()
        except Exception as error:
            self._show_failure(error)
            return
        if isinstance(done, Coroutine):
            task = asyncio.ensure_future(done)
            self._tasks.add(task)
            task.add_done_callback(self._done)
        self.redraw()

    async def lend_terminal(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        """Gives a program the terminal until it ends. Nothing is drawn in the meantime."""
        self._lending = asyncio.ensure_future(self.device.run(command, given, wait))
        try:
            await self._lending
        except OSError as error:
            self.show_error(f"{command if isinstance(command, str) else command[0]} can't be started: {error.strerror}")
        finally:
            self._lending = None
            self.redraw()

    def call_later(self, seconds: float, run: Callable[[], object]) -> None:
        """Calls a function later."""
        self._loop.call_later(seconds, run)

    def quit(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    # Layers

    @property
    def top(self) -> Layer | None:
        """The layer on top."""
        return self.layers[-1] if self.layers else None

    def push(self, layer: Layer) -> None:
        """Adds a layer on top."""
        layer.app = self
        self.layers.append(layer)
        layer.begin()
        self.user_moved()
        self.redraw()

    def remove(self, layer: Layer) -> None:
        """Removes a layer."""
        if layer in self.layers:
            self.layers.remove(layer)
            layer.end()
        self.redraw()

    async def answer(self, question: Question) -> Any:
        """Asks a question and returns the answer. If the caller is cancelled, the question disappears."""
        answer_future: asyncio.Future[Any] = self._loop.create_future()

        def receive(answer: Any) -> None:
            if not answer_future.done():
                answer_future.set_result(answer)

        question.on_answer = receive
        self.push(question)
        try:
            return await answer_future
        finally:
            self.remove(question)

    def show_message(self, message: str, style: str = "toast") -> None:
        """Shows a message for some seconds."""
        self.toasts.append((line(message), style))
        self._loop.call_later(TOAST, self._remove_toast, self.toasts[-1])
        self.redraw()

    def show_error(self, message: str) -> None:
        """Shows an error for some seconds."""
        self.show_message(message, "toast error")

    def redraw(self) -> None:
        """Schedules one drawing, after all pending events."""
        if not self._drawing:
            self._drawing = True
            self._loop.call_soon(self.draw)

    def draw(self) -> None:
        """Draws all visible layers."""
        self._drawing = False
        if self._lending is not None:
            return
        guarded("telling what is shown", self.report_shown, lambda why: None)
        canvas = Canvas(*self.device.size)
        lowest = max((number for number, layer in enumerate(self.layers) if layer.is_opaque), default=0)
        shown = self.layers[lowest:]
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

    # Private methods

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            self.redraw()
        else:
            self._show_failure(error)

    def _show_failure(self, error: BaseException) -> None:
        """Shows the reason for a failed command. An error that doesn't come from the server is a fault of this program,
        and is logged, too."""
        if isinstance(error, nagare.NagareError):
            self.show_error(str(error))
        else:
            self._report_fault("a command", error)

    def _report_fault(self, what: str, error: BaseException | None) -> None:
        """Logs a fault of this program and shows it. The program goes on."""
        if error is not None:
            log_failure(what, error)
            self.show_error(f"That didn't work: {short_reason(error)}")

    def _remove_toast(self, toast: tuple[str, str]) -> None:
        self.toasts = [other for other in self.toasts if other is not toast]
        self.redraw()

    def _draw_toasts(self, canvas: Canvas) -> None:
        """Draws the newest messages at the bottom right."""
        y = canvas.height - 3
        for message, style in reversed(self.toasts[-3:]):
            lines = wrap(message, max(10, min(60, canvas.width - 6)))[:4]
            wide = max(map(width, lines)) + 2
            for number, text in enumerate(lines):
                at = y - len(lines) + 1 + number
                canvas.write(canvas.width - wide - 1, at, f" {text}".ljust(wide - (width(text) - len(text))), style)
            y -= len(lines)
