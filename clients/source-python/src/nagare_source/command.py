"""The command that serves a table as a live source, without code."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

from .database import Database, quoted
from .errors import SourceError
from .serve import run
from .table import Table

ALL_FILTERS_LIMIT = 12
"""The maximum number of columns for which every column becomes a filter. In wider tables, only columns with few values become filters."""

UNDO_TIME = 5000
"""The time in milliseconds during which the removal of a row can be undone. Frontends have no other way to restore it."""

COLUMN_NAME = re.compile(r'\s*(-?)(?:"((?:[^"]|"")*)"|([^,"][^,]*?))(?:\s+(asc|desc))?\s*(?:,|$)')
"""A column in an option. It is descending with a `-` before it or `desc` after it, and quoted as in SQL if necessary."""

EPILOG = """nagare --config <(nagare-source-sql --sqlite mail.db --table mail --configuration) serves it."""


def main(arguments: list[str] | None = None) -> None:
    """Serves a table, prints its configuration, or installs or removes its triggers."""
    parser = argparse.ArgumentParser(
        "nagare-source-sql", description="Answers a Nagare server for a table that is live.", epilog=EPILOG
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--sqlite", metavar="FILE", help="an SQLite database")
    where.add_argument("--postgres", metavar="URL", help="a PostgreSQL database: a URL, or what libpq takes else")
    parser.add_argument("--table", required=True, help="the table; in PostgreSQL a schema may stand before a dot")
    parser.add_argument("--columns", type=_column_names, default=[], help="those of the rows in lists: a,b (all without bytes)")
    parser.add_argument("--order", type=_directions, default=[], help="how rows are in order: 'a desc, b' (by time, newest first)")
    parser.add_argument("--id", type=_column_names, default=[], help="a column whose values are unique, or several: a,b (the primary key, or what is unique and not NULL)")
    parser.add_argument("--search", type=_column_names, default=[], help="the columns to search: a,b (all texts)")
    parser.add_argument("--still", action="store_true", help="makes no triggers: the table isn't live")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--configuration", action="store_true", help="prints a configuration of nagare that serves the table")
    what.add_argument("--install", action="store_true", help="makes the triggers, also if one was dropped, and ends")
    what.add_argument("--uninstall", action="store_true", help="drops the triggers and what they noted, and ends")
    options = parser.parse_args(arguments)
    try:
        database = _database(options)
    except ImportError as error:
        sys.exit(f"nagare-source-sql: {error}")
    columns = {"columns": options.columns, "order": options.order, "id": options.id, "search": options.search}
    # Printing a configuration must not create triggers.
    table = Table(database, options.table, **columns, live=not (options.still or options.configuration))
    if not (options.configuration or options.install or options.uninstall):
        return run(table)
    try:
        if options.configuration:
            print(json.dumps(asyncio.run(_configuration(table, database.display_name(options.table), options)), indent=2, ensure_ascii=False))
        else:
            asyncio.run(table.install() if options.install else table.uninstall())
    except SourceError as error:
        sys.exit(f"nagare-source-sql: {error.message}")


def _column_names(text: str) -> list[str]:
    return [found[1].replace('""', '"') or found[2].strip() for found in COLUMN_NAME.findall(text)]


def _directions(text: str) -> dict[str, bool]:
    """Parses the columns of an order, and whether each is descending. `-a` means the same as `a desc`."""
    words = [(found[0] or found[3] == "desc", found[1].replace('""', '"') or found[2].strip()) for found in COLUMN_NAME.findall(text)]
    return {name: bool(falls) for falls, name in words}


def _as_argument(name: str, falls: bool = False) -> str:
    """Converts a column to the text that an option needs."""
    is_plain = list(_directions(name).items()) == [(name, False)]
    return ("-" if falls else "") + (name if is_plain else quoted(name))


def _database(options: argparse.Namespace) -> Database:
    if options.sqlite:
        from .sqlite import SQLite

        return SQLite(options.sqlite)
    from .postgres import PostgreSQL

    return PostgreSQL(options.postgres)


async def _configuration(table: Table, title: str, options: argparse.Namespace) -> dict[str, Any]:
    """Returns a configuration: the table as a list with search and filters, and its rows as details."""
    layout, capabilities, guess = await table.layout(), await table.capabilities(), await table.display_guess()
    if capabilities.why_not_live and not options.still:
        print(f"nagare-source-sql: {options.table} isn't live, as {capabilities.why_not_live}", file=sys.stderr)
    is_live = not (options.still or capabilities.why_not_live)
    first = next(iter(layout.order))
    if capabilities.is_large and not options.order and first not in (*capabilities.indexed, *layout.key):
        # An order that is slow in a long table is replaced.
        keys = ", ".join(layout.key)
        print(
            f"nagare-source-sql: {options.table} is long, and no index is on {first}: its order is that of {keys}. For the newest first:"
            f" CREATE INDEX … ON {options.table} ({first}, {keys}), or --order '{first} desc' for a list that is slow",
            file=sys.stderr,
        )
        layout.order = dict.fromkeys(layout.key, True)
    command = [sys.executable, "-m", "nagare_source", "--table", options.table]
    command += ["--sqlite", str(Path(options.sqlite).absolute())] if options.sqlite else ["--postgres", options.postgres]
    # Writes the search columns to the configuration, so that a growing table doesn't change them.
    search = options.search or (guess.read_columns if capabilities.is_large else [])
    columns = options.columns
    if guess.raw_texts:
        # Excludes these columns by name, because their declarations don't show that they contain bytes.
        columns = columns or [column for column in layout.list_names if column not in guess.raw_texts or column in layout.order]
    written = {
        "columns": list(map(_as_argument, columns)),
        "order": [_as_argument(column, falls) for column, falls in layout.order.items()],
        "search": list(map(_as_argument, search)),
        "id": list(map(_as_argument, options.id)),
    }
    command += [f"--{option}={','.join(names)}" for option, names in written.items() if names]
    command += [] if is_live else ["--still"]
    detail = "details" if title == "detail" else "detail"
    actions: dict[str, Any] = {} if capabilities.is_writable else {"actions": []}
    source = {
        "type": "command",
        "command": command,
        "id": layout.id,
        "writes": ["insert", "change", "remove"] if capabilities.is_writable else [],
        "items": True,
        "positions": True,
        "around": True,
    }
    if is_live:
        source |= {"live": True, "order": [{"by": column, "descending": falls} for column, falls in layout.order.items()]}
    shown = [column for column in layout.comparable if column not in guess.hidden]
    filters = shown if len(shown) <= ALL_FILTERS_LIMIT else guess.filter_columns
    return {
        "sources": {options.table: source},
        "screens": {
            title: {
                "viewModel": "search",
                "source": options.table,
                "pageSize": 50,
                "prefetch": 20,
                "onRefresh": "revalidate",
                "arrivals": "defer",
                **({"undo": UNDO_TIME} if capabilities.is_writable else {}),
                "filters": {column: None for column in filters} | {"sort": None},
                "detail": detail,
                "display": guess.display(whole=False) | actions,
            },
            detail: {"viewModel": "pager", "source": options.table, "whole": True, "display": guess.display(whole=True) | actions},
        },
    }
