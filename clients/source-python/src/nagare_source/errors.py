"""Errors, as the protocol defines them."""

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
"""The code that Nagare uses if a source can't be reached."""

TIMED_OUT = -32011
"""The code that Nagare uses if a source doesn't answer in time."""

TOO_OLD = -32014
"""The code if the changes since a state are unknown."""

NO_SUCH_ITEM = -32015
"""The code if there is no item with the requested id."""


class SourceError(Exception):
    """An error that the user sees. Raise it in a function of a source.

    `code` and `message` reach the frontend as they are. After a `retryable` error the server tries again some times, and then the user
    can.
    """

    def __init__(self, code: int, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


WARNINGS = 1000
"""The number of warnings that are remembered, so that a row isn't reported again with each page."""

_warned: dict[str, None] = {}


def warn(text: str) -> None:
    """Prints a warning to standard error, the same text only once."""
    if text in _warned:
        return
    _warned[text] = None
    if len(_warned) > WARNINGS:
        del _warned[next(iter(_warned))]
    print(f"nagare_source: {text}", file=sys.stderr)
