"""Reads transcripts: the messages for a server, and the messages that it must send (see ../README.md)."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from .cases import Case, Statement, TranscriptError, read_cases
from .escapes import expand


@dataclass(frozen=True)
class Place:
    """The position of a step: its statement's index in the case, its line in the file, and its round in a `repeat`.

    Lines and rounds count from 1. The round is 0 outside of a `repeat`.
    """

    statement: int
    line: int
    round: int = 0


@dataclass(frozen=True)
class Send:
    """Bytes for the server. If they are `framed`, they are a message, which gets a line end or a header."""

    place: Place
    body: bytes
    framed: bool = True
    shown: str = ""


@dataclass(frozen=True)
class Expect:
    """The next message that the server must send, as a JSON value, or as a `text` that is compared byte by byte."""

    place: Place
    value: Any = None
    text: str | None = None


@dataclass(frozen=True)
class Close:
    """The end of the server's input."""

    place: Place


@dataclass(frozen=True)
class Exit:
    """The end of the server, which must exit with this code."""

    place: Place
    code: int


Step = Send | Expect | Close | Exit


@dataclass
class Transcript:
    """A case: the server's options, configuration and files, and the steps in their order.

    Its section is the folder of its file.
    """

    path: Path
    rule: str = ""
    case: str = ""
    line: int = 1
    about: str = ""
    options: list[str] = field(default_factory=list)
    config: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    framings: tuple[str, ...] = ("lines", "headers")
    steps: list[Step] = field(default_factory=list)

    @property
    def section(self) -> str:
        return self.path.parent.name

    @property
    def file(self) -> str:
        return f"{self.section}/{self.path.name}"

    @property
    def name(self) -> str:
        """The name under which the runner finds the case."""
        return f"{self.file}::{self.case}" if self.case else self.file

    @property
    def fenced(self) -> bool:
        """Whether the runner may send extra pings between steps without changing the case's result."""
        plain = all(step.framed and b'"shutdown"' not in step.body for step in self.steps if isinstance(step, Send))
        return plain and not any(isinstance(step, Exit) for step in self.steps[:-1])


def parse_json(text: str | bytes) -> Any:
    """Reads JSON. Numbers become decimal values, which are as exact as the text."""

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_int=Decimal, parse_float=Decimal, parse_constant=refuse)


def read(place: Path | str) -> list[Transcript]:
    """Reads all cases of a file, or only the case that `FILE::CASE` names."""
    file, _, name = str(place).partition("::")
    cases = read_cases(Path(file))
    if name and name not in (known := [case.name for case in cases]):
        raise TranscriptError(f"{file}: there is no case {name}, only {', '.join(known)}")
    return [_transcript(Path(file), case) for case in cases if name in ("", case.name)]


def _transcript(path: Path, case: Case) -> Transcript:
    transcript = Transcript(path, case.rule, case.name, case.line, case.about)
    awaited: Expect | None = None  # the reply to an `advance`, which comes after the messages that it causes
    advances = 0
    for number, statement in enumerate(case.statements):
        place = Place(number, statement.line, statement.round)
        try:
            step = _step(transcript, place, statement)
        except ValueError as error:
            raise TranscriptError(f"{path}:{statement.line}: {error}") from error
        if not isinstance(step, Expect) and step is not None and awaited is not None:
            transcript.steps.append(awaited)
            awaited = None
        if isinstance(step, _Advance):
            advances += 1
            identifier = f"advance {advances}"
            transcript.steps.append(_clock(place, identifier, step.milliseconds))
            awaited = Expect(place, {"jsonrpc": "2.0", "id": identifier, "result": {"now": "<integer>"}})
        elif step is not None:
            transcript.steps.append(step)
    if awaited is not None:
        transcript.steps.append(awaited)
    if not transcript.about:
        raise TranscriptError(f"{path}:{case.line}: a case must begin with a comment that explains it")
    return _ended(transcript)


@dataclass(frozen=True)
class _Advance:
    milliseconds: int


def _clock(place: Place, identifier: str, milliseconds: int) -> Send:
    message = {
        "jsonrpc": "2.0",
        "id": identifier,
        "method": "clock/advance",
        "params": {"milliseconds": milliseconds},
    }
    return Send(place, json.dumps(message).encode(), shown=f"advance {milliseconds}")


def _ended(transcript: Transcript) -> Transcript:
    """Adds the end that a transcript doesn't contain: the input closes, and the server exits with 0."""
    last = transcript.steps[-1].place if transcript.steps else Place(0, transcript.line)
    if not any(isinstance(step, Exit) for step in transcript.steps):
        if not any(isinstance(step, Close) for step in transcript.steps):
            transcript.steps.append(Close(last))
        transcript.steps.append(Exit(last, 0))
    return transcript


def _step(transcript: Transcript, place: Place, statement: Statement) -> Step | _Advance | None:
    """Returns a statement's step. A statement about the server or its files changes the transcript, and has none."""
    word, _, rest = statement.text.partition(" ")
    rest = rest.strip()
    match word:
        case "-->":
            return Send(place, rest.encode(), shown=statement.text)
        case "<--" if rest.startswith("text:"):
            return Expect(place, text=rest.removeprefix("text:").strip())
        case "<--":
            return Expect(place, parse_json(rest))
        case "framed" | "raw" if rest.startswith("-->"):
            body = expand(rest.removeprefix("-->").removeprefix(" "))
            return Send(place, body, word == "framed", shown=statement.text)
        case "advance" if rest.isdigit():
            return _Advance(int(rest))
        case "close" if not rest:
            return Close(place)
        case "exit" if rest.isdigit():
            return Exit(place, int(rest))
        case "only" if rest in ("lines", "headers"):
            transcript.framings = (rest,)
        case "options":
            transcript.options += shlex.split(rest)
        case "config" if rest == "{":
            transcript.config = "\n".join(["{", *statement.block, "}"]) + "\n"
        case "file" if found := re.fullmatch(r"(\S+) <<\w+", rest):
            transcript.files[found[1]] = "".join(f"{text}\n" for text in statement.block)
        case _:
            raise ValueError(f"not a statement of a transcript: {statement.text!r}")
    return None
