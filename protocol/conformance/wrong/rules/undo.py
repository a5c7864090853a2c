"""Section 5.1: edits that can be undone, and pending edits."""

from __future__ import annotations

from .rule import ChangesInput, DropsOutput, Message, Rule, with_screens


class SendsUndoableEdits(Rule):
    """Sends an edit to the source while it can still be undone."""

    section, transcript = "5.1", "5.1-list/undo.txt::a-removal"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, undo=0)


class SendsUndoableEditsEarly(Rule):
    """Sends an edit to the source a second before the time to undo it is over."""

    section, transcript = "5.1", "5.1-list/undo.txt::newest-first"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, undo=4000)


class IgnoresUndo(ChangesInput):
    """Ignores `undo`."""

    section, transcript = "5.1", "5.1-list/undo.txt::undone"

    def received(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "undo" else [message]


class KeepsUndoable(DropsOutput):
    """Doesn't send `undoable` as null when nothing can be undone any more."""

    section, transcript = "5.1", "5.1-list/undo.txt::refused"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "undoable" and message["params"]["value"] is None


class LosesUndoableEdits(DropsOutput):
    """Doesn't send an undoable edit to the source when the view closes."""

    section, transcript = "5.1", "5.1-list/undo.txt::closing"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/remove"


class DelaysAnswersOfUndoableEdits(DropsOutput):
    """Doesn't answer a call with `wait` while its edit can still be undone."""

    section, transcript = "5.1", "5.1-list/undo.txt::a-call-that-waits"

    def drops(self, message: Message) -> bool:
        return message.get("result") == {"outcome": "finished"}


class SortsPending(Rule):
    """Sorts `pending` by id, not by the order of the edits."""

    section, transcript = "5.1", "5.1-list/pending.txt::several"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "pending":
            message["params"]["value"].sort(key=lambda item: item["id"])
        return [message]


class NeverEmptiesPending(DropsOutput):
    """Doesn't send `pending` when the last edit has finished."""

    section, transcript = "5.1", "5.1-list/pending.txt::an-insertion"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "pending" and message["params"]["value"] == []
