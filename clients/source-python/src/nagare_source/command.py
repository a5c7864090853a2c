"""A table as a live source without a line of code."""

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

MANY = 12
"""Columns of a table that are all filters. Of more, those are that have few values."""

NAME = re.compile(r'\s*(-?)(?:"((?:[^"]|"")*)"|([^,"][^,]*?))(?:\s+(asc|desc))?\s*(?:,|$)')
"""A column: after a `-` or before `desc` if it falls, and quoted as in SQL if need be."""

EPILOG = """nagare --config <(nagare-source-sql --sqlite mail.db --table mail --configuration) serves it."""


def main(arguments: list[str] | None = None) -> None:
    """Serves a table, or does what else is asked for."""
    parser = argparse.ArgumentParser(
        "nagare-source-sql", description="Answers a Nagare server for a table that is live.", epilog=EPILOG
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--sqlite", metavar="FILE", help="an SQLite database")
    where.add_argument("--postgres", metavar="URL", help="a PostgreSQL database: a URL, or what libpq takes else")
    parser.add_argument("--table", required=True, help="the table; in PostgreSQL a schema may stand before a dot")
    parser.add_argument("--columns", type=_names, default=[], help="those of the rows in lists: a,b (all)")
    parser.add_argument("--order", type=_order, default=[], help="how rows are in order: 'a desc, b' (by time, newest first)")
    parser.add_argument("--id", type=_names, default=[], help="a column whose values are unique, or several: a,b (the primary key)")
    parser.add_argument("--search", type=_names, default=[], help="where words are looked for: a,b (all texts)")
    parser.add_argument("--still", action="store_true", help="makes no triggers: the table isn't live")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--configuration", action="store_true", help="prints a configuration of nagare that serves the table")
    what.add_argument("--install", action="store_true", help="makes the triggers, also if one was dropped, and ends")
    what.add_argument("--uninstall", action="store_true", help="drops the triggers and what they noted, and ends")
    told = parser.parse_args(arguments)
    try:
        database = _database(told)
    except ImportError as error:
        sys.exit(f"nagare-source-sql: {error}")
    columns = {"columns": told.columns, "order": told.order, "id": told.id, "search": told.search}
    # Who only wants to see a configuration has nothing made.
    table = Table(database, told.table, **columns, live=not (told.still or told.configuration))
    if not (told.configuration or told.install or told.uninstall):
        return run(table)
    try:
        if told.configuration:
            print(json.dumps(asyncio.run(_configuration(table, database.bare(told.table), told)), indent=2, ensure_ascii=False))
        else:
            asyncio.run(table.install() if told.install else table.uninstall())
    except SourceError as error:
        sys.exit(f"nagare-source-sql: {error.message}")


def _names(text: str) -> list[str]:
    return [told[1].replace('""', '"') or told[2].strip() for told in NAME.findall(text)]


def _order(text: str) -> dict[str, bool]:
    """The columns, and whether each falls; `-a` is `a desc`."""
    words = [(told[0] or told[3] == "desc", told[1].replace('""', '"') or told[2].strip()) for told in NAME.findall(text)]
    return {name: bool(falls) for falls, name in words}


def _written(name: str, falls: bool = False) -> str:
    """A name as it is told on the command line."""
    is_plain = list(_order(name).items()) == [(name, False)]
    return ("-" if falls else "") + (name if is_plain else quoted(name))


def _database(told: argparse.Namespace) -> Database:
    if told.sqlite:
        from .sqlite import SQLite

        return SQLite(told.sqlite)
    from .postgres import PostgreSQL

    return PostgreSQL(told.postgres)


async def _configuration(table: Table, title: str, told: argparse.Namespace) -> dict[str, Any]:
    """What serves the table as a list of this name that is searched and filtered, and its rows as details."""
    layout, nature, looks = await table.layout(), await table.nature(), await table.looks()
    if nature.still and not told.still:
        print(f"nagare-source-sql: {told.table} isn't live, as {nature.still}", file=sys.stderr)
    is_live = not (told.still or nature.still)
    first = next(iter(layout.order))
    if nature.is_long and not told.order and first not in (*nature.indexed, *layout.key):
        # A list that is slow is none.
        keys = ", ".join(layout.key)
        print(
            f"nagare-source-sql: {told.table} is long, and no index is on {first}: its order is that of {keys}. For the newest first:"
            f" CREATE INDEX … ON {told.table} ({first}, {keys}), or --order '{first} desc' for a list that is slow",
            file=sys.stderr,
        )
        layout.order = dict.fromkeys(layout.key, True)
    command = [sys.executable, "-m", "nagare_source", "--table", told.table]
    command += ["--sqlite", str(Path(told.sqlite).absolute())] if told.sqlite else ["--postgres", told.postgres]
    # What stands in the configuration and what the program does are the same, however the table grows.
    search = told.search or (looks.read if nature.is_long else [])
    written = {
        "columns": list(map(_written, told.columns)),
        "order": [_written(column, falls) for column, falls in layout.order.items()],
        "search": list(map(_written, search)),
        "id": list(map(_written, told.id)),
    }
    command += [f"--{option}={','.join(names)}" for option, names in written.items() if names]
    command += [] if is_live else ["--still"]
    detail = "details" if title == "detail" else "detail"
    actions: dict[str, Any] = {} if nature.is_writable else {"actions": []}
    source = {
        "type": "command",
        "command": command,
        "id": layout.id,
        "writes": ["insert", "change", "remove"] if nature.is_writable else [],
        "items": True,
        "positions": True,
        "around": True,
    }
    if is_live:
        source |= {"live": True, "order": [{"by": column, "descending": falls} for column, falls in layout.order.items()]}
    shown = [column for column in layout.comparable if column not in looks.hidden]
    filters = shown if len(shown) <= MANY else looks.filters
    return {
        "sources": {told.table: source},
        "screens": {
            title: {
                "viewModel": "search",
                "source": told.table,
                "pageSize": 50,
                "prefetch": 20,
                "onRefresh": "revalidate",
                "arrivals": "hold",
                "filters": {column: None for column in filters} | {"sort": None},
                "detail": detail,
                "display": looks.display(whole=False) | actions,
            },
            detail: {"viewModel": "pager", "source": told.table, "whole": True, "display": looks.display(whole=True) | actions},
        },
    }
