"""Section 4.6: edits of all that is marked."""

from __future__ import annotations

from typing import Any

from .marks import Lenient, is_marks
from .rule import Message, Rule, Swallowing, notification, with_sources


class _Asking(Rule):
    """Asks the source for something else."""

    section = "4.6"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") in ("source/change", "source/remove"):
            self.change(message["params"])
        return [message]

    def change(self, params: dict[str, Any]) -> None:
        """Changes what is asked."""


class EditsNothingInParticular(Lenient):
    """Takes an edit that is for no item, and for nothing that is marked."""

    transcript = "4.6-marks/marking.txt::wrong-edits"


class EditsNothingAtLength(Rule):
    """Says that an edit of nothing has been made."""

    section, transcript = "4.6", "4.6-marks/edits.txt::nothing-is-marked"

    def says(self, message: Message) -> list[Message]:
        if message.get("result") == {"outcome": "nothing"}:
            message["result"]["outcome"] = "finished"
        return [message]


class EditsAsOneWhoeverItIs(Rule):
    """Asks a source for edits of many that takes none."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-one-by-one"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, writes=["change", "remove", "marked"])


class EditsOneByOneWhoeverItIs(Rule):
    """Asks a source for each item that takes edits of many."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-as-one"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, writes=["change", "remove"])


class MergesMembers(_Asking):
    """Puts the members of an object into the item's own, and not in its place."""

    transcript = "4.6-marks/edits.txt::changed-one-by-one"

    def change(self, params: dict[str, Any]) -> None:
        if params["item"].get("at") == {"x": 3}:
            params["item"]["at"]["y"] = 2


class ForgetsOtherMembers(_Asking):
    """Takes the members of an item that aren't named."""

    transcript = "4.6-marks/edits.txt::changed-as-one"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            for item in (item for splice in message["params"]["splices"] for item in splice["items"]):
                if item.get("n") == 0:
                    del item["n"]
        return [message]


class EditsOnlyWhatIsRead(Lenient):
    """Takes an edit one by one where some of the items aren't read."""

    transcript = "4.6-marks/edits.txt::all-with-unloaded-rows"


class EditsOnlyWhatIsReadInAWindow(Lenient):
    """Takes an edit one by one where some of a window's rows aren't read."""

    transcript = "4.6-marks/windows.txt::edited-one-by-one"


class MarksWhatIsRemoved(Swallowing):
    """Doesn't say that nothing is marked after a removal."""

    section, transcript = "4.6", "4.6-marks/edits.txt::removed-by-the-list"

    def swallows(self, message: Message) -> bool:
        return is_marks(message, 0)


class UnmarksWhatIsChanged(Rule):
    """Takes the marks of what is changed."""

    section, transcript = "4.6", "4.6-marks/edits.txt::changed-by-the-list"

    def says(self, message: Message) -> list[Message]:
        is_change = message.get("method") == "items" and message["params"]["splices"][0]["deleteCount"] == 2
        return [message, notification("marks", "v", {"count": 0, "all": False, "ids": []})] if is_change else [message]


class BringsNoMarksBack(Swallowing):
    """Leaves unmarked what a refusal brings back."""

    section, transcript = "4.6", "4.6-marks/edits.txt::refused-as-one"

    def swallows(self, message: Message) -> bool:
        return is_marks(message, 3)


class BringsClearedMarksBack(Rule):
    """Marks again what a refusal brings back, though the user has unmarked all."""

    section, transcript = "4.6", "4.6-marks/edits.txt::refused-and-marked-otherwise"

    def __init__(self) -> None:
        self.refused = False

    def says(self, message: Message) -> list[Message]:
        self.refused = self.refused or message.get("method") == "error"
        is_back = self.refused and message.get("method") == "state"
        marks = {"count": 2, "all": False, "ids": ["a", "b"]}
        return [message, notification("marks", "v", marks)] if is_back else [message]


class NamesNoExceptions(_Asking):
    """Has the source remove what isn't marked, too."""

    transcript = "4.6-marks/edits.txt::all-removed-as-one"

    def change(self, params: dict[str, Any]) -> None:
        params["except"] = []


class ForgetsWhatIsLookedFor(_Asking):
    """Has the source change whatever it has, and not what is looked for."""

    transcript = "4.6-marks/edits.txt::all-changed-as-one"

    def change(self, params: dict[str, Any]) -> None:
        params.pop("query", None)
        params.pop("filters", None)


class NamesOnlyWhatIsRead(_Asking):
    """Names but those of the marked items that are read."""

    transcript = "4.6-marks/windows.txt::some-that-arent-loaded"

    def change(self, params: dict[str, Any]) -> None:
        if "ids" in params:
            params["ids"] = params["ids"][:1]


class ConfirmsEach(Rule):
    """Asks the user more than once."""

    section, transcript = "4.6", "4.6-marks/edits.txt::confirmed"

    def says(self, message: Message) -> list[Message]:
        is_question = message.get("method") == "present"
        return [message, {**message, "id": 99}] if is_question else [message]


class KeepsRowsThatAreRemoved(Swallowing):
    """Lists a window's rows until the source has removed them all."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-removed"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "items" and message["params"]["count"] < 3


class ReadsNothingAgain(Swallowing):
    """Doesn't read a window again whose rows were removed."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-removed"

    def __init__(self) -> None:
        self.removed = False

    def swallows(self, message: Message) -> bool:
        self.removed = self.removed or message.get("method") == "source/remove"
        return self.removed and message.get("method") == "source/page"


class LosesRowsThatWereKept(Swallowing):
    """Doesn't bring a window's rows back that the source keeps."""

    section, transcript = "4.6", "4.6-marks/windows.txt::a-refused-removal-of-all"

    def __init__(self) -> None:
        self.removed = False

    def swallows(self, message: Message) -> bool:
        self.removed = self.removed or message.get("method") == "source/remove"
        return self.removed and message.get("method") == "items" and message["params"]["count"] == 1000


class LeavesLatePagesUnchanged(Rule):
    """Lists pages that come before the answer as they are."""

    section, transcript = "4.6", "4.6-marks/windows.txt::all-changed"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            for item in (item for splice in message["params"]["splices"] for item in splice["items"] if item):
                if item["id"] >= 500:
                    item["n"] = 1
        return [message]
