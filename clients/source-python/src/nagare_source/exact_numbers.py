"""Reads the numbers of JSON texts without loss."""

# Copied from clients/python/src/nagare/exact_numbers.py; make generate

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TypeVar

D = TypeVar("D", bound=Decimal)

EXACT_DIGITS = 15
"""A double holds every number of so many digits."""


@dataclass(frozen=True)
class HugeNumber:
    """A number whose exponent has 18 digits or more, too many for a `Decimal`. It is written as it was read."""

    text: str


def integer(exact: type[D], text: str) -> int | D:
    """Returns an integer. `exact` is the type of those with thousands of digits, which Python refuses to convert."""
    try:
        return int(text)
    except ValueError:
        return exact(text)


def fraction(exact: type[D], text: str) -> float | D | HugeNumber:
    """Returns a fraction. `exact` is the type of those that a `float` doesn't hold."""
    number = float(text)
    if repr(number) == text or (len(text) <= EXACT_DIGITS and "e" not in text and "E" not in text):
        return number
    try:
        decimal = exact(text)
    except InvalidOperation:
        return HugeNumber(text)
    # A double is exact only if its shortest spelling is the same number: 17 digits of another one lead to it as well.
    return number if decimal == Decimal(repr(number)) else decimal
