"""An item with all its fields."""

from __future__ import annotations

import html
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from . import picture
from .canvas import Canvas
from .cells import cut, width, wrap
from .commands import Command, command
from .device import Device
from .display import Display, links
from .guard import guarded
from .keys import Mouse
from .markdown import Part, markdown
from .text import paragraphs

TEXT_WIDTH = 88
"""The maximum width of text, in cells."""
LABEL_WIDTH = 14
"""The width of field names, in cells."""

_HIDDEN = re.compile(r"(?i)<(script|style|head)\b")
_HIDDEN_END = re.compile(r"(?i)</(script|style|head)\s*>")

Line = tuple[str, list[Part]]
"""A line's label, and its text in parts. A line without a label continues the previous text."""


def article(item: Any, display: Display, columns: int, device: Device | None = None) -> list[Line]:
    """Lays out an item: its title, short fields, pictures, texts and attachments. `device` shows pictures, if the
    terminal supports them."""
    if item is None:
        return [("", [("loading…", "dim")])]
    columns = min(columns, TEXT_WIDTH)
    parts = {
        "the title": lambda: [("", [(text, "title")]) for text in wrap(display.title(item), columns)],
        "the members": lambda: _facts(item, display, columns),
        "the pictures": lambda: _pictures(item, display, columns, device),
        "the texts": lambda: _texts(item, display, columns),
        "the attachments": lambda: _files(item, display, columns),
    }
    return [line for name, made in parts.items() for line in guarded(name, made, lambda why: [("", []), ("", [(why, "error")])])]


def _facts(item: Any, display: Display, columns: int) -> list[Line]:
    facts = [(name, value) for name, value in display.facts(item) if value]
    lines: list[Line] = [("", [])] if facts else []
    labels = LABEL_WIDTH if columns >= 3 * LABEL_WIDTH else 0
    for name, value in facts:
        if not labels:
            lines.append((name, []))
        for number, text in enumerate(wrap(value, columns - labels)):
            lines.append(((" " if number else name) if labels else "", [(text, "link" if links(text) else "text")]))
    return lines


def _pictures(item: Any, display: Display, columns: int, device: Device | None) -> list[Line]:
    lines: list[Line] = []
    for name, url in display.pictures(item):
        lines += [("", []), (name, [(picture.placeholder(url), "text")] if columns >= 3 * LABEL_WIDTH else [])]
        png = picture.decoded(url)
        if device is not None and png is not None:
            across, high = picture.cells(png, columns)
            if (shown := device.picture(png, across, high)) is not None:
                lines[-1:] = [("", [part]) for part in picture.lines(shown, across, high)]
    return lines


def _texts(item: Any, display: Display, columns: int) -> list[Line]:
    lines: list[Line] = []
    for body, format in display.texts(item):
        lines.append(("", []))
        if format == "markdown":
            lines += [("", parts) for parts in markdown(body.strip("\n"), columns)]
        else:
            texts = wrap(plain_text(body, format).strip("\n"), columns)
            lines += [("", [(text, "dim" if text.startswith(">") else "text")]) for text in texts]
    return lines


def _files(item: Any, display: Display, columns: int) -> list[Line]:
    if not (files := [*display.files(item)]):
        return []
    count = len(files)
    lines: list[Line] = [("", []), ("", [(f"{count} attachment{'' if count == 1 else 's'}, o opens {'it' if count == 1 else 'one'}", "dim")])]
    for one in files:
        about = cut(one.description, columns // 2)
        name = cut(one.name, max(1, columns - width(about) - 2))
        lines.append(("", [(name, "link"), (f"  {about}" if about else "", "dim")]))
    return lines


def plain_text(text: str, format: str) -> str:
    """Converts a text to plain text."""
    if format != "html":
        return text
    text = _without_hidden(text)
    text = re.sub(r"(?i)<br\s*/?>|</(p|div|li|tr|h[1-6])\s*>", "\n", text)
    # Unescapes last, because a character reference may be a control character.
    return re.sub(r"\n{3,}", "\n\n", paragraphs(html.unescape(re.sub(r"<[^<>]*>", "", text))))


def _without_hidden(text: str) -> str:
    """Removes the invisible elements of HTML. An element without an end is kept."""
    ends: dict[str, deque[re.Match[str]]] = defaultdict(deque)
    for found in _HIDDEN_END.finditer(text):
        ends[found[1].lower()].append(found)
    kept, at = [], 0
    for found in _HIDDEN.finditer(text):
        waiting = ends[found[1].lower()]
        while waiting and waiting[0].start() < found.end():
            waiting.popleft()
        if found.start() >= at and waiting:
            kept.append(text[at : found.start()])
            at = waiting[0].end()
    return "".join((*kept, text[at:]))


class Article:
    """An item with all its fields, which can be scrolled."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self._top = self._room = self._count = 0
        self._made: tuple[Any, int, list[Line]] = None, 0, []
        """The item, width and lines of the last drawing. They are kept, because laying out a long text takes time."""

    def commands(self) -> Iterator[Command]:
        yield command("up k", "", lambda: self._scroll(-1))
        yield command("down j", "", lambda: self._scroll(1))
        yield command("pageup", "", lambda: self._scroll(2 - self._room))
        yield command("pagedown", "", lambda: self._scroll(self._room - 2))
        yield Command((" ",), "", lambda: self._scroll(self._room - 2))
        yield command("home g", "", self.begin)
        yield command("end G", "", lambda: self._scroll(self._count))

    def begin(self) -> None:
        """Scrolls to the start."""
        self._top = 0

    def click(self, mouse: Mouse) -> None:
        if mouse.button in ("up", "down"):
            self._scroll(3 if mouse.button == "down" else -3)

    def draw(self, canvas: Canvas, item: Any, device: Device) -> None:
        left = 2 if canvas.width >= 30 else 0
        lines = self._lines(item, canvas.width - 2 * left, device)
        top = 1 if canvas.height > 8 else 0
        self._count, self._room = len(lines), canvas.height - top
        self._top = max(0, min(self._top, self._count - self._room))
        for y, (label, parts) in enumerate(lines[self._top : self._top + self._room], top):
            canvas.write(left, y, label, "dim")
            x = left + (LABEL_WIDTH if label and parts else 0)
            for text, style in parts:
                x = canvas.write(x, y, text, style)

    def _lines(self, item: Any, columns: int, device: Device) -> list[Line]:
        before, wide, lines = self._made
        if before is None or item is not before or columns != wide:
            lines = article(item, self.display, columns, device)
            # Items with pictures aren't kept, because the terminal may report later that it supports pictures.
            self._made = (item if not any(self.display.pictures(item)) else None), columns, lines
        return lines

    def _scroll(self, rows: int) -> None:
        self._top += rows
