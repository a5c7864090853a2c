"""What a broken rule is made of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from runner.framing import frame

Message = dict[str, Any]


class Rule:
    """A server that breaks no rule. A subclass changes one thing, and says in a sentence which.

    `section` is the specification's, `transcript` a case that catches it, played in `framing` and `chunks`.
    """

    section = ""
    transcript = ""
    framing = "lines"
    chunks = "message"
    known: dict[str, type[Rule]] = {}

    def __init_subclass__(cls) -> None:
        if cls.transcript:
            Rule.known[re.sub("(?<!^)([A-Z])", r"-\1", cls.__name__).lower()] = cls

    def options(self, command: list[str]) -> list[str]:
        """The command that starts the real server."""
        return command

    def starts(self) -> list[Message]:
        """What is said before anything was read."""
        return []

    def reads(self, data: bytes) -> bytes:
        """What the real server reads of these bytes; at the end of the input there are none."""
        return data

    def hears(self, message: Message) -> list[Message]:
        """What is said at once to a message of the client, before the real server has it."""
        return []

    def burst(self, texts: list[str]) -> list[str]:
        """Messages that the real server wrote at once."""
        return [said for text in texts for said in self.text(text)]

    def text(self, text: str) -> list[str]:
        """A message of the real server, as it wrote it. One that the rule doesn't change stays so, byte for byte."""
        said = self.says(json.loads(text)) if text.startswith("{") else None
        return [text] if said is None or said == [json.loads(text)] else [as_text(message) for message in said]

    def says(self, message: Message) -> list[Message]:
        """What is said in the place of a message of the real server."""
        return [message]

    def frame(self, body: bytes, framing: str) -> bytes:
        """A message as it is written."""
        return frame(body, framing)

    def exit(self, code: int) -> int:
        """The exit code in the place of the real server's."""
        return code


class Mishearing(Rule):
    """Hears what the client says otherwise than it was said. Of cases that are played in lines."""

    def reads(self, data: bytes) -> bytes:
        lines = [line for line in data.split(b"\n") if line]
        return b"".join(as_text(message).encode() + b"\n" for line in lines for message in self.heard(json.loads(line)))

    def heard(self, message: Message) -> list[Message]:
        """What is heard in the place of a message of the client."""
        return [message]


class Swallowing(Rule):
    """Doesn't say some messages."""

    def says(self, message: Message) -> list[Message]:
        return [] if self.swallows(message) else [message]

    def swallows(self, message: Message) -> bool:
        """Whether a message of the real server isn't said."""
        return False


def as_text(message: Any) -> str:
    """A message as a server writes it: without white space."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def is_reply(message: Message) -> bool:
    return "result" in message or "error" in message


def notification(method: str, view: str, value: Any) -> Message:
    """An output's."""
    return {"jsonrpc": "2.0", "method": method, "params": {"view": view, "value": value}}


def with_screens(command: list[str], **members: Any) -> list[str]:
    """The command, after these members were put into each list and search of its configuration."""
    path = Path(command[command.index("--config") + 1])
    config = json.loads(path.read_text(encoding="utf-8"))
    for screen in config["screens"].values():
        if screen["viewModel"] != "pager":
            screen.update(members)
    path.write_text(json.dumps(config), encoding="utf-8")
    return command


def with_sources(command: list[str], **members: Any) -> list[str]:
    """The command, after these members were put into each source of its configuration."""
    path = Path(command[command.index("--config") + 1])
    config = json.loads(path.read_text(encoding="utf-8"))
    for source in config["sources"].values():
        source.update(members)
    path.write_text(json.dumps(config), encoding="utf-8")
    return command
