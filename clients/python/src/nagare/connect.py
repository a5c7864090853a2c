"""Connections to a server: a new process, or any pair of streams."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import cast

from .app import App
from .connection import Reader, Writer
from .errors import NagareError, ServerDied
from .source_functions import PageFunction
from .sources import Source
from .tasks import Handler
from .transport import Transport

log = logging.getLogger("nagare.server")

TAIL_SIZE = 4096
"""The number of bytes at the end of a server's standard error that `ServerDied` contains."""

CRASH = re.compile(rb"\b(?:Fatal error|Precondition failed|Assertion failed|panicked at)\b")
"""Finds the line with the reason for a crash. A backtrace longer than `TAIL_SIZE` may follow it."""

PIPE_SIZE = 1 << 20
"""The maximum size of a pipe in bytes, unless root has raised the limit."""

END_TIMEOUT = 1.0
"""Seconds to wait for a server to end after it closed its output, and the same again after SIGTERM."""


def spawn(
    *command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    present: Mapping[str, Handler] | Handler | None = None,
    sources: Mapping[str, Source | PageFunction] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    patience: float = 3.0,
) -> App:
    """Returns an app whose server starts when the app is entered: `async with nagare.spawn("nagare") as app:`.

    - `command` is the program and its arguments, separate or in one list.
    - For `present` and `sources` see `App.present` and `App.source`.
    - When the app is closed, the server has `patience` seconds to end. Then it gets SIGTERM, and after as many seconds
      SIGKILL.
    - The server runs in a new operating system session, so terminal signals such as Ctrl-C don't reach it. When it has
      ended, the remaining processes of that session are killed.

    Entering raises `OSError` if the program can't be started.
    """
    words: list[str] = []
    for part in command:
        words += [os.fspath(word) for word in ([part] if isinstance(part, (str, os.PathLike)) else part)]
    if not words:
        raise ValueError("spawn needs a program to start")

    async def start() -> Transport:
        return await start_process(words, cwd=cwd, env=env)

    return App(start, present=present, sources=sources, patience=patience)


