"""The terminal itself: its modes, and the bytes that go to it."""

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
from .keys import Attributes, Decoder, Event
from .picture import begun, is_part, sent, strips
from .theme import Theme

PAUSE = 0.03
"""Seconds after which an Escape is a key, and not the beginning of something longer."""
# Another screen, no cursor, keys as they are, the mouse, pasting told apart; what color is behind the text, and what the terminal can.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b]11;?\x1b\\\x1b[c"
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l"
_SHELL = re.compile(r"[^\w\s./:,+@^-]")
"""Characters that may have a meaning for a shell."""
_SEES_STOPS = hasattr(os, "waitid")
"""Whether this Python can notice that a child was stopped by Control-Z (on macOS from Python 3.13 on). A separate process group requires it."""
PATIENCE = 1.0
"""Seconds. At the end, the program that uses the terminal gets this long to end, and the terminal this long to accept the last output."""
_WITH_PICTURES = "xterm-kitty", "xterm-ghostty"
_SIXELS = 4
# What comes in between is shown at once, by those that know of it.
_BEGIN, _END = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"


def words_of(command: Sequence[str] | str) -> list[str]:
    """The words of a command that the user typed. A simple command runs without a shell, because Control-C can end the shell but not the program."""
    if not isinstance(command, str):
        return list(command)
    words = [] if _SHELL.search(command) else command.split()
    return words if words and shutil.which(words[0]) else ["/bin/sh", "-c", command]


