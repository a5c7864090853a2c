"""Section 4.6: marks."""

from __future__ import annotations

from typing import Any

from .rule import ChangesInput, DropsOutput, Message, Rule, notification


def is_marks(message: Message, count: int | None) -> bool:
    """Whether the message is the output `marks` with this count."""
    return message.get("method") == "marks" and message["params"]["value"]["count"] == count


class _ChangesMarks(Rule):
    """Changes the output `marks`."""

    section = "4.6"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "marks":
            self.change(message["params"]["value"])
        return [message]

    def change(self, marks: dict[str, Any]) -> None:
        """Changes the value in place."""


class _OmitsMarks(DropsOutput):
    """Doesn't send `marks` if `count` items are marked."""

    section = "4.6"
    count = 0

    def drops(self, message: Message) -> bool:
        return is_marks(message, self.count)


class AcceptsRefused(Rule):
    """Accepts requests that should be refused."""

    section = "4.6"

    def sends(self, message: Message) -> list[Message]:
        is_refusal = "id" in message and "error" in message
        return [{"jsonrpc": "2.0", "id": message["id"], "result": {}}] if is_refusal else [message]


class SendsMarksForAllScreens(Rule):
    """Sends `marks` for a screen that doesn't have them."""

    section, transcript = "4.6", "4.6-marks/marking.txt::opening"

    def sends(self, message: Message) -> list[Message]:
        if message.get("id") == 2:
            message["result"]["outputs"]["marks"] = {"value": {"count": 0, "all": False, "ids": []}}
        return [message]


class SortsMarks(_ChangesMarks):
    """Sorts the marked ids, instead of sending them in the order of marking."""

    transcript = "4.6-marks/marking.txt::one-by-one"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"].sort()


class RepeatsMarks(Rule):
    """Sends `marks` though they are unchanged."""

    section, transcript = "4.6", "4.6-marks/marking.txt::twice"

    def __init__(self) -> None:
        self.last: Any = None

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "marks":
            self.last = message["params"]["value"]
            return []
        is_over = self.last is not None and message.get("result") == {}
        return [notification("marks", "v", self.last), message] if is_over else [message]


class OmitsTheEndOfARange(_ChangesMarks):
    """Doesn't mark the last item of a range."""

    transcript = "4.6-marks/marking.txt::a-range"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"] = marks["ids"][:-1]
        marks["count"] = len(marks["ids"])


class IgnoresReversedRanges(ChangesInput):
    """Marks only the item `from` of a range."""

    section, transcript = "4.6", "4.6-marks/marking.txt::a-range-the-other-way"

    def received(self, message: Message) -> list[Message]:
        if message.get("method") == "mark" and "from" in message["params"]:
            message["params"] = {"id": message["params"]["from"]}
        return [message]


class CountsMarksOfUnloadedPages(_ChangesMarks):
    """Sends the number of marked items though the number of all items isn't known."""

    transcript = "4.6-marks/marking.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        marks["count"] = 5 - len(marks["ids"]) if marks["count"] is None else marks["count"]


class OmitsExceptions(_ChangesMarks):
    """Omits the exceptions if all items are marked."""

    transcript = "4.6-marks/marking.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"] = [] if marks["all"] else marks["ids"]


class LeavesNewItemsUnmarked(_ChangesMarks):
    """Leaves a new item unmarked while all items are marked."""

    transcript = "4.6-marks/marking.txt::an-item-that-arrives"

    def change(self, marks: dict[str, Any]) -> None:
        if marks["count"] == 6:
            marks["count"], marks["ids"] = 5, ["new"]


class KeepsMarksAfterReportedRemovals(_OmitsMarks):
    """Keeps the mark of an item after the source reports its removal."""

    transcript, count = "4.6-marks/marking.txt::an-item-that-is-removed-by-the-source", 2