async def start_process(
    words: list[str], *, cwd: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None
) -> Transport:
    """Starts a server and returns the transport to it. The lines of its standard error go to the logger `nagare.server`.

    Raises `OSError` if the program can't be started.
    """
    try:
        _, protocol = await asyncio.get_running_loop().subprocess_exec(
            _Protocol,
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        if error.filename == words[0] and os.path.basename(words[0]) == words[0]:
            error.strerror = "no such program: is it in PATH? Name it by its path otherwise"
        raise
    return _Process(words, protocol)


def connect(
    reader: Reader,
    writer: Writer,
    *,
    present: Mapping[str, Handler] | Handler | None = None,
    sources: Mapping[str, Source | PageFunction] | None = None,
    patience: float = 3.0,
) -> App:
    """Returns an app for a running server, over a pair of asyncio streams or similar ones.

        async with nagare.connect(*await asyncio.open_unix_connection("nagare.sock")) as app:
    """

    async def start() -> Transport:
        return _Streams(reader, writer)

    return App(start, present=present, sources=sources, patience=patience)


class _Streams:
    """The transport over streams that the caller opened."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self.reader, self.writer = reader, writer

    async def diagnose(self) -> Callable[[], NagareError]:
        return lambda: ServerDied([], None, "")

    async def end(self, patience: float, more: float) -> int | None:
        return None


class _Protocol(asyncio.subprocess.SubprocessStreamProtocol):
    """Reports the end of the process itself. The end of its pipes may come later, because its children can hold them open."""

    def __init__(self) -> None:
        super().__init__(limit=PIPE_SIZE, loop=asyncio.get_running_loop())
        self.exited = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.process = cast(asyncio.SubprocessTransport, transport)

    def process_exited(self) -> None:
        super().process_exited()
        _kill_session(self.process.get_pid())
        for number in (1, 2):
            if pipe := self._open_pipe(number):
                pipe.pause_reading()
        # Output that asyncio has read already must reach the readers first.
        asyncio.get_running_loop().call_soon(self._drain)

    def _drain(self) -> None:
        for number, reader in ((1, self.stdout), (2, self.stderr)):
            if reader is not None and (pipe := self._open_pipe(number)):
                pipe.pause_reading()
                _feed(reader, pipe)
                pipe.close()
        stdin = self.process.get_pipe_transport(0)
        if isinstance(stdin, asyncio.WriteTransport) and (stdin.get_write_buffer_size() or not stdin.is_closing()):
            stdin.abort()
        self.exited.set()

    def _open_pipe(self, number: int) -> asyncio.ReadTransport | None:
        """Returns a pipe if it is still open for reading."""
        pipe = self.process.get_pipe_transport(number)
        return pipe if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing() else None


def _feed(reader: asyncio.StreamReader, pipe: asyncio.ReadTransport) -> None:
    """Passes the rest of a pipe's content to a reader, and then the end of input."""
    try:
        # PIPE_SIZE is the pipe's maximum size, so one read returns everything.
        if rest := os.read(pipe.get_extra_info("pipe").fileno(), PIPE_SIZE):
            reader.feed_data(rest)
    except BlockingIOError:
        pass  # The pipe is empty, and another process holds the other end.
    reader.feed_eof()


def _kill_session(leader: int) -> None:
    """Kills the remaining processes of an operating system session: the leader's process group and, on Linux, other groups."""
    with suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        with suppress(OSError):
            if entry.isdigit() and os.getsid(int(entry)) == leader:
                os.kill(int(entry), signal.SIGKILL)


class _Process:
    """The transport to a server process in a new operating system session."""

    def __init__(self, command: list[str], protocol: _Protocol) -> None:
        assert protocol.stdin is not None and protocol.stdout is not None and protocol.stderr is not None  # All three are pipes.
        self.reader: Reader = protocol.stdout
        self.writer: Writer = protocol.stdin
        self._command, self._protocol, self._process = command, protocol, protocol.process
        self._tail, self._reason = b"", b""
        self._reading_stderr = asyncio.ensure_future(self._read_stderr(protocol.stderr))

    async def diagnose(self) -> Callable[[], NagareError]:
        """Waits for the process to end, and returns the error that explains why its output ended."""
        silent = not await self._ends_within(END_TIMEOUT)
        if silent:
            await self.end(0, END_TIMEOUT)
        await self._reading_stderr
        status = None if silent else self._process.get_returncode()
        tail_bytes = self._tail
        if self._reason and self._reason not in tail_bytes:
            # A long backtrace followed the line with the reason for the crash.
            tail_bytes = self._reason + b"\n\xe2\x80\xa6\n" + tail_bytes
        tail = tail_bytes.decode("utf-8", "replace").strip()
        return lambda: ServerDied(self._command, status, tail)

    async def end(self, patience: float, more: float) -> int | None:
        try:
            if not await self._ends_within(patience):
                if more:
                    self._signal(signal.SIGTERM)
                if not more or not await self._ends_within(more):
                    self._signal(signal.SIGKILL)
                    await self._protocol.exited.wait()
        except asyncio.CancelledError:
            self._signal(signal.SIGKILL)
            await self._protocol.exited.wait()
            raise
        await self._reading_stderr
        return self._process.get_returncode()

    async def _ends_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._protocol.exited.wait(), seconds)
        except asyncio.TimeoutError:
            return False
        return True

    def _signal(self, number: int) -> None:
        """Sends a signal to the server's process group."""
        if self._process.get_returncode() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.get_pid(), number)

    async def _read_stderr(self, stderr: asyncio.StreamReader) -> None:
        """Logs each line of standard error, and keeps the last bytes for `ServerDied`."""
        begun = b""
        while piece := await stderr.read(TAIL_SIZE):
            self._tail = (self._tail + piece)[-TAIL_SIZE:]
            *lines, begun = (begun + piece).split(b"\n")
            for line in lines:
                if CRASH.search(line):
                    self._reason = line[:TAIL_SIZE]
                log.info("%s", line.decode("utf-8", "replace"))
