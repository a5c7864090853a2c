"""A PostgreSQL server for tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

PATIENCE = 60.0


def programs() -> Path:
    """Returns the folder of PostgreSQL's server programs: one in PATH, or Debian's."""
    candidates = [Path(found).resolve().parent for found in [shutil.which("initdb"), shutil.which("postgres")] if found]
    # Debian installs several versions next to each other, none of them in PATH. The newest one is used. Other systems
    # don't have this folder, so they need PATH.
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise AssertionError("PostgreSQL's server is missing: install Debian's package postgresql, or another with initdb")


class PostgreSQL:
    """A separate database server. Its socket is in its own folder, so it can't conflict with other servers.

    - `settings` are settings of the server, such as `max_prepared_transactions=2`.
    - `of` is another server, whose replica this one is.
    """

    def __init__(self, *settings: str, of: PostgreSQL | None = None) -> None:
        self._settings = [word for setting in settings for word in ("-c", setting)]
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="nagare-postgres-"))
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(self.folder, self._user, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        if of is None:
            initialized = self._popen("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        else:
            following = ("--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync", f"--dbname={of.connection}")
            initialized = self._popen("pg_basebackup", *following)
        assert initialized.wait(PATIENCE) == 0, self.log()

    @property
    def connection(self) -> str:
        """The connection string for libpq."""
        return f"host={self.folder} user=postgres dbname=postgres connect_timeout=60"

    def start(self) -> None:
        """Starts the server, and returns when it can be used."""
        begin = partial(
            self._popen, "postgres", "-k", str(self.folder), "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=8MB", *self._settings
        )
        self._process = begin()
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.connect().close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, self.log()
                time.sleep(0.05)
            if self._process.poll() is not None:
                # A server can't start while processes of a crashed one still run.
                self._process = begin()

    def kill(self) -> None:
        """Ends the server at once, with all connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
            self._process = None

    def crash(self) -> None:
        """Kills all processes of the server at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self.connection, autocommit=True)

    def run(self, script: Path) -> None:
        with self.connect() as connection:
            connection.execute(script.read_bytes())

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def _popen(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, "-D", str(self.folder / "data"), *options],
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
                cwd=self.folder,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
