"""Section 4.4: the loads of a list with a window."""

from __future__ import annotations

from typing import Any

from .rule import ChangesInput, DropsOutput, Message, Rule, with_screens
from .windows import ChangesWindow


class RequestsPagesWithoutPositions(Rule):
    """Requests the first page, not the visible rows, from a source that has positions."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("at", None)
        return [message]


class RequestsOnlyEstimatedRows(Rule):
    """Requests a single row, not a whole page, at an estimated end."""

    section, transcript = "4.4", "4.4-windows/estimates.txt::one-row-more"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and "at" in message["params"]:
            message["params"]["size"] = 1
        return [message]


class StopsAtAnEstimatedEnd(DropsOutput):
    """Doesn't request rows after an estimated end."""

    section, transcript = "4.4", "4.4-windows/estimates.txt::always-the-same"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"].get("at", 0) > 0


class LoadsTheMarginFirst(Rule):
    """Loads the margin before the visible rows."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and message["params"].get("at") in (500, 496):
            message["params"]["at"] = 996 - message["params"]["at"]
        return [message]


class SendsTheWrongTriggerOfViewports(Rule):
    """Sends the trigger `loadMore` instead of `viewport`."""

    section, transcript = "4.4", "4.4-windows/positions.txt::any-rows"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "viewport":
            message["params"]["value"]["trigger"] = "loadMore"
        return [message]


class NeverDropsLoads(DropsOutput):
    """Continues to load a page that is no longer needed."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-newest-viewport-wins"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"


class DropsNeededLoads(Rule):
    """Cancels the load of a page that is still needed."""

    section, transcript = "4.4", "4.4-windows/positions.txt::a-load-that-is-still-needed"
    asked = None

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") != "viewport" or self.asked is None:
            return []
        return [{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self.asked}}]

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and "at" in message["params"]:
            self.asked = message["id"]
        return [message]


class LoadsAtTheBottom(Rule):
    """Loads the next page on `reachBottom` though the list has positions."""

    section, transcript = "4.4", "4.4-windows/positions.txt::reaching-the-ends"

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") != "reachBottom":
            return []
        params = {"source": "mine", "key": None, "at": 4, "query": None, "size": 4}
        return [{"jsonrpc": "2.0", "id": 99, "method": "source/page", "params": params}]


class _AcceptsAnyPosition(ChangesInput):
    """Treats each page as if it began at the requested position."""

    section = "4.4"
    at = None

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            self.at = message["params"].get("at")
        return [message]

    def received(self, message: Message) -> list[Message]:
        if "items" in message.get("result", {}) and self.at is not None:
            message["result"]["position"] = self.at
        return [message]


class AcceptsPagesFromElsewhere(_AcceptsAnyPosition):
    """Accepts a page that begins at another position than requested."""

    transcript = "4.4-windows/positions.txt::another-position"


class AcceptsPagesWithoutPositions(_AcceptsAnyPosition):
    """Accepts a page that doesn't have a position."""

    transcript = "4.4-windows/positions.txt::no-position"


class LeavesHolesOfMovedRows(DropsOutput):
    """Doesn't load the old position of a row that a page puts elsewhere."""

    section, transcript = "4.4", "4.4-windows/positions.txt::rows-elsewhere"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["size"] == 1


class ListsMovedRowsTwice(ChangesWindow):
    """Keeps a row at its old position after a page has put it elsewhere."""

    transcript = "4.4-windows/positions.txt::rows-elsewhere"

    def change(self, params: dict[str, Any]) -> None:
        params["splices"] = [splice for splice in params.get("splices", []) if splice["items"] != [None]]


class IgnoresEmptyPages(ChangesWindow):
    """Keeps the list's count after an empty page has shown that it is too high."""

    transcript = "4.4-windows/positions.txt::fewer-than-expected"

    def change(self, params: dict[str, Any]) -> None:
        params["count"] = max(params["count"], 1000)


class HidesDuplicateItems(DropsOutput):
    """Doesn't report that a source has an item at two positions."""

    section, transcript = "4.4", "4.4-windows/positions.txt::items-at-two-positions"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "error"


class IgnoresRetry(ChangesInput):
    """Doesn't request a failed page again on `retry`."""

    section, transcript = "4.4", "4.4-windows/positions.txt::no-position"

    def received(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "retry" else [message]


class StopsAfterAFailure(DropsOutput):
    """Loads no other page after one has failed."""

    section, transcript = "4.4", "4.4-windows/positions.txt::a-failure-stops-one-page"
    failed = False

    def drops(self, message: Message) -> bool:
        self.failed = self.failed or message.get("method") == "error"
        return self.failed and message.get("method") == "source/page"


class NeverEvictsRows(Rule):
    """Never evicts rows."""

    section, transcript = "4.4", "4.4-windows/positions.txt::evicted-and-loaded-again"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class NeverEvictsPages(Rule):
    """Never evicts pages that have a key."""

    section, transcript = "4.4", "4.4-windows/evicted-pages.txt::loaded-again"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class IgnoresInsertsInEvictedPages(Rule):
    """Requests an evicted page without the rows that were inserted there."""

    section, transcript = "4.4", "4.4-windows/evicted-pages-of-a-live-source.txt::insert-before-an-evicted-first-page"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["size"] = 2
        return [message]


class LeavesGapsBetweenPages(DropsOutput):
    """Doesn't load rows that are now between two pages."""

    section, transcript = "4.4", "4.4-windows/evicted-pages.txt::between-two-pages"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] == "2+"


class SelectsEvictedRows(Rule):
    """Accepts `select` for an evicted row."""

    section, transcript = "4.4", "4.4-windows/positions.txt::evicted-rows-are-not-listed"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, maxItems=10000)


class IgnoresViewportsNearTheEnd(DropsOutput):
    """Doesn't load the next page when a viewport comes near the end."""

    section, transcript = "4.4", "4.4-windows/keyed.txt::near-the-end"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] is not None


class IgnoresViewportsNearTheStart(DropsOutput):
    """Doesn't load the page before when a viewport comes near the start."""

    section, transcript = "4.4", "4.4-windows/keyed.txt::before-the-start"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/page" and message["params"]["key"] == 8
