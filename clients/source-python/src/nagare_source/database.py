"""The interface to a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from .errors import SourceError
from .lazy import asyncio

Row: TypeAlias = "dict[str, Any]"

OnSteps: TypeAlias = "Callable[[int], object]"
"""Receives the number of steps that a statement took since the last call. The event loop calls it."""

Kind: TypeAlias = Literal["text", "number", "time", "bytes", "other"]

PARAMETER = "\0"
"""The mark for a parameter in SQL. Names can't contain it."""

REFUSED = 1
"""The code of errors for requests that the database rejects."""

EVERY = "1 = 1"
"""The condition that every value meets."""

LARGE = 100_000
"""The number of rows above which a page without an index is slow."""

COUNT_LIMIT = 1_000_000
"""The maximum number of rows to count one by one. Larger counts are estimates."""

LOG_SIZE = 10_000
"""The minimum number of changes that a log keeps. A program that has missed more changes reloads its lists."""


class Rows(list[Row]):
    """The result rows of a statement."""

    is_cut = False
    """Whether the statement has more rows, which weren't read."""


class Execute(Protocol):
    """Executes a statement, and returns its rows. A statement that writes returns one row whose field `written` is the
    number of written rows.

    - `max_size` limits the characters and bytes that are read, if the database supports it. At least one row is read.
    """

    async def __call__(self, statement: str, values: Sequence[Any] = (), /, max_size: int | None = None) -> Rows: ...


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: Kind
    nullable: bool
    is_key: bool
    """Whether the column belongs to the primary key."""
    sortable: str
    """The SQL expression that orders rows as the server does: numbers by value, texts by code points."""
    is_boolean: bool = False
    """Whether the column is declared as Boolean, whatever its rows contain."""
    identifies: str = ""
    """The condition on values that can be an id; empty if every value can. NULL and very long values can't."""
    misplaced: str = ""
    """The condition on values that the server orders differently."""
    as_id: str = ""
    """The cast that makes the column usable as an id, if its JSON is neither a text nor a number."""
    parameter: str = ""
    """The SQL for a parameter of the column's type, if a plain placeholder isn't enough."""
    is_generated: bool = False
    """Whether the database generates every value itself, and rejects other values."""
    is_implicit: bool = False
    """Whether the column is an undeclared row number. Such a column is listed only if it is the key."""
    numbering: str = ""
    """A suffix for ids made of this column, if the database may give its values to other rows. The suffix changes
    whenever that may have happened."""
    is_current: str = ""
    """The SQL condition that `numbering` hasn't changed."""


class Capabilities(NamedTuple):
    """What a table supports."""

    why_no_triggers: str = ""
    """The reason why the table can't have triggers; empty if it can."""
    is_writable: bool = True
    is_large: bool = False
    """Whether reading the whole table takes long."""
    indexed: frozenset[str] = frozenset()
    """The columns that an index starts with."""
    why_not_live: str = ""
    """The reason why no changes of the table can be seen, not even without triggers; empty if they can."""


class Written(NamedTuple):
    """The result of a statement that writes."""

    rows: int
    """The number of written rows. It is negative if it is unknown."""
    id: Any = None
    """The id of the written row, as `id_of` returns it. None if it is unknown, or if several rows were written."""
    has_id: bool = True
    """Whether the row can have an id. False if its key is known not to be an id."""


class StatementRefused(SourceError):
    """The database refuses a statement.

    - `is_unfit` is whether a value doesn't fit its column: it has another type, or the database generates all values
      itself.
    - `missing` is the column that may not be NULL, if that is the reason.
    """

    def __init__(self, message: str, *, is_unfit: bool = False, missing: str = "") -> None:
        super().__init__(REFUSED, message)
        self.is_unfit, self.missing = is_unfit, missing


class NameTaken(SourceError):
    """The log's name, or a trigger's, belongs to an object that this package hasn't created."""

    def __init__(self, log: str, table: str, kind: str) -> None:
        super().__init__(
            REFUSED,
            f"{log} is a {kind} that isn't nagare-source-sql's, and is left as it is. Triggers would note the changes of {table} under this"
            f" name: rename it, or serve {table} without --triggers (triggers=False)",
        )


