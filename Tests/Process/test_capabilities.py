"""A client that opens no windows gets the same bytes, whether it supports windows or not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CONFORMANCE
from runner.replay import _arguments
from runner.transcript import Close, Send, Transcript, read
from server import PATIENCE

SECTIONS = ["4-inputs-and-outputs", "5.1-list", "5.2-pager", "5.3-search", "6.6-live"]


def cases(section: str) -> Iterator[tuple[Transcript, bytes, bytes]]:
    """Yields dialogues in two versions: of a client that doesn't support windows, and of one that does."""
    for file in sorted((CONFORMANCE / section).glob("*.txt")):
        for transcript in read(file):
            plain, able = b"", b""
            for step in transcript.steps:
                if isinstance(step, Close):
                    break
                if not isinstance(step, Send) or not step.framed:
                    continue
                plain += step.body + b"\n"
                able += knowing(step.body) + b"\n"
            if plain != able:
                yield transcript, plain, able


def knowing(body: bytes) -> bytes:
    """Changes a message to that of a client that supports windows."""
    try:
        message = json.loads(body)
        if message["method"] != "initialize" or "windows" in message["params"].get("capabilities", {}):
            return body
        message["params"].setdefault("capabilities", {})["windows"] = True
    except (ValueError, TypeError, KeyError, AttributeError):
        return body
    return json.dumps(message).encode()


@pytest.mark.parametrize("section", SECTIONS)
def test_an_unused_capability_changes_no_byte(nagare: str, section: str, tmp_path: Path) -> None:
    compared = 0
    for transcript, plain, able in cases(section):
        command = [nagare, "--clock", "virtual", *_arguments(transcript, tmp_path)]
        said = [subprocess.run(command, input=lines, capture_output=True, timeout=PATIENCE).stdout for lines in (plain, able)]
        # The response to `initialize` lists the capabilities.
        assert said[0] == said[1].replace(b'"windows":true,', b"").replace(b',"windows":true', b""), transcript.name
        compared += 1
    assert compared > 5
