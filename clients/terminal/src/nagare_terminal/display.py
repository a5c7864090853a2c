"""The display of items: as declared by `display` in the configuration, otherwise guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

from . import item_guess
from .files import File, file_of
from .guard import guarded
from .text import amount, humanize, line, number, paragraphs

T = TypeVar("T")
NUMBERS = "number", "money", "bytes", "duration"
"""Formats that are aligned to the end by default."""
_WITHOUT_CENTS = "JPY", "KRW", "VND", "CLP", "ISK"
_VALUE_ALONE = re.compile(r"-?[\d.,]+|✓|–|yes|no")
_LINK = re.compile(r"https?://[^\s<>\"'）」』、。]+[^\s<>\"'）」』、。.,;:!?)]")


@dataclass(frozen=True)
class Column:
    """A field, and its format."""

    member: str
    name: str
    format: str = ""
    currency: str = ""
    align: str = "start"

    def text(self, item: Any) -> str:
        """Formats the field of an item in one line."""
        return guarded("a column", lambda: format_value(value_at(item, self.member), self.format, self.currency), str)

    def labeled(self, item: Any) -> str:
        """Formats the field for a list of several fields. A value that isn't clear alone gets the field's name."""
        value = self.text(item)
        return f"{self.name.lower()} {value}" if _VALUE_ALONE.fullmatch(value) else value


@dataclass(frozen=True)
class Action:
    """An action on items."""

    input: str
    name: str
    icon: str = ""
    key: str = ""
    confirm: str = ""
    undo: bool = False
    many: bool = False
    set: Mapping[str, Any] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def arguments(self, item: Any, schema: Mapping[str, Any], id: str = "") -> dict[str, Any]:
        """Returns the input's parameters that the item and the display determine. `id` is the name of the item's id field."""
        if self.set is not None:
            # The server rejects an item that isn't an object.
            return {"item": {**(item if isinstance(item, Mapping) else {}), **self.set}}
        known = {name: _substituted(parameter, item, id) for name, parameter in self.params.items()}
        for name in schema.get("properties", {}):
            if name == "id":
                known.setdefault(name, item_guess.item_id(item, id))
            elif isinstance(item, Mapping) and name in item:
                known.setdefault(name, item[name])
        return known


class Display:
    """The `display` of a screen, with guesses for missing parts."""

    def __init__(self, declared: Mapping[str, Any], id: str = "") -> None:
        """- `id` is the name of the items' id field, if the screen defines it."""
        self._declared, self.id = declared, id
        self.columns = _parsed_all("a column", _column, declared.get("columns", []))
        self.hidden: list[str] = declared.get("hidden", [])
        self.actions = _parsed_all("an action", _action, declared.get("actions", []))
        self.declares_actions = "actions" in declared

    def guess_columns(self, item: Any) -> None:
        """Guesses columns from an item. Items without a title and without long text are shown as table rows."""
        if self._declared or self.columns or not isinstance(item, Mapping) or item_guess.title_field(item):
            return
        if len(item) > 2 and not any(item_guess.is_text(name, paragraphs(value)) for name, value in item.items()):
            self.columns = guessed_columns(item)

    def item_id(self, item: Any) -> Any:
        """Returns an item's id."""
        return item_guess.item_id(item, self.id)

    def has_text(self, item: Any) -> bool:
        """Whether an item has the declared title or body."""
        return any(path and value_at(item, path) is not None for path in (self._declared.get("title"), self._body()))

    def title(self, item: Any) -> str:
        """Returns the first line of an item."""
        declared = self._member("title", item)
        # The first column describes a table row best.
        first = self.columns[0].text(item) if self.columns and not declared and not item_guess.title_field(item) else ""
        return declared or first or item_guess.title(item, self.id)

    def summary(self, item: Any) -> str:
        """Returns the second line of an item."""
        if not self.columns and not any(name in self._declared for name in ("title", "subtitle", "body", "date", "badge")):
            return item_guess.summary(self._visible_fields(item), self.id)
        body = " ".join(self._member("body", item, item_guess.PREVIEW).split())
        parts = [item_guess.without_address(self._member("subtitle", item)), body]
        return " · ".join(part for part in parts if part) or self._rest(item)

    def _rest(self, item: Any) -> str:
        """Returns the remaining fields, which no other part of the row shows, as text."""
        if not self.columns:
            return item_guess.summary(self._visible_fields(item, only_rest=True), self.id)
        gone = {self._declared.get(name) for name in ("title", "date", "badge", "image")}
        # Prices first, then words.
        columns = sorted(self.columns, key=lambda column: 0 if column.format == "money" else 2 if column.format or column.align == "end" else 1)
        shown = [column.labeled(item) for column in columns if column.member not in gone]
        # The price already shows the currency.
        repeated = {self.title(item), *(column.currency for column in columns)}
        return " · ".join(part for part in shown if part and part not in repeated)

    def aside(self, item: Any) -> tuple[str, str]:
        """Returns the badge and the date, which are at the end of the first line."""
        field = self._declared.get("date")
        return self._member("badge", item), short_time(value_at(item, field)) if field else ""

    def unread(self, item: Any) -> bool | None:
        """Whether an item is unread; None if unknown."""
        if field := self._declared.get("unread"):
            value = value_at(item, field)
            return None if value is None else bool(value)
        return item_guess.unread(item)

    def as_read(self, item: Any) -> Any:
        """Returns the item marked as read, or None if it is read already."""
        if field := self._declared.get("unread"):
            value = item.get(field) if isinstance(item, Mapping) else None
            return {**item, field: type(value)(0)} if value and isinstance(value, (int, float)) else None
        return item_guess.as_read(item)

    def facts(self, item: Any) -> Iterator[tuple[str, str]]:
        """Yields the names and texts of an item's short fields."""
        apart = self._body(), self._declared.get("title")
        for column in self.columns:
            if column.member not in apart and not item_guess.is_text("", text(value_at(item, column.member))):
                yield column.name, column.text(item)
        shown = {*apart, *(column.member.split(".")[0] for column in self.columns)}
        for name, value in item_guess.other_fields(self._visible_fields(item), self.id):
            if name not in shown and not item_guess.is_text(name, text(value)):
                yield humanize(name), text(time_text(value) if name == self._declared.get("date") else value)

    def pictures(self, item: Any) -> Iterator[tuple[str, str]]:
        """Yields the names and data URLs of an item's pictures."""
        if isinstance(item, Mapping):
            for name, value in item.items():
                if name not in self.hidden and isinstance(value, str) and value.startswith("data:image/"):
                    yield humanize(name), value

    def files(self, item: Any) -> Iterator[File]:
        """Yields an item's attachments."""
        if isinstance(item, Mapping):
            columns = {column.member for column in self.columns}
            for name, value in self._visible_fields(item).items():
                if name not in columns and item_guess.are_files(value):
                    yield from map(file_of, value)

    def texts(self, item: Any) -> Iterator[tuple[str, str]]:
        """Yields an item's long texts and their formats."""
        body = self._body()
        declared = self._declared.get("body")
        if body and (content := text(value_at(item, body))):
            yield content, declared.get("format", "text") if isinstance(declared, Mapping) else "text"
        if isinstance(item, Mapping):
            columns = {column.member for column in self.columns}
            for name, value in item_guess.other_fields(self._visible_fields(item), self.id):
                # A short column is a fact, whatever its name.
                called = "" if name in columns else name
                if name != body and (content := text(value)) and item_guess.is_text(called, content) and not content.startswith("data:"):
                    yield content, "text"

    def _body(self) -> str:
        declared = self._declared.get("body", "")
        return str(declared["member"] if isinstance(declared, Mapping) else declared)

    def _member(self, name: str, item: Any, most: int = 1000) -> str:
        path = self._body() if name == "body" else self._declared.get(name)
        value = value_at(item, path) if path else None
        return line(value[:most] if isinstance(value, str) else value)

    def _visible_fields(self, item: Any, only_rest: bool = False) -> Any:
        """Returns an item without hidden fields; with `only_rest`, also without fields that are shown elsewhere."""
        if not isinstance(item, Mapping):
            return item
        gone = {*self.hidden, self._declared.get("unread")}
        if only_rest:
            gone |= {str(self._declared.get(name)).split(".")[0] for name in ("title", "date", "badge", "image")}
        return {name: value for name, value in item.items() if name not in gone} if gone != {None} else item


