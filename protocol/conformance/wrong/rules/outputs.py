"""Section 4: inputs and outputs."""

from __future__ import annotations

import json

from .rule import Message, Rule, notification


class LoadingForever(Rule):
    """Never says that `loading` is over."""

    section, transcript = "4.2", "5.1-list/appear.txt::loads-the-first-page"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "loading":
            message["params"]["value"] = True
        return [message]


class SaysWhatIsKnown(Rule):
    """Says an output although it hasn't changed."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::only-changed-outputs"

    def says(self, message: Message) -> list[Message]:
        return [message, message] if message.get("method") == "loading" else [message]


class SwallowsANotification(Rule):
    """Doesn't say its third notification."""

    section, transcript = "4.2", "5.1-list/appear.txt::loads-the-first-page"
    said = 0

    def says(self, message: Message) -> list[Message]:
        self.said += "method" in message and "id" not in message
        return [] if self.said == 3 and "id" not in message else [message]


class NeverSaysNull(Rule):
    """Doesn't say that a state has become null."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::error-null-is-sent"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("params", {}).get("value", 0) is None else [message]


class CountsNoFailures(Rule):
    """Gives every failure the number 1."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::equal-failures"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "error" and message["params"]["value"]:
            message["params"]["value"]["number"] = 1
        return [message]


class SaysEveryValueOfAStep(Rule):
    """Says that a failure is over although the same step has the next one."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::two-failures-in-one-step"
    failures = 0

    def says(self, message: Message) -> list[Message]:
        if message.get("method") != "error":
            return [message]
        self.failures += 1
        over = notification("error", message["params"]["view"], None)
        return [over, message] if self.failures > 1 else [message]


class OutputsOutOfOrder(Rule):
    """Says the outputs of a step in the opposite order."""

    section, transcript = "2.4", "5.1-list/appear.txt::loads-the-first-page"

    def burst(self, texts: list[str]) -> list[str]:
        outputs = [text for text in texts if "value" in json.loads(text).get("params", {})]
        return [outputs.pop() if text in outputs else text for text in texts]


class RevisionStandsStill(Rule):
    """Gives every change of the items the revision 1."""

    section, transcript = "4.3", "4-inputs-and-outputs/outputs.txt::only-changed-outputs"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            message["params"]["revision"] = 1
        return [message]


class SplicesAtTheStart(Rule):
    """Has splices begin at index 0, wherever the change is."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def says(self, message: Message) -> list[Message]:
        for splice in message.get("params", {}).get("splices", []):
            splice["start"] = 0
        return [message]


class BaseOfTheChangeItself(Rule):
    """Names the new revision as the one that the splices apply to."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def says(self, message: Message) -> list[Message]:
        if "base" in (params := message.get("params", {})):
            params["base"] = params["revision"]
        return [message]


class WholeItemsToEverybody(Rule):
    """Sends the items whole to a client that asked for deltas."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def reads(self, data: bytes) -> bytes:
        return data.replace(b'"deltas":true', b'"delta_":true')  # as long, for the sake of Content-Length
