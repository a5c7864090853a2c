"""The progress of a page, in the steps of its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .source_functions import Progress

UNIT = "steps"


class Steps:
    """Counts the steps that a page's statements take, and reports them.

    The total is an estimate. Without an index, every page reads and sorts the same rows. So a page takes as many steps
    as the first page of its list, and some more for each row that it skips. With an index, the first page takes very
    few steps.

    - `first` is the number of steps of the list's first page, or None if that page wasn't read yet. Without it no total
      is reported.
    """

    def __init__(self, progress: Progress | None, first: int | None) -> None:
        self._progress, self._first = progress, first
        self._expected = first
        self.taken = 0
        """The number of steps reported until now. It stays 0 for a page that takes few steps."""

    def expect_page(self, skipped: int, skip_steps: int) -> None:
        """Sets the total for reading a page after `skipped` rows."""
        if self._first is not None:
            self._expected = self.taken + self._first + skipped * skip_steps

    def add(self, steps: int) -> None:
        """Adds steps, and reports the progress."""
        self.taken += steps
        if self._progress is not None:
            self._progress(self.taken, of=max(self._expected, self.taken) if self._expected else None, unit=UNIT)
