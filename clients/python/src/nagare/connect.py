"""Ways to a server: a process of one's own, or any pair of streams."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from io import FileIO


from .app import App
from .connection import Reader, Writer
from .errors import NagareError, ServerDied
from .sources import PageFunction, Source
from .tasks import Handler
from .transport import Transport

log = logging.getLogger("nagare.server")

TAIL = 4096
"""How many bytes of a server's standard error are kept for the error that tells of its end."""

LAST_WORDS = 1.0
"""Seconds that a server which has closed its output has to end before it is ended."""


def spawn(
    *command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    present: Mapping[str, Handler] | Handler | None = None,
    sources: Mapping[str, Source | PageFunction] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    patience: float = 3.0,
) -> App:
    """An app on a server that is started for it: `async with nagare.spawn("nagare") as app:`.

    `command` is the program and its arguments, one by one or as one list. `present` and `sources` are as `App.present` and
    `App.source` would have them. `patience` is how many seconds the server has to end when the app is closed.

    Entering raises `OSError` if the program can't be started.
    """
    words: list[str] = []
    for part in command:
        words += [os.fspath(word) for word in ([part] if isinstance(part, (str, os.PathLike)) else part)]
    if not words:
        raise ValueError("spawn needs a program to start")

    async def start() -> Transport:
        # A pipe of our own, for what the server leaves running may hold it, and asyncio waits for the end of its pipes.
        ours, theirs = os.pipe()
        stderr = os.fdopen(ours, "rb", buffering=0)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=theirs,
                cwd=cwd,
                env=env,
                limit=1 << 20,
            )
        except FileNotFoundError as error:
            stderr.close()
            if error.filename == words[0] and os.path.basename(words[0]) == words[0]:
                error.strerror = "no such program: is it in PATH? Name it by its path otherwise"
            raise
        except BaseException:
            stderr.close()
            raise
        finally:
            os.close(theirs)
        return _Process(words, process, stderr)

    return App(start, present=present, sources=sources, patience=patience)


def connect(
    reader: Reader,
    writer: Writer,
    *,
    present: Mapping[str, Handler] | Handler | None = None,
    sources: Mapping[str, Source | PageFunction] | None = None,
    patience: float = 3.0,
) -> App:
    """An app on a server that is there already, over a pair of asyncio's streams or what is like them.

        async with nagare.connect(*await asyncio.open_unix_connection("nagare.sock")) as app:
    """

    async def start() -> Transport:
        return _Streams(reader, writer)

    return App(start, present=present, sources=sources, patience=patience)


class _Streams:
    """A connection that somebody else has made."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self.reader, self.writer = reader, writer

    async def diagnose(self) -> Callable[[], NagareError]:
        return lambda: ServerDied([], None, "")

    async def end(self, patience: float) -> int | None:
        return None


class _Process:
    """A server that was started here, and ends with the app."""

    def __init__(self, command: list[str], process: asyncio.subprocess.Process, stderr: FileIO) -> None:
        assert process.stdin is not None and process.stdout is not None  # Both are pipes.
        self.reader: Reader = process.stdout
        self.writer: Writer = process.stdin
        self._command, self._process = command, process
        self._tail = b""
        self._listening = asyncio.ensure_future(self._listen(stderr))

    async def diagnose(self) -> Callable[[], NagareError]:
        """Why the output has ended."""
        silent = not await self._ends_within(LAST_WORDS)
        if silent:
            await self._kill()
        # Whatever the server has started may hold its standard error open.
        await asyncio.wait({self._listening}, timeout=LAST_WORDS)
        status = None if silent else self._process.returncode
        tail = self._tail.decode("utf-8", "replace").strip()
        return lambda: ServerDied(self._command, status, tail)

    async def end(self, patience: float) -> int | None:
        """Waits until the process has ended, and ends it if it doesn't: its exit status."""
        try:
            if not await self._ends_within(patience):
                await self._kill()
            await asyncio.wait({self._listening}, timeout=LAST_WORDS)
        except asyncio.CancelledError:
            await self._kill()
            raise
        finally:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        return self._process.returncode

    async def _ends_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except asyncio.TimeoutError:
            return False
        return True

    async def _kill(self) -> None:
        try:
            self._process.kill()
        except ProcessLookupError:
            pass  # It has ended by itself.
        await self._process.wait()

    async def _listen(self, stderr: FileIO) -> None:
        """Keeps the last that is said, and logs whole lines."""
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, stderr)
        begun = b""
        try:
            while piece := await reader.read(TAIL):
                self._tail = (self._tail + piece)[-TAIL:]
                *lines, begun = (begun + piece).split(b"\n")
                for line in lines:
                    log.info("%s", line.decode("utf-8", "replace"))
        finally:
            transport.close()
