"""Sections 6 and 7: sources and configuration."""

from __future__ import annotations

import json

from .rule import DropsOutput, Message, Rule, as_text, with_sources


class ItemsAreReencoded(Rule):
    """Encodes items again: 1.50e+03 becomes 1500.0."""

    section, transcript = "6", "6-sources/client.txt::items-pass-byte-for-byte"

    def text(self, text: str) -> list[str]:
        value = json.loads(text)
        return [as_text(value) if "method" in value and value["method"] == "items" else text]


class KeysAreStrings(Rule):
    """Sends the next page's key as a string, whatever type the source gave it."""

    section, transcript = "6", "5.1-list/reach-bottom.txt::next-may-be-anything"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page" and message["params"]["key"] is not None:
            message["params"]["key"] = as_text(message["params"]["key"])
        return [message]


class OmitsTheQuery(Rule):
    """Requests pages without the query."""

    section, transcript = "6", "5.3-search/text.txt::after-200-ms"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["query"] = None
        return [message]


class IgnoresPageSize(Rule):
    """Requests 20 items, whatever the screen's `pageSize` is."""

    section, transcript = "6", "7-configuration/screens.txt::page-size"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"]["size"] = 20
        return [message]


class LeavesDroppedLoadsRunning(Rule):
    """Doesn't cancel the request of a load that was dropped."""

    section, transcript = "6.3", "3-session/close.txt::cancels-the-load"

    def sends(self, message: Message) -> list[Message]:
        return [] if message.get("method") == "$/cancelRequest" else [message]


class ExitsWithOneIfMisconfigured(Rule):
    """Exits with 1 instead of 78 if its configuration is wrong."""

    section, transcript = "7", "7-configuration/mistakes-in-sources.txt::unknown-source"

    def exit(self, code: int) -> int:
        return min(code, 1)


class OmitsTheFilters(Rule):
    """Requests pages without the filters."""

    section, transcript = "6", "5.1-list/filters.txt::own-value"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("filters", None)
        return [message]


class SendsEmptyFilters(Rule):
    """Sends empty `filters` to the source if nothing is filtered."""

    section, transcript = "6", "5.2-pager/by-id.txt::within-a-list"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].setdefault("filters", {})
        return [message]


class SendsIdsAsTexts(Rule):
    """Requests an item with its id written as a text."""

    section, transcript = "6", "5.2-pager/by-id.txt::full-item-alone"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/item":
            message["params"]["id"] = as_text(message["params"]["id"])
        return [message]


class OmitsProgress(Rule):
    """Omits `progress` from `state`."""

    section, transcript = "6", "6-sources/progress.txt::without-an-end"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"].pop("progress", None)
        return [message]


class KeepsProgress(Rule):
    """Sends the progress of an earlier load with later loads."""

    section, transcript = "6", "6-sources/progress.txt::of-a-load-that-is-dropped"

    def __init__(self) -> None:
        super().__init__()
        self.last: Message = {}

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            value = message["params"]["value"]
            self.last = {"progress": value["progress"]} if "progress" in value else self.last
            message["params"]["value"] = value | self.last
        return [message]


class SendsProgressTwice(Rule):
    """Sends the progress also as a separate output."""

    section, transcript = "6", "6-sources/progress.txt::reported"

    def sends(self, message: Message) -> list[Message]:
        value = message["params"]["value"] if message.get("method") == "state" else {}
        if "progress" not in value:
            return [message]
        return [message, message | {"method": "progress", "params": message["params"] | {"value": value["progress"]}}]


class IgnoresFollow(Rule):
    """Reads a file only once, and lists the last line before it is finished."""

    section, transcript = "6.2", "6-sources/file-follow.txt::the-last-line-is-not-finished"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, follow=False)


class CountsUnfinishedLines(Rule):
    """Sends the number of lines of a followed file before it has read to the end."""

    section, transcript = "6.2", "6-sources/file-follow.txt::the-last-line-is-not-finished"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state":
            message["params"]["value"]["total"] = message["params"]["value"]["total"] or 4
        return [message]


class IgnoresRowsOfDemo(Rule):
    """Ignores `rows` in the definition of a `demo` source."""

    section, transcript = "6.1", "6-sources/demo.txt::few-rows"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, rows=320)


class SearchesTooManyRows(Rule):
    """Accepts a search of more mails than a `demo` source can search."""

    section, transcript = "6.1", "6-sources/demo.txt::too-many-rows-to-search"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, rows=10_000)


class _IgnoresPageFields(Rule):
    """Ignores fields of the pages that a source sends."""

    section = "6"
    ignored: tuple[str, ...] = ()

    def forwards(self, data: bytes) -> bytes:
        return b"".join(self._line(line) for line in data.splitlines(keepends=True))

    def _line(self, line: bytes) -> bytes:
        if b'"items"' not in line or b'"result"' not in line:
            return line
        message = json.loads(line)
        for name in self.ignored:
            message["result"].pop(name, None)
        return as_text(message).encode() + b"\n"


class AcceptsWrongPositions(_IgnoresPageFields):
    """Accepts a page whose position is negative."""

    transcript = "6-sources/positions.txt::a-negative-position"
    ignored = ("position",)


class AcceptsItemsBeyondTheTotal(_IgnoresPageFields):
    """Accepts items beyond the exact total."""

    transcript = "6-sources/positions.txt::items-beyond-the-end"
    ignored = ("total",)


class IgnoresEstimates(_IgnoresPageFields):
    """Treats an estimated total as exact."""

    transcript = "6-sources/positions.txt::an-estimate"
    ignored = ("exact",)


class WaitsAfterUnusableAnswers(DropsOutput):
    """Continues to wait after an answer that it can't read."""

    section, transcript = "6.3", "6-sources/unusable-answers.txt::page-too-deep"

    def drops(self, message: Message) -> bool:
        return message.get("method") in ("error", "state") and message["params"]["value"].get("phase") != "requesting"
