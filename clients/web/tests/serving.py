"""Serves the page as `make web` does."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]


def binary(product: str = "nagare") -> str:
    """Returns a program of this package: next to the one in the environment variable NAGARE, or in the release build."""
    program = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare")).with_name(product)
    assert program.exists(), f"{program} is missing: run `swift build -c release --product {product}`"
    return str(program)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """A server of the page on a separate port. It can be killed and started again."""

    killed: ClassVar[set[str]] = set()
    """The addresses of the servers that tests have killed."""

    def __init__(self, *options: str, program: str | None = None, log: int | None = None) -> None:
        self.options, self.program, self.log = options, program or binary(), log
        self.port = free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/web/"

    @classmethod
    def gone(cls) -> tuple[str, ...]:
        """Returns the prefixes of all URLs that killed servers have served."""
        return tuple(url.removesuffix("web/") for url in cls.killed)

    def start(self) -> None:
        environment = os.environ | {"PORT": str(self.port), "NAGARE": self.program}
        # In a separate process group, so that it is ended with all processes that it has started.
        self.process = subprocess.Popen(
            [PACKAGE / "serve", *self.options],
            env=environment,
            stdout=subprocess.DEVNULL if self.log is None else self.log,
            stderr=self.log,
            start_new_session=True,
        )
        while not self.answers():
            assert self.process.poll() is None, "the server of the page has ended"
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self.killed.add(self.url)
        # A test may have ended it and its processes already.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
