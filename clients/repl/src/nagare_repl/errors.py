"""Failures of lines."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LineFailed(Exception):
    """A line could not be carried out, or the program answered it with an error. The text explains why.

    `is_shown` is whether a printed message shows the failure already.
    """

    def __init__(self, text: str, *, is_shown: bool = False) -> None:
        super().__init__(text)
        self.is_shown = is_shown


class ProgramEnded(LineFailed):
    """The program has ended, so no answer can arrive any more."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Returns the name that a misspelt name probably means."""
    by_lower = {one.lower(): one for one in names}
    lower = name.lower()
    begun = [one for one in by_lower if len(lower) > 1 and one.startswith(lower)]
    close = begun if len(begun) == 1 else difflib.get_close_matches(lower, by_lower, n=1, cutoff=0.7)
    return by_lower[close[0]] if close else None


def suggestion(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """Returns a sentence part that suggests the nearest name, for the end of an error message."""
    near = nearest(name, names)
    return f'; did you mean "{near}"?' if near is not None else otherwise
