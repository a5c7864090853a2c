"""Reads a transcript: a text file of what is sent to a server and what must come back (see ../README.md)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from .escapes import expand


class TranscriptError(Exception):
    """A transcript that is not written as the format asks."""


@dataclass(frozen=True)
class Send:
    """Bytes for the server; `framed` ones are a message and get a line end or a header."""

    line: int
    body: bytes
    framed: bool = True
    shown: str = ""


@dataclass(frozen=True)
class Expect:
    """The next message that must come: equal as a JSON value, or byte for byte where `text` is given."""

    line: int
    value: Any = None
    text: str | None = None


@dataclass(frozen=True)
class Close:
    """The end of the server's input."""

    line: int


@dataclass(frozen=True)
class Exit:
    """The server must have ended with this code, its input closed or not."""

    line: int
    code: int


Step = Send | Expect | Close | Exit


@dataclass
class Transcript:
    """One file: what the server is started with, and the steps in their order."""

    path: Path
    section: str
    about: str = ""
    options: list[str] = field(default_factory=list)
    config: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    framings: tuple[str, ...] = ("lines", "headers")
    steps: list[Step] = field(default_factory=list)

    @property
    def name(self) -> str:
        """By which the runner finds it."""
        return f"{self.section}/{self.path.name}"

    @property
    def fenced(self) -> bool:
        """Whether a ping may be slipped in between two steps without changing what is shown."""
        plain = all(step.framed and b'"shutdown"' not in step.body for step in self.steps if isinstance(step, Send))
        return plain and not any(isinstance(step, Exit) for step in self.steps[:-1])


def parse_json(text: str | bytes) -> Any:
    """JSON with numbers kept as decimal values, as exact as they were written."""

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_int=Decimal, parse_float=Decimal, parse_constant=refuse)


def read(path: Path) -> Transcript:
    """Reads one transcript; its section is the folder that it lies in."""
    transcript = Transcript(path, path.parent.name)
    lines = iter(enumerate(path.read_text(encoding="utf-8").split("\n"), 1))
    about: list[str] = []
    awaited: Expect | None = None  # the result of an `advance`, due after what the clock causes
    advances = 0
    for number, line in lines:
        if line.startswith("#") and not transcript.steps:
            about.append(line[1:].strip())
        if not line.strip() or line.startswith("#"):
            continue
        try:
            step = _statement(transcript, number, line, lines)
        except ValueError as error:
            raise TranscriptError(f"{path}:{number}: {error}") from error
        if not isinstance(step, Expect) and step is not None and awaited is not None:
            transcript.steps.append(awaited)
            awaited = None
        if isinstance(step, _Advance):
            advances += 1
            identifier = f"advance {advances}"
            transcript.steps.append(_clock(number, identifier, step.milliseconds))
            awaited = Expect(number, {"jsonrpc": "2.0", "id": identifier, "result": {"now": "<integer>"}})
        elif step is not None:
            transcript.steps.append(step)
    if awaited is not None:
        transcript.steps.append(awaited)
    transcript.about = " ".join(about)
    if not transcript.about:
        raise TranscriptError(f"{path}: the first lines must be a comment that says what is shown and why")
    return _ended(transcript)


@dataclass(frozen=True)
class _Advance:
    milliseconds: int


def _clock(line: int, identifier: str, milliseconds: int) -> Send:
    message = {
        "jsonrpc": "2.0",
        "id": identifier,
        "method": "clock/advance",
        "params": {"milliseconds": milliseconds},
    }
    return Send(line, json.dumps(message).encode(), shown=f"advance {milliseconds}")


def _ended(transcript: Transcript) -> Transcript:
    """Unless a transcript says otherwise, its end closes the input and the server exits with 0."""
    last = transcript.steps[-1].line if transcript.steps else 0
    if not any(isinstance(step, Exit) for step in transcript.steps):
        if not any(isinstance(step, Close) for step in transcript.steps):
            transcript.steps.append(Close(last))
        transcript.steps.append(Exit(last, 0))
    return transcript


def _statement(
    transcript: Transcript, number: int, line: str, lines: Iterator[tuple[int, str]]
) -> Step | _Advance | None:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word:
        case "-->":
            return Send(number, rest.encode(), shown=line)
        case "<--" if rest.startswith("text:"):
            return Expect(number, text=rest.removeprefix("text:").strip())
        case "<--":
            return Expect(number, parse_json(rest))
        case "framed" | "raw" if rest.startswith("-->"):
            body = expand(rest.removeprefix("-->").removeprefix(" "))
            return Send(number, body, word == "framed", shown=line)
        case "advance" if rest.isdigit():
            return _Advance(int(rest))
        case "close" if not rest:
            return Close(number)
        case "exit" if rest.isdigit():
            return Exit(number, int(rest))
        case "only" if rest in ("lines", "headers"):
            transcript.framings = (rest,)
        case "options":
            transcript.options += shlex.split(rest)
        case "config" if rest == "{":
            transcript.config = "\n".join(["{", *_until("}", lines), "}"]) + "\n"
        case "file" if found := re.fullmatch(r"(\S+) <<(\w+)", rest):
            transcript.files[found[1]] = "".join(f"{text}\n" for text in _until(found[2], lines))
        case _:
            raise ValueError(f"not a statement of a transcript: {line!r}")
    return None


def _until(end: str, lines: Iterator[tuple[int, str]]) -> list[str]:
    block: list[str] = []
    for _, line in lines:
        if line == end:
            return block
        block.append(line)
    raise ValueError(f"a line with only {end!r} must end the block")
