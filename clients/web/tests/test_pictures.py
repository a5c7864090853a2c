"""The README's pictures show the page as it is."""

from __future__ import annotations

from picture import STAMP, checksum


def test_the_pictures_are_as_new_as_the_page() -> None:
    assert STAMP.read_text().strip() == checksum(), "the page has changed: run `python tests/picture.py`, look at the pictures, and commit them"
