"""What every test here needs: the package, the program `nagare`, and a terminal on a virtual clock."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
SOURCES = [str(PACKAGE / "src"), str(ROOT / "clients" / "python" / "src")]
sys.path[:0] = SOURCES

import nagare  # noqa: E402
from nagare_terminal import Terminal  # noqa: E402
from nagare_terminal.view_screen import ViewScreen  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Static  # noqa: E402

# The reader is where the demo's mails were written.
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()

PATIENCE = 60.0
"""Seconds after which a test hangs."""


def run(test: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a loop of its own."""
    return asyncio.run(asyncio.wait_for(test, PATIENCE))


def binary() -> str:
    """The program itself: the one that the environment's NAGARE names, or the release build."""
    program = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare"))
    assert program.exists(), f"{program} is missing: run `swift build -c release --product nagare`"
    return str(program)


@pytest.fixture(scope="session")
def nagare_binary() -> str:
    return binary()


def configure(folder: Path, configuration: dict[str, Any]) -> list[str]:
    """Writes a configuration: the options by which a server takes it."""
    path = folder / "nagare.json"
    path.write_text(json.dumps(configuration))
    return ["--config", str(path)]


def list_of_rows(folder: Path, **screen: Any) -> list[str]:
    """The options for a list of what is in `rows.jsonl`."""
    sources = {"file": {"type": "file", "path": "rows.jsonl"}}
    return configure(folder, {"sources": sources, "screens": {"rows": {"viewModel": "list", "source": "file", **screen}}})


def write_rows(folder: Path, rows: Iterable[dict[str, Any]]) -> None:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


class User:
    """Somebody before a terminal whose server's clock stands still."""

    def __init__(self, terminal: Terminal, pilot: Pilot[None]) -> None:
        self.terminal, self.pilot = terminal, pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def wait(self, milliseconds: int) -> None:
        """Lets the server's time pass."""
        await self.settle()
        await self.terminal.session.advance(milliseconds)
        await self.settle()

    async def settle(self) -> None:
        """Until all that was caused has been heard and drawn."""
        for _ in range(3):
            await self.pilot.pause()
            try:
                await self.terminal.session.ping()
            except nagare.NagareError:
                pass  # The server is gone: nothing more is heard of it.
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        """Until something holds that another process has a hand in."""
        while not condition():
            await self.pilot.pause(0.01)

    @property
    def screen(self) -> ViewScreen:
        screen = self.terminal.screen
        assert isinstance(screen, ViewScreen), screen
        return screen

    @property
    def view(self) -> nagare.View:
        return self.screen.view

    @property
    def status(self) -> str:
        return str(self.terminal.screen.query_one("#status", Static).render())

    @property
    def text(self) -> str:
        """All that is on the terminal."""
        screen = self.terminal.screen
        return "\n".join(strip.text for strip in screen._compositor.render_strips())

    @property
    def words(self) -> str:
        """The same without frames, and as if lines had no end."""
        return " ".join(re.sub("[─-╿]", " ", self.text).split())


@asynccontextmanager
async def user(screen: str | None = None, options: Iterable[str] = (), size: tuple[int, int] = (80, 24)) -> AsyncIterator[User]:
    """A terminal on the demo, or on what the options say, before whose eyes nothing has come yet."""
    terminal = Terminal([binary(), "--clock", "virtual", *options], screen)
    async with terminal.run_test(size=size) as pilot:
        someone = User(terminal, pilot)
        await someone.until(lambda: isinstance(terminal.screen, ViewScreen) or len(terminal.screen_stack) > 1)
        await someone.settle()
        yield someone
