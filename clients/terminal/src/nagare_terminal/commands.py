"""Commands and their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .canvas import Canvas
from .cells import width

NAMES = {"enter": "Enter", "escape": "Esc", "right": "→", "left": "←", "up": "↑", "down": "↓", "tab": "Tab", " ": "Space"}
"""Display names of keys."""


@dataclass(frozen=True)
class Command:
    """Something that the user can do now."""

    keys: tuple[str, ...]
    """The keys; the first one is displayed. A command without keys is only in the palette."""
    name: str
    """The display name. A command without a name isn't listed."""
    run: Callable[[], object]
    """Runs the command. A coroutine is awaited."""

    @property
    def key(self) -> str:
        """The display name of the first key."""
        return NAMES.get(self.keys[0], self.keys[0]) if self.keys else ""


def command(keys: str, name: str, run: Callable[[], object]) -> Command:
    """Creates a command. `keys` are separated by spaces: `"up k"`."""
    return Command(tuple(keys.split()), name, run)


def footer(canvas: Canvas, y: int, commands: Iterator[Command]) -> list[tuple[int, Command]]:
    """Writes the keys of as many commands as fit. Returns the end column of each written command, and the command."""
    canvas.fill(y, "status")
    x, places, known = 1, [], set[str]()
    for one in commands:
        if not one.name or not one.keys or one.keys[0] in known:
            continue
        known.update(one.keys)
        if x + width(f"{one.key} {one.name}") >= canvas.width:
            break
        end = canvas.write(x, y, one.key, "status key")
        end = canvas.write(end + 1, y, one.name, "status")
        places.append((end, one))
        x = end + 2
    return places
