"""Section 4.4: pagers of a list with a window, and positions of an earlier revision."""

from __future__ import annotations

from typing import Any

from .rule import ChangesInput, DropsOutput, Message, Rule


class _ChangesPage(Rule):
    """Changes the output `page` of a pager."""

    section = "4.4"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "page":
            self.change(message["params"]["value"])
        elif message.get("method") == "navigate":
            self.change(message["params"]["value"]["outputs"]["page"]["value"])
        return [message]

    def change(self, page: dict[str, Any]) -> None:
        """Changes the value in place."""


class CountsPagesInTheWindow(_ChangesPage):
    """Sends a pager's `index` and `count` in the window, not in the list."""

    transcript = "4.4-windows/pager.txt::index-and-count"

    def change(self, page: dict[str, Any]) -> None:
        page["index"], page["count"] = page["index"] - 498, 8


class OmitsMoreUnloadedRows(_ChangesPage):
    """Sends `hasMore` as false though unloaded rows follow."""

    transcript = "4.4-windows/pager.txt::index-and-count"

    def change(self, page: dict[str, Any]) -> None:
        page["hasMore"] = False


class SendsHasMoreAtTheEnd(_ChangesPage):
    """Sends `hasMore` as true at the last row."""

    transcript = "4.4-windows/pager.txt::at-the-end"

    def change(self, page: dict[str, Any]) -> None:
        page["hasMore"] = True


class OmitsPagesOfUnloadedRows(DropsOutput):
    """Doesn't send `page` for a row that isn't loaded."""

    section, transcript = "4.4", "4.4-windows/pager.txt::to-an-unloaded-row"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "page" and message["params"]["value"]["id"] is None


class KeepsTheIndexOfAPager(_ChangesPage):
    """Doesn't change a pager's `index` when a row arrives before the shown row."""

    transcript = "4.4-windows/pager.txt::moves-with-its-rows"

    def change(self, page: dict[str, Any]) -> None:
        page["index"] = min(page["index"], 506)


class EvictsRowsBesideAPager(_ChangesPage):
    """Evicts the row next to the row that a pager shows."""

    transcript = "4.4-windows/pager.txt::far-from-the-window"

    def change(self, page: dict[str, Any]) -> None:
        if page["index"] == 503:
            page["id"] = page["item"] = None


class KeepsRowsForClosedPagers(Rule):
    """Keeps the row that a pager showed after the pager has closed."""

    section, transcript = "4.4", "4.4-windows/pager.txt::closed"

    def sends(self, message: Message) -> list[Message]:
        return [{"jsonrpc": "2.0", "id": "d", "result": {}}] if message.get("id") == "d" else [message]


class IgnoresRevisions(ChangesInput):
    """Treats all positions as positions in the newest revision."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-an-earlier-revision"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]


class AcceptsFutureRevisions(ChangesInput):
    """Accepts a revision that it hasn't sent."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-the-future"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]


class MisplacesRemovedRows(ChangesInput):
    """Ignores the revision of a viewport whose first row was removed."""

    section, transcript = "4.4", "4.4-windows/revisions.txt::of-a-removed-row"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("revision", None)
        return [message]
