"""What can go wrong."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

from .codes import ErrorCode
from .json_object import json_object


class NagareError(Exception):
    """Everything that this package raises on its own."""


class ResponseError(NagareError):
    """An error with a code: what the server answers a request with, or what a handler answers the server with.

    A source's function or a task's handler raises it, as `ResponseError(code, message, retryable=True)`, to have it shown
    on the screen; a load whose failure is retryable is tried again before that.
    """

    def __init__(self, code: int, message: str, data: Any = None, *, retryable: bool = False) -> None:
        super().__init__(code, message, data)
        self.code = code
        """Which error: section 2.2 of the specification lists the server's own."""
        self.message = message
        """A sentence for people."""
        self.data = {"retryable": True} if retryable and data is None else data
        """What belongs to the code, as the specification's table says, or None."""

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class ParseError(ResponseError):
    """-32700: the server couldn't read what it was sent."""


class InvalidRequest(ResponseError):
    """-32600: a request that isn't allowed now, such as any after `shutdown`."""


class MethodNotFound(ResponseError):
    """-32601: the view has no such input, or the server no such method."""

    @property
    def inputs(self) -> list[str]:
        """The inputs that the view has."""
        return list(json_object(self.data).get("inputs", []))


class InvalidParams(ResponseError):
    """-32602: a parameter is missing, of the wrong type, or names an item that isn't listed."""

    @property
    def param(self) -> str | None:
        """The parameter's name."""
        return json_object(self.data).get("param")

    @property
    def expected(self) -> str | None:
        """What it should have been, for people."""
        return json_object(self.data).get("expected")


class InternalError(ResponseError):
    """-32603: a fault of the server."""


class RequestCancelled(ResponseError):
    """-32800: the request was cancelled."""


class NoSuchView(ResponseError):
    """-32001: no view of that name is open."""

    @property
    def views(self) -> list[str]:
        """The names of those that are open."""
        return list(json_object(self.data).get("views", []))


class NoSuchScreen(ResponseError):
    """-32002: there is no screen of that name."""

    @property
    def screens(self) -> list[str]:
        """The names of those that there are."""
        return list(json_object(self.data).get("screens", []))


class ViewExists(ResponseError):
    """-32003: a view of that name is open already."""


class LimitPassed(ResponseError):
    """-32005: a limit was passed, of a message's size or the number of views."""


_BY_CODE: dict[int, type[ResponseError]] = {
    ErrorCode.PARSE_ERROR: ParseError,
    ErrorCode.INVALID_REQUEST: InvalidRequest,
    ErrorCode.METHOD_NOT_FOUND: MethodNotFound,
    ErrorCode.INVALID_PARAMS: InvalidParams,
    ErrorCode.INTERNAL_ERROR: InternalError,
    ErrorCode.REQUEST_CANCELLED: RequestCancelled,
    ErrorCode.NO_SUCH_VIEW: NoSuchView,
    ErrorCode.NO_SUCH_SCREEN: NoSuchScreen,
    ErrorCode.VIEW_TAKEN: ViewExists,
    ErrorCode.LIMIT_PASSED: LimitPassed,
}


def response_error(error: Any) -> ResponseError:
    """The exception for the member `error` of a response."""
    code, message = json_object(error).get("code"), json_object(error).get("message")
    if not isinstance(code, int) or not isinstance(message, str):
        return InternalError(ErrorCode.INTERNAL_ERROR, f"the server answered with an error that is none: {error!r}")
    return _BY_CODE.get(code, ResponseError)(code, message, error.get("data"))


class ServerDied(NagareError):
    """The server's process, or the connection to it, has ended, and nobody had asked for that."""

    def __init__(self, command: Sequence[str], status: int | None, stderr: str) -> None:
        super().__init__(command, status, stderr)
        self.command = command
        """The program and its arguments; empty where the server wasn't started here."""
        self.status = status
        """Its exit status, the negative number of the signal that ended it, or None where nobody knows."""
        self.stderr = stderr
        """The last that it said on its standard error."""

    def __str__(self) -> str:
        if not self.command:
            return "the connection to the server has ended"
        told = f"`{' '.join(self.command)}` {_fate(self.status)}"
        return f"{told}:\n{self.stderr}" if self.stderr else told


def _fate(status: int | None) -> str:
    if status is None:
        return "closed its standard output"
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


class SessionClosed(NagareError):
    """The session was closed here, or not yet begun."""


class ProtocolError(NagareError):
    """What the server wrote is no message of the protocol, or of a version that this package doesn't speak."""


class ViewClosed(NagareError):
    """What was waited for can't come any more, because the view was closed."""


class TooManyEvents(NagareError):
    """An iterator over events wasn't read for so long that it was given up: see `Output`."""
