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
from .commands import Command
from .marks import is_marked
from .row_moves import held, key
from .screen import ViewScreen
from .shape import needs
from .text import line

UNDO_TIME = 5.0
"""Seconds in which what was done can be undone."""
ARCHIVE = Action("remove", "Archive", key="e", undo=True, many=True)
"""What can be done in every list that takes it, where nothing is said."""


MARKED = "remove", "change"
"""Inputs that do something with all that the server has marked."""


@dataclass
class PendingAction:
    """What is to be done with items."""

    action: Action
    items: list[Any]
    marks: Mapping[str, Any] | None = None
    """All that the server has marked, of which `items` are those that are here."""
    undone: Callable[[], object] = lambda: None
    """What else is to be as before when it is undone."""


class ItemActions:
    """The actions of a list. What removes items hides them at once; the newest can be undone for a while, and only then is the view told.

    - `changed` is called when others are shown than before, with the item that is back, or None.
    """

    def __init__(self, screen: ViewScreen, display: Display, changed: Callable[[Any], object]) -> None:
        self._screen, self._display, self._changed = screen, display, changed
        self.all = display.actions if display.says_actions else [ARCHIVE]
        self._hidden: list[PendingAction] = []
        self._newest: PendingAction | None = None
        self._failed: PendingAction | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def offer(self) -> str:
        """What was done last, and how it is undone."""
        if self._newest is not None:
            return f"{self._past(self._newest)}, {self._undo_key} undoes it"
        return "T tries that again" if self._failed is not None else ""

    @property
    def _undo_key(self) -> str:
        return "ctrl+z" if any(action.key == "u" for action in self.all) else "u"

    def without(self, items: Sequence[Any]) -> Sequence[Any]:
        """What is left of a list."""
        if not self._hidden:
            return items
        id = self._display.id
        gone = {key(item, id) for pending in self._hidden if pending.marks is None for item in pending.items}
        marks = [pending.marks for pending in self._hidden if pending.marks is not None]

        def is_left(item: Any) -> bool:
            return item is None or not (key(item, id) in gone or any(is_marked(told, self._display.identity(item)) for told in marks))

        left = [item for item in held(items) if is_left(item)]
        if isinstance(items, nagare.Window):
            return nagare.Window(left, items.start, len(items) - len(items.held) + len(left), items.exact, items.revision)
        return left

    def commands(self, do: Callable[[Action], object], fits: Callable[[Action], bool] = lambda action: True) -> Iterator[Command]:
        """What can be done, and how it is undone. `do` does it with what the user means, and `fits` tells whether there is something that they do."""
        if self._newest is not None:
            yield Command((self._undo_key,), "Undo", self.undo)
        if self._failed is not None:
            yield Command(("T",), "Try that again", self._again)
        for action in self.all:
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
            self.take(PendingAction(action, items, marks))
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
        self.take(PendingAction(action, items, undone=undone))

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

    def take(self, pending: PendingAction) -> None:
        """Does it, or holds it back for now."""
        self.finish()
        self._failed = None
        if not pending.action.undo:
            self._screen.app.do(lambda: self._carry_out(pending))
            return
        if pending.action.input == "remove":
            self._hidden.append(pending)
        self._newest = pending
        self._timer = asyncio.get_running_loop().call_later(UNDO_TIME, self.finish)
        self._changed(None)

    def undo(self) -> None:
        """Leaves the newest undone."""
        if (pending := self._settle()) is not None:
            pending.undone()
            self._show(pending, pending.items[0] if pending.items else None)

    def finish(self) -> None:
        """Has the newest done now."""
        if (pending := self._settle()) is not None:
            self._screen.app.do(lambda: self._carry_out(pending))

    def _settle(self) -> PendingAction | None:
        if self._timer is not None:
            self._timer.cancel()
        pending, self._newest = self._newest, None
        return pending

    async def _carry_out_marked(self, pending: PendingAction) -> None:
        """Does it with all that the server has marked, in one go."""
        screen, given = self._screen, {} if pending.action.set is None else {"set": pending.action.set}
        why = ""
        try:
            if await screen.view.call(pending.action.input, marked=True, **given) == "failed" and screen.error is not None:
                why = line(screen.error.get("message"))
            elif pending.action.input != "remove":
                screen.tell("unmark", all=True)
        except nagare.NagareError as error:
            why = line(str(error))
        if why:
            self._failed = pending
            screen.app.complain(f"{self._named(pending)} {self._came_back(pending)}: {why}")
        self._show(pending)

    async def _carry_out(self, pending: PendingAction) -> None:
        if pending.marks is not None:
            await self._carry_out_marked(pending)
            return
        view, schema = self._screen.view, self._screen.shape.inputs[pending.action.input]
        left: list[Any] = []
        why = ""
        told = [view.call(pending.action.input, **pending.action.arguments(item, schema, self._display.id)) for item in pending.items]
        for item, outcome in zip(pending.items, await asyncio.gather(*told, return_exceptions=True)):
            if outcome == "failed" and self._screen.error is not None:
                left, why = [*left, item], line(self._screen.error.get("message"))
            elif isinstance(outcome, nagare.InvalidParams) and pending.action.input == "remove":
                pass  # It is gone already.
            elif isinstance(outcome, nagare.ResponseError):
                left, why = [*left, item], line(outcome.message)
            elif isinstance(outcome, nagare.NagareError):
                left, why = [*left, item], "the server is gone"
            elif isinstance(outcome, Exception):
                left, why = [*left, item], f"it can't be sent: {reason(outcome)}"
        if left:
            self._failed = PendingAction(pending.action, left)
            self._screen.app.complain(f"{self._named(self._failed)} {self._came_back(pending)}: {why}")
        self._show(pending)

    def _again(self) -> None:
        if (pending := self._failed) is not None:
            self.take(pending)

    def _show(self, pending: PendingAction, at: Any = None) -> None:
        self._hidden = [other for other in self._hidden if other is not pending]
        self._changed(at)

    def _past(self, pending: PendingAction) -> str:
        did = "archived" if pending.action is ARCHIVE else f"{pending.action.name}:"
        return f"{did} {self._named(pending)}"

    def _came_back(self, pending: PendingAction) -> str:
        return "is back" if pending.action.input == "remove" else pending.action.name

    def _named(self, pending: PendingAction) -> str:
        count = len(pending.items) if pending.marks is None else pending.marks["count"]
        if count == 1 and pending.items:
            return f"“{self._screen.display.title(pending.items[0])}”"
        return "all items" if count is None else f"{count:,} items"
