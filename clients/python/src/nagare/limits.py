"""The server's limits for messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .codes import ErrorCode
from .errors import LimitPassed

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"?')
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


@dataclass(frozen=True)
class Limits:
    """A server's limits for each message."""

    message_size: int
    """The maximum size in bytes."""
    depth: int
    """The maximum nesting of arrays and objects, including the message itself."""

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Limits | None:
        """Reads the limits from the answer to `initialize`. Returns None if there are none."""
        size, depth = limits.get("messageSize"), limits.get("depth")
        return cls(size, depth) if isinstance(size, int) and isinstance(depth, int) else None

    def check(self, line: bytes) -> None:
        """Raises `LimitPassed` if a message exceeds a limit. `line` doesn't include the line end."""
        if len(line) > self.message_size:
            raise LimitPassed(
                ErrorCode.LIMIT_PASSED,
                f"the message has {len(line)} bytes, and the server reads {self.message_size} at most: send less at once, "
                "or start the server with a higher --max-message-size",
                {"limit": "messageSize", "max": self.message_size},
            )
        # Counting brackets is cheap, and a message with few of them can't be deep.
        if line.count(b"[") + line.count(b"{") > self.depth and _depth(line) > self.depth:
            raise too_deep(self)


def too_deep(limits: Limits | None) -> LimitPassed:
    """Returns the error for a value that is nested too deeply."""
    most = f"{limits.depth}, the most that the server reads" if limits else "can be written"
    data = {"limit": "depth", "max": limits.depth} if limits else {"limit": "depth"}
    text = f"the message nests arrays and objects deeper than {most}: send a flatter value, or start the server with a higher --max-depth"
    return LimitPassed(ErrorCode.LIMIT_PASSED, text, data)


def _depth(line: bytes) -> int:
    brackets = _STRINGS.sub(b"", line).translate(None, _NOT_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)
