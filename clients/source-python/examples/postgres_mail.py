"""The mails of a PostgreSQL database, newest first: searched, filtered, sorted, inserted, removed.

    postgres_mail.py CONNECTION

CONNECTION is a connection string of libpq: `dbname=mail connect_timeout=5 options='-c statement_timeout=5s'`, or a URL.
Put passwords into ~/.pgpass. Needs `pip install 'psycopg[binary]'`.

The functions are `async`. So when the user types on, the database cancels the search that is no longer needed.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row

from nagare_source import TIMED_OUT, UNREACHABLE, KeysetPage, Page, Source, SourceError, run

Connection = psycopg.AsyncConnection[DictRow]
INVALID = 1

mail = Source()
idle: list[Connection] = []


@asynccontextmanager
async def database() -> AsyncIterator[Connection]:
    """Lends a connection for exclusive use. Raises a retryable error if the connection is lost."""
    connection = None
    try:
        connection = idle.pop() if idle else await Connection.connect(sys.argv[1], autocommit=True, row_factory=dict_row)
        yield connection
    except psycopg.errors.QueryCanceled as error:
        raise SourceError(TIMED_OUT, f"the database is too slow: {error}", retryable=True) from error
    except psycopg.OperationalError as error:
        while idle:  # They are lost, too.
            await idle.pop().close()
        raise SourceError(UNREACHABLE, f"the database can't be reached: {error}", retryable=True) from error
    finally:
        if connection is not None and not connection.closed:
            idle.append(connection)


@mail.page
async def load(key: Any, query: str | None, size: int, filters: dict[str, Any]) -> Page:
    columns = ["received", "sender", "subject"]
    page = KeysetPage(
        ["received", "id"], key, size, descending=True, placeholder="%s", filters=filters, filterable=columns, sortable=columns
    )
    async with database() as connection:
        # Bytes, because psycopg's types don't allow a text that is put together at run time.
        found = await connection.execute(
            f"""
            SELECT id, received, sender, subject FROM mail
            WHERE {page.where} AND (%s::text IS NULL OR strpos(lower(subject || ' ' || sender), lower(%s)) > 0)
            ORDER BY {page.order} LIMIT {page.limit}
            """.encode(),
            [*page.values, query, query],
        )
        return page.of(await found.fetchall())


@mail.item
async def item(id: Any) -> DictRow | None:
    """Returns one full mail."""
    async with database() as connection:
        found = await connection.execute("SELECT * FROM mail WHERE id = %s", [id])
        return await found.fetchone()


@mail.insert
async def insert(item: dict[str, Any], before: Any) -> None:
    """Inserts a mail. Its time determines its position, so `before` is ignored."""
    try:
        async with database() as connection:
            await connection.execute(
                "INSERT INTO mail VALUES (%(id)s, %(received)s, %(sender)s, %(subject)s)", item
            )
    except (psycopg.Error, KeyError) as error:
        raise SourceError(INVALID, f"this mail can't be inserted: {error}") from error


@mail.remove
async def remove(id: int) -> None:
    async with database() as connection:
        await connection.execute("DELETE FROM mail WHERE id = %s", [id])


run(mail)
