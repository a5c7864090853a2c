"""The command `nagare demo`: the page with the live demo, in a browser that opens by itself."""

from __future__ import annotations

import importlib.util
import os
import sys

from .command import Problem, find_program, reporting, serve_arguments

HELP = """usage: nagare demo [--port N] [options of nagare]
       nagare demo --terminal [options of nagare terminal]

Shows demo screens in a browser, which opens by itself. In them, mails arrive, are read and are deleted.

  --terminal   show them in this terminal instead
  --port N     the port of the page's address (default: 8080, or the next free one; 0: any)
  --help       print this help
"""


def main() -> int:
    words = sys.argv[1:]
    if "--help" in words or "-h" in words:
        print(HELP, end="")
        return 0
    if "--terminal" in words:
        return reporting(lambda: run_terminal([word for word in words if word != "--terminal"]))
    return reporting(lambda: serve_arguments(["--open", "--live", *words]))


def run_terminal(words: list[str]) -> int:
    """Replaces this process by the terminal's frontend."""
    if program := find_program("nagare-terminal"):
        command = [program]
    elif importlib.util.find_spec("nagare_terminal"):
        command = [sys.executable, "-m", "nagare_terminal"]
    else:
        raise Problem("can't find the program nagare-terminal: install Nagare's package for the terminal, or show the demo in a browser with `nagare demo`")
    os.execv(command[0], [*command, "--live", *words])


if __name__ == "__main__":
    sys.exit(main())
