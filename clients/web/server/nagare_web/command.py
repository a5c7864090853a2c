"""The command `nagare web`: serves the page on this machine."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .browser import open_browser
from .files import WEB, MissingSite, find_site

if TYPE_CHECKING:
    from .server import Server

HELP = """usage: nagare web [--open] [--port N] [options of nagare | -- PROGRAM ARGUMENT ...]

Serves screens to a browser on this machine, and prints the page's address. Each page has a separate nagare. All options that aren't
listed here are passed to it: `nagare --help` lists them. After `--`, the screens of another program are shown.

  --open       open the address in a browser
  --port N     the port of the address (default: 8080, or the next free one; 0: any)
  --help       print this help

The program nagare is looked up in the environment variable NAGARE, next to this program, and in PATH. The address contains a key, without
which no other user of this machine can use the page. It is new at each start, unless the environment variable NAGARE_WEB_KEY sets it.
"""
USAGE, CONFIGURATION = 64, 78
"""Exit statuses."""
PATIENCE = 5.0
END = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n{"jsonrpc":"2.0","method":"exit"}\n'


class Problem(Exception):
    """An error that is reported to the user, with an exit status."""

    def __init__(self, message: str, status: int = CONFIGURATION) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Arguments:
    command: list[str]
    port: int = 8080
    open: bool = False


def main() -> int:
    words = sys.argv[1:]
    if {"--help", "-h"} & set(words[: words.index("--")] if "--" in words else words):
        print(HELP, end="")
        return 0
    return reporting(lambda: serve_arguments(words))


def reporting(run: Callable[[], int]) -> int:
    """Runs a command, and returns its exit status. Reports its problems."""
    try:
        return run()
    except Problem as problem:
        print(f"nagare web: {problem}", file=sys.stderr)
        return problem.status
    except KeyboardInterrupt:
        return 0


def serve_arguments(words: list[str]) -> int:
    """Serves the page until it is stopped, and returns the exit status."""
    arguments = parse(words)
    if "--version" in arguments.command and "--" not in words:
        os.execv(arguments.command[0], arguments.command)
    key = os.environ.pop("NAGARE_WEB_KEY", None)
    if key and not re.fullmatch(r"[\w-]+", key, re.ASCII):
        raise Problem("NAGARE_WEB_KEY isn't a key: use letters, digits, - and _")
    try:
        checking = subprocess.Popen(arguments.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    except OSError as error:
        raise Problem(f"can't start {arguments.command[0]}: {error.strerror}") from None
    try:
        # Both take a moment. Meanwhile, the program checks its options.
        from . import server

        site = find_site()
    except ModuleNotFoundError as error:
        checking.kill()
        raise Problem(f"the Python package {error.name} is missing: pip install aiohttp") from None
    except MissingSite as error:
        checking.kill()
        raise Problem(str(error)) from None
    if status := check(checking, arguments.command[0]):
        return status
    try:
        listeners = server.listen(arguments.port)
    except OSError as error:
        raise Problem(f"can't use port {arguments.port}: {os.strerror(error.errno or 0)}; choose another one: --port 8081", 1) from None
    asyncio.run(serve(server.Server(site, arguments.command, listeners, key), arguments))
    return 0


def parse(words: list[str]) -> Arguments:
    """Reads the own options, and leaves all others to the program."""
    own, program = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    arguments = Arguments([])
    rest: list[str] = []
    remaining = iter(own)
    for word in remaining:
        if word == "--open":
            arguments.open = True
        elif word == "--port":
            arguments.port = parse_port(next(remaining, ""))
        elif word.startswith("--port="):
            arguments.port = parse_port(word.removeprefix("--port="))
        else:
            rest.append(word)
    if not program:
        arguments.command = [find_nagare(), *rest]
    elif rest:
        raise Problem(f"{rest[0]} is an option of nagare, but another program is shown; add options of that program after its name", USAGE)
    else:
        found = shutil.which(program[0])
        if found is None:
            raise Problem(f"{program[0]} is missing: name a program in PATH, or the path of one")
        arguments.command = [found, *program[1:]]
    return arguments


def parse_port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text, re.ASCII) or int(text) > 65535:
        raise Problem(f"--port {text} isn't a port: use a number from 1 to 65535, or 0 for any free port", USAGE)
    return int(text)


def find_nagare() -> str:
    """Finds the program `nagare`: the named one, one that is installed, or the one that was built in this checkout."""
    if named := os.environ.get("NAGARE"):
        if shutil.which(named) is None:
            raise Problem(f"{named} is missing: the environment variable NAGARE must be the path of the program nagare")
        return named
    built = WEB.parents[1] / ".build" / "release" / "nagare"
    program = find_program("nagare") or shutil.which(built)
    if program is None:
        raise Problem("can't find the program nagare: build it with `swift build -c release --product nagare`, or set the environment variable NAGARE to its path")
    return program


def find_program(name: str) -> str | None:
    """Finds a program next to this one, or else in PATH. Relative folders in PATH are skipped."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which(name, path=os.pathsep.join([str(Path(sys.argv[0]).resolve().parent), *folders]))


def check(checking: subprocess.Popen[bytes], name: str) -> int:
    """Returns the exit status of a program that is asked to exit at once, so that its options are checked now, instead of for every page.

    It is asked to, because at the end of its input it would first finish its work, which may take forever.
    """
    try:
        checking.communicate(END, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        checking.kill()
        checking.wait()
        print(f"{name} didn't exit within {PATIENCE:g} s after it was asked to; it is served anyway.", file=sys.stderr)
        return 0
    return checking.returncode if checking.returncode >= 0 else 128 - checking.returncode


async def serve(server: Server, arguments: Arguments) -> None:
    """Serves the page until Control-C or a signal."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # With `nohup`, SIGHUP stays ignored.
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await server.start()
    if server.port != arguments.port and arguments.port:
        print(f"Port {arguments.port} is taken, so port {server.port} is used.")
    print(f"The page is at {server.address}\nPress Control-C to stop.", flush=True)
    if arguments.open:
        open_browser(server.address_once, lambda: print("No browser can be opened here. Open the address above in a browser on this machine.", file=sys.stderr))
    await stop.wait()
    await server.stop()
