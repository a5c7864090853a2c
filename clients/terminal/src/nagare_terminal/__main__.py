"""The command `python -m nagare_terminal`: shows the demo, a file, a configuration, or any server."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from nagare.system import find_nagare

from .app import Terminal
from .device import TtyDevice
from .guard import OncePerLine
from .saved_state import state_file
from .theme import WrongTheme

TABLE_OPTIONS = {"columns": "the columns in lists: a,b", "order": "the order of the rows: 'a desc, b'", "search": "the columns to search: a,b"}
"""Options for a table. They are passed on to the source kit."""


def parse_arguments(words: list[str]) -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m nagare_terminal",
        description="Shows the screens of a server; by default those of the demo.",
        epilog="The program `nagare` is looked up in $NAGARE, in the folder of this program, in PATH, and in .build/release of this folder and the folders above.",
    )
    own = parser.add_mutually_exclusive_group()
    own.add_argument("--file", metavar="FILE", help="lists the items of a file: JSON Lines, or one JSON array")
    own.add_argument("--config", metavar="FILE", help="serves the screens of a configuration")
    own.add_argument("--live", action="store_true", help="simulates a busy mailbox in the demo: mails arrive, are read and are deleted")
    own.add_argument("--sqlite", metavar="FILE", help="lists a table of an SQLite database; needs the package nagare-source")
    own.add_argument("--postgres", metavar="URL", help="lists a table of a PostgreSQL database; needs nagare-source and psycopg")
    parser.add_argument("--table", metavar="TABLE", help="the table")
    parser.add_argument("--id", metavar="KEY", help="the field that is an item's id (default: id), or a table's column (default: its key)")
    for name, what in TABLE_OPTIONS.items():
        parser.add_argument(f"--{name}", metavar="COLUMNS", help=f"{what}, for a table")
    parser.add_argument("--still", action="store_true", help="changes nothing in the table; the list isn't live then")
    parser.add_argument("--screen", metavar="NAME", help="the screen to show first (default: the server's first screen)")
    parser.add_argument("--theme", metavar="FILE", help="the colours and styles (default: theme.json in the folder nagare of your configuration)")
    parser.add_argument("--log", metavar="FILE", help="appends the program's failures, with tracebacks, and the server's log to this file")
    parser.add_argument("command", nargs="*", metavar="-- SERVER COMMAND", help="the command of another server")
    options = parser.parse_args(words)
    if options.command and own_options(options):
        parser.error("--file, --id, --config, --live and tables are options of `nagare`; add options for another server to its command")
    if options.id is not None and options.file is None and options.table is None:
        parser.error("--id is for the items of a --file, or the rows of a --table")
    if options.table is None and (options.still or any(getattr(options, name) for name in TABLE_OPTIONS)):
        parser.error("--columns, --order, --search and --still are for a --table")
    if (options.table is None) != (options.sqlite is None and options.postgres is None):
        parser.error("--table is for a table of --sqlite or --postgres")
    return options


def own_options(options: argparse.Namespace) -> list[str]:
    """Returns the options for `nagare`, or for the source kit if it serves a table."""
    names = "file", "id", "config", "sqlite", "postgres", "table", *TABLE_OPTIONS
    # Written with =, because a value may begin with a -.
    named = [f"--{name}={value}" for name in names if (value := getattr(options, name)) is not None]
    return named + [f"--{name}" for name in ("live", "still") if getattr(options, name)]


def write_table_configuration(words: list[str], folder: Path) -> list[str]:
    """Returns the options with which `nagare` serves a table. The source kit writes a configuration into a folder for it."""
    try:
        from nagare_source import command
    except ImportError:
        sys.exit("nagare_terminal: tables need the package nagare-source: pip install ./clients/source-python")
    path = folder / "table.json"
    with path.open("w") as file, redirect_stdout(file):
        command.main([*words, "--configuration"])
    return ["--config", str(path)]


def main() -> int:
    # A private folder, because the configuration of a table may contain a password.
    with tempfile.TemporaryDirectory() as folder:
        return show(parse_arguments(sys.argv[1:]), Path(folder))


def show(options: argparse.Namespace, folder: Path) -> int:
    """Shows a server's screens until the user quits. Returns the exit status."""
    own = own_options(options)
    command: list[str] = options.command or ["nagare", *(write_table_configuration(own, folder) if options.table else own)]
    if command[0] == "nagare":
        program = find_nagare()
        if program is None:
            print(
                "nagare_terminal: can't find the program `nagare`; build it with `swift build -c release`, "
                "or set NAGARE=/path/to/nagare",
                file=sys.stderr,
            )
            return 2
        command[0] = program
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("nagare_terminal: standard input and output must be a terminal", file=sys.stderr)
        return 2
    try:
        log_to(options.log)
    except OSError as error:
        print(f"nagare_terminal: {options.log}: {error.strerror}", file=sys.stderr)
        return 2
    # The path of a table's configuration differs each time, so the state file depends on the options instead.
    state = state_file([*command[:1], *(own or command[1:])])
    try:
        return Terminal(command, options.screen, device=TtyDevice(), theme_file=theme_file(options.theme), state=state).run()
    except WrongTheme as error:
        print(f"nagare_terminal: {error}", file=sys.stderr)
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
