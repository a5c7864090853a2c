"""The command `nagare repl`: a prompt for any program that speaks Nagare's protocol."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from nagare.system import find_nagare

from .client import Client
from .interactive import run_prompt
from .printer import Printer, is_terminal
from .script import run_script

USAGE_ERROR = 64
SCRIPT_TIMEOUT = 60.0
"""Seconds that a line of a script may wait. A person can stop waiting with Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """Ends with the same status as `nagare` for wrong options."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(USAGE_ERROR, f"nagare repl: {message}\n")


def parse_arguments(words: list[str]) -> tuple[float | None, list[str]]:
    """Returns the timeout and the command of the program."""
    parser = Parser(
        prog="nagare repl",
        usage="nagare repl [--timeout SECONDS] [OPTIONS OF NAGARE | -- PROGRAM ARGUMENT…]",
        description="Explores a program that speaks Nagare's protocol; by default nagare with its demo.",
        epilog="Type “help” at the prompt. If the input isn't a terminal, each of its lines is carried out, and the exit "
        "status is 1 if one failed. The options of nagare are those of “nagare --help”, such as --file FILE.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="how long a line may wait (default: 60 if the input isn't a terminal, otherwise no limit)",
    )
    program: list[str] | None = None
    if "--" in words:
        words, program = words[: words.index("--")], words[words.index("--") + 1 :]
    options, others = parser.parse_known_args(words)
    if program is not None:
        if others:
            parser.error(f"write {others[0]} behind the program: nagare repl -- PROGRAM {others[0]}")
        if not program:
            parser.error("a program is missing after --")
    elif others and not others[0].startswith("-"):
        parser.error(f"write -- before a program: nagare repl -- {' '.join(others)}")
    if options.timeout is not None and not options.timeout > 0:
        parser.error("--timeout must be a number greater than 0")
    return options.timeout, program or ["nagare", *others]


class _Log(logging.Handler):
    """Passes the program's standard error to the printer."""

    def __init__(self, printer: Printer) -> None:
        super().__init__()
        self._printer = printer

    def emit(self, record: logging.LogRecord) -> None:
        self._printer.log(record.getMessage())


async def explore(command: list[str], timeout: float | None) -> int:
    """Runs the program until the user quits, or the input ends. Returns the exit status."""
    is_interactive = is_terminal(sys.stdin, sys.stdout)
    printer = Printer(is_interactive)
    server_log = logging.getLogger("nagare.server")
    server_log.addHandler(_Log(printer))
    server_log.setLevel(logging.INFO)
    server_log.propagate = False
    client = Client(command, printer, timeout if timeout is not None or is_interactive else SCRIPT_TIMEOUT)
    try:
        await client.start()
    except OSError as error:
        print(f"nagare repl: can't start {command[0]}: {error.strerror}", file=sys.stderr)
        return 127 if isinstance(error, FileNotFoundError) else 126
    failures = 0
    if is_interactive:
        await run_prompt(client)
    else:
        failures = await run_script(client)
    return exit_status(client, failures)


def exit_status(client: Client, failures: int) -> int:
    """Reports a program that failed. Returns the exit status: the program's, or 1 if a line failed."""
    status = client.status or 0
    if status:
        how = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
        client.printer.error(f"nagare repl: {client.command[0]} {how}")
    return status if status > 0 else 1 if status < 0 or failures else 0


def main() -> int:
    timeout, command = parse_arguments(sys.argv[1:])
    if command[0] == "nagare":
        program = find_nagare()
        if program is None:
            print(
                "nagare repl: can't find the program nagare; build it with “swift build -c release --product nagare”, "
                "or set NAGARE=/path/to/nagare",
                file=sys.stderr,
            )
            return 127
        command[0] = program
    try:
        return asyncio.run(explore(command, timeout))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
