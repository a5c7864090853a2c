"""Runs programs that listen on a port and start a process for each connection, and connects to them."""

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
#: The folder of libraries that programs in `.build/debian` need and the system may lack.
ENVIRONMENT = {
    "LD_LIBRARY_PATH": ":".join(str(DEBIAN / folder) for folder in (f"usr/{LIBRARIES}/systemd", f"usr/{LIBRARIES}", LIBRARIES))
}
PATIENCE = 30.0


def debian(program: str) -> str:
    """Returns the path of a program that `programs` has downloaded, or the system's."""
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
    """Waits until a condition is true that depends on another process."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what}: it doesn't happen"
        time.sleep(0.01)


def descendants(process: int) -> list[int]:
    """Returns the descendants of a process. Any of them may end meanwhile."""
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
    """Whether a process exists and isn't a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Gateway:
    """A listening process, in a separate process group."""

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
        """Reads Linux's table of sockets (0A: listening), because a connection would start a process."""
        assert self.process.poll() is None, self.log.read_text()
        listening = f":{self.port:04X} 00000000:0000 0A"
        return listening in Path("/proc/net/tcp").read_text()

    def servers(self, name: str = "nagare") -> list[int]:
        """Returns the process ids of its descendants with a program's name."""
        return [
            process
            for process in descendants(self.process.pid)
            if words(Path(f"/proc/{process}/comm")) == [name] and runs(process)
        ]

    def server(self) -> int:
        """Waits until there is exactly one such descendant, and returns its process id."""
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
    """A client of a socket, with one message a line."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.lines = self.socket.makefile("rb")

    def write(self, *lines: str) -> None:
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def line(self) -> str:
        """Returns the next line; empty at the end."""
        return self.lines.readline().decode()

    def rest(self) -> list[str]:
        return [line.decode() for line in self.lines]

    def half_close(self) -> None:
        """Closes the sending direction, and still receives."""
        self.socket.shutdown(socket.SHUT_WR)

    def vanish(self) -> None:
        """Aborts the connection, like a client whose machine is reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.lines.close()
        self.socket.close()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()
