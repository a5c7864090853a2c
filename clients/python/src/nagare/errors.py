"""Exceptions."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

from .codes import ErrorCode
from .json_object import json_object


class NagareError(Exception):
    """The base of all exceptions of this package."""


class ResponseError(NagareError):
    """An error with a code: the server's answer to a request, or a handler's answer to the server.

    A source's function or a task's handler raises it to show a failure on the screen: `ResponseError(code, message,
    retryable=True)`. The server first repeats a load whose error is retryable.
    """

    def __init__(self, code: int, message: str, data: Any = None, *, retryable: bool = False) -> None:
        super().__init__(code, message, data)
        self.code = code
        """The code. Section 2.2 of the specification lists the server's own codes."""
        self.message = message
        """A sentence for people."""
        self.data = {"retryable": True} if retryable and data is None else data
        """Details that depend on the code, or None. Section 2.2 of the specification lists them."""

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class ParseError(ResponseError):
    """-32700: the server couldn't parse a message."""


class InvalidRequest(ResponseError):
    """-32600: the request isn't allowed now, for example after `shutdown`."""


class MethodNotFound(ResponseError):
    """-32601: the view has no such input, or the server no such method."""

    @property
    def inputs(self) -> list[str]:
        """The inputs that the view has."""
        return list(json_object(self.data).get("inputs", []))


class InvalidParams(ResponseError):
    """-32602: a parameter is missing, has the wrong type, or names an item that isn't in the list."""

    @property
    def param(self) -> str | None:
        """The parameter's name."""
        return json_object(self.data).get("param")

    @property
    def expected(self) -> str | None:
        """A description of the expected value, for people."""
        return json_object(self.data).get("expected")


class InternalError(ResponseError):
    """-32603: an internal error of the server."""


class RequestCancelled(ResponseError):
    """-32800: the request was cancelled."""


class NoSuchView(ResponseError):
    """-32001: no open view has that name."""

    @property
    def views(self) -> list[str]:
        """The names of the open views."""
        return list(json_object(self.data).get("views", []))


class NoSuchScreen(ResponseError):
    """-32002: no screen has that name."""

    @property
    def screens(self) -> list[str]:
        """The names of the screens."""
        return list(json_object(self.data).get("screens", []))


class ViewExists(ResponseError):
    """-32003: an open view has that name already."""


class LimitPassed(ResponseError):
    """-32005: the request exceeds a limit, such as a message's size or the number of views."""


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
    """Converts the `error` of a response to an exception."""
    code, message = json_object(error).get("code"), json_object(error).get("message")
    if not isinstance(code, int) or not isinstance(message, str):
        return InternalError(ErrorCode.INTERNAL_ERROR, f"the server answered with an error that is none: {error!r}")
    return _BY_CODE.get(code, ResponseError)(code, message, error.get("data"))


class ServerDied(NagareError):
    """The server's process or connection ended unexpectedly."""

    def __init__(self, command: Sequence[str], status: int | None, stderr: str) -> None:
        super().__init__(command, status, stderr)
        self.command = command
        """The program and its arguments; empty if the app didn't start the server."""
        self.status = status
        """The exit status, or the negative number of the signal that ended the process. None if unknown."""
        self.stderr = stderr
        """The last output on the server's standard error."""

    def __str__(self) -> str:
        if not self.command:
            return "the connection to the server has ended"
        text = f"`{' '.join(self.command)}` {_fate(self.status)}"
        return f"{text}:\n{self.stderr}" if self.stderr else text


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
    """The session is closed, or it hasn't begun yet."""


class ProtocolError(NagareError):
    """A message of the server is invalid, or the server's protocol version is unknown."""


class ViewClosed(NagareError):
    """The view was closed, so the awaited condition can't become true."""


class TooManyEvents(NagareError):
    """An iterator dropped its events because they weren't read in time: see `Output`."""
