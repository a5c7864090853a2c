"""Splits a file into its cases: adds their shared beginning to each, and expands each `repeat` (see ../README.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

_BLOCK = re.compile(r"config \{|repeat (?P<rounds>\d+) \{|file \S+ <<(?P<end>\w+)")
_COUNTER = re.compile(r"<(?:(?P<factor>\d+)\*)?n(?P<more>[+-]\d+)?>")
_HEADING = re.compile(r"(?P<level>==?) (?P<title>.*\S)")

_Lines = Iterator[tuple[int, str]]


class TranscriptError(Exception):
    """A transcript that doesn't follow the format."""


@dataclass(frozen=True)
class Statement:
    """A line, and the lines of the block that it opens. `round` counts the rounds of a `repeat` from 1; else it is 0."""

    line: int
    text: str
    block: tuple[str, ...] = ()
    round: int = 0


@dataclass(frozen=True)
class Case:
    """A complete dialogue. Its statements include the beginning that it shares with other cases of the file."""

    rule: str
    name: str
    line: int
    about: str
    statements: list[Statement]


@dataclass
class _Section:
    """The part of a file below a heading (`=` or `==`), or before all headings."""

    line: int = 1
    level: int = 0
    title: str = ""
    lines: list[Statement] = field(default_factory=list)

    @property
    def about(self) -> str:
        """The first comment, up to a blank line or a statement."""
        return " ".join(one.text[1:].strip() for one in takewhile(lambda one: one.text.startswith("#"), self.lines))

    @property
    def statements(self) -> list[Statement]:
        return [one for one in self.lines if one.text.strip() and not one.text.startswith("#")]


def read_cases(path: Path) -> list[Case]:
    """Returns the cases of a file in their order. A file without headings is one case, whose name is empty."""
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    try:
        return _cases(_sections(_statements(lines)))
    except ValueError as error:
        raise TranscriptError(f"{path}:{error}") from error


def _statements(lines: _Lines) -> Iterator[Statement]:
    for number, text in lines:
        if (block := _BLOCK.fullmatch(text)) is None:
            yield Statement(number, text)
            continue
        within = list(_until(block["end"] or "}", number, lines))
        if block["rounds"] is None:
            yield Statement(number, text, tuple(text for _, text in within))
            continue
        if inner := [line for line, text in within if _BLOCK.fullmatch(text)]:
            raise ValueError(f"{inner[0]}: a repeat can't contain a block")
        for n in range(1, int(block["rounds"]) + 1):
            yield from (Statement(line, _counted(text, n), round=n) for line, text in within)


def _until(end: str, opened: int, lines: _Lines) -> Iterator[tuple[int, str]]:
    for number, text in lines:
        if text == end:
            return
        yield number, text
    raise ValueError(f"{opened}: a line with only {end!r} must end the block")


def _counted(text: str, n: int) -> str:
    return _COUNTER.sub(lambda found: str(int(found["factor"] or 1) * n + int(found["more"] or 0)), text)


def _sections(statements: Iterator[Statement]) -> list[_Section]:
    sections = [_Section()]
    for statement in statements:
        if heading := _HEADING.fullmatch(statement.text):
            sections.append(_Section(statement.line, len(heading["level"]), heading["title"]))
        else:
            sections[-1].lines.append(statement)
    return sections


def _cases(sections: list[_Section]) -> list[Case]:
    file, *rest = sections
    if not rest:
        return [Case("", "", file.line, file.about, file.statements)]
    cases: dict[str, Case] = {}
    shared = file.statements
    for section, below in zip(rest, [*rest[1:], _Section()]):
        if section.level == 1:
            shared = file.statements + section.statements
            if below.level != 2:
                raise ValueError(f"{section.line}: this heading has no case below it")
            continue
        if section.title in cases or not re.fullmatch(r"[a-z0-9-]+", section.title):
            raise ValueError(f"{section.line}: a case needs a unique name of a-z, 0-9 and hyphens")
        if not section.statements:
            raise ValueError(f"{section.line}: the case has no statements")
        statements = shared + section.statements
        cases[section.title] = Case(file.about, section.title, section.line, section.about, statements)
    return list(cases.values())
