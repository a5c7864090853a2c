"""Guesses how to show a table's rows, from the names of its columns and a sample of rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from .database import Column, Row
from .display_words import BADGES, LONG_TEXT, PEOPLE, TEXTS, TITLES, UNREAD_VALUES
from .layout import CHANGING_TIME_NAMES, TIME_NAMES
from .wire import to_json

SAMPLE_ROWS = 200
"""The number of rows in the sample."""

CATEGORY_LIMIT = 12
"""The maximum number of different values of a badge or a filter."""

ID = re.compile(r"id_?$", re.IGNORECASE)
MONEY = re.compile(r"(?:^|_)(?:price|amount|total|cost|fee|balance|salary|revenue|cents)(?:_|$)", re.IGNORECASE)
BYTES = re.compile(r"(?:^|_)bytes$", re.IGNORECASE)
SECONDS = re.compile(r"(?:^|_)(?:seconds|secs|duration)$", re.IGNORECASE)
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
CURRENCY = re.compile(r"[A-Z]{3}")
SINCE_1970 = (100_000_000, 5_000_000_000), (100_000_000_000, 5_000_000_000_000)
"""The ranges of numbers that are recent times, in seconds and in milliseconds since 1970."""


class DisplayGuess:
    """A guess of how to show a table."""

    def __init__(
        self, columns: Sequence[Column], key: Sequence[str], order: Sequence[str], rows: Sequence[Row]
    ) -> None:
        found = {
            one.name: [row[one.name] for row in rows if row.get(one.name) is not None]
            # In a display, a name with dots is a path.
            for one in columns
            if "." not in one.name
        }
        self._values = {name: list(map(to_json, values)) for name, values in found.items()}
        self._kinds = {one.name: one.kind for one in columns}
        self._booleans = {one.name for one in columns if one.is_boolean}
        # A number that only identifies rows isn't useful to people.
        numbers = [name for name in key if len(key) == 1 and ID.search(name)]
        raw = [one.name for one in columns if one.name in self._values and (one.kind == "bytes" or _is_raw(found[one.name]))]
        self.raw_texts = [name for name in raw if self._kinds[name] != "bytes"]
        """The columns that contain bytes although they aren't declared so."""
        self.hidden = [*raw, *(name for name in numbers if name != "id")]
        self._shown = [name for name in self._values if name not in (*raw, *numbers)]
        self._formats = {name: self._format(name) for name in self._shown}
        texts = [name for name in self._shown if self._kinds[name] == "text" and not self._formats[name]]
        self._body = self._text_to_read(texts) or next(filter(self._is_long, texts), None)
        short = [name for name in texts if name != self._body and not self._is_long(name)]
        others = [name for name in short if name not in PEOPLE]
        sorting = [name for name in others if self._is_category(name) and name not in TITLES]
        # Prefers a unique title. A column in which many rows share a value is the last choice.
        telling = [name for name in [*others, *short] if name not in (*sorting, *TEXTS) and not self._is_constant(name)]
        self._title = self._first_named(TITLES, short) or next(iter([*telling, *sorting, *others, *short]), None)
        left = [name for name in sorting if name != self._title and name not in key]
        self._badge = self._first_named(BADGES, left) or next(iter(left), None)
        self._subtitle = next((name for name in PEOPLE if name in short and name != self._title), None)
        moments = [name for name in self._shown if self._formats[name].get("format") in ("date", "datetime") or self._may_be_moment(name)]
        leading = [name for name in order if name in moments] + [name for name in moments if not re.search(CHANGING_TIME_NAMES, name)]
        self._date = next(iter(leading), None)

    def display(self, whole: bool) -> dict[str, Any]:
        """Returns the `display` of a screen that shows full items, or a list if `whole` is false. Rows that look like
        mail aren't shown as a table."""
        parts = {"title": self._title, "subtitle": self._subtitle, "body": self._body, "badge": self._badge, "date": self._date}
        display: dict[str, Any] = {name: member for name, member in parts.items() if member is not None}
        if self.hidden:
            display["hidden"] = self.hidden
        if self._body is None or self._title is None:
            shown = [name for name in self._shown if name not in UNREAD_VALUES and name != self._body]
            columns = sorted(shown, key=lambda name: name != self._title)
        else:
            columns = [name for name in self._shown if self._formats[name]] if whole else []
        if columns:
            display["columns"] = [{"member": name, **self._formats[name]} for name in columns]
        return display

    @property
    def read_columns(self) -> list[str]:
        """The columns that people search: title, subtitle and text."""
        return [name for name in (self._title, self._subtitle, self._body) if name is not None]

    @property
    def filter_columns(self) -> list[str]:
        """The columns that make useful filters: those with few values, and a time."""
        few = [name for name in self._shown if self._formats[name].get("format") == "boolean" or self._is_category(name) or name in UNREAD_VALUES]
        return list(dict.fromkeys([*few, *([self._date] if self._date else [])]))

    def _format(self, name: str) -> dict[str, Any]:
        """Returns the format of a column."""
        values, kind = self._values[name], self._kinds[name]
        texts = [value for value in values if isinstance(value, str)]
        if values and len(texts) == len(values):
            found = next((format for format, form in (("date", DAY), ("datetime", MOMENT)) if all(map(form.fullmatch, texts))), None)
            return {"format": found} if found else {}
        if name in UNREAD_VALUES or not all(isinstance(value, (int, float, Decimal)) for value in values):
            return {}
        # A declared Boolean is certain, even if there are few rows.
        if {*values} == {0, 1} or (name in self._booleans and {*values} <= {0, 1}):
            return {"format": "boolean"}
        if not values:
            return {}
        if (kind == "time" or re.search(TIME_NAMES, name)) and any(all(low < one < high for one in values) for low, high in SINCE_1970):
            return {"format": "datetime"}
        if BYTES.search(name):
            return {"format": "bytes"}
        if SECONDS.search(name):
            return {"format": "duration"}
        if MONEY.search(name):
            currency = self._currency()
            return {"format": "money", "currency": currency} if currency and "cents" not in name.lower() else {"format": "number"}
        return {"align": "end"}

    def _currency(self) -> str | None:
        """Returns the currency, if all rows have the same one."""
        found = {str(one) for one in self._values.get("currency", [])}
        return next((one for one in found if len(found) == 1 and CURRENCY.fullmatch(one)), None)

    def _first_named(self, names: Sequence[str], among: Sequence[str]) -> str | None:
        return next((name for name in names if name in among), None)

    def _text_to_read(self, texts: Sequence[str]) -> str | None:
        """Returns the column with a text to read, chosen by its name. A column with short words isn't such a text, whatever its name."""
        named = self._first_named(TEXTS, texts)
        is_read = named is not None and (self._is_long(named) or not self._values[named] or self._first_named(TITLES, texts) is not None)
        return named if is_read else None

    def _is_constant(self, name: str) -> bool:
        """Whether all rows have the same value. With two rows or fewer it is false."""
        return len(self._values[name]) > 2 and len(set(map(str, self._values[name]))) == 1

    def _is_long(self, name: str) -> bool:
        return any(isinstance(value, str) and (len(value) > LONG_TEXT or "\n" in value) for value in self._values[name])

    def _is_category(self, name: str) -> bool:
        """Whether rows share a few short values."""
        values = self._values[name]
        different = {value for value in values if isinstance(value, str) and len(value) <= 20}
        return 2 <= len(different) <= CATEGORY_LIMIT and 3 * len(different) <= len(values) and all(value in different for value in values)

    def _may_be_moment(self, name: str) -> bool:
        """Whether the column's name suggests a time, if no row has a value."""
        return not self._values[name] and (self._kinds[name] == "time" or bool(re.search(TIME_NAMES, name)))


def _is_raw(values: Sequence[Any]) -> bool:
    """Whether all values are bytes. A text that only looks like bytes in a list doesn't count."""
    return bool(values) and all(isinstance(value, bytes) for value in values)
