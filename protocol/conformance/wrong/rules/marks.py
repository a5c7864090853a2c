"""Section 4.6: what is marked."""

from __future__ import annotations

from typing import Any

from .rule import Message, Mishearing, Rule, Swallowing, notification


def is_marks(message: Message, count: int | None) -> bool:
    """Whether it says that so many are marked."""
    return message.get("method") == "marks" and message["params"]["value"]["count"] == count


class _Marks(Rule):
    """Says other marks."""

    section = "4.6"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "marks":
            self.change(message["params"]["value"])
        return [message]

    def change(self, marks: dict[str, Any]) -> None:
        """Changes what is said."""


class _Unsaid(Swallowing):
    """Doesn't say that so many are marked now."""

    section = "4.6"
    count = 0

    def swallows(self, message: Message) -> bool:
        return is_marks(message, self.count)


class Lenient(Rule):
    """Takes what it should refuse."""

    section = "4.6"

    def says(self, message: Message) -> list[Message]:
        is_refusal = "id" in message and "error" in message
        return [{"jsonrpc": "2.0", "id": message["id"], "result": {}}] if is_refusal else [message]


class MarksForEverybody(Rule):
    """Says marks in screens that don't ask for them."""

    section, transcript = "4.6", "4.6-marks/marking.txt::opening"

    def says(self, message: Message) -> list[Message]:
        if message.get("id") == 2:
            message["result"]["outputs"]["marks"] = {"value": {"count": 0, "all": False, "ids": []}}
        return [message]


class SortsMarks(_Marks):
    """Names what is marked in another order than it was marked in."""

    transcript = "4.6-marks/marking.txt::one-by-one"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"].sort()


class MarksTwice(Rule):
    """Says marks that nothing has changed."""

    section, transcript = "4.6", "4.6-marks/marking.txt::twice"

    def __init__(self) -> None:
        self.last: Any = None

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "marks":
            self.last = message["params"]["value"]
            return []
        is_over = self.last is not None and message.get("result") == {}
        return [notification("marks", "v", self.last), message] if is_over else [message]


class LeavesTheEndOfARangeOut(_Marks):
    """Doesn't mark the last item of a range."""

    transcript = "4.6-marks/marking.txt::a-range"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"] = marks["ids"][:-1]
        marks["count"] = len(marks["ids"])


class TakesRangesOneWay(Mishearing):
    """Marks but the one end of a range."""

    section, transcript = "4.6", "4.6-marks/marking.txt::a-range-the-other-way"

    def heard(self, message: Message) -> list[Message]:
        if message.get("method") == "mark" and "from" in message["params"]:
            message["params"] = {"id": message["params"]["from"]}
        return [message]


class CountsAllThatIsListed(_Marks):
    """Says how many all are before anybody knows."""

    transcript = "4.6-marks/marking.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        marks["count"] = 5 - len(marks["ids"]) if marks["count"] is None else marks["count"]


class ForgetsExceptions(_Marks):
    """Doesn't name what isn't marked where all others are."""

    transcript = "4.6-marks/marking.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        marks["ids"] = [] if marks["all"] else marks["ids"]


class LeavesNewcomersUnmarked(_Marks):
    """Doesn't mark what comes in where all are marked."""

    transcript = "4.6-marks/marking.txt::an-item-that-arrives"

    def change(self, marks: dict[str, Any]) -> None:
        if marks["count"] == 6:
            marks["count"], marks["ids"] = 5, ["new"]


class KeepsMarksOfWhatIsGone(_Unsaid):
    """Lets an item that is gone be marked."""

    transcript, count = "4.6-marks/marking.txt::an-item-that-goes", 2


class LosesMarksOfWhatMoves(Rule):
    """Takes the mark of an item that moves."""

    section, transcript = "4.6", "4.6-marks/marking.txt::an-item-that-moves"

    def says(self, message: Message) -> list[Message]:
        moves = message.get("method") == "items" and len(message["params"]["splices"]) == 2
        return [message, notification("marks", "v", {"count": 0, "all": False, "ids": []})] if moves else [message]


