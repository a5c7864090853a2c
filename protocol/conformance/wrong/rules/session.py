"""Section 3: the session."""

from __future__ import annotations

from .rule import Message, Rule, notification


class AgreesWithEveryVersion(Rule):
    """Answers `initialize` with the client's protocol version, not with its own."""

    section, transcript = "3", "3-session/initialize.txt::another-version"

    def hears(self, message: Message) -> list[Message]:
        if message.get("method") == "initialize":
            self.version = message["params"]["protocolVersion"]
        return []

    def says(self, message: Message) -> list[Message]:
        if "protocolVersion" in (result := message.get("result") or {}):
            result["protocolVersion"] = self.version
        return [message]


class ClaimsTheUsualLimits(Rule):
    """Answers `initialize` with the usual limits, whatever its options are."""

    section, transcript = "3", "3-session/initialize.txt::limits"

    def says(self, message: Message) -> list[Message]:
        if "limits" in (result := message.get("result") or {}):
            result["limits"] |= {"messageSize": 16_777_216, "depth": 512, "views": 10_000}
        return [message]


class InitializesAgain(Rule):
    """Takes a second `initialize`."""

    section, transcript = "3", "3-session/initialize.txt::twice"
    first: Message | None = None

    def says(self, message: Message) -> list[Message]:
        if "protocolVersion" in message.get("result", {}):
            self.first = message["result"]
        elif self.first and message.get("error", {}).get("code") == -32600:
            return [{"jsonrpc": "2.0", "id": message["id"], "result": self.first}]
        return [message]


class ScreensSortedByName(Rule):
    """Lists the screens by name, not in the order of the configuration."""

    section, transcript = "3", "3-session/screens.txt::of-a-configuration"

    def says(self, message: Message) -> list[Message]:
        message.get("result", {}).get("screens", []).sort(key=lambda screen: screen["screen"])
        return [message]


class KeepsDisplaysToItself(Rule):
    """Doesn't say in `rpc.discover` how screens are to be shown."""

    section, transcript = "3", "3-session/discover.txt::display"

    def says(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.pop("display", None)
        return [message]


class GuessesDisplays(Rule):
    """Says of a screen how it is to be shown though nobody has said it."""

    section, transcript = "3", "3-session/discover.txt::display"

    def says(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.setdefault("display", {})
        return [message]


class KeepsIdentifiersToItself(Rule):
    """Doesn't say in `rpc.discover` which member of a screen's items is their id."""

    section, transcript = "3", "3-session/discover.txt::id-fields"

    def says(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.pop("id", None)
        return [message]


class SaysTheWholeDocument(Rule):
    """Answers `rpc.discover` with members that nobody has asked for."""

    section, transcript = "3", "3-session/discover.txt::members"

    def says(self, message: Message) -> list[Message]:
        if "x-screens" in message.get("result", {}):
            message["result"].setdefault("openrpc", "1.3.2")
        return [message]


class LatestViewFirst(Rule):
    """Names the open views in -32001 with the latest first."""

    section, transcript = "3", "3-session/views.txt::unknown-view"

    def says(self, message: Message) -> list[Message]:
        message.get("error", {}).get("data", {}).get("views", []).reverse()
        return [message]


class ClosesInSilence(Rule):
    """Doesn't say `closed` of the views that a closed view had opened."""

    section, transcript = "3", "3-session/close.txt::closes-the-views-it-opened"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "closed" else [message]


class SaysThatWhatWasClosedIsClosed(Rule):
    """Says `closed` of the view that the client named, too."""

    section, transcript = "3", "3-session/close.txt::closed-view-refuses-inputs"

    def hears(self, message: Message) -> list[Message]:
        close = message.get("method") == "close" and "view" in message.get("params", {})
        return [notification("closed", message["params"]["view"], {})] if close else []


class TellsHowFarTheClockWent(Rule):
    """Answers `clock/advance` with the milliseconds that have passed, not with the time since the start."""

    section, transcript = "3", "3-session/clock.txt::moved-by-advance"
    now = 0

    def says(self, message: Message) -> list[Message]:
        if "now" in (result := message.get("result", {})):
            self.now, result["now"] = result["now"], result["now"] - self.now
        return [message]


class WorksOnAfterShutdown(Rule):
    """Answers requests that come after `shutdown`."""

    section, transcript = "3", "3-session/shutdown.txt::refuses-requests"

    def says(self, message: Message) -> list[Message]:
        if message.get("error", {}).get("code") == -32600:
            return [{"jsonrpc": "2.0", "id": message["id"], "result": {}}]
        return [message]
