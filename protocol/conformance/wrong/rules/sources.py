"""Sections 6 and 7: sources and configuration."""

from __future__ import annotations

import json

from .rule import Message, Rule, Swallowing, as_text, with_sources


class ItemsAreWrittenAnew(Rule):
    """Writes the items' numbers and strings in its own way: 1.50e+03 comes out as 1500.0."""

    section, transcript = "6", "6-sources/client.txt::items-pass-byte-for-byte"

    def text(self, text: str) -> list[str]:
        value = json.loads(text)
        return [as_text(value) if "method" in value and value["method"] == "items" else text]


class KeysAreStrings(Rule):
    """Sends the next page's key as a string, whatever it was."""

    section, transcript = "6", "5.1-list/reach-bottom.txt::next-may-be-anything"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and message["params"]["key"] is not None:
            message["params"]["key"] = as_text(message["params"]["key"])
        return [message]


class AsksWithoutTheQuery(Rule):
    """Doesn't tell the source what is looked for."""

    section, transcript = "6", "5.3-search/text.txt::after-200-ms"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["query"] = None
        return [message]


class AsksForItsOwnPageSize(Rule):
    """Asks the source for 20 items, whatever the screen says."""

    section, transcript = "6", "7-configuration/screens.txt::page-size"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["size"] = 20
        return [message]


class LeavesDroppedLoadsRunning(Rule):
    """Doesn't cancel the request of a load that was dropped."""

    section, transcript = "6.3", "3-session/close.txt::cancels-the-load"

    def says(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "$/cancelRequest" else [message]


class ExitsWithOneCodeForAllErrors(Rule):
    """Exits with 1 when its configuration is wrong."""

    section, transcript = "7", "7-configuration/mistakes-in-sources.txt::unknown-source"

    def exit(self, code: int) -> int:
        return min(code, 1)


class AsksWithoutTheFilters(Rule):
    """Doesn't tell the source what is filtered by."""

    section, transcript = "6", "5.1-list/filters.txt::own-value"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("filters", None)
        return [message]


class SendsEmptyFilters(Rule):
    """Tells the source of filters where nothing is filtered."""

    section, transcript = "6", "5.2-pager/by-id.txt::within-a-list"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].setdefault("filters", {})
        return [message]


class AsksForAnotherItem(Rule):
    """Asks the source for an item by its id as a text."""

    section, transcript = "6", "5.2-pager/by-id.txt::full-item-alone"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/item":
            message["params"]["id"] = as_text(message["params"]["id"])
        return [message]


class LeavesOutProgress(Rule):
    """Doesn't say how far a source has come."""

    section, transcript = "6", "6-sources/progress.txt::without-an-end"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"].pop("progress", None)
        return [message]


class KeepsProgress(Rule):
    """Says of later loads how far an earlier one had come."""

    section, transcript = "6", "6-sources/progress.txt::of-a-load-that-is-dropped"

    def __init__(self) -> None:
        super().__init__()
        self.last: Message = {}

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            value = message["params"]["value"]
            self.last = {"progress": value["progress"]} if "progress" in value else self.last
            message["params"]["value"] = value | self.last
        return [message]


class SaysProgressTwice(Rule):
    """Says the progress as an output of its own, too."""

    section, transcript = "6", "6-sources/progress.txt::reported"

    def says(self, message: Message) -> list[Message]:
        value = message["params"]["value"] if message.get("method") == "state" else {}
        if "progress" not in value:
            return [message]
        return [message, message | {"method": "progress", "params": message["params"] | {"value": value["progress"]}}]


class FollowsNoFile(Rule):
    """Reads a file once: the last line counts before it is finished."""

    section, transcript = "6.2", "6-sources/file-follow.txt::the-last-line-is-not-finished"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, follow=False)


class CountsUnfinishedLines(Rule):
    """Says how many lines a file that is followed has before it has seen its end."""

    section, transcript = "6.2", "6-sources/file-follow.txt::the-last-line-is-not-finished"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"]["total"] = message["params"]["value"]["total"] or 4
        return [message]


class HasAsManyRowsAsEver(Rule):
    """Makes up as many mails as ever, whatever the definition says."""

    section, transcript = "6.1", "6-sources/demo.txt::few-rows"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, rows=320)


class LooksThroughAnyNumber(Rule):
    """Looks through more made-up items than anybody can wait for."""

    section, transcript = "6.1", "6-sources/demo.txt::too-many-rows-to-search"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, rows=10_000)


class _Mishears(Rule):
    """Hears less of a page than its source says."""

    section = "6"
    unheard: tuple[str, ...] = ()

    def reads(self, data: bytes) -> bytes:
        return b"".join(self._line(line) for line in data.splitlines(keepends=True))

    def _line(self, line: bytes) -> bytes:
        if b'"items"' not in line or b'"result"' not in line:
            return line
        message = json.loads(line)
        for name in self.unheard:
            message["result"].pop(name, None)
        return as_text(message).encode() + b"\n"


class BelievesAnyPosition(_Mishears):
    """Takes a page wherever it says that it is."""

    transcript = "6-sources/positions.txt::a-negative-position"
    unheard = ("position",)


class BelievesAnyTotal(_Mishears):
    """Takes items beyond the end of their list."""

    transcript = "6-sources/positions.txt::items-beyond-the-end"
    unheard = ("total",)


class BelievesNoEstimate(_Mishears):
    """Takes an estimate for exact."""

    transcript = "6-sources/positions.txt::an-estimate"
    unheard = ("exact",)


class WaitsForAnswersThatCameUnusable(Swallowing):
    """Goes on waiting after an answer that can't be read."""

    section, transcript = "6.3", "6-sources/unusable-answers.txt::page-too-deep"

    def swallows(self, message: Message) -> bool:
        return message.get("method") in ("error", "state") and message["params"]["value"].get("phase") != "requesting"
