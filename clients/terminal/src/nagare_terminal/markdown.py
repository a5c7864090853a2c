"""Renders the Markdown of messages: headings, lists, quotes, code, emphasis and links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cells import width, wrap

Part = tuple[str, str]
"""A text and its style."""

_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_HEADING = re.compile(r"#{1,6}(?=\s)")
_RULE = re.compile(r"\s{0,3}([-*_])(\s*\1){2,}\s*$")
_QUOTE = re.compile(r"\s{0,3}> ?")
_LISTED = re.compile(r"(\s*)([-*+]|\d+[.)])\s+")
_SPAN = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|__(?P<bold>.+?)__|\*(?P<em>[^*\s][^*]*?)\*|(?<!\w)_(?P<it>[^_\s][^_]*?)_(?!\w)"
    r"|\[(?P<name>[^\[\]]+)\]\((?P<address>https?://(?:[^\s)\]]|\](?!\())+)\)"
)


def markdown(text: str, columns: int) -> Iterator[list[Part]]:
    """Renders a text to lines of a maximum width."""
    is_code, paragraph = False, list[str]()
    for line in text.split("\n"):
        if _FENCE.match(line):
            yield from _paragraph(paragraph, columns)
            is_code, paragraph = not is_code, []
        elif is_code:
            yield from ([("  ", ""), (part, "accent")] for part in wrap(line, columns - 2))
        elif not line.strip() or any(sign.match(line) for sign in (_HEADING, _RULE, _QUOTE, _LISTED)):
            yield from _paragraph(paragraph, columns)
            paragraph = []
            yield from _line(line, columns)
        else:
            paragraph.append(line.strip())
    yield from _paragraph(paragraph, columns)


def _paragraph(lines: list[str], columns: int) -> Iterator[list[Part]]:
    if lines:
        yield from wrapped(list(spans("\n".join(lines))), columns)


def _line(line: str, columns: int) -> Iterator[list[Part]]:
    """Renders a line that isn't part of a paragraph."""
    if heading := _HEADING.match(line):
        yield from ([(part, "title")] for part in wrap("".join(text for text, _ in spans(_heading(line[heading.end() :]))), columns))
    elif _RULE.match(line):
        yield [("─" * min(columns, 24), "frame")]
    elif quote := _QUOTE.match(line):
        yield from ([("│ ", "frame"), (part, "dim")] for part in wrap(line[quote.end() :], columns - 2))
    elif listed := _LISTED.match(line):
        sign = f"{listed[1]}{'•' if listed[2] in '-*+' else listed[2]} "
        rows = wrapped(list(spans(line[listed.end() :])), columns - width(sign))
        yield from ([(" " * width(sign) if number else sign, "text"), *parts] for number, parts in enumerate(rows))
    else:
        yield []


def _heading(text: str) -> str:
    """Returns the text of a heading, without the closing signs."""
    return text.strip().rstrip("#").rstrip()


def spans(text: str, style: str = "text") -> Iterator[Part]:
    """Splits a text into parts by emphasis."""
    at = 0
    for found in _SPAN.finditer(text):
        yield text[at : found.start()], style
        at = found.end()
        if found["code"]:
            yield found["code"], "accent"
        elif found["name"]:
            yield from spans(found["name"], "link")
            yield f" ({found['address']})", "dim"
        else:
            emphasized, is_strong = found["strong"] or found["bold"] or found["em"] or found["it"], found["strong"] or found["bold"]
            yield from spans(emphasized, "title" if is_strong else "emphasis")
    yield text[at:], style


def wrapped(parts: list[Part], columns: int) -> Iterator[list[Part]]:
    """Wraps parts to lines. Only spaces are dropped."""
    rest = [part for part in parts if part[0]]
    for line in wrap("".join(text for text, _ in parts), max(1, columns)):
        row: list[Part] = []
        left = line
        while left and rest:
            text, style = rest.pop(0)
            if not row:
                text = text.lstrip(" \n") if not left.startswith(" ") else text.lstrip("\n")
            if not text:
                continue
            taken = text[: len(left)]
            row.append((taken, style))
            left = left[len(taken) :]
            if len(text) > len(taken):
                rest.insert(0, (text[len(taken) :], style))
        yield row
