"""The command that serves the tables of a database, or a text file with rows, without code."""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Coroutine
from typing import Any, NoReturn, TypeVar

from .database import REFUSED, Database, quoted
from .errors import SourceError
from .lazy import asyncio
from .table import Table

ALL_FILTERS_LIMIT = 12
"""The maximum number of columns for which every column becomes a filter. In wider tables, only columns with few values become filters."""

UNDO_TIME = 5000
"""The time in milliseconds during which the deletion of a row can be undone. Frontends have no other way to restore it."""

DELETE = {"input": "remove", "name": "Delete", "icon": "🗑", "key": "e", "undo": True, "for": "many"}
"""The action that deletes rows. It has the key of the frontends' usual removal."""

COLUMN_NAME = re.compile(r'\s*(-?)(?:"((?:[^"]|"")*)"|([^,"][^,]*?))(?:\s+(asc|desc))?\s*(?:,|$)')
"""A column in an option. It is descending with a `-` before it or `desc` after it, and quoted as in SQL if necessary."""

T = TypeVar("T")

CONFIGURATION_ERROR = 78
"""The exit status if something that the command line names isn't there or can't be used. `nagare` has the same one for a
wrong configuration."""

SAMPLE_ROWS = 1000
"""The number of rows of a text file from which a configuration is made."""

ONE_TABLE = "columns", "order", "id", "search"
"""The options for a single table."""

EPILOG = """Without --write and --triggers, nothing in the database is changed. `nagare --sqlite mail.db` calls this command."""


def main(arguments: list[str] | None = None) -> None:
    """Serves a table, prints the configuration of tables, or removes their triggers."""
    parser = argparse.ArgumentParser("nagare-source-sql", description="Answers a Nagare server for the rows of a table.", epilog=EPILOG)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--sqlite", metavar="FILE", help="an SQLite database")
    where.add_argument("--postgres", metavar="URL", help="a PostgreSQL database: a URL, or another connection string of libpq")
    where.add_argument("--csv", metavar="FILE", help="a text file: CSV, or by its ending an array (.json) or lines (.jsonl) of JSON")
    parser.add_argument("--table", action="append", default=[], metavar="NAME", help="a table or view, in PostgreSQL also SCHEMA.NAME; several with --configuration (all)")
    parser.add_argument("--columns", type=_column_names, default=[], help="the columns of rows in lists: a,b (all without bytes)")
    parser.add_argument("--order", type=_directions, default={}, help="the order of the rows: 'a desc, b' (by time, newest first)")
    parser.add_argument("--id", type=_column_names, default=[], help="a column whose values are unique, or several: a,b (the primary key, or what is unique and not NULL)")
    parser.add_argument("--search", type=_column_names, default=[], help="the columns to search: a,b (all texts)")
    parser.add_argument("--write", action="store_true", help="users may insert, change and delete rows")
    parser.add_argument("--still", action="store_true", help="the lists aren't live")
    parser.add_argument("--triggers", action="store_true", help="creates triggers that log changes, and names them; lists are then live by the log")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--configuration", action="store_true", help="prints a configuration of nagare that serves the tables")
    what.add_argument("--remove-triggers", action="store_true", help="drops all triggers and logs that this program has created, or those of the table")
    options = parser.parse_args(arguments)
    if options.csv and (options.table or options.write or options.triggers or options.remove_triggers):
        parser.error("--table, --write, --triggers and --remove-triggers are for databases, not for --csv")
    if options.still and options.triggers:
        parser.error("--still and --triggers exclude each other: a list that isn't live needs no triggers")
    if len(options.table) != 1 and not options.csv and any(getattr(options, name) for name in ONE_TABLE):
        parser.error("--columns, --order, --id and --search are for one --table")
    if not (options.configuration or options.remove_triggers or options.csv or len(options.table) == 1):
        parser.error("name one --table, or print the configuration of several: --configuration")
    try:
        is_program = not (options.remove_triggers or options.configuration)
        database = _database(options, threads=8 if is_program else 0)
        if options.remove_triggers:
            _finish(database, _remove_triggers(database, options.table))
        elif options.configuration:
            print(json.dumps(_finish(database, _configuration(database, options)), indent=2, ensure_ascii=False))
        else:
            if not options.postgres:
                _import_asyncio_without_ssl()
            from .serve import run

            gc.freeze()
            gc.enable()
            (name,) = options.table
            run(_table(database, name, options, live=not options.still))
    except ImportError as error:
        _fail(str(error))
    except SourceError as error:
        _fail(error.message)


def _import_asyncio_without_ssl() -> None:
    """Imports asyncio without the module `ssl`, which loads a large library. Files need no connections."""
    blocked = sys.modules.setdefault("ssl", None)  # type: ignore[arg-type]
    import asyncio  # noqa: F401

    if blocked is None:
        del sys.modules["ssl"]


