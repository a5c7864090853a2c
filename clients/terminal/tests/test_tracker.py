"""The issue tracker, an app without a screen drawn for it, over a database that other writers change."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Glass, before, binary, run
from nagare_terminal import Terminal


def test_every_errand_in_the_tracker_can_be_done_by_keyboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, file = binary("TrackerExample"), tmp_path / "tracker.db"
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))

    def written(statement: str) -> list[Any]:
        with sqlite3.connect(file, timeout=10) as connection:
            return connection.execute(statement).fetchall()

    async def test() -> None:
        glass = Glass((90, 30))
        async with before(Terminal([program, "--clock", "virtual", str(file)], device=glass), glass) as me:
            await me.until(lambda: "Door 60" in me.text)
            assert "Status: open" in me.lines[0] and "e 🗄 Archive" in me.text

            await me.press("f", "tab", *"bug", "enter")
            await me.until(lambda: "Door 60" not in me.text and "Roof 59" in me.text)

            await me.press("enter")
            await me.until(lambda: "see there (https://example.org/59)" in me.text)
            assert "# Roof" not in me.text and "▸ Comment…" in me.text
            assert "▸ Show more" in me.text and "▸ Retry" not in me.text
            await me.press(":", *"comment", "enter", "enter")
            assert "must be something to say" in me.text
            await me.press(*"Me, too", "enter")
            await me.until(lambda: "Only who is logged in may do that" in me.words)

            await me.press("escape", ":", *"account", "enter")
            await me.until(lambda: me.screen.name == "Account")
            await me.press(":", *"log in", "enter")
            await me.until(lambda: "Token" in me.text)
            await me.press(*"mei", "enter")
            await me.until(lambda: me.view["user"])

            await me.press(":", *"report", "enter")
            await me.until(lambda: me.screen.name == "Report")
            await me.press("enter", *"No", "enter")
            assert "must be 3 to 80 characters" in me.words
            await me.press("ctrl+u", *"Roof 59 がきしむ", "tab", "right", "enter")
            await me.until(lambda: "UNIQUE constraint failed: issues.title" in me.words)

            await me.press(":", *"issues", "enter")
            await me.until(lambda: me.screen.name == "Issues" and "Roof 59" in me.text)
            written("INSERT INTO issues (title, kind, author) VALUES ('It creaks', 'bug', 'Aoi')")
            await me.until(lambda: "It creaks" in me.text)
            await me.press("g", "e")
            assert "It creaks" not in me.lines[1] and "Archived “It creaks” · U undo" in me.status
            await me.press("U")
            assert "It creaks" in me.lines[1] and "undo" not in me.status
            await me.press("e")
            assert written("SELECT status FROM issues WHERE title = 'It creaks'") == [("open",)]
            await me.wait(5000)
            await me.until(lambda: written("SELECT status FROM issues WHERE title = 'It creaks'") == [("archived",)])

    run(test())
