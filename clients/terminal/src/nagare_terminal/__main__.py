"""`python -m nagare_terminal`: the demo, a file, a configuration, or any server."""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from .app import Terminal
from .device import Tty
from .guard import OncePerPlace
from .saved_state import state_file
from .theme import WrongTheme

TABLE = {"columns": "those in lists: a,b", "order": "the order of the rows: 'a desc, b'", "search": "where words are looked for: a,b"}
"""What else may be said of a table, and handed on to the kit."""
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
    own.add_argument("--live", action="store_true", help="serves the demo's screens, whose mails come and go by themselves")
    own.add_argument("--sqlite", metavar="FILE", help="lists a table of an SQLite database; needs the package nagare-source")
    own.add_argument("--postgres", metavar="URL", help="lists a table of a PostgreSQL database; needs nagare-source and psycopg")
    parser.add_argument("--table", metavar="TABLE", help="the table")
    parser.add_argument("--id", metavar="KEY", help="the member of a file's item that is its id (default: id), or a table's column (default: its key)")
    for name, what in TABLE.items():
        parser.add_argument(f"--{name}", metavar="COLUMNS", help=f"{what}, for a table")
    parser.add_argument("--still", action="store_true", help="leaves the table as it is, which isn't live then")
    parser.add_argument("--screen", metavar="NAME", help="the screen to begin with; the first, if none is named")
    parser.add_argument("--theme", metavar="FILE", help="what styles look like (default: theme.json in the folder nagare of your configuration)")
    parser.add_argument("--log", metavar="FILE", help="adds the program's own failures, with their tracebacks, and what the server says to this file")
    parser.add_argument("command", nargs="*", metavar="-- SERVER COMMAND", help="a server of one's own, and its arguments")
    told = parser.parse_args(words)
    if told.command and options(told):
        parser.error("--file, --id, --config, --live and tables are for `nagare` itself: give them to the server's command instead")
    if told.id is not None and told.file is None and told.table is None:
        parser.error("--id is for the items of a --file, or the rows of a --table")
    if told.table is None and (told.still or any(getattr(told, name) for name in TABLE)):
        parser.error("--columns, --order, --search and --still are for a --table")
    if (told.table is None) != (told.sqlite is None and told.postgres is None):
        parser.error("--table is for a table of --sqlite or --postgres")
    return told


def options(told: argparse.Namespace) -> list[str]:
    """What is handed on to `nagare`, or to the kit that serves a table."""
    names = "file", "id", "config", "sqlite", "postgres", "table", *TABLE
    # What begins with a - is a value all the same.
    named = [f"--{name}={value}" for name in names if (value := getattr(told, name)) is not None]
    return named + [f"--{name}" for name in ("live", "still") if getattr(told, name)]


def configured(words: list[str], folder: Path) -> list[str]:
    """What `nagare` serves a table by: a configuration that the kit writes into a folder."""
    try:
        from nagare_source import command
    except ImportError:
        sys.exit("nagare_terminal: tables need the package nagare-source: pip install ./clients/source-python")
    path = folder / "table.json"
    with path.open("w") as file, redirect_stdout(file):
        command.main([*words, "--configuration"])
    return ["--config", str(path)]


def find_nagare() -> str | None:
    """The program `nagare`, wherever it is."""
    if named := os.environ.get("NAGARE"):
        return named
    beside = [folder / BUILT for start in (Path.cwd(), Path(__file__).resolve()) for folder in (start, *start.parents)]
    return shutil.which("nagare") or next((str(program) for program in beside if program.is_file()), None)


def main() -> int:
    # For nobody else: the configuration of a table may hold a password.
    with tempfile.TemporaryDirectory() as folder:
        return show(arguments(sys.argv[1:]), Path(folder))


def show(told: argparse.Namespace, folder: Path) -> int:
    """Shows what was named, until the user has had enough."""
    own = options(told)
    command: list[str] = told.command or ["nagare", *(configured(own, folder) if told.table else own)]
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
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("nagare_terminal: standard input and output have to be a terminal", file=sys.stderr)
        return 2
    try:
        log(told.log)
    except OSError as error:
        print(f"nagare_terminal: {told.log}: {error.strerror}", file=sys.stderr)
        return 2
    # A table's configuration lies elsewhere each time: what was asked for tells where the user was.
    state = state_file([*command[:1], *(own or command[1:])])
    try:
        return Terminal(command, told.screen, device=Tty(), look=look(told.theme), state=state).run()
    except WrongTheme as error:
        print(f"nagare_terminal: {error}", file=sys.stderr)
        return 2


def log(file: str | None) -> None:
    """Has all that is logged go to a file, or nowhere: on standard error it would spoil what is shown."""
    handler: logging.Handler = logging.NullHandler()
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
    handler.addFilter(OncePerPlace())
    logging.basicConfig(handlers=[handler], level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", force=True)


def look(named: str | None) -> Path | None:
    """The file of the theme: the one that was named, or the user's own, if there is one."""
    own = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nagare" / "theme.json"
    return Path(named) if named is not None else own if own.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
