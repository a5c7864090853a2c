"""The interface to a database."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from .errors import SourceError

Row: TypeAlias = "dict[str, Any]"

OnSteps: TypeAlias = "Callable[[int], object]"
"""Receives the number of steps that a statement took since the last call. It is called by the event loop."""

Kind: TypeAlias = Literal["text", "number", "time", "bytes", "other"]

PARAMETER = "\0"
"""The mark for a parameter in SQL. No name can contain it."""

REFUSED = 1
"""The code of errors for requests that the database rejects."""

EVERY = "1 = 1"
"""The condition that every value meets."""

LARGE = 100_000
"""The number of rows after which a page without an index is slow."""

LOG_SIZE = 10_000
"""The minimum number of changes that a log keeps. A program that has missed more reloads its lists."""


class Rows(list[Row]):
    """The result rows of a statement."""

    is_cut = False
    """Whether there are more rows, which weren't read."""


class Execute(Protocol):
    """Executes a statement, and returns its rows. A statement that writes returns one row, with the number of rows as `written`.

    - `max_size` limits the characters and bytes that are read, if the database can stop. At least one row is read.
    """

    async def __call__(self, statement: str, values: Sequence[Any] = (), /, max_size: int | None = None) -> Rows: ...


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind
    nullable: bool
    is_key: bool
    """Whether it belongs to the primary key."""
    sortable: str
    """The SQL expression that orders rows as the server does: numbers by value, texts by code points."""
    is_boolean: bool = False
    """Whether it is declared as Boolean, whatever its rows contain."""
    identifies: str = ""
    """The condition on values that can be an id; empty if every value can. NULL can't, nor can very long values."""
    misplaced: str = ""
    """The condition on values that the server orders differently."""
    as_id: str = ""
    """The cast for using it as an id, if its JSON is neither a text nor a number."""
    parameter: str = ""
    """The SQL for a parameter of its type, if a plain placeholder isn't enough."""
    is_generated: bool = False
    """Whether the database gives every value itself, and refuses others."""
    is_implicit: bool = False
    """Whether it is a row number that no declaration names. It is listed only as the key."""
    numbering: str = ""
    """The end of ids made of this column, if its values can be given to other rows by the database. It changes when that may have
    happened."""
    is_current: str = ""
    """The condition that `numbering` hasn't changed."""


@dataclass(frozen=True)
class Capabilities:
    """The capabilities of a table."""

    why_not_live: str = ""
    """The reason why it can't be live; empty if it can."""
    is_writable: bool = True
    is_large: bool = False
    """Whether reading all of it takes long."""
    indexed: frozenset[str] = frozenset()
    """Columns that an index starts with."""


@dataclass(frozen=True)
class Written:
    """The result of a statement that writes."""

    count: int
    """The number of written rows; below 0 if it is unknown."""
    id: Any = None
    """The id of the only written row, as `id_of` returns it; None if it is unknown."""
    has_id: bool = True
    """Whether the row may have an id; false if its key is known to be none."""


class StatementRefused(SourceError):
    """The database refuses a statement.

    - `is_unfit` says that a value can't be one of its column: it has another type, or the database gives all values itself.
    - `missing` is the column that may not be NULL, if that is the reason.
    """

    def __init__(self, message: str, *, is_unfit: bool = False, missing: str = "") -> None:
        super().__init__(REFUSED, message)
        self.is_unfit, self.missing = is_unfit, missing


class NameTaken(SourceError):
    """The name for the log belongs to an object that this package hasn't created."""

    def __init__(self, log: str, table: str, kind: str) -> None:
        super().__init__(
            REFUSED,
            f"{log} is a {kind} that isn't nagare-source-sql's, and is left as it is. Changes of {table} would be noted under this name:"
            f" rename it, or serve {table} as a list that isn't live (--still, or live=False)",
        )


