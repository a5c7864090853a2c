"""Shared by all tests: the package's path, the program `nagare`, and a user at a simulated terminal on a virtual clock."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
SOURCES = [str(PACKAGE / "src"), str(ROOT / "clients" / "python" / "src")]
sys.path[:0] = [*SOURCES, str(ROOT / "clients" / "behaviour")]

import nagare  # noqa: E402
from nagare_terminal import Terminal, display  # noqa: E402
from nagare_terminal.canvas import Canvas  # noqa: E402
from nagare_terminal.keys import Event  # noqa: E402
from nagare_terminal.screen import ViewScreen  # noqa: E402
from nagare_terminal.theme import Theme  # noqa: E402

# The time zone in which the demo's mails were written.
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()

PATIENCE = 60.0
"""Seconds after which a test fails because it hangs."""


def run(test: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a new event loop."""
    return asyncio.run(asyncio.wait_for(test, PATIENCE))


def binary(product: str = "nagare") -> str:
    """Returns the path of a program: next to the one that the environment variable NAGARE names, or in the release build."""
    program = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare")).with_name(product)
    assert program.exists(), f"{program} is missing: run `swift build -c release --product {product}`"
    return str(program)


@pytest.fixture(scope="session")
def nagare_binary() -> str:
    return binary()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives each test separate user folders and a fixed date, so that tests depend on neither the user nor the day."""
    monkeypatch.setattr(display, "now", lambda: datetime(2026, 11, 20, 22))
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


def configure(folder: Path, configuration: dict[str, Any]) -> list[str]:
    """Writes a configuration. Returns the options with which a server uses it."""
    path = folder / "nagare.json"
    path.write_text(json.dumps(configuration))
    return ["--config", str(path)]


def list_of_rows(folder: Path, **screen: Any) -> list[str]:
    """Returns the options for a list of the items in `rows.jsonl`."""
    sources = {"file": {"type": "file", "path": "rows.jsonl"}}
    return configure(folder, {"sources": sources, "screens": {"rows": {"viewModel": "list", "source": "file", **screen}}})


def write_rows(folder: Path, rows: Iterable[dict[str, Any]]) -> None:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


class Faults(logging.Handler):
    """Collects the logged faults of the program, each with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


@pytest.fixture(autouse=True)
def faults() -> Iterator[Faults]:
    """Fails each test in which the program logs a fault. A test that causes faults on purpose clears `found`."""
    faults = Faults()
    for name in ("nagare_terminal", "nagare", "asyncio"):
        logging.getLogger(name).addHandler(faults)
    yield faults
    for name in ("nagare_terminal", "nagare", "asyncio"):
        logging.getLogger(name).removeHandler(faults)
    assert not faults.found, "\n".join(faults.found)


class Timers:
    """The program's timers. A test decides when they fire."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], object]] = []

    def end(self) -> None:
        ended, self.waiting = self.waiting, []
        for run in ended:
            run()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    timers = Timers()
    monkeypatch.setattr(Terminal, "call_later", lambda terminal, seconds, run: timers.waiting.append(run))
    return timers


class Glass:
    """A simulated terminal."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.canvas = Canvas(*size)
        self.theme = Theme({})
        self.copied: list[str] = []
        self.suspended = 0
        """How often the program was suspended."""
        self.ran: list[tuple[Sequence[str] | str, str]] = []
        self.started: list[Sequence[str]] = []
        self.pictures: list[bytes] | None = None
        """The pictures that the terminal received; None if it doesn't support pictures."""

    def begin(self, heard: Callable[[Event], None], resized: Callable[[], None]) -> None:
        self.heard, self.resized = heard, resized

    def end(self) -> None:
        pass

    def suspend(self) -> None:
        self.suspended += 1

    def show(self, canvas: Canvas, theme: Theme) -> None:
        self.canvas, self.theme = canvas, theme

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def picture(self, png: bytes, columns: int, rows: int) -> int | None:
        if self.pictures is None:
            return None
        if png not in self.pictures:
            self.pictures.append(png)
        return self.pictures.index(png) + 1

    async def run(self, command: Sequence[str] | str, given: str, wait: bool) -> None:
        self.ran.append((command, given))

    def start(self, command: Sequence[str]) -> Callable[[], int | None]:
        self.started.append(command)
        return lambda: None


class User:
    """A user at a terminal whose server has a virtual clock."""

    def __init__(self, terminal: Terminal, glass: Glass) -> None:
        self.terminal, self.glass = terminal, glass

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.glass.heard(key)
            await self.settle()

    async def tap(self, *keys: str) -> None:
        """Presses keys that don't involve the server."""
        for key in keys:
            self.glass.heard(key)
            await self.breathe()

    async def wait(self, milliseconds: int) -> None:
        """Advances the server's clock."""
        await self.settle()
        await self.terminal.session.advance(milliseconds)
        await self.settle()

    async def breathe(self) -> None:
        """Lets all ready callbacks run."""
        for _ in range(5):
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """Waits until all effects have been received and drawn."""
        for _ in range(3):
            await self.breathe()
            try:
                await self.terminal.session.ping()
            except nagare.NagareError:
                pass  # The server has died, so it sends nothing more.
        await self.breathe()

    async def until(self, condition: Callable[[], object]) -> None:
        """Waits until a condition that depends on another process is true."""
        while not condition():
            await asyncio.sleep(0.005)

    async def resize(self, columns: int, rows: int) -> None:
        self.glass.size = columns, rows
        self.glass.resized()
        await self.settle()

    @property
    def screen(self) -> Any:
        screen = self.terminal.top
        assert isinstance(screen, ViewScreen), self.text
        return screen

    @property
    def view(self) -> nagare.View:
        return self.screen.view  # type: ignore[no-any-return]

    @property
    def status(self) -> str:
        """The status line."""
        return self.lines[-2 if self.glass.size[1] >= 8 else -1].strip()

    @property
    def text(self) -> str:
        """The whole text on the terminal."""
        return self.glass.canvas.text()

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def words(self) -> str:
        """The terminal's text without frames, with line ends as spaces."""
        return " ".join(re.sub("[─-╿]", " ", self.text).split())

    @property
    def told(self) -> list[str]:
        """The messages that are shown."""
        return [told for told, _ in self.terminal.toasts]


@asynccontextmanager
async def before(terminal: Terminal, glass: Glass) -> AsyncIterator[User]:
    """Runs a terminal, and yields its user when the first screen or dialog is shown."""
    living = asyncio.ensure_future(terminal.main())
    someone = User(terminal, glass)
    try:
        await asyncio.wait({living, asyncio.ensure_future(someone.until(lambda: terminal.layers))}, return_when=asyncio.FIRST_COMPLETED)
        await someone.settle()
        yield someone
    finally:
        terminal.quit()
        await living


@asynccontextmanager
async def user(
    screen: str | None = None, options: Iterable[str] = (), size: tuple[int, int] = (80, 24), state: Path | None = None
) -> AsyncIterator[User]:
    """Runs a terminal with the demo, or with a server with these options, and yields its user. Nothing is loaded yet."""
    glass = Glass(size)
    terminal = Terminal([binary(), "--clock", "virtual", *options], screen, device=glass, state=state)
    async with before(terminal, glass) as someone:
        yield someone
