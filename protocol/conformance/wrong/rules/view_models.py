"""Section 5: view models."""

from __future__ import annotations

from .rule import Message, Rule, notification, with_screens


class ListsItemsTwice(Rule):
    """Lists the last item twice."""

    section, transcript = "5.1", "5.1-list/ids.txt::known-items-are-replaced"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            message["params"]["value"] += message["params"]["value"][-1:]
        return [message]


class IgnoresThrottle(Rule):
    """Accepts every `reachBottom`."""

    section, transcript = "5.1", "5.1-list/throttle.txt::once-a-second"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, throttle=0)


class ThrottlesAMillisecondMore(Rule):
    """Drops a `reachBottom` that comes exactly 1,000 ms after the last accepted one."""

    section, transcript, chunks = "5.1", "5.1-list/throttle.txt::once-a-second", "whole"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, throttle=1001)


class KeepsItemsOnRefresh(Rule):
    """Keeps the items until a refresh has loaded, though the screen doesn't set `onRefresh` to `keep`."""

    section, transcript = "5.1", "5.1-list/refresh.txt::clears"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, onRefresh="keep")


class ListsLateAnswers(Rule):
    """Lists the page of a load that a refresh has dropped."""

    section, transcript = "5.1", "5.1-list/refresh.txt::drops-a-running-load"

    def __init__(self) -> None:
        self.dropped: list[object] = []

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "$/cancelRequest":
            self.dropped.append(message["params"]["id"])
        return [message]

    def answers(self, message: Message) -> list[Message]:
        late = "result" in message and message.get("id") in self.dropped
        return [notification("items", "v", message["result"]["items"])] if late else []


class ConfusesTriggers(Rule):
    """Sends the trigger `loadMore` instead of `reachBottom`."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "reachBottom":
            message["params"]["value"]["trigger"] = "loadMore"
        return [message]


class NeverReachesTheBottom(Rule):
    """Sends the phase `requestFinished` instead of `reachedBottom` after the last page."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["phase"] == "reachedBottom":
            message["params"]["value"]["phase"] = "requestFinished"
        return [message]


class SendsThePreviousCount(Rule):
    """Sends the previous number of items in `state`."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"
    count = 0

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            value = message["params"]["value"]
            self.count, value["count"] = value["count"], self.count
        return [message]


class EveryFailureIsRetryable(Rule):
    """Sends every failure as retryable."""

    section, transcript = "5.1", "5.1-list/failure.txt::of-the-first-page"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "error":
            message["params"]["value"]["retryable"] = True
        return [message]


class NavigatesWithoutOutputs(Rule):
    """Omits the new view's outputs from `navigate`."""

    section, transcript = "5.1", "5.1-list/select.txt::opens-a-pager"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            message["params"]["value"]["outputs"] = {}
        return [message]


class SwipesPastTheEnd(Rule):
    """Moves a pager to an index after the last item."""

    section, transcript = "5.2", "5.2-pager/swipe.txt::past-the-last"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            self.page = message["params"]["value"]["outputs"]["page"]["value"]
        return [message]

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") != "swipe" or self.page["hasNext"]:
            return []
        return [notification("page", message["params"]["view"], self.page | {"index": self.page["index"] + 1})]


class ConfusesHasMoreWithHasNext(Rule):
    """Sends the value of `hasNext` as `hasMore`."""

    section, transcript = "5.2", "5.2-pager/asks-for-more.txt::opened-on-the-last-loaded-item"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            page = message["params"]["value"]["outputs"]["page"]["value"]
            page["hasMore"] = page["hasNext"]
        return [message]


class IgnoresDebounce(Rule):
    """Searches for each text at once, instead of waiting for a pause in typing."""

    section, transcript = "5.3", "5.3-search/text.txt::after-200-ms"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, debounce=0)


class NeverScrollsToTheTop(Rule):
    """Doesn't send `scrollToTop` when a search's first page has arrived."""

    section, transcript = "5.3", "5.3-search/text.txt::after-200-ms"
    chunks = "whole"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "scrollToTop" else [message]


class OmitsNoResult(Rule):
    """Doesn't send `noResult`."""

    section, transcript = "5.3", "5.3-search/results.txt::no-result"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "noResult" else [message]


class KeepsTheIndexOfUnlistedItems(Rule):
    """Sends an index for a pager's item that is no longer listed."""

    section, transcript = "5.2", "5.2-pager/reader.txt::refreshed-away"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "page" and message["params"]["value"]["index"] is None:
            message["params"]["value"]["index"] = 0
        return [message]


class SendsSummariesAsWhole(Rule):
    """Sends `whole` as true though the pager has only the item's summary."""

    section, transcript = "5.2", "5.2-pager/whole.txt::swiping-on"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "page" and "whole" in message["params"]["value"]:
            message["params"]["value"]["whole"] = True
        return [message]


class OmitsNullFilters(Rule):
    """Omits filters from the output `filters` if their value is null."""

    section, transcript = "5.1", "5.1-list/filters.txt::own-value"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "filters":
            sent = message["params"]["value"]
            message["params"]["value"] = {name: value for name, value in sent.items() if value is not None}
        return [message]
