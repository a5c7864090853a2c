"""The inputs `appear` and `disappear`, and views that the server closes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Serve
from serving import Site
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


class Shown:
    """A server whose views have the inputs `appear` and `disappear`."""

    def __init__(self, me: User, folder: Path, serve: Serve) -> None:
        program, self.log = folder / "shown", folder / "log"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parents[2] / "behaviour" / "shown.py"}" "{self.log}"\n')
        program.chmod(0o755)
        self.log.touch()
        self.me, self.site = me, serve(program=str(program))

    def open(self, size: tuple[int, int], part: str = "") -> None:
        self.me.open(self.site.url, size, part=part)

    def hears(self, *lines: str) -> None:
        """Waits until the views have received exactly these inputs since the last call."""
        try:
            self.me.until(lambda: len(self.log.read_text().splitlines()) >= len(lines))
            # Other inputs that are being sent arrive as well.
            self.me.session("({app}) => app.request('ping')")
        finally:
            heard = self.log.read_text().splitlines()
        assert heard == [*lines]
        self.log.write_text("")

    def expire(self, reverse: bool = False) -> None:
        """Makes the server close all views."""
        self.me.session(f"({{app}}) => app.request('expire', {{reverse: {str(reverse).lower()}}})")


@pytest.fixture
def shown(me: User, tmp_path: Path, serve: Serve) -> Shown:
    return Shown(me, tmp_path, serve)


@SIZES
def test_appear_and_disappear_are_sent_when_the_screen_changes(me: User, shown: Shown, size: tuple[int, int]) -> None:
    shown.open(size, "#/account")
    shown.hears("account open", "account viewWillAppear", "account appear")
    me.go("Offers")
    me.see(".row", "Row 2")
    shown.hears("offers open", "account disappear", "offers appear")
    me.go("Counter")
    shown.hears("counter open", "offers disappear")
    assert [each.text for each in me.all(".inputs button")] == ["Increment"]
    me.go("Offers")
    shown.hears("offers appear")
    me.click("[aria-label=Refresh]")
    shown.hears("offers refresh")
    me.go("Account")
    shown.hears("offers disappear", "account appear")
    assert [each.text for each in me.all(".inputs button")] == ["Ask"], "the page sends the others"


@SIZES
def test_a_pushed_view_hides_its_screen(me: User, shown: Shown, size: tuple[int, int]) -> None:
    shown.open(size, "#/account")
    shown.hears("account open", "account viewWillAppear", "account appear")
    me.click("button", "Ask")
    me.see("dd", "Ask Mei")
    shown.hears("account ask", "account disappear", "help appear")
    me.click("[aria-label=Back]")
    me.see(".title", "Account")
    shown.hears("help disappear", "help close", "account appear")


def test_a_detail_hides_its_list_on_a_phone(me: User, shown: Shown) -> None:
    shown.open(PHONE, "#/board")
    shown.hears("board open", "board appear")
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    shown.hears("board select", "board disappear", "card appear")
    me.click("[aria-label=Close]")
    me.gone(".detail")
    shown.hears("card disappear", "card close", "board appear")
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    me.go("Counter")
    me.see("dd", "0")
    # The list isn't shown between its detail and the other screen.
    shown.hears("board select", "board disappear", "card appear", "counter open", "card disappear", "card close")


def test_a_list_next_to_its_detail_stays_shown(me: User, shown: Shown) -> None:
    shown.open(DESKTOP, "#/board")
    shown.hears("board open", "board appear")
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    shown.hears("board select", "card appear")
    me.click(".row", "Row 2")
    me.see("article h2", "Row 2")
    shown.hears("board select", "card disappear", "card close", "card appear")
    me.command("Emulation.setDeviceMetricsOverride", width=PHONE[0], height=PHONE[1], deviceScaleFactor=1, mobile=False)
    shown.hears("board disappear")
    me.command("Emulation.setDeviceMetricsOverride", width=DESKTOP[0], height=DESKTOP[1], deviceScaleFactor=1, mobile=False)
    shown.hears("board appear")
    me.press("ESCAPE")
    me.see(".beside", "Nothing selected")
    shown.hears("card disappear", "card close")


def test_an_item_without_a_pager_keeps_its_list_shown(me: User, shown: Shown) -> None:
    shown.open(PHONE, "#/offers")
    shown.hears("offers open", "offers appear")
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    shown.hears()


def test_disappear_is_sent_when_the_page_is_left(me: User, shown: Shown) -> None:
    shown.open(DESKTOP, "#/board")
    shown.hears("board open", "board appear")
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    shown.hears("board select", "card appear")
    me.chrome.get("about:blank")
    me.until(lambda: shown.log.read_text().splitlines() == ["board disappear", "card disappear"])


def test_appear_is_sent_again_after_reconnecting(me: User, shown: Shown) -> None:
    shown.open(DESKTOP, "#/offers")
    me.see(".row", "Row 1")
    me.go("Account")
    shown.hears("offers open", "offers appear", "account open", "account viewWillAppear", "offers disappear", "account appear")
    me.end_server()
    with me.time_running():
        me.gone(".banner")
    shown.hears("offers open", "account open", "account viewWillAppear", "account appear")
    me.go("Offers")
    shown.hears("account disappear", "offers appear")


@SIZES
@pytest.mark.parametrize("reverse", [False, True], ids=["openers first", "opened first"])
@pytest.mark.parametrize("opens", [".row", "button"], ids=["detail", "child"])
def test_a_screen_is_reopened_when_the_server_closes_its_view(
    me: User, shown: Shown, size: tuple[int, int], reverse: bool, opens: str
) -> None:
    name, text = ("Board", "Row 1") if opens == ".row" else ("Account", "Ask")
    shown.open(size, "#/offers")
    me.see(".row", "Row 1")
    me.go(name)
    me.click(opens, text)
    me.see("article h2" if opens == ".row" else "dd", "Row 1" if opens == ".row" else "Ask Mei")
    before = shown.log.read_text().splitlines()
    assert before.count(f"{name.lower()} open") == 1
    shown.expire(reverse)
    me.gone(".detail, [aria-label=Back]")
    me.see(".title", name)
    me.until(lambda: shown.log.read_text().splitlines().count(f"{name.lower()} open") == 2)
    me.until(lambda: shown.log.read_text().splitlines()[-1] == f"{name.lower()} appear")
    me.until(lambda: me.session("({app}) => [...app.views.values()].map(({screen}) => screen)") == [name.lower()])
    assert me.chrome.current_url.endswith(f"#/{name.lower()}")
    shown.log.write_text("")
    me.go("Offers")
    me.see(".row", "Row 1")
    shown.hears("offers open", f"{name.lower()} disappear", "offers appear")
    assert not me.all("[role=alert] *, .toast p")


def test_a_reopened_screen_has_no_filter(me: User, shown: Shown) -> None:
    shown.open(DESKTOP, "#/board?filters={\"title\":\"Row 1\"}")
    me.see(".row", "Row 1")
    assert me.session("({app}) => app.views.get('v1').filters") == {"title": "Row 1"}
    me.click(".row", "Row 1")
    me.see("article h2", "Row 1")
    shown.expire()
    me.see(".row", "Row 2")
    me.until(lambda: me.session("({app}) => app.views.get('v3')?.filters") == {"title": None})
    me.see(".row", "Row 1")
    assert me.chrome.current_url.endswith("#/board") and not me.all("[role=alert] *")


def test_a_screen_is_reopened_only_a_few_times(me: User, shown: Shown) -> None:
    shown.open(DESKTOP, "#/board")
    me.see(".row", "Row 1")
    me.session("({app}) => app.request('expire', {always: true})")
    me.see(".complaints", "The server keeps closing “Board”.")
    assert shown.log.read_text().splitlines().count("board open") == 1 + 3
    me.click("button", "Open again")
    me.until(lambda: shown.log.read_text().splitlines().count("board open") == 2 * (1 + 3))
