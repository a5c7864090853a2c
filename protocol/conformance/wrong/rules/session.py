"""Section 3: the session."""

from __future__ import annotations

from .rule import Message, Rule, notification


class AgreesWithEveryVersion(Rule):
    """Answers `initialize` with the client's protocol version instead of its own."""

    section, transcript = "3", "3-session/initialize.txt::another-version"

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") == "initialize":
            self.version = message["params"]["protocolVersion"]
        return []

    def sends(self, message: Message) -> list[Message]:
        if "protocolVersion" in (result := message.get("result") or {}):
            result["protocolVersion"] = self.version
        return [message]


class ReportsDefaultLimits(Rule):
    """Answers `initialize` with the default limits, even if options have changed them."""

    section, transcript = "3", "3-session/initialize.txt::limits"

    def sends(self, message: Message) -> list[Message]:
        if "limits" in (result := message.get("result") or {}):
            result["limits"] |= {"messageSize": 16_777_216, "depth": 512, "views": 10_000}
        return [message]


class AcceptsASecondInitialize(Rule):
    """Accepts a second `initialize`."""

    section, transcript = "3", "3-session/initialize.txt::twice"
    first: Message | None = None

    def sends(self, message: Message) -> list[Message]:
        if "protocolVersion" in message.get("result", {}):
            self.first = message["result"]
        elif self.first and message.get("error", {}).get("code") == -32600:
            return [{"jsonrpc": "2.0", "id": message["id"], "result": self.first}]
        return [message]


class SortsScreens(Rule):
    """Lists the screens by name, not in the order of the configuration."""

    section, transcript = "3", "3-session/screens.txt::of-a-configuration"

    def sends(self, message: Message) -> list[Message]:
        message.get("result", {}).get("screens", []).sort(key=lambda screen: screen["screen"])
        return [message]


class OmitsDisplays(Rule):
    """Omits `display` from the screens in the answer to `rpc.discover`."""

    section, transcript = "3", "3-session/discover.txt::display"

    def sends(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.pop("display", None)
        return [message]


class AddsEmptyDisplays(Rule):
    """Adds an empty `display` to screens that have none in the configuration."""

    section, transcript = "3", "3-session/discover.txt::display"

    def sends(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.setdefault("display", {})
        return [message]


class OmitsIdFields(Rule):
    """Omits the name of the id field from the screens in the answer to `rpc.discover`."""

    section, transcript = "3", "3-session/discover.txt::id-fields"

    def sends(self, message: Message) -> list[Message]:
        for screen in message.get("result", {}).get("x-screens", []):
            screen.pop("id", None)
        return [message]


class SendsUnrequestedMembers(Rule):
    """Answers `rpc.discover` with members that the client didn't request."""

    section, transcript = "3", "3-session/discover.txt::members"

    def sends(self, message: Message) -> list[Message]:
        if "x-screens" in message.get("result", {}):
            message["result"].setdefault("openrpc", "1.3.2")
        return [message]


class ListsNewestViewFirst(Rule):
    """Lists the open views in the error -32001 with the newest first."""

    section, transcript = "3", "3-session/views.txt::unknown-view"

    def sends(self, message: Message) -> list[Message]:
        message.get("error", {}).get("data", {}).get("views", []).reverse()
        return [message]


class OmitsClosed(Rule):
    """Doesn't send `closed` for views that a closed view had opened."""

    section, transcript = "3", "3-session/close.txt::closes-the-views-it-opened"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "closed" else [message]


class SendsClosedForTheNamedView(Rule):
    """Sends `closed` for the view that the client closed itself."""

    section, transcript = "3", "3-session/close.txt::closed-view-refuses-inputs"

    def answers(self, message: Message) -> list[Message]:
        close = message.get("method") == "close" and "view" in message.get("params", {})
        return [notification("closed", message["params"]["view"], {})] if close else []


class ReturnsTheElapsedTime(Rule):
    """Answers `clock/advance` with the milliseconds that passed, not with the time since the start."""

    section, transcript = "3", "3-session/clock.txt::moved-by-advance"
    now = 0

    def sends(self, message: Message) -> list[Message]:
        if "now" in (result := message.get("result", {})):
            self.now, result["now"] = result["now"], result["now"] - self.now
        return [message]


class AnswersAfterShutdown(Rule):
    """Answers requests with results after `shutdown`."""

    section, transcript = "3", "3-session/shutdown.txt::refuses-requests"

    def sends(self, message: Message) -> list[Message]:
        if message.get("error", {}).get("code") == -32600:
            return [{"jsonrpc": "2.0", "id": message["id"], "result": {}}]
        return [message]
