"""Section 4.4: what is read of a list that is seen through a window."""

from __future__ import annotations

from typing import Any

from .rule import Message, Mishearing, Rule, Swallowing, with_screens
from .windows import Window


class ReadsPagesByKeys(Rule):
    """Asks a source that has positions for the first page, whatever is in sight."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("at", None)
        return [message]


class CreepsAtAnEstimatedEnd(Rule):
    """Asks for no more rows than the source has estimated."""

    section, transcript = "4.4", "4.4-windows/estimates.txt::one-row-more"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and "at" in message["params"]:
            message["params"]["size"] = 1
        return [message]


class BelievesEstimates(Swallowing):
    """Asks for nothing after the last row that the source has estimated."""

    section, transcript = "4.4", "4.4-windows/estimates.txt::always-the-same"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"].get("at", 0) > 0


class ReadsTheMarginFirst(Rule):
    """Reads what is around the rows in sight before these."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and message["params"].get("at") in (500, 496):
            message["params"]["at"] = 996 - message["params"]["at"]
        return [message]


class NamesNoTriggerOfViewports(Rule):
    """Names another trigger than `viewport` for a load that a viewport began."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "viewport":
            message["params"]["value"]["trigger"] = "loadMore"
        return [message]


class ReadsWhatIsOutOfSight(Swallowing):
    """Goes on with a page that is no longer wanted."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-newest-viewport-wins"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"


class DropsWhatIsInSight(Rule):
    """Drops a page that is wanted still."""

    section, transcript = "4.4", "4.4-windows/positions.txt::a-load-that-is-still-needed"
    asked = None

    def hears(self, message: Message) -> list[Message]:
        if message.get("method") != "viewport" or self.asked is None:
            return []
        return [{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self.asked}}]

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and "at" in message["params"]:
            self.asked = message["id"]
        return [message]


class ReachesTheBottom(Rule):
    """Loads the next page of a list that has positions."""

    section, transcript = "4.4", "4.4-windows/positions.txt::reaching-the-ends"

    def hears(self, message: Message) -> list[Message]:
        if message.get("method") != "reachBottom":
            return []
        params = {"source": "mine", "key": None, "at": 4, "query": None, "size": 4}
        return [{"jsonrpc": "2.0", "id": 99, "method": "source/page", "params": params}]


class _TakesAnyPosition(Mishearing):
    """Takes a page for the one that was asked for."""

    section = "4.4"
    at = None

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            self.at = message["params"].get("at")
        return [message]

    def heard(self, message: Message) -> list[Message]:
        if "items" in message.get("result", {}) and self.at is not None:
            message["result"]["position"] = self.at
        return [message]


class TakesAPageFromElsewhere(_TakesAnyPosition):
    """Takes a page for the one that was asked for, wherever it begins."""

    transcript = "4.4-windows/positions.txt::another-position"


class NeedsNoPosition(_TakesAnyPosition):
    """Takes a page for the one that was asked for, although it doesn't say where it begins."""

    transcript = "4.4-windows/positions.txt::no-position"


class ReadsNothingAgain(Swallowing):
    """Doesn't read again where a row stood that a page has elsewhere."""

    section, transcript = "4.4", "4.4-windows/positions.txt::rows-elsewhere"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["size"] == 1


class HoldsARowTwice(Window):
    """Leaves a row where it was listed that a page has elsewhere."""

    transcript = "4.4-windows/positions.txt::rows-elsewhere"

    def change(self, params: dict[str, Any]) -> None:
        params["splices"] = [splice for splice in params.get("splices", []) if splice["items"] != [None]]


class HasNoEnd(Window):
    """Lists rows that an empty page has shown not to be there."""

    transcript = "4.4-windows/positions.txt::fewer-than-expected"

    def change(self, params: dict[str, Any]) -> None:
        params["count"] = max(params["count"], 1000)


class NeverSaysThatASourceLies(Swallowing):
    """Doesn't say that a source has an item at two positions."""

    section, transcript = "4.4", "4.4-windows/positions.txt::items-at-two-positions"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "error"


class RetriesNothing(Mishearing):
    """Doesn't ask again for a page that failed."""

    section, transcript = "4.4", "4.4-windows/positions.txt::no-position"

    def heard(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "retry" else [message]


class StopsAtAFailure(Swallowing):
    """Reads no other page after one that failed."""

    section, transcript = "4.4", "4.4-windows/positions.txt::a-failure-stops-one-page"
    failed = False

    def swallows(self, message: Message) -> bool:
        self.failed = self.failed or message.get("method") == "error"
        return self.failed and message.get("method") == "source/page"


class LetsNothingGo(Rule):
    """Keeps every row that it has read."""

    section, transcript = "4.4", "4.4-windows/positions.txt::evicted-and-loaded-again"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class LetsNoPageGo(Rule):
    """Keeps every page that has a key."""

    section, transcript = "4.4", "4.4-windows/evicted-pages.txt::loaded-again"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class AsksForPagesOfOneSize(Rule):
    """Asks for a page that was let go without what has come in there."""

    section, transcript = "4.4", "4.4-windows/evicted-pages-of-a-live-source.txt::insert-before-an-evicted-first-page"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["size"] = 2
        return [message]


class LeavesWhatIsBetweenPages(Swallowing):
    """Doesn't look for what is between two pages that don't meet any more."""

    section, transcript = "4.4", "4.4-windows/evicted-pages.txt::between-two-pages"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] == "2+"


class SelectsWhatWasLetGo(Rule):
    """Takes an item for listed that was let go."""

    section, transcript = "4.4", "4.4-windows/positions.txt::evicted-rows-are-not-listed"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class WaitsForTheBottom(Swallowing):
    """Doesn't ask for the next page when a viewport comes near the end."""

    section, transcript = "4.4", "4.4-windows/keyed.txt::near-the-end"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] is not None


class StaysAtTheStart(Swallowing):
    """Doesn't ask for the page before when a viewport comes near the start."""

    section, transcript = "4.4", "4.4-windows/keyed.txt::before-the-start"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] == 8