class Database(ABC):
    """A database and its SQL dialect.

    Reading never changes the database. If triggers are installed, they log each change of a row in a separate
    table next to the row's table. An entry has a position, an operation and the row's id. The operation is I for a new row, C for a changed or removed row, and A for changes that can't be
    listed.
    """

    name: str
    """The command-line option for this database."""
    placeholder: str
    begin_reading: str
    """The statement that begins a transaction with a consistent snapshot."""
    begin_writing: str
    column_limit: int
    """The maximum number of columns in a result."""
    find_function: str
    """The SQL function that finds a text in another text."""
    position_column: str
    """The column of the log that orders its entries by the time at which they become visible."""
    final_condition: str
    """The condition that a log entry is final: no earlier entry can appear any more."""
    is_direct = False
    """Whether statements run in the calling thread, so that coroutines never wait, and no event loop is needed."""
    skip_steps = 0
    """The number of steps that skipping one row takes, if statements report their steps."""
    poll_intervals: tuple[float | None, float | None]
    """The seconds between two checks of the log without a notification: first while some entries aren't final, then otherwise."""

    @property
    def generation(self) -> str:
        """The prefix of states. It changes if another database replaces this one."""
        return ""

    @abstractmethod
    def quoted(self, table: str) -> str:
        """Returns a table's name in SQL."""

    def column(self, name: str) -> str:
        """Returns a column's name in SQL. SQL with a missing column must fail."""
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
        """Returns the columns of a table. An implicit row number comes last; it is the key if there is no other key."""

    @abstractmethod
    async def capabilities(self, table: str) -> Capabilities:
        """Returns what an existing table supports."""

    def id_expression(self, columns: Sequence[Column], row: str = "") -> str:
        """Returns the SQL for a row's id: the key's only column, or a JSON array of several columns."""
        named = [row + self.column(column.name) for column in columns]
        return named[0] + columns[0].as_id if len(named) == 1 else self.array(named)

    def id_selection(self, key: Sequence[Column], name: str) -> list[str]:
        """Returns the SQL that selects a row's id, if the id isn't a column."""
        return [f"{self.id_expression(key)} AS {self.column(name)}"]

    def id_of(self, row: Row, key: Sequence[str], name: str) -> Any:
        """Returns the id of a row, or None if it has no usable id."""
        return row[name]

    def ids_parameter(self, ids: Sequence[Any], count: int) -> Any:
        """Returns the parameter of the query `ids_query`. Each id consists of `count` values."""
        return ids

    def key_value(self, id: Any, column: Column) -> Any:
        """Converts an id to the value of the key's only column."""
        return id

    def log_columns(self, key: Sequence[str]) -> Sequence[str]:
        """Returns the columns of the log that contain a row's id."""
        return ["id"]

    def logged_id(self, values: Sequence[Any]) -> Any:
        """Returns the id in these columns of the log, or None if it isn't usable."""
        return values[0]

    def equivalents(self, value: Any, column: Column) -> Sequence[Any]:
        """Returns all values that lists show like this one."""
        return [value]

    def is_misplaced(self, value: Any, column: Column) -> bool:
        """Whether the server would order this value differently than the database."""
        return False

    def stored_value(self, value: Any, column: Column, before: Any = None) -> Any:
        """Converts a value in the form that lists show to the value to write. `before` is the value that it replaces."""
        return value

    @abstractmethod
    def array(self, values: Sequence[str]) -> str:
        """Returns the SQL for a JSON array as a text."""

    @abstractmethod
    def triggers(self, table: str) -> Sequence[str]:
        """Returns the names of the table's triggers."""

    def objects_to_create(self, table: str) -> str:
        """Returns the names of the objects that `install` creates."""
        return f"the table {self.log_table(table)} and the triggers {', '.join(self.triggers(table))}"

    @abstractmethod
    def trigger_count_sql(self, table: str) -> str:
        """Returns the SQL that counts the working triggers."""

    @abstractmethod
    def log_fits_sql(self, table: str, key: Sequence[Column]) -> str:
        """Returns the SQL that checks whether the triggers log rows by this key."""

    @abstractmethod
    async def install(self, table: str, key: Sequence[Column]) -> None:
        """Creates the log and the triggers for rows with such a key. The first log entry reports that anything may have changed before."""

    @abstractmethod
    async def remove_triggers(self, table: str | None) -> list[str]:
        """Drops the triggers and the log of a table, or of all tables if `table` is None. Returns the names of the dropped objects."""

    @abstractmethod
    async def tables(self) -> list[str]:
        """Returns the names of the tables and views, except those of this package and of the database itself."""

    @abstractmethod
    async def snapshot(self, execute: Execute) -> str:
        """Returns a text that differs between two transactions if they may see different rows."""

    @abstractmethod
    async def watch_commits(self, table: str, notify: Callable[[], object]) -> None:
        """Calls `notify` whenever any row of the database may have changed. Never returns."""

    @abstractmethod
    async def listen(self, table: str, notify: Callable[[], object]) -> None:
        """Calls `notify` whenever the log may have new entries. Never returns."""

    @abstractmethod
    def autocommit(self, on_steps: OnSteps | None = None, *, writes: bool = False) -> AbstractAsyncContextManager[Execute]:
        """Executes statements outside of a transaction. The statements report their steps while they run, if the
        database can count them. They fail if they write, unless `writes` is true."""

    def read_transaction(self, on_steps: OnSteps | None = None) -> AbstractAsyncContextManager[Execute]:
        """Begins a transaction with a consistent snapshot. For `on_steps` see `autocommit`."""
        return self._transaction(self.begin_reading, on_steps)

    def write_transaction(self) -> AbstractAsyncContextManager[Execute]:
        """Begins a transaction that is committed at its end."""
        return self._transaction(self.begin_writing, writes=True)

    @asynccontextmanager
    async def _transaction(self, begin: str, on_steps: OnSteps | None = None, *, writes: bool = False) -> AsyncIterator[Execute]:
        async with self.autocommit(on_steps, writes=writes) as execute:
            await execute(begin)
            yield execute
            await execute("COMMIT")

    @asynccontextmanager
    async def savepoint(self, execute: Execute) -> AsyncIterator[None]:
        """Begins a part of a transaction that is rolled back if it fails, so that the transaction can continue."""
        await execute("SAVEPOINT nagare")
        try:
            yield
        except SourceError:
            with suppress(SourceError):
                await execute("ROLLBACK TO SAVEPOINT nagare")
            raise
        await execute("RELEASE SAVEPOINT nagare")

    async def write(self, execute: Execute, statement: str, values: Sequence[Any], key: Sequence[Column] = ()) -> Written:
        """Executes a statement that writes. With a key, the result contains the row's id, if the database returns it."""
        if key:
            try:
                async with self.savepoint(execute):
                    rows = await execute(f"{statement} RETURNING {self.returning(key)}", values)
                    return self.returned(len(rows), rows, key)
            except SourceError as error:
                # Some statements fail only because of RETURNING: with row-level security that hides the row, a view
                # with rules, a virtual table or an older SQLite.
                if error.retryable or (isinstance(error, StatementRefused) and error.is_unfit):
                    raise
        async with self.savepoint(execute):
            (done,) = await execute(statement, values)
            return Written(int(done["written"]))

    def returned(self, count: int, rows: Rows, key: Sequence[Column]) -> Written:
        """Returns the result for written rows. `rows` are the rows that RETURNING returned."""
        id = self.returned_id(rows[0], key) if len(rows) == 1 else None
        return Written(count, id, has_id=id is not None or len(rows) != 1)

    async def other_tables(self) -> str:
        """Lists the tables and views, for the error about a missing table."""
        found = await self.tables()
        return f"but {', '.join(map(repr, found))}" if found else "nor any other"

    async def hides_rows(self, execute: Execute, table: str) -> bool:
        """Whether some rows may be hidden from this program although the log contains their ids."""
        return False

    async def recover(self, execute: Execute) -> None:
        """Ends a transaction after a failed statement, if the database needs that."""

    async def blocker(self) -> str:
        """Describes the transaction because of which some log entries aren't final."""
        return ""

    def is_quickly_counted(self, table: str) -> bool:
        """Whether `count` is always quick."""
        return True

    async def count(self, execute: Execute, table: str, where: str, values: Sequence[Any], limit: int = COUNT_LIMIT) -> tuple[int, bool]:
        """Counts the rows that meet a condition. Returns the number, and whether it is exact.

        If counting would take long, the number is an estimate. `limit` is the maximum number of rows to count one by one,
        if the database doesn't know better.
        """
        (found,) = await execute(f"SELECT count(*) AS number FROM {table} WHERE {where}", values)
        return found["number"], True

    @abstractmethod
    def ids_query(self, table: str, key: Sequence[Column]) -> str:
        """Returns the query that converts an array of ids, its only parameter, to the values of their keys."""

    @abstractmethod
    def returning(self, key: Sequence[Column]) -> str:
        """Returns the SQL after RETURNING for the id of a row."""

    @abstractmethod
    def returned_id(self, row: Row, key: Sequence[Column]) -> Any:
        """Returns the id in the result of `returning`, or None if the row has no usable id."""

    @abstractmethod
    async def insert(self, execute: Execute, table: str, values: Row, key: Sequence[Column]) -> Written:
        """Inserts a row."""

    @abstractmethod
    async def change(
        self, execute: Execute, table: str, values: Row, where: str, parameters: Sequence[Any], key: Sequence[Column] = ()
    ) -> Written:
        """Updates the rows that meet a condition. Without a key, the result has no id."""

    @abstractmethod
    async def remove(self, execute: Execute, table: str, where: str, parameters: Sequence[Any]) -> Written:
        """Deletes the rows that meet a condition."""


class ChangeSignal:
    """Wakes all tasks that wait for changes."""

    def __init__(self) -> None:
        self._next: asyncio.Event | None = None

    @property
    def next(self) -> asyncio.Event:
        """The event of the next notification. Get it before checking for changes, so that no change is missed."""
        if self._next is None:
            self._next = asyncio.Event()
        return self._next

    def notify(self) -> None:
        awaited, self._next = self._next, None
        if awaited is not None:
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