class Database(ABC):
    """A database and its SQL dialect.

    Triggers log each change of a row in a table next to the row's table, with a position and the row's id. The operation is I for a
    new row, C for a changed or removed one, and A for changes that can't be listed.
    """

    name: str
    """The option that names it on the command line."""
    placeholder: str
    begin_reading: str
    """The statement that begins a transaction with a consistent snapshot."""
    begin_writing: str
    tables_query: str
    """The query for the names of tables and views, without those of this package."""
    column_limit: int
    """The maximum number of columns of a result."""
    find_function: str
    """The SQL function that finds a text in another."""
    position_column: str
    """The log's column that orders entries in the order in which they become visible."""
    final_condition: str
    """The condition on log entries that no earlier entry can precede any more."""
    skip_steps = 0
    """The number of steps that skipping a row takes, if statements report their steps."""
    poll_intervals: tuple[float | None, float | None]
    """Seconds between two looks at the log without a notification: while some entries aren't final, and otherwise."""

    @property
    def generation(self) -> str:
        """The prefix of states. It changes when another database replaces this one."""
        return ""

    @abstractmethod
    def quoted(self, table: str) -> str:
        """Returns a table's name in SQL."""

    def column(self, name: str) -> str:
        """Returns a column's name in SQL. A missing column is an error."""
        return quoted(name)

    @abstractmethod
    async def fingerprint(self, table: str) -> str:
        """Returns a text that changes when the table or its columns may have changed."""

    def display_name(self, table: str) -> str:
        """Returns the table's name without schema and quotes."""
        return table

    def log_table(self, table: str) -> str:
        """Returns the name of the table's log."""
        schema, dot, name = table.rpartition(".")
        return f"{schema}{dot}nagare_{name}"

    @abstractmethod
    async def columns(self, table: str) -> list[Column]:
        """Returns the columns of a table. An implicit row number comes last; it is the key if there is no other."""

    @abstractmethod
    async def capabilities(self, table: str) -> Capabilities:
        """Returns the capabilities of an existing table."""

    def id_expression(self, columns: Sequence[Column], row: str = "") -> str:
        """Returns the SQL for a row's id: the key's only column, or a JSON array of several."""
        named = [row + self.column(column.name) for column in columns]
        return named[0] + columns[0].as_id if len(named) == 1 else self.array(named)

    def id_selection(self, key: Sequence[Column], name: str) -> list[str]:
        """Returns the selection of a row's id, if it isn't a column."""
        return [f"{self.id_expression(key)} AS {self.column(name)}"]

    def id_of(self, row: Row, key: Sequence[str], name: str) -> Any:
        """Returns the id of a row; None if it has no usable id."""
        return row[name]

    def ids_parameter(self, ids: Sequence[Any], count: int) -> Any:
        """Returns the parameter of the query `ids_query`. Each id has `count` values."""
        return ids

    def key_value(self, id: Any, column: Column) -> Any:
        """Converts an id to the value of the key's only column."""
        return id

    def log_columns(self, key: Sequence[str]) -> Sequence[str]:
        """Returns the log's columns for a row's id."""
        return ["id"]

    def logged_id(self, values: Sequence[Any]) -> Any:
        """Returns the id in these columns of the log; None if it isn't usable."""
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
        """Returns the SQL for a JSON array as a text."""

    @abstractmethod
    def triggers(self, table: str) -> Sequence[str]:
        """Returns the names of the table's triggers."""

    @abstractmethod
    def trigger_count_sql(self, table: str) -> str:
        """Returns the SQL that counts the working triggers."""

    @abstractmethod
    def log_fits_sql(self, table: str, key: Sequence[Column]) -> str:
        """Returns the SQL for whether the triggers log rows by this key."""

    @abstractmethod
    async def install(self, table: str, key: Sequence[Column]) -> None:
        """Creates the log and the triggers for rows with such a key, and logs that anything may have changed before."""

    @abstractmethod
    async def uninstall(self, table: str) -> None:
        """Drops the triggers and the log."""

    @abstractmethod
    async def listen(self, table: str, notify: Callable[[], object]) -> None:
        """Calls `notify` whenever the log may have new entries. Never returns."""

    @abstractmethod
    def autocommit(self, on_steps: OnSteps | None = None) -> AbstractAsyncContextManager[Execute]:
        """Statements outside of a transaction. While they run, they report their steps, if the database can count them."""

    def read_transaction(self, on_steps: OnSteps | None = None) -> AbstractAsyncContextManager[Execute]:
        """A transaction with a consistent snapshot. `on_steps` is that of `autocommit`."""
        return self._transaction(self.begin_reading, on_steps)

    def write_transaction(self) -> AbstractAsyncContextManager[Execute]:
        """A transaction that is committed at its end."""
        return self._transaction(self.begin_writing)

    @asynccontextmanager
    async def _transaction(self, begin: str, on_steps: OnSteps | None = None) -> AsyncIterator[Execute]:
        async with self.autocommit(on_steps) as execute:
            await execute(begin)
            yield execute
            await execute("COMMIT")

    @asynccontextmanager
    async def savepoint(self, execute: Execute) -> AsyncIterator[None]:
        """A part of a transaction that is undone if it fails, so that the transaction can go on."""
        await execute("SAVEPOINT nagare")
        try:
            yield
        except SourceError:
            with suppress(SourceError):
                await execute("ROLLBACK TO SAVEPOINT nagare")
            raise
        await execute("RELEASE SAVEPOINT nagare")

    async def write(self, execute: Execute, statement: str, values: Sequence[Any], key: Sequence[Column] = ()) -> Written:
        """Executes a statement that writes. With a key, it returns the id of the row, if the database tells it."""
        if key:
            try:
                async with self.savepoint(execute):
                    rows = await execute(f"{statement} RETURNING {self.returning(key)}", values)
                    return self.returned(len(rows), rows, key)
            except SourceError as error:
                # Row-level security that hides the row, a view with rules, a virtual table or an older SQLite refuse RETURNING only.
                if error.retryable or (isinstance(error, StatementRefused) and error.is_unfit):
                    raise
        async with self.savepoint(execute):
            (done,) = await execute(statement, values)
            return Written(int(done["written"]))

    def returned(self, count: int, rows: Rows, key: Sequence[Column]) -> Written:
        """Returns the result for written rows, of which these are the results of `returning`."""
        id = self.returned_id(rows[0], key) if len(rows) == 1 else None
        return Written(count, id, has_id=id is not None or len(rows) != 1)

    async def other_tables(self) -> str:
        """Lists the tables and views, for the error about a missing one."""
        async with self.read_transaction() as execute:
            found = await execute(self.tables_query)
        return f"but {', '.join(repr(one['name']) for one in found)}" if found else "nor any other"

    async def hides_rows(self, execute: Execute, table: str) -> bool:
        """Whether some rows may be hidden from this program, though the log has their ids."""
        return False

    async def recover(self, execute: Execute) -> None:
        """Ends a transaction in which a statement has failed, if the database needs that."""

    async def blocker(self) -> str:
        """Describes the transaction that keeps log entries from being final."""
        return ""

    def is_quickly_counted(self, table: str) -> bool:
        """Whether `count` is always quick."""
        return True

    async def count(self, execute: Execute, table: str, where: str, values: Sequence[Any]) -> tuple[int, bool]:
        """Counts the rows that meet a condition. Returns the number, and whether it is exact: if counting would take long, the number is
        an estimate."""
        (found,) = await execute(f"SELECT count(*) AS number FROM {table} WHERE {where}", values)
        return found["number"], True

    @abstractmethod
    def ids_query(self, table: str, key: Sequence[Column]) -> str:
        """Returns the query for the key values of the ids in one parameter, an array."""

    @abstractmethod
    def returning(self, key: Sequence[Column]) -> str:
        """Returns the SQL after RETURNING for the id of a row."""

    @abstractmethod
    def returned_id(self, row: Row, key: Sequence[Column]) -> Any:
        """Returns the id in the result of `returning`; None if the row has no usable id."""

    @abstractmethod
    async def insert(self, execute: Execute, table: str, values: Row, key: Sequence[Column]) -> Written:
        """Inserts a row."""

    @abstractmethod
    async def change(
        self, execute: Execute, table: str, values: Row, where: str, parameters: Sequence[Any], key: Sequence[Column] = ()
    ) -> Written:
        """Updates the rows that meet a condition. Without a key, it returns no id."""

    @abstractmethod
    async def remove(self, execute: Execute, table: str, where: str, parameters: Sequence[Any]) -> Written:
        """Deletes the rows that meet a condition."""


class ChangeSignal:
    """Wakes all tasks that wait for changes."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        """The event of the next notification. Get it before looking for changes, so that none is missed."""

    def notify(self) -> None:
        awaited, self.next = self.next, asyncio.Event()
        awaited.set()

    async def wait(self, awaited: asyncio.Event, timeout: float | None) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(awaited.wait(), timeout)


def quoted(name: str) -> str:
    """Quotes a name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quotes a text."""
    return "'" + text.replace("'", "''") + "'"
