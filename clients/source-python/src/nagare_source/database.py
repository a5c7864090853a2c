"""What a table needs of its database."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from .errors import SourceError

Row: TypeAlias = "dict[str, Any]"

Kind: TypeAlias = Literal["text", "number", "time", "bytes", "other"]

PARAMETER = "\0"
"""What stands for a parameter: no name can hold it."""

REFUSED = 1
"""The code of what a database won't do."""

EVERY = "1 = 1"
"""The condition that every value meets."""

LARGE = 100_000
"""Rows from which on a page that no index serves takes a while."""

LOG_SIZE = 10_000
"""How many changes the table of changes holds at least; a program that has missed more has its lists read again."""


class Rows(list[Row]):
    """The rows of a statement."""

    is_cut = False
    """Whether there are more, which weren't read."""


class Execute(Protocol):
    """Runs one statement of a transaction, and gives its rows. What writes gives one, with the number of rows `stored_value`.

    - `max_size` is for how many characters and bytes rows are read, one row at least, where the database can be stopped.
    """

    async def __call__(self, statement: str, values: Sequence[Any] = (), /, max_size: int | None = None) -> Rows: ...


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind
    nullable: bool
    is_key: bool
    """Whether it is the primary key, or one of its columns."""
    sortable: str
    """What orders rows by it as a list orders their items: numbers by value, texts by code points."""
    is_boolean: bool = False
    """Whether it is declared to be true or false, whatever its rows hold."""
    identifies: str = ""
    """The condition on values that can be an id, if not every value can. NULL can't, nor can a text of megabytes."""
    misplaced: str = ""
    """The condition on values whose JSON the server orders otherwise than the database."""
    as_id: str = ""
    """The cast that makes it an id, if its JSON is neither a text nor a number."""
    parameter: str = ""
    """The SQL for a parameter of its type, if the placeholder alone isn't enough."""


@dataclass(frozen=True)
class Capabilities:
    """What can be done with a table."""

    why_not_live: str = ""
    """Why it can't be live; nothing if it can."""
    is_writable: bool = True
    is_large: bool = False
    """Whether reading it from one end to the other takes time."""
    indexed: frozenset[str] = frozenset()
    """Columns with which an index begins."""


class NameTaken(SourceError):
    """The name under which changes are to be noted belongs to something that this package hasn't made."""

    def __init__(self, log: str, table: str, kind: str) -> None:
        super().__init__(
            REFUSED,
            f"{log} is a {kind} that isn't nagare-source-sql's, and is left as it is. Changes of {table} would be noted under this name:"
            f" rename it, or serve {table} as a list that isn't live (--still, or live=False)",
        )


