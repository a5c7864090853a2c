"""The base of all screens: a heading, a body, a status line and a line of keys."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import nagare

from . import external
from .application import Application, Layer
from .canvas import Canvas
from .cells import cut, width
from .commands import Command, command, footer
from .device import Device
from .dialogs import Choose
from .display import Display
from .form import Form
from .guard import guarded, short_reason
from .keys import Mouse
from .shape import SHOWN_INPUTS, Shape
from .text import amount, humanize, line, number

PROGRESS_BAR_LENGTH = 12
"""The length of a progress bar."""
MIN_DONE_LENGTH = 16
"""The minimum number of cells that the status line reserves for the action that can be undone. Other parts are omitted first."""
MIN_FULL_HEIGHT = 8
"""The minimum lines for a heading and keys."""
SILENT_EVENTS = "navigate", "dismiss", "closed", "scrollToTop", "scrollTo"
"""Events that aren't shown as messages."""
EDIT_INPUTS = "insert", "change", "remove", "changed"
"""The inputs whose failures are shown once, because no load has to be repeated."""


class Navigator(Application):
    """The methods of the app that screens need to open other screens. It notifies views when they appear and disappear."""

    def __init__(self, device: Device, theme_file: Path | None) -> None:
        super().__init__(device, theme_file)
        self._shown: list[ViewScreen] = []
        """The screens whose views have received `appear`, and no `disappear` since."""
        self._is_ending = False
        """Whether the user has quit, so that nothing is shown any more."""

    @property
    def screens(self) -> list[ViewScreen]:
        """The open screens, the lowest first."""
        return [layer for layer in self.layers if isinstance(layer, ViewScreen)]

    def is_above(self, screen: ViewScreen) -> bool:
        """Whether another screen is below this one."""
        return self.screens[:1] != [screen]

    def leave(self) -> None:
        """Closes the screen on top, unless it is the only one."""
        top = self.top
        if isinstance(top, ViewScreen) and self.is_above(top):
            self._close(top)
            self.user_moved()

    def report_shown(self) -> None:
        screens = self.screens
        shown = screens[-1].shown_screens() if screens and not self._is_ending else []
        for screen in [one for one in self._shown if one not in shown]:
            self._hide(screen)
        for screen in shown:
            if screen not in self._shown:
                self._shown.append(screen)
                screen.report("appear")

    def remove(self, layer: Layer) -> None:
        super().remove(layer)
        # Sends `disappear` before the view is closed.
        if isinstance(layer, ViewScreen):
            self._hide(layer)

    def _hide(self, screen: ViewScreen) -> None:
        if screen in self._shown:
            self._shown.remove(screen)
            screen.report("disappear")

    async def choose_command(
        self, commands: Iterator[Command], heading: str, made: Callable[[str], Iterator[Command]] = lambda text: iter(())
    ) -> None:
        """Lets the user choose a command. `made` returns additional commands for the typed text."""
        named: dict[str, Command] = {}
        for one in commands:
            if one.name:
                named.setdefault(one.name, one)
        choices = [(name, one.key, one) for name, one in named.items()]
        choice = Choose(heading, choices, made=lambda text: ((one.name, "", one) for one in made(text)))
        if (chosen := await self.answer(choice)) is not nagare.CANCELLED:
            self.do(chosen.run)

    def _close(self, screen: ViewScreen) -> None:
        self.remove(screen)
        if not any(other.view is screen.view for other in self.screens):
            self.do(lambda: self._close_view(screen.view))

    async def _close_view(self, view: nagare.View) -> None:
        with suppress(nagare.NagareError):  # If the server has died, its views are closed, too.
            await view.close()

    @abstractmethod
    async def show(self, view: nagare.View, below: ViewScreen | None = None) -> ViewScreen:
        """Opens a view, as the kind of screen for its shape. `below` is the screen that opened it."""

    @abstractmethod
    async def view_closed(self, screen: ViewScreen) -> None:
        """Called when the server has closed the view of a screen."""

    @abstractmethod
    def screen_commands(self) -> Iterator[Command]:
        """The commands that open a screen, for the palette."""

    @abstractmethod
    async def choose_screen(self) -> None:
        """Lets the user go to another screen."""


