"""What is on its way out of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import nagare
from textual.timer import Timer

from .view_screen import ViewScreen
from .words import identity, line, title

GRACE = 5.0
"""Seconds in which what was archived can be had back."""


class Leaving:
    """Items that aren't shown any more. The newest can be had back for a while, and only then is the list told to remove it.

    - `changed` is called when others are shown than before.
    """

    def __init__(self, screen: ViewScreen, changed: Callable[[], None]) -> None:
        self._screen, self._changed = screen, changed
        self._items: list[Any] = []
        self._newest: Any = None
        self._timer: Timer | None = None

    @property
    def offer(self) -> str:
        """What was done last, and how it is undone."""
        return f"archived “{title(self._newest)}”, u undoes it" if self._newest is not None else ""

    def without(self, items: Sequence[Any]) -> Sequence[Any]:
        """What is left of a list."""
        leaving = [identity(item) for item in self._items]
        return [item for item in items if identity(item) not in leaving] if leaving else items

    def take(self, item: Any) -> None:
        """Takes an item out, for now."""
        self.finish()
        self._items.append(item)
        self._newest = item
        self._timer = self._screen.set_timer(GRACE, self.finish)
        self._changed()

    def undo(self) -> None:
        """Shows the newest again."""
        item = self._settle()
        if item is not None:
            self._show(item)

    def finish(self) -> None:
        """Has the newest removed now."""
        item = self._settle()
        if item is not None:
            self._screen.app.run_worker(self._remove(item))

    def _settle(self) -> Any:
        if self._timer is not None:
            self._timer.stop()
        item, self._newest = self._newest, None
        return item

    async def _remove(self, item: Any) -> None:
        view = self._screen.view
        try:
            if await view.call("remove", id=identity(item)) == "failed" and (error := view["error"]) is not None:
                self._screen.complain(f"“{title(item)}” is back: {line(error['message'])}")
        except nagare.NagareError:
            pass  # It is gone already, or the server is.
        self._show(item)

    def _show(self, item: Any) -> None:
        self._items = [other for other in self._items if other is not item]
        self._changed()
