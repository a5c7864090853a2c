"""Section 4.5: sections."""

from __future__ import annotations

from typing import Any

from .rule import DropsOutput, Message, Rule, notification, with_screens


class _ChangesSections(Rule):
    """Changes the output `sections`."""

    section = "4.5"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "sections":
            message["params"]["value"] = self.changed(message["params"]["value"])
        return [message]

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Returns the sections that replace the right ones."""
        return sections


class SendsSectionsForAllScreens(Rule):
    """Sends `sections` for a screen that doesn't have them."""

    section, transcript = "4.5", "4.5-sections/whole.txt::opening"

    def sends(self, message: Message) -> list[Message]:
        if message.get("id") == 2:
            message["result"]["outputs"]["sections"] = {"value": []}
        return [message]


class CountsUnfinishedSections(_ChangesSections):
    """Sends the count of the last section before the next page has arrived."""

    transcript = "4.5-sections/whole.txt::the-next-page"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] or 1} for one in sections]


class IgnoresPrefix(Rule):
    """Compares whole texts though the screen has a prefix."""

    section, transcript = "4.5", "4.5-sections/whole.txt::the-next-page"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, sections={"by": "date"})


class IgnoresNestedFields(Rule):
    """Uses an object as the key though the screen names a field in it."""

    section, transcript = "4.5", "4.5-sections/whole.txt::of-an-inner-field"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, sections={"by": "from"})


class SplitsCharacters(_ChangesSections):
    """Cuts a key inside a character: `é` becomes `e`."""

    transcript = "4.5-sections/whole.txt::characters"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "key": "e" if one["key"] == "é" else one["key"]} for one in sections]


class SplitsEqualNumbers(_ChangesSections):
    """Puts equal numbers in separate sections if they are written differently."""

    transcript = "4.5-sections/whole.txt::of-all-kinds"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [part for one in sections for part in self.split(one)]

    def split(self, one: dict[str, Any]) -> list[dict[str, Any]]:
        is_split = one["key"] == 1 and one["count"] == 2
        return [{**one, "count": 1}, {"key": 1.0, "start": one["start"] + 1, "count": 1}] if is_split else [one]


class SendsKeysAsTexts(_ChangesSections):
    """Sends every key as a text."""

    transcript = "4.5-sections/whole.txt::of-all-kinds"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "key": str(one["key"])} for one in sections]


class JoinsSeparateSections(_ChangesSections):
    """Joins all sections with the same key, though other rows are between them."""

    transcript = "4.5-sections/whole.txt::between"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return list({one["key"]: one for one in reversed(sections)}.values())


class OmitsEmptySections(DropsOutput):
    """Doesn't send `sections` when no sections remain."""

    section, transcript = "4.5", "4.5-sections/whole.txt::refreshed"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "sections" and message["params"]["value"] == []


class RepeatsSections(Rule):
    """Sends `sections` with each change of the items, though they are unchanged."""

    section, transcript = "4.5", "4.5-sections/whole.txt::changed"

    def __init__(self) -> None:
        self.last: Any = []

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "sections":
            self.last = message["params"]["value"]
        is_items = message.get("method") == "items"
        return [message, notification("sections", "v", self.last)] if is_items else [message]


class SendsSectionsOutsideTheWindow(_ChangesSections):
    """Sends sections that have no row in the window."""

    transcript = "4.5-sections/windows.txt::keyed"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [*sections, {"key": "b", "start": 2, "count": None}] if len(sections) == 1 else sections


class CutsSectionsAtTheWindow(_ChangesSections):
    """Counts only the rows of a section that are in the window."""

    transcript = "4.5-sections/windows.txt::beyond-the-window"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"key": "z", "start": 504, "count": 2} if one["count"] == 3 and one["key"] == "z" else one for one in sections]


class CountsSectionsWithUnloadedEdges(_ChangesSections):
    """Sends the count of a section that may continue in unloaded rows."""

    transcript = "4.5-sections/windows.txt::counted-between-loaded-rows"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] or 1} for one in sections]


class OmitsTheCountAtTheStart(_ChangesSections):
    """Omits the count of the section at the start of the list."""

    transcript = "4.5-sections/windows.txt::at-the-start"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] if one["start"] else None} for one in sections]


class OmitsTheCountAtTheEnd(_ChangesSections):
    """Omits the count of the section at the end of the list."""

    transcript = "4.5-sections/windows.txt::at-the-end"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": None if one["start"] == 997 else one["count"]} for one in sections]


class KeepsStartsOfSections(DropsOutput):
    """Doesn't change the start of sections when a row arrives before them."""

    section, transcript = "4.5", "4.5-sections/windows.txt::moved"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "sections" and message["params"]["value"][:1] == [{"key": "x", "start": 501, "count": None}]


class MakesSectionsOfPlaceholders(_ChangesSections):
    """Makes a section of unloaded rows, as if they lacked the field."""

    transcript = "4.5-sections/windows.txt::without-loaded-rows"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sections or [{"key": None, "start": 700, "count": None}]
