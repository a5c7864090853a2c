"""A person who types messages at a terminal: what is read, and which hints are on standard error."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Callable, Iterator

import pytest
from server import PATIENCE, Start

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = '{"jsonrpc":"2.0","id":1,"result":{}}'
OPEN = '{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"items"}}'
HINT = "type one message a line, such as "
END_OF_INPUT = b"\x04"


class Terminal:
    """A server whose standard input is a terminal. Its output and its standard error are one stream, as on a screen."""

    def __init__(self, nagare: str) -> None:
        self.keys, line = pty.openpty()
        self.process = subprocess.Popen([nagare], stdin=line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.close(line)

    def types(self, *lines: str) -> list[str]:
        """Types lines and the end of the input. Returns all that the server writes after its greeting."""
        for line in lines:
            os.write(self.keys, line.encode() + b"\n")
        os.write(self.keys, END_OF_INPUT)
        output, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        written: list[str] = output.decode().splitlines()
        assert written[0].startswith("nagare ") and written[1] == OPEN, "the greeting names a message to begin with"
        return written[5:]

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.keys)


Types = Callable[..., list[str]]


@pytest.fixture
def types(nagare: str) -> Iterator[Types]:
    terminals: list[Terminal] = []

    def types(*lines: str) -> list[str]:
        terminals.append(Terminal(nagare))
        return terminals[-1].types(*lines)

    yield types
    for terminal in terminals:
        terminal.end()


def error(line: str) -> int:
    """The code of a typed line's error."""
    code: int = json.loads(line)["error"]["code"]
    return code


@pytest.mark.parametrize("stray", ["hello", "[", "Content-Length: 5", "Content-Length: 5\n", "\ufeff", '{"a":'])
def test_a_stray_line_at_a_terminal_does_not_affect_later_lines(types: Types, stray: str) -> None:
    """rules: 1.1.5, 1.1.12, 1.1.14"""
    written = types(stray, PING, PING)
    assert error(written[0]) == -32700
    assert written[1] == HINT + OPEN
    assert written[-2:] == [PONG, PONG]


@pytest.mark.parametrize("mark", ["--> ", "-->", "$ ", "    --> ", "$ --> "])
def test_marks_before_a_pasted_message_are_skipped(types: Types, mark: str) -> None:
    """rules: 1.1.13"""
    assert types(mark + PING, mark + PING) == [PONG, PONG]


def test_a_pasted_dialogue_is_read_without_its_answers(types: Types) -> None:
    """rules: 1.1.13"""
    assert types("--> " + PING, "<-- " + PONG, "  <-- {…}", "--> " + PING) == [PONG, PONG]


@pytest.mark.parametrize("line", ["", "   ", "$ ", "-->"])
def test_an_empty_line_is_answered_with_an_example(types: Types, line: str) -> None:
    """rules: 1.1.14"""
    assert types(line, PING) == [HINT + OPEN, PONG]


def test_the_example_of_a_hint_works_at_that_moment(types: Types) -> None:
    """rules: 1.1.14"""
    written = types(OPEN, "", OPEN, "", '{"jsonrpc":"2.0","id":2,"method":"shutdown"}', "")
    hints = [line.removeprefix(HINT) for line in written if line.startswith(HINT)]
    assert hints == [
        '{"jsonrpc":"2.0","id":1,"method":"viewWillAppear"}',
        '{"jsonrpc":"2.0","id":1,"method":"viewWillAppear","params":{"view":"v2"}}',
        '{"jsonrpc":"2.0","id":1,"method":"exit"}',
    ]


@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("screens", '{"jsonrpc":"2.0","id":1,"method":"screens"}'),
        ("open items", OPEN),
        ("opne", OPEN),
        ("initialize", '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1"}}'),
    ],
)
def test_the_example_is_for_the_method_that_a_line_begins_with(types: Types, line: str, example: str) -> None:
    assert types(line)[1] == HINT + example


def test_a_typed_notification_without_effect_is_answered_with_the_reason(types: Types) -> None:
    """rules: 1.1.14"""
    written = types(
        '{"jsonrpc":"2.0","method":"opne","params":{"screen":"items"}}',
        '{"method":"ping"}',
    )
    assert written == [
        'nothing was done: no method "opne"; did you mean "open"?',
        HINT + OPEN,
        "nothing was done: 'jsonrpc' must be \"2.0\"",
        HINT + OPEN,
    ]


def test_a_parameter_that_a_method_does_not_have_is_reported_once(start: Start) -> None:
    """rules: 2.2.10"""
    server = start()
    server.call("open", screen="items", veiw="v")
    server.call("open", screen="items", view="w", veiw="v")
    for _ in range(3):
        server.call("viewWillAppear", view="v1", quiet=True)
        server.notify("viewport", view="v1", start=0, end=5, edn=7)
    server.call("outputs", view="v1", **{"\x1b[31m": 1})
    server.call("close", view="v1")
    server.close()
    server.rest()
    assert server.errors().splitlines() == [
        '"open" has no parameter "veiw", so it was ignored; did you mean "view"?',
        '"viewWillAppear" has no parameter "quiet", so it was ignored',
        '"viewport" has no parameter "edn", so it was ignored; did you mean "end"?',
        '"outputs" has no parameter "\\u001b[31m", so it was ignored',
    ]


def test_the_log_of_unread_parameters_is_limited(start: Start) -> None:
    """rules: 2.2.10"""
    server = start()
    server.call("open", screen="items")
    for number in range(200):
        server.call("viewWillAppear", **{f"parameter{number}": 1})
    assert len(server.errors().splitlines()) == 100
