"""A screen that nobody has drawn, and that says how the item in it is shown: the tracker's issue."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from serving import ROOT, Site
from user import User


def test_an_item_is_shown_as_its_screen_says(me: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT / "clients" / "source-python" / "src"))
    site = Site(str(tmp_path / "tracker.db"), program=str(ROOT / ".build" / "release" / "TrackerExample"))
    try:
        me.open(site.url)
        me.click(".row", "Roof 59")
        me.see("h2", "Roof 59 がきしむ")
        me.see(".states strong", "loud")
        assert me.see(".states a").get_attribute("href") == "https://example.org/59"
        me.see("button", "Show more")
        assert "**" not in me.see("article").text
        me.audit()
    finally:
        site.kill()
