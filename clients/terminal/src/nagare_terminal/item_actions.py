"""What is done with the items of a list: at once, or when the time to undo it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import nagare

from .dialogs import Confirm
from .display import Action, Display
from .form import Form, Schema
from .guard import reason
from .layer import Command
from .marks import is_marked
from .moves import held as those_held
from .moves import key
from .screen import ViewScreen
from .shape import needs
from .words import line

GRACE = 5.0
"""Seconds in which what was done can be undone."""
ARCHIVE = Action("remove", "Archive", key="e", undo=True, many=True)
"""What can be done in every list that takes it, where nothing is said."""


MARKED = "remove", "change"
"""Inputs that do something with all that the server has marked."""


@dataclass
class Held:
    """What is to be done with items."""

    action: Action
    items: list[Any]
    marks: Mapping[str, Any] | None = None
    """All that the server has marked, of which `items` are those that are here."""
    undone: Callable[[], object] = lambda: None
    """What else is to be as before when it is undone."""


class Doing:
    """The actions of a list. What removes items hides them at once; the newest can be undone for a while, and only then is the view told.

    - `changed` is called when others are shown than before, with the item that is back, or None.
    """

    def __init__(self, screen: ViewScreen, display: Display, changed: Callable[[Any], object]) -> None:
        self._screen, self._display, self._changed = screen, display, changed
        self.actions = display.actions if display.says_actions else [ARCHIVE]
        self._hidden: list[Held] = []
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
        if not self._hidden:
            return items
        id = self._display.id
        gone = {key(item, id) for held in self._hidden if held.marks is None for item in held.items}
        marks = [held.marks for held in self._hidden if held.marks is not None]

        def is_left(item: Any) -> bool:
            return item is None or not (key(item, id) in gone or any(is_marked(told, self._display.identity(item)) for told in marks))

        left = [item for item in those_held(items) if is_left(item)]
        if isinstance(items, nagare.Window):
            return nagare.Window(left, items.start, len(items) - len(items.held) + len(left), items.exact, items.revision)
        return left

    def commands(self, do: Callable[[Action], object], fits: Callable[[Action], bool] = lambda action: True) -> Iterator[Command]:
        """What can be done, and how it is undone. `do` does it with what the user means, and `fits` tells whether there is something that they do."""
        if self._newest is not None:
            yield Command((self._undo_key,), "Undo", self.undo)
        if self._failed is not None:
            yield Command(("T",), "Try that again", self._again)
        for action in self.actions:
            if self._screen.has(action.input) and fits(action):
                keys = (action.key,) if action.key else ()
                name = " ".join(part for part in (action.icon, action.name) if part)
                yield Command(keys, name, lambda action=action: do(action))  # type: ignore[misc]

    async def perform(
        self,
        action: Action,
        items: list[Any],
        before: Callable[[], Awaitable[None]] | None = None,
        marks: Mapping[str, Any] | None = None,
        undone: Callable[[], object] = lambda: None,
    ) -> None:
        """Does it, when all that is asked before is answered, and `before` is over: with items, or with all that the server has marked."""
        screen = self._screen
        if not (items or marks) or (action.confirm and await screen.app.answer(Confirm(action.confirm)) is not True):
            return
        schema = screen.shape.inputs[action.input]
        if marks is not None and action.input in MARKED:
            self.take(Held(action, items, marks))
            return
        if not items:
            return
        known = action.arguments(items[0], schema, self._display.id)
        missing = [name for name in needs(schema) if name not in known]
        if missing:
            screen.app.put(self._form(action, items, schema, missing))
            return
        if before is not None:
            await before()
        self.take(Held(action, items, undone=undone))

    def _form(self, action: Action, items: list[Any], schema: Schema, missing: list[str]) -> Form:
        """Asks for what the items don't tell. It stays until the view takes it."""

        async def submit(given: dict[str, Any]) -> nagare.NagareError | None:
            for item in items:
                told = await screen.attempt(action.input, {**action.arguments(item, schema, self._display.id), **given})
                if isinstance(told, nagare.NagareError):
                    return told
            return None

        screen = self._screen
        asked = {"properties": {name: schema.get("properties", {}).get(name, {}) for name in missing}, "required": missing}
        return Form(action.name, asked, submit)

    def take(self, held: Held) -> None:
        """Does it, or holds it back for now."""
        self.finish()
        self._failed = None
        if not held.action.undo:
            self._screen.app.do(lambda: self._carry_out(held))
            return
        if held.action.input == "remove":
            self._hidden.append(held)
        self._newest = held
        self._timer = asyncio.get_running_loop().call_later(GRACE, self.finish)
        self._changed(None)

    def undo(self) -> None:
        """Leaves the newest undone."""
        if (held := self._settle()) is not None:
            held.undone()
            self._show(held, held.items[0] if held.items else None)

    def finish(self) -> None:
        """Has the newest done now."""
        if (held := self._settle()) is not None:
            self._screen.app.do(lambda: self._carry_out(held))

    def _settle(self) -> Held | None:
        if self._timer is not None:
            self._timer.cancel()
        held, self._newest = self._newest, None
        return held

    async def _carry_out_marked(self, held: Held) -> None:
        """Does it with all that the server has marked, in one go."""
        screen, given = self._screen, {} if held.action.set is None else {"set": held.action.set}
        why = ""
        try:
            if await screen.view.call(held.action.input, marked=True, **given) == "failed" and screen.error is not None:
                why = line(screen.error.get("message"))
            elif held.action.input != "remove":
                screen.tell("unmark", all=True)
        except nagare.NagareError as error:
            why = line(str(error))
        if why:
            self._failed = held
            screen.app.complain(f"{self._named(held)} {self._came_back(held)}: {why}")
        self._show(held)

    async def _carry_out(self, held: Held) -> None:
        if held.marks is not None:
            await self._carry_out_marked(held)
            return
        view, schema = self._screen.view, self._screen.shape.inputs[held.action.input]
        left: list[Any] = []
        why = ""
        told = [view.call(held.action.input, **held.action.arguments(item, schema, self._display.id)) for item in held.items]
        for item, outcome in zip(held.items, await asyncio.gather(*told, return_exceptions=True)):
            if outcome == "failed" and self._screen.error is not None:
                left, why = [*left, item], line(self._screen.error.get("message"))
            elif isinstance(outcome, nagare.InvalidParams) and held.action.input == "remove":
                pass  # It is gone already.
            elif isinstance(outcome, nagare.ResponseError):
                left, why = [*left, item], line(outcome.message)
            elif isinstance(outcome, nagare.NagareError):
                left, why = [*left, item], "the server is gone"
            elif isinstance(outcome, Exception):
                left, why = [*left, item], f"it can't be sent: {reason(outcome)}"
        if left:
            self._failed = Held(held.action, left)
            self._screen.app.complain(f"{self._named(self._failed)} {self._came_back(held)}: {why}")
        self._show(held)

    def _again(self) -> None:
        if (held := self._failed) is not None:
            self.take(held)

    def _show(self, held: Held, at: Any = None) -> None:
        self._hidden = [other for other in self._hidden if other is not held]
        self._changed(at)

    def _past(self, held: Held) -> str:
        did = "archived" if held.action is ARCHIVE else f"{held.action.name}:"
        return f"{did} {self._named(held)}"

    def _came_back(self, held: Held) -> str:
        return "is back" if held.action.input == "remove" else held.action.name

    def _named(self, held: Held) -> str:
        count = len(held.items) if held.marks is None else held.marks["count"]
        if count == 1 and held.items:
            return f"“{self._screen.display.title(held.items[0])}”"
        return "all items" if count is None else f"{count:,} items"
