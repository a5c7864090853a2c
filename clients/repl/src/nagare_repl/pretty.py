"""JSON with line breaks and colors."""

from __future__ import annotations

from typing import Any

from nagare.wire import encode

from .style import Span, printable, width

MOST_ITEMS = 2
"""The number of items of a long array that a shortened text contains."""
MOST_CELLS = 60
"""The number of terminal cells of a long string that a shortened text contains."""
MOST_BYTES = 1 << 14
"""The size in bytes from which a message is always shortened, because its whole layout would take too long."""
STEP = 2
"""The cells by which the content of an array or object is indented."""

Line = list[Span]


def spans_width(spans: list[Span]) -> int:
    """Returns the number of terminal cells that spans take."""
    return sum(width(text) for _, text in spans)


class Layout:
    """Lays out a value in lines of a width.

    - A value that fits in a line stays in the line, as compact as on the wire.
    - Otherwise each line has as many members as fit. Items that are arrays or objects begin a new line.
    """

    def __init__(self, room: int, is_shortened: bool = False) -> None:
        self._room, self._is_shortened = max(room, 20), is_shortened
        self._lines: list[Line] = [[]]
        self._column, self._indent = 0, 0
        self.has_omitted = False
        """Whether a part of the value is omitted."""

    def lines(self, value: Any) -> list[Line]:
        """Returns the lines of a value."""
        self._write([], value, [])
        return self._lines

    def _write(self, before: Line, value: Any, after: Line) -> None:
        """Writes a value with the texts around it, such as its key and the comma behind it."""
        whole = [*before, *self._compact(value), *after]
        if self._fits(whole) or not isinstance(value, (dict, list)) or not value:
            return self._put(whole)
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        self._put([*before, ("", opening)])
        inner = self._indent + STEP
        shown, omitted = self._shown(value)
        for number, one in enumerate(shown, 1):
            key = self._key(one[0]) if isinstance(value, dict) else []
            member = one[1] if isinstance(value, dict) else one
            is_last = number == len(shown) and not omitted
            behind: Line = [("", closing), *after] if is_last else [("", ",")]
            piece = [*key, *self._compact(member), *behind]
            is_container = isinstance(member, (dict, list)) and bool(member)
            if is_container and isinstance(value, list):
                self._break(inner)
            elif not self._fits(piece) and (not is_container or inner + spans_width(piece) <= self._room):
                self._break(inner)
            elif not self._fits([*key, ("", "{")]):
                self._break(inner)
            self._write(key, member, behind)
        if omitted:
            self._break(inner)
            self._put([("dim", f"… {omitted} more"), ("", closing), *after])

    def _fits(self, spans: Line) -> bool:
        return self._column + spans_width(spans) <= self._room

    def _put(self, spans: Line) -> None:
        self._lines[-1] += spans
        self._column += spans_width(spans)

    def _break(self, indent: int) -> None:
        if self._column > indent or not self._lines[-1]:
            self._lines.append([("", " " * indent)])
            self._column = self._indent = indent

    def _compact(self, value: Any) -> Line:
        """Returns a value in one line."""
        if not isinstance(value, (dict, list)):
            return self._scalar(value)
        shown, omitted = self._shown(value)
        line: Line = [("", "{" if isinstance(value, dict) else "[")]
        for number, one in enumerate(shown):
            line += [("", ",")] if number else []
            line += [*self._key(one[0]), *self._compact(one[1])] if isinstance(value, dict) else self._compact(one)
        if omitted:
            line.append(("dim", f", … {omitted} more"))
        return [*line, ("", "}" if isinstance(value, dict) else "]")]

    def _shown(self, value: dict[str, Any] | list[Any]) -> tuple[list[Any], int]:
        """Returns the members of a value to show, and the number of omitted ones."""
        if isinstance(value, dict):
            return list(value.items()), 0
        is_long = len(value) > MOST_ITEMS + 1 and any(isinstance(item, (dict, list)) for item in value)
        if not self._is_shortened or not is_long:
            return value, 0
        self.has_omitted = True
        return value[:MOST_ITEMS], len(value) - MOST_ITEMS

    def _key(self, name: str) -> Line:
        return [("key", _text(name)), ("", ":")]

    def _scalar(self, value: Any) -> Line:
        if isinstance(value, str):
            cut = _beginning(value, MOST_CELLS) if self._is_shortened else value
            if cut != value:
                self.has_omitted = True
                return [("string", _text(cut)), ("dim", "…")]
            return [("string", _text(value))]
        return [("word" if value is None or isinstance(value, bool) else "number", _text(value))]


def _text(value: Any) -> str:
    return printable(encode(value).decode())


def _beginning(text: str, cells: int) -> str:
    """Returns the beginning of a text that takes at most a number of terminal cells."""
    if len(text) * 2 <= cells:
        return text
    for number, character in enumerate(text):
        cells -= max(width(character), 0)
        if cells < 0:
            return text[:number]
    return text


def layout(value: Any, size: int, room: int, height: int) -> tuple[list[Line], bool]:
    """Lays out a message of `size` bytes. If its lines would be more than `height`, long arrays and strings are shortened.

    Returns the lines, and whether they omit a part of the value.
    """
    if size <= MOST_BYTES:
        lines = Layout(room).lines(value)
        if len(lines) <= height:
            return lines, False
    short = Layout(room, is_shortened=True)
    lines = short.lines(value)
    if len(lines) <= height:
        return lines, short.has_omitted
    return [*lines[: height - 1], [("dim", f"… {len(lines) - height + 1} more lines")]], True
