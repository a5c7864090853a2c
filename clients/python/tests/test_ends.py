"""How a started server ends, in virtual time, even if other processes hold its streams open."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import PATIENCE, ROOT

ENDING = ROOT / "clients" / "behaviour" / "ending.py"
STREAMS = ("stdin", "stdout", "stderr")
ENDS = ("exit", "input", "SIGTERM", "SIGKILL")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock only a test advances."""

    moved = 0.0

    def time(self) -> float:
        return self.moved


async def move(seconds: float) -> None:
    """Advances the clock, and runs everything that is due."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.moved += seconds
    await asyncio.sleep(0)


def run(test: Any) -> None:
    """Runs a test in virtual time. An alarm ends a test that hangs."""
    signal.alarm(int(PATIENCE))
    loop = VirtualLoop()
    try:
        loop.run_until_complete(test)
    finally:
        loop.close()
        signal.alarm(0)


class Ending:
    """A server that records what it receives."""

    def __init__(self, app: nagare.App, record: asyncio.StreamReader) -> None:
        self.app, self.record = app, record

    async def gets(self, *lines: str) -> None:
        for line in lines:
            assert (await self.record.readline()).decode().strip() == line

    async def is_gone(self) -> None:
        """Checks that no process of the server's session still runs."""
        assert await self.record.read() == b""


@asynccontextmanager
async def ending(folder: Path, shutdown: str, end: str, held: tuple[str, ...] = ()) -> AsyncIterator[Ending]:
    fifo = folder / f"record-{shutdown}-{end}-{'-'.join(held)}"
    os.mkfifo(fifo)
    record = asyncio.StreamReader()
    # Opens both ends, so that opening doesn't block. The writing end is closed when the server has opened its own.
    reading, writing = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), os.open(fifo, os.O_WRONLY)
    protocol = asyncio.StreamReaderProtocol(record)
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(reading, "rb"))
    holder = 0
    try:
        app = nagare.spawn(sys.executable, "-S", ENDING, fifo, shutdown, end, *held, patience=10)
        await app.__aenter__()
        assert await app.screens() == []
        os.close(writing)
        if held:
            holder = int((await record.readline()).split()[1])
        yield Ending(app, record)
    finally:
        if holder:
            with suppress(ProcessLookupError):
                os.kill(holder, signal.SIGKILL)
        pipe.close()


