"""Actions on the items of a list, and undoing them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import nagare

from .commands import Command
from .dialogs import Confirm
from .display import Action, Display
from .form import Form
from .guard import short_reason
from .marks import marks_state
from .row_moves import held_rows, id_key, item_key
from .screen import ViewScreen
from .shape import Schema, required
from .text import humanize, line

UNDO_KEY = "U"
"""The key for undo in every list. No action can have it."""
CHANGE_UNDO_TIME = 5.0
"""Seconds during which a change of single items can be undone. For other actions the server decides."""
ARCHIVE = Action("remove", "Archive", key="e", undo=True, many=True)
"""The default action of lists whose removals can be undone."""
ARCHIVE_FOREVER = replace(ARCHIVE, undo=False, confirm="Archive this? You can't undo it.")
"""The default action of lists whose removals can't be undone."""
MARKED_INPUTS = "remove", "change"
"""The inputs that can apply to all items that the server has marked."""
NO_REASON = "the server gave no reason"
"""The reason of a failure without a message."""
REMEMBERED_ACTIONS = 50
"""The number of sent actions that are remembered. Only remembered actions can be named in messages."""
PAST_TENSES = {"Archive": "Archived", "Close": "Closed", "Delete": "Deleted", "Mark": "Marked", "Remove": "Removed"}
"""The past tenses of common names' first words."""


@dataclass(eq=False)
class SentAction:
    """An action on items that was sent."""

    action: Action
    items: list[Any]
    marks: Mapping[str, Any] | None = None
    """The server's marks, if the action is for all marked items. `items` then are the loaded ones of the marked items."""
    mark_again: Callable[[list[Any]], object] = lambda items: None
    """Called with the items that stay in the list after all: those of an undone action, or of a removal that the server ignored."""
    number: int = 0
    """The action's position in the order of all sent actions."""
    is_undone: bool = False
    """Whether a change has undone the action."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server has answered all of the action's calls."""

    @property
    def is_change_of_items(self) -> bool:
        """Whether the action changes single items. The server sends such changes to the source at once."""
        return self.action.input == "change" and self.action.set is not None and self.marks is None


@dataclass
class FailedEdit:
    """A failed edit whose failure isn't shown yet."""

    error: Mapping[str, Any]
    refused: list[tuple[SentAction, list[Any]]]
    """The removals that the source refused, each with its items that are back in the list. Empty if the edit wasn't a removal."""

    @property
    def input(self) -> str:
        return str(self.error["trigger"])


