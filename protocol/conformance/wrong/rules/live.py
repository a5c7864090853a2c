"""Section 6.6: sources that say how they change."""

from __future__ import annotations

import json
from typing import Any

from .rule import Message, Rule, Swallowing, as_text, with_screens, with_sources


class _Misheard(Rule):
    """Hears what a source says otherwise than it was said."""

    section = "6.6"

    def reads(self, data: bytes) -> bytes:
        return b"".join(self._line(line) for line in data.splitlines(keepends=True))

    def _line(self, line: bytes) -> bytes:
        if b"source/changed" not in line and b'"items"' not in line:
            return line
        message = json.loads(line)
        heard = self.heard(message)
        return b"".join(as_text(message).encode() + b"\n" for message in heard)

    def heard(self, message: Message) -> list[Message]:
        for change in self._changes(message):
            self.change(change)
        return [message]

    def change(self, change: Any) -> None:
        """Changes a change."""

    def _changes(self, message: Message) -> list[Any]:
        changes = message.get("params", {}).get("changes")
        return changes if isinstance(changes, list) else []


class IgnoresAnchors(_Misheard):
    """Lists every insert first."""

    transcript = "6.6-live/changes.txt::insert-before"

    def change(self, change: Any) -> None:
        change.pop("before", None)


class IgnoresTheEnd(_Misheard):
    """Lists first what belongs last."""

    transcript = "6.6-live/changes.txt::at-the-end"

    def change(self, change: Any) -> None:
        change.pop("at", None)


class ListsWhatLiesOutside(_Misheard):
    """Lists what stands beside an item that isn't listed."""

    transcript = "6.6-live/changes.txt::anchor-outside"

    def change(self, change: Any) -> None:
        change.pop("before", None)


class KeepsWhatMovesAway(_Misheard):
    """Leaves an item where it is that moves out of what is loaded."""

    transcript = "6.6-live/changes.txt::anchor-outside-moves-away"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = []
        return [message]


class ListsWhatChanges(_Misheard):
    """Lists an item that was changed and isn't listed."""

    transcript = "6.6-live/changes.txt::change-unknown"

    def change(self, change: Any) -> None:
        change["insert"] = change.pop("change")


class IgnoresRemovals(_Misheard):
    """Keeps what was removed."""

    transcript = "6.6-live/changes.txt::remove"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = [change for change in self._changes(message) if "remove" not in change]
        return [message]


class TakesChangesOneByOne(_Misheard):
    """Says each change of a notification by itself."""

    transcript = "6.6-live/changes.txt::in-order"

    def heard(self, message: Message) -> list[Message]:
        if not self._changes(message):
            return [message]
        params = {name: value for name, value in message["params"].items() if name not in ("since", "state")}
        return [{**message, "params": {**params, "changes": [change]}} for change in self._changes(message)]


class LeavesAllOutForOne(_Misheard):
    """Leaves all changes out where one is broken."""

    transcript = "6.6-live/changes.txt::broken-changes"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {})["changes"] = [{}] if self._changes(message) else []
        return [message]


class HearsEveryQuery(_Misheard):
    """Takes what was said of another query for its own."""

    transcript = "6.6-live/changes.txt::another-query"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {})["query"] = None
        return [message]


class NoticesNoGap(_Misheard):
    """Takes changes whatever state they follow."""

    transcript = "6.6-live/gaps.txt::missed"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("since", None)
        return [message]


class IgnoresStatesOfPages(_Misheard):
    """Applies changes to a page that knows of them."""

    transcript = "6.6-live/pages.txt::first-page-knows"

    def heard(self, message: Message) -> list[Message]:
        message.get("result", {}).pop("state", None)
        return [message]


class IsNeverInvalidated(_Misheard):
    """Doesn't read a list again."""

    transcript = "6.6-live/invalidated.txt::from-the-start"

    def heard(self, message: Message) -> list[Message]:
        if message.get("params", {}).get("changes") == "all":
            message["params"]["changes"] = []
        return [message]


