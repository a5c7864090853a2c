"""Section 4: inputs and outputs."""

from __future__ import annotations

import json

from .rule import Message, Rule, notification


class LoadingForever(Rule):
    """Sends `loading` as true when a load ends."""

    section, transcript = "4.2", "5.1-list/appear.txt::loads-the-first-page"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "loading":
            message["params"]["value"] = True
        return [message]


class RepeatsOutputs(Rule):
    """Sends an output again though it hasn't changed."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::only-changed-outputs"

    def sends(self, message: Message) -> list[Message]:
        return [message, message] if message.get("method") == "loading" else [message]


class DropsANotification(Rule):
    """Doesn't send its third notification."""

    section, transcript = "4.2", "5.1-list/appear.txt::loads-the-first-page"
    sent = 0

    def sends(self, message: Message) -> list[Message]:
        self.sent += "method" in message and "id" not in message
        return [] if self.sent == 3 and "id" not in message else [message]


class NeverSendsNull(Rule):
    """Doesn't send a state whose value becomes null."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::error-null-is-sent"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("params", {}).get("value", 0) is None else [message]


class NumbersEveryFailureOne(Rule):
    """Gives every failure the number 1."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::equal-failures"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "error" and message["params"]["value"]:
            message["params"]["value"]["number"] = 1
        return [message]


class SendsIntermediateValues(Rule):
    """Sends null for `error` between two failures of the same step."""

    section, transcript = "4.2", "4-inputs-and-outputs/outputs.txt::two-failures-in-one-step"
    failures = 0

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") != "error":
            return [message]
        self.failures += 1
        over = notification("error", message["params"]["view"], None)
        return [over, message] if self.failures > 1 else [message]


class ReversesOutputs(Rule):
    """Sends the outputs of a step in reverse order."""

    section, transcript = "2.4", "5.1-list/appear.txt::loads-the-first-page"

    def burst(self, texts: list[str]) -> list[str]:
        outputs = [text for text in texts if "value" in json.loads(text).get("params", {})]
        return [outputs.pop() if text in outputs else text for text in texts]


class NeverIncreasesTheRevision(Rule):
    """Gives every change of the items the revision 1."""

    section, transcript = "4.3", "4-inputs-and-outputs/outputs.txt::only-changed-outputs"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "items":
            message["params"]["revision"] = 1
        return [message]


class SplicesAtZero(Rule):
    """Gives every splice the start 0."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def sends(self, message: Message) -> list[Message]:
        for splice in message.get("params", {}).get("splices", []):
            splice["start"] = 0
        return [message]


class SendsTheNewRevisionAsBase(Rule):
    """Sends the new revision as `base`, not the revision that the splices apply to."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def sends(self, message: Message) -> list[Message]:
        if "base" in (params := message.get("params", {})):
            params["base"] = params["revision"]
        return [message]


class IgnoresDeltas(Rule):
    """Sends whole lists to a client that asked for deltas."""

    section, transcript = "4.3", "4-inputs-and-outputs/deltas.txt::pages"

    def forwards(self, data: bytes) -> bytes:
        return data.replace(b'"deltas":true', b'"delta_":true')  # as long, for the sake of Content-Length
