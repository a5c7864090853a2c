"""Section 4.4: a part of a list, and what changes in it."""

from __future__ import annotations

from typing import Any

from .rule import Message, Mishearing, Rule


class Window(Rule):
    """Says otherwise what is held."""

    section = "4.4"

    def says(self, message: Message) -> list[Message]:
        return self.held(message) if message.get("method") == "items" and "start" in message["params"] else [message]

    def held(self, message: Message) -> list[Message]:
        self.change(message["params"])
        return [message]

    def change(self, params: dict[str, Any]) -> None:
        """Changes what is said."""


class WindowsForEverybody(Mishearing):
    """Opens a window for a client that can't hold one."""

    section, transcript = "4.4", "4.4-windows/opening.txt::without-the-capability"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).get("capabilities", {})["windows"] = True
        return [message]


class WindowsForEveryView(Mishearing):
    """Holds a part of a list that was opened without a window."""

    section, transcript = "4.4", "4.4-windows/opening.txt::without-a-window"

    def heard(self, message: Message) -> list[Message]:
        if message.get("method") == "open":
            message["params"]["params"] = {"window": {}}
        return [message]


class AnyMargin(Mishearing):
    """Takes a margin that is none."""

    section, transcript = "4.4", "4.4-windows/opening.txt::margins"

    def heard(self, message: Message) -> list[Message]:
        message.get("params", {}).pop("params", None)
        return [message]


class IgnoresTheMargin(Mishearing):
    """Holds as many rows around those in sight as it likes."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-rows-in-sight-and-the-margin"

    def heard(self, message: Message) -> list[Message]:
        if message.get("method") == "open":
            message["params"]["params"]["window"]["margin"] = 3
        return [message]


class HoldsMoreThanAThousand(Window):
    """Holds all rows that are in sight, however many."""

    transcript = "4.4-windows/positions.txt::a-thousand-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            if len(splice["items"]) > 900:
                splice["items"].append(None)
            elif splice["deleteCount"] > 900:
                splice["deleteCount"] += 1


class ForgetsAnEarlyViewport(Mishearing):
    """Doesn't remember a viewport that came before the first page."""

    section, transcript = "4.4", "4.4-windows/opening.txt::before-the-first-page"

    def heard(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "viewport" else [message]


class WholeFormForDeltas(Window):
    """Says all that is held where something has changed."""

    transcript = "4.4-windows/changes.txt::before-the-window"

    def change(self, params: dict[str, Any]) -> None:
        if not params.get("splices"):
            params["value"] = [None] * 8
            params.pop("splices", None)


class SplicesOfTheList(Window):
    """Counts in the list, not in what is held."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            splice["start"] += params["start"]


class StandsAtTheStart(Window):
    """Says that what is held begins the list."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        params["start"] = 0


class CountsWhatIsHeld(Window):
    """Says how many rows are held, not how many the list has."""

    transcript = "4.4-windows/positions.txt::any-rows"
    length = 0

    def change(self, params: dict[str, Any]) -> None:
        self.length += sum(len(splice["items"]) - splice["deleteCount"] for splice in params.get("splices", []))
        params["count"] = self.length


class KnowsEveryCount(Window):
    """Takes an estimate for a count."""

    transcript = "4.4-windows/positions.txt::an-estimate"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = True


class KnowsTheCountOfOneEnd(Window):
    """Knows how many rows there are before both ends are loaded."""

    transcript = "4.4-windows/keyed.txt::both-ends"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = True


class KnowsNoCount(Window):
    """Doesn't know how many rows there are although both ends are loaded."""

    transcript = "4.4-windows/keyed.txt::both-ends"

    def change(self, params: dict[str, Any]) -> None:
        params["exact"] = False


class LeavesOutPlaceholders(Window):
    """Holds no placeholders for rows that aren't read."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            splice["items"] = [item for item in splice["items"] if item is not None]


class WaitsForRows(Window):
    """Moves what is held once its rows are read."""

    transcript = "4.4-windows/positions.txt::any-rows"

    def held(self, message: Message) -> list[Message]:
        items = [item for splice in message["params"].get("splices", []) for item in splice["items"]]
        return [] if items and not any(items) else [message]


class HoldsPlaceholdersBeyondTheEnd(Window):
    """Holds placeholders for rows that the list doesn't have."""

    transcript = "4.4-windows/positions.txt::beyond-the-end"

    def change(self, params: dict[str, Any]) -> None:
        for splice in params.get("splices", []):
            if None in splice["items"]:
                splice["items"].append(None)


class LeavesInOneAndComesInAnother(Window):
    """Says what leaves and what comes one after the other."""

    transcript = "4.4-windows/positions.txt::a-little-further"

    def held(self, message: Message) -> list[Message]:
        splices = message["params"].get("splices", [])
        return [{**message, "params": {**message["params"], "splices": [splice]}} for splice in splices] or [message]


class StaysWithItsNumbers(Window):
    """Holds the rows of the same numbers when one comes in above."""

    transcript = "4.4-windows/changes.txt::before-the-window"
    start = 0

    def change(self, params: dict[str, Any]) -> None:
        if params.get("splices"):
            self.start = params["start"]
        params["start"] = self.start


class SaysNothingOfRowsBehind(Window):
    """Doesn't say that the list is longer by a row behind what is held."""

    transcript = "4.4-windows/changes.txt::behind-the-window"

    def held(self, message: Message) -> list[Message]:
        return [message] if message["params"].get("splices") else []


class WholeWithoutAPlace(Rule):
    """Says in `outputs` what is held, and not where."""

    section, transcript = "4.4", "4.4-windows/positions.txt::the-whole-window"

    def says(self, message: Message) -> list[Message]:
        result = message.get("result")
        if isinstance(result, dict) and "items" in result.get("outputs", {}):
            result["outputs"]["items"].pop("start", None)
        return [message]


class IgnoresPositionsOfChanges(Mishearing):
    """Takes no notice of the position that a change says."""

    section, transcript = "4.4", "4.4-windows/changes.txt::at-a-position"

    def heard(self, message: Message) -> list[Message]:
        for change in message.get("params", {}).get("changes", []):
            change.pop("position", None)
        return [message]


class CountsUnknownRowsFirst(Mishearing):
    """Counts a row of unknown place as before what is held."""

    section, transcript = "4.4", "4.4-windows/changes.txt::of-unknown-position"

    def heard(self, message: Message) -> list[Message]:
        for change in message.get("params", {}).get("changes", []):
            change["position"] = 0
        return [message]


class RevalidatesFromTheTop(Rule):
    """Reads a list from its first row on that is refreshed in place."""

    section, transcript = "4.4", "4.4-windows/changes.txt::refreshed"
    refreshed = False

    def hears(self, message: Message) -> list[Message]:
        self.refreshed = self.refreshed or message.get("method") == "refresh"
        return []

    def says(self, message: Message) -> list[Message]:
        if self.refreshed and message.get("method") == "source/page":
            message["params"]["at"] = 0
        return [message]


class SearchesWhereItWas(Window):
    """Doesn't begin at the top when something else is looked for."""

    transcript = "4.4-windows/opening.txt::a-search"
    place = 0

    def change(self, params: dict[str, Any]) -> None:
        self.place = params["start"] = max(self.place, params["start"])
