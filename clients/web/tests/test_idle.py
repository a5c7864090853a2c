"""Idle pages run no timers and frames, idle servers only wait, and all processes end."""

from __future__ import annotations

import os
import platform
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Serve
from serving import Site, binary
from test_live import mailbox  # noqa: F401
from user import GRACE, PATIENCE, User

RUNNING = """async () => {
  const ask = requestAnimationFrame;
  let frames = 0;
  window.requestAnimationFrame = (call) => ((frames += 1), ask(call));
  for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => ask(resolve));
  window.requestAnimationFrame = ask;
  const timers = [...clock.waiting.values()].map(({ milliseconds, again }) => [milliseconds, again]);
  const animations = document.getAnimations().filter(({ playState }) => playState === "running").map(({ animationName, effect }) => animationName ?? effect.target.className);
  return { frames, timers, animations };
}"""
"""Returns the callbacks that were requested within ten frames, and the waiting timers."""
NOTHING = {"frames": 0, "timers": [], "animations": []}
LONG_ENOUGH = 60_000
"""Milliseconds of the page's time after which all one-time timers have fired."""


def rests(me: User) -> None:
    def is_at_rest() -> bool:
        # Answers of the server may come after this and start timers.
        me.let_pass(LONG_ENOUGH)
        return bool(me.run(RUNNING) == NOTHING)

    me.until(is_at_rest)


def test_an_idle_page_runs_no_timers_and_frames(me: User, demo: Site) -> None:
    me.open(demo.url, motion=True)
    me.load()
    rests(me)
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    rests(me)
    me.press("ARROW_RIGHT")
    me.see(".panel:not([inert]) article h2", "Your invoice")
    me.press("e")
    me.see(".toast")
    me.advance(GRACE)
    me.gone(".toast")
    rests(me)
    me.press("ESCAPE")
    me.gone(".detail")
    me.scroll(".screen:not([hidden]) .scroller", 500)
    rests(me)
    for screen, sign in (("Articles", ".row-title"), ("Genres", ".choice"), ("Offers", ".row-title"), ("Profile", ".choice")):
        me.go(screen)
        me.load()
        me.see(sign)
        rests(me)
    me.press(":")
    me.see("dialog.palette")
    rests(me)


def test_a_live_list_without_changes_runs_no_timers_and_frames(me: User, mailbox: Callable[..., str]) -> None:  # noqa: F811
    me.open(mailbox(), motion=True)
    me.see(".row-title", "Mail 1")
    me.press("e")
    me.see(".toast")
    rests(me)
    me.see(".toast")
    me.advance(GRACE)
    me.gone(".toast")


def test_a_disconnected_page_waits_only_for_the_next_attempt(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url, motion=True)
    me.load()
    site.kill()
    me.see(".banner", "Trying again in")
    running = me.run(RUNNING)
    assert (running["frames"], running["animations"]) == (0, [])
    # The countdown repeats. The next attempt and saving the position each have one timer.
    assert [again for _, again in running["timers"]].count(True) == 1 and len(running["timers"]) <= 3


def family(process: int) -> list[int]:
    """Returns a process and its descendants."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    threads = [text for task in Path(f"/proc/{process}/task").iterdir() for text in (task / "children").read_text().split()]
    return [process, *(one for child in {*children, *threads} for one in family(int(child)))]


def name(process: int) -> str:
    return os.path.basename(os.readlink(f"/proc/{process}/exe"))


PYTHON = os.path.basename(os.path.realpath(sys.executable))
FOR_EVER = (1 << 64) - 1, (1 << 32) - 1
"""-1 as an unsigned register value."""


def waits(process: int) -> bool:
    """Whether all threads of a process wait for other processes, without a timeout."""
    for task in Path(f"/proc/{process}/task").iterdir():
        number, *arguments = (task / "syscall").read_text().split()
        if number == "running":
            return False
        values = [int(argument, 16) for argument in arguments]
        match int(number):
            case 7:  # poll
                if values[2] not in FOR_EVER:
                    return False
            case 232 | 281:  # epoll_wait, epoll_pwait. The web server closes unused connections after more than a minute.
                if values[3] not in FOR_EVER and (name(process) != PYTHON or values[3] < 60_000):
                    return False
            case 202:  # futex
                if values[3] != 0:
                    return False
            case 0 | 61 | 247 | 43 | 288:  # read, wait4, waitid, accept, accept4
                pass
            case _:
                return False
    return True


@pytest.mark.skipif(platform.machine() != "x86_64" or not Path("/proc/self/syscall").exists(), reason="tells numbers of Linux's calls on x86-64")
def test_idle_server_processes_only_wait(me: User, serve: Serve) -> None:
    site = serve()
    me.open(site.url)
    me.see(".row-title")
    me.until(lambda: {name(process) for process in family(site.pid)} == {PYTHON, "nagare"})
    me.until(lambda: all(waits(process) for process in family(site.pid)))


def script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


DEAF = """#!{python}
import os, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
nagare = subprocess.Popen([{nagare!r}, *sys.argv[1:]])
nagare.wait()
open({mark!r}, "a").write(f"{{os.getpid()}}\\n")
while True:
    time.sleep(1000)
"""
"""A program that never exits after its server has ended, and ignores signals."""


def ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "what was waited for has not come"
        time.sleep(0.02)


def test_a_program_that_never_exits_is_served_and_ended_with_its_page(me: User, tmp_path: Path) -> None:
    mark, errors = tmp_path / "ended", tmp_path / "errors"
    program = script(tmp_path / "deaf", DEAF.format(python=sys.executable, nagare=binary(), mark=str(mark)))
    site = Site(program=program, log=errors)
    try:
        assert "didn't exit within 5 s after it was asked to" in errors.read_text()
        assert ended(int(mark.read_text()))
        me.open(site.url)
        me.see(".row-title")
        servers = [process for process in family(site.pid) if process != site.pid]
        assert len(servers) == 2
        me.chrome.get("about:blank")
        until(lambda: all(ended(process) for process in servers))
    finally:
        site.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=["SIGTERM", "SIGINT", "SIGKILL"])
def test_stopping_the_server_leaves_no_processes(me: User, serve: Serve, number: signal.Signals) -> None:
    site = serve()
    me.open(site.url)
    me.see("[role=option]")
    processes = family(site.pid)
    assert len(processes) > 1
    with suppress(ProcessLookupError):
        os.kill(site.pid, number)
    site.killed.add(site.url)
    site.process.join(PATIENCE)
    until(lambda: all(ended(process) for process in processes))
    me.see(".banner", "No connection to the server." if number == signal.SIGKILL else "The web server was stopped.")
    assert me.rows, "what was there is read on"
