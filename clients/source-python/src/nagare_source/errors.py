"""Errors, with the codes that the protocol defines."""

from __future__ import annotations

import os
import sys

PACKAGE, LIBRARY = os.path.dirname(__file__), os.path.dirname(os.__file__)
"""The folders of this package and of Python's own modules."""

# Codes that JSON-RPC defines.
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CANCELLED = -32800

UNREACHABLE = -32010
"""The code for a source that can't be reached."""

TIMED_OUT = -32011
"""The code for a source that doesn't answer in time."""

TOO_OLD = -32014
"""The code for a state whose later changes are unknown."""

NO_SUCH_ITEM = -32015
"""The code for a missing item."""


class SourceError(Exception):
    """An error that the user sees. A source's function raises it.

    The frontend receives `code` and `message` unchanged. After a `retryable` error the server tries again a few times;
    then the user can try again.
    """

    def __init__(self, code: int, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


def as_source_error(error: Exception) -> SourceError:
    """Converts an exception to an error that the user can see. The traceback of an unexpected exception goes to standard error."""
    if isinstance(error, SourceError):
        return error
    import traceback

    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    text, name = str(error), type(error).__name__
    return SourceError(INTERNAL_ERROR, (f"{name}: {text}" if text else name) + _place(error))


def _place(error: Exception) -> str:
    """Returns the file and line of the program's own code that raised an error, or that called the code that raised it. Also names
    the option of `nagare` that shows the traceback."""
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.dirname(frame.filename) != PACKAGE]
    own = [frame for frame in frames if not frame.filename.startswith(LIBRARY + os.sep) and "site-packages" not in frame.filename] or frames
    return f" ({os.path.basename(own[-1].filename)}, line {own[-1].lineno}; --log shows more)" if own else ""


WARNINGS = 1000
"""The number of warnings to remember, so that a row isn't reported again with each page."""

_warned: dict[str, None] = {}


def warn(text: str) -> None:
    """Prints a warning to standard error, each text only once."""
    if text in _warned:
        return
    _warned[text] = None
    if len(_warned) > WARNINGS:
        del _warned[next(iter(_warned))]
    print(f"nagare_source: {text}", file=sys.stderr)
