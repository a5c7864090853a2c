"""Programs that use the terminal, stopped programs, and terminals that accept no output. None of them blocks this program or its server."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shlex
import signal
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from conftest import PATIENCE, SOURCES, run, user
from nagare_terminal import picture
from nagare_terminal.dialogs import Prompt, Trouble
from odd import ESCAPES
from test_command import terminal
from test_places import load
from test_tasks import kill_server

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 16, 16) + bytes(20)
WAITS = {"x86_64": {"232": 3, "281": 3}, "aarch64": {"22": 3}}
"""The numbers of the system calls in which the event loop waits, and the index of their timeout argument."""


@pytest.fixture
def one(tmp_path: Path) -> list[str]:
    """Returns the options for a list of one item that is larger than a pipe's buffer."""
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": 1, "title": "検索画面", "text": "本文" * 100_000}) + "\n")
    return ["--file", str(tmp_path / "rows.jsonl")]


def until(condition: Callable[[], Any]) -> None:
    """Waits until a condition that depends on another process is true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def hand_to(spawned: Any, command: str, shown: str = "検索画面") -> None:
    """Waits until the item is shown, and pipes it to a command."""
    spawned.expect(shown)
    spawned.send("|")
    spawned.expect("A command that receives the item")
    spawned.send(f"{command}\r")


def servers(process: int) -> list[int]:
    """Returns the child processes of a process."""
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_gone(process: int) -> bool:
    """Whether a process has ended, even if its parent hasn't reaped it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_program_that_reads_nothing_does_not_block(nagare_binary: str, one: list[str], tmp_path: Path) -> None:
    with terminal(*one, NAGARE=nagare_binary) as spawned:
        hand_to(spawned, "true")
        spawned.expect_exact("[0] Enter goes back")
        spawned.send("\r")
        # The background process keeps the command's input, output and errors open.
        hand_to(spawned, f"sleep 600 <&0 & echo $! > {tmp_path}/left; exit 7")
        spawned.expect_exact("[7] Enter goes back")
        spawned.send("\x03")  # Control-C is an ordinary key here.
        spawned.expect("検索画面")
        os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL)
        spawned.send("q")


@pytest.mark.parametrize("command", ["sleep 600", "echo begun; sleep 600; echo never"])
def test_control_c_ends_only_the_program_that_uses_the_terminal(nagare_binary: str, one: list[str], command: str) -> None:
    with terminal(*one, NAGARE=nagare_binary) as spawned:
        hand_to(spawned, command)
        spawned.expect_exact("\x1b[?1049l")
        until(lambda: os.tcgetpgrp(spawned.child_fd) != os.getpgid(spawned.pid))
        spawned.send("\x03")
        spawned.expect("検索画面")
        spawned.send("r?")  # The server still answers.
        spawned.expect("Keys.*Copy")
        spawned.send("\x1b")
        spawned.expect("Open.*Find")
        spawned.send("q")


def test_a_missing_program_is_an_error(nagare_binary: str, one: list[str]) -> None:
    with terminal(*one, NAGARE=nagare_binary, PAGER="/nowhere/less") as spawned:
        spawned.expect("検索画面")
        spawned.send("v")
        spawned.expect_exact("[127] Enter goes back")
        spawned.send("\rq")


