"""Checks that every regular expression takes at most ten times the steps for ten times the input: input can be malicious."""

from __future__ import annotations

import re

import pytest
from conftest import CLIENT
from pattern_steps import MOST, Use, patterns, worst


@pytest.mark.parametrize("use", sorted(patterns(CLIENT / "src" / "nagare"), key=str), ids=lambda use: f"{use[0]} {use[1].pattern}"[:60])
def test_every_pattern_takes_linear_time(use: Use) -> None:
    growth, begin = worst(*use)
    assert growth <= MOST, f"{growth:.0f} times the steps for ten times {begin!r}"


def test_a_pattern_that_takes_more_than_linear_time_is_detected() -> None:
    for function, pattern in (("sub", r"\s+$"), ("search", r"\[([^\]]+)\]"), ("match", "(a|aa)+$"), ("fullmatch", "(?i)(a*)*b")):
        assert worst(function, re.compile(pattern))[0] > MOST
    for function, pattern in (("match", r"\s+$"), ("search", r"(?<!\s)\s+$"), ("sub", r"\[([^\[\]]+)\]")):
        assert worst(function, re.compile(pattern))[0] <= MOST
