"""What is done with an item outside of this program: the clipboard, a pager, other programs, the browser."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nagare
from nagare.wire import encode

from .application import Application
from .article import LABELS, article
from .dialogs import Choose, Prompt, SaveFile
from .display import Display, links
from .files import File, place_for
from .commands import Command, command

IN_TERMINAL = "w3m", "lynx", "links", "links2", "elinks", "browsh", "www-browser"
"""Browsers that need the terminal for themselves."""
_CONTROL = re.compile("[\x7f-\x9f]")
"""Control characters that JSON doesn't escape by itself."""
SOON = 1.0
"""Seconds after which a program that can open nothing has said so."""


def commands(app: Application, display: Display, item: Callable[[], Any]) -> Iterator[Command]:
    """The commands for the current item."""
    yield command("y", "Copy", lambda: _copy(app, display, item()))
    yield command("o", "Open link", lambda: _open_link(app, display, item()))
    yield command("|", "Pipe to a program", lambda: _pipe(app, item()))
    yield command("v", "View in the pager", lambda: app.lend(os.environ.get("PAGER") or "less", _text(display, item()), False))


def _copy(app: Application, display: Display, item: Any) -> None:
    app.device.copy(_text(display, item))
    app.notify("Copied")


async def _pipe(app: Application, item: Any) -> None:
    """Passes an item to a program, as JSON."""
    command = await app.answer(Prompt("Pipe to", "A command, which gets the item as JSON"))
    if command is nagare.CANCELLED or not command.strip():
        return
    try:
        given = exact(item)
    except (ValueError, RecursionError) as error:
        app.complain(f"This item can't be written as JSON: {error}")
    else:
        await app.lend(command, given + "\n", True)


def exact(item: Any) -> str:
    """An item as JSON, exactly, with all control characters escaped, because the program may print it."""
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", encode(item).decode())


async def _open_link(app: Application, display: Display, item: Any) -> None:
    """Opens a link of an item, or a file that is attached to it: the only one, or the one that the user wants."""
    files = [*display.files(item)]
    attached = {one.url for one in files}
    found = [(one.name, one.about, one) for one in files]
    found += [(link, "", File(link, link, "", None)) for link in links(item) if link not in attached]
    if not found:
        app.notify("There is no link")
        return
    chosen: Any = found[0][2] if len(found) == 1 else await app.answer(Choose("Attachments and links" if files else "Links", found))
    if chosen is nagare.CANCELLED:
        return
    if chosen.url.lower().startswith("data:"):
        await _save(app, chosen)
    elif chosen.url.lower().startswith(("http://", "https://")):
        await open_address(app, chosen.url)
    else:
        app.complain(f"Nobody knows how to open {chosen.url[:40]}")


async def _save(app: Application, file: File) -> None:
    """Keeps what an address holds as a file."""
    if (content := file.content()) is None:
        app.complain(f"{file.name} can't be read")
        return
    path = await app.answer(SaveFile("Save as", place_for(file.name)))
    if path is nagare.CANCELLED:
        return
    try:
        with open(path, "xb") as kept:
            kept.write(content)
    except OSError as error:
        app.complain(f"{path}: {error.strerror}")
    else:
        app.notify(f"Saved as {path}")


async def open_address(app: Application, address: str) -> None:
    """Opens an address or a file by the user's program. One that runs beside this one goes on without it."""
    command = _opener(address)
    if command is None:
        app.device.copy(address)
        app.notify("There is no program for links: it is copied")
    elif _needs_terminal(Path(command[0]).name):
        await app.lend(command, "", False)
    else:
        try:
            ended = app.device.start(command)
        except (OSError, ValueError) as error:  # A NUL or half of a surrogate pair is a `ValueError`.
            app.complain(f"{command[0]} could not open it: {error}")
            return
        app.notify(f"Opened by {Path(command[0]).name}")
        app.later(SOON, lambda: app.complain(f"{command[0]} could not open it") if ended() else None)


def _opener(address: str) -> list[str] | None:
    """The command that opens an address: the first of $BROWSER that there is, or the system's own."""
    for told in [*os.environ.get("BROWSER", "").split(os.pathsep), "xdg-open", "open"]:
        words = told.split()
        if words and shutil.which(words[0]):
            return [word.replace("%s", address) for word in words] if "%s" in told else [*words, address]
    return None


def _needs_terminal(name: str) -> bool:
    """Whether a program shows what it opens here. Where there are no windows, xdg-open takes one that does."""
    has_windows = sys.platform == "darwin" or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return name in IN_TERMINAL or (name == "xdg-open" and not has_windows)


def _text(display: Display, item: Any) -> str:
    lines = [(label, "".join(text for text, _ in parts)) for label, parts in article(item, display, 80)]
    return "\n".join(f"{label:<{LABELS}}{text}" if label else text for label, text in lines) + "\n"
