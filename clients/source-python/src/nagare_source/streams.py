"""Standard input and output, kept for the messages alone."""

from __future__ import annotations

import os
import sys


def take() -> tuple[int, int]:
    """Moves standard input and output aside, and gives the descriptors that they have now.

    What is printed from here on, also by libraries and by programs that are started, goes to standard error, and nobody
    else reads what the server says.
    """
    input, output = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # What was printed before and is still held back.
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return input, output


def write(output: int, line: bytes) -> None:
    """Writes all of a line and its end."""
    rest = memoryview(line + b"\n")
    while rest:
        rest = rest[os.write(output, rest) :]
