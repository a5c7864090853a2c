"""What is done with the items of a list: at once, or when the time to undo it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import nagare

from .dialogs import Confirm
from .display import Action, Display
from .form import Form, Schema
from .layer import Command
from .moves import held as those_held
from .screen import ViewScreen
from .shape import needs
from .words import identity, line

GRACE = 5.0
"""Seconds in which what was done can be undone."""
ARCHIVE = Action("remove", "Archive", key="e", undo=True, many=True)
"""What can be done in every list that takes it, where nothing is said."""


@dataclass
class Held:
    """What is to be done with items."""

    action: Action
    items: list[Any]


class Doing:
    """The actions of a list. What removes items hides them at once; the newest can be undone for a while, and only then is the view told.

    - `changed` is called when others are shown than before, with the item that is back, or None.
    """

    def __init__(self, screen: ViewScreen, display: Display, changed: Callable[[Any], object]) -> None:
        self._screen, self._changed = screen, changed
        self.actions = display.actions if display.says_actions else [ARCHIVE]
        self._hidden: list[Any] = []
        self._newest: Held | None = None
        self._failed: Held | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def offer(self) -> str:
        """What was done last, and how it is undone."""
        if self._newest is not None:
            return f"{self._past(self._newest)}, {self._undo_key} undoes it"
        return "T tries that again" if self._failed is not None else ""

    @property
    def _undo_key(self) -> str:
        return "ctrl+z" if any(action.key == "u" for action in self.actions) else "u"

    def without(self, items: Sequence[Any]) -> Sequence[Any]:
        """What is left of a list."""
        hidden = [identity(item) for item in self._hidden]
        if not hidden:
            return items
        left = [item for item in those_held(items) if item is None or identity(item) not in hidden]
        if isinstance(items, nagare.Window):
            return nagare.Window(left, items.start, len(items) - len(items.held) + len(left), items.exact, items.revision)
        return left

    def commands(self, do: Callable[[Action], object]) -> Iterator[Command]:
        """What can be done, and how it is undone. `do` does it with what the user means."""
        if self._newest is not None:
            yield Command((self._undo_key,), "Undo", self.undo)
        if self._failed is not None:
            yield Command(("T",), "Try that again", self._again)
        for action in self.actions:
            if self._screen.has(action.input):
                keys = (action.key,) if action.key else ()
                name = " ".join(part for part in (action.icon, action.name) if part)
                yield Command(keys, name, lambda action=action: do(action))  # type: ignore[misc]

    async def perform(self, action: Action, items: list[Any], before: Callable[[], Awaitable[None]] | None = None) -> None:
        """Does it, when all that is asked before is answered, and `before` is over."""
        screen = self._screen
        if not items or (action.confirm and await screen.app.answer(Confirm(action.confirm)) is not True):
            return
        schema = screen.shape.inputs[action.input]
        known = action.arguments(items[0], schema)
        missing = [name for name in needs(schema) if name not in known]
        if missing:
            screen.app.put(self._form(action, items, schema, missing))
            return
        if before is not None:
            await before()
        self.take(Held(action, items))

    def _form(self, action: Action, items: list[Any], schema: Schema, missing: list[str]) -> Form:
        """Asks for what the items don't tell. It stays until the view takes it."""

        async def submit(given: dict[str, Any]) -> nagare.NagareError | None:
            for item in items:
                told = await screen.attempt(action.input, {**action.arguments(item, schema), **given})
                if isinstance(told, nagare.NagareError):
                    return told
            return None

        screen = self._screen
        asked = {"properties": {name: schema["properties"][name] for name in missing}, "required": missing}
        return Form(action.name, asked, submit)

    def take(self, held: Held) -> None:
        """Does it, or holds it back for now."""
        self.finish()
        self._failed = None
        if not held.action.undo:
            self._screen.app.do(lambda: self._carry_out(held))
            return
        if held.action.input == "remove":
            self._hidden += held.items
        self._newest = held
        self._timer = asyncio.get_running_loop().call_later(GRACE, self.finish)
        self._changed(None)

    def undo(self) -> None:
        """Leaves the newest undone."""
        if (held := self._settle()) is not None:
            self._show(held, held.items[0])

    def finish(self) -> None:
        """Has the newest done now."""
        if (held := self._settle()) is not None:
            self._screen.app.do(lambda: self._carry_out(held))

    def _settle(self) -> Held | None:
        if self._timer is not None:
            self._timer.cancel()
        held, self._newest = self._newest, None
        return held

    async def _carry_out(self, held: Held) -> None:
        view, schema = self._screen.view, self._screen.shape.inputs[held.action.input]
        left: list[Any] = []
        why = ""
        told = [view.call(held.action.input, **held.action.arguments(item, schema)) for item in held.items]
        for item, outcome in zip(held.items, await asyncio.gather(*told, return_exceptions=True)):
            if outcome == "failed" and self._screen.error is not None:
                left, why = [*left, item], line(self._screen.error["message"])
            elif isinstance(outcome, nagare.InvalidParams) and held.action.input == "remove":
                pass  # It is gone already.
            elif isinstance(outcome, nagare.ResponseError):
                left, why = [*left, item], line(outcome.message)
            elif isinstance(outcome, nagare.NagareError):
                left, why = [*left, item], "the server is gone"
            elif isinstance(outcome, BaseException):
                raise outcome
        if left:
            self._failed = Held(held.action, left)
            back = "is back" if held.action.input == "remove" else f"{held.action.name}"
            self._screen.app.complain(f"{self._named(left)} {back}: {why}")
        self._show(held)

    def _again(self) -> None:
        if (held := self._failed) is not None:
            self.take(held)

    def _show(self, held: Held, at: Any = None) -> None:
        self._hidden = [item for item in self._hidden if not any(item is other for other in held.items)]
        self._changed(at)

    def _past(self, held: Held) -> str:
        did = "archived" if held.action is ARCHIVE else f"{held.action.name}:"
        return f"{did} {self._named(held.items)}"

    def _named(self, items: list[Any]) -> str:
        return f"“{self._screen.display.title(items[0])}”" if len(items) == 1 else f"{len(items)} items"
