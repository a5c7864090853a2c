"""Checks which modules are imported: none in a circle, and none that a short program doesn't need."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

from conftest import KIT
from import_circles import circle


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circle(KIT / "src" / "nagare_source") == []


def test_a_configuration_is_made_without_modules_that_take_long_to_import(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "mail.db").execute("CREATE TABLE mail (id INTEGER PRIMARY KEY)")
    words = ["--sqlite", str(tmp_path / "mail.db"), "--configuration"]
    program = f"import sys; from nagare_source import command; command.main({words!r}); print(*sys.modules, sep='\\n', file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert {"asyncio", "inspect", "dataclasses", "logging", "psycopg"}.isdisjoint(ran.stderr.split())


def test_the_package_offers_every_name_that_it_lists() -> None:
    import nagare_source

    assert all(getattr(nagare_source, name) is not None for name in nagare_source.__all__)
    assert {*nagare_source.__all__} <= {*dir(nagare_source)}
    assert sorted(name for names in nagare_source._MODULES.values() for name in names) == sorted(nagare_source.__all__)
