"""Section 2: messages."""

from __future__ import annotations

import json
import re

from .rule import Message, Rule, as_text, is_reply

_ID = re.compile(r'^(\{"jsonrpc":"2\.0","id":)("(?:[^"\\]|\\.)*"|[-0-9.eE+]+)(?=,"(?:result|error)")')


class IdsLosePrecision(Rule):
    """Reads numeric ids as floating-point numbers: 1.50 comes back as 1.5, and 9007199254740993 is rounded."""

    section, transcript = "2.1", "2-messages/ids.txt::fraction"

    def text(self, text: str) -> list[str]:
        return [_ID.sub(lambda id: id[1] + (id[2] if id[2][0] == '"' else f"{float(id[2]):.16g}"), text)]


class IdsAreReencoded(Rule):
    r"""Encodes string ids again: "\u0041" comes back as "A"."""

    section, transcript = "2.1", "2-messages/ids.txt::string"

    def text(self, text: str) -> list[str]:
        return [_ID.sub(lambda id: id[1] + as_text(json.loads(id[2])), text)]


class ResultsAreNull(Rule):
    """Answers with the result null instead of `{}`."""

    section, transcript = "2.1", "3-session/ping.txt"

    def sends(self, message: Message) -> list[Message]:
        return [message | {"result": None} if message.get("result") == {} else message]


class SortsMembers(Rule):
    """Sorts the members of its messages by name."""

    section, transcript = "2.1", "2-messages/form.txt::as-documented-without-white-space"

    def text(self, text: str) -> list[str]:
        return [json.dumps(json.loads(text), separators=(",", ":"), sort_keys=True)]


class WhiteSpaceInMessages(Rule):
    """Writes white space between the members of its messages."""

    section, transcript = "2.1", "2-messages/form.txt::as-documented-without-white-space"

    def text(self, text: str) -> list[str]:
        return [json.dumps(json.loads(text))]


class AnswersTwice(Rule):
    """Sends every response twice."""

    section, transcript = "2.1", "3-session/ping.txt"

    def sends(self, message: Message) -> list[Message]:
        return [message, message] if is_reply(message) else [message]


class ErrorsWithoutData(Rule):
    """Omits `data` from errors."""

    section, transcript = "2.2", "3-session/views.txt::unknown-view"

    def sends(self, message: Message) -> list[Message]:
        message.get("error", {}).pop("data", None)
        return [message]


class ConfusesErrorCodes(Rule):
    """Sends the code -32600 if a method is unknown or a parameter is wrong."""

    section, transcript = "2.2", "2-messages/methods.txt::unknown-method"

    def sends(self, message: Message) -> list[Message]:
        if message.get("error", {}).get("code") in (-32601, -32602):
            message["error"]["code"] = -32600
        return [message]


class SuggestsNothing(Rule):
    """Doesn't ask whether the nearest name was meant."""

    section, transcript = "2.2", "2-messages/suggestions.txt::method"

    def sends(self, message: Message) -> list[Message]:
        if "error" in message:
            message["error"]["message"] = message["error"]["message"].split("; did you")[0]
        return [message]


class AnswersNotifications(Rule):
    """Answers a notification if it doesn't know the method."""

    section, transcript = "2.2", "2-messages/notifications.txt::not-answered"

    def answers(self, message: Message) -> list[Message]:
        if "id" in message or "." in message.get("method", "."):
            return []
        return [{"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "There is no such method."}}]


class AnswersBatchesInPieces(Rule):
    """Answers each member of a batch with a separate message."""

    section, transcript = "2.3", "2-messages/batches.txt::in-order"

    def text(self, text: str) -> list[str]:
        value = json.loads(text)
        return list(map(as_text, value)) if isinstance(value, list) else [text]


class ReversesBatchAnswers(Rule):
    """Answers a batch's requests in reverse order."""

    section, transcript = "2.3", "2-messages/batches.txt::in-order"

    def text(self, text: str) -> list[str]:
        value = json.loads(text)
        return [as_text(value[::-1])] if isinstance(value, list) else [text]


class AnswersBatchesOfNotifications(Rule):
    """Answers a batch of notifications with an empty array."""

    section, transcript = "2.3", "2-messages/batches.txt::of-notifications"

    silent = False

    def forwards(self, data: bytes) -> bytes:
        self.silent |= any(line.startswith(b"[") and b'"id"' not in line for line in data.splitlines())
        return data

    def burst(self, texts: list[str]) -> list[str]:
        return ["[]", *texts] if self.silent else texts


class RepliesFirst(Rule):
    """Sends a response before the notifications that the request caused."""

    section, transcript = "2.4", "2-messages/order.txt::reply-after-notifications"

    def burst(self, texts: list[str]) -> list[str]:
        return sorted(texts, key=lambda text: not is_reply(json.loads(text)))


class DropsAnswersToCancelledRequests(Rule):
    """Doesn't answer a request that the client cancels."""

    section, transcript, chunks = "2.5", "2-messages/cancelling.txt::an-answered-request", "whole"

    def __init__(self) -> None:
        self.cancelled: list[object] = []

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") == "$/cancelRequest":
            self.cancelled.append(message.get("params", {}).get("id"))
        return []

    def sends(self, message: Message) -> list[Message]:
        return [] if is_reply(message) and message["id"] in self.cancelled else [message]


class AnswersCancelledRequestsTwice(Rule):
    """Answers a cancelled request with -32800, though it has answered it already."""

    section, transcript = "2.5", "2-messages/cancelling.txt::an-answered-request"

    def answers(self, message: Message) -> list[Message]:
        if message.get("method") != "$/cancelRequest":
            return []
        id = message.get("params", {}).get("id")
        return [{"jsonrpc": "2.0", "id": id, "error": {"code": -32800, "message": "The request was cancelled."}}]


class OmitsMessageNumbers(Rule):
    """Omits the number of the message from errors whose id is null."""

    section, transcript = "2.2", "2-messages/numbers.txt::every-message-counts"

    def sends(self, message: Message) -> list[Message]:
        if message.get("id", 0) is None:
            message.get("error", {}).get("data", {}).pop("message", None)
        return [message]


class CountsRequestsOnly(Rule):
    """Counts requests, but not notifications, for the number of a message."""

    section, transcript = "2.2", "2-messages/numbers.txt::every-message-counts"
    notifications = 0

    def answers(self, message: Message) -> list[Message]:
        self.notifications += "method" in message and "id" not in message
        return []

    def sends(self, message: Message) -> list[Message]:
        if "error" in message and "message" in message["error"].get("data", {}):
            message["error"]["data"]["message"] -= self.notifications
        return [message]
