"""The README's picture shows the program as it is."""

from __future__ import annotations

from conftest import run
from picture import FILE, picture


def test_the_picture_is_as_new_as_the_program() -> None:
    assert run(picture()) == FILE.read_text(), "the program draws other things: run `python tests/picture.py`, look at the picture, and commit it"