class TakesTotalsOfPagesAlone(_Misheard):
    """Ignores the total of a change."""

    transcript = "6.6-live/total.txt::of-a-change"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("total", None)
        return [message]


class WatchesNothing(Rule):
    """Doesn't ask a live source how it changes."""

    section, transcript = "6.6", "6.6-live/watch.txt::at-the-first-load"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/watch" else [message]


class WatchesForEver(Rule):
    """Doesn't tell a source that nobody listens any more."""

    section, transcript = "6.6", "6.6-live/watch.txt::closed"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/unwatch" else [message]


class AsksFromNothingOn(Rule):
    """Doesn't say from which state on it wants to know."""

    section, transcript = "6.6", "6.6-live/gaps.txt::missed"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/watch":
            message["params"]["since"] = None
        return [message]


class ReadsAgainFromTheStart(Rule):
    """Reads an invalidated list from its first page on, wherever the user is."""

    section, transcript = "6.6", "6.6-live/invalidated.txt::where-the-user-is"
    isInvalidated = False

    def hears(self, message: Message) -> list[Message]:
        self.isInvalidated = self.isInvalidated or message.get("params", {}).get("changes") == "all"
        return []

    def says(self, message: Message) -> list[Message]:
        if self.isInvalidated and message.get("method") == "source/page":
            message["params"]["key"] = None
        return [message]


class NamesNoTriggerOfChanges(Rule):
    """Names another trigger than `changed` for a broken change."""

    section, transcript = "6.6", "6.6-live/changes.txt::broken-changes"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "error" and message["params"]["value"]:
            message["params"]["value"]["trigger"] = "refresh"
        return [message]


class ForgetsTheTotal(Rule):
    """Says no total."""

    section, transcript = "6.6", "6.6-live/total.txt::of-a-page"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"].pop("total", None)
        return [message]


class HoldsNothingBack(Rule):
    """Lists what comes in, whatever the screen says."""

    section, transcript = "6.6", "6.6-live/arrivals.txt::ask"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, arrivals="show")


class HoldsAllBack(Rule):
    """Holds back what comes in while the first row is in sight."""

    section, transcript = "6.6", "6.6-live/arrivals.txt::at-the-top"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, arrivals="ask")


class KeepsNoPace(Rule):
    """Says each change at once."""

    section, transcript = "6.6", "6.6-live/pace.txt::together"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, livePace=0)


class KnowsNoOrder(Rule):
    """Lists first what the order puts elsewhere."""

    section, transcript = "6.6", "6.6-live/order.txt::insert"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, order=[])


class WatchesWithoutFilters(Rule):
    """Doesn't tell the source what is filtered by when it asks how that changes."""

    section, transcript = "6.6", "6.6-live/filters.txt::watched"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/watch":
            message["params"].pop("filters", None)
        return [message]


class LeavesAWatchWithOtherFilters(Rule):
    """Doesn't tell the source that it needn't say any more how something else changes."""

    section, transcript = "6.6", "6.6-live/filters.txt::other-filters-have-another-watch"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "source/unwatch" else [message]


class SortIsNoOrder(_Misheard):
    """Lists by the definition's order, whatever the list is sorted by."""

    transcript = "6.6-live/filters.txt::sort-is-the-order"

    def change(self, change: Any) -> None:
        change.get("insert", {})["c"] = 0


class HidesFailedWatches(Swallowing):
    """Doesn't report that a watch has failed."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::no-object"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "error"


class ForgetsFailedWatches(Swallowing):
    """Doesn't ask again after a watch has failed."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::again-and-again"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "source/watch" and message["id"] > 1


class WaitsForWatchesForEver(Swallowing):
    """Doesn't give up a watch that isn't answered."""

    section, transcript = "6.6", "6.6-live/failing-watches.txt::not-answered"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"
