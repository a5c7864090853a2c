"""An odd but common table: dates and money as numbers, a key of two columns, and rows without a title."""

from __future__ import annotations

import sqlite3
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from serving import Site
from user import User

TABLE = """
CREATE TABLE orders (shop TEXT, number INTEGER, customer TEXT, status TEXT, created_at INTEGER, gift INTEGER, total_cents INTEGER, note TEXT,
  PRIMARY KEY (shop, number)) WITHOUT ROWID;
"""
LONG = "Please leave it at the door, for the bell has not rung since last week."


def test_an_odd_table_is_shown_stays_live_and_can_be_edited(me: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON", sys.executable)
    monkeypatch.setenv("TZ", "UTC")
    database = sqlite3.connect(tmp_path / "odd.db", isolation_level=None)
    database.executescript(TABLE)
    rows = [(f"S {n % 3}", n, f"Customer {n}", ["new", "paid"][n % 2], 1763600000 + 60 * n, n % 2, 123400 + n, LONG) for n in range(20)]
    database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    # The order of the parts doesn't matter.
    site = Site("--table", "orders", "--sqlite", str(tmp_path / "odd.db"), "--write")
    try:
        me.open(site.url)
        me.see(".row-title", "Customer 19")
        assert me.see(".row .badge").text == "paid" and "Nov 20, 2025" in me.see(".row-when").text
        database.execute("INSERT INTO orders (shop, number) VALUES ('T', 1)")
        database.execute("INSERT INTO orders (shop, number, created_at) VALUES ('T', 2, 1763700000)")
        me.see(".row-title", '["T",2]')
        me.click(".row", "Customer 19")
        me.see("article h2", "Customer 19")
        facts = {dt.text: dd.text for dt, dd in zip(me.all("article dt"), me.all("article dd"))}
        assert facts["Gift"] == "yes" and facts["Total cents"] == "123,419" and facts["Shop"] == "S 1"
        me.press("e")
        me.see(".toast", "Delete: “Customer 19”")
        me.press("ESCAPE")
        # This server has no virtual clock.
        me.until(lambda: database.execute("SELECT count(*) FROM orders WHERE number = 19").fetchone() == (0,))
        assert not me.all(".complaints") and database.execute("SELECT count(*) FROM orders").fetchone() == (21,)
    finally:
        site.kill()


def test_booleans_and_days_are_recognized(me: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON", sys.executable)
    database = sqlite3.connect(tmp_path / "bills.db", isolation_level=None)
    database.execute("CREATE TABLE bills (id INTEGER PRIMARY KEY, title TEXT, note TEXT, due DATE, paid BOOLEAN)")
    today = date.today()
    database.executemany("INSERT INTO bills VALUES (?, ?, ?, ?, ?)", [(n, f"Bill {n}", LONG, today - timedelta(n), n % 2) for n in range(4)])
    site = Site("--sqlite", str(tmp_path / "bills.db"), "--table", "bills")
    try:
        me.open(site.url)
        me.see(".row-title", "Bill 3")
        assert [me.all(".row-second")[place].text for place in (0, 1)] == ["paid no", "paid yes"]
        assert ":" not in me.all(".row-when")[0].text, "today is a day like any other"
        me.click(".chip", "Sort")
        me.see("[role=menuitem]", "Due ↑")
        assert not me.all("[role=menuitem]", "Paid"), "truths are in no order"
        me.press("ESCAPE")
        me.click(".chip", "Paid")
        me.click("[role=menuitem]", "yes")
        me.lists("Bill 1", "Bill 3")
        me.click(".row", "Bill 1")
        told = me.see("article time")
        assert told.get_attribute("datetime") == str(today - timedelta(1)) and ":" not in told.text
        assert me.see("article dd").text == "yes"
        database.executemany("INSERT INTO bills VALUES (?, ?, ?, ?, 1)", [(n, f"Bill {n}", LONG, today - timedelta(n)) for n in range(100, 1200)])
        me.at("1 of 1,102")
    finally:
        site.kill()
