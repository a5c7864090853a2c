"""The example TrackerExample, an app with only custom screens, on a database that others change."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from serving import ROOT, binary
from user import DESKTOP, PHONE, User

COMMENT, REPORT = "form[aria-label=Comment]", "form[aria-label=Report]"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_issue_is_found_opened_and_edited_in_the_tracker(
    me: User, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    file = tmp_path / "tracker.db"
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))

    def written(statement: str) -> list[Any]:
        with sqlite3.connect(file, timeout=10) as connection:
            return connection.execute(statement).fetchall()

    site = serve(None, str(file), program=binary("TrackerExample"))
    me.open(site.url, size)
    me.see(".row-title", "Door 60")
    me.see(".chip", "Status: open")
    me.click(".chip", "Kind")
    me.click("[role=menuitem]", "bug")
    me.gone(".row-title", "Door 60")
    me.lists("Roof 59 がきしむ", "Door 57 がきしむ", "Lamp 55 がきしむ")
    me.audit()

    written(
        "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 70)"
        " INSERT INTO comments (issue, author, text) SELECT 55, 'Aoi', 'Number ' || n FROM number"
    )
    me.click(".row", "Lamp 55")
    me.see("article h2", "Lamp 55 がきしむ")
    assert me.see("article a", "there").get_attribute("href") == "https://example.org/55"
    me.gone("dt", "Id")
    me.see("td", "Here, too.")
    # The issue of the comments is shown.
    assert me.run("() => [...document.querySelectorAll('th')].map((head) => head.textContent)") == ["Id", "Author", "Text", "Written"]
    assert not me.all("button", "Show more"), "what follows comes by itself"
    me.click(f"{COMMENT} input")
    me.see("td", "Number 70")
    in_sight = "(field) => { const { x, y, height } = field.getBoundingClientRect(); return document.elementFromPoint(x + 5, y + height / 2) === field; }"
    assert me.run(in_sight, me.see(f"{COMMENT} input")), "what comes above the field leaves it where it is"
    me.audit()
    me.press("ENTER")
    me.see(f"{COMMENT} .complaint", "must be something to say")
    assert me.focused == "", "one goes on writing"
    me.press(*"Me, too", "ENTER")
    me.see("[role=alert]", "Only who is logged in may do that")
    me.audit()

    me.go("Account")
    me.click("button", "Log in")
    me.see("dialog", "Your token")
    me.press(*"mei", "ENTER")
    me.gone("dialog")
    me.see("dd", "Mei")
    me.go("Issues")
    me.click(".row", "Lamp 55")
    me.see("article h2", "Lamp 55")
    me.click(f"{COMMENT} input")
    me.press(*"Me, too", "ENTER")
    me.see("td", "Me, too")
    assert written("SELECT author FROM comments WHERE text = 'Me, too'") == [("Mei",)]

    me.go("Report")
    me.click(f"{REPORT} input")
    me.press(*"No", "TAB", "b")
    me.click(f"{REPORT} button", "Report")
    me.see(f"{REPORT} .complaint", "must be 3 to 80 characters")
    assert me.run("() => document.activeElement.labels[0].textContent") == "Title"
    me.audit()
    me.press("END", *" to Roof 59", "ENTER")
    me.see(".toast", "Reported")
    assert written("SELECT author, status FROM issues WHERE title = 'No to Roof 59'") == [("Mei", "open")]
    me.press("ENTER")
    me.see("[role=alert]", "UNIQUE constraint failed: issues.title")

    me.go("Issues")
    me.lists("No to Roof 59", "Roof 59 がきしむ")
    site.kill()
    me.see(".banner", "Trying again in")
    written("INSERT INTO issues (title, kind, author) VALUES ('It creaks', 'bug', 'Aoi')")
    site.start()
    me.click(".banner button", "Try now")
    me.gone(".banner")
    me.see(".chip", "Kind: bug")
    me.lists("It creaks", "No to Roof 59", "Roof 59 がきしむ")
    written("INSERT INTO issues (title, kind, author) VALUES ('It squeaks', 'bug', 'Aoi')")
    me.lists("It squeaks", "It creaks", "No to Roof 59")

    archive(me, size)
    me.lists("It creaks", "No to Roof 59")
    me.click(".toast button", "Undo")
    me.lists("It squeaks", "It creaks")
    archive(me, size)
    me.lists("It creaks", "No to Roof 59")
    assert written("SELECT status FROM issues WHERE title = 'It squeaks'") == [("open",)]
    # This server has no virtual clock.
    me.until(lambda: written("SELECT status FROM issues WHERE title = 'It squeaks'") == [("archived",)])
    me.gone(".toast button")
    assert me.titles[0] == "It creaks" and not me.all(".complaints")


def test_a_form_s_first_field_has_the_focus(me: User, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))
    site = serve(None, str(tmp_path / "tracker.db"), program=binary("TrackerExample"))
    me.open(site.url, part="#/report")
    # The module of forms loads after the page.
    me.sees("() => document.activeElement.labels?.[0]?.textContent === 'Title'")


def archive(me: User, size: tuple[int, int]) -> None:
    """Archives the first issue of the list, by swiping or by key."""
    if size == PHONE:
        me.drag(".row:has(+ .row)", 300, 0)
    else:
        me.run("() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()")
        me.press("HOME", "e")
    me.see(".toast", "Archive: “It squeaks”")
