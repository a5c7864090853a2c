"""The command `nagare terminal`: shows the demo, a file, a configuration, or any server."""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
from pathlib import Path

from nagare.system import find_nagare

from .app import Terminal
from .device import TtyDevice
from .guard import OncePerLine
from .saved_state import state_file
from .theme import WrongTheme

PROGRAM = "nagare terminal"
PATIENCE = 30
"""The seconds after which a check of the options is given up. A database on another computer may take some."""
END = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n{"jsonrpc":"2.0","method":"exit"}\n'


def parse_arguments(words: list[str]) -> tuple[argparse.Namespace, list[str], list[str]]:
    """Parses the command line. Returns the terminal's own options, the options for `nagare`, and the command of another program."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [--screen NAME] [--theme FILE] [--log FILE] [options of nagare | -- PROGRAM ARGUMENT ...]",
        description="Shows the screens of a server in this terminal; by default those of the demo. All options that aren't listed here are "
        "passed to `nagare`: `nagare --help` lists them. After `--`, the screens of another program are shown.",
        epilog="The program `nagare` is looked up in $NAGARE, in the folder of this program, in PATH, and in .build/release of this folder and the folders above.",
        allow_abbrev=False,
    )
    parser.add_argument("--screen", metavar="NAME", help="the screen to show first (default: the server's first screen)")
    parser.add_argument("--theme", metavar="FILE", help="the colours and styles (default: theme.json in the folder nagare of your configuration)")
    parser.add_argument("--log", metavar="FILE", help="appends the program's failures, with tracebacks, and the server's log to this file")
    own, program = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    options, rest = parser.parse_known_args(own)
    if program and rest:
        parser.error(f"{rest[0]} is an option of nagare, but another program is shown; add options of that program after its name")
    return options, rest, program


def main() -> int:
    """Shows a server's screens until the user quits. Returns the exit status."""
    options, own, program = parse_arguments(sys.argv[1:])
    command = program or ["nagare", *own]
    if command[0] == "nagare":
        found = find_nagare()
        if found is None:
            return failed("can't find the program `nagare`; build it with `swift build -c release`, or set NAGARE=/path/to/nagare")
        command[0] = found
    if "--remove-triggers" in own:
        # It only prints what it does, so nothing is shown.
        os.execv(command[0], command)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return failed("standard input and output must be a terminal")
    if own and (status := check(command)):
        return status
    try:
        log_to(options.log)
    except OSError as error:
        return failed(f"{options.log}: {error.strerror}")
    try:
        return Terminal(command, options.screen, device=TtyDevice(), theme_file=theme_file(options.theme), state=state_file(command)).run()
    except WrongTheme as error:
        return failed(str(error))


def check(command: list[str]) -> int:
    """Returns the exit status of a `nagare` that is asked to exit at once. So wrong options are reported before the screens are shown."""
    try:
        return subprocess.run(command, input=END, stdout=subprocess.DEVNULL, timeout=PATIENCE).returncode
    except (OSError, subprocess.TimeoutExpired):
        # This is reported when the screens are shown.
        return 0
    except KeyboardInterrupt:
        return 130


def failed(message: str) -> int:
    print(f"{PROGRAM}: {message}", file=sys.stderr)
    return 2


def log_to(file: str | None) -> None:
    """Writes the log to a file, or drops it. On standard error it would disturb the screen."""
    handler: logging.Handler = logging.NullHandler()
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
    handler.addFilter(OncePerLine())
    logging.basicConfig(handlers=[handler], level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", force=True)


def theme_file(named: str | None) -> Path | None:
    """Returns the theme's file: the named one, or the one in the user's configuration folder if it exists."""
    # Without a home, `~` stays as it is, and no file is found.
    own = Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "nagare" / "theme.json"
    return Path(named) if named is not None else own if own.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
