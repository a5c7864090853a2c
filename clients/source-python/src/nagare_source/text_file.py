"""Text files with rows: CSV, JSON arrays and JSON Lines."""

from __future__ import annotations

import atexit
import codecs
import csv
import json
import re
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from .database import REFUSED, literal, quoted
from .errors import UNREACHABLE, SourceError, warn
from .sqlite import SQLite
from .watcher import Watcher

DELIMITERS = ",;\t|"

SAMPLE = 64 * 1024
"""The number of characters from which the delimiter is guessed."""

INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,14})")
REAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d{1,2})?")
"""Numbers that stay what they are as numbers. A text with a leading zero or a plus, such as a post code or a phone number, isn't
one, and neither is a text with more digits than every program keeps."""

DIGITS = 15
"""The number of digits of a number that every program keeps."""


class TextFile(SQLite):
    """The rows of a text file, as the only table of a temporary database.

    - The file's ending decides how it is read: `.json` is an array, `.jsonl` and `.ndjson` have an item in each line, and
      all others are CSV with the names of the columns in the first row.
    - A row's id is its number. It is in a separate column.
    - If the file changes, it is read again.
    - `limit` is the number of rows to read, if not all are needed.
    - `threads` are those of `SQLite`.
    """

    def __init__(self, path: str | Path, *, limit: int | None = None, threads: int = 8) -> None:
        self._text_path, self._limit = Path(path).absolute(), limit
        self.table = self._text_path.stem or "rows"
        self._version: object = None
        folder = tempfile.mkdtemp(prefix="nagare-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self._temporary = Path(folder, "rows.db")
        self._load()
        super().__init__(self._temporary, threads=threads)
        self.name = f"--csv {path}"

    async def fingerprint(self, table: str) -> str:
        if self._current_version() != self._version:
            await self._run(self._load)
        return await super().fingerprint(table)

    async def watch_commits(self, table: str, notify: Callable[[], object]) -> None:
        with Watcher([str(self._text_path)]) as files:
            notify()
            while True:
                await files.wait()
                if self._current_version() != self._version:
                    notify()

    def _current_version(self) -> object:
        try:
            found = self._text_path.stat()
        except OSError as error:
            return str(error)
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _load(self) -> None:
        """Reads the file into the database, in one transaction."""
        version = self._current_version()
        try:
            read = _json_items if self._text_path.suffix.lower() in (".json", ".jsonl", ".ndjson") else _csv_rows
            names, rows = read(self._text_path)
            kinds = _kinds(names, islice(rows(), self._limit))
            database = sqlite3.connect(self._temporary, isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = off")
            number = next(name for name in ("row_id", *(f"row_id{i}_" for i in range(len(names) + 1))) if name.lower() not in map(str.lower, names))
            columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, kinds))
            sql = f"CREATE TABLE {quoted(self.table)} ({quoted(number)} INTEGER PRIMARY KEY{', ' if columns else ''}{columns})"
            database.execute("BEGIN IMMEDIATE")
            if not database.execute(f"SELECT 1 FROM sqlite_master WHERE sql = {literal(sql)}").fetchone():
                database.execute(f"DROP TABLE IF EXISTS {quoted(self.table)}")
                database.execute(sql)
            database.execute(f"DELETE FROM {quoted(self.table)}")
            marks = ", ".join("?" * (len(names) + 1))
            values = ([number, *map(_value, row, kinds)] for number, row in enumerate(islice(rows(), self._limit), 1))
            database.executemany(f"INSERT INTO {quoted(self.table)} VALUES ({marks})", values)
            database.execute("COMMIT")
            database.close()
        except OSError as error:
            raise SourceError(UNREACHABLE, f"{self._text_path} can't be read: {error.strerror}", retryable=True) from error
        except (ValueError, sqlite3.Error, csv.Error) as error:
            raise SourceError(REFUSED, f"{self._text_path} can't be read: {error}") from error
        self._version = version


def _text(path: Path) -> tuple[str, str]:
    """Returns the encoding of a file, and its beginning."""
    with path.open("rb") as file:
        mark = file.read(4)
    encoding = "utf-16" if mark.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        with path.open(encoding=encoding, newline="") as file:
            sample = file.read(SAMPLE)
            while file.read(1 << 20):
                pass
    except UnicodeDecodeError as error:
        warn(f"{path.name} isn't UTF-8 (byte {error.start} of its part), so it is read as Windows-1252")
        encoding = "cp1252"
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            sample = file.read(SAMPLE)
    return encoding, sample


