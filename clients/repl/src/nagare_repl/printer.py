"""Prints messages, hints and the program's standard error."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, TextIO

from nagare.wire import decode

from .pretty import Layout, layout
from .style import Span, colored, has_colors, printable, wrapped

OUTPUT_CLOSED = 141
"""The exit status if nobody reads the output any more. Shells give it to programs that SIGPIPE ended."""
MARGIN = 4
"""The cells of an arrow and the space behind it."""


class Printer:
    """Prints to a terminal in colors and with line breaks, and otherwise each message in one line."""

    def __init__(self, is_interactive: bool) -> None:
        """`is_interactive` is whether a person types: then everything goes to standard output, in the order in which it happens."""
        self.is_pretty = sys.stdout.isatty()
        self._is_interactive = is_interactive
        self._colors, self._error_colors = has_colors(sys.stdout), has_colors(sys.stderr)
        self._omitted: Any = None
        """The last message that was shortened."""

    def sent(self, text: str) -> None:
        """Prints a message that was sent."""
        self._message("-->", "sent", text)

    def received(self, text: str) -> None:
        """Prints a message that was received."""
        self._message("<--", "received", text)

    def show(self) -> None:
        """Prints the last shortened message in full."""
        if self._omitted is None:
            return self.note("no message was shortened")
        arrow, color, text = self._omitted
        value = decode(text.encode("utf-8", "backslashreplace"))
        self._print([(color, arrow), ("", " ")], Layout(self._room()).lines(value))

    def text(self, line: str, color: str = "") -> None:
        """Prints the result of a local command."""
        for part in wrapped(line, self._room() + MARGIN) if self.is_pretty else [line]:
            self._write([(color, part)])

    def spans(self, spans: list[Span]) -> None:
        """Prints a line in several colors."""
        self._write(spans)

    def note(self, text: str) -> None:
        """Prints a remark."""
        self._aside(text, "dim")

    def error(self, text: str) -> None:
        """Prints why a line failed."""
        self._aside(text, "error")

    def log(self, line: str) -> None:
        """Prints a line of the program's standard error."""
        self._aside(line, "dim")

    def _aside(self, text: str, color: str) -> None:
        text = printable(text)
        if self._is_interactive:
            self.text(text, color)
        else:
            _print(colored([(color, text)], self._error_colors), sys.stderr)

    def _message(self, arrow: str, color: str, text: str) -> None:
        start: list[Span] = [(color, arrow), ("", " ")]
        if not self.is_pretty:
            return self._write([*start, ("", printable(text))])
        try:
            value = decode(text.encode("utf-8", "backslashreplace"))
        except (ValueError, RecursionError):
            return self._write([*start, ("", printable(text)), ("dim", "  (this isn't JSON)")])
        if isinstance(value, dict) and "error" in value and "method" not in value:
            start[0] = ("error", arrow)
        # The line that the user has typed stays in sight.
        height = max(8, shutil.get_terminal_size().lines - 6)
        try:
            lines, is_shortened = layout(value, len(text), self._room(), height)
        except RecursionError:
            return self._write([*start, ("", printable(text))])
        if is_shortened:
            self._omitted = (arrow, start[0][0], text)
            lines[-1] = [*lines[-1], ("dim", "  (shortened; “show” prints all)")]
        self._print(start, lines)

    def _print(self, start: list[Span], lines: list[list[Span]]) -> None:
        for number, line in enumerate(lines):
            self._write([*(start if number == 0 else [("", " " * MARGIN)]), *line])

    def _room(self) -> int:
        return shutil.get_terminal_size().columns - MARGIN

    def _write(self, spans: list[Span]) -> None:
        _print(colored(spans, self._colors), sys.stdout)


def _print(text: str, stream: TextIO) -> None:
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        # The reader of the output has ended, like `head`. Without this, Python would report it again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise SystemExit(OUTPUT_CLOSED) from None


def is_terminal(*streams: TextIO) -> bool:
    """Whether all streams are terminals."""
    return all(stream.isatty() for stream in streams)
