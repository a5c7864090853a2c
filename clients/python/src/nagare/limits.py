"""What a server reads at most."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .codes import ErrorCode
from .errors import LimitPassed

_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


@dataclass(frozen=True)
class Limits:
    """The limits of a server that concern each message."""

    message_size: int
    """The most bytes of a message."""
    depth: int
    """The deepest nesting of arrays and objects, the message itself counted as one."""

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Limits | None:
        """The limits that `initialize` answered; None where it answered none."""
        size, depth = limits.get("messageSize"), limits.get("depth")
        return cls(size, depth) if isinstance(size, int) and isinstance(depth, int) else None

    def check(self, line: bytes) -> None:
        """Raises `LimitPassed` if the server can't read this message, given without its line's end."""
        if len(line) > self.message_size:
            raise LimitPassed(
                ErrorCode.LIMIT_PASSED,
                f"the message has {len(line)} bytes, and the server reads {self.message_size} at most: send less at once, "
                "or start the server with a higher --max-message-size",
                {"limit": "messageSize", "max": self.message_size},
            )
        # A message with few brackets can't be deep, and counting them is cheap.
        if line.count(b"[") + line.count(b"{") > self.depth and _depth(line) > self.depth:
            raise too_deep(self)


def too_deep(limits: Limits | None) -> LimitPassed:
    """The error for a value that is nested too deep to be sent."""
    most = f"{limits.depth}, the most that the server reads" if limits else "can be written"
    data = {"limit": "depth", "max": limits.depth} if limits else {"limit": "depth"}
    text = f"the message nests arrays and objects deeper than {most}: send a flatter value, or start the server with a higher --max-depth"
    return LimitPassed(ErrorCode.LIMIT_PASSED, text, data)


def _depth(line: bytes) -> int:
    brackets = _TEXTS.sub(b"", line).translate(None, _OTHERS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)
