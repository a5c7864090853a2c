"""Connects a page's WebSocket to a program that is started for it: each message of the socket is a line of the program's."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web

CHUNK = 1 << 16
"""Bytes that are read at once. About twice as many are read ahead."""


@dataclass(frozen=True)
class Limits:
    message: int = 16 << 20
    """Bytes that a message may have, in either direction."""
    patience: float = 5.0
    """Seconds that the program has to finish after the end of its input, and the page to receive the last messages."""
    unread: float = 60.0
    """Seconds after which a program that doesn't read its input is ended. Without this limit, it would never be noticed that its page is closed:
    the page's messages that it hasn't read are ahead of the page's end."""


class Program(SubprocessStreamProtocol):
    """The program's input and output, and its end. The end is noticed even if other processes still have the output open."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader

    def __init__(self) -> None:
        super().__init__(limit=CHUNK, loop=asyncio.get_running_loop())
        self.ended = asyncio.Event()

    def process_exited(self) -> None:
        super().process_exited()
        self.ended.set()


class MessageTooLong(Exception):
    """The program has sent a message that is longer than the limit."""


Reason = tuple[int, str]
"""Why a socket is closed: the code, and a text that the page shows."""


async def bridge(request: web.Request, page: web.WebSocketResponse, command: Sequence[str], stopping: asyncio.Event, limits: Limits) -> None:
    """Starts a program for a page, and returns when both are closed.

    While one side doesn't read, no more than a few messages are read from the other side. So the memory that a page needs is limited. The program is in a separate session, so that Control-C doesn't reach it: it gets the end of its input instead.
    """
    name = Path(command[0]).name
    loop = asyncio.get_running_loop()
    try:
        transport, program = await loop.subprocess_exec(Program, *command, stdin=PIPE, stdout=PIPE, stderr=None, start_new_session=True)
    except OSError as error:
        await close(request, page, (WSCloseCode.INTERNAL_ERROR, f"Can't start {name}: {error.strerror}."), limits)
        return
    sending = loop.create_task(send(page, program, name, limits))
    receiving = loop.create_task(receive(program, page, name, limits))
    ended, stopped = loop.create_task(program.ended.wait()), loop.create_task(stopping.wait())
    tasks = [sending, receiving, ended, stopped]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        reason = next((task.result() for task in (sending, receiving) if task.done() and task.result()), None)
        if stopped.done():
            reason = WSCloseCode.GOING_AWAY, "The web server was stopped."
        if reason is None:
            # The end of its output or input is noticed a little before its own.
            await asyncio.wait([ended], timeout=limits.patience)
            await asyncio.wait([receiving], timeout=limits.patience)
            reason = obituary(name, transport.get_returncode())
        await close(request, page, reason, limits)
        sending.cancel()
        program.stdin.close()
        await end(transport, ended, limits.patience)
    finally:
        if transport.get_returncode() is None:
            signal_group(transport, signal.SIGKILL)
        transport.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def send(page: web.WebSocketResponse, program: Program, name: str, limits: Limits) -> Reason | None:
    """Sends the page's messages to the program. Returns why this ended, or None if the program no longer reads them."""
    async for message in page:
        if message.type is WSMsgType.BINARY:
            return WSCloseCode.UNSUPPORTED_DATA, "Messages must be text."
        if message.type is not WSMsgType.TEXT:
            break
        # Outside of strings, a line break in JSON is a space.
        program.stdin.write(message.data.replace("\n", " ").encode() + b"\n")
        try:
            await asyncio.wait_for(program.stdin.drain(), limits.unread)
        except ConnectionError:
            return None
        except asyncio.TimeoutError:
            return WSCloseCode.INTERNAL_ERROR, f"{name} didn't read its input for {limits.unread:g} s."
    return WSCloseCode.OK, ""


async def receive(program: Program, page: web.WebSocketResponse, name: str, limits: Limits) -> Reason | None:
    """Sends the program's lines to the page, until the program closes its output. After the page is closed, drops them, so that the
    program can finish. Returns a reason if a line is too long."""
    try:
        async for line in read_lines(program.stdout, limits.message):
            if line and not page.closed:
                with suppress(ConnectionError):
                    await page.send_str(line.decode(errors="replace"))
    except MessageTooLong:
        return WSCloseCode.MESSAGE_TOO_BIG, f"{name} sent a message of more than {limits.message >> 20} MiB."
    return None


async def read_lines(stream: asyncio.StreamReader, longest: int) -> AsyncIterator[bytes]:
    parts: list[bytes] = []
    length = 0
    while chunk := await stream.read(CHUNK):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            if length + len(line) > longest:
                raise MessageTooLong
            yield b"".join([*parts, line])
            parts, length = [], 0
        parts.append(rest)
        length += len(rest)
        if length > longest:
            raise MessageTooLong


async def close(request: web.Request, page: web.WebSocketResponse, reason: Reason, limits: Limits) -> None:
    """Closes the socket. The text may have 123 bytes. A page that doesn't react is disconnected."""
    code, text = reason
    closing = asyncio.ensure_future(page.close(code=code, message=text.encode()[:123]))
    await asyncio.wait([closing], timeout=limits.patience)
    if not closing.done():
        closing.cancel()
        if request.transport is not None:
            request.transport.abort()


async def end(transport: asyncio.SubprocessTransport, ended: asyncio.Task[bool], patience: float) -> None:
    """Waits until the program has ended, and ends it with its children if it doesn't by itself."""
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 1.0)):
        await asyncio.wait([ended], timeout=seconds)
        if ended.done():
            return
        signal_group(transport, number)
    await asyncio.wait([ended], timeout=patience)


def signal_group(transport: asyncio.SubprocessTransport, number: int) -> None:
    """Sends a signal to the program and its children."""
    with suppress(OSError):
        os.killpg(transport.get_pid(), number)


def obituary(name: str, status: int | None) -> Reason:
    """Returns the reason for closing the socket after a program's end."""
    if status is None:
        return WSCloseCode.INTERNAL_ERROR, f"{name} closed its input or output."
    if status == 0:
        return WSCloseCode.OK, f"{name} has ended."
    return WSCloseCode.INTERNAL_ERROR, f"{name} ended with status {status}." if status > 0 else f"{name} was ended by signal {-status}."
