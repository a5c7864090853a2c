"""Decodes the terminal's input: keys, pasted text, the mouse, the background color, and the device's attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SEQUENCE = re.compile(rb"\x1b(?:\[([<?]?)([\d;:]*)([@-~])|O(.)|\]11;([^\x07\x1b]*)(?:\x07|\x1b\\))", re.DOTALL)
# The start of a sequence.
_BEGUN = re.compile(rb"\x1b(?:\[[<?]?[\d;:]*|O|\][^\x07\x1b]*\x1b?)?")
_PASTE = b"\x1b[200~", b"\x1b[201~"
_LETTERS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "shift+tab", "P": "f1", "M": "enter"}
_NUMBERS = {"1": "home", "2": "insert", "3": "delete", "4": "end", "5": "pageup", "6": "pagedown", "7": "home", "8": "end", "11": "f1"}
_CONTROLS = {0x0D: "enter", 0x0A: "enter", 0x09: "tab", 0x7F: "backspace", 0x08: "backspace", 0x00: "ctrl+ "}
_MODIFIERS = {"2": "shift+", "3": "alt+", "5": "ctrl+"}


@dataclass(frozen=True)
class Paste:
    """A pasted text."""

    text: str


@dataclass(frozen=True)
class Mouse:
    """A press of a mouse button, or a turn of the wheel."""

    button: str
    """`left`, `right`, `up` or `down`."""
    x: int
    y: int


@dataclass(frozen=True)
class Background:
    """The background color."""

    is_light: bool


@dataclass(frozen=True)
class DeviceAttributes:
    """The terminal's features, as the numbers in its answer."""

    numbers: frozenset[int]


Event = str | Paste | Mouse | Background
"""A key is its character or its name: `a`, `enter`, `ctrl+c`, `shift+tab`."""


class Decoder:
    """Decodes bytes to events, however the bytes are split."""

    def __init__(self) -> None:
        self._bytes = b""

    @property
    def is_incomplete(self) -> bool:
        """Whether a sequence has begun but isn't complete. After a pause, call `flush`."""
        return bool(self._bytes)

    def feed(self, more: bytes) -> Iterator[Event | DeviceAttributes]:
        """Decodes bytes."""
        self._bytes += more
        while self._bytes and (taken := self._next()):
            event, length = taken
            self._bytes = self._bytes[length:]
            if event is not None:
                yield event

    def flush(self) -> Iterator[Event | DeviceAttributes]:
        """Decodes an incomplete sequence, mostly as the Escape key."""
        begun, self._bytes = self._bytes, b""
        if begun.startswith(b"\x1b"):
            yield "escape"
            yield from self.feed(begun[1:])

    def _next(self) -> tuple[Event | DeviceAttributes | None, int] | None:
        """Returns the first event and its number of bytes. The event is None if it has no meaning. Returns None if more
        bytes are needed."""
        data = self._bytes
        if data.startswith(_PASTE[0]):
            end = data.find(_PASTE[1])
            return (Paste(data[6:end].decode("utf-8", "replace").replace("\r", "\n")), end + 6) if end >= 0 else None
        if data[0] == 0x1B:
            if found := _SEQUENCE.match(data):
                return self._sequence(found), found.end()
            if _BEGUN.fullmatch(data):
                return None
            rest = Decoder()
            following = next(rest.feed(data[1:2]), None)
            return (f"alt+{following}", 2) if isinstance(following, str) and following != "escape" else ("escape", 1)
        if data[0] < 0x20 or data[0] == 0x7F:
            return _CONTROLS.get(data[0], f"ctrl+{chr(data[0] + 0x60)}"), 1
        length = 1 if data[0] < 0xC0 else 2 if data[0] < 0xE0 else 3 if data[0] < 0xF0 else 4
        return (data[:length].decode("utf-8", "replace"), length) if len(data) >= length else None

    def _sequence(self, found: re.Match[bytes]) -> Event | DeviceAttributes | None:
        kind, numbers, final, single, ground = (group.decode("latin-1") if group is not None else "" for group in found.groups())
        if ground:
            parts = re.findall(r"[0-9a-fA-F]+", ground.removeprefix("rgb"))[:3]
            bright = [int(part, 16) / (16 ** len(part) - 1) for part in parts]
            return Background(sum(bright) > 1.5) if len(bright) == 3 else None
        if single:
            return _LETTERS.get(single)
        words = numbers.split(";")
        if kind == "<":
            return self._mouse(words, final)
        if kind == "?":
            return DeviceAttributes(frozenset(int(word) for word in words if word.isdecimal())) if final == "c" else None
        name = _NUMBERS.get(words[0]) if final == "~" else _LETTERS.get(final)
        return _MODIFIERS.get(words[1] if len(words) > 1 else "", "") + name if name else None

    def _mouse(self, words: list[str], final: str) -> Mouse | None:
        buttons = {0: "left", 2: "right", 64: "up", 65: "down"}
        if final != "M" or len(words) != 3 or int(words[0]) not in buttons:
            return None
        return Mouse(buttons[int(words[0])], int(words[1]) - 1, int(words[2]) - 1)
