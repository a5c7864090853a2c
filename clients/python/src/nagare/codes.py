"""The error codes of the protocol."""

# Generated from protocol/openrpc.json; make generate

from enum import IntEnum


class ErrorCode(IntEnum):
    """The code of an error (section 2.2)."""

    PARSE_ERROR = -32700
    """The message isn't JSON or UTF-8, is nested too deeply, or has a broken header."""
    INVALID_REQUEST = -32600
    """The message isn't a JSON-RPC request, or came after shutdown."""
    METHOD_NOT_FOUND = -32601
    """The method doesn't exist, or the view has no such input."""
    INVALID_PARAMS = -32602
    """A parameter is missing, has the wrong type, or names an item that isn't listed."""
    INTERNAL_ERROR = -32603
    """The server failed."""
    REQUEST_CANCELLED = -32800
    """The request was cancelled."""
    NO_SUCH_VIEW = -32001
    """No view with this name is open."""
    NO_SUCH_SCREEN = -32002
    """No screen has this name."""
    VIEW_TAKEN = -32003
    """A view with this name is open already."""
    LIMIT_PASSED = -32005
    """A limit was exceeded."""
