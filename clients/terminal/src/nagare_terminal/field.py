"""A text field of one line."""

from __future__ import annotations

import unicodedata

from .canvas import Canvas
from .cells import clusters, cut, width


class Field:
    """A text field."""

    def __init__(self, text: str = "", *, secret: bool = False, hint: str = "") -> None:
        self.text, self.secret, self.hint = text, secret, hint
        self.cursor = len(text)

    def type(self, key: str) -> bool:
        """Handles a key. Returns whether the field uses the key."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        back = len([*clusters(before)][-1][0]) if before else 0
        ahead = len(next(clusters(after), ("", 0))[0])
        words = before.rsplit(maxsplit=1)
        word = len(before) - (len(before.rstrip()) - len(words[-1]) if words else 0)
        if key == "backspace":
            self._set(before[: len(before) - back], after)
        elif key == "delete":
            self._set(before, after[ahead:])
        elif key in ("left", "right"):
            self.cursor += ahead if key == "right" else -back
        elif key in ("home", "ctrl+a"):
            self.cursor = 0
        elif key in ("end", "ctrl+e"):
            self.cursor = len(self.text)
        elif key in ("ctrl+w", "alt+backspace"):
            self._set(before[: len(before) - word], after)
        elif key == "ctrl+u":
            self._set("", after)
        elif key == "ctrl+k":
            self._set(before, "")
        elif len(key) == 1 and unicodedata.category(key) != "Cc":
            self._set(before + key, after)
        else:
            return False
        return True

    def paste(self, text: str) -> None:
        """Inserts a text, as one line."""
        self._set(self.text[: self.cursor] + " ".join(text.split("\n")), self.text[self.cursor :])

    def draw(self, canvas: Canvas, x: int, y: int, cells: int, *, active: bool) -> None:
        """Draws the field, with the cursor if it is active."""
        shown = "•" * len(self.text) if self.secret else self.text
        # Scrolls to the left, so that the text before the cursor stays in sight.
        start = 0
        while start < self.cursor and width(shown[start : self.cursor]) >= cells:
            start += 1
        canvas.write(x, y, " " * cells, "field")
        if shown or not self.hint:
            canvas.write(x, y, cut(shown[start:], cells), "field")
        else:
            canvas.write(x, y, cut(self.hint, cells), "field dim")
        if active:
            canvas.put_cursor(x + width(shown[start : self.cursor]), y)

    def _set(self, before: str, after: str) -> None:
        self.text, self.cursor = before + after, len(before)
