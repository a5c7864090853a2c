"""Section 5.1: edits that can be undone, and those that aren't finished."""

from __future__ import annotations

from .rule import Message, Mishearing, Rule, Swallowing, with_screens


class AsksAtOnce(Rule):
    """Asks the source although the edit can still be undone."""

    section, transcript = "5.1", "5.1-list/undo.txt::a-removal"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, undo=0)


class HoldsForAnotherTime(Rule):
    """Asks the source before the time is over."""

    section, transcript = "5.1", "5.1-list/undo.txt::newest-first"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, undo=4000)


class ForgetsToUndo(Mishearing):
    """Undoes nothing."""

    section, transcript = "5.1", "5.1-list/undo.txt::undone"

    def heard(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "undo" else [message]


class KeepsUndoable(Swallowing):
    """Doesn't report that nothing can be undone any more."""

    section, transcript = "5.1", "5.1-list/undo.txt::refused"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "undoable" and message["params"]["value"] is None


class LosesHeldEdits(Swallowing):
    """Doesn't ask the source when the view closes."""

    section, transcript = "5.1", "5.1-list/undo.txt::closing"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/remove"


class HoldsTheCall(Swallowing):
    """Keeps a call waiting until its edit can't be undone any more."""

    section, transcript = "5.1", "5.1-list/undo.txt::a-call-that-waits"

    def swallows(self, message: Message) -> bool:
        return message.get("result") == {"outcome": "finished"}


class PendingWithoutOrder(Rule):
    """Lists the items whose edits aren't finished in another order."""

    section, transcript = "5.1", "5.1-list/pending.txt::several"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "pending":
            message["params"]["value"].sort(key=lambda item: item["id"])
        return [message]


class NeverFinishes(Swallowing):
    """Doesn't report that an edit is finished."""

    section, transcript = "5.1", "5.1-list/pending.txt::an-insertion"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "pending" and message["params"]["value"] == []
