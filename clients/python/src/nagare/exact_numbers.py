"""Reads numbers in JSON without loss."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TypeVar

D = TypeVar("D", bound=Decimal)

EXACT_DIGITS = 15
"""A double keeps every number with at most this many digits unchanged."""


class HugeNumber:
    """A number whose exponent has 18 digits or more, too many for a `Decimal`. It is written exactly as it was read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HugeNumber) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"HugeNumber({self.text!r})"


def integer(exact: type[D], text: str) -> int | D:
    """Converts the text of an integer. Python refuses to convert thousands of digits; such numbers get the type `exact`."""
    try:
        return int(text)
    except ValueError:
        return exact(text)


def fraction(exact: type[D], text: str) -> float | D | HugeNumber:
    """Converts the text of a fraction. Numbers that a `float` can't represent get the type `exact`."""
    number = float(text)
    if repr(number) == text or (len(text) <= EXACT_DIGITS and "e" not in text and "E" not in text):
        return number
    try:
        decimal = exact(text)
    except InvalidOperation:
        return HugeNumber(text)
    # Many 17-digit texts round to the same double. The double is exact only if its shortest text is the same number.
    return number if decimal == Decimal(repr(number)) else decimal
