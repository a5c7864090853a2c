"""Checks that modules don't import one another in a circle."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import CLIENT
from import_circles import circle


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circle(CLIENT / "src" / "nagare") == []


@pytest.mark.parametrize(
    "back",
    [
        "from .a import A",
        "from . import a",
        "import package.a",
        "from package.a import A",
        "from package import a",
        "def late():\n    from .a import A",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import A",
    ],
)
def test_every_kind_of_import_can_close_a_circle(tmp_path: Path, back: str) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("from .b import B\nimport json\n")
    (package / "b.py").write_text("from json import loads\n")
    assert circle(package) == []
    (package / "b.py").write_text(f"{back}\n")
    assert sorted(circle(package)[1:]) == ["a", "b"]
