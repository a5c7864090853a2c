"""The guessed display of a table's rows."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def displays(folder: Path, create: str, rows: list[tuple[Any, ...]], *words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the display of a table's list, and that of its details."""
    with sqlite3.connect(folder / "some.db") as database:
        database.execute(f"CREATE TABLE some ({create})")
        database.executemany(f"INSERT INTO some VALUES ({', '.join('?' * len(create.split(',')))})", rows)
    command = [sys.executable, "-m", "nagare_source", "--sqlite", str(folder / "some.db"), "--table", "some", *words, "--configuration"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    screens = json.loads(ran.stdout)["screens"]
    return screens["some"]["display"], screens["detail"]["display"]


MAIL = "id INTEGER PRIMARY KEY, subject, sender, body, date, unread"


def test_rows_that_look_like_mail_are_shown_as_mail(tmp_path: Path) -> None:
    mail = {"title": "subject", "subtitle": "sender", "body": "body", "date": "date", "actions": []}
    assert displays(tmp_path, MAIL, [])[0] == mail
    (tmp_path / "some.db").unlink()
    rows = [(n, f"About {n}", "Mei", "Some words.", "2026-11-20 10:00:00", n % 2) for n in range(20)]
    listed, whole = displays(tmp_path, MAIL, rows)
    assert listed == mail
    assert whole["columns"] == [{"member": "date", "format": "datetime"}]


def test_formats_of_numbers_are_guessed(tmp_path: Path) -> None:
    create = (
        "id INTEGER PRIMARY KEY, customer TEXT, status TEXT, created_at INTEGER, changed_ms INTEGER, shipped_on TEXT, "
        "price_cents INTEGER, gift INTEGER, ratio REAL, size_bytes INTEGER, scan BLOB, code INTEGER"
    )
    rows = [
        (n, f"Customer {n}", ["new", "paid"][n % 2], 1763600000 + n, None, "2026-03-01", n * 199, n % 2, n / 3, 1000, b"\xff", 1763600000)
        for n in range(40)
    ]
    listed, whole = displays(tmp_path, create, rows)
    assert listed == whole
    assert listed["badge"] == "status" and listed["date"] == "created_at" and listed["hidden"] == ["scan"]
    assert listed["title"] == "customer"
    assert listed["columns"] == [
        {"member": "customer"},
        {"member": "status"},
        {"member": "created_at", "format": "datetime"},
        {"member": "changed_ms"},
        {"member": "shipped_on", "format": "date"},
        {"member": "price_cents", "format": "number"},
        {"member": "gift", "format": "boolean"},
        {"member": "ratio", "align": "end"},
        {"member": "size_bytes", "format": "bytes"},
        {"member": "code", "align": "end"},
    ]


@pytest.mark.parametrize("held", [[], [1], [0, None], [1, 0]])
@pytest.mark.parametrize("type", ["BOOLEAN", "bool NOT NULL DEFAULT 1"])
def test_a_declared_boolean_column_is_shown_as_boolean(tmp_path: Path, type: str, held: list[int | None]) -> None:
    listed, _ = displays(tmp_path, f"id INTEGER PRIMARY KEY, city TEXT, paid {type.replace('NOT NULL', '')}", [(n, "Kyoto", one) for n, one in enumerate(held)])
    assert {"member": "paid", "format": "boolean"} in listed["columns"]


def test_a_boolean_column_with_other_values_is_shown_as_a_number(tmp_path: Path) -> None:
    listed, _ = displays(tmp_path, "id INTEGER PRIMARY KEY, city TEXT, paid BOOLEAN", [(1, "Kyoto", 7)])
    assert {"member": "paid", "align": "end"} in listed["columns"]


def test_a_constant_column_is_not_the_title_and_a_short_text_is_not_the_body(tmp_path: Path) -> None:
    create = "id INTEGER PRIMARY KEY, customer TEXT, note TEXT, price REAL, currency TEXT, status TEXT"
    rows = [(n, ["Mei", "Ren"][n % 2], None if n % 3 else f"Note {n}", n / 2, "EUR", ["new", "sent"][n % 2]) for n in range(40)]
    listed, _ = displays(tmp_path, create, rows)
    assert listed["title"] == "customer" and listed["badge"] == "status" and "body" not in listed
    assert [one["member"] for one in listed["columns"]] == ["customer", "note", "price", "currency", "status"]


def test_an_amount_gets_its_currency_from_the_column_next_to_it(tmp_path: Path) -> None:
    create = "id INTEGER PRIMARY KEY, product TEXT, price REAL, currency TEXT"
    listed, _ = displays(tmp_path, create, [(n, f"P{n}", n / 2, "JPY") for n in range(10)])
    assert {"member": "price", "format": "money", "currency": "JPY"} in listed["columns"]


@pytest.mark.parametrize("name", ["a.b", "unread"])
def test_columns_that_a_display_cannot_name_or_need_not_name_are_omitted(tmp_path: Path, name: str) -> None:
    listed, _ = displays(tmp_path, f'id INTEGER PRIMARY KEY, "{name}" INTEGER, product TEXT', [(1, 1, "P"), (2, 0, "Q")])
    assert [one["member"] for one in listed["columns"]] == ["product"]


@pytest.mark.parametrize(
    "create, row, hidden, columns",
    [
        ("number TEXT PRIMARY KEY, word TEXT", ("n{}", "w{}"), None, ["number", "word"]),
        ("uid INTEGER PRIMARY KEY, word TEXT", (None, "w{}"), ["uid"], ["word"]),
        ("word TEXT", ("w{}",), ["rowid"], ["word"]),
        ("word TEXT, long TEXT", ("w", "line\nline {}"), ["rowid"], None),
    ],
)
def test_a_column_that_only_identifies_rows_is_hidden(
    tmp_path: Path, create: str, row: tuple[str | None, ...], hidden: list[str] | None, columns: list[str] | None
) -> None:
    listed, _ = displays(tmp_path, create, [tuple(one and one.format(n) for one in row) for n in range(9)])
    assert listed.get("hidden") == hidden and listed["title"] in ("number", "word")
    assert [one["member"] for one in listed.get("columns", [])] == (columns or [])


def test_a_long_table_gets_filters_only_for_columns_with_few_values(tmp_path: Path) -> None:
    create = "id INTEGER PRIMARY KEY, status TEXT, made_at TEXT, " + ", ".join(f"n{n} INTEGER" for n in range(40))
    rows = [(n, ["a", "b"][n % 2], f"2026-01-{n + 10} 10:00:00", *[n * k for k in range(40)]) for n in range(20)]
    displays(tmp_path, create, rows)
    command = [sys.executable, "-m", "nagare_source", "--sqlite", str(tmp_path / "some.db"), "--table", "some", "--configuration"]
    filters = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["screens"]["some"]["filters"]
    assert list(filters)[:2] == ["status", "made_at"] and list(filters)[-1] == "sort" and len(filters) <= 12
