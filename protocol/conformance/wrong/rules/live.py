"""Section 6.6: live sources."""

from __future__ import annotations

import json
from typing import Any

from .rule import DropsOutput, Message, Rule, as_text, with_screens, with_sources


class _ChangesReports(Rule):
    """Changes the messages of a source before the server reads them."""

    section = "6.6"

    def forwards(self, data: bytes) -> bytes:
        return b"".join(self._line(line) for line in data.splitlines(keepends=True))

    def _line(self, line: bytes) -> bytes:
        if b"source/changed" not in line and b'"items"' not in line:
            return line
        message = json.loads(line)
        received = self.received(message)
        return b"".join(as_text(message).encode() + b"\n" for message in received)

    def received(self, message: Message) -> list[Message]:
        for change in self._changes(message):
            self.change(change)
        return [message]

    def change(self, change: Any) -> None:
        """Changes one of the reported changes in place."""

    def _changes(self, message: Message) -> list[Any]:
        changes = message.get("params", {}).get("changes")
        return changes if isinstance(changes, list) else []


class IgnoresAnchors(_ChangesReports):
    """Ignores `before` in an insert, and inserts at the start."""

    transcript = "6.6-live/changes.txt::insert-before"

    def change(self, change: Any) -> None:
        change.pop("before", None)


class IgnoresTheEnd(_ChangesReports):
    """Ignores `"at":"end"` in an insert, and inserts at the start."""

    transcript = "6.6-live/changes.txt::at-the-end"

    def change(self, change: Any) -> None:
        change.pop("at", None)


class ListsItemsOutside(_ChangesReports):
    """Lists an inserted item though its anchor isn't listed."""

    transcript = "6.6-live/changes.txt::anchor-outside"

    def change(self, change: Any) -> None:
        change.pop("before", None)


class KeepsItemsThatMoveOutside(_ChangesReports):
    """Keeps an item that moves outside the loaded rows."""

    transcript = "6.6-live/changes.txt::anchor-outside-moves-away"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = []
        return [message]


class ListsChangedItems(_ChangesReports):
    """Lists an item that was changed but isn't listed."""

    transcript = "6.6-live/changes.txt::change-unknown"

    def change(self, change: Any) -> None:
        change["insert"] = change.pop("change")


class IgnoresRemovals(_ChangesReports):
    """Keeps items that the source has removed."""

    transcript = "6.6-live/changes.txt::remove"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = [change for change in self._changes(message) if "remove" not in change]
        return [message]


class SendsChangesOneByOne(_ChangesReports):
    """Sends the changes of one report in separate notifications."""

    transcript = "6.6-live/changes.txt::in-order"

    def received(self, message: Message) -> list[Message]:
        if not self._changes(message):
            return [message]
        params = {name: value for name, value in message["params"].items() if name not in ("since", "state")}
        return [{**message, "params": {**params, "changes": [change]}} for change in self._changes(message)]


class DropsAllChangesForOne(_ChangesReports):
    """Ignores all changes of a report if one of them is broken."""

    transcript = "6.6-live/changes.txt::broken-changes"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = [{}] if self._changes(message) else []
        return [message]


class AppliesChangesOfOtherQueries(_ChangesReports):
    """Applies changes that were reported for another query."""

    transcript = "6.6-live/changes.txt::another-query"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {})["query"] = None
        return [message]


class IgnoresGaps(_ChangesReports):
    """Applies changes though it missed the changes before them."""

    transcript = "6.6-live/gaps.txt::missed"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("since", None)
        return [message]


class IgnoresStatesOfPages(_ChangesReports):
    """Applies changes to a page that contains them already."""

    transcript = "6.6-live/pages.txt::first-page-with-the-changes"

    def received(self, message: Message) -> list[Message]:
        message.get("result", {}).pop("state", None)
        return [message]


