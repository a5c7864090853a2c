"""Commands that pass an item to the clipboard, a pager, a browser or another program."""

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
from .article import LABEL_WIDTH, article
from .commands import Command, command
from .dialogs import Choose, Prompt, SaveFile
from .display import Display, links
from .files import File, save_path

IN_TERMINAL = "w3m", "lynx", "links", "links2", "elinks", "browsh", "www-browser"
"""Browsers that run in the terminal."""
_CONTROL = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that JSON doesn't escape: control characters, ends of lines, and characters that change the direction of text."""
FAILURE_DELAY = 1.0
"""Seconds within which a failing program that opens links exits."""


def commands(app: Application, display: Display, item: Callable[[], Any]) -> Iterator[Command]:
    """The commands for the current item."""
    yield command("y", "Copy", lambda: _copy(app, display, item()))
    yield command("o", "Open link", lambda: _open_link(app, display, item()))
    yield command("|", "Pipe to a program", lambda: _pipe(app, item()))
    yield command("v", "View in the pager", lambda: app.lend_terminal(os.environ.get("PAGER") or "less", _text(display, item()), False))


def _copy(app: Application, display: Display, item: Any) -> None:
    app.device.copy(_text(display, item))
    app.show_message("Copied")


async def _pipe(app: Application, item: Any) -> None:
    """Passes an item to a program, as JSON."""
    command = await app.answer(Prompt("Pipe to", "A command that receives the item as JSON"))
    if command is nagare.CANCELLED or not command.strip():
        return
    try:
        given = exact(item)
    except (ValueError, RecursionError) as error:
        app.show_error(f"This item can't be written as JSON: {error}")
    else:
        await app.lend_terminal(command, given + "\n", True)


def exact(item: Any) -> str:
    """Encodes an item as JSON without loss. Control characters are escaped, because the program may print them."""
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", encode(item).decode())


async def _open_link(app: Application, display: Display, item: Any) -> None:
    """Opens a link or an attachment of an item. If there are several, the user chooses."""
    files = [*display.files(item)]
    attached = {one.url for one in files}
    found = [(one.name, one.description, one) for one in files]
    found += [(link, "", File(link, link, "", None)) for link in links(item) if link not in attached]
    if not found:
        app.show_message("There is no link")
        return
    chosen: Any = found[0][2] if len(found) == 1 else await app.answer(Choose("Attachments and links" if files else "Links", found))
    if chosen is nagare.CANCELLED:
        return
    if chosen.url.lower().startswith("data:"):
        await _save(app, chosen)
    elif chosen.url.lower().startswith(("http://", "https://")):
        await open_address(app, chosen.url)
    else:
        app.show_error(f"No program opens {chosen.url[:40]}")


async def _save(app: Application, file: File) -> None:
    """Saves an attachment whose address is a data URL as a file."""
    if (content := file.content()) is None:
        app.show_error(f"{file.name} can't be read")
        return
    path = await app.answer(SaveFile("Save as", save_path(file.name)))
    if path is nagare.CANCELLED:
        return
    try:
        with open(path, "xb") as kept:
            kept.write(content)
    except OSError as error:
        app.show_error(f"{path}: {error.strerror}")
    else:
        app.show_message(f"Saved as {path}")


async def open_address(app: Application, address: str) -> None:
    """Opens an address with the user's program. A program with its own window keeps running after this one."""
    command = _opener(address)
    if command is None:
        app.device.copy(address)
        app.show_message("No program opens links, so the link was copied")
    elif _needs_terminal(Path(command[0]).name):
        await app.lend_terminal(command, "", False)
    else:
        try:
            ended = app.device.start(command)
        except (OSError, ValueError) as error:  # A NUL or half of a surrogate pair raises `ValueError`.
            app.show_error(f"{command[0]} could not open it: {error}")
            return
        app.show_message(f"Opened by {Path(command[0]).name}")
        app.call_later(FAILURE_DELAY, lambda: app.show_error(f"{command[0]} could not open it") if ended() else None)


def _opener(address: str) -> list[str] | None:
    """Returns the command that opens an address: the first available of $BROWSER, or the system's default."""
    for command in [*os.environ.get("BROWSER", "").split(os.pathsep), "xdg-open", "open"]:
        words = command.split()
        if words and shutil.which(words[0]):
            return [word.replace("%s", address) for word in words] if "%s" in command else [*words, address]
    return None


def _needs_terminal(name: str) -> bool:
    """Whether a program runs in the terminal. Without a window system, xdg-open chooses one that does."""
    has_windows = sys.platform == "darwin" or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return name in IN_TERMINAL or (name == "xdg-open" and not has_windows)


def _text(display: Display, item: Any) -> str:
    lines = [(label, "".join(text for text, _ in parts)) for label, parts in article(item, display, 80)]
    return "\n".join(f"{label:<{LABEL_WIDTH}}{text}" if label else text for label, text in lines) + "\n"
