"""The ways to play a transcript, and the error of a failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .compare import Difference
from .transcript import Place

CHUNKINGS = ("message", "whole", "bytes", "random")


@dataclass(frozen=True)
class Manner:
    """A way to play a transcript: the framing, the splitting of the bytes with its seed, and a step's time limit.

    `chunks` is one of `CHUNKINGS`, and `timeout` is in seconds.
    """

    framing: str
    chunks: str
    seed: int = 1
    timeout: float = 10.0


class Failed(Exception):
    """A difference between a transcript and the server's behaviour. `log` is the end of the server's standard error."""

    def __init__(self, place: Place, expected: str, received: str, found: Difference | None = None) -> None:
        super().__init__(expected)
        self.place, self.expected, self.received, self.found = place, expected, received, found
        self.log = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, self.expected, self.received, self.found), {"log": self.log}
