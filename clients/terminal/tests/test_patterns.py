"""Checks that every regular expression takes at most ten times the steps for ten times the input: input can be malicious."""

from __future__ import annotations

import pytest
from conftest import PACKAGE
from pattern_steps import MOST, Use, patterns, worst


@pytest.mark.parametrize("use", sorted(patterns(PACKAGE / "src" / "nagare_terminal"), key=str), ids=lambda use: f"{use[0]} {use[1].pattern}"[:60])
def test_every_pattern_takes_linear_time(use: Use) -> None:
    growth, begin = worst(*use)
    assert growth <= MOST, f"{growth:.0f} times the steps for ten times {begin!r}"
