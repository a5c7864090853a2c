"""Serves the page as `nagare web` does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
KEY = "the-key-of-all-tests"

sys.path.append(str(PACKAGE / "server"))

# The web server runs in processes that have loaded it already, because loading it takes longer than most tests. They find it by the
# environment only.
os.environ["PYTHONPATH"] = str(PACKAGE / "server")
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["nagare_web.server"])


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


def run(words: list[str], environment: dict[str, str], log: str) -> None:
    """Runs `nagare web` in this process, which gets its own process group, so that it is ended with all processes that it has started."""
    from nagare_web.command import main

    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)
    sys.argv = ["nagare-web", *words]
    sys.exit(main())


class Site:
    """A server of the page on a separate port. It can be killed and started again."""

    killed: ClassVar[set[str]] = set()
    """The addresses of the servers that tests have killed."""

    def __init__(self, *options: str, program: str | None = None, log: Path | None = None) -> None:
        self.options, self.program, self.log = options, program or binary(), log or Path(os.devnull)
        self.port = free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/web/"

    @property
    def address(self) -> str:
        """The address that is printed, with the key."""
        return f"http://127.0.0.1:{self.port}/?key={KEY}"

    @classmethod
    def gone(cls) -> tuple[str, ...]:
        """Returns the prefixes of all URLs that killed servers have served."""
        return tuple(url.removesuffix("web/") for url in cls.killed)

    def start(self) -> None:
        environment = os.environ | {"NAGARE": self.program, "NAGARE_WEB_KEY": KEY}
        self.process = PROCESSES.Process(target=run, args=(["--port", str(self.port), *self.options], dict(environment), str(self.log)))
        self.process.start()
        while not self.answers():
            assert self.process.is_alive(), "the server of the page has ended"
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

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
            os.killpg(self.pid, signal.SIGKILL)
        self.process.join()
