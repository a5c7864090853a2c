"""Formats values as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from nagare.exact_numbers import HugeNumber

Number = int | float | Decimal
DEEPEST = 16
"""The number of levels of nested arrays and objects to show. Deeper levels are abbreviated."""
LARGEST = 10**21
"""The limit for formatting numbers. Numbers with a larger absolute value are shown unformatted."""

# A terminal would obey control characters. Half of a surrogate pair isn't a character.
_CONTROL: dict[int, str] = {code: " " for code in (*range(0x20), *range(0x7F, 0xA0))} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_LINES = {code: sign for code, sign in _CONTROL.items() if code != 0x0A} | dict.fromkeys((0x2028, 0x2029), "\n")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?")


def number(value: Any) -> Number | None:
    """Returns a number below `LARGEST` unchanged, and None for other values."""
    is_number = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
    return value if is_number and -LARGEST < value < LARGEST else None


def amount(count: Number, unit: str | None = None) -> str:
    """Formats an amount: in `bytes`, or with another unit."""
    if unit != "bytes":
        return " ".join(part for part in (f"{count:,}", unit) if part)
    count = float(count)
    for step in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {step}"
        count /= 1000
    return f"{count:,.3g} GB" if count < 1000 else f"{count:,.0f} GB"


def humanize(name: str) -> str:
    """Converts an identifier to words: `pickImage` and `pick_image` become “Pick image”."""
    words = re.sub("[_-]+", " ", re.sub(r"([a-z\d])([A-Z])", r"\1 \2", line(name))).strip().lower()
    return words[:1].upper() + words[1:]


def line(value: Any) -> str:
    """Formats a value in one line."""
    return paragraphs(value).translate(_CONTROL)


def paragraphs(value: Any, depth: int = 0) -> str:
    """Formats a value in any number of lines."""
    if isinstance(value, str):
        return _moment(value) or value.replace("\r\n", "\n").translate(_LINES)
    if isinstance(value, (Sequence, Mapping)):
        if depth == DEEPEST:
            return "{…}" if isinstance(value, Mapping) else "[…]"
        if isinstance(value, Mapping):
            return ", ".join(f"{humanize(name)}: {paragraphs(part, depth + 1)}" for name, part in value.items())
        return ", ".join(paragraphs(part, depth + 1) for part in value)
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return value.text if isinstance(value, HugeNumber) else str(value)


def _moment(value: str) -> str | None:
    """Converts a time to local time. A time without a time zone stays unchanged."""
    moment = _MOMENT.fullmatch(value)
    if moment is None:
        return None
    date, time, zone = moment.groups()
    if zone is None:
        return f"{date} {time}"
    hours = "+00:00" if zone == "Z" else f"{zone[:3]}:{zone[-2:]}"
    try:
        return f"{datetime.fromisoformat(f'{date}T{time}{hours}').astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return None  # The text isn't a date, or is outside of the calendar.
