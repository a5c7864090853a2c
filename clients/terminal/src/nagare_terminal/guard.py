"""Contains failures. An element that can't be drawn, or a command that fails, must never end the program or hide other elements."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

log = logging.getLogger("nagare_terminal")
"""Receives the traceback of each fault of this program. `--log` writes them to a file."""


def guarded(what: str, run: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """Returns the result of `run`. If `run` raises, logs the failure and returns the result of `otherwise`, which gets
    a sentence about it."""
    try:
        return run()
    except Exception as error:
        log_failure(what, error)
        return otherwise(f"can't show this: {short_reason(error)}")


def log_failure(what: str, error: BaseException) -> None:
    """Logs a failure with its traceback."""
    log.error("%s failed", what, exc_info=error)


def short_reason(error: BaseException) -> str:
    """Returns the type of an error and its message, shortened."""
    return f"{type(error).__name__}: {error}"[:200]


class OncePerLine(logging.Filter):
    """Logs only the first failure of each line of code, because a failure while drawing repeats with each key."""

    def __init__(self) -> None:
        super().__init__()
        self._known: set[tuple[str, str, int]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info is None or (trace := record.exc_info[2]) is None:
            return True
        while trace.tb_next is not None:
            trace = trace.tb_next
        place = str(record.exc_info[0]), trace.tb_frame.f_code.co_filename, trace.tb_lineno
        is_new = place not in self._known
        self._known.add(place)
        return is_new
