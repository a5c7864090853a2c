"""The examples, with a real server."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, KIT, List, Listing

MAIL = {"id": 20_000, "received": "2030-01-01T00:00:00Z", "sender": "Sora", "subject": "100% new_mail"}


def configure(examples: Path, name: str, *arguments: str) -> Path:
    """Returns the example's configuration with other arguments."""
    path = examples / f"{name}.json"
    configuration = json.loads(path.read_text())
    configuration["sources"]["mail"]["command"][2:] = arguments
    path.write_text(json.dumps(configuration))
    return path


@pytest.mark.parametrize("configuration", sorted(EXAMPLES.glob("*.json")), ids=lambda path: str(path.stem))
def test_the_configurations_of_the_examples_are_valid(nagare: str, configuration: Path) -> None:
    checked = subprocess.run([nagare, "check", str(configuration)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert configuration.with_suffix(".py").exists()


def test_the_readmes_ten_lines_are_the_example_and_are_ten() -> None:
    program = (EXAMPLES / "ten_lines.py").read_text()
    assert len(program.splitlines()) <= 10
    blocks = re.findall(r"^```python\n(.*?)^```$", (KIT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert program in blocks


def test_the_ten_line_example_is_a_working_source(examples: Path, list_of: List) -> None:
    listing = list_of(examples / "ten_lines.json", "rows", pageSize=300, debounce=0)
    assert listing.tell("viewWillAppear")["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 4
    assert listing.ids() == list(range(1000))
    assert listing.tell("search", text="99")["phase"] == "reachedBottom"
    assert listing.ids() == [number for number in range(1000) if "99" in str(number)]


def test_the_sqlite_example_creates_its_database_and_can_be_paged_to_the_end(examples: Path, list_of: List) -> None:
    listing = list_of(examples / "sqlite_mail.json", "inbox", pageSize=250)
    assert listing.tell("viewWillAppear")["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 40
    assert listing.ids() == list(range(10_000, 0, -1))
    assert listing.items[0].keys() == {"id", "received", "sender", "subject"}


def test_the_sqlite_example_filters_and_sorts(examples: Path, list_of: List) -> None:
    listing = list_of(examples / "sqlite_mail.json", "inbox", pageSize=700)
    listing.tell("viewWillAppear")
    sender = listing.items[0]["sender"]
    assert listing.tell("filter", set={"sender": sender, "sort": "received"})["phase"] == "requestFinished"
    listing.page_to_the_end()
    assert listing.ids() == sorted(listing.ids()) and len(listing.ids()) == 3334 - (sender != "Ren")
    assert {row["sender"] for row in listing.items} == {sender}
    assert listing.tell("filter", set={"sender": "x'; DROP TABLE mail; --"})["phase"] == "reachedBottom"
    assert listing.ids() == []


def test_the_sqlite_example_searches(examples: Path, list_of: List) -> None:
    listing = list_of(examples / "sqlite_mail.json", "inbox", pageSize=50, debounce=0)
    assert listing.tell("search", text="Subject 99")["phase"] == "requestFinished"
    assert listing.page_to_the_end() == 3
    assert listing.ids() == [*range(9999, 9899, -1), *range(999, 989, -1), 99]
    # Wildcards of LIKE have no special meaning in a search.
    assert listing.tell("search", text="Subject 9_")["phase"] == "reachedBottom"
    assert listing.ids() == []


def test_the_sqlite_example_can_begin_at_a_time_and_load_newer_mails(examples: Path, list_of: List) -> None:
    """The ids follow the times, three per hour: 3000, 3001 and 3002 belong to the thousandth hour."""
    start = "2026-02-11T16:00:00Z"
    listing = list_of(configure(examples, "sqlite_mail", "mail.db", start), "inbox", pageSize=4000)
    assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
    assert listing.ids() == list(range(3002, 0, -1))
    assert listing.items[0]["received"] == start
    assert listing.tell("reachTop")["count"] == 7002
    assert listing.tell("reachTop")["count"] == 10_000
    assert listing.ids() == list(range(10_000, 0, -1))


def test_the_sqlite_example_makes_edits(examples: Path, list_of: List) -> None:
    listing = list_of(examples / "sqlite_mail.json", "inbox", pageSize=3)
    listing.tell("viewWillAppear")
    listing.server.call("insert", view="v", item=MAIL)
    listing.server.call("remove", view="v", id=9999)
    assert refused(listing, item={"id": 5})["trigger"] == "insert"
    # Edits run one after another, so all of them have finished when the last one is refused.
    with sqlite3.connect(examples / "mail.db") as database:
        found = database.execute("SELECT id, subject FROM mail WHERE id > 9997 ORDER BY id DESC").fetchall()
    assert found == [(20_000, "100% new_mail"), (10_000, "Subject 10000"), (9998, "Subject 9998")]
    assert listing.tell("refresh")["phase"] == "requestFinished"
    assert listing.ids() == [20_000, 10_000, 9998]


def refused(listing: Listing, item: dict[str, Any]) -> dict[str, Any]:
    """Returns the error of an insertion that the source refuses."""
    listing.server.notify("insert", view="v", item=item)
    # An earlier error stays until the source receives another edit.
    while (said := listing.said("error")) is None:
        pass
    assert said["code"] == 1 and "can't be inserted" in said["message"] and not said["retryable"]
    return said
