"""Section 4.4: pagers of a list that is seen through a window, and positions of an earlier revision."""

from __future__ import annotations

from typing import Any

from .rule import Message, Mishearing, Rule, Swallowing


class _Pager(Rule):
    """Says otherwise where a pager is."""

    section = "4.4"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "page":
            self.change(message["params"]["value"])
        elif message.get("method") == "navigate":
            self.change(message["params"]["value"]["outputs"]["page"]["value"])
        return [message]

    def change(self, page: dict[str, Any]) -> None:
        """Changes what is said."""


class PagerCountsWhatIsHeld(_Pager):
    """Says a pager's place among the rows that are held."""

    transcript = "4.4-windows/pager.txt::index-and-count"

    def change(self, page: dict[str, Any]) -> None:
        page["index"], page["count"] = page["index"] - 498, 8


class PagerSeesNoMore(_Pager):
    """Says that there are no more rows where those that follow aren't read."""

    transcript = "4.4-windows/pager.txt::index-and-count"

    def change(self, page: dict[str, Any]) -> None:
        page["hasMore"] = False


class PagerHasNoEnd(_Pager):
    """Says that there are more rows behind the last."""

    transcript = "4.4-windows/pager.txt::at-the-end"

    def change(self, page: dict[str, Any]) -> None:
        page["hasMore"] = True


class PagerWaitsForTheRow(Swallowing):
    """Shows no row that isn't read."""

    section, transcript = "4.4", "4.4-windows/pager.txt::to-an-unloaded-row"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "page" and message["params"]["value"]["id"] is None


class PagerKeepsItsNumber(_Pager):
    """Doesn't move a pager's place when a row comes in before it."""

    transcript = "4.4-windows/pager.txt::moves-with-its-rows"

    def change(self, page: dict[str, Any]) -> None:
        page["index"] = min(page["index"], 506)


class PagerLosesItsRow(_Pager):
    """Lets the row go that stands beside the one that a pager shows."""

    transcript = "4.4-windows/pager.txt::far-from-the-window"

    def change(self, page: dict[str, Any]) -> None:
        if page["index"] == 503:
            page["id"] = page["item"] = None


class KeepsRowsForClosedPagers(Rule):
    """Keeps the row that a pager has shown after that is closed."""

    section, transcript = "4.4", "4.4-windows/pager.txt::closed"

    def says(self, message: Message) -> list[Message]:
        return [{"jsonrpc": "2.0", "id": "d", "result": {}}] if message.get("id") == "d" else [message]


class IgnoresRevisions(Mishearing):
    """Takes every position for one of the newest revision."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-an-earlier-revision"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]


class TakesAnyRevision(Mishearing):
    """Takes a revision that wasn't said."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-the-future"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]


class FollowsARowThatIsGone(Mishearing):
    """Takes positions for those of the newest revision where the first row that they meant is gone."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-a-row-that-is-gone"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]
