"""The screens of a server, one above the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import nagare
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType

from .dialogs import KINDS, Choose, Trouble, dialog
from .lists import ListScreen, SearchScreen
from .others import ChoiceScreen, FeedScreen, TaskScreen, UnknownScreen
from .pager import PagerScreen
from .view_screen import ViewScreen
from .words import humane, line

SCREENS: dict[str, Callable[[nagare.View], ViewScreen]] = {
    "list": ListScreen,
    "search": SearchScreen,
    "pager": PagerScreen,
    "choice": ChoiceScreen,
    "feed": FeedScreen,
    "task": TaskScreen,
}

REMEDY = "Name a program that is there: after `--`, or `nagare` itself by the environment's NAGARE."


class Terminal(App[None]):
    """Shows what a server has, and starts it again when it has died and the user wants it."""

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "nagare"
    # Wherever the focus is: to who is used to terminals it is the way out.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]

    def __init__(self, command: Sequence[str], first: str | None = None) -> None:
        super().__init__()
        self.command, self.first = list(command), first
        self.session = self._new_session()

    def on_mount(self) -> None:
        self.live()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "leave" or len(self.screen_stack) > 2

    async def on_unmount(self) -> None:
        await self.session.close()

    @work(exclusive=True)
    async def live(self) -> None:
        """Shows a session after the other, until the user has had enough."""
        while True:
            heading, told = "The server is gone", ""
            try:
                await self.session.__aenter__()
                openable = [screen.name for screen in await self._openable()]
                if self.first and self.first not in openable:
                    heading, told = f"No screen “{self.first}” can be opened", f"These can: {', '.join(openable)}"
                else:
                    root = await self._show(self.first or next(iter(openable), ""))
                    await root.wait_closed()
            except nagare.ResponseError as error:
                heading, told = "That didn't work", str(error)
            except nagare.NagareError as error:
                told = str(error)
            except OSError as error:
                heading, told = "The server can't be started", f"{error.strerror}: {self.command[0]}\n\n{REMEDY}"
            await self.session.close()
            if await self.push_screen_wait(Trouble(heading, told)) is not True:
                self.exit()
                return
            while len(self.screen_stack) > 1:
                await self.pop_screen()
            self.session = self._new_session()

    @work(exclusive=True, group="screens")
    async def action_choose_screen(self) -> None:
        """Lets the user go to another screen."""
        try:
            choices = [{"id": screen.name, "name": f"{humane(screen.name)} ({screen.view_model})"} for screen in await self._openable()]
            name = await self.push_screen_wait(Choose("Screens", choices))
            if name is not nagare.CANCELLED:
                await self._show(name)
        except nagare.NagareError as error:
            self.notify(line(str(error)), severity="error", markup=False)

    @work(exclusive=True, group="screens")
    async def action_leave(self) -> None:
        """Closes the screen on top, unless it is the only one."""
        if isinstance(self.screen, ViewScreen) and len(self.screen_stack) > 2:
            await self._leave()

    async def _openable(self) -> list[nagare.Screen]:
        """The screens that open by their names: a pager opens from its list alone."""
        return [screen for screen in await self.session.screens() if screen.view_model != "pager"]

    async def _show(self, name: str) -> nagare.View:
        """Opens a screen on top, or goes back to it."""
        for screen in [screen for screen in self.screen_stack if isinstance(screen, ViewScreen)]:
            if screen.view.screen.name == name:
                while self.screen is not screen:
                    await self._leave()
                return screen.view
        view = await self.session.open(name)
        await self._push(view)
        return view

    async def _leave(self) -> None:
        """Closes the screen on top. A list goes where its detail was left."""
        top = self.screen
        await self.pop_screen()
        if isinstance(top, PagerScreen) and isinstance(self.screen, ListScreen):
            page = top.view["page"]
            if page["index"] is not None:
                self.screen.show_row(page["id"], page["index"])
        if isinstance(top, ViewScreen):
            with suppress(nagare.NagareError):  # It is closed with the server, too.
                await top.view.close()

    async def _push(self, view: nagare.View) -> None:
        if "navigate" in view.screen.outputs:
            view.on("navigate", lambda opened: self.call_later(self._push, opened))
        screen = SCREENS.get(view.screen.view_model, UnknownScreen)(view)
        if isinstance(screen, PagerScreen) and isinstance(self.screen, ListScreen):
            screen.under = self.screen
        await self.push_screen(screen)

    def _new_session(self) -> nagare.App:
        return nagare.spawn(self.command, present=dict.fromkeys(KINDS, self._present))

    async def _present(self, task: nagare.Task) -> Any:
        """Asks the user, and takes the question away if the server doesn't want to know any more."""
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def take(answer: Any) -> None:
            if not answered.done():
                answered.set_result(answer)

        asked = dialog(task)
        try:
            await self.push_screen(asked, take)
            return await answered
        finally:
            if not answered.done() or answered.cancelled():
                asked.withdraw()
