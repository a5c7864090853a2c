"""What every test here needs: the package, the program `nagare`, and a terminal on a virtual clock."""

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

# The reader is where the demo's mails were written.
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()

PATIENCE = 60.0
"""Seconds after which a test hangs."""


def run(test: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a loop of its own."""
    return asyncio.run(asyncio.wait_for(test, PATIENCE))


def binary(product: str = "nagare") -> str:
    """A product: the program that the environment's NAGARE names or one beside it, or the release build."""
    program = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare")).with_name(product)
    assert program.exists(), f"{program} is missing: run `swift build -c release --product {product}`"
    return str(program)


@pytest.fixture(scope="session")
def nagare_binary() -> str:
    return binary()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds, or leaves, anything of the user's, and none hangs on the day that it is."""
    monkeypatch.setattr(display, "now", lambda: datetime(2026, 11, 20, 22))
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


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


class Faults(logging.Handler):
    """Collects the logged faults of the program, each with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


@pytest.fixture(autouse=True)
def faults() -> Iterator[Faults]:
    """Fails each test in which the program logged a fault of its own. A test that causes faults clears `found`."""
    faults = Faults()
    for name in ("nagare_terminal", "nagare", "asyncio"):
        logging.getLogger(name).addHandler(faults)
    yield faults
    for name in ("nagare_terminal", "nagare", "asyncio"):
        logging.getLogger(name).removeHandler(faults)
    assert not faults.found, "\n".join(faults.found)


class Timers:
    """The program's own timers. They end when a test says so."""

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
    """A terminal that nobody sees."""

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
        """The pictures that it was told; None where it shows none."""

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
    """Somebody before a terminal whose server's clock stands still."""

    def __init__(self, terminal: Terminal, glass: Glass) -> None:
        self.terminal, self.glass = terminal, glass

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.glass.heard(key)
            await self.settle()

    async def tap(self, *keys: str) -> None:
        """Presses keys that the server has no part in."""
        for key in keys:
            self.glass.heard(key)
            await self.breathe()

    async def wait(self, milliseconds: int) -> None:
        """Lets the server's time pass."""
        await self.settle()
        await self.terminal.session.advance(milliseconds)
        await self.settle()

    async def breathe(self) -> None:
        """Lets all that is ready have its turn."""
        for _ in range(5):
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """Until all that was caused has been heard and drawn."""
        for _ in range(3):
            await self.breathe()
            try:
                await self.terminal.session.ping()
            except nagare.NagareError:
                pass  # The server is gone: nothing more is heard of it.
        await self.breathe()

    async def until(self, condition: Callable[[], object]) -> None:
        """Until something holds that another process has a hand in."""
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
        """The line that tells how the screen fares."""
        return self.lines[-2 if self.glass.size[1] >= 8 else -1].strip()

    @property
    def text(self) -> str:
        """All that is on the terminal."""
        return self.glass.canvas.text()

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def words(self) -> str:
        """The same without frames, and as if lines had no end."""
        return " ".join(re.sub("[─-╿]", " ", self.text).split())

    @property
    def told(self) -> list[str]:
        """The messages that are shown."""
        return [told for told, _ in self.terminal.toasts]


@asynccontextmanager
async def before(terminal: Terminal, glass: Glass) -> AsyncIterator[User]:
    """Somebody before this terminal, from the first screen or dialog on."""
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
    """A terminal on the demo, or on what the options say, before whose eyes nothing has come yet."""
    glass = Glass(size)
    terminal = Terminal([binary(), "--clock", "virtual", *options], screen, device=glass, state=state)
    async with before(terminal, glass) as someone:
        yield someone