def _csv_rows(path: Path) -> tuple[list[str], Callable[[], Iterator[Sequence[Any]]]]:
    """Returns the names of the columns, and a function that reads the rows."""
    csv.field_size_limit(sys.maxsize)
    encoding, sample = _text(path)
    delimiter = _delimiter(sample)

    def lines() -> Iterator[list[str]]:
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            for row in csv.reader((line.replace("\0", "") for line in file), delimiter=delimiter):
                if row:
                    yield row

    width = max(map(len, islice(lines(), 1000)), default=0)
    names = _unique([*next(lines(), []), *[""] * width][:width])

    def rows() -> Iterator[list[str]]:
        found = lines()
        next(found, None)
        for row in found:
            yield [*row, *[""] * (width - len(row))][:width]

    return names, rows


def _delimiter(sample: str) -> str:
    """Guesses the delimiter: the one that splits most rows into the same number of fields."""
    lines = sample.splitlines(keepends=True)

    def score(delimiter: str) -> tuple[float, int]:
        rows = [row for row in csv.reader(lines[:100], delimiter=delimiter) if row]
        ((width, count),) = Counter(map(len, rows)).most_common(1) or [(1, 0)]
        return (count / len(rows), width) if width > 1 else (0, 0)

    return max(DELIMITERS, key=score)


def _json_items(path: Path) -> tuple[list[str], Callable[[], Iterator[Sequence[Any]]]]:
    """Returns the names of all fields, and a function that reads the items' fields."""
    encoding, _ = _text(path)
    if path.suffix.lower() == ".json":
        found = json.loads(path.read_text(encoding=encoding))
        if not isinstance(found, list):
            raise ValueError("it has no array of items")
    else:
        found = []
        with path.open(encoding=encoding) as file:
            for number, line in enumerate(file, 1):
                try:
                    found += [json.loads(line)] if line.strip() else []
                except ValueError as error:
                    raise ValueError(f"line {number} is no JSON: {error}") from None
    items = [one if isinstance(one, dict) else {"value": one} for one in found]
    names = list(dict.fromkeys(name for item in items for name in item))
    return _unique(names), lambda: ([item.get(name) for name in names] for item in items)


def _unique(names: Sequence[str]) -> list[str]:
    """Returns names that differ, also for SQLite, which ignores case. Columns without a name get a number."""
    taken: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        base = name.strip().replace("\0", "") or f"column {number}"
        unique, count = base, 2
        while unique.lower() in taken:
            unique, count = f"{base} {count}", count + 1
        taken[unique.lower()] = unique
    return list(taken.values())


def _kinds(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> list[str]:
    """Returns the types of the columns: numbers only if all values are numbers."""
    possible = [{"INTEGER", "REAL", "BOOLEAN"} for _ in names]
    filled = [False] * len(names)
    for row in rows:
        for number, value in enumerate(row):
            if value == "" or value is None:
                continue
            filled[number] = True
            if possible[number]:
                possible[number] &= _kinds_of(value)
    order = "BOOLEAN", "INTEGER", "REAL"
    return [next((kind for kind in order if kind in one), "TEXT") if has else "TEXT" for one, has in zip(possible, filled)]


def _kinds_of(value: Any) -> set[str]:
    if isinstance(value, bool):
        return {"BOOLEAN"}
    if isinstance(value, (int, float)):
        return {"INTEGER", "REAL"} if isinstance(value, int) and abs(value) < 1 << 63 else {"REAL"}
    if not isinstance(value, str) or not REAL.fullmatch(value) or sum(map(str.isdigit, value)) > DIGITS:
        return set()
    return {"INTEGER", "REAL"} if INTEGER.fullmatch(value) else {"REAL"}


def _value(value: Any, kind: str) -> Any:
    """Converts a field to the value of its column."""
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if kind == "TEXT" or value is None:
        return value if isinstance(value, (str, type(None))) else json.dumps(value)
    if value == "":
        return None
    return float(value) if kind == "REAL" else int(value)