@pytest.mark.parametrize("held", [(), STREAMS], ids=["", "held"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("shutdown", ["answers", "ignores"])
def test_a_server_is_ended_step_by_step(tmp_path: Path, shutdown: str, end: str, held: tuple[str, ...]) -> None:
    async def test() -> None:
        async with ending(tmp_path, shutdown, end, held) as server:
            pending = asyncio.ensure_future(server.app._call("wait", {}))
            await server.gets("wait")
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown")
            if shutdown == "ignores":
                await move(5)
            await server.gets("exit")
            if end != "exit":
                await server.gets("end of input")
            if end in ("SIGTERM", "SIGKILL"):
                await move(10 if shutdown == "answers" else 5)
                await server.gets("SIGTERM")
            if end == "SIGKILL":
                await move(10)
            await closing
            assert server.app.status == (-signal.SIGKILL if end == "SIGKILL" else 0)
            await server.is_gone()
            for call in (pending, server.app.ping()):
                with pytest.raises(nagare.SessionClosed):
                    await call

    run(test())


@pytest.mark.parametrize("held", [(stream,) for stream in STREAMS])
@pytest.mark.parametrize("end", ["exit", "SIGKILL"])
def test_a_stream_held_open_by_another_process_does_not_delay_the_end(tmp_path: Path, end: str, held: tuple[str, ...]) -> None:
    async def test() -> None:
        async with ending(tmp_path, "answers", end, held) as server:
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown", "exit")
            if end == "SIGKILL":
                await server.gets("end of input")
                await move(10)
                await server.gets("SIGTERM")
                await move(10)
            await closing
            await server.is_gone()

    run(test())


@pytest.mark.parametrize("held", [(), ("stdout",), STREAMS])
def test_a_death_is_detected_at_once_and_earlier_output_is_still_read(tmp_path: Path, held: tuple[str, ...]) -> None:
    async def test() -> None:
        async with ending(tmp_path, "answers", "exit", held) as server:
            waiting = asyncio.ensure_future(server.app._call("wait", {}))
            await server.gets("wait")
            with pytest.raises(nagare.ServerDied) as caught:
                await server.app._call("die", {})
            assert caught.value.status == 3
            assert await waiting == {"now": 7}
            with pytest.raises(nagare.ServerDied):
                await server.app.ping()
            await server.app.close()
            assert server.app.status == 3
            await server.is_gone()

    run(test())


def test_output_read_before_a_death_precedes_the_rest_of_the_pipe(tmp_path: Path) -> None:
    """The event loop notices the last output and the death at the same time."""

    async def test() -> None:
        async with ending(tmp_path, "answers", "exit", STREAMS) as server:
            connection = server.app._connection
            assert connection is not None
            waiting = [asyncio.ensure_future(server.app._call("wait", {})) for _ in range(50)]
            await server.gets(*["wait"] * 50)
            connection.notify("die", {})
            with suppress(ChildProcessError):
                os.waitid(os.P_PID, server.app._transport._process.get_pid(), os.WEXITED | os.WNOWAIT)  # type: ignore[union-attr]
            assert await asyncio.gather(*waiting) == [{"now": 7}] * 50
            with pytest.raises(nagare.ServerDied):
                await server.app.ping()

    run(test())


def test_a_cancelled_close_kills_the_server_and_its_children(tmp_path: Path) -> None:
    async def test() -> None:
        async with ending(tmp_path, "ignores", "SIGKILL", STREAMS) as server:
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown")
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            await server.record.read()
            assert server.app.status == -signal.SIGKILL

    run(test())


def test_a_handler_that_ignores_its_cancellation_does_not_delay_the_servers_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with ending(tmp_path, "answers", "exit") as server:
            going = asyncio.Event()

            async def stubborn() -> None:
                while not going.is_set():
                    with suppress(asyncio.CancelledError):
                        await going.wait()

            connection = server.app._connection
            assert connection is not None
            task = asyncio.ensure_future(stubborn())
            connection._handlers.add(task)
            await asyncio.sleep(0)
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown", "exit")
            await server.is_gone()
            while not closing.done():
                await move(1)
            assert server.app.status == 0
            going.set()
            await task

    run(test())


def test_changes_functions_that_ignore_cancellation_delay_the_close_by_the_patience_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with ending(tmp_path, "answers", "exit") as server:
            going = asyncio.Event()

            async def stubborn() -> AsyncGenerator[Any, None]:
                while not going.is_set():
                    with suppress(asyncio.CancelledError):
                        await going.wait()
                for _ in ():
                    yield

            for name in "abcd":
                server.app._sources[name] = source = nagare.Source(lambda key, query, size: nagare.Page([]))
                source.changes(stubborn)
                await source._answer(1, "source/watch", {"source": name}, lambda method, params: None)
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown", "exit")
            await server.is_gone()
            waited = 0
            while not closing.done():
                # Enough rounds of the loop to run everything that is due.
                for _ in range(20):
                    await asyncio.sleep(0)
                if not closing.done():
                    await move(1)
                    waited += 1
            assert waited <= 11
            going.set()
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0)

    run(test())


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_client_that_waits_for_an_answer_does_not_wake_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with ending(tmp_path, "answers", "exit") as server:
            waiting = asyncio.ensure_future(server.app._call("wait", {}))
            await server.gets("wait")
            looking = await asyncio.create_subprocess_exec(sys.executable, Path(__file__).with_name("idle.py"), str(os.getpid()))
            assert await looking.wait() == 0
            closing = asyncio.ensure_future(server.app.close())
            await server.gets("shutdown", "exit")
            await closing
            with pytest.raises(nagare.SessionClosed):
                await waiting

    run(test())


WAYS = {
    "close": [],
    "exit": ["ServerDied"],
    "leave": ["ServerDied"],
    "die": ["ServerDied"],
    "cancel": ["CancelledError"],
    "begin": ["CancelledError"],
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("way", WAYS)
def test_a_client_process_can_end_while_other_processes_hold_the_servers_streams_open(tmp_path: Path, way: str) -> None:
    fifo = tmp_path / "record"
    os.mkfifo(fifo)
    # Opens the FIFO for both directions, so that opening doesn't block.
    with open(os.open(fifo, os.O_RDWR), "rb", buffering=0) as record:
        command = [sys.executable, str(Path(__file__).with_name("held.py")), way]
        server = [sys.executable, "-S", str(ENDING), str(fifo), "answers", "exit", "session", *STREAMS]
        environment = os.environ | {"PYTHONPATH": str(Path(nagare.__file__).parents[1])}
        process = subprocess.Popen([*command, *server], stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        holder = 0
        try:
            written: list[str] = []
            while not written or not written[-1].startswith("["):
                written.append(process.stdout.readline())
                assert written[-1] != "", written
            holder = int(record.read(1 << 16).split()[1])
            before, after = json.loads(written.pop())
            assert after == before
            assert [line.split()[0] for line in written] == WAYS[way]
            assert process.wait() == 0
            os.kill(holder, 0)  # The process that holds the streams is still alive.
        finally:
            process.kill()
            if holder:
                os.kill(holder, signal.SIGKILL)