class Database(ABC):
    """A database, spoken to in its own dialect.

    Each change of a row is noted in a table beside the one that it is in, by a position and the row's id: op is I for a new
    row, C for one that has changed or gone, A for more than anybody can say.
    """

    name: str
    """How the command line names it."""
    placeholder: str
    find_function: str
    """The function that finds a text in another."""
    position_column: str
    """The column of noted changes by which they are in the order in which they can be seen."""
    final_condition: str
    """The condition on noted changes that nothing can come before any more."""
    poll_intervals: tuple[float | None, float | None]
    """Seconds after which noted changes are looked for without a sign of any: while some aren't final, and else."""

    @property
    def generation(self) -> str:
        """What states begin with: another text when another database has taken the place of this one."""
        return ""

    @abstractmethod
    def quoted(self, table: str) -> str:
        """The table in SQL."""

    def column(self, name: str) -> str:
        """A column in SQL, which is refused where there is none of this name any more."""
        return quoted(name)

    @abstractmethod
    async def fingerprint(self, table: str) -> str:
        """Another text as soon as the table may be another, or have other columns."""

    def display_name(self, table: str) -> str:
        """What people call it: its own name, without a schema or quotes."""
        return table

    def log_table(self, table: str) -> str:
        """The table of its changes, by its own name."""
        schema, dot, name = table.rpartition(".")
        return f"{schema}{dot}nagare_{name}"

    @abstractmethod
    async def columns(self, table: str) -> list[Column]:
        """The columns of a table, and last, if there is one, that which is a row's own without being told."""

    @abstractmethod
    async def capabilities(self, table: str) -> Capabilities:
        """What can be done with a table that is there."""

    def id_expression(self, columns: Sequence[Column], row: str = "") -> str:
        """A row's id in SQL: its key's only column, or the JSON array of several as a text."""
        named = [row + self.column(column.name) for column in columns]
        return named[0] + columns[0].as_id if len(named) == 1 else self.array(named)

    def id_selection(self, key: Sequence[Column], name: str) -> list[str]:
        """What a query selects for a row's id, where that is none of the columns."""
        return [f"{self.id_expression(key)} AS {self.column(name)}"]

    def id_of(self, row: Row, key: Sequence[str], name: str) -> Any:
        """Returns the id of a row, None if the row has no usable id."""
        return row[name]

    def ids_parameter(self, ids: Sequence[Any], count: int) -> Any:
        """Returns the parameter of the query `ids_query`. Each id has `count` values."""
        return ids

    def key_value(self, id: Any, column: Column) -> Any:
        """Converts an id to the value of the key's only column."""
        return id

    def log_columns(self, key: Sequence[str]) -> Sequence[str]:
        """The columns of the table of changes that hold a row's id."""
        return ["id"]

    def logged_id(self, values: Sequence[Any]) -> Any:
        """The id that these columns hold, None if it can't be used."""
        return values[0]

    def equivalents(self, value: Any, column: Column) -> Sequence[Any]:
        """Returns all values that lists show in the same way as this one."""
        return [value]

    def is_misplaced(self, value: Any, column: Column) -> bool:
        """Whether the server would place this value elsewhere than the database does."""
        return False

    def stored_value(self, value: Any, column: Column, before: Any = None) -> Any:
        """Converts a value as lists show it to the value that is written. `before` is the value that it replaces."""
        return value

    @abstractmethod
    def array(self, values: Sequence[str]) -> str:
        """A JSON array as a text, in SQL."""

    @abstractmethod
    def triggers(self, table: str) -> Sequence[str]:
        """The names of what notes changes."""

    @abstractmethod
    def trigger_count_sql(self, table: str) -> str:
        """Counts those of them that are there and of use."""

    @abstractmethod
    async def install(self, table: str, key: Sequence[Column]) -> None:
        """Makes what notes changes, by the ids of rows with such a key, and notes that anything may have happened until then."""

    @abstractmethod
    async def uninstall(self, table: str) -> None:
        """Drops what notes changes, and what was noted."""

    @abstractmethod
    async def listen(self, table: str, notify: Callable[[], object]) -> None:
        """Rings, for ever, when something may have been noted."""

    @abstractmethod
    def autocommit(self) -> AbstractAsyncContextManager[Execute]:
        """Statements that see the database each by itself."""

    @abstractmethod
    def read_transaction(self) -> AbstractAsyncContextManager[Execute]:
        """A transaction that sees the database as it is at one moment."""

    @abstractmethod
    def write_transaction(self) -> AbstractAsyncContextManager[Execute]:
        """A transaction that is committed at its end."""

    async def recover(self, execute: Execute) -> None:
        """Ends a transaction in which a statement has failed, if the database needs that."""

    async def blocker(self) -> str:
        """What keeps noted changes from being final."""
        return ""

    def is_quickly_counted(self, table: str) -> bool:
        """Whether `count` never takes long."""
        return True

    async def count(self, execute: Execute, table: str, where: str, values: Sequence[Any]) -> tuple[int, bool]:
        """How many rows of a table, as SQL has it, meet a condition, and whether that was counted: where counting would take
        long, it is estimated."""
        (found,) = await execute(f"SELECT count(*) AS number FROM {table} WHERE {where}", values)
        return found["number"], True

    @abstractmethod
    def ids_query(self, table: str, key: Sequence[Column]) -> str:
        """A query for the values of a key, whose ids are in an array that is one parameter."""

    @abstractmethod
    async def insert(self, execute: Execute, table: str, values: Row) -> int:
        """Inserts a row, and counts how many were inserted: less than 0 where nobody knows."""

    @abstractmethod
    async def change(self, execute: Execute, table: str, values: Row, where: str, parameters: Sequence[Any]) -> int:
        """Writes columns of the rows that meet a condition, and counts these as `insert` does."""

    @abstractmethod
    async def remove(self, execute: Execute, table: str, where: str, parameters: Sequence[Any]) -> int:
        """Removes the rows that meet a condition, and counts these as `insert` does."""


class ChangeSignal:
    """Wakes all who wait."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        """What will be set when it rings next. Who takes it before looking for something misses nothing."""

    def notify(self) -> None:
        awaited, self.next = self.next, asyncio.Event()
        awaited.set()

    async def wait(self, awaited: asyncio.Event, timeout: float | None) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(awaited.wait(), timeout)


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