class IgnoresInvalidation(_ChangesReports):
    """Doesn't reload a list that was invalidated."""

    transcript = "6.6-live/invalidated.txt::from-the-start"

    def received(self, message: Message) -> list[Message]:
        if message.get("params", {}).get("changes") == "all":
            message["params"]["changes"] = []
        return [message]


class IgnoresTotalsOfReports(_ChangesReports):
    """Ignores the total that a source reports with its changes."""

    transcript = "6.6-live/total.txt::of-a-change"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("total", None)
        return [message]


class NeverWatches(Rule):
    """Doesn't watch a live source."""

    section, transcript = "6.6", "6.6-live/watch.txt::at-the-first-load"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/watch" else [message]


class NeverUnwatches(Rule):
    """Doesn't send `source/unwatch` when the view closes."""

    section, transcript = "6.6", "6.6-live/watch.txt::closed"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/unwatch" else [message]


class WatchesWithoutSince(Rule):
    """Requests missed changes without the list's state."""

    section, transcript = "6.6", "6.6-live/gaps.txt::missed"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/watch":
            message["params"]["since"] = None
        return [message]


class ReloadsFromTheStart(Rule):
    """Reloads an invalidated list from its first page, not from the page in sight."""

    section, transcript = "6.6", "6.6-live/invalidated.txt::where-the-user-is"
    isInvalidated = False

    def answers(self, message: Message) -> list[Message]:
        self.isInvalidated = self.isInvalidated or message.get("params", {}).get("changes") == "all"
        return []

    def sends(self, message: Message) -> list[Message]:
        if self.isInvalidated and message.get("method") == "source/page":
            message["params"]["key"] = None
        return [message]


class SendsTheWrongTriggerOfChanges(Rule):
    """Sends the trigger `refresh` instead of `changed` for a broken change."""

    section, transcript = "6.6", "6.6-live/changes.txt::broken-changes"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "error" and message["params"]["value"]:
            message["params"]["value"]["trigger"] = "refresh"
        return [message]


class OmitsTheTotal(Rule):
    """Omits `total` from `state`."""

    section, transcript = "6.6", "6.6-live/total.txt::of-a-page"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"].pop("total", None)
        return [message]


class NeverDefersArrivals(Rule):
    """Lists arrivals though the screen defers them."""

    section, transcript = "6.6", "6.6-live/arrivals.txt::ask"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, arrivals="show")


class AlwaysDefersArrivals(Rule):
    """Defers arrivals though the first row is in sight."""

    section, transcript = "6.6", "6.6-live/arrivals.txt::at-the-top"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, arrivals="ask")


class IgnoresLivePace(Rule):
    """Sends each change at once."""

    section, transcript = "6.6", "6.6-live/pace.txt::together"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, livePace=0)


class IgnoresOrder(Rule):
    """Lists an inserted item first, though the source's order puts it elsewhere."""

    section, transcript = "6.6", "6.6-live/order.txt::insert"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, order=[])


class WatchesWithoutFilters(Rule):
    """Omits the filters from `source/watch`."""

    section, transcript = "6.6", "6.6-live/filters.txt::watched"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/watch":
            message["params"].pop("filters", None)
        return [message]


class KeepsWatchesOfOldFilters(Rule):
    """Doesn't send `source/unwatch` for the previous filters."""

    section, transcript = "6.6", "6.6-live/filters.txt::other-filters-have-another-watch"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/unwatch" else [message]


class IgnoresSort(_ChangesReports):
    """Inserts items by the definition's order, though the list has another sort."""

    transcript = "6.6-live/filters.txt::sort-is-the-order"

    def change(self, change: Any) -> None:
        change.get("insert", {})["c"] = 0


class HidesFailedWatches(DropsOutput):
    """Doesn't report that a watch has failed."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::no-object"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "error"


class NeverRetriesWatches(DropsOutput):
    """Doesn't watch again after a watch has failed."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::again-and-again"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "source/watch" and message["id"] > 1


class NeverCancelsWatches(DropsOutput):
    """Doesn't cancel a watch that the source doesn't answer."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::not-answered"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"
