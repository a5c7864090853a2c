"""The terminal itself: its modes, and the bytes that go to it."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import os
import select
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
PATIENCE = 1.0
"""Seconds that a program which has the terminal has to end when this one does."""
_WITH_PICTURES = "xterm-kitty", "xterm-ghostty"
_SIXELS = 4
_ENDS = signal.SIGTERM, signal.SIGHUP, signal.SIGINT
# What comes in between is shown at once, by those that know of it.
_BEGIN, _END = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"


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
        """Lets a program have the terminal until it ends, and `given` as its input. One that is cancelled is ended.

        - `wait` has its output stay until Enter is pressed, as that of a program that fails does in any case.
        """

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        """Starts a program that has nothing to do with the terminal: what tells its exit status, None as long as it runs."""


class Tty:
    """The terminal that this process was started in."""

    def __init__(self) -> None:
        self.size = self._measure()
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._shown: list[list[Cell]] = []
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
        self._typed: asyncio.Future[None] | None = None
        """Done when the user has seen what that program has left."""

    def begin(self, heard: Callable[[Event], None], resized: Callable[[], None]) -> None:
        self._heard, self._resized = heard, resized
        self._loop = asyncio.get_running_loop()
        self._modes = termios.tcgetattr(self._in)
        for one, handler in ((signal.SIGWINCH, self._on_resize), (signal.SIGTSTP, self._suspend), (signal.SIGCONT, self._go_on)):
            self._loop.add_signal_handler(one, handler)
        for end in _ENDS:
            self._loop.add_signal_handler(end, self._on_end, end)
        self._enter()

    def end(self) -> None:
        self._leave()
        for one in (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT, *_ENDS):
            self._loop.remove_signal_handler(one)

    def _on_end(self, end: signal.Signals) -> None:
        if not (self._is_lent and end == signal.SIGINT):
            self._heard("ctrl+c")
        else:
            self._see()  # While a program has the terminal, Control-C is for that.

    def _see(self) -> None:
        if self._typed is not None and not self._typed.done():
            self._typed.set_result(None)

    def _suspend(self) -> None:
        """Stops, as the shell wants it. The terminal is the shell's meanwhile."""
        if not self._is_lent:
            self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        # It goes on here: at once, where there is no shell to go back to.
        self._loop.add_signal_handler(signal.SIGTSTP, self._suspend)
        self._go_on()

    def _go_on(self) -> None:
        """Takes the terminal again after it was stopped."""
        if not self._is_lent:
            self._enter()

    def show(self, canvas: Canvas, theme: Theme) -> None:
        parts = []
        for y, row in enumerate(canvas.cells):
            if y >= len(self._shown) or row != self._shown[y]:
                parts.append(f"\x1b[{y + 1};1H{self._line(row, theme)}")
        self._shown = canvas.cells
        if canvas.cursor:
            x, y = canvas.cursor[-1]
            parts.append(f"\x1b[{y + 1};{x + 1}H\x1b[?25h")
        if parts:
            self._write(f"{_BEGIN}{''.join(parts)}{_END}")

    def forget(self) -> None:
        """Has everything drawn anew."""
        self._shown = []

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
            if wait or status:
                self._write(f"\r\n[{status}] Enter goes back ")
                await self._answered()
        finally:
            self._is_lent = False
            self._enter()

    async def _run(self, command: Sequence[str] | str, given: str) -> int:
        # Of a file nobody waits for the other end, as of a pipe that is full, or that something holds which outlives the program.
        with tempfile.TemporaryFile() as file:
            file.write(given.encode(errors="replace"))
            file.seek(0)
            if isinstance(command, str):
                process = await asyncio.create_subprocess_shell(command, stdin=file)
            else:
                process = await asyncio.create_subprocess_exec(*command, stdin=file)
        try:
            return await process.wait()
        finally:
            await self._end_program(process)

    async def _end_program(self, process: asyncio.subprocess.Process) -> None:
        """Ends a program that hasn't ended by itself."""
        with suppress(ProcessLookupError):
            if process.returncode is None:
                process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), PATIENCE)
                except asyncio.TimeoutError:
                    process.kill()

    async def _answered(self) -> None:
        """Waits until a line is typed, or Control-C."""
        self._typed = typed = self._loop.create_future()
        self._loop.add_reader(self._in, self._see)
        try:
            await typed
        finally:
            self._typed = None
            self._loop.remove_reader(self._in)
        with suppress(OSError):
            if select.select([self._in], [], [], 0)[0]:
                os.read(self._in, 1024)

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        nothing = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True).poll

    def _enter(self) -> None:
        with suppress(termios.error):  # The terminal may be gone.
            # What was typed ahead isn't lost.
            tty.setraw(self._in, termios.TCSADRAIN)
        self._write(_ENTER)
        self._loop.add_reader(self._in, self._read)
        self._on_resize()

    def _leave(self) -> None:
        self._loop.remove_reader(self._in)
        self._write(_LEAVE)
        with suppress(termios.error):
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._modes)

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
        data = text.encode("utf-8", "replace")
        while data:
            try:
                data = data[os.write(self._out, data) :]
            except BlockingIOError:
                # Whoever has the other end made it so.
                os.set_blocking(self._out, True)
            except OSError:
                return  # The terminal is gone, of which its input tells.
