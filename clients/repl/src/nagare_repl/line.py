"""The short form of a line: a name, and parameters like `id=m001` or `start=0 end=20`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from nagare.wire import decode

from .errors import LineFailed

NAME = re.compile(r"[^\s=\"'{\[]+=")
"""The name of a parameter, with the = behind it."""
LITERAL = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
PASTED = re.compile(r"\s*(?:-->|\$(?=\s))\s*")
"""The beginning of a line that was copied from an example."""


@dataclass(frozen=True)
class Argument:
    """A parameter of a line."""

    name: str | None
    """The name; None for a value without a name."""
    value: Any
    text: str | None = None
    """The text, if it may also be a string: `5` without quotes is a number, or a string where only strings are allowed."""


def pasted(line: str) -> str | None:
    """Removes an arrow or a shell's prompt at the start of a line that was copied from an example.

    Returns None for a line that isn't for sending: a received message, a comment, or an empty line.
    """
    line = PASTED.sub("", line, count=1) if PASTED.match(line) else line
    line = line.strip()
    return None if not line or line.startswith(("<--", "#")) else line


def is_message(line: str) -> bool:
    """Whether a line is a whole message, and not the short form."""
    return line.startswith(("{", "["))


def parse(line: str) -> tuple[str, list[Argument]]:
    """Splits the short form into its first word and its parameters. Raises `LineFailed` for an unfinished quote."""
    head, *rest = line.split(None, 1)
    return head, arguments("".join(rest))


def arguments(text: str) -> list[Argument]:
    """Reads parameters: names with values, and values without names."""
    found: list[Argument] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        name = None
        if named := NAME.match(text, at):
            name, at = named[0][:-1], named.end()
        value, as_text, at = _value(text, at)
        if at < len(text) and not text[at].isspace():
            raise LineFailed(f"a space is missing before {text[at:]}")
        found.append(Argument(name, value, as_text))
    return found


def quoted(name: str) -> str:
    """Returns a name as it must be typed: in quotes, if it has spaces or other special characters."""
    try:
        [argument] = arguments(name)
    except (LineFailed, ValueError):
        argument = None
    if argument is not None and argument.name is None and argument.value == name:
        return name
    return f"'{name}'" if "'" not in name else json.dumps(name, ensure_ascii=False)


def _value(text: str, at: int) -> tuple[Any, str | None, int]:
    """Reads a value. Returns it, the text if it may be a string, and the position behind it."""
    if text[at : at + 1] == "'":
        end = text.find("'", at + 1)
        if end < 0:
            raise LineFailed(f"the closing ' is missing in {text[at:]}")
        return text[at + 1 : end], None, end + 1
    if text[at : at + 1] and text[at] in '"{[':
        try:
            _, end = json.JSONDecoder().raw_decode(text, at)
        except ValueError as error:
            reason = str(error).partition(":")[0]
            raise LineFailed(f"{text[at:]} isn't complete JSON: {reason[:1].lower()}{reason[1:]}") from None
        return decode(text[at:end].encode("utf-8", "backslashreplace")), None, end
    end = next((place for place in range(at, len(text)) if text[place].isspace()), len(text))
    word = text[at:end]
    return (decode(word.encode()) if LITERAL.fullmatch(word) else word), word, end
