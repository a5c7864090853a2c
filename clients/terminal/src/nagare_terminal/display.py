"""How items are shown: as `display` says it, and by a guess where nothing is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

from . import item_guess
from .files import File, file
from .guard import guarded
from .text import amount, humane, line, number, paragraphs

T = TypeVar("T")
NUMBERS = "number", "money", "bytes", "duration"
"""Formats that stand at the end of their column, where nothing else is said."""
_WITHOUT_CENTS = "JPY", "KRW", "VND", "CLP", "ISK"
_BARE = re.compile(r"-?[\d.,]+|✓|–|yes|no")
_LINK = re.compile(r"https?://[^\s<>\"'）」』、。]+[^\s<>\"'）」』、。.,;:!?)]")


@dataclass(frozen=True)
class Column:
    """A member, and how it is written."""

    member: str
    name: str
    format: str = ""
    currency: str = ""
    align: str = "start"

    def shown(self, item: Any) -> str:
        """The member of an item, in one line."""
        return guarded("a column", lambda: formatted(reach(item, self.member), self.format, self.currency), str)

    def called(self, item: Any) -> str:
        """The same among others, with its name where it says nothing alone."""
        told = self.shown(item)
        return f"{self.name.lower()} {told}" if _BARE.fullmatch(told) else told


@dataclass(frozen=True)
class Action:
    """What can be done with an item."""

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
        """The input's parameters, as far as an item, whose id is in this member, and the display tell them."""
        if self.set is not None:
            # The server refuses an item that isn't an object, and says why.
            return {"item": {**(item if isinstance(item, Mapping) else {}), **self.set}}
        known = {name: _filled(said, item, id) for name, said in self.params.items()}
        for name in schema.get("properties", {}):
            if name == "id":
                known.setdefault(name, item_guess.identity(item, id))
            elif isinstance(item, Mapping) and name in item:
                known.setdefault(name, item[name])
        return known


class Display:
    """What a screen's configuration, or a view model, says of its items."""

    def __init__(self, said: Mapping[str, Any], id: str = "") -> None:
        """- `id` is the member that is an item's id, where the screen says so."""
        self._said, self.id = said, id
        self.columns = _understood("a column", _column, said.get("columns", []))
        self.hidden: list[str] = said.get("hidden", [])
        self.actions = _understood("an action", _action, said.get("actions", []))
        self.says_actions = "actions" in said

    def learn(self, item: Any) -> None:
        """Takes one of the items for a guess: those that have no title, and nothing to read, are rows of a table."""
        if self._said or self.columns or not isinstance(item, Mapping) or item_guess.titled(item):
            return
        if len(item) > 2 and not any(item_guess.is_text(name, paragraphs(value)) for name, value in item.items()):
            self.columns = guessed(item)

    def identity(self, item: Any) -> Any:
        """An item's id."""
        return item_guess.identity(item, self.id)

    def names(self, item: Any) -> bool:
        """Whether it says what an item is called, or what there is to read of it."""
        return any(path and reach(item, path) is not None for path in (self._said.get("title"), self._body()))

    def title(self, item: Any) -> str:
        """What stands first."""
        told = self._member("title", item)
        # In the first column stands what a row of a table is about.
        first = self.columns[0].shown(item) if self.columns and not told and not item_guess.titled(item) else ""
        return told or first or item_guess.title(item, self.id)

    def summary(self, item: Any) -> str:
        """What stands below."""
        if not self.columns and not any(name in self._said for name in ("title", "subtitle", "body", "date", "badge")):
            return item_guess.summary(self._open(item), self.id)
        body = " ".join(self._member("body", item, item_guess.PREVIEW).split())
        told = [item_guess.unaddressed(self._member("subtitle", item)), body]
        return " · ".join(part for part in told if part) or self._rest(item)

    def _rest(self, item: Any) -> str:
        """What isn't told elsewhere, in its format."""
        if not self.columns:
            return item_guess.summary(self._open(item, told=True), self.id)
        gone = {self._said.get(name) for name in ("title", "date", "badge", "image")}
        # What something costs is seen in any case, and then item_guess.
        told = sorted(self.columns, key=lambda column: 0 if column.format == "money" else 2 if column.format or column.align == "end" else 1)
        shown = [column.called(item) for column in told if column.member not in gone]
        # What money is in stands with it already.
        said = {self.title(item), *(column.currency for column in told)}
        return " · ".join(part for part in shown if part and part not in said)

    def aside(self, item: Any) -> tuple[str, str]:
        """What stands at the end of the first line: a badge, and when."""
        said = self._said.get("date")
        return self._member("badge", item), recent(reach(item, said)) if said else ""

    def unread(self, item: Any) -> bool | None:
        """Whether nobody has read an item; None if it doesn't say."""
        if said := self._said.get("unread"):
            value = reach(item, said)
            return None if value is None else bool(value)
        return item_guess.unread(item)

    def as_read(self, item: Any) -> Any:
        """An item as it is once somebody has read it; None if that changes nothing."""
        if said := self._said.get("unread"):
            value = item.get(said) if isinstance(item, Mapping) else None
            return {**item, said: type(value)(0)} if value and isinstance(value, (int, float)) else None
        return item_guess.as_read(item)

    def facts(self, item: Any) -> Iterator[tuple[str, str]]:
        """An item's short members with their names, in their order."""
        apart = self._body(), self._said.get("title")
        for column in self.columns:
            if column.member not in apart and not item_guess.is_text("", text(reach(item, column.member))):
                yield column.name, column.shown(item)
        shown = {*apart, *(column.member.split(".")[0] for column in self.columns)}
        for name, value in item_guess.members(self._open(item), self.id):
            if name not in shown and not item_guess.is_text(name, text(value)):
                yield humane(name), text(moment(value) if name == self._said.get("date") else value)

    def pictures(self, item: Any) -> Iterator[tuple[str, str]]:
        """An item's pictures that are written as text, with their names."""
        if isinstance(item, Mapping):
            for name, value in item.items():
                if name not in self.hidden and isinstance(value, str) and value.startswith("data:image/"):
                    yield humane(name), value

    def files(self, item: Any) -> Iterator[File]:
        """What is attached to an item."""
        if isinstance(item, Mapping):
            columns = {column.member for column in self.columns}
            for name, value in self._open(item).items():
                if name not in columns and item_guess.are_files(value):
                    yield from map(file, value)

    def texts(self, item: Any) -> Iterator[tuple[str, str]]:
        """What there is to read of an item, with its format."""
        body = self._body()
        said = self._said.get("body")
        if body and (told := text(reach(item, body))):
            yield told, said.get("format", "text") if isinstance(said, Mapping) else "text"
        if isinstance(item, Mapping):
            columns = {column.member for column in self.columns}
            for name, value in item_guess.members(self._open(item), self.id):
                # A column that is short is told among the facts, whatever it is called.
                called = "" if name in columns else name
                if name != body and (told := text(value)) and item_guess.is_text(called, told) and not told.startswith("data:"):
                    yield told, "text"

    def _body(self) -> str:
        said = self._said.get("body", "")
        return str(said["member"] if isinstance(said, Mapping) else said)

    def _member(self, name: str, item: Any, most: int = 1000) -> str:
        path = self._body() if name == "body" else self._said.get(name)
        value = reach(item, path) if path else None
        return line(value[:most] if isinstance(value, str) else value)

    def _open(self, item: Any, told: bool = False) -> Any:
        """An item without what is hidden, and without what is told elsewhere."""
        if not isinstance(item, Mapping):
            return item
        gone = {*self.hidden, self._said.get("unread")}
        if told:
            gone |= {str(self._said.get(name)).split(".")[0] for name in ("title", "date", "badge", "image")}
        return {name: value for name, value in item.items() if name not in gone} if gone != {None} else item