class UnmarksMovedItems(Rule):
    """Unmarks an item that moves."""

    section, transcript = "4.6", "4.6-marks/marking.txt::an-item-that-moves"

    def sends(self, message: Message) -> list[Message]:
        moves = message.get("method") == "items" and len(message["params"]["splices"]) == 2
        return [message, notification("marks", "v", {"count": 0, "all": False, "ids": []})] if moves else [message]


class KeepsMarksOfRemovedItems(_OmitsMarks):
    """Keeps the mark of an item that the user removes."""

    transcript, count = "4.6-marks/marking.txt::a-removal", 1


class LosesRestoredExceptions(_ChangesMarks):
    """Marks an exception after a refused removal has put it back."""

    transcript = "4.6-marks/marking.txt::a-removal-of-an-exception"

    def __init__(self) -> None:
        self.removed = False

    def change(self, marks: dict[str, Any]) -> None:
        if self.removed:
            marks["ids"] = []

    def answers(self, message: Message) -> list[Message]:
        self.removed = self.removed or message.get("method") == "remove"
        return []


class MarksReturningItems(Rule):
    """Marks an item that was marked, was removed, and is inserted again."""

    section, transcript = "4.6", "4.6-marks/marking.txt::a-removal-that-is-made"

    def __init__(self) -> None:
        self.removed = False

    def answers(self, message: Message) -> list[Message]:
        self.removed = self.removed or message.get("method") == "source/changed"
        return []

    def sends(self, message: Message) -> list[Message]:
        is_back = self.removed and message.get("method") == "state"
        return [message, notification("marks", "v", {"count": 1, "all": False, "ids": ["a"]})] if is_back else [message]


class KeepsMarksOfOldFilters(_OmitsMarks):
    """Keeps the marks when the filters change."""

    transcript = "4.6-marks/marking.txt::a-filter"


class KeepsMarksOfOldQueries(_OmitsMarks):
    """Keeps the marks when the query changes."""

    transcript = "4.6-marks/marking.txt::a-search"


class KeepsMarksAfterRefresh(_OmitsMarks):
    """Keeps the marks after a refresh has emptied the list."""

    transcript = "4.6-marks/marking.txt::a-refresh"


class MarksUnlistedItems(AcceptsRefused):
    """Accepts the id of an item that isn't listed."""

    transcript = "4.6-marks/marking.txt::not-listed"


class AcceptsWrongCombinations(AcceptsRefused):
    """Accepts an id together with a range or with `all`."""

    transcript = "4.6-marks/marking.txt::wrong-combinations"


class UnmarksEvictedRows(_ChangesMarks):
    """Unmarks a row that is evicted."""

    transcript = "4.6-marks/windows.txt::evicted"

    def change(self, marks: dict[str, Any]) -> None:
        if 500 in marks["ids"]:
            marks["ids"], marks["count"] = [500], 1


class NeverUnmarksUnloadedRows(ChangesInput):
    """Doesn't unmark a row that isn't loaded."""

    section, transcript = "4.6", "4.6-marks/windows.txt::unmarked"

    def received(self, message: Message) -> list[Message]:
        if message.get("method") == "unmark":
            message["params"] = {"id": 500}
        return [message]


class KeepsMarksOfRemovedUnloadedRows(_OmitsMarks):
    """Keeps the mark of an unloaded row after the source reports its removal."""

    transcript = "4.6-marks/windows.txt::gone"


class MarksUnloadedRanges(AcceptsRefused):
    """Accepts a range that contains unloaded rows."""

    transcript = "4.6-marks/windows.txt::a-range-with-unloaded-rows"


class CountsEstimatedMarks(_ChangesMarks):
    """Sends the number of marked items though the number of all items is estimated."""

    transcript = "4.6-marks/windows.txt::an-estimate"

    def change(self, marks: dict[str, Any]) -> None:
        marks["count"] = 1000 if marks["count"] is None else marks["count"]


class CountsOnlyLoadedMarks(_ChangesMarks):
    """Counts only loaded rows if all items are marked."""

    transcript = "4.6-marks/windows.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        if marks["all"]:
            marks["count"] = 2 - len(marks["ids"])
