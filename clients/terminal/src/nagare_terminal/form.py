"""Forms, generated from JSON schemas."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import date, datetime
from math import isfinite
from typing import Any

import nagare

from .canvas import Canvas
from .cells import cut, fit, width
from .commands import Command, command
from .dialogs import Dialog
from .field import Field
from .keys import Mouse
from .shape import Schema
from .text import humanize, line

NOTHING = object()
"""The value of an optional field that is empty."""


class WrongValue(Exception):
    """Raised if a typed value doesn't match the schema."""


class FormField:
    """One field of a form."""

    def __init__(self, path: tuple[str, ...], schema: Schema, required: bool, value: Any = NOTHING) -> None:
        self.path, self.schema, self.required = path, schema, required
        declared = schema.get("type", [])
        types = [declared] if isinstance(declared, str) else list(declared)
        self.nullable = "null" in types
        self.type = next(iter(types), "") if len(set(types) - {"null"}) == 1 else ""
        if self.type == "null":
            self.type = types[1]
        self.choices: list[Any] = schema.get("enum") or ([False, True] if self.type == "boolean" else [])
        self.is_open = not self.choices and self.type == "string" and schema.get("format") != "password" and bool(schema.get("examples"))
        """Whether the choices are only examples, so that the user may type other values."""
        value = schema.get("default", NOTHING) if value is NOTHING else value
        if self.choices and required and value not in self.choices:
            value = self.choices[0]
        if self.is_open:
            self.choices = schema["examples"]
        self.chosen: Any = value
        self.is_typed = not self.choices or (self.is_open and value is not NOTHING and value not in self.choices)
        self.field = Field(self._written(value), hint=self._hint(), secret=schema.get("format") == "password")
        self.complaint = ""
        self._typed = ""

    @property
    def label(self) -> str:
        """The display name. A star marks a required field."""
        return " › ".join([*(humanize(name) for name in self.path[:-1]), self.schema.get("title") or humanize(self.path[-1])]) + (
            " *" if self.required else ""
        )

    def type_key(self, key: str) -> bool:
        """Handles a key. Returns whether the field uses the key."""
        if self.is_typed:
            meant = self.field.type(key)
            if self.is_open and not self.field.text:
                self.is_typed, self.chosen = False, NOTHING
            return meant
        is_needed = self.type == "boolean" or (self.required and not self.is_open)
        options = self.choices if is_needed else [NOTHING, *self.choices]
        place = next((number for number, option in enumerate(options) if option is self.chosen or option == self.chosen), 0)
        typed, self._typed = self._typed, ""
        if key in ("right", "left") or (key == " " and not typed):
            self.chosen = options[(place + (-1 if key == "left" else 1)) % len(options)]
        elif key in ("backspace", "delete", "ctrl+u"):
            self.chosen = options[0]
        elif len(key) == 1:
            # Typing selects the first choice that begins with the typed text.
            starts = (typed + key,) if self.is_open else (typed + key, key)
            found = next(((option, start) for start in starts for option in self.choices if line(option).casefold().startswith(start.casefold())), None)
            if found is None and self.is_open:
                self.paste(typed + key)
            else:
                self.chosen, self._typed = found or (self.chosen, typed)
        else:
            return False
        return True

    def paste(self, text: str) -> None:
        """Inserts a text, if the user can type into the field."""
        if self.is_open and not self.is_typed:
            self.field, self.is_typed = Field(), True
        if self.is_typed:
            self.field.paste(text)

    def draw(self, canvas: Canvas, x: int, y: int, cells: int, *, active: bool) -> None:
        if self.is_typed:
            self.field.draw(canvas, x, y, cells, active=active)
        elif self.type == "boolean":
            sign = "–" if self.chosen is NOTHING else "✓" if self.chosen else " "
            canvas.write(x, y, f"[{sign}]", "field")
            if active:
                canvas.put_cursor(x + 1, y)
        else:
            canvas.write(x, y, fit(f"‹ {'–' if self.chosen is NOTHING else line(self.chosen)} ›", cells), "field accent" if active else "field")

    def value(self) -> Any:
        """Returns the value. Raises `WrongValue` if it is invalid."""
        if not self.is_typed and not (self.is_open and self.chosen is NOTHING):
            return self.chosen
        text = self.field.text
        if not text.strip():
            if self.required and self.type != "string":
                raise WrongValue("is required")
            return "" if self.required else NOTHING
        return self._read(text)

    def _read(self, text: str) -> Any:
        if self.type == "string":
            return self._text(text)
        if self.type in ("integer", "number"):
            return self._number(text.strip())
        if self.type == "array" and (kind := self.schema.get("items", {}).get("type")) in ("string", "integer", "number"):
            return [FormField(self.path, {"type": kind}, True)._read(part.strip()) for part in text.split(",") if part.strip()]
        try:
            return parse_json(text)
        except ValueError:
            if self.type:
                raise WrongValue(f"is JSON: {'[…]' if self.type == 'array' else '{…}'}") from None
            return text

    def _text(self, text: str) -> str:
        least, most = self.schema.get("minLength", 0), self.schema.get("maxLength", len(text))
        if not least <= len(text) <= most:
            raise WrongValue(f"has {f'{least} characters at least' if len(text) < least else f'{most} characters at most'}")
        wanted = {"date": date.fromisoformat, "date-time": lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))}
        try:
            wanted.get(self.schema.get("format", ""), str)(text)
        except ValueError:
            raise WrongValue(f"is a {'date' if self.schema['format'] == 'date' else 'moment'}: {self._hint()}") from None
        return text

    def _number(self, text: str) -> int | float:
        try:
            number: int | float = int(text) if self.type == "integer" else float(text)
        except ValueError:
            raise WrongValue("is a whole number" if self.type == "integer" else "is a number") from None
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        if (least is not None and number < least) or (most is not None and number > most):
            raise WrongValue(f"is {self._hint()}")
        if not isfinite(number):
            raise WrongValue("is a number")
        return int(number) if number == int(number) and "." not in text else number

    def _hint(self) -> str:
        known = {"date": "YYYY-MM-DD", "date-time": "YYYY-MM-DDThh:mm:ssZ", "uri": "https://…", "email": "name@example.org"}
        if hint := known.get(self.schema.get("format", "")):
            return hint
        if self.type == "array":
            return "one, two, three"
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        if least is not None and most is not None:
            return f"{least} to {most}"
        return f"{least} or more" if least is not None else f"{most} or less" if most is not None else ""

    def _written(self, value: Any) -> str:
        if value is NOTHING or value is None or not self.is_typed:
            return ""
        if isinstance(value, list) and all(isinstance(one, (str, int, float)) for one in value):
            return ", ".join(map(str, value))
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def parse_json(text: str) -> Any:
    """Parses JSON. Raises `ValueError`, even for values that can't be sent: NaN, numbers out of range, deep nesting."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value


def fields(schema: Schema, given: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[FormField]:
    """Yields the fields for a schema's properties. Nested objects are flattened."""
    for name, property in schema.get("properties", {}).items():
        if property.get("properties"):
            yield from fields(property, given.get(name) or {}, (*path, name))
        else:
            yield FormField((*path, name), property, name in schema.get("required", []), given.get(name, NOTHING))


