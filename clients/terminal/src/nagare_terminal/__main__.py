"""`python -m nagare_terminal`: the demo, a file, a configuration, or any server."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from .app import Terminal

BUILT = Path(".build", "release", "nagare")


def arguments(words: list[str]) -> argparse.Namespace:
    """What was said on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m nagare_terminal",
        description="Shows a server's screens: the demo's, if nothing else is said.",
        epilog="The program `nagare` is the one that $NAGARE names, or in PATH, or in .build/release of this folder or one above.",
    )
    own = parser.add_mutually_exclusive_group()
    own.add_argument("--file", metavar="FILE", help="lists the items of a file: JSON Lines, or one JSON array")
    own.add_argument("--config", metavar="FILE", help="serves the screens of a configuration")
    parser.add_argument("--id", metavar="KEY", help="the member of a file's item that is its id (default: id)")
    parser.add_argument("--screen", metavar="NAME", help="the screen to begin with; the first, if none is named")
    parser.add_argument("command", nargs="*", metavar="-- SERVER COMMAND", help="a server of one's own, and its arguments")
    told = parser.parse_args(words)
    if told.command and options(told):
        parser.error("--file, --id and --config are for `nagare` itself: give them to the server's command instead")
    if told.id is not None and told.file is None:
        parser.error("--id is for the items of a --file")
    return told


def options(told: argparse.Namespace) -> list[str]:
    """What is handed on to `nagare`."""
    named = {"--file": told.file, "--id": told.id, "--config": told.config}
    return [word for option, value in named.items() if value is not None for word in (option, value)]


def find_nagare() -> str | None:
    """The program `nagare`, wherever it is."""
    if named := os.environ.get("NAGARE"):
        return named
    beside = [folder / BUILT for start in (Path.cwd(), Path(__file__).resolve()) for folder in (start, *start.parents)]
    return shutil.which("nagare") or next((str(program) for program in beside if program.is_file()), None)


def main() -> int:
    told = arguments(sys.argv[1:])
    command: list[str] = told.command or ["nagare", *options(told)]
    if command[0] == "nagare":
        program = find_nagare()
        if program is None:
            print(
                "nagare_terminal: there is no program `nagare`; build it by `swift build -c release`, "
                "or name it: NAGARE=/path/to/nagare",
                file=sys.stderr,
            )
            return 2
        command[0] = program
    terminal = Terminal(command, told.screen)
    terminal.run()
    return terminal.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
