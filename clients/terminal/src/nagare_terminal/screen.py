"""What every screen has: a title, what the view shows, a line that tells how it fares, and the keys."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import nagare

from . import external
from .application import Application, Layer
from .canvas import Canvas
from .cells import cut, width
from .commands import Command, command, footer
from .dialogs import Choose
from .display import Display
from .form import Form
from .guard import guarded, reason
from .keys import Mouse
from .shape import Shape
from .text import amount, humane, line, number

BAR = 12
"""Signs of a bar that shows how far something has come."""
LOW = 8
"""Lines from which on a screen has a heading and names its keys."""
QUIET = "navigate", "dismiss", "closed", "scrollToTop", "scrollTo"
"""Events that are more than a message."""
PASSING = "insert", "change", "remove", "changed"
"""What has failed by these is told once: nothing is missing because of it that could be loaded again."""


class Navigator(Application):
    """What screens need of the app: the ways to other screens."""

    @property
    def screens(self) -> list[ViewScreen]:
        """The screens, the lowest first."""
        return [layer for layer in self.layers if isinstance(layer, ViewScreen)]

    def is_above(self, screen: ViewScreen) -> bool:
        """Whether there is a screen to go back to."""
        return self.screens[:1] != [screen]

    def leave(self) -> None:
        """Closes the screen on top, unless it is the only one."""
        top = self.top
        if isinstance(top, ViewScreen) and self.is_above(top):
            self._close(top)
            self.moved()

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

    def _close(self, screen: ViewScreen) -> None:
        self.remove(screen)
        if not any(other.view is screen.view for other in self.screens):
            self.do(lambda: self._close_view(screen.view))

    async def _close_view(self, view: nagare.View) -> None:
        with suppress(nagare.NagareError):  # It is closed with the server, too.
            await view.close()

    @abstractmethod
    async def show(self, view: nagare.View, below: ViewScreen | None = None) -> ViewScreen:
        """Puts a view on top, as the screen that its shape asks for. `below` is the screen that opened it."""

    @abstractmethod
    def ways(self) -> Iterator[Command]:
        """The screens that there are, for the palette."""

    @abstractmethod
    async def choose_screen(self) -> None:
        """Lets the user go to another screen."""


class ViewScreen(Layer):
    """A view on the terminal. It is drawn again whenever an output of the view changes."""

    app: Navigator
    spoken: frozenset[str] = frozenset()
    """The inputs that such a screen tells by itself."""

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        self.view, self.shape, self.display = view, shape, Display(shape.display, shape.id)
        self._offs: list[Callable[[], None]] = []
        self._keys: list[tuple[int, Command]] = []
        self._keys_top = -1

    @property
    def name(self) -> str:
        """What people call it."""
        return humane(self.view.screen.name)

    # What each kind of screen has of its own

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        """Draws what is between the heading and the status line."""

    def heading(self) -> str:
        """What the first line says besides the name."""
        return ""

    def position(self) -> str:
        """Where the user is, for the status line."""
        return ""

    def done(self) -> str:
        """What was done last, and how it is undone."""
        return ""

    def heard(self, output: str, value: Any) -> None:
        """Called when an output has said something."""

    def item(self) -> Any:
        """What the user is on; None if there is nothing."""

    def body_clicked(self, mouse: Mouse) -> None:
        """The mouse between heading and status line, by the first of its cells."""

    def menu(self) -> Iterator[Command]:
        """What can be done with what the user is on."""
        if self.item() is not None:
            yield from external.commands(self.app, self.display, self.item)

    # What they have in common

    def begin(self) -> None:
        for output in dict.fromkeys([*self.view.screen.outputs, *self.shape.events]):
            self._offs.append(self.view.on(output, partial(self._hear, output)))
        if (told := self.shape.begins()) is not None:
            self.tell(told)

    def end(self) -> None:
        for off in self._offs:
            off()

    def commands(self) -> Iterator[Command]:
        if self.app.is_above(self):
            yield command("escape", "Back", self.app.leave)
        if self.has("refresh"):
            yield command("r", "Refresh", lambda: self.tell("refresh"))
        if self.has("retry") and self.error is not None and self.error.get("trigger") not in PASSING:
            yield command("t", "Try again", lambda: self.tell("retry"))
        yield command("s", "Screens", self.app.choose_screen)
        yield command("?", "Keys", lambda: self.app.choose_command(self.commands(), "Keys"))
        yield command("q", "Quit", self.app.quit)
        yield command(": ctrl+k", "", lambda: self.app.choose_command(self.everything(), "Commands", self.typed))
        if any(self.menu()):
            yield command("m", "", lambda: self.app.choose_command(self.menu(), "With this"))
        yield from self.menu()

    def everything(self) -> Iterator[Command]:
        """What the palette offers."""
        yield from self.commands()
        for name in self.shape.inputs:
            if name in self.spoken:
                continue
            yield Command((), humane(name), lambda name=name: self.run_input(name))  # type: ignore[misc]
        yield from self.app.ways()

    def typed(self, text: str) -> Iterator[Command]:
        """What the palette makes of what is typed there."""
        return iter(())

    def has(self, input: str) -> bool:
        return input in self.shape.inputs

    def draw(self, canvas: Canvas) -> None:
        low = canvas.height < LOW
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

    def tell(self, input: str, **params: Any) -> None:
        """Tells the view something, in the order in which it is told, and shows what is wrong with it."""
        self.app.do(lambda: self.ask(input, **params))

    async def ask(self, input: str, **params: Any) -> nagare.View | nagare.NagareError | None:
        """Tells the view something: the view that was opened, if one was, or what went wrong."""
        told = await self.attempt(input, params)
        # Of a view that is closed there is nothing to say, and of a server that has died the app hears, too.
        if isinstance(told, nagare.ResponseError):
            self.app.complain(str(told))
        return told

    async def attempt(self, input: str, params: Mapping[str, Any]) -> nagare.View | nagare.NagareError | None:
        """The same without showing what is wrong."""
        try:
            return await self.view.open(input, **params)
        except nagare.NagareError as error:
            return error
        except (ValueError, RecursionError) as error:
            # No JSON can hold it, such as a NaN.
            return nagare.InvalidParams(nagare.ErrorCode.INVALID_PARAMS, f"that can't be sent: {reason(error)}")

    async def run_input(self, input: str, given: Mapping[str, Any] | None = None) -> None:
        """Does what an input is for: at once, or when a form has asked for what it needs."""
        schema = self.shape.inputs[input]
        if schema.get("properties"):
            self.ask_by_form(input, schema, given or {})
            return
        told = await self.attempt(input, {})
        if isinstance(told, nagare.InvalidParams) and told.param:
            # Discovery doesn't say what it takes: the server does, one parameter after the other.
            param = told.param.removeprefix("params.")
            self.ask_by_form(input, {"properties": {param: {}}, "required": [param]}, given or {})
        elif isinstance(told, nagare.ResponseError):
            self.app.complain(str(told))

    def ask_by_form(self, input: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """Asks for what an input needs, and tells it."""

        async def submit(values: dict[str, Any]) -> nagare.NagareError | None:
            told = await self.attempt(input, values)
            return told if isinstance(told, nagare.NagareError) else None

        self.app.put(Form(humane(input), schema, submit, given, self.shape.about.get(input, "")))

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The failure that stands."""
        error = self.view["error"] if "error" in self.view else None
        return error if isinstance(error, Mapping) else None

    def failure(self) -> str:
        """The failure that stands, and the remedy, or nothing."""
        remedy = "\n\nt tries again" if self.has("retry") else "\n\nr tries again" if self.has("refresh") else ""
        return f"{line(self.error.get('message'))}{remedy}" if self.error is not None else ""

    @property
    def load(self) -> Mapping[str, Any]:
        """How far the newest load has come, where the view says it."""
        state = self.view["state"] if "state" in self.view else {}
        return state if isinstance(state, Mapping) else {}

    @property
    def loading_now(self) -> bool:
        """Whether something is on its way."""
        return "loading" in self.view and bool(self.view["loading"])

    def progress(self) -> str:
        """What is on its way, and how far it has come."""
        told = self.load.get("progress")
        done, of, unit = (told.get(name) for name in ("done", "of", "unit")) if isinstance(told, Mapping) else (None, None, None)
        if (done := number(done)) is None:
            return "loading…" if self.loading_now else ""
        unit = unit if isinstance(unit, str) else None
        if not (of := number(of)):
            return f"loading… {amount(done, unit)}"
        filled = round(BAR * max(0, min(1, float(done) / float(of))))
        return f"loading {'━' * filled}{'╌' * (BAR - filled)} {amount(done, unit)} of {amount(of, unit)}"

    def status(self) -> str:
        """Where the user is, and what goes on."""
        return " · ".join(part for part in (self.name, self.position(), self.progress(), self.done()) if part)

    def _draw_status(self, canvas: Canvas, y: int) -> None:
        error = self.error if self.error is not None and self.error.get("trigger") not in PASSING else None
        told = f"✗ {line(error.get('message'))}" if error is not None else ""
        canvas.line(y, self.status(), "status", 1)
        if told:
            start = min(width(self.status()) + 3, max(1, canvas.width - max(20, canvas.width // 2)))
            canvas.write(start - 1, y, " ", "status")
            canvas.write(start, y, cut(told, canvas.width - start - 1), "status error")

    def _hear(self, output: str, value: Any) -> None:
        self.heard(output, value)
        if output == "navigate" and isinstance(value, nagare.View):
            self.app.do(lambda: self.app.show(value, self))
        elif output == "dismiss" and output not in self.view and self.app.top is self:
            self.app.leave()
        elif output in self.shape.events and output not in QUIET:
            self.app.notify(": ".join(part for part in (humane(output), line(value)) if part))
        self.app.redraw()

