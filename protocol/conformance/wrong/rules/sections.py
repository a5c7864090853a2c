"""Section 4.5: sections."""

from __future__ import annotations

from typing import Any

from .rule import Message, Rule, Swallowing, notification, with_screens


class _Sections(Rule):
    """Says other sections."""

    section = "4.5"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "sections":
            message["params"]["value"] = self.changed(message["params"]["value"])
        return [message]

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What is said in the place of the right ones."""
        return sections


class SectionsForEverybody(Rule):
    """Says sections in screens that don't ask for them."""

    section, transcript = "4.5", "4.5-sections/whole.txt::opening"

    def says(self, message: Message) -> list[Message]:
        if message.get("id") == 2:
            message["result"]["outputs"]["sections"] = {"value": []}
        return [message]


class CountsSectionsThatGoOn(_Sections):
    """Counts the last section before the next page has come."""

    transcript = "4.5-sections/whole.txt::the-next-page"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] or 1} for one in sections]


class TakesNoPrefix(Rule):
    """Compares whole texts where a prefix is asked for."""

    section, transcript = "4.5", "4.5-sections/whole.txt::the-next-page"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, sections={"by": "date"})


class SeesNoInnerMembers(Rule):
    """Takes the name of an inner member for that of a member."""

    section, transcript = "4.5", "4.5-sections/whole.txt::of-an-inner-field"

    def options(self, command: list[str]) -> list[str]:
        return with_screens(command, sections={"by": "from"})


class CountsBytesOfTexts(_Sections):
    """Takes a letter without its accent."""

    transcript = "4.5-sections/whole.txt::characters"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "key": "e" if one["key"] == "é" else one["key"]} for one in sections]


class ComparesKeysAsWritten(_Sections):
    """Takes a number that is spelt in two ways for two."""

    transcript = "4.5-sections/whole.txt::of-all-kinds"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [part for one in sections for part in self.split(one)]

    def split(self, one: dict[str, Any]) -> list[dict[str, Any]]:
        is_split = one["key"] == 1 and one["count"] == 2
        return [{**one, "count": 1}, {"key": 1.0, "start": one["start"] + 1, "count": 1}] if is_split else [one]


class TakesNumbersForTexts(_Sections):
    """Says each key as a text."""

    transcript = "4.5-sections/whole.txt::of-all-kinds"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "key": str(one["key"])} for one in sections]


class JoinsSectionsOfOneKey(_Sections):
    """Makes one section of those with one key, wherever they stand."""

    transcript = "4.5-sections/whole.txt::between"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return list({one["key"]: one for one in reversed(sections)}.values())


class SectionsStayBehind(Swallowing):
    """Doesn't say that there are no sections any more."""

    section, transcript = "4.5", "4.5-sections/whole.txt::refreshed"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "sections" and message["params"]["value"] == []


class RepeatsSections(Rule):
    """Says sections again with each change of the items."""

    section, transcript = "4.5", "4.5-sections/whole.txt::changed"

    def __init__(self) -> None:
        self.last: Any = []

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "sections":
            self.last = message["params"]["value"]
        is_items = message.get("method") == "items"
        return [message, notification("sections", "v", self.last)] if is_items else [message]


class SectionsBesideTheWindow(_Sections):
    """Says sections of which the client holds no row."""

    transcript = "4.5-sections/windows.txt::keyed"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [*sections, {"key": "b", "start": 2, "count": None}] if len(sections) == 1 else sections


class CutsSectionsAtTheWindow(_Sections):
    """Counts of a section what the client holds."""

    transcript = "4.5-sections/windows.txt::beyond-the-window"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"key": "z", "start": 504, "count": 2} if one["count"] == 3 and one["key"] == "z" else one for one in sections]


class CountsWithoutEdges(_Sections):
    """Counts sections that go on in rows that aren't read."""

    transcript = "4.5-sections/windows.txt::counted-between-loaded-rows"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] or 1} for one in sections]


class SeesNoStart(_Sections):
    """Doesn't count the section before which nothing comes."""

    transcript = "4.5-sections/windows.txt::at-the-start"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": one["count"] if one["start"] else None} for one in sections]


class SeesNoEnd(_Sections):
    """Doesn't count the section behind which nothing follows."""

    transcript = "4.5-sections/windows.txt::at-the-end"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "count": None if one["start"] == 997 else one["count"]} for one in sections]


class SectionsKeepTheirNumbers(Swallowing):
    """Doesn't move sections when a row comes in before them."""

    section, transcript = "4.5", "4.5-sections/windows.txt::moved"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "sections" and message["params"]["value"][:1] == [{"key": "x", "start": 501, "count": None}]


class SectionsOfPlaceholders(_Sections):
    """Takes rows that aren't read for rows without the member."""

    transcript = "4.5-sections/windows.txt::without-loaded-rows"

    def changed(self, sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sections or [{"key": None, "start": 700, "count": None}]
