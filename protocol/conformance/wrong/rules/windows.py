"""Section 4.4: the rows of a window, and their changes."""

from __future__ import annotations

from typing import Any

from .rule import ChangesInput, Message, Rule


class ChangesWindow(Rule):
    """Changes the `items` notifications of a window."""

    section = "4.4"

    def sends(self, message: Message) -> list[Message]:
        return self.changed(message) if message.get("method") == "items" and "start" in message["params"] else [message]

    def changed(self, message: Message) -> list[Message]:
        self.change(message["params"])
        return [message]

    def change(self, params: dict[str, Any]) -> None:
        """Changes the value in place."""


class OpensWindowsWithoutTheCapability(ChangesInput):
    """Opens a window for a client that doesn't have the capability."""

    section, transcript = "4.4", "4.4-windows/opening.txt::without-the-capability"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).get("capabilities", {})["windows"] = True
        return [message]


class OpensUnrequestedWindows(ChangesInput):
    """Opens a window for a view that was opened without one."""

    section, transcript = "4.4", "4.4-windows/opening.txt::without-a-window"

    def received(self, message: Message) -> list[Message]:
        if message.get("method") == "open":
            message["params"]["params"] = {"window": {}}
        return [message]


class AcceptsWrongMargins(ChangesInput):
    """Accepts margins that aren't valid."""

    section, transcript = "4.4", "4.4-windows/opening.txt::margins"

    def received(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("params", None)
        return [message]


class IgnoresTheMargin(ChangesInput):
    """Always uses a margin of 3 rows."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-rows-in-sight-and-the-margin"

    def received(self, message: Message) -> list[Message]:
        if message.get("method") == "open":
            message["params"]["params"]["window"]["margin"] = 3
        return [message]


class ExceedsTheLargestWindow(ChangesWindow):
    """Sends more than 1,000 rows for a window."""

    transcript = "4.4-windows/positions.txt::a-thousand-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            if len(splice["items"]) > 900:
                splice["items"].append(None)
            elif splice["deleteCount"] > 900:
                splice["deleteCount"] += 1


class IgnoresEarlyViewports(ChangesInput):
    """Ignores a viewport that comes before the first page."""

    section, transcript = "4.4", "4.4-windows/opening.txt::before-the-first-page"

    def received(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "viewport" else [message]


class SendsWholeWindows(ChangesWindow):
    """Sends the whole window if only its position or the list's count has changed."""

    transcript = "4.4-windows/changes.txt::before-the-window"

    def change(self, params: dict[str, Any]) -> None:
        if not params.get("splices"):
            params["value"] = [None] * 8
            params.pop("splices", None)


class CountsSplicesInTheList(ChangesWindow):
    """Counts the start of a splice from the list's first row, not from the window's."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            splice["start"] += params["start"]


class PutsTheWindowAtTheStart(ChangesWindow):
    """Sends 0 as the position of the window's first row."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        params["start"] = 0


class CountsOnlyTheWindow(ChangesWindow):
    """Sends the number of the window's rows as `count`, not the number of the list's."""

    transcript = "4.4-windows/positions.txt::any-rows"
    length = 0

    def change(self, params: dict[str, Any]) -> None:
        self.length += sum(len(splice["items"]) - splice["deleteCount"] for splice in params.get("splices", []))
        params["count"] = self.length


class SendsEstimatesAsExact(ChangesWindow):
    """Sends `exact` as true though the count is estimated."""

    transcript = "4.4-windows/positions.txt::an-estimate"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = True


class SendsExactTooEarly(ChangesWindow):
    """Sends `exact` as true before both ends of the list are loaded."""

    transcript = "4.4-windows/keyed.txt::both-ends"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = True


class NeverSendsExact(ChangesWindow):
    """Sends `exact` as false though both ends of the list are loaded."""

    transcript = "4.4-windows/keyed.txt::both-ends"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = False


class OmitsPlaceholders(ChangesWindow):
    """Omits the placeholders of rows that aren't loaded."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            splice["items"] = [item for item in splice["items"] if item is not None]


class MovesTheWindowAfterLoading(ChangesWindow):
    """Moves the window only once its rows are loaded."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def changed(self, message: Message) -> list[Message]:
        items = [item for splice in message["params"].get("splices", []) for item in splice["items"]]
        return [] if items and not any(items) else [message]


class SendsPlaceholdersBeyondTheEnd(ChangesWindow):
    """Sends placeholders for rows beyond the end of the list."""

    transcript = "4.4-windows/positions.txt::beyond-the-end"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            if None in splice["items"]:
                splice["items"].append(None)


class SplitsMovesOfWindows(ChangesWindow):
    """Sends the rows that leave a window and those that enter it in separate notifications."""

    transcript = "4.4-windows/positions.txt::a-little-further"

    def changed(self, message: Message) -> list[Message]:
        splices = message["params"].get("splices", [])
        return [{**message, "params": {**message["params"], "splices": [splice]}} for splice in splices] or [message]


class KeepsThePositionOfTheWindow(ChangesWindow):
    """Doesn't move the window when a row arrives before it."""

    transcript = "4.4-windows/changes.txt::before-the-window"
    start = 0

    def change(self, params: dict[str, Any]) -> None:
        if params.get("splices"):
            self.start = params["start"]
        params["start"] = self.start


class IgnoresRowsBehindTheWindow(ChangesWindow):
    """Doesn't send the new `count` when a row arrives behind the window."""

    transcript = "4.4-windows/changes.txt::behind-the-window"

    def changed(self, message: Message) -> list[Message]:
        return [message] if message["params"].get("splices") else []


class OmitsThePositionOfTheWindow(Rule):
    """Omits the window's position from the answer to `outputs`."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-whole-window"

    def sends(self, message: Message) -> list[Message]:
        result = message.get("result")
        if isinstance(result, dict) and "items" in result.get("outputs", {}):
            result["outputs"]["items"].pop("start", None)
        return [message]


class IgnoresPositionsOfChanges(ChangesInput):
    """Ignores the position that the source sends with a change."""

    section, transcript = "4.4", "4.4-windows/changes.txt::at-a-position"

    def received(self, message: Message) -> list[Message]:
        for change in message.get("params", {}).get("changes", []):
            change.pop("position", None)
        return [message]


class CountsUnknownRowsFirst(ChangesInput):
    """Counts a row without a position as one before the window."""

    section, transcript = "4.4", "4.4-windows/changes.txt::of-unknown-position"

    def received(self, message: Message) -> list[Message]:
        for change in message.get("params", {}).get("changes", []):
            change["position"] = 0
        return [message]


class ReloadsFromTheTop(Rule):
    """Reloads a list from its first row when a refresh should reload the window's rows."""

    section, transcript = "4.4", "4.4-windows/changes.txt::refreshed"
    refreshed = False

    def answers(self, message: Message) -> list[Message]:
        self.refreshed = self.refreshed or message.get("method") == "refresh"
        return []

    def sends(self, message: Message) -> list[Message]:
        if self.refreshed and message.get("method") == "source/page":
            message["params"]["at"] = 0
        return [message]


class KeepsThePositionOfTheOldQuery(ChangesWindow):
    """Leaves the window at its position when a new query should begin at the top."""

    transcript = "4.4-windows/opening.txt::a-search"
    place = 0

    def change(self, params: dict[str, Any]) -> None:
        self.place = params["start"] = max(self.place, params["start"])
