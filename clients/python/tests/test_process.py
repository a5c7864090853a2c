"""Server processes: the real server, and fake ones that misbehave."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import nagare
import pytest
from conftest import run

GREETING = """
import json, os, signal, sys, time
def answer(result):
    message = json.loads(sys.stdin.readline())
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
answer({"protocolVersion": "1"})
answer({"screens": []})
"""


def python(program: str, **options: Any) -> nagare.App:
    return nagare.spawn([sys.executable, "-c", program], **options)


async def death(app: nagare.App) -> nagare.ServerDied:
    async with app:
        with pytest.raises(nagare.ServerDied) as caught:
            await app.ping()
        return caught.value


def test_server_died_contains_the_servers_message_about_a_wrong_configuration(nagare_binary: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"screens": {"a": {"viewModel": "lst"}}}')
    error = run(death(nagare.spawn(nagare_binary, "--config", path)))
    assert error.status == 78 and error.command == [nagare_binary, "--config", str(path)]
    assert "ended with status 78:\n" in str(error) and "lst" in str(error)


def test_server_died_contains_the_reason_for_a_crash_before_a_long_backtrace() -> None:
    crash = "App/Main.swift:7: Precondition failed: no account"
    backtrace = "".join(f"{number} 0x1234 main at /src/Main.swift:{number}\n" for number in range(1000))
    error = run(death(python(f"import os, sys; sys.stderr.write({crash!r} + chr(10) + {backtrace!r}); sys.stderr.flush(); os.abort()")))
    assert error.stderr.startswith(crash + "\n\u2026\n") and error.stderr.endswith("Main.swift:999")


def test_server_died_contains_the_last_bytes_of_standard_error() -> None:
    error = run(death(python("import sys; sys.stderr.write('x' * 100000 + 'boom'); sys.exit(3)")))
    assert error.status == 3 and error.stderr.endswith("xboom") and len(error.stderr) == 4096


def test_server_died_names_the_signal() -> None:
    error = run(death(python(GREETING + "os.kill(os.getpid(), signal.SIGTERM)")))
    assert error.status == -signal.SIGTERM and "was ended by SIGTERM" in str(error)


def test_a_server_that_closes_its_output_counts_as_dead() -> None:
    error = run(death(python(GREETING + "os.close(1); time.sleep(60)")))
    assert error.status is None and "closed its standard output" in str(error)


def test_a_child_that_a_dead_server_leaves_running_does_not_hide_its_standard_error() -> None:
    """The child holds the server's standard error open, so the client must not wait for its end."""
    child = "import subprocess; subprocess.Popen(['sleep', '5'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)\n"
    error = run(death(python(GREETING + child + "sys.stderr.write('boom'); sys.exit(4)")))
    assert (error.status, error.stderr) == (4, "boom")


def test_entering_an_app_with_a_missing_program_fails() -> None:
    async def test() -> None:
        with pytest.raises(FileNotFoundError, match="is it in PATH.*no-such-program"):
            async with nagare.spawn("no-such-program"):
                pass

    run(test())
    with pytest.raises(ValueError, match="needs a program"):
        nagare.spawn()


def test_a_server_that_ignores_sigterm_is_killed() -> None:
    async def test() -> None:
        app = python(GREETING + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)", patience=0.05)
        async with app:
            assert await app.screens() == []
        assert app.status == -signal.SIGKILL

    run(test())


def test_a_cancelled_close_leaves_no_process() -> None:
    async def test() -> None:
        app = python(GREETING + "while True: time.sleep(1)", patience=1000)
        await app.__aenter__()
        assert await app.screens() == []
        closing = asyncio.ensure_future(app.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert app.status == -signal.SIGKILL

    run(test())


def test_closing_cancels_a_waiting_task_and_the_server_exits_with_0(nagare_binary: str) -> None:
    """While it ends, the server cancels its request to the client, and exits with 0."""

    async def test() -> None:
        app = nagare.spawn(nagare_binary, "--clock", "virtual")
        cancelled = asyncio.Event()

        @app.present()
        async def wait(task: nagare.Task) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        async with app:
            profile = await app.open("profile")
            await profile.rename.open()
        assert app.status == 0 and cancelled.is_set()

    run(test())


def test_the_servers_log_goes_to_a_logger(nagare_binary: str, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with nagare.spawn(nagare_binary, "--log") as app:
            await app.ping()

    with caplog.at_level("INFO", "nagare.server"):
        run(test())
    assert '"method":"ping"' in caplog.text


def test_an_error_inside_async_with_shuts_the_server_down(nagare_binary: str) -> None:
    async def test() -> None:
        app = nagare.spawn(nagare_binary)
        with pytest.raises(ZeroDivisionError):
            async with app:
                await app.open("items")
                1 / 0
        assert app.status == 0

    run(test())


def test_a_slow_reader_does_not_delay_other_messages(nagare_binary: str) -> None:
    async def test() -> None:
        async with nagare.spawn(nagare_binary, "--clock", "virtual") as app:
            inbox = await app.open("items", pageSize=10, throttle=0)
            slow = inbox.output("items")
            assert len(await anext(slow)) == 0
            inbox.viewWillAppear.send()
            await app.advance(300)
            for _ in range(31):
                inbox.loadMore.send()
                await app.advance(300)
            assert len(inbox.items) == 320 == len(await anext(slow))
            document = await app.discover()
            assert document["openrpc"].startswith("1.3")

    run(test())


def test_a_server_can_be_used_over_a_socket(nagare_binary: str, tmp_path: Path) -> None:
    async def test() -> None:
        path = str(tmp_path / "socket")
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(path)
        listening.listen()
        streams = await asyncio.open_unix_connection(path)
        accepted, _ = listening.accept()
        server = await asyncio.create_subprocess_exec(nagare_binary, stdin=accepted.fileno(), stdout=accepted.fileno())
        for end in (listening, accepted):
            end.close()
        async with nagare.connect(*streams) as app:
            inbox = await app.open("items")
            await inbox.viewWillAppear()
            assert await inbox.until(lambda view: len(view.items)) == 20
        assert app.status is None
        assert await server.wait() == 0

    run(test())
