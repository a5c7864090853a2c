"""Choices, feeds, tasks, and view models that are unknown here."""

from __future__ import annotations

from typing import Any

from textual import on, work

from .pager import ItemScreen
from .rows import Rows
from .rows_screen import RowsScreen
from .words import humane, identity, line, title


class WholeScreen(RowsScreen):
    """Rows that are all there."""

    def items(self) -> list[Any]:
        """What to show."""
        raise NotImplementedError

    def draw(self) -> None:
        self.rows.set_items(self.items())
        self.rows.set_notice("loading…" if self.loading_now else self.failure() or "nothing here")

    def position(self) -> str:
        count = len(self.rows.items)
        return f"{count} item{'' if count == 1 else 's'}"


class ChoiceScreen(WholeScreen):
    """Something to choose, which other screens hear of."""

    def items(self) -> list[Any]:
        return list(self.view["choices"])

    @on(Rows.Chosen)
    def _chosen(self, event: Rows.Chosen) -> None:
        self.tell("choose", id=identity(event.item))
        self.notify(title(event.item), title="Chosen", markup=False)

    def heard(self, output: str) -> None:
        if output == "dismiss":
            self.call_later(self.run_action, "app.leave")


class FeedScreen(WholeScreen):
    """One page, loaded when it is asked for."""

    _has_begun = False

    def begin(self) -> None:
        super().begin()
        self._begin()

    @work()
    async def _begin(self) -> None:
        await self.ask("refresh")
        self._has_begun = True
        self._draw()

    @property
    def loading_now(self) -> bool:
        return not self._has_begun or super().loading_now

    @on(Rows.Chosen)
    def _chosen(self, event: Rows.Chosen) -> None:
        self.app.push_screen(ItemScreen(event.item))

    def items(self) -> list[Any]:
        return list(self.view["offers"])


class TaskScreen(WholeScreen):
    """What the user can do, each with what came of it. Outputs come in the order of the inputs."""

    def position(self) -> str:
        return ""

    def items(self) -> list[Any]:
        screen = self.view.screen
        pairs = zip(screen.inputs, screen.outputs)
        return [{"id": input, "title": humane(input), "value": f"{humane(output)}: {line(self.view[output]) or '–'}"} for input, output in pairs]

    @on(Rows.Chosen)
    def _chosen(self, event: Rows.Chosen) -> None:
        self.tell(str(identity(event.item)))


class UnknownScreen(WholeScreen):
    """A view model of the server's own: its inputs without parameters, and what is current."""

    def position(self) -> str:
        return ""

    def items(self) -> list[Any]:
        screen = self.view.screen
        outputs = [output for output in screen.outputs if output in self.view]
        inputs = [{"id": input, "title": humane(input), "what": "input"} for input in screen.inputs]
        return inputs + [{"id": f"={output}", "title": humane(output), "value": line(self.view[output])} for output in outputs]

    @on(Rows.Chosen)
    def _chosen(self, event: Rows.Chosen) -> None:
        if event.item.get("what") == "input":
            self.tell(str(identity(event.item)))