class Device(Protocol):
    """Something to draw on."""

    size: tuple[int, int]
    """Columns and rows."""

    def begin(self, heard: Callable[[Event], None], resized: Callable[[], None]) -> None:
        """Tells from now on what the user does."""

    def end(self) -> None:
        """Leaves the terminal as it was."""

    def show(self, canvas: Canvas, theme: Theme) -> None:
        """Shows what is drawn."""

    def copy(self, text: str) -> None:
        """Puts a text into the clipboard."""

    def picture(self, png: bytes, columns: int, rows: int) -> int | None:
        """The number of a picture that the terminal shows from now on; None if it shows none."""

    async def run(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        """Gives a program the terminal until it ends, and `given` as its input. Cancelling ends the program.

        - `wait`: its output stays until a key is pressed. After a failure it always does.
        """

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        """Starts a program that has nothing to do with the terminal: what tells its exit status, None as long as it runs."""


class Tty:
    """The terminal that this process was started in."""

    def __init__(self) -> None:
        self.size = self._measure()
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._unsent, self._is_behind = bytearray(), False
        """Output that the terminal hasn't accepted yet, and whether a newer state waits for it."""
        self._shown: list[list[Cell]] = []
        self._cursor: tuple[int, int] | None = None
        self._decoder = Decoder()
        self._pause: asyncio.TimerHandle | None = None
        self._knows_kitty = "TMUX" not in os.environ and os.environ.get("TERM") in _WITH_PICTURES
        self._knows_sixels = False
        self._pictures: dict[tuple[bytes, int, int, tuple[int, int]], int | None] = {}
        self._strips: dict[int, list[str]] = {}
        """The lines of the pictures that are sixels."""
        self._events: deque[Event | Attributes] = deque()
        self._handing_on = False
        self._is_lent = False
        """Whether another program has the terminal."""
        self._program: int | None = None
        """The group of that program, as long as it runs."""

    def begin(self, heard: Callable[[Event], None], resized: Callable[[], None]) -> None:
        self._heard, self._resized = heard, resized
        self._loop = asyncio.get_running_loop()
        self._modes = termios.tcgetattr(self._in)
        # A separate file description, because non-blocking mode would also affect other users of the standard output.
        try:
            self._sink = os.open(os.ttyname(self._out), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            self._sink = os.dup(self._out)  # The device isn't reachable by its name.
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
        ends = dict.fromkeys((signal.SIGTERM, signal.SIGHUP, signal.SIGINT), lambda: self._heard("ctrl+c"))
        return {
            **ends,
            signal.SIGWINCH: self._on_resize,
            signal.SIGTSTP: self._suspend,
            signal.SIGCONT: self._go_on,
            signal.SIGCHLD: self._on_child,
        }

    def _on_child(self) -> None:
        """Suspends this program if the program that uses the terminal was stopped."""
        with suppress(ChildProcessError):
            if self._program and os.waitid(os.P_PID, self._program, os.WSTOPPED | os.WNOHANG):
                self._suspend()

    def _suspend(self) -> None:
        """Suspends this program and gives the terminal back to the shell."""
        if self._program:
            self._put_in_front(os.getpgrp())
        elif not self._is_lent:
            self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        # Execution continues here, at once if no shell waits.
        self._loop.add_signal_handler(signal.SIGTSTP, self._suspend)
        self._go_on()

    def _go_on(self) -> None:
        """Takes the terminal back after a suspension."""
        if self._program:
            self._put_in_front(self._program)
            self._signal(signal.SIGCONT)
        elif not self._is_lent:
            self._enter()

    def _put_in_front(self, group: int) -> None:
        """Makes a process group the foreground group: it receives the input, Control-C and Control-Z."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        with suppress(OSError):  # The terminal may be gone.
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

    def forget(self) -> None:
        """Has everything drawn anew."""
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
                self._write(sent(png, number, columns, rows))
            elif made := strips(png, columns, rows, cell):
                self._strips[number] = made
            self._pictures[known] = number if self._knows_kitty or number in self._strips else None
        return self._pictures[known]

    async def run(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        self._leave()
        self._is_lent = True
        try:
            status = await self._run(command, given)
            if (wait or status) and status not in (-signal.SIGINT, 128 + signal.SIGINT):
                self._set_raw()  # Where Control-C is a key like any other.
                self._write(f"\r\n[{status}] Enter goes back ")
                await self._typed()
        finally:
            self._is_lent = False
            self._enter()

    async def _run(self, command: Sequence[str] | str, given: str) -> int:
        def begin() -> None:
            # A separate group, so that Control-C ends the program only, not this one and the server.
            if _SEES_STOPS:
                os.setpgid(0, 0)
                self._put_in_front(os.getpid())

        # A file, not a pipe: a pipe can be full, or held open by a process that outlives the program.
        with tempfile.TemporaryFile() as file:
            file.write(given.encode(errors="replace"))
            file.seek(0)
            process = await asyncio.create_subprocess_exec(*words_of(command), stdin=file, preexec_fn=begin)
        self._program = process.pid if _SEES_STOPS else None
        try:
            status = await process.wait()
            if status < 0:
                # A shell that was killed leaves its children running, and they would share the terminal with this program.
                self._signal(signal.SIGTERM)
            return status
        finally:
            if process.returncode is None:
                await self._end_program(process)
            self._program = None
            self._put_in_front(os.getpgrp())

    def _signal(self, end: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            if self._program:
                os.killpg(self._program, end)

    async def _end_program(self, process: asyncio.subprocess.Process) -> None:
        """Ends a program that still runs, and its children."""
        for end in (signal.SIGTERM, signal.SIGKILL):
            self._signal(end) if self._program else process.send_signal(end)
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
                return
            except asyncio.TimeoutError:
                pass

    async def _typed(self) -> None:
        """Waits until something is typed."""
        typed = asyncio.Event()
        self._loop.add_reader(self._in, typed.set)
        try:
            await typed.wait()
        finally:
            self._loop.remove_reader(self._in)
        with suppress(OSError):
            # The first key only closes this prompt.
            said = os.read(self._in, 65536)
            self._hand_on(islice(chain(self._decoder.feed(said), self._decoder.flush()), 1, None))

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        nothing = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True).poll

    def _set_raw(self) -> None:
        with suppress(termios.error):  # The terminal may be gone.
            # What was typed ahead isn't lost.
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
            said = os.read(self._in, 65536)
        except OSError:
            said = b""
        if not said:
            self._loop.remove_reader(self._in)
            self._heard("ctrl+c")
            return
        self._hand_on(self._decoder.feed(said))
        if self._decoder.waits:
            self._pause = self._loop.call_later(PAUSE, self._flush)

    def _flush(self) -> None:
        self._hand_on(self._decoder.flush())

    def _hand_on(self, events: Iterator[Event | Attributes]) -> None:
        """Each event is heard when all that the one before had begun has had its turn: a key may be for a dialog that the one before opens."""
        self._events.extend(events)
        if not self._handing_on:
            self._handing_on = True
            self._next()

    def _next(self) -> None:
        if self._events:
            event = self._events.popleft()
            if isinstance(event, Attributes):
                self._knows_sixels = _SIXELS in event.numbers
                self._resized()
            else:
                self._heard(event)
            self._loop.call_soon(self._next)
        else:
            self._handing_on = False

    def _on_resize(self) -> None:
        self.size = self._measure()
        self.forget()
        self._resized()

    def _line(self, row: list[Cell], theme: Theme) -> str:
        parts, current = [], None
        for x, (text, style) in enumerate(row):
            if self._strips and is_part((text, style)):
                # Where a picture is, nothing else may be written: it would be gone there.
                if first := begun((text, style)):
                    parts.append(self._strip(*first, sum(map(is_part, row[x:]))))
                    current = None
                parts.append("\x1b[C")
                continue
            if style != current:
                parts.append(theme.code(style))
                current = style
            parts.append(text)
        return "".join(parts) + "\x1b[0m"

    def _strip(self, number: int, line: int, cells: int) -> str:
        """A line of a picture in place of so many cells, with the cursor left where it was."""
        made = self._strips[number]
        return f"\x1b[0m\x1b[{cells}X\x1b7{made[line] if line < len(made) else ''}\x1b8"

    def _cell(self) -> tuple[int, int]:
        """How many pixels a cell has, across and down; none where the terminal doesn't say."""
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
        """Writes as much as the terminal accepts now, and the rest later."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._sink, self._unsent)]
        except BlockingIOError:
            self._loop.add_writer(self._sink, self._send)
            return
        except OSError:
            self._unsent.clear()  # The terminal is gone, of which its input tells.
        self._loop.remove_writer(self._sink)
        if self._is_behind:
            self._is_behind = False
            self._resized()

    def _finish(self) -> None:
        """Writes the rest now. If the terminal doesn't accept it within `PATIENCE`, it is dropped."""
        while self._unsent and select.select([], [self._sink], [], PATIENCE)[1]:
            self._send()
        self._unsent.clear()
        self._loop.remove_writer(self._sink)
