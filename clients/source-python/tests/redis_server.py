"""A Redis server for tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import ConnectionError

DEBIAN = Path(__file__).resolve().parents[3] / ".build" / "debian" / "usr"
PATIENCE = 60.0


class RedisServer:
    """A separate server. Its socket is in its own folder, and it keeps its data in a file."""

    def __init__(self) -> None:
        program = shutil.which("redis-server") or shutil.which("redis-server", path=str(DEBIAN / "bin"))
        assert program, "Redis's server is missing: Debian has it in the package redis-server"
        self._program = program
        self.folder = Path(tempfile.mkdtemp(prefix="nagare-redis-"))
        self.url = f"unix://{self.folder / 'socket'}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server, and returns when it can be used."""
        libraries = os.pathsep.join(map(str, (DEBIAN / "lib").glob("*-linux-gnu*")))
        with (self.folder / "log").open("ab") as log:
            options = ["--port", "0", "--unixsocket", "socket", "--appendonly", "yes", "--save", ""]
            self._process = subprocess.Popen(
                [self._program, *options],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "LD_LIBRARY_PATH": libraries},
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with self.connect() as redis:
                    redis.ping()
                return
            except (ConnectionError, OSError):
                log_text = (self.folder / "log").read_text()
                assert self._process.poll() is None and time.monotonic() < deadline, log_text
                time.sleep(0.01)

    def connect(self) -> Any:
        return Redis.from_url(self.url, decode_responses=True)

    def kill(self) -> None:
        """Kills the server at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)
