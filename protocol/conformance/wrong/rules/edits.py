"""Section 4.6: edits of marked items."""

from __future__ import annotations

from typing import Any

from .marks import AcceptsRefused, is_marks
from .rule import DropsOutput, Message, Rule, notification, with_sources


class _ChangesEdits(Rule):
    """Changes the edits that are sent to the source."""

    section = "4.6"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") in ("source/change", "source/remove"):
            self.change(message["params"])
        return [message]

    def change(self, params: dict[str, Any]) -> None:
        """Changes the params of the request in place."""


class AcceptsWrongEdits(AcceptsRefused):
    """Accepts an edit that names neither an item nor all marked items."""

    transcript = "4.6-marks/marking.txt::wrong-edits"


class FinishesEmptyEdits(Rule):
    """Sends the outcome `finished`, not `nothing`, if no items are marked."""

    section, transcript = "4.6", "4.6-marks/edits.txt::nothing-is-marked"

    def sends(self, message: Message) -> list[Message]:
        if message.get("result") == {"outcome": "nothing"}:
            message["result"]["outcome"] = "finished"
        return [message]


class EditsMarksTogether(Rule):
    """Sends one request for all marked items to a source that doesn't support this."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-one-by-one"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, writes=["change", "remove", "marked"])


class EditsMarksOneByOne(Rule):
    """Sends a request for each marked item to a source that supports one request for all."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-as-one"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, writes=["change", "remove"])


class MergesNestedObjects(_ChangesEdits):
    """Merges an object of `set` into the item's object, instead of replacing it."""

    transcript = "4.6-marks/edits.txt::changed-one-by-one"

    def change(self, params: dict[str, Any]) -> None:
        if params["item"].get("at") == {"x": 3}:
            params["item"]["at"]["y"] = 2


class LosesOtherFields(_ChangesEdits):
    """Drops fields of an item that `set` doesn't contain."""

    transcript = "4.6-marks/edits.txt::changed-as-one"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            for item in (item for splice in message["params"]["splices"] for item in splice["items"]):
                if item.get("n") == 0:
                    del item["n"]
        return [message]


class EditsOnlyLoadedItems(AcceptsRefused):
    """Accepts an edit though some items aren't loaded and the source edits them one by one."""

    transcript = "4.6-marks/edits.txt::all-with-unloaded-rows"


class EditsOnlyLoadedRowsOfAWindow(AcceptsRefused):
    """Accepts an edit though some of the window's rows aren't loaded and the source edits them one by one."""

    transcript = "4.6-marks/windows.txt::edited-one-by-one"


class OmitsMarksAfterRemovals(DropsOutput):
    """Doesn't send `marks` after the removal of all marked items."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-by-the-list"

    def drops(self, message: Message) -> bool:
        return is_marks(message, 0)


class UnmarksChangedItems(Rule):
    """Unmarks the items that an edit changes."""

    section, transcript = "4.6", "4.6-marks/edits.txt::changed-by-the-list"

    def sends(self, message: Message) -> list[Message]:
        is_change = message.get("method") == "items" and message["params"]["splices"][0]["deleteCount"] == 2
        return [message, notification("marks", "v", {"count": 0, "all": False, "ids": []})] if is_change else [message]


class LosesMarksOfRefusedRemovals(DropsOutput):
    """Doesn't restore the marks of items that return after a refused removal."""

    section, transcript = "4.6", "4.6-marks/edits.txt::refused-as-one"

    def drops(self, message: Message) -> bool:
        return is_marks(message, 3)


class RestoresClearedMarks(Rule):
    """Restores marks after a refused removal, though the user has cleared the marks since."""

    section, transcript = "4.6", "4.6-marks/edits.txt::refused-and-marked-otherwise"

    def __init__(self) -> None:
        self.refused = False

    def sends(self, message: Message) -> list[Message]:
        self.refused = self.refused or message.get("method") == "error"
        is_back = self.refused and message.get("method") == "state"
        marks = {"count": 2, "all": False, "ids": ["a", "b"]}
        return [message, notification("marks", "v", marks)] if is_back else [message]


class RemovesExceptions(_ChangesEdits):
    """Omits the exceptions from a removal of all items."""

    transcript = "4.6-marks/edits.txt::all-removed-as-one"

    def change(self, params: dict[str, Any]) -> None:
        params["except"] = []


class EditsOtherCriteria(_ChangesEdits):
    """Omits the query and the filters from an edit of all items."""

    transcript = "4.6-marks/edits.txt::all-changed-as-one"

    def change(self, params: dict[str, Any]) -> None:
        params.pop("query", None)
        params.pop("filters", None)


class SendsOnlyLoadedIds(_ChangesEdits):
    """Omits unloaded items from an edit of the marked items."""

    transcript = "4.6-marks/windows.txt::some-that-arent-loaded"

    def change(self, params: dict[str, Any]) -> None:
        if "ids" in params:
            params["ids"] = params["ids"][:1]


class ConfirmsTwice(Rule):
    """Asks the user more than once to confirm a removal."""

    section, transcript = "4.6", "4.6-marks/edits.txt::confirmed"

    def sends(self, message: Message) -> list[Message]:
        is_question = message.get("method") == "present"
        return [message, {**message, "id": 99}] if is_question else [message]


class ListsRemovedRows(DropsOutput):
    """Lists a window's removed rows until the source has answered."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-removed"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "items" and message["params"]["count"] < 3


class NeverReloadsAfterRemovals(DropsOutput):
    """Doesn't reload a window after all its rows were removed."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-removed"

    def __init__(self) -> None:
        self.removed = False

    def drops(self, message: Message) -> bool:
        self.removed = self.removed or message.get("method") == "source/remove"
        return self.removed and message.get("method") == "source/page"


class LosesRowsOfRefusedRemovals(DropsOutput):
    """Doesn't restore a window's rows after the source has refused their removal."""

    section, transcript = "4.6", "4.6-marks/windows.txt::a-refused-removal-of-all"

    def __init__(self) -> None:
        self.removed = False

    def drops(self, message: Message) -> bool:
        self.removed = self.removed or message.get("method") == "source/remove"
        return self.removed and message.get("method") == "items" and message["params"]["count"] == 1000


class LeavesLatePagesUnedited(Rule):
    """Lists a page that arrives before the source's answer without the edit."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-changed"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            for item in (item for splice in message["params"]["splices"] for item in splice["items"] if item):
                if item["id"] >= 500:
                    item["n"] = 1
        return [message]
