"""The numbers of the protocol's errors."""

# Generated from protocol/openrpc.json; make generate

from enum import IntEnum


class ErrorCode(IntEnum):
    """What can be wrong with a request, section 2.2."""

    PARSE_ERROR = -32700
    """Not JSON, not UTF-8, too deep, or a broken header."""
    INVALID_REQUEST = -32600
    """JSON, but not a request; or a request after shutdown."""
    METHOD_NOT_FOUND = -32601
    """No such method, or the view has no such input."""
    INVALID_PARAMS = -32602
    """A parameter is missing or of the wrong type, or names an item that isn't there."""
    INTERNAL_ERROR = -32603
    """An error of the server."""
    REQUEST_CANCELLED = -32800
    """The request was cancelled."""
    NO_SUCH_VIEW = -32001
    """No view of that name is open."""
    NO_SUCH_SCREEN = -32002
    """No screen has that name."""
    VIEW_TAKEN = -32003
    """A view of that name is open already."""
    LIMIT_PASSED = -32005
    """A limit was passed."""
