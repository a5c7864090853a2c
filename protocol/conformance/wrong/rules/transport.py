"""Section 1: transport."""

from __future__ import annotations

import json

from .rule import Message, Rule


class SpeaksFirst(Rule):
    """Sends a notification before it has received anything."""

    section, transcript = "1", "1-transport/framing.txt::one-ping"

    def starts(self) -> list[Message]:
        return [{"jsonrpc": "2.0", "method": "ready"}]


class CountsCharacters(Rule):
    """Counts characters, not bytes, in `Content-Length`."""

    section, transcript, framing = "1.1", "1-transport/headers.txt::length-counts-bytes", "headers"

    def frame(self, body: bytes, framing: str) -> bytes:
        return b"Content-Length: %d\r\n\r\n%s" % (len(body.decode()), body)


class WritesHeadersInLowerCase(Rule):
    """Writes `content-length` instead of `Content-Length`."""

    section, transcript, framing = "1.1", "1-transport/framing.txt::one-ping", "headers"

    def frame(self, body: bytes, framing: str) -> bytes:
        return super().frame(body, framing).replace(b"Content-Length", b"content-length", 1)


class EndsLinesWithCarriageReturns(Rule):
    """Ends lines with CR LF instead of LF."""

    section, transcript = "1.1", "1-transport/framing.txt::one-ping"

    def frame(self, body: bytes, framing: str) -> bytes:
        return body + b"\r\n"


class SpreadsMessagesOverLines(Rule):
    """Writes a message over several lines."""

    section, transcript = "1.1", "1-transport/framing.txt::one-ping"

    def text(self, text: str) -> list[str]:
        return [json.dumps(json.loads(text), indent=1)]


class AnswersInTheOtherFraming(Rule):
    """Answers headers with lines, and lines with headers."""

    section, transcript = "1.1", "1-transport/framing.txt::one-ping"

    def frame(self, body: bytes, framing: str) -> bytes:
        return super().frame(body, "headers" if framing == "lines" else "lines")


class SwitchesTheFraming(Rule):
    """Answers the second message in the other framing."""

    section, transcript = "1.1", "1-transport/lines.txt::blank-lines"
    written = 0

    def frame(self, body: bytes, framing: str) -> bytes:
        self.written += 1
        return super().frame(body, framing if self.written != 2 else "headers")


class IgnoresTheLastLine(Rule):
    """Ignores a last line that has no line end."""

    section, transcript = "1.1", "1-transport/lines.txt::last-line-without-an-end"
    pending = b""

    def forwards(self, data: bytes) -> bytes:
        lines, _, self.pending = (self.pending + data).rpartition(b"\n")
        return lines + b"\n" if lines else b""


class IgnoresMessagesWithoutHeaders(Rule):
    """Ignores a message without headers where a header is due."""

    section, transcript, framing = "1.1", "1-transport/headers.txt::messages-without-headers", "headers"

    def forwards(self, data: bytes) -> bytes:
        return b"" if data.startswith(b"{") else data


class IgnoresBrokenMessages(Rule):
    """Doesn't answer messages that aren't JSON."""

    section, transcript, chunks = "1.2", "1-transport/not-json.txt::various-faults", "whole"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("error", {}).get("code") == -32700 else [message]


class CountsOffsetsFromOne(Rule):
    """Counts the offset of an error from 1 instead of 0."""

    section, transcript = "1.2", "1-transport/not-json.txt::offset-of-the-fault"

    def sends(self, message: Message) -> list[Message]:
        if "offset" in (data := message.get("error", {}).get("data", {})):
            data["offset"] += 1
        return [message]


class RefusesTheLimitItself(Rule):
    """Refuses a message that is exactly as large as the limit."""

    section, transcript = "1.3", "1-transport/message-size.txt::as-large-as-the-limit"

    def options(self, command: list[str]) -> list[str]:
        at = command.index("--max-message-size") + 1
        return [*command[:at], str(int(command[at]) - 1), *command[at + 1 :]]


class IgnoresTheLimitOfBatchAnswers(Rule):
    """Doesn't limit the size of the answer to a batch."""

    section, transcript = "1.3", "2-messages/batches.txt::batch-answer-over-the-limit"

    def options(self, command: list[str]) -> list[str]:
        at = command.index("--max-batch-answer")
        return [*command[:at], *command[at + 2 :]]


class ExitsWithAnErrorAtTheEnd(Rule):
    """Exits with 1 instead of 0 when its input ends."""

    section, transcript = "1.4", "3-session/shutdown.txt::end-of-input-without-shutdown"

    def exit(self, code: int) -> int:
        return code or 1


class ExitsWithZeroWithoutShutdown(Rule):
    """Exits with 0 instead of 1 after `exit` without `shutdown`."""

    section, transcript = "1.4", "3-session/shutdown.txt::exit-without-shutdown"

    def exit(self, code: int) -> int:
        return 0


class EndsBeforeItAnswers(Rule):
    """Exits at the end of its input without answering the messages that it has received."""

    section, transcript, chunks = "1.4", "1-transport/end-of-input.txt::answers-all-received-messages", "whole"

    def forwards(self, data: bytes) -> bytes:
        return b""
