"""Checks that modules don't import one another in a circle."""

from __future__ import annotations

from conftest import PACKAGE
from import_circles import circle


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circle(PACKAGE / "src" / "nagare_repl") == []