class ItemActions:
    """The actions of a list.

    - Every action is sent at once. The server delays removals and edits of marked items, so that they can be undone.
    - A change of single items is undone by another change, to the items as they were before.
    - The newest action is undone first.

    `listed` returns the list's items. `on_undo` is called with the first item of an undone action.
    """

    def __init__(self, screen: ViewScreen, display: Display, listed: Callable[[], Sequence[Any]], on_undo: Callable[[Any], object]) -> None:
        self._screen, self._display, self._listed, self._on_undo = screen, display, listed, on_undo
        self.can_undo = "undoable" in screen.view and screen.shape.takes_nothing("undo")
        """Whether the server can undo edits."""
        default = ARCHIVE if self.can_undo else ARCHIVE_FOREVER
        if screen.shape.confirms_removal:
            default = replace(default, confirm="")
        self.all = display.actions if display.declares_actions else [default]
        self._sent: deque[SentAction] = deque(maxlen=REMEMBERED_ACTIONS)
        """The newest sent actions except undone ones, in the order in which they were sent."""
        self._changes: list[SentAction] = []
        """The sent actions that a change can undo."""
        self._maker: SentAction | None = None
        """The action that made the server's newest undoable edit; None if something else made that edit."""
        self._failed: SentAction | None = None
        self._numbers = count(1)
        self._running: list[str] = []
        """The inputs of unanswered calls."""
        self._failures: list[FailedEdit] = []
        """Failures that aren't shown yet."""
        self.listed_before: Sequence[Any] = ()
        """The list's items before their latest change."""
        self._undoing = asyncio.Lock()

    # Undoing

    @property
    def hint(self) -> tuple[str, str]:
        """The newest action, and the key that undoes it. Both are empty if nothing can be undone."""
        if change := self._newest_change():
            return self._past_tense(change), f"{UNDO_KEY} undo"
        if (edit := self._undoable) is not None:
            return self._described(edit), f"{UNDO_KEY} undo"
        return "", "T tries that again" if self._can_repeat else ""

    @property
    def _undoable(self) -> Mapping[str, Any] | None:
        """The newest edit that the server can undo."""
        edit = self._screen.view["undoable"] if self.can_undo else None
        return edit if isinstance(edit, Mapping) else None

    def undoable_changed(self) -> None:
        """Called when the server's state `undoable` has changed."""
        edit = self._undoable
        self._maker = next((sent for sent in reversed(self._sent) if self._made(sent, edit)), None) if edit is not None else None

    def _made(self, sent: SentAction, edit: Mapping[str, Any]) -> bool:
        """Whether an action made an edit. An action on several items without the server's marks makes a separate edit of each item."""
        ids, marks = edit.get("except" if edit.get("all") else "ids"), sent.marks
        if sent.action.input != edit.get("input") or not isinstance(ids, Sequence):
            return False
        keys, marked = {*map(id_key, ids)}, {*map(id_key, marks["ids"])} if marks is not None else set()
        if edit.get("all"):
            return marks is not None and bool(marks["all"]) and keys == marked
        return bool(keys) and keys <= {self._key(item) for item in sent.items} | (marked if marks is not None and not marks["all"] else set())

    def _newest_change(self) -> SentAction | None:
        """The newest action that another change can undo. None if the server can undo something newer."""
        change = self._changes[-1] if self._changes else None
        if change is None or self._undoable is None:
            return change
        if self._maker is None or self._maker is change:
            return None
        return change if self._maker.number < change.number else None

    @property
    def _unanswered(self) -> SentAction | None:
        """The newest action, if the server will be able to undo it. None once the server has answered the action or
        lists its edit as undoable."""
        sent = self._sent[-1] if self._sent and self.can_undo else None
        if sent is None or not sent.action.undo or sent.is_change_of_items or sent is self._maker:
            return None
        return None if sent.answered.is_set() else sent

    async def undo(self) -> None:
        """Undoes the newest action. Actions that the user performs while this waits for the server aren't undone."""
        last = self._sent[-1].number if self._sent else 0
        async with self._undoing:
            if (unanswered := self._unanswered) is not None and unanswered.number <= last:
                await unanswered.answered.wait()
            change = self._newest_change()
            newest = change or self._maker
            if newest is not None and newest.number > last:
                return
            if change is not None:
                await self._undo_change(change)
            elif self._undoable is not None:
                await self._undo_edits(self._maker)

    async def _undo_change(self, change: SentAction) -> None:
        """Changes items back."""
        change.is_undone = True
        self._forget(change)
        items = [*change.items]
        outcomes = await self._call_all("change", [{"item": _changed_back(change, *one)} for one in zip(items, self._current(items))])
        reasons = [self._reason(change, outcome) for outcome in outcomes]
        # Items whose change was refused are unchanged, so they need no undo.
        failed = [(item, why) for item, why in zip(items, reasons) if why and item in change.items]
        if failed:
            name = self._named(SentAction(change.action, [item for item, _ in failed]))
            self._screen.app.show_error(f"Undo failed for {name}: {failed[-1][1]}")
        self._show_failures()
        change.mark_again(items)
        self._on_undo(items[0])

    async def _call_all(self, input: str, params: list[dict[str, Any]]) -> list[object]:
        """Calls an input once for each of `params`, in order. Returns the outcomes; a failed call has its error instead."""
        self._running.append(input)
        try:
            return await asyncio.gather(*(self._screen.view.call(input, **one) for one in params), return_exceptions=True)
        finally:
            self._running.remove(input)

    def _current(self, items: list[Any]) -> list[Any]:
        """Returns the listed versions of some items. Items that aren't listed stay unchanged."""
        wanted = {*map(self._key, items)}
        listed = {key: item for item in held_rows(self._listed()) if item is not None and (key := self._key(item)) in wanted}
        return [listed.get(self._key(item), item) for item in items]

    async def _undo_edits(self, sent: SentAction | None) -> None:
        """Lets the server undo its newest edit, and all others that the same action made."""
        for _ in sent.items if sent is not None and sent.marks is None else [None]:
            if isinstance(await self._screen.call("undo"), nagare.NagareError):
                return
            if self._undoable is None or self._maker is not sent:
                break
        if sent is None:
            return
        # Items whose undo time had expired stay removed.
        back = self._listed_again(sent.items) if sent.action.input == "remove" else [*sent.items]
        self._forget_items(sent, back)
        sent.mark_again(back)
        self._on_undo(back[0] if back else None)

    def _forget_items(self, sent: SentAction, items: list[Any]) -> None:
        """Forgets some items of an action. Without remaining items, the action itself is forgotten."""
        sent.items = [item for item in sent.items if item not in items]
        if not sent.items:
            self._forget(sent)

    def _forget(self, sent: SentAction) -> None:
        """Forgets an action that failed or was undone."""
        if sent in self._sent:
            self._sent.remove(sent)
        self._forget_change(sent)

    def _forget_change(self, sent: SentAction) -> None:
        if sent in self._changes:
            self._changes.remove(sent)
            self._screen.app.redraw()

    def removed_keys(self) -> set[str]:
        """Returns the keys of the removed items. If such an item comes back, it doesn't count as new."""
        return {self._key(item) for sent in self._sent if sent.action.input == "remove" for item in sent.items}

    # Performing actions

    def commands(self, do: Callable[[Action], object], fits: Callable[[Action], bool] = lambda action: True) -> Iterator[Command]:
        """Yields the commands. `do` performs an action on the user's selection. `fits` is whether the selection fits the action."""
        yield from self.undo_commands()
        for action in self.all:
            if self._screen.has_input(action.input) and fits(action):
                keys = (action.key,) if action.key and action.key != UNDO_KEY else ()
                name = " ".join(part for part in (action.icon, action.name) if part)
                yield Command(keys, name, lambda action=action: do(action))  # type: ignore[misc]

    def undo_commands(self) -> Iterator[Command]:
        """Yields the commands that undo or repeat an action."""
        if self._undoable is not None or self._changes or self._unanswered is not None:
            yield Command((UNDO_KEY,), "Undo", self.undo)
        if self._can_repeat:
            yield Command(("T",), "Try that again", self._repeat)

    async def perform(
        self,
        action: Action,
        items: list[Any],
        before: Callable[[], Awaitable[None]] | None = None,
        marks: Mapping[str, Any] | None = None,
        mark_again: Callable[[list[Any]], object] = lambda items: None,
    ) -> None:
        """Performs an action on items, or on all marked items, after its confirmation and `before`.

        - `mark_again` is called with items that stay in the list after all.
        """
        screen = self._screen
        if not (items or marks) or (action.confirm and await screen.app.answer(Confirm(action.confirm)) is not True):
            return
        schema = screen.shape.inputs[action.input]
        if marks is not None and action.input in MARKED_INPUTS:
            await self._send(SentAction(action, items, marks))
            return
        if not items:
            return
        known = action.arguments(items[0], schema, self._display.id)
        missing = [name for name in required(schema) if name not in known]
        if missing:
            screen.app.push(self._form(action, items, schema, missing))
            return
        await self._send(SentAction(action, items, mark_again=mark_again), before)

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

    async def _send(self, sent: SentAction, before: Callable[[], Awaitable[None]] | None = None) -> None:
        """Sends an action after `before`. If it fails, shows the reason."""
        self._failed = None
        sent.number = next(self._numbers)
        self._sent.append(sent)
        if sent.action.undo and sent.is_change_of_items:
            self._changes.append(sent)
            self._screen.app.call_later(CHANGE_UNDO_TIME, lambda: self._forget_change(sent))
        input = sent.action.input
        params = self._params(sent)
        try:
            if before is not None:
                await before()
            outcomes = await self._call_all(input, params)
        finally:
            sent.answered.set()
        reasons = [self._reason(sent, outcome) for outcome in outcomes]
        if reason := next((reason for reason in reversed(reasons) if reason), ""):
            failed = sent.items if sent.marks is not None else [item for item, why in zip(sent.items, reasons) if why]
            sent.items = [item for item, why in zip(sent.items, reasons) if not why] if sent.marks is None else []
            if not sent.items:
                self._forget(sent)
            if not sent.is_undone:
                self._fail(SentAction(sent.action, failed, sent.marks), reason)
        elif sent.marks is not None and input != "remove":
            self._screen.send("unmark", all=True)
        if input == "remove":
            self._keep_ignored(sent, outcomes)
        self._show_failures()

    def _keep_ignored(self, sent: SentAction, outcomes: Sequence[object]) -> None:
        """Forgets the items that the server didn't remove, because the user declined, or still had to confirm another removal."""
        if sent.marks is not None:
            ignored = sent.items if outcomes == ["nothing"] else []
        else:
            ignored = [item for item, outcome in zip(sent.items, outcomes) if outcome == "nothing"]
        if kept := self._listed_again(ignored):
            self._forget_items(sent, kept)
            sent.mark_again(kept)

    def _params(self, sent: SentAction) -> list[dict[str, Any]]:
        """Returns the parameters of an action's calls."""
        action, schema = sent.action, self._screen.shape.inputs[sent.action.input]
        if sent.marks is not None:
            return [{"marked": True, **({} if action.set is None else {"set": action.set})}]
        return [action.arguments(item, schema, self._display.id) for item in sent.items]

    def _reason(self, sent: SentAction, outcome: object) -> str:
        """Returns the reason for a failed call; empty if the call didn't fail."""
        if outcome == "failed":
            error = self._error_of(sent)
            return _message(error) if error is not None else NO_REASON
        if isinstance(outcome, nagare.NoSuchView):
            return ""  # The server has closed the view.
        if isinstance(outcome, nagare.InvalidParams) and sent.action.input == "remove" and sent.marks is None:
            return ""  # The item is removed already.
        if isinstance(outcome, nagare.ResponseError):
            return line(outcome.message) or NO_REASON
        if isinstance(outcome, nagare.NagareError):
            return "the server has ended"
        return f"it can't be sent: {short_reason(outcome)}" if isinstance(outcome, Exception) else ""

    def _error_of(self, sent: SentAction) -> Mapping[str, Any] | None:
        """Returns the error of an action's failed call."""
        input = sent.action.input
        for failure in self._failures:
            if failure.input == input and (not failure.refused or any(one is sent for one, _ in failure.refused)):
                failure.refused = [(one, items) for one, items in failure.refused if one is not sent]
                if not failure.refused:
                    self._failures.remove(failure)
                return failure.error
        error = self._screen.error
        return error if error is not None and error.get("trigger") in (None, input) else None

    # Failures

    def server_gone(self) -> None:
        """Shows the action that could still be undone, because the server may not have sent it to the source before it died."""
        if (edit := self._undoable) is not None:
            self._screen.app.show_error(f"May not be done: {self._described(edit)}. The server has ended.")

    def edit_failed(self, error: Mapping[str, Any]) -> None:
        """Shows the reason for a failed edit. While a call of the same input is unanswered, waits for its answer: the
        failure may belong to it."""
        self._failures.append(FailedEdit(error, self._refused_removals() if error["trigger"] == "remove" else []))
        self._show_failures()

    def _refused_removals(self) -> list[tuple[SentAction, list[Any]]]:
        """Returns the removals whose items came back with the list's latest change, because the list changes together
        with the failure.

        Items that were in the list before that change, for example after a refresh, don't count.
        """
        back = self._keys(self._listed()) - self._keys(self.listed_before)
        removals = ((sent, [item for item in sent.items if self._key(item) in back]) for sent in self._sent if sent.action.input == "remove")
        return [(sent, items) for sent, items in removals if items]

    def _show_failures(self) -> None:
        """Shows the failures that belong to no call. Most of them are edits that the source refused after their undo time."""
        shown = [failure for failure in self._failures if failure.input not in self._running]
        self._failures = [failure for failure in self._failures if failure.input in self._running]
        for failure in shown:
            reason = _message(failure.error)
            for sent, back in failure.refused:
                if len(back) < len(sent.items):
                    sent.marks = None  # The source received a separate request for each marked item.
                self._forget_items(sent, back)
                self._fail(SentAction(sent.action, back, sent.marks), reason)
            # A source that edits marked items one by one may refuse each of them, but the reason is shown only once.
            if not failure.refused and reason not in (message for message, _ in self._screen.app.toasts):
                self._screen.app.show_error(reason)

    def _listed_again(self, items: list[Any]) -> list[Any]:
        """Returns those of the items that are listed."""
        listed = self._keys(self._listed()) if items else set()
        return [item for item in items if self._key(item) in listed]

    def _keys(self, listed: Sequence[Any]) -> set[str]:
        return {self._key(item) for item in held_rows(listed) if item is not None}

    def _fail(self, failed: SentAction, reason: str) -> None:
        """Shows the reason for a failed action. The user can repeat it, together with earlier failures."""
        name = self._named(failed)
        is_removal, verb = failed.action.input == "remove", "was" if len(failed.items) == 1 else "were"
        self._screen.app.show_error(f"{name} {verb} restored: {reason}" if is_removal else f"{failed.action.name} failed for {name}: {reason}")
        before = self._failed
        if before is not None and before.action is failed.action and before.marks is failed.marks is None:
            failed.items = [*before.items, *failed.items]
        self._failed = failed

    @property
    def _can_repeat(self) -> bool:
        """Whether the failed action can be repeated. If it was for all marked items, the same items must be marked."""
        failed = self._failed
        return failed is not None and (failed.marks is None or failed.marks == marks_state(self._screen))

    async def _repeat(self) -> None:
        if (failed := self._failed) is not None:
            await self._send(replace(failed, items=self._current(failed.items)))

    # Names

    def _described(self, edit: Mapping[str, Any]) -> str:
        """Describes an edit that the server can undo. If this list sent it, the description names the action."""
        if self._maker is not None:
            return self._past_tense(self._maker)
        input, count = edit.get("input"), edit.get("count")
        name = humanize(input) if isinstance(input, str) else ""
        did = {"Remove": "Removed", "Change": "Changed", "": "Edited"}.get(name, f"{name}:")
        is_known = edit.get("all") or (isinstance(count, int) and count > 0)
        return f"{did} {_counted(count) if is_known else 'items'}"

    def _past_tense(self, sent: SentAction) -> str:
        """Describes a sent action. Some names have no known past tense."""
        name = sent.action.name
        if name in PAST_TENSES:
            return f"{PAST_TENSES[name]} {self._named(sent)}"
        word, space, rest = name.partition(" ")
        return f"{PAST_TENSES.get(word, word)}{space}{rest}: {self._named(sent)}"

    def _named(self, sent: SentAction) -> str:
        count = len(sent.items) if sent.marks is None else sent.marks["count"]
        if count == 1 and sent.items:
            return f"“{self._display.title(sent.items[0])}”"
        return _counted(count)

    def _key(self, item: Any) -> str:
        return item_key(item, self._display.id)


def _message(error: Mapping[str, Any]) -> str:
    return line(error.get("message")) or NO_REASON


def _changed_back(change: SentAction, before: Any, now: Any) -> Any:
    """Returns an item with the changed fields as they were before. Other fields keep their current values."""
    if not isinstance(before, Mapping) or not isinstance(now, Mapping):
        return before
    changed = change.action.set or {}
    # The list's version of an item may lack fields that a detail has.
    kept = {name: value for name, value in {**before, **now}.items() if name not in changed}
    return {name: before[name] if name in changed else kept[name] for name in {**before, **kept}}


def _counted(count: Any) -> str:
    return f"{count:,} {'item' if count == 1 else 'items'}" if isinstance(count, int) else "all items"