@pytest.mark.parametrize("end", ["SIGTERM", "SIGHUP", "the terminal goes"])
def test_quitting_ends_the_program_that_uses_the_terminal(nagare_binary: str, one: list[str], tmp_path: Path, end: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm", "NAGARE": nagare_binary}
    process, glass = pty.fork()
    if process == 0:
        os.execve(sys.executable, [sys.executable, "-m", "nagare_terminal", *one], environment)
    seen = b""

    def sees(text: str) -> None:
        nonlocal seen
        while text.encode() not in seen:
            seen += os.read(glass, 65536)
        seen = b""

    sees("検索画面")
    os.write(glass, b"|")
    sees("A command that receives the item")
    stubborn = f"trap '' TERM HUP; echo $$ > {tmp_path}/program; echo be''gun; while :; do sleep 600; done"
    os.write(glass, stubborn.encode() + b"\r")
    sees("begun")
    server = next(one for one in servers(process) if os.getsid(one) == one)
    if end == "the terminal goes":
        os.close(glass)
    else:
        os.kill(process, signal.Signals[end])
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert is_gone(int((tmp_path / "program").read_text())) and is_gone(server)


def test_control_z_suspends_and_the_shell_resumes(nagare_binary: str, one: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm", "NAGARE": nagare_binary, "PS1": "$ "}
    command = shlex.join([sys.executable, "-m", "nagare_terminal", *one])
    with pexpect.spawn("bash", ["--norc", "-i"], env=environment, dimensions=(24, 80), encoding="utf-8", timeout=30) as spawned:
        spawned.sendline(f"sh -c 'echo $$ > {tmp_path}/process; exec \"$@\"' - {command}")
        spawned.expect("検索画面")
        process = int((tmp_path / "process").read_text())
        os.kill(process, signal.SIGTSTP)
        spawned.expect_exact("\x1b[?1049l")
        spawned.expect("Stopped")
        spawned.sendline("stty -a; fg")
        spawned.expect(" icanon ")  # The shell has restored its terminal mode.
        hand_to(spawned, "sleep 600")
        until(lambda: os.tcgetpgrp(spawned.child_fd) != process)
        spawned.setwinsize(12, 50)
        spawned.send("\x1a")
        spawned.expect("Stopped")
        assert "検索画面" not in spawned.before, "nothing is drawn over the program"
        spawned.sendline("fg")
        until(lambda: os.tcgetpgrp(spawned.child_fd) not in (process, spawned.pid))
        spawned.send("\x03")
        spawned.expect_exact("\x1b[12;1H")  # The last line of the resized terminal.
        spawned.send("q")
        spawned.expect_exact("$ ")
        spawned.sendline("exit")
        spawned.expect(pexpect.EOF)


def test_control_z_suspends_all_programs_of_the_job(nagare_binary: str, one: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm", "NAGARE": nagare_binary, "PS1": "$ "}
    (tmp_path / "Makefile").write_text(f"all:\n\t@{shlex.join([sys.executable, '-m', 'nagare_terminal', *one])}\n")
    with pexpect.spawn("bash", ["--norc", "-i"], env=environment, dimensions=(24, 80), encoding="utf-8", timeout=30) as spawned:
        # The shell waits for `make`, not for the terminal frontend.
        spawned.sendline(f"make -f {tmp_path}/Makefile")
        for keys in ("\x1a", "/\x1a"):
            spawned.expect("検索画面")
            spawned.send(keys)
            spawned.expect_exact("\x1b[?1049l")
            spawned.expect("Stopped")
            spawned.sendline("stty -a; fg")
            spawned.expect(" icanon ")  # The shell has restored its terminal mode.
            spawned.expect_exact("\x1b[?1049h")
        spawned.expect("End search")
        spawned.send("\x1b")
        spawned.expect("Open.*Find")
        spawned.send("q")
        spawned.expect_exact("\x1b[?1049l")
        spawned.expect_exact("$ ")
        spawned.sendline("exit")
        spawned.expect(pexpect.EOF)


def test_the_end_of_the_server_is_reported_after_the_program(nagare_binary: str, one: list[str]) -> None:
    with terminal(*one, NAGARE=nagare_binary) as spawned:
        hand_to(spawned, "echo be''gun; read key < /dev/tty")
        spawned.expect("begun")
        server = next(one for one in servers(spawned.pid) if os.getsid(one) == one)
        os.kill(server, signal.SIGKILL)
        until(lambda: is_gone(server))
        spawned.send("\r")
        spawned.expect_exact("[0] Enter goes back")
        assert "gone" not in spawned.before
        spawned.send("\r")
        spawned.expect("The server has ended")
        spawned.send("q")


def test_a_dialog_of_a_dead_server_leaves_no_task_waiting() -> None:
    async def test() -> None:
        async with user() as me:
            await load(me, 1)
            await me.press("|")
            assert isinstance(me.terminal.top, Prompt)
            kill_server(me)
            await me.until(lambda: isinstance(me.terminal.top, Trouble))
            await me.press("enter")
            await load(me, 1)
            assert not me.terminal._tasks, "the task that waited for the dialog has ended"

    run(test())


def test_a_picture_is_omitted_if_its_converter_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "img2sixel"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(picture, "_PATIENCE", 0.1)
    for does in (f"echo $$ > {tmp_path}/left; exec sleep 600", f"sleep 600 & echo $! > {tmp_path}/left", "printf '\\377'", "exit 3"):
        program.write_text(f"#!/bin/sh\n{does}\n")
        program.chmod(0o755)
        assert picture.sixel_lines(PNG, 4, 2, (8, 16)) == []
    with suppress(ProcessLookupError):
        os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL)


def waits_for_ever(process: int) -> bool:
    """Whether a process waits without a timeout."""
    waits = WAITS[os.uname().machine]
    number, *arguments = Path(f"/proc/{process}/syscall").read_text().split()
    return number in waits and int(arguments[waits[number]], 16) & 0xFFFFFFFF == 0xFFFFFFFF


@pytest.mark.skipif(os.uname().machine not in WAITS, reason="the numbers of the system calls are of these machines")
@pytest.mark.parametrize("keys, shown", [("", ""), ("?", "Keys.*Copy"), ("|", "receives the item"), ("|sleep 600\r", r"1049l")])
def test_the_program_does_not_wake_up_while_idle(nagare_binary: str, one: list[str], keys: str, shown: str) -> None:
    with terminal(*one, NAGARE=nagare_binary) as spawned:
        spawned.expect("検索画面")
        if keys:
            spawned.send(keys)
            spawned.expect(shown)
        until(lambda: waits_for_ever(spawned.pid))
        spawned.kill(signal.SIGTERM)


@pytest.mark.parametrize("end", ["SIGTERM", "q"])
def test_a_terminal_that_reads_nothing_does_not_block(nagare_binary: str, tmp_path: Path, end: str) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({"id": n, "title": f"行 {n}", "text": "本文" * 40}) + "\n" for n in range(200)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm", "NAGARE": nagare_binary}
    process, glass = pty.fork()
    if process == 0:
        os.execve(sys.executable, [sys.executable, "-m", "nagare_terminal", "--file", str(tmp_path / "rows.jsonl")], environment)
    seen = b""
    while "行 3".encode() not in seen:
        seen += os.read(glass, 65536)
    server = servers(process)[0]
    os.write(glass, b"\x1b[6~" * 10 + b"\x1b[5~" * 10)
    for _ in range(20):
        os.write(glass, b"\x1b[6~" * 10 + b"\x1b[5~" * 10)
    if end == "q":
        os.write(glass, b"q")
    else:
        os.kill(process, signal.SIGTERM)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0 and is_gone(server)
    os.close(glass)


def test_no_control_character_of_an_item_reaches_the_terminal(nagare_binary: str, tmp_path: Path) -> None:
    items = [{"id": 1, "title": f"検索{ESCAPES}画面", "text": f"本文{ESCAPES}", "body": f"<p>&#x9d;2J&#27;[31m{ESCAPES}"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    display = {"body": {"member": "body", "format": "html"}}
    (tmp_path / "nagare.json").write_text(
        json.dumps(
            {"sources": {"file": {"type": "file", "path": "rows.jsonl"}}, "screens": {"rows": {"viewModel": "list", "source": "file", "display": display}}}
        )
    )
    written = io.StringIO()
    with terminal("--config", str(tmp_path / "nagare.json"), NAGARE=nagare_binary, PAGER="cat") as spawned:
        spawned.logfile_read = written
        spawned.expect("検索")
        spawned.send("\r")
        spawned.expect("本文")
        spawned.send("v")
        spawned.expect("本文")
        hand_to(spawned, "cat", shown="検索")
        spawned.expect_exact("[0] Enter goes back")
        spawned.send("\r")
        spawned.send("q")
    own = re.compile(r"\x1b(\[(0;[\d;]*m|0m|\d+;\d+H|\?\d+[hl]|c|C)|\]11;\?\x1b\\)|[\r\n]")
    rest = own.sub("", written.getvalue())
    assert "検索" in rest and re.findall(".{0,40}[\x00-\x1f\x7f-\x9f].{0,40}", rest) == []
