"""The base classes of the broken rules, and functions that several of them use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from runner.framing import frame

Message = dict[str, Any]


class Rule:
    """A server that breaks no rule. Each subclass breaks one, and its docstring describes the wrong behaviour.

    `section` is the section of the specification. `transcript` is a case that detects the broken rule if it is played
    with `framing` and `chunks`.
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
        """Returns the command that starts the real server."""
        return command

    def starts(self) -> list[Message]:
        """Returns messages that the client gets before the server has read anything."""
        return []

    def forwards(self, data: bytes) -> bytes:
        """Returns the bytes that the real server gets instead of `data`, which is empty at the end of the input."""
        return data

    def answers(self, message: Message) -> list[Message]:
        """Returns messages that the client gets at once, before the real server gets the client's `message`."""
        return []

    def burst(self, texts: list[str]) -> list[str]:
        """Returns what the client gets instead of messages that the real server wrote together."""
        return [sent for text in texts for sent in self.text(text)]

    def text(self, text: str) -> list[str]:
        """Returns what the client gets instead of a message's text. An unchanged message keeps all its bytes."""
        sent = self.sends(json.loads(text)) if text.startswith("{") else None
        return [text] if sent is None or sent == [json.loads(text)] else [as_text(message) for message in sent]

    def sends(self, message: Message) -> list[Message]:
        """Returns what the client gets instead of a message of the real server."""
        return [message]

    def frame(self, body: bytes, framing: str) -> bytes:
        """Returns the bytes of a message, with its line end or its header."""
        return frame(body, framing)

    def exit(self, code: int) -> int:
        """Returns the exit code that replaces the real server's."""
        return code


class ChangesInput(Rule):
    """Changes the client's messages before the real server gets them. Only for cases that are played in lines."""

    def forwards(self, data: bytes) -> bytes:
        lines = [line for line in data.split(b"\n") if line]
        messages = [message for line in lines for message in self.received(json.loads(line))]
        return b"".join(as_text(message).encode() + b"\n" for message in messages)

    def received(self, message: Message) -> list[Message]:
        """Returns what the real server gets instead of a message of the client."""
        return [message]


class DropsOutput(Rule):
    """Drops some messages of the real server."""

    def sends(self, message: Message) -> list[Message]:
        return [] if self.drops(message) else [message]

    def drops(self, message: Message) -> bool:
        """Whether a message of the real server is dropped."""
        return False


def as_text(message: Any) -> str:
    """Returns a message as JSON without white space, as a server writes it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def is_reply(message: Message) -> bool:
    return "result" in message or "error" in message


def notification(method: str, view: str, value: Any) -> Message:
    """Returns the notification of an output's value."""
    return {"jsonrpc": "2.0", "method": method, "params": {"view": view, "value": value}}


def with_screens(command: list[str], **members: Any) -> list[str]:
    """Sets these members in each screen of the command's configuration, except pagers. Returns the command."""
    path = Path(command[command.index("--config") + 1])
    config = json.loads(path.read_text(encoding="utf-8"))
    for screen in config["screens"].values():
        if screen["viewModel"] != "pager":
            screen.update(members)
    path.write_text(json.dumps(config), encoding="utf-8")
    return command


def with_sources(command: list[str], **members: Any) -> list[str]:
    """Sets these members in each source of the command's configuration. Returns the command."""
    path = Path(command[command.index("--config") + 1])
    config = json.loads(path.read_text(encoding="utf-8"))
    for source in config["sources"].values():
        source.update(members)
    path.write_text(json.dumps(config), encoding="utf-8")
    return command
