"""The terminal device: its modes, input and output."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Protocol

from .canvas import Canvas, Cell
from .keys import Decoder, DeviceAttributes, Event
from .picture import first_part, is_part, kitty_sequence, sixel_lines
from .theme import Theme

PAUSE = 0.03
"""Seconds after which an Escape byte counts as the Escape key, and not as the start of a sequence."""
# Alternate screen, hidden cursor, mouse, bracketed paste; asks for the background color and the device attributes.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b]11;?\x1b\\\x1b[c"
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l"
_SHELL = re.compile(r"[^\w\s./:,+@^-]")
"""Characters that may have a meaning for a shell."""
_SEES_STOPS = hasattr(os, "waitid")
"""Whether Python can detect that Control-Z stopped a child (on macOS from Python 3.13 on). Only then can the child have
a separate process group."""
TIMEOUT = 1.0
"""Seconds that the program using the terminal has to end, when this program ends. The terminal has the same time to
accept the last output."""
_WITH_PICTURES = "xterm-kitty", "xterm-ghostty"
_SIXELS = 4
# Synchronized output, for terminals that support it.
_BEGIN, _END = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"


def parsed_command(command: Sequence[str] | str) -> list[str]:
    """Splits a command line. A simple command runs without a shell, because Control-C could end the shell but not the program."""
    if not isinstance(command, str):
        return list(command)
    words = [] if _SHELL.search(command) else command.split()
    return words if words and shutil.which(words[0]) else ["/bin/sh", "-c", command]


class Device(Protocol):
    """A terminal, or a replacement in tests."""

    size: tuple[int, int]
    """Columns and rows."""

    def begin(self, on_event: Callable[[Event], None], on_redraw: Callable[[], None]) -> None:
        """Starts: calls `on_event` for each event, and `on_redraw` when everything must be drawn again."""

    def end(self) -> None:
        """Restores the terminal."""

    def suspend(self) -> None:
        """Suspends this program, and gives the terminal back to the shell until it continues."""

    def show(self, canvas: Canvas, theme: Theme) -> None:
        """Displays a canvas."""

    def copy(self, text: str) -> None:
        """Copies a text to the clipboard."""

    def picture(self, png: bytes, columns: int, rows: int) -> int | None:
        """Sends a picture to the terminal and returns its number. Returns None if the terminal can't show it."""

    async def run(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        """Gives a program the terminal until it ends, and `given` as its input. Cancelling ends the program.

        - `wait` is whether the program's output stays until a key is pressed. After a failure it always stays.
        """

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        """Starts a program in the background. Returns a function for its exit status, which is None while the program runs."""


class TtyDevice:
    """The terminal of this process."""

    def __init__(self) -> None:
        self.size = self._measure()
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._unsent, self._is_behind = bytearray(), False
        """Output that the terminal hasn't accepted yet, and whether the screen has changed since."""
        self._shown: list[list[Cell]] = []
        self._cursor: tuple[int, int] | None = None
        self._decoder = Decoder()
        self._pause: asyncio.TimerHandle | None = None
        self._knows_kitty = "TMUX" not in os.environ and os.environ.get("TERM") in _WITH_PICTURES
        self._knows_sixels = False
        self._pictures: dict[tuple[bytes, int, int, tuple[int, int]], int | None] = {}
        self._sixels: dict[int, list[str]] = {}
        """The lines of each picture that is shown as sixels, by its number."""
        self._events: deque[Event | DeviceAttributes] = deque()
        self._is_dispatching = False
        self._is_in_use = False
        """Whether another program has the terminal."""
        self._program: int | None = None
        """The process group of the program that has the terminal, while it runs."""

    def begin(self, on_event: Callable[[Event], None], on_redraw: Callable[[], None]) -> None:
        self._on_event, self._on_redraw = on_event, on_redraw
        self._loop = asyncio.get_running_loop()
        self._modes = termios.tcgetattr(self._in)
        # Opens the terminal again, because non-blocking mode would also affect other users of standard output.
        try:
            self._sink = os.open(os.ttyname(self._out), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            self._sink = os.dup(self._out)  # The terminal can't be opened by its name.
        for one, handler in self._handlers.items():
            self._loop.add_signal_handler(one, handler)
        self._enter()

    def end(self) -> None:
        self._leave()
        os.close(self._sink)
        for one in self._handlers:
            self._loop.remove_signal_handler(one)

    @property
    def _handlers(self) -> dict[signal.Signals, Callable[[], None]]:
        ends = dict.fromkeys((signal.SIGTERM, signal.SIGHUP, signal.SIGINT), lambda: self._on_event("ctrl+c"))
        return {
            **ends,
            signal.SIGWINCH: self._on_resize,
            signal.SIGTSTP: self.suspend,
            signal.SIGCONT: self._resume,
            signal.SIGCHLD: self._on_child,
        }

    def _on_child(self) -> None:
        """Suspends this program if the program that uses the terminal was stopped."""
        with suppress(ChildProcessError):
            if self._program and os.waitid(os.P_PID, self._program, os.WSTOPPED | os.WNOHANG):
                self.suspend()

    def suspend(self) -> None:
        if self._program:
            self._set_foreground(os.getpgrp())
        elif not self._is_in_use:
            self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        # Stops the whole process group, as a terminal does for Control-Z. The shell may wait for a parent, such as
        # `make`.
        os.killpg(0, signal.SIGTSTP)
        # Execution continues here after the suspension, or at once if no shell waits.
        self._loop.add_signal_handler(signal.SIGTSTP, self.suspend)
        self._resume()

    def _resume(self) -> None:
        """Takes the terminal back after a suspension."""
        if self._program:
            self._set_foreground(self._program)
            self._signal(signal.SIGCONT)
        elif not self._is_in_use:
            self._enter()

    def _set_foreground(self, group: int) -> None:
        """Makes a process group the foreground group, which receives the input, Control-C and Control-Z."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        with suppress(OSError):  # The terminal may have closed.
            os.tcsetpgrp(self._out, group)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTTOU})

    def show(self, canvas: Canvas, theme: Theme) -> None:
        if self._unsent:
            # The terminal is slow. It gets the newest state when it has accepted the older output.
            self._is_behind = True
            return
        parts = []
        for y, row in enumerate(canvas.cells):
            if y >= len(self._shown) or row != self._shown[y]:
                parts.append(f"\x1b[{y + 1};1H{self._line(row, theme)}")
        before, self._cursor = self._cursor, canvas.cursor[-1] if canvas.cursor else None
        if not parts and self._cursor == before:
            return
        self._shown = canvas.cells
        if self._cursor is not None:
            x, y = self._cursor
            parts.append(f"\x1b[{y + 1};{x + 1}H\x1b[?25h")
        self._write(f"{_BEGIN}{''.join(parts)}{_END}")

    def invalidate(self) -> None:
        """Forces everything to be drawn again."""
        self._shown, self._cursor = [], None

    def copy(self, text: str) -> None:
        self._write(f"\x1b]52;c;{base64.b64encode(text.encode(errors='replace')).decode()}\x1b\\")

    def picture(self, png: bytes, columns: int, rows: int) -> int | None:
        cell = self._cell()
        if not (self._knows_kitty or self._knows_sixels and all(cell)):
            return None
        known = png, columns, rows, cell
        if known not in self._pictures:
            number = len(self._pictures) + 1
            if self._knows_kitty:
                self._write(kitty_sequence(png, number, columns, rows))
            elif made := sixel_lines(png, columns, rows, cell):
                self._sixels[number] = made
            self._pictures[known] = number if self._knows_kitty or number in self._sixels else None
        return self._pictures[known]

    async def run(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        self._leave()
        self._is_in_use = True
        try:
            status = await self._run(command, given)
            if (wait or status) and status not in (-signal.SIGINT, 128 + signal.SIGINT):
                self._set_raw()  # Control-C is an ordinary key in raw mode.
                self._write(f"\r\n[{status}] Enter goes back ")
                await self._any_key()
        finally:
            self._is_in_use = False
            self._enter()

    async def _run(self, command: Sequence[str] | str, given: str) -> int:
        def begin() -> None:
            # A separate group, so that Control-C ends only the program, not this one and the server.
            if _SEES_STOPS:
                os.setpgid(0, 0)
                self._set_foreground(os.getpid())

        # A file, because a pipe can be full, or held open by a process that outlives the program.
        with tempfile.TemporaryFile() as file:
            file.write(given.encode(errors="replace"))
            file.seek(0)
            process = await asyncio.create_subprocess_exec(*parsed_command(command), stdin=file, preexec_fn=begin)
        self._program = process.pid if _SEES_STOPS else None
        try:
            status = await process.wait()
            if status < 0:
                # If a shell was killed, its children still run. They would share the terminal with this program.
                self._signal(signal.SIGTERM)
            return status
        finally:
            if process.returncode is None:
                await self._end_program(process)
            self._program = None
            self._set_foreground(os.getpgrp())

    def _signal(self, end: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            if self._program:
                os.killpg(self._program, end)

    async def _end_program(self, process: asyncio.subprocess.Process) -> None:
        """Ends a program that still runs, and its children."""
        for end in (signal.SIGTERM, signal.SIGKILL):
            self._signal(end) if self._program else process.send_signal(end)
            try:
                await asyncio.wait_for(process.wait(), TIMEOUT)
                return
            except asyncio.TimeoutError:
                pass

    async def _any_key(self) -> None:
        """Waits for a key."""
        typed = asyncio.Event()
        self._loop.add_reader(self._in, typed.set)
        try:
            await typed.wait()
        finally:
            self._loop.remove_reader(self._in)
        with suppress(OSError):
            # The first key only closes this prompt.
            data = os.read(self._in, 65536)
            self._dispatch(islice(chain(self._decoder.feed(data), self._decoder.flush()), 1, None))

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        nothing = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True).poll

    def _set_raw(self) -> None:
        with suppress(termios.error):  # The terminal may have closed.
            # TCSANOW keeps the keys that were typed ahead.
            tty.setraw(self._in, termios.TCSANOW)

    def _enter(self) -> None:
        self._set_raw()
        self._write(_ENTER)
        self._loop.add_reader(self._in, self._read)
        self._on_resize()

    def _leave(self) -> None:
        self._loop.remove_reader(self._in)
        self._write(_LEAVE)
        self._finish()
        with suppress(termios.error):
            termios.tcsetattr(self._in, termios.TCSANOW, self._modes)

    def _read(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
        try:
            data = os.read(self._in, 65536)
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._in)
            self._on_event("ctrl+c")
            return
        self._dispatch(self._decoder.feed(data))
        if self._decoder.is_incomplete:
            self._pause = self._loop.call_later(PAUSE, self._flush)

    def _flush(self) -> None:
        self._dispatch(self._decoder.flush())

    def _dispatch(self, events: Iterator[Event | DeviceAttributes]) -> None:
        """Dispatches events one at a time, each after everything that the previous one started. A key may be meant for
        a dialog that is just opening."""
        self._events.extend(events)
        if not self._is_dispatching:
            self._is_dispatching = True
            self._next()

    def _next(self) -> None:
        if self._events:
            event = self._events.popleft()
            if isinstance(event, DeviceAttributes):
                self._knows_sixels = _SIXELS in event.numbers
                self._on_redraw()
            else:
                self._on_event(event)
            self._loop.call_soon(self._next)
        else:
            self._is_dispatching = False

    def _on_resize(self) -> None:
        self.size = self._measure()
        self.invalidate()
        self._on_redraw()

    def _line(self, row: list[Cell], theme: Theme) -> str:
        parts, current = [], None
        for x, (text, style) in enumerate(row):
            if self._sixels and is_part((text, style)):
                # Text in these cells would erase the picture.
                if first := first_part((text, style)):
                    parts.append(self._sixel_line(*first, sum(map(is_part, row[x:]))))
                    current = None
                parts.append("\x1b[C")
                continue
            if style != current:
                parts.append(theme.code(style))
                current = style
            parts.append(text)
        return "".join(parts) + "\x1b[0m"

    def _sixel_line(self, number: int, line: int, cells: int) -> str:
        """Returns a line of a picture, in place of some cells. The cursor's position stays."""
        made = self._sixels[number]
        return f"\x1b[0m\x1b[{cells}X\x1b7{made[line] if line < len(made) else ''}\x1b8"

    def _cell(self) -> tuple[int, int]:
        """Returns the size of a cell in pixels; 0 if it is unknown."""
        try:
            rows, columns, across, down = struct.unpack("HHHH", fcntl.ioctl(self._out, termios.TIOCGWINSZ, bytes(8)))
        except OSError:
            return 0, 0
        return across // max(1, columns), down // max(1, rows)

    def _measure(self) -> tuple[int, int]:
        try:
            size = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            return 80, 24
        return size.columns or 80, size.lines or 24

    def _write(self, text: str) -> None:
        self._unsent += text.encode("utf-8", "replace")
        self._send()

    def _send(self) -> None:
        """Writes what the terminal accepts now. The rest follows later."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._sink, self._unsent)]
        except BlockingIOError:
            self._loop.add_writer(self._sink, self._send)
            return
        except OSError:
            self._unsent.clear()  # The terminal has closed. The end of the input is detected elsewhere.
        self._loop.remove_writer(self._sink)
        if self._is_behind:
            self._is_behind = False
            self._on_redraw()

    def _finish(self) -> None:
        """Writes the remaining output now. Output that the terminal doesn't accept within `TIMEOUT` is dropped."""
        while self._unsent and select.select([], [self._sink], [], TIMEOUT)[1]:
            self._send()
        self._unsent.clear()
        self._loop.remove_writer(self._sink)
