"""A table as a live source without a line of code."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from .database import Database
from .errors import SourceError
from .serve import run
from .table import Table

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
    parser.add_argument("--id", help="a column whose values are unique (the primary key)")
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
            print(json.dumps(asyncio.run(_configuration(table, told)), indent=2, ensure_ascii=False))
        else:
            asyncio.run(table.install() if told.install else table.uninstall())
    except SourceError as error:
        sys.exit(f"nagare-source-sql: {error.message}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _order(text: str) -> list[str]:
    """The columns as a table takes them; `-a` is `a desc`."""
    words = [name.removesuffix(" asc") for name in _names(text)]
    return [f"-{name.removesuffix(' desc')}" if name.endswith(" desc") else name for name in words]


def _database(told: argparse.Namespace) -> Database:
    if told.sqlite:
        from .sqlite import SQLite

        return SQLite(told.sqlite)
    from .postgres import PostgreSQL

    return PostgreSQL(told.postgres)


async def _configuration(table: Table, told: argparse.Namespace) -> dict[str, Any]:
    """What serves the table as a list that is searched and filtered, and its rows as details."""
    layout = await table.layout()
    command = [sys.executable, "-m", "nagare_source", "--table", told.table]
    command += ["--sqlite", str(Path(told.sqlite).absolute())] if told.sqlite else ["--postgres", told.postgres]
    for name in ("columns", "order", "search"):
        if getattr(told, name):
            command.append(f"--{name}={','.join(getattr(told, name))}")
    command += ["--id", told.id] if told.id else []
    command += ["--still"] if told.still else []
    name = told.table
    source = {
        "type": "command",
        "command": command,
        "id": layout.id,
        "writes": ["insert", "change", "remove"],
        "items": True,
        "positions": True,
        "around": True,
    }
    if not told.still:
        order = [{"by": column, "descending": falls} for column, falls in layout.order.items()]
        source |= {"live": True, "order": order}
    return {
        "sources": {name: source},
        "screens": {
            "items": {
                "viewModel": "search",
                "source": name,
                "pageSize": 50,
                "prefetch": 20,
                "onRefresh": "revalidate",
                "arrivals": "hold",
                "filters": {column: None for column in layout.sortable} | {"sort": None},
                "detail": "detail",
            },
            "detail": {"viewModel": "pager", "source": name, "whole": True},
        },
    }
