"""What goes wrong, as the wire says it."""

from __future__ import annotations

import sys

# JSON-RPC's own codes.
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CANCELLED = -32800

UNREACHABLE = -32010
"""The code with which Nagare itself says that what a source draws from can't be reached."""

TIMED_OUT = -32011
"""The code with which Nagare itself says that no answer came in time."""

TOO_OLD = -32014
"""The code that says that nobody can tell any more what has happened since a state."""

NO_SUCH_ITEM = -32015
"""The code that says that there is no item with the id that was asked for, or none any more."""


class SourceError(Exception):
    """A failure to be shown: raise it in a function of a source.

    `code` and `message` reach the frontend as they are. A `retryable` failure is tried again, by the server some times
    and then by the user.
    """

    def __init__(self, code: int, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


WARNINGS = 1000
"""How many warnings are remembered, so that the same row isn't reported with each page."""

_warned: dict[str, None] = {}


def warn(text: str) -> None:
    """Reports something on standard error that fails no request, the same text once."""
    if text in _warned:
        return
    _warned[text] = None
    if len(_warned) > WARNINGS:
        del _warned[next(iter(_warned))]
    print(f"nagare_source: {text}", file=sys.stderr)
