"""Detects writes to files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from .lazy import asyncio

# Constants from <sys/inotify.h>.
IN_MODIFY, IN_MOVED, IN_CREATE, IN_DELETE = 0x2, 0xC0, 0x100, 0x200

POLL = 0.01
"""Seconds between two checks if the system can't report writes."""

SOON, SELDOM = 0.002, 1.0
"""Seconds until the next check after a write, at first and at most. The pauses double, because a commit may become
visible later than its write, for example after an `fsync`. The rare checks are for file systems whose writes the kernel
can't detect, such as network shares."""


class Watcher:
    """Waits for writes to files without polling.

    Linux reports writes (inotify). On other systems, such as macOS, `wait` returns every hundredth of a second.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._written = asyncio.Event()
        self._pause = SOON
        self._descriptor = -1
        import ctypes  # Here, because most programs watch no file, and it takes time.

        with suppress(OSError, AttributeError):
            self._library = ctypes.CDLL(None)
            self._descriptor = self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)

    def __enter__(self) -> Watcher:
        if self._descriptor >= 0:
            asyncio.get_running_loop().add_reader(self._descriptor, self._read)
            self._watch()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._descriptor >= 0:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            os.close(self._descriptor)

    async def wait(self) -> None:
        """Waits until the files may have changed."""
        if not self._is_watching:
            return await asyncio.sleep(POLL)
        try:
            await asyncio.wait_for(self._written.wait(), self._pause)
        except asyncio.TimeoutError:
            self._pause = min(2 * self._pause, SELDOM)
        else:
            # Combines several writes into one check.
            await asyncio.sleep(SOON)
            self._written.clear()
            self._pause = SOON

    @property
    def _is_watching(self) -> bool:
        return self._descriptor >= 0 and self._is_first_watched

    def _read(self) -> None:
        with suppress(OSError):
            os.read(self._descriptor, 1 << 16)
        self._watch()
        self._written.set()

    def _watch(self) -> None:
        """Watches the files, and their folders for new files of the same names. Watching a file twice is harmless."""
        for folder in {os.path.dirname(path) for path in self._files}:
            self._add(folder, IN_MOVED | IN_CREATE | IN_DELETE)
        self._is_first_watched = [self._add(path, IN_MODIFY) for path in self._files][0]

    def _add(self, path: str, events: int) -> bool:
        return bool(self._library.inotify_add_watch(self._descriptor, os.fsencode(path), events) >= 0)