def reach(item: Any, path: str) -> Any:
    """The member of an item by its path, `"a.b"`; None where there is none."""
    for name in path.split("."):
        if not isinstance(item, Mapping):
            return None
        item = item.get(name)
    return item


def text(value: Any) -> str:
    """A member as text of any number of lines."""
    return guarded("a member", lambda: paragraphs(value), str)


def formatted(value: Any, format: str, currency: str = "") -> str:
    """A value in one line, in its format."""
    if value is None:
        return ""
    if format == "boolean":
        return "✓" if value else "–"
    if format in ("date", "time", "datetime"):
        told = line(moment(value))
        date, _, time = told.partition(" ")
        return {"date": date, "time": time or told}.get(format, told)
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


def moment(value: Any) -> Any:
    """A moment as a text, where a number counts the seconds since 1970, or the milliseconds; anything else is as it was."""
    if (exact := number(value)) is None:
        return value
    count = float(exact)
    try:
        return f"{datetime.fromtimestamp(count if abs(count) < 1e11 else count / 1000):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return value  # The calendar ends before it.


def now() -> datetime:
    """The time, by the reader's clock."""
    return datetime.now()


def recent(value: Any) -> str:
    """A moment as short as it can be: today the time, this year the day, else the date."""
    told = line(moment(value))
    day, _, time = told.partition(" ")
    today = f"{now():%Y-%m-%d}"
    if time and day == today:
        return time
    return day[5:] if day[:4] == today[:4] and re.fullmatch(r"\d{4}-\d\d-\d\d", day) else day if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else told


def links(item: Any) -> list[str]:
    """The addresses of the web that stand in an item, each once."""
    return list(dict.fromkeys(_LINK.findall(paragraphs(item))))


def guessed(item: Any, members: Sequence[str] = ()) -> list[Column]:
    """The columns of items of which nothing is said: those members, or those of one of them."""
    known = item if isinstance(item, Mapping) else {}
    ends = {name for name, value in known.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return [Column(name, humane(name), align="end" if name in ends else "start") for name in members or known]


def _understood(what: str, made: Callable[[Any], T], said: Sequence[Any]) -> list[T]:
    """Each column or action that can be understood."""
    found = (guarded(what, partial(made, one), lambda why: None) for one in said)
    return [one for one in found if one is not None]


def _column(said: Any) -> Column:
    one = {"member": said} if isinstance(said, str) else said
    format = one.get("format", "")
    align = one.get("align", "end" if format in NUMBERS else "start")
    return Column(one["member"], one.get("name") or humane(one["member"].split(".")[-1]), format, one.get("currency", ""), align)


def _action(said: Mapping[str, Any]) -> Action:
    return Action(
        said["input"],
        said.get("name") or humane(said["input"]),
        said.get("icon", ""),
        said.get("key", ""),
        said.get("confirm", ""),
        bool(said.get("undo")),
        said.get("for") == "many",
        said.get("set"),
        said.get("params", {}),
    )


def _filled(said: Any, item: Any, id: str) -> Any:
    """A parameter: a text that is nothing but `{path}` stands for the item's member."""
    if isinstance(said, str) and (found := re.fullmatch(r"\{([^{}]+)\}", said)):
        return item_guess.identity(item, id) if found[1] == "id" else reach(item, found[1])
    return said
