"""A line to type in."""

from __future__ import annotations

import re
import unicodedata

from .canvas import Canvas
from .cells import clusters, cut, width


class Field:
    """A text, and where in it the user types."""

    def __init__(self, text: str = "", *, secret: bool = False, hint: str = "") -> None:
        self.text, self.secret, self.hint = text, secret, hint
        self.place = len(text)

    def type(self, key: str) -> bool:
        """Takes a key or what was pasted: whether it meant something here."""
        before, after = self.text[: self.place], self.text[self.place :]
        back = len([*clusters(before)][-1][0]) if before else 0
        ahead = len(next(clusters(after), ("", 0))[0])
        word = len(before) - len(re.sub(r"\S*\s*$", "", before))
        if key == "backspace":
            self._put(before[: len(before) - back], after)
        elif key == "delete":
            self._put(before, after[ahead:])
        elif key in ("left", "right"):
            self.place += ahead if key == "right" else -back
        elif key in ("home", "ctrl+a"):
            self.place = 0
        elif key in ("end", "ctrl+e"):
            self.place = len(self.text)
        elif key in ("ctrl+w", "alt+backspace"):
            self._put(before[: len(before) - word], after)
        elif key == "ctrl+u":
            self._put("", after)
        elif key == "ctrl+k":
            self._put(before, "")
        elif len(key) == 1 and unicodedata.category(key) != "Cc":
            self._put(before + key, after)
        else:
            return False
        return True

    def paste(self, text: str) -> None:
        """Takes a text, in one line."""
        self._put(self.text[: self.place] + " ".join(text.split("\n")), self.text[self.place :])

    def draw(self, canvas: Canvas, x: int, y: int, cells: int, *, active: bool) -> None:
        """Draws it in so many cells, and the cursor in it if it is where the user types."""
        shown = "•" * len(self.text) if self.secret else self.text
        # What is left of the cursor stays in sight, and what doesn't fit goes out at the left.
        start = 0
        while start < self.place and width(shown[start : self.place]) >= cells:
            start += 1
        canvas.write(x, y, " " * cells, "field")
        if shown or not self.hint:
            canvas.write(x, y, cut(shown[start:], cells), "field")
        else:
            canvas.write(x, y, cut(self.hint, cells), "field dim")
        if active:
            canvas.put_cursor(x + width(shown[start : self.place]), y)

    def _put(self, before: str, after: str) -> None:
        self.text, self.place = before + after, len(before)
