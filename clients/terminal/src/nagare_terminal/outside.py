"""What is done with an item outside of this program: the clipboard, a pager, other programs, the browser."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import nagare

from .article import LABELS, article
from .dialogs import Choose, Prompt
from .display import links
from .layer import Command, command

if TYPE_CHECKING:
    from .screen import ViewScreen


def commands(screen: ViewScreen) -> Iterator[Command]:
    """What can be done with the item that the user is on."""
    yield command("y", "Copy", lambda: _copy(screen))
    yield command("o", "Open link", lambda: _open_link(screen))
    yield command("|", "Pipe to a program", lambda: _pipe(screen))
    yield command("v", "View in the pager", lambda: screen.app.device.run(os.environ.get("PAGER") or "less", _text(screen), False))


def _copy(screen: ViewScreen) -> None:
    screen.app.device.copy(_text(screen))
    screen.app.notify("Copied")


async def _pipe(screen: ViewScreen) -> None:
    """Hands an item on to a program, as JSON."""
    command = await screen.app.answer(Prompt("Pipe to", "A command, which gets the item as JSON"))
    if command is not nagare.CANCELLED and command.strip():
        screen.app.device.run(command, json.dumps(screen.item(), ensure_ascii=False, default=str) + "\n", True)


async def _open_link(screen: ViewScreen) -> None:
    """Opens a link of an item: the only one, or the one that the user wants."""
    app, found = screen.app, links(screen.item())
    chosen: Any = found[0] if len(found) == 1 else nagare.CANCELLED
    if len(found) > 1:
        chosen = await app.answer(Choose("Links", [(link, "", link) for link in found]))
    opener = next((name for name in (os.environ.get("BROWSER"), "xdg-open", "open") if name and shutil.which(name)), None)
    if not found:
        app.notify("There is no link")
    elif chosen is not nagare.CANCELLED and opener is None:
        app.device.copy(chosen)
        app.notify("There is no program for links: it is copied")
    elif chosen is not nagare.CANCELLED and opener is not None:
        app.device.run([opener, chosen], "", False)


def _text(screen: ViewScreen) -> str:
    lines = [(label, "".join(text for text, _ in parts)) for label, parts in article(screen.item(), screen.display, 80)]
    return "\n".join(f"{label:<{LABELS}}{text}" if label else text for label, text in lines) + "\n"
