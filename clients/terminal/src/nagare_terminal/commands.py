"""What the user can do just now, and the keys for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .canvas import Canvas
from .cells import width

NAMES = {"enter": "Enter", "escape": "Esc", "right": "→", "left": "←", "up": "↑", "down": "↓", "tab": "Tab", " ": "Space"}
"""Keys that are shown by another name than their own."""


@dataclass(frozen=True)
class Command:
    """What can be done just now."""

    keys: tuple[str, ...]
    """The keys that do it, the first of which is shown. Without any it is done from the palette alone."""
    name: str
    """What people call it; those without a name are in no list of keys."""
    run: Callable[[], object]
    """Does it. What it returns is awaited if it has to be."""

    @property
    def key(self) -> str:
        """The key, as it is shown."""
        return NAMES.get(self.keys[0], self.keys[0]) if self.keys else ""


def command(keys: str, name: str, run: Callable[[], object]) -> Command:
    """A command, whose keys stand in one text: `"up k"`."""
    return Command(tuple(keys.split()), name, run)


def footer(canvas: Canvas, y: int, commands: Iterator[Command]) -> list[tuple[int, Command]]:
    """Writes the keys that are alive, as many as there is room for: where each one ends, and what it does."""
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