def _finish(database: Database, work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end, if possible without the time to import an event loop."""
    if not database.is_direct:
        return asyncio.run(work)
    try:
        work.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("a coroutine waited, although statements run in this thread")


def _fail(reason: str) -> NoReturn:
    """Ends the program because of something that the command line names."""
    print(f"nagare-source-sql: {reason}", file=sys.stderr)
    sys.exit(CONFIGURATION_ERROR)


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


def _database(options: argparse.Namespace, threads: int) -> Database:
    if options.sqlite:
        from .sqlite import SQLite

        return SQLite(options.sqlite, threads=threads)
    if options.csv:
        from .text_file import TextFile

        file = TextFile(options.csv, limit=SAMPLE_ROWS if options.configuration else None, threads=threads)
        options.table = [file.table]
        return file
    from .postgres import PostgreSQL

    return PostgreSQL(options.postgres)


def _table(database: Database, name: str, options: argparse.Namespace, live: bool) -> Table:
    given = {name: getattr(options, name) for name in ONE_TABLE}
    return Table(database, name, **given, live=live, write=options.write, triggers=options.triggers)


async def _remove_triggers(database: Database, tables: list[str]) -> None:
    removed = [name for table in tables or (None,) for name in await database.remove_triggers(table)]
    print("nagare-source-sql: " + (f"dropped {', '.join(removed)}" if removed else "there are no triggers to drop"), file=sys.stderr)


async def _configuration(database: Database, options: argparse.Namespace) -> dict[str, Any]:
    """Returns a configuration: each table as a list with search and filters, and its rows as details."""
    names = options.table or await database.tables()
    if not names:
        raise SourceError(REFUSED, f"there is no table in {options.sqlite or 'this database'}")
    shown = Counter(map(database.display_name, names))
    configuration: dict[str, Any] = {"sources": {}, "screens": {}}
    for name in names:
        title = database.display_name(name)
        title = title if shown[title] == 1 else name
        try:
            source, screens = await _of_table(database, name, title, len(names) == 1, options)
        except SourceError as error:
            # A view may be broken, or a table may be another user's.
            if error.retryable or len(names) == 1:
                raise
            print(f"nagare-source-sql: {name} is left out: {error.message}", file=sys.stderr)
            continue
        configuration["sources"][name] = source
        configuration["screens"] |= screens
    if not configuration["screens"]:
        raise SourceError(REFUSED, "none of the tables can be shown")
    # The lists come first, because a frontend begins with the first screen.
    configuration["screens"] = dict(sorted(configuration["screens"].items(), key=lambda one: one[1]["viewModel"] == "pager"))
    return configuration


async def _of_table(
    database: Database, name: str, title: str, is_only: bool, options: argparse.Namespace
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the source and the screens of a table."""
    table = _table(database, name, options, live=False)
    layout, capabilities, guess = await table.layout(), await table.capabilities(), await table.display_guess()
    listed = await table.display_guess(options.columns) if options.columns else guess
    has_triggers = options.triggers and not capabilities.why_no_triggers
    if has_triggers:
        await _table(database, name, options, live=True).install()
    elif options.triggers:
        print(f"nagare-source-sql: {name} gets no triggers, because {capabilities.why_no_triggers}. Its rows are compared instead", file=sys.stderr)
    if capabilities.why_not_live and not options.still:
        print(f"nagare-source-sql: {name} isn't live, because {capabilities.why_not_live}", file=sys.stderr)
    is_live = not (options.still or capabilities.why_not_live)
    is_writable = options.write and capabilities.is_writable
    if options.write and not is_writable:
        print(f"nagare-source-sql: {name} can't be edited, because {capabilities.why_no_triggers}", file=sys.stderr)
    first = next(iter(layout.order))
    if capabilities.is_large and not options.order and first not in (*capabilities.indexed, *layout.key):
        # An order that is slow in a long table is replaced.
        keys = ", ".join(layout.key)
        print(
            f"nagare-source-sql: {name} is long, and no index is on {first}: its order is that of {keys}. For the newest first:"
            f" CREATE INDEX … ON {name} ({first}, {keys}), or --order '{first} desc' for a list that is slow",
            file=sys.stderr,
        )
        layout.order = dict.fromkeys(layout.key, True)
    if options.csv and not options.order:
        layout.order = dict.fromkeys(layout.key, False)
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
    command = [sys.executable, "-m", "nagare_source"]
    command += ["--csv", os.path.abspath(options.csv)] if options.csv else ["--table", name]
    command += ["--sqlite", os.path.abspath(options.sqlite)] if options.sqlite else []
    command += ["--postgres", options.postgres] if options.postgres else []
    command += [f"--{option}={','.join(names)}" for option, names in written.items() if names]
    switches = {"--still": not is_live, "--write": is_writable, "--triggers": has_triggers}
    command += [switch for switch, is_on in switches.items() if is_on]
    detail = ("details" if title == "detail" else "detail") if is_only else f"{title} detail"
    # A pager itself has no input that edits. Frontends show the list's actions.
    actions: dict[str, Any] = {} if is_writable else {"actions": []}
    source = {
        "type": "command",
        "command": command,
        "id": layout.id,
        "writes": ["insert", "change", "remove"] if is_writable else [],
        "items": True,
        "positions": True,
        "around": True,
    }
    if is_live:
        source |= {"live": True, "order": [{"by": column, "descending": falls} for column, falls in layout.order.items()]}
    shown = [column for column in layout.comparable if column not in guess.hidden]
    filters = shown if len(shown) <= ALL_FILTERS_LIMIT else guess.filter_columns
    return source, {
        title: {
            "viewModel": "search",
            "source": name,
            "pageSize": 50,
            "prefetch": 20,
            "onRefresh": "revalidate",
            "arrivals": "defer",
            **({"undo": UNDO_TIME} if is_writable else {}),
            "filters": {column: None for column in filters} | {"sort": None},
            "detail": detail,
            "display": listed.display(whole=False) | {"actions": [DELETE] if is_writable else []},
        },
        detail: {"viewModel": "pager", "source": name, "whole": True, "display": guess.display(whole=True) | actions},
    }
