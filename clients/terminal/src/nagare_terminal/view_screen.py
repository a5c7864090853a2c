"""What every screen has: a title, what the view shows, and a line that tells how it fares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import nagare
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Static

from .words import amount, humane, line

BAR = 12
"""Signs of a bar that shows how far something has come."""


PASSING = "insert", "change", "remove", "changed"
"""What has failed by these is told once: nothing is missing because of it that could be loaded again."""


class ViewScreen(Screen[None]):
    """A view on the terminal. It is drawn anew whenever the view says something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.leave", "Back"),
        Binding("r", "tell('refresh')", "Refresh"),
        Binding("t", "tell('retry')", "Try again"),
        Binding("slash", "no_search", show=False),
        Binding("s", "app.choose_screen", "Screens"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, view: nagare.View) -> None:
        super().__init__()
        self.view = view
        self._failed = False
        self._offs: list[Callable[[], None]] = []

    def compose(self) -> ComposeResult:
        yield Static(humane(self.view.screen.name), id="heading", markup=False)
        yield from self.body()
        yield Static(id="status", markup=False)
        yield Footer(show_command_palette=False)

    def body(self) -> list[Widget]:
        """What is between the heading and the status line."""
        raise NotImplementedError

    def draw(self) -> None:
        """Shows what is current."""
        raise NotImplementedError

    def position(self) -> str:
        """Where the user is, for the status line."""
        return ""

    def done(self) -> str:
        """What was done last, and how it is undone."""
        return ""

    def on_mount(self) -> None:
        for output in self.view.screen.outputs:
            self._offs.append(self.view.on(output, partial(self._hear, output)))
        self.begin()
        self._draw()

    def on_unmount(self) -> None:
        for off in self._offs:
            off()

    def begin(self) -> None:
        """Tells the view that it is in sight."""

    def heard(self, output: str) -> None:
        """Called when an output has said something."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action != "tell":
            return True
        failed = parameters[0] != "retry" or (self.error is not None and self.error["trigger"] not in PASSING)
        return parameters[0] in self.view.screen.inputs and failed

    def action_tell(self, input: str) -> None:
        self.tell(input)

    def action_no_search(self) -> None:
        self.notify("This screen can't be searched")

    def tell(self, input: str, **params: Any) -> None:
        """Tells the view something, in the order in which it is told, and shows what is wrong with it."""
        self._tell(input, params)

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The failure that stands."""
        return self.view["error"] if "error" in self.view else None

    def failure(self) -> str:
        """The failure that stands, and the remedy, or nothing."""
        key = "t" if "retry" in self.view.screen.inputs else "r"
        return f"{line(self.error.get('message'))}\n\n{key} tries again" if self.error is not None else ""

    @property
    def loading_now(self) -> bool:
        """Whether something is on its way."""
        return "loading" in self.view and bool(self.view["loading"])

    async def ask(self, input: str, **params: Any) -> nagare.View | nagare.NagareError | None:
        """Tells the view something: the view that was opened, if one was, or what went wrong."""
        try:
            return await self.view.open(input, **params)
        except nagare.NagareError as error:
            # Of a view that is closed there is nothing to say, and of a server that has died the app hears, too.
            if isinstance(error, nagare.ResponseError):
                self.complain(line(str(error)))
            return error

    def complain(self, told: str) -> None:
        """Tells what went wrong."""
        self.notify(told, severity="error", markup=False)

    def progress(self) -> str:
        """What is on its way, and how far it has come."""
        state = self.view["state"] if "state" in self.view else {}
        told = state.get("progress") if isinstance(state, Mapping) else None
        if not told:
            return "loading…" if self.loading_now else ""
        done, of, unit = told["done"], told.get("of"), told.get("unit")
        if not of:
            return f"loading… {amount(done, unit)}"
        filled = round(BAR * min(1, done / of))
        return f"loading {'━' * filled}{'╌' * (BAR - filled)} {amount(done, unit)} of {amount(of, unit)}"

    @work()
    async def _tell(self, input: str, params: dict[str, Any]) -> None:
        await self.ask(input, **params)

    def _hear(self, output: str, value: Any) -> None:
        self.call_later(self.heard, output)
        self.call_later(self._draw)

    def _draw(self) -> None:
        if not self.is_attached:
            return
        self.draw()
        if self._failed != (self.error is not None):
            self._failed = not self._failed
            self.refresh_bindings()
        parts = [humane(self.view.screen.name), self.position(), self.progress(), self.done()]
        passing = self.error is not None and self.error.get("trigger") in PASSING
        status = Text(" · ".join([part for part in parts if part]), no_wrap=True, overflow="ellipsis")
        if self.error is not None and not passing:
            status.append(f"  ✗ {line(self.error.get('message'))}", "bold red")
        self.query_one("#status", Static).update(status)
