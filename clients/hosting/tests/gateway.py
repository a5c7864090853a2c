"""What listens on a port and starts a program for each connection, as these tests run it."""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DEBIAN = ROOT / ".build" / "debian"
LIBRARIES = f"lib/{platform.machine()}-linux-gnu"
#: Where the libraries are that programs of `.build/debian` need and the system may lack.
ENVIRONMENT = {
    "LD_LIBRARY_PATH": ":".join(str(DEBIAN / folder) for folder in (f"usr/{LIBRARIES}/systemd", f"usr/{LIBRARIES}", LIBRARIES))
}
PATIENCE = 30.0


def debian(program: str) -> str:
    """A program that `programs` fetches, else the system's."""
    places = [DEBIAN / "usr" / "bin", DEBIAN / "usr" / "sbin", *map(Path, os.environ["PATH"].split(":")), Path("/usr/sbin")]
    for place in places:
        if (place / program).exists():
            return str(place / program)
    raise AssertionError(f"{program} is missing: install Debian's package of that name, or run `clients/hosting/programs`")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def until(condition: Callable[[], object], what: str) -> None:
    """Waits for something that another process does."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what}: it doesn't happen"
        time.sleep(0.01)


def descendants(process: int) -> list[int]:
    """The processes below one, whatever is between; any of them may end meanwhile."""
    try:
        tasks = os.listdir(f"/proc/{process}/task")
    except OSError:
        return []
    children = [int(child) for task in tasks for child in words(Path(f"/proc/{process}/task/{task}/children"))]
    return children + [further for child in children for further in descendants(child)]


def words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def runs(process: int) -> bool:
    """Whether it is there, and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Gateway:
    """A process that listens, in a group of its own."""

    def __init__(self, command: list[str], port: int, folder: Path, environment: dict[str, str]) -> None:
        self.port = port
        self.log = folder / f"gateway-{port}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, **ENVIRONMENT, **environment},
            )
        until(self.listens, f"{command[0]} listens")

    def listens(self) -> bool:
        """Looks into Linux's table of sockets (0A: listens), for a connection would start a process."""
        assert self.process.poll() is None, self.log.read_text()
        listening = f":{self.port:04X} 00000000:0000 0A"
        return listening in Path("/proc/net/tcp").read_text()

    def servers(self, name: str = "nagare") -> list[int]:
        """The programs of that name that it has started."""
        return [
            process
            for process in descendants(self.process.pid)
            if words(Path(f"/proc/{process}/comm")) == [name] and runs(process)
        ]

    def server(self) -> int:
        """The only one of them, as soon as it is there."""
        until(lambda: len(self.servers()) == 1, "one server runs")
        return self.servers()[0]

    def connect(self) -> Client:
        return Client(self.port)

    def end(self) -> None:
        below = descendants(self.process.pid)
        self.process.kill()
        self.process.wait()
        for process in filter(runs, below):
            os.kill(process, signal.SIGKILL)


class Client:
    """A client at the other end of a socket, one message a line."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.lines = self.socket.makefile("rb")

    def write(self, *lines: str) -> None:
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def line(self) -> str:
        """The next line; empty at the end."""
        return self.lines.readline().decode()

    def rest(self) -> list[str]:
        return [line.decode() for line in self.lines]

    def half_close(self) -> None:
        """Says that nothing more comes, and goes on to listen."""
        self.socket.shutdown(socket.SHUT_WR)

    def vanish(self) -> None:
        """As a client whose machine is reset: no word of farewell."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.lines.close()
        self.socket.close()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()
