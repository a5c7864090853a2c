"""Where somebody was, to come back to."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def state_file(command: Sequence[str]) -> Path:
    """The file for a server's command, run in this folder."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    name = hashlib.sha256("\0".join([os.getcwd(), *command]).encode()).hexdigest()[:16]
    return state / "nagare" / f"{name}.json"


class Places:
    """The screen that was on top, and the place in each, in a file. One that can't be read or written counts as empty."""

    def __init__(self, file: Path | None, command: Sequence[str]) -> None:
        self._file, self._command = file, list(command)
        self.screen: str | None = None
        self.places: dict[str, dict[str, Any]] = {}
        try:
            said = json.loads(file.read_text()) if file is not None else {}
            self.screen, self.places = said.get("screen"), dict(said.get("places", {}))
        except (OSError, ValueError, AttributeError, TypeError):
            pass

    def save(self) -> None:
        """Writes it, whole or not at all. What people look for is nobody else's."""
        if self._file is None:
            return
        said = {"command": self._command, "screen": self.screen, "places": self.places}
        part = self._file.with_suffix(f".{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(said, file, ensure_ascii=False, default=str)
            part.replace(self._file)
        except OSError:
            pass  # Whoever has no place for it begins anew.
