"""The user's place, saved in a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nagare.system import state_folder
from nagare.wire import decode, encode


def state_file(command: Sequence[str]) -> Path | None:
    """Returns the state file for a server's command in the current folder; None if the user has no home."""
    state = state_folder()
    name = hashlib.sha256("\0".join([os.getcwd(), *command]).encode(errors="surrogateescape")).hexdigest()[:16]
    return state / f"{name}.json" if state is not None else None


class SavedState:
    """The screen on top, and the place in each list. An unreadable file counts as empty."""

    def __init__(self, file: Path | None, command: Sequence[str]) -> None:
        self._file, self._command = file, list(command)
        self.screen: str | None = None
        self.places: dict[str, dict[str, Any]] = {}
        try:
            saved = _fields(decode(file.read_bytes()) if file is not None else {})
        except (OSError, ValueError, RecursionError):
            return
        self.screen = saved["screen"] if isinstance(saved.get("screen"), str) else None
        self.places = {name: _place(_fields(place)) for name, place in _fields(saved.get("places")).items()}

    def save(self) -> None:
        """Saves the file atomically. The file is private, because it contains search texts."""
        if self._file is None:
            return
        part = self._file.with_suffix(f".{os.getpid()}")
        try:
            data = encode({"command": self._command, "screen": self.screen, "places": self.places})
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
            part.replace(self._file)
        except (OSError, ValueError, RecursionError):
            pass  # Without a file, the next start begins at the first screen.


def _fields(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _place(saved: dict[str, Any]) -> dict[str, Any]:
    """Returns a place in a list, without fields of a wrong type."""
    kinds = {"query": str, "filters": dict, "index": int, "above": int, "marked": list, "item": dict}
    place: dict[str, Any] = {name: value for name, value in saved.items() if isinstance(value, kinds.get(name, object))}
    marked, item = list(place.get("marked", ())), dict(place.get("item", {}))
    return {**place, "marked": [key for key in marked if isinstance(key, str)], "item": item if "id" in item and isinstance(item.get("screen", ""), str) else None}