def value_at(item: Any, path: str) -> Any:
    """Returns the value at a path, such as `"a.b"`. Returns None if the item has no such value."""
    for name in path.split("."):
        if not isinstance(item, Mapping):
            return None
        item = item.get(name)
    return item


def text(value: Any) -> str:
    """Formats a value as text of any number of lines."""
    return guarded("a member", lambda: paragraphs(value), str)


def format_value(value: Any, format: str, currency: str = "") -> str:
    """Formats a value in one line."""
    if value is None:
        return ""
    if format == "boolean":
        return "✓" if value else "–"
    if format in ("date", "time", "datetime"):
        text = line(time_text(value))
        date, _, time = text.partition(" ")
        return {"date": date, "time": time or text}.get(format, text)
    if format == "image":
        return "[picture]"
    count = number(value)
    if count is None:
        return line(value)
    if format == "money":
        exact = Decimal(count) if isinstance(count, int) else count
        return f"{exact:,.{0 if currency in _WITHOUT_CENTS else 2}f} {currency}"
    if format == "bytes":
        return amount(count, "bytes")
    if format == "duration":
        minutes, seconds = divmod(round(count), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{int(count) if count == int(count) else count:,}" if format == "number" else line(value)


def time_text(value: Any) -> Any:
    """Converts a time to text. A number is the seconds or milliseconds since 1970. Other values are returned unchanged."""
    if (exact := number(value)) is None:
        return value
    count = float(exact)
    try:
        return f"{datetime.fromtimestamp(count if abs(count) < 1e11 else count / 1000):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return value  # The number is outside of the calendar.


def now() -> datetime:
    """Returns the local time."""
    return datetime.now()


def short_time(value: Any) -> str:
    """Formats a time briefly: the time if it is today, the day if it is this year, otherwise the date."""
    text = line(time_text(value))
    day, _, time = text.partition(" ")
    today = f"{now():%Y-%m-%d}"
    if time and day == today:
        return time
    return day[5:] if day[:4] == today[:4] and re.fullmatch(r"\d{4}-\d\d-\d\d", day) else day if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else text


def links(item: Any) -> list[str]:
    """Returns the links in an item, without repetitions."""
    return list(dict.fromkeys(_LINK.findall(paragraphs(item))))


def guessed_columns(item: Any, members: Sequence[str] = ()) -> list[Column]:
    """Guesses the columns of items: the named fields, or all fields of an item."""
    known = item if isinstance(item, Mapping) else {}
    ends = {name for name, value in known.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return [Column(name, humanize(name), align="end" if name in ends else "start") for name in members or known]


def _parsed_all(what: str, made: Callable[[Any], T], declared: Sequence[Any]) -> list[T]:
    """Returns the valid columns or actions."""
    found = (guarded(what, partial(made, one), lambda why: None) for one in declared)
    return [one for one in found if one is not None]


def _column(declared: Any) -> Column:
    one = {"member": declared} if isinstance(declared, str) else declared
    format = one.get("format", "")
    align = one.get("align", "end" if format in NUMBERS else "start")
    return Column(one["member"], one.get("name") or humanize(one["member"].split(".")[-1]), format, one.get("currency", ""), align)


def _action(declared: Mapping[str, Any]) -> Action:
    return Action(
        declared["input"],
        declared.get("name") or humanize(declared["input"]),
        declared.get("icon", ""),
        declared.get("key", ""),
        declared.get("confirm", ""),
        bool(declared.get("undo")),
        declared.get("for") == "many",
        declared.get("set"),
        declared.get("params", {}),
    )


def _substituted(parameter: Any, item: Any, id: str) -> Any:
    """Replaces a parameter of the form `{path}` by the item's value at that path."""
    if isinstance(parameter, str) and (found := re.fullmatch(r"\{([^{}]+)\}", parameter)):
        return item_guess.item_id(item, id) if found[1] == "id" else value_at(item, found[1])
    return parameter
