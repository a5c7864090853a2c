"""What a table needs of its database."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

Row: TypeAlias = "dict[str, Any]"

Kind: TypeAlias = Literal["text", "number", "time", "bytes", "other"]

REFUSED = 1
"""The code of what a database won't do."""

KEPT = 10_000
"""How many changes the table of changes holds at least; a program that has missed more has its lists read again."""


class Ask(Protocol):
    """Runs one statement of a transaction, and gives its rows."""

    async def __call__(self, statement: str, values: Sequence[Any] = (), /) -> list[Row]: ...


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
    is_truth: bool = False
    """Whether it is declared to be true or false, whatever its rows hold."""


@dataclass(frozen=True)
class Nature:
    """What can be done with a table."""

    still: str = ""
    """Why it can't be live; nothing if it can."""
    is_writable: bool = True
    is_long: bool = False
    """Whether reading it from one end to the other takes time."""
    indexed: frozenset[str] = frozenset()
    """Columns with which an index begins."""


class Database(ABC):
    """A database, spoken to in its own dialect.

    Each change of a row is noted in a table beside the one that it is in, by a position and the row's id: op is I for a new
    row, C for one that has changed or gone, A for more than anybody can say.
    """

    name: str
    """How the command line names it."""
    placeholder: str
    find: str
    """The function that finds a text in another."""
    position: str
    """The column of noted changes by which they are in the order in which they can be seen."""
    is_final: str
    """The condition on noted changes that nothing can come before any more."""
    patience: tuple[float, float | None]
    """Seconds after which noted changes are looked for without a sign of any: while some aren't final, and else."""

    @property
    def life(self) -> str:
        """What states begin with: another text when another database has taken the place of this one."""
        return ""

    @abstractmethod
    def quoted(self, table: str) -> str:
        """The table in SQL."""

    def column(self, name: str) -> str:
        """A column in SQL, which is refused where there is none of this name any more."""
        return quoted(name)

    @abstractmethod
    async def shape(self, table: str) -> str:
        """Another text as soon as the table may be another, or have other columns."""

    def bare(self, table: str) -> str:
        """What people call it: its own name, without a schema or quotes."""
        return table

    def log(self, table: str) -> str:
        """The table of its changes, by its own name."""
        schema, dot, name = table.rpartition(".")
        return f"{schema}{dot}nagare_{name}"

    @abstractmethod
    async def columns(self, table: str) -> list[Column]:
        """The columns of a table, and last, if there is one, that which is a row's own without being told."""

    @abstractmethod
    async def nature(self, table: str) -> Nature:
        """What can be done with a table that is there."""

    def key(self, columns: Sequence[str], row: str = "") -> str:
        """A row's id in SQL: its key's only column, or the JSON array of several as a text."""
        named = [row + self.column(column) for column in columns]
        return named[0] if len(named) == 1 else self.array(named)

    @abstractmethod
    def array(self, values: Sequence[str]) -> str:
        """A JSON array as a text, in SQL."""

    @abstractmethod
    def triggers(self, table: str) -> Sequence[str]:
        """The names of what notes changes."""

    @abstractmethod
    def counted(self, table: str) -> str:
        """Counts those of them that are there and of use."""

    @abstractmethod
    async def install(self, table: str, key: Sequence[str]) -> None:
        """Makes what notes changes, by the ids of rows with such a key, and notes that anything may have happened until then."""

    @abstractmethod
    async def uninstall(self, table: str) -> None:
        """Drops what notes changes, and what was noted."""

    @abstractmethod
    async def listen(self, table: str, ring: Callable[[], object]) -> None:
        """Rings, for ever, when something may have been noted."""

    @abstractmethod
    def asking(self) -> AbstractAsyncContextManager[Ask]:
        """Statements that see the database each by itself."""

    @abstractmethod
    def reading(self) -> AbstractAsyncContextManager[Ask]:
        """A transaction that sees the database as it is at one moment."""

    @abstractmethod
    def writing(self) -> AbstractAsyncContextManager[Ask]:
        """A transaction that is committed at its end."""

    async def held_by(self) -> str:
        """What keeps noted changes from being final."""
        return ""

    async def count(self, ask: Ask, table: str, where: str, values: Sequence[Any]) -> tuple[int, bool]:
        """How many rows of a table, as SQL has it, meet a condition, and whether that was counted: where counting would take
        long, it is estimated."""
        (found,) = await ask(f"SELECT count(*) AS number FROM {table} WHERE {where}", values)
        return found["number"], True

    @abstractmethod
    def ids(self, table: str, key: Sequence[str]) -> str:
        """A query for the values of a key, whose ids are in an array that is one parameter."""

    @abstractmethod
    async def insert(self, ask: Ask, table: str, values: Row) -> None:
        """Inserts a row."""

    @abstractmethod
    async def change(self, ask: Ask, table: str, values: Row, where: str, parameters: Sequence[Any]) -> None:
        """Writes columns of the rows that meet a condition."""


class Bell:
    """Wakes all who wait."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        """What will be set when it rings next. Who takes it before looking for something misses nothing."""

    def ring(self) -> None:
        rung, self.next = self.next, asyncio.Event()
        rung.set()

    async def wait(self, rung: asyncio.Event, patience: float | None) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(rung.wait(), patience)


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
