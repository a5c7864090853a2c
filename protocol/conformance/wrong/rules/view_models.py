"""Section 5: view models."""

from __future__ import annotations

from .rule import Message, Rule, notification, with_screens


class ListsItemsTwice(Rule):
    """Lists the last item twice."""

    section, transcript = "5.1", "5.1-list/ids.txt::known-items-are-replaced"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            message["params"]["value"] += message["params"]["value"][-1:]
        return [message]


class ThrottlesNothing(Rule):
    """Lets every `reachBottom` pass."""

    section, transcript = "5.1", "5.1-list/throttle.txt::once-a-second"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, throttle=0)


class ThrottlesAMillisecondMore(Rule):
    """Drops a `reachBottom` that comes exactly 1,000 ms after the last that passed."""

    section, transcript, chunks = "5.1", "5.1-list/throttle.txt::once-a-second", "whole"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, throttle=1001)


class KeepsWhatARefreshClears(Rule):
    """Leaves the items until a refresh is answered, without having been told so."""

    section, transcript = "5.1", "5.1-list/refresh.txt::clears"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, onRefresh="keep")


class LetsLateAnswersIn(Rule):
    """Lists the answer to a load that a refresh dropped."""

    section, transcript = "5.1", "5.1-list/refresh.txt::drops-a-running-load"

    def __init__(self) -> None:
        self.dropped: list[object] = []

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "$/cancelRequest":
            self.dropped.append(message["params"]["id"])
        return [message]

    def hears(self, message: Message) -> list[Message]:
        late = "result" in message and message.get("id") in self.dropped
        return [notification("items", "v", message["result"]["items"])] if late else []


class ConfusesTriggers(Rule):
    """Says `loadMore` where `reachBottom` began the load."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "reachBottom":
            message["params"]["value"]["trigger"] = "loadMore"
        return [message]


class NeverAtTheBottom(Rule):
    """Says `requestFinished` of the last page."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["phase"] == "reachedBottom":
            message["params"]["value"]["phase"] = "requestFinished"
        return [message]


class CountsTheItemsBefore(Rule):
    """Says in `state` how many items there were before the page came."""

    section, transcript = "5.1", "5.1-list/reach-bottom.txt::pages-to-the-bottom"
    count = 0

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            value = message["params"]["value"]
            self.count, value["count"] = value["count"], self.count
        return [message]


class EveryFailureIsRetryable(Rule):
    """Says of every failure that it is retryable."""

    section, transcript = "5.1", "5.1-list/failure.txt::of-the-first-page"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "error":
            message["params"]["value"]["retryable"] = True
        return [message]


class NavigatesWithoutOutputs(Rule):
    """Leaves a new view's outputs out of `navigate`."""

    section, transcript = "5.1", "5.1-list/select.txt::opens-a-pager"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            message["params"]["value"]["outputs"] = {}
        return [message]


class SwipesPastTheEnd(Rule):
    """Moves to an index behind the last item."""

    section, transcript = "5.2", "5.2-pager/swipe.txt::past-the-last"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            self.page = message["params"]["value"]["outputs"]["page"]["value"]
        return [message]

    def hears(self, message: Message) -> list[Message]:
        if message.get("method") != "swipe" or self.page["hasNext"]:
            return []
        return [notification("page", message["params"]["view"], self.page | {"index": self.page["index"] + 1})]


class MoreIsWhatIsNext(Rule):
    """Takes `hasMore` for `hasNext`: whether a neighbour is loaded, not whether the source has more."""

    section, transcript = "5.2", "5.2-pager/asks-for-more.txt::opened-on-the-last-loaded-item"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "navigate":
            page = message["params"]["value"]["outputs"]["page"]["value"]
            page["hasMore"] = page["hasNext"]
        return [message]


class SearchesEveryKey(Rule):
    """Searches for each text at once, without waiting for the end of the typing."""

    section, transcript = "5.3", "5.3-search/text.txt::after-200-ms"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, debounce=0)


class NeverScrollsToTheTop(Rule):
    """Doesn't say `scrollToTop` when a search's first page has come."""

    section, transcript = "5.3", "5.3-search/text.txt::after-200-ms"
    chunks = "whole"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "scrollToTop" else [message]


class AlwaysSomeResult(Rule):
    """Doesn't say `noResult`."""

    section, transcript = "5.3", "5.3-search/results.txt::no-result"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "noResult" else [message]


class TakesWhatIsReadAway(Rule):
    """Says an index for an item that isn't listed any more, as if another had its place."""

    section, transcript = "5.2", "5.2-pager/reader.txt::refreshed-away"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "page" and message["params"]["value"]["index"] is None:
            message["params"]["value"]["index"] = 0
        return [message]


class CallsARowWhole(Rule):
    """Says that a row is the whole item."""

    section, transcript = "5.2", "5.2-pager/whole.txt::swiping-on"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "page" and "whole" in message["params"]["value"]:
            message["params"]["value"]["whole"] = True
        return [message]


class LeavesOutFiltersWithoutAValue(Rule):
    """Leaves out of `filters` what is null."""

    section, transcript = "5.1", "5.1-list/filters.txt::own-value"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "filters":
            said = message["params"]["value"]
            message["params"]["value"] = {name: value for name, value in said.items() if value is not None}
        return [message]
