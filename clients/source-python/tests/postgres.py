"""A PostgreSQL server of a test's own."""

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
    """Where PostgreSQL's server programs are: in PATH, or where Debian has them."""
    candidates = [Path(found).resolve().parent for found in [shutil.which("initdb"), shutil.which("postgres")] if found]
    # Debian keeps several versions beside each other, none of them in PATH; the newest will do. Elsewhere there is no such
    # folder, and PATH alone counts.
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise AssertionError("PostgreSQL's server is missing: install Debian's package postgresql, or another with initdb")


class PostgreSQL:
    """A database of its own that is reached by a socket in a folder of its own, so it gets in nobody's way.

    - `settings` are the server's, such as `max_prepared_transactions=2`; `of` is another server that it follows as its replica.
    """

    def __init__(self, *settings: str, of: PostgreSQL | None = None) -> None:
        self._settings = [word for setting in settings for word in ("-c", setting)]
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="nagare-postgres-"))
        # PostgreSQL refuses to be root.
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
        """How it is reached, in libpq's words."""
        return f"host={self.folder} user=postgres dbname=postgres connect_timeout=60"

    def start(self) -> None:
        """Starts it, and returns when it can be used."""
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
                # It does not begin before all processes of one that has crashed are gone.
                self._process = begin()

    def kill(self) -> None:
        """Ends it as a crash does: at once, and every connection with it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
            self._process = None

    def crash(self) -> None:
        """Ends all its processes with no chance to do anything."""
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
