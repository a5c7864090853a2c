"""Themes: the attributes of styles."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

DARK = {
    "text": "",
    "title": "bold",
    "dim": "#9aa4b2",
    "accent": "#6cb6ff",
    "heading": "bold #e6edf3 on #1f3a5f",
    "status": "#b6c2cf on #22272e",
    "key": "bold #6cb6ff",
    "cursor": "on #233a5a",
    "blurred": "on #22272e",
    "new": "bold #57ab5a",
    "mark": "bold #daaa3f",
    "badge": "#daaa3f",
    "error": "bold #ff938a",
    "match": "#1c2128 on #daaa3f",
    "frame": "#6c7a8c",
    "field": "on #2d333b",
    "button": "on #373e47",
    "chosen": "bold #ffffff on #255ab2",
    "link": "underline #6cb6ff",
    "emphasis": "italic",
    "toast": "#e6edf3 on #373e47",
}
LIGHT = {
    **DARK,
    "dim": "#57606a",
    "accent": "#0550ae",
    "heading": "bold #0a3069 on #cfe4ff",
    "status": "#424a53 on #eaeef2",
    "key": "bold #0550ae",
    "cursor": "on #d3e6ff",
    "blurred": "on #eaeef2",
    "new": "bold #116329",
    "mark": "bold #7d4e00",
    "badge": "#7d4e00",
    "error": "bold #a40e26",
    "match": "#1f2328 on #ffd33d",
    "frame": "#7d8590",
    "field": "on #e7ecf0",
    "button": "on #d0d7de",
    "chosen": "bold #ffffff on #0969da",
    "link": "underline #0550ae",
    "toast": "#1f2328 on #d0d7de",
}
PLAIN = {name: "" for name in DARK} | {
    "title": "bold", "heading": "reverse", "status": "", "key": "bold", "cursor": "reverse", "blurred": "underline", "error": "bold",
    "match": "reverse", "field": "underline", "button": "", "chosen": "reverse", "link": "underline", "emphasis": "italic",
    "toast": "reverse",
}  # fmt: skip
"""For terminals without colors, and for users who don't want colors (NO_COLOR)."""

BASES: Mapping[str, Mapping[str, str]] = {"dark": DARK, "light": LIGHT, "plain": PLAIN}
_WORDS = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7"}
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


class WrongTheme(Exception):
    """Raised if the theme file is invalid."""


class Theme:
    """The styles by name. Names can be combined: `title cursor`.

    A style is written as `bold #ffffff on #1f3a5f`. It can also contain `dim`, `italic`, `underline` and `reverse`.
    """

    def __init__(self, styles: Mapping[str, str], is_true_color: bool = True) -> None:
        self.styles, self._is_true_color = styles, is_true_color
        self._codes: dict[str, str] = {}

    def code(self, names: str) -> str:
        """Returns the control sequence that starts a style and ends the previous one."""
        if names not in self._codes:
            self._codes[names] = f"\x1b[0{''.join(self._parts(names))}m"
        return self._codes[names]

    def attributes(self, names: str) -> dict[str, str]:
        """Returns the attributes of a style; `color` and `ground` have values."""
        attributes: dict[str, str] = {}
        for name in names.split():
            to = "color"
            if name.startswith("#"):
                attributes[to] = name
            for word in self.styles.get(name, "").split():
                if word == "on":
                    to = "ground"
                elif word.startswith("#"):
                    attributes[to] = word
                else:
                    attributes[word] = word
        return attributes

    def _parts(self, names: str) -> list[str]:
        attributes = self.attributes(names)
        places = {"color": 38, "ground": 48}
        return [f";{places[word]};{self._color(value)}" if word in places else f";{_WORDS[word]}" for word, value in attributes.items()]

    def _color(self, value: str) -> str:
        parts = [int(value[start : start + 2], 16) for start in (1, 3, 5)]
        if self._is_true_color:
            return f"2;{';'.join(map(str, parts))}"
        # Uses the nearest of the 216 colors that every terminal supports.
        red, green, blue = (min(5, max(0, round((part - 35) / 40))) for part in parts)
        return f"5;{16 + 36 * red + 6 * green + blue}"


def theme(base: str = "dark", file: Path | None = None) -> Theme:
    """Returns a theme, changed by a file such as `{"base": "light", "cursor": "on #ffffcc"}`. Raises `WrongTheme` if
    the file is invalid."""
    own: dict[str, str] = {}
    if file is not None:
        own = _read(file)
        base = own.pop("base", base)
    is_true_color = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    return Theme({**BASES["plain" if "NO_COLOR" in os.environ else base], **own}, is_true_color)


def _read(file: Path) -> dict[str, str]:
    try:
        own = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise WrongTheme(f"{file}: {error}") from None
    if not isinstance(own, dict) or own.get("base", "dark") not in BASES:
        raise WrongTheme(f"{file}: a theme must be an object with styles by name, and its base must be one of {', '.join(BASES)}")
    for name, value in own.items():
        if name == "base":
            continue
        wrong = name not in DARK or not isinstance(value, str)
        if wrong or [word for word in value.split() if word not in _WORDS and word != "on" and not _COLOR.fullmatch(word)]:
            raise WrongTheme(f"{file}: {name}: must be a style such as `bold #ffffff on #1f3a5f`, under one of the names {', '.join(DARK)}")
    return own
