"""Actions on the items of a list. Some can be undone for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import nagare

from .commands import Command
from .dialogs import Confirm
from .display import Action, Display
from .form import Form
from .guard import short_reason
from .marks import is_marked
from .row_moves import held_rows, item_key
from .screen import ViewScreen
from .shape import Schema, required
from .text import line

UNDO_TIME = 5.0
"""Seconds during which an action can be undone."""
ARCHIVE = Action("remove", "Archive", key="e", undo=True, many=True)
"""The default action of lists that support it."""


MARKED_INPUTS = "remove", "change"
"""Inputs that can apply to everything that the server has marked."""


@dataclass
class PendingAction:
    """An action on items that hasn't been sent yet."""

    action: Action
    items: list[Any]
    marks: Mapping[str, Any] | None = None
    """The server's marks, if the action is for all marked items. `items` are those of them that are loaded."""
    undone: Callable[[], object] = lambda: None
    """Called when the action is undone."""


class ItemActions:
    """The actions of a list. Removed items are hidden at once. The newest action can be undone for a while, and is sent afterwards.

    - `on_change` is called when the visible items change, with the item that was restored, or None.
    """

    def __init__(self, screen: ViewScreen, display: Display, on_change: Callable[[Any], object]) -> None:
        self._screen, self._display, self._on_change = screen, display, on_change
        self.all = display.actions if display.declares_actions else [ARCHIVE]
        self._hidden: list[PendingAction] = []
        self._newest: PendingAction | None = None
        self._failed: PendingAction | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def undo_hint(self) -> str:
        """The last action, and the key that undoes it."""
        if self._newest is not None:
            return f"{self._past_tense(self._newest)}, {self._undo_key} undoes it"
        return "T tries that again" if self._failed is not None else ""

    @property
    def _undo_key(self) -> str:
        return "ctrl+z" if any(action.key == "u" for action in self.all) else "u"

    def visible(self, items: Sequence[Any]) -> Sequence[Any]:
        """Returns the items without those that are being removed."""
        if not self._hidden:
            return items
        id = self._display.id
        gone = {item_key(item, id) for pending in self._hidden if pending.marks is None for item in pending.items}
        marks = [pending.marks for pending in self._hidden if pending.marks is not None]

        def is_left(item: Any) -> bool:
            return item is None or not (item_key(item, id) in gone or any(is_marked(one, self._display.item_id(item)) for one in marks))

        left = [item for item in held_rows(items) if is_left(item)]
        if isinstance(items, nagare.Window):
            return nagare.Window(left, items.start, len(items) - len(items.held) + len(left), items.exact, items.revision)
        return left

    def commands(self, do: Callable[[Action], object], fits: Callable[[Action], bool] = lambda action: True) -> Iterator[Command]:
        """Yields the commands. `do` performs an action on the user's selection, and `fits` tells whether there is one for it."""
        if self._newest is not None:
            yield Command((self._undo_key,), "Undo", self.undo)
        if self._failed is not None:
            yield Command(("T",), "Try that again", self._again)
        for action in self.all:
            if self._screen.has_input(action.input) and fits(action):
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
        """Performs an action on items, or on all marked ones, after its confirmation and `before`."""
        screen = self._screen
        if not (items or marks) or (action.confirm and await screen.app.answer(Confirm(action.confirm)) is not True):
            return
        schema = screen.shape.inputs[action.input]
        if marks is not None and action.input in MARKED_INPUTS:
            self.start(PendingAction(action, items, marks))
            return
        if not items:
            return
        known = action.arguments(items[0], schema, self._display.id)
        missing = [name for name in required(schema) if name not in known]
        if missing:
            screen.app.push(self._form(action, items, schema, missing))
            return
        if before is not None:
            await before()
        self.start(PendingAction(action, items, undone=undone))

    def _form(self, action: Action, items: list[Any], schema: Schema, missing: list[str]) -> Form:
        """Creates a form for the missing parameters. It stays open until the server accepts them."""

        async def submit(given: dict[str, Any]) -> nagare.NagareError | None:
            for item in items:
                result = await screen.try_call(action.input, {**action.arguments(item, schema, self._display.id), **given})
                if isinstance(result, nagare.NagareError):
                    return result
            return None

        screen = self._screen
        schema_of_missing = {"properties": {name: schema.get("properties", {}).get(name, {}) for name in missing}, "required": missing}
        return Form(action.name, schema_of_missing, submit)

    def start(self, pending: PendingAction) -> None:
        """Sends an action, or holds it back if it can be undone."""
        self.finish()
        self._failed = None
        if not pending.action.undo:
            self._screen.app.do(lambda: self._carry_out(pending))
            return
        if pending.action.input == "remove":
            self._hidden.append(pending)
        self._newest = pending
        self._timer = asyncio.get_running_loop().call_later(UNDO_TIME, self.finish)
        self._on_change(None)

    def undo(self) -> None:
        """Undoes the newest action."""
        if (pending := self._pop_newest()) is not None:
            pending.undone()
            self._unhide(pending, pending.items[0] if pending.items else None)

    def finish(self) -> None:
        """Sends the newest action now."""
        if (pending := self._pop_newest()) is not None:
            self._screen.app.do(lambda: self._carry_out(pending))

    def _pop_newest(self) -> PendingAction | None:
        if self._timer is not None:
            self._timer.cancel()
        pending, self._newest = self._newest, None
        return pending

    async def _carry_out_marked(self, pending: PendingAction) -> None:
        """Sends an action for all marked items, as one request."""
        screen, given = self._screen, {} if pending.action.set is None else {"set": pending.action.set}
        why = ""
        try:
            if await screen.view.call(pending.action.input, marked=True, **given) == "failed" and screen.error is not None:
                why = line(screen.error.get("message"))
            elif pending.action.input != "remove":
                screen.send("unmark", all=True)
        except nagare.NoSuchView:
            pass  # The server has closed the view.
        except nagare.NagareError as error:
            why = line(str(error))
        if why:
            self._failed = pending
            screen.app.show_error(f"{self._named(pending)} {self._came_back(pending)}: {why}")
        self._unhide(pending)

    async def _carry_out(self, pending: PendingAction) -> None:
        if pending.marks is not None:
            await self._carry_out_marked(pending)
            return
        view, schema = self._screen.view, self._screen.shape.inputs[pending.action.input]
        left: list[Any] = []
        why = ""
        calls = [view.call(pending.action.input, **pending.action.arguments(item, schema, self._display.id)) for item in pending.items]
        for item, outcome in zip(pending.items, await asyncio.gather(*calls, return_exceptions=True)):
            if outcome == "failed" and self._screen.error is not None:
                left, why = [*left, item], line(self._screen.error.get("message"))
            elif isinstance(outcome, nagare.NoSuchView):
                pass  # The server has closed the view.
            elif isinstance(outcome, nagare.InvalidParams) and pending.action.input == "remove":
                pass  # It is gone already.
            elif isinstance(outcome, nagare.ResponseError):
                left, why = [*left, item], line(outcome.message)
            elif isinstance(outcome, nagare.NagareError):
                left, why = [*left, item], "the server is gone"
            elif isinstance(outcome, Exception):
                left, why = [*left, item], f"it can't be sent: {short_reason(outcome)}"
        if left:
            self._failed = PendingAction(pending.action, left)
            self._screen.app.show_error(f"{self._named(self._failed)} {self._came_back(pending)}: {why}")
        self._unhide(pending)

    def _again(self) -> None:
        if (pending := self._failed) is not None:
            self.start(pending)

    def _unhide(self, pending: PendingAction, at: Any = None) -> None:
        self._hidden = [other for other in self._hidden if other is not pending]
        self._on_change(at)

    def _past_tense(self, pending: PendingAction) -> str:
        did = "archived" if pending.action is ARCHIVE else f"{pending.action.name}:"
        return f"{did} {self._named(pending)}"

    def _came_back(self, pending: PendingAction) -> str:
        return "is back" if pending.action.input == "remove" else pending.action.name

    def _named(self, pending: PendingAction) -> str:
        count = len(pending.items) if pending.marks is None else pending.marks["count"]
        if count == 1 and pending.items:
            return f"“{self._screen.display.title(pending.items[0])}”"
        return "all items" if count is None else f"{count:,} items"