class ViewScreen(Layer):
    """A view on the terminal. It is redrawn whenever an output of the view changes."""

    app: Navigator
    own_inputs = SHOWN_INPUTS | {"viewWillAppear"}
    """The inputs that this kind of screen sends automatically."""

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        self.view, self.shape, self.display = view, shape, Display(shape.display, shape.id)
        self.opener: ViewScreen | None = None
        """The screen that opened this one; None if the user opened it."""
        self._offs: list[Callable[[], None]] = []
        self._keys: list[tuple[int, Command]] = []
        self._keys_top = -1

    @property
    def name(self) -> str:
        """The display name."""
        return humanize(self.view.screen.name)

    # Methods that subclasses override

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        """Draws the area between the heading and the status line."""

    def heading(self) -> str:
        """Returns the rest of the heading, after the name."""
        return ""

    def position(self) -> str:
        """Returns the user's position, for the status line."""
        return ""

    def undo_hint(self) -> tuple[str, str]:
        """Returns the newest action that can be undone, and its key. Both may be empty."""
        return "", ""

    def on_output(self, output: str, value: Any) -> None:
        """Called when an output has a new value or sends an event."""

    def item(self) -> Any:
        """Returns the current item; None if there is none."""

    def body_clicked(self, mouse: Mouse) -> None:
        """Handles the mouse in the body, in its coordinates."""

    def menu(self) -> Iterator[Command]:
        """The commands for the current item."""
        if self.item() is not None:
            yield from external.commands(self.app, self.display, self.item)

    # Methods of all screens

    def begin(self) -> None:
        for output in dict.fromkeys([*self.view.screen.outputs, *self.shape.events]):
            self._offs.append(self.view.on(output, partial(self._on_output, output)))
        self._offs.append(self.view.on("closed", lambda value: self.app.do(lambda: self.app.view_closed(self))))
        if self.view.closed:  # The server closed the view while the screen was created.
            self.app.do(lambda: self.app.view_closed(self))
        input = self.shape.first_input
        if input is not None and input not in SHOWN_INPUTS:
            self.send(input)

    def end(self) -> None:
        for off in self._offs:
            off()

    def shown_screens(self) -> Sequence[ViewScreen]:
        """The screens whose views are visible while this screen is on top."""
        return [self]

    def report(self, input: str) -> None:
        """Sends `appear` or `disappear`, if the view has that input."""
        if self.shape.takes_nothing(input) and not self.view.closed:
            self.send(input)

    def commands(self) -> Iterator[Command]:
        if self.app.is_above(self):
            yield command("escape", "Back", self.app.leave)
        if self.has_input("refresh"):
            yield command("r", "Refresh", lambda: self.send("refresh"))
        if self.shape.takes_nothing("retry") and self.error is not None and self.error.get("trigger") not in EDIT_INPUTS:
            yield command("t", "Try again", lambda: self.send("retry"))
        yield command("s", "Screens", self.app.choose_screen)
        yield command("?", "Keys", lambda: self.app.choose_command(self.commands(), "Keys"))
        yield command("q", "Quit", self.app.quit)
        yield command(": ctrl+k", "", lambda: self.app.choose_command(self.palette(), "Commands", self.palette_for))
        if any(self.menu()):
            yield command("m", "", lambda: self.app.choose_command(self.menu(), "With this"))
        yield from self.menu()

    def palette(self) -> Iterator[Command]:
        """The commands in the palette."""
        yield from self.commands()
        for name in self.shape.inputs:
            if name in self.own_inputs:
                continue
            yield Command((), humanize(name), lambda name=name: self.run_input(name))  # type: ignore[misc]
        yield from self.app.screen_commands()

    def palette_for(self, text: str) -> Iterator[Command]:
        """The palette's commands for the typed text."""
        return iter(())

    def has_input(self, input: str) -> bool:
        return input in self.shape.inputs

    def draw(self, canvas: Canvas) -> None:
        low = canvas.height < MIN_FULL_HEIGHT
        top, rows = (0, canvas.height - 1) if low else (1, canvas.height - 3)
        if not low:
            canvas.line(0, guarded("the heading", lambda: f"{self.name}{self.heading()}", str), "heading", 1)
        self.body_top = top
        body = canvas.part(0, top, canvas.width, rows)
        guarded("the screen", lambda: self.draw_body(body, active=True), lambda why: body.line(0, why, "error", 1))
        guarded("the status", lambda: self._draw_status(canvas, top + rows), lambda why: canvas.line(top + rows, why, "status error", 1))
        self._keys_top = canvas.height - 1
        self._keys = [] if low else guarded("the keys", lambda: footer(canvas, self._keys_top, self.commands()), lambda why: [])

    def click(self, mouse: Mouse) -> None:
        if mouse.y == self._keys_top and self._keys:
            if found := next((one for end, one in self._keys if mouse.x <= end), None):
                self.app.do(found.run)
        elif mouse.y >= self.body_top:
            self.body_clicked(Mouse(mouse.button, mouse.x, mouse.y - self.body_top))

    def send(self, input: str, **params: Any) -> None:
        """Sends an input. Inputs are sent in order, and errors are shown."""
        self.app.do(lambda: self.call(input, **params))

    async def call(self, input: str, **params: Any) -> nagare.View | nagare.NagareError | None:
        """Sends an input. Returns the view that it opened, or the error, which is also shown."""
        result = await self.try_call(input, params)
        # A closed view isn't an error, and the app notices the server's death elsewhere.
        if isinstance(result, nagare.ResponseError) and not isinstance(result, nagare.NoSuchView):
            self.app.show_error(str(result))
        return result

    async def try_call(self, input: str, params: Mapping[str, Any]) -> nagare.View | nagare.NagareError | None:
        """Sends an input like `call`, but without showing errors."""
        try:
            return await self.view.open(input, **params)
        except nagare.NagareError as error:
            return error
        except (ValueError, RecursionError) as error:
            # JSON can't represent the value, such as NaN.
            return nagare.InvalidParams(nagare.ErrorCode.INVALID_PARAMS, f"that can't be sent: {short_reason(error)}")

    async def run_input(self, input: str, given: Mapping[str, Any] | None = None) -> None:
        """Sends an input. If the input has parameters, a form asks for them first."""
        schema = self.shape.inputs[input]
        if schema.get("properties"):
            self.ask_by_form(input, schema, given or {})
            return
        result = await self.try_call(input, {})
        if isinstance(result, nagare.InvalidParams) and result.param:
            # Discovery doesn't list the parameters, but the server's errors name one after another.
            param = result.param.removeprefix("params.")
            self.ask_by_form(input, {"properties": {param: {}}, "required": [param]}, given or {})
        elif isinstance(result, nagare.ResponseError):
            self.app.show_error(str(result))

    def ask_by_form(self, input: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """Opens a form for an input's parameters."""

        async def submit(values: dict[str, Any]) -> nagare.NagareError | None:
            result = await self.try_call(input, values)
            return result if isinstance(result, nagare.NagareError) else None

        self.app.push(Form(humanize(input), schema, submit, given, self.shape.summaries.get(input, "")))

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The current failure."""
        error = self.view["error"] if "error" in self.view else None
        return error if isinstance(error, Mapping) else None

    def failure_text(self) -> str:
        """Returns the current failure and its remedy. Returns an empty text if there is no failure."""
        remedy = "\n\nt tries again" if self.shape.takes_nothing("retry") else "\n\nr tries again" if self.has_input("refresh") else ""
        return f"{line(self.error.get('message'))}{remedy}" if self.error is not None else ""

    @property
    def load_state(self) -> Mapping[str, Any]:
        """The state of the newest load, if the view has one."""
        state = self.view["state"] if "state" in self.view else {}
        return state if isinstance(state, Mapping) else {}

    @property
    def is_loading(self) -> bool:
        """Whether the list is loading."""
        return "loading" in self.view and bool(self.view["loading"])

    def progress(self) -> str:
        """Returns the load's progress as text."""
        progress = self.load_state.get("progress")
        done, of, unit = (progress.get(name) for name in ("done", "of", "unit")) if isinstance(progress, Mapping) else (None, None, None)
        if (done := number(done)) is None:
            return "loading…" if self.is_loading else ""
        unit = unit if isinstance(unit, str) else None
        if not (of := number(of)):
            return f"loading… {amount(done, unit)}"
        filled = round(PROGRESS_BAR_LENGTH * max(0, min(1, float(done) / float(of))))
        return f"loading {'━' * filled}{'╌' * (PROGRESS_BAR_LENGTH - filled)} {amount(done, unit)} of {amount(of, unit)}"

    def status(self, cells: int) -> str:
        """Returns the status line for a width. The key for undo stays visible even if there is little room."""
        position, progress, (done, key) = self.position(), self.progress(), self.undo_hint()
        if not key:
            return joined(self.name, position, progress)
        needed = min(MIN_DONE_LENGTH, width(done)) + width(joined("", key)) + 6
        before = next((text for text in (joined(self.name, position, progress), position) if width(text) + needed <= cells), "")
        room = cells - width(joined(before, key)) - 3
        return joined(before, cut(done, room) if room > 0 else "", key)

    def _draw_status(self, canvas: Canvas, y: int) -> None:
        error = self.error if self.error is not None and self.error.get("trigger") not in EDIT_INPUTS else None
        failure = f"✗ {line(error.get('message'))}" if error is not None else ""
        room = min(width(failure) + 2, max(20, canvas.width // 2)) if failure else 0
        status = self.status(canvas.width - 2 - room)
        canvas.line(y, status, "status", 1)
        if failure:
            start = min(width(status) + 3, max(1, canvas.width - max(20, canvas.width // 2)))
            canvas.write(start - 1, y, " ", "status")
            canvas.write(start, y, cut(failure, canvas.width - start - 1), "status error")

    def _on_output(self, output: str, value: Any) -> None:
        self.on_output(output, value)
        if output == "navigate" and isinstance(value, nagare.View):
            self.app.do(lambda: self.app.show(value, self))
        elif output == "dismiss" and output not in self.view and self.app.top is self:
            self.app.leave()
        elif output in self.shape.events and output not in SILENT_EVENTS:
            self.app.show_message(": ".join(part for part in (humanize(output), line(value)) if part))
        self.app.redraw()


def joined(*parts: str) -> str:
    """Joins the parts of a line that aren't empty."""
    return " · ".join(part for part in parts if part)
