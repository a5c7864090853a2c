"""How a transcript is played, and what tells that it failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .compare import Difference
from .transcript import Place

CHUNKINGS = ("message", "whole", "bytes", "random")


@dataclass(frozen=True)
class Manner:
    """How a transcript is played: its framing, how its bytes are cut, the seed of the cuts, the seconds for a step."""

    framing: str
    chunks: str
    seed: int = 1
    timeout: float = 10.0


class Failed(Exception):
    """A server that did something else than the transcript says."""

    def __init__(self, place: Place, expected: str, received: str, found: Difference | None = None) -> None:
        super().__init__(expected)
        self.place, self.expected, self.received, self.found = place, expected, received, found
        self.log = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, self.expected, self.received, self.found), {"log": self.log}