class KeepsMarksOfRemovals(_Unsaid):
    """Lets an item that is removed be marked."""

    transcript, count = "4.6-marks/marking.txt::a-removal", 1


class ForgetsExceptionsThatWereRemoved(_Marks):
    """Marks an exception that a refusal has brought back."""

    transcript = "4.6-marks/marking.txt::a-removal-of-an-exception"

    def __init__(self) -> None:
        self.removed = False

    def change(self, marks: dict[str, Any]) -> None:
        if self.removed:
            marks["ids"] = []

    def hears(self, message: Message) -> list[Message]:
        self.removed = self.removed or message.get("method") == "remove"
        return []


class BringsBackMarksForGood(Rule):
    """Marks an item again that was removed, and comes in anew."""

    section, transcript = "4.6", "4.6-marks/marking.txt::a-removal-that-is-made"

    def __init__(self) -> None:
        self.removed = False

    def hears(self, message: Message) -> list[Message]:
        self.removed = self.removed or message.get("method") == "source/changed"
        return []

    def says(self, message: Message) -> list[Message]:
        is_back = self.removed and message.get("method") == "state"
        return [message, notification("marks", "v", {"count": 1, "all": False, "ids": ["a"]})] if is_back else [message]


class KeepsMarksThroughFilters(_Unsaid):
    """Keeps the marks when others are filtered by."""

    transcript = "4.6-marks/marking.txt::a-filter"


class KeepsMarksThroughSearches(_Unsaid):
    """Keeps the marks when something else is looked for."""

    transcript = "4.6-marks/marking.txt::a-search"


class KeepsMarksThroughRefreshes(_Unsaid):
    """Keeps the marks of a list that was emptied."""

    transcript = "4.6-marks/marking.txt::a-refresh"


class MarksWhatIsNotListed(Lenient):
    """Takes the id of an item that isn't listed."""

    transcript = "4.6-marks/marking.txt::not-listed"


class MarksMoreThanOneThing(Lenient):
    """Takes an id beside a range."""

    transcript = "4.6-marks/marking.txt::wrong-combinations"


class LosesMarksOfUnreadRows(_Marks):
    """Takes the mark of a row that was let go."""

    transcript = "4.6-marks/windows.txt::evicted"

    def change(self, marks: dict[str, Any]) -> None:
        if 500 in marks["ids"]:
            marks["ids"], marks["count"] = [500], 1


class UnmarksWhatIsListed(Mishearing):
    """Doesn't unmark a row that isn't read."""

    section, transcript = "4.6", "4.6-marks/windows.txt::unmarked"

    def heard(self, message: Message) -> list[Message]:
        if message.get("method") == "unmark":
            message["params"] = {"id": 500}
        return [message]


class KeepsMarksOfUnreadRowsThatAreGone(_Unsaid):
    """Lets an unread row be marked of which its source says that it has gone."""

    transcript = "4.6-marks/windows.txt::gone"


class MarksUnreadRanges(Lenient):
    """Takes a range whose rows aren't all read."""

    transcript = "4.6-marks/windows.txt::a-range-with-unloaded-rows"


class CountsMarksAmongEstimates(_Marks):
    """Says how many are marked where how many there are is estimated."""

    transcript = "4.6-marks/windows.txt::an-estimate"

    def change(self, marks: dict[str, Any]) -> None:
        marks["count"] = 1000 if marks["count"] is None else marks["count"]


class CountsMarksThatAreRead(_Marks):
    """Counts of all the rows that are read."""

    transcript = "4.6-marks/windows.txt::all"

    def change(self, marks: dict[str, Any]) -> None:
        if marks["all"]:
            marks["count"] = 2 - len(marks["ids"])