class Form(Dialog):
    """A form. It stays open until its values are accepted."""

    def __init__(
        self,
        heading: str,
        schema: Schema,
        submit: Callable[[dict[str, Any]], Awaitable[nagare.NagareError | None]],
        given: Mapping[str, Any] | None = None,
        message: str = "",
    ) -> None:
        super().__init__(heading, message)
        self.fields = list(fields(schema, given or {}))
        self._submit = submit
        self._active = self._start = 0

    def commands(self) -> Iterator[Command]:
        yield command("enter", "Send", self._send)
        yield command("tab down", "Next", lambda: self._move(1))
        yield command("shift+tab up", "", lambda: self._move(-1))
        yield from super().commands()

    def type(self, key: str) -> None:
        if self.fields and self.fields[self._active].type_key(key):
            self.fields[self._active].complaint = ""

    def paste(self, text: str) -> None:
        if self.fields:
            self.fields[self._active].paste(text)

    def height(self, columns: int) -> int:
        return len(self.fields) + 2

    def draw_answers(self, canvas: Canvas) -> None:
        room = max(1, canvas.height - 2)
        self._start = max(self._active - room + 1, min(self._start, self._active))
        labels = min(max((width(field.label) for field in self.fields), default=0) + 2, canvas.width // 2)
        for y, field in enumerate(self.fields[self._start : self._start + room]):
            active = self._start + y == self._active
            canvas.write(0, y, cut(field.label, labels - 1), "error" if field.complaint else "accent" if active else "text")
            field.draw(canvas, labels, y, canvas.width - labels, active=active)
        if self.fields:
            field = self.fields[self._active]
            text = field.complaint or line(field.schema.get("description", ""))
            canvas.write(0, canvas.height - 1, cut(text, canvas.width), "error" if field.complaint else "dim")

    def click(self, mouse: Mouse) -> None:
        row = mouse.y - self._answers_top + self._start
        if 0 <= row < len(self.fields):
            if row == self._active:
                self.type(" ")
            self._active = row

    async def _send(self) -> None:
        if (values := self._values()) is None:
            return
        error = await self._submit(values)
        if isinstance(error, nagare.InvalidParams) and error.param:
            self._show_complaint(error.param, f"must be {error.expected}" if error.expected else error.message)
        elif isinstance(error, nagare.ResponseError):
            self.message = line(error.message)
        elif error is None:
            self.dismiss(values)
        else:
            self.cancel()

    def _values(self) -> dict[str, Any] | None:
        """Returns the values of all fields. If a field is invalid, returns None and shows the error at the field."""
        values: dict[str, Any] = {}
        wrong = []
        for number, field in enumerate(self.fields):
            field.complaint = ""
            try:
                value = field.value()
            except WrongValue as why:
                field.complaint = str(why)
                wrong.append(number)
                continue
            within = values
            for name in field.path[:-1]:
                within = within.setdefault(name, {})
            if value is not NOTHING:
                within[field.path[-1]] = value
        self._active = wrong[0] if wrong else self._active
        return None if wrong else values

    def _show_complaint(self, param: str, why: str) -> None:
        """Shows the server's error at the field that it names. An unknown parameter gets a new field."""
        path = tuple(param.removeprefix("params.").split("."))
        known = next((number for number, field in enumerate(self.fields) if field.path == path), None)
        if known is None:
            known = next((number for number, field in enumerate(self.fields) if field.path[: len(path)] == path), None)
        if known is None:
            if path == ("params",):
                self.message = line(why)
                return
            self.fields.append(FormField(path, {}, True))
            known = len(self.fields) - 1
        self._active, self.fields[known].complaint = known, line(why)

    def _move(self, by: int) -> None:
        self._active = (self._active + by) % max(1, len(self.fields))
