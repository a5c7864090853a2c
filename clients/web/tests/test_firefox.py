"""The most important uses of the page, in Firefox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Serve, first_in_each_page
from firefox import Firefox, FirefoxUser
from serving import Site
from user import DESKTOP, GRACE, PHONE, REST

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"
HERE = ".panel:not([inert])"


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with Firefox(first_in_each_page()) as firefox:
        yield firefox


@pytest.fixture
def me(firefox: Firefox) -> Iterator[FirefoxUser]:
    someone = FirefoxUser(firefox)
    someone.told()
    yield someone
    firefox.execute_script("if (location.protocol === 'http:') localStorage.clear();")
    firefox.get("about:blank")
    assert not someone.told()


@SIZES
def test_a_list_loads_more_pages_and_its_items_can_be_swiped(me: FirefoxUser, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size)
    me.see(".row.skeleton")
    me.load()
    me.at("20+")
    me.audit()
    me.turn(SCROLLER, 3000)
    me.load()
    me.at("40+")
    me.turn(SCROLLER, -6000)
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    me.audit()
    me.press("ARROW_RIGHT")
    me.at("4 of 40+")
    me.see(f"{HERE} h2", "Your invoice")
    me.firefox.execute_script("history.back()")
    me.gone(".detail")
    assert me.run("() => document.activeElement.role") == "listbox"


def test_the_page_is_usable_by_keyboard(me: FirefoxUser, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.at("20+")
    first = me.titles[0]
    me.press("ARROW_DOWN", "ARROW_DOWN", "ENTER")
    me.see("article h2", "Handover")
    me.press("ESCAPE")
    me.gone(".detail")
    me.press("HOME", "e")
    me.see(".toast", "Archive:")
    assert first not in me.titles
    me.press("u")
    me.lists(first)
    me.press("HOME", "e")
    me.see(".toast", "Archive:")
    me.advance(GRACE)
    me.gone(".toast button")
    assert first not in me.titles
    me.press(":")
    me.see("dialog.palette")
    me.press(*"articles", "ENTER")
    me.see(".title", "Articles")
    me.load()
    me.press("/", *"swift testing")
    me.let_pass(1000)
    me.load()
    me.see(".row-title", "Swift")
    me.press("ESCAPE", "ESCAPE", "?")
    me.see("dialog.keys")
    me.audit()


def test_a_long_list_scrolls_by_wheel_keys_and_thumb(me: FirefoxUser, serve: Serve) -> None:
    screens = {"mails": {"viewModel": "list", "source": "mails"}}
    config = {"sources": {"mails": {"type": "demo", "rows": 10_000_000}}, "screens": screens}
    me.open(serve(config, "--clock", "virtual").url)
    me.load()
    me.click(".thumb")
    me.until(lambda: me.session("({app}) => app.views.size") == 2)
    me.load()
    me.at("10,000,000")
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("G")
    settle(me)
    assert me.rows[-1]["place"] == 10_000_000
    # Pressing the scrollbar in the middle scrolls to the middle of the list.
    me.click(".scrollbar")
    settle(me)
    middle = me.rows[0]["place"]
    assert 4_900_000 < middle < 5_100_000
    me.turn(SCROLLER, 860)
    me.sees("(place) => eyes.rows()[0]?.place > place", middle)
    settle(me)
    me.let_pass(REST)
    place = me.run("() => history.state.place.index")
    me.firefox.refresh()
    me.see(".row.skeleton")
    settle(me)
    assert me.rows[0]["place"] <= place + 1 <= me.rows[-1]["place"]


def settle(me: FirefoxUser) -> None:
    """Lets the drawn rows load, page by page."""
    me.load()
    while me.all(".row.skeleton"):
        me.load()


def test_received_html_runs_no_scripts_and_loads_nothing_unasked(me: FirefoxUser, own: Site) -> None:
    me.open(own.url, part="#/bills")
    me.click(".row", "Bill 4")
    me.see(f"{HERE} .attachments li", "請求書.pdf")
    me.see(f"{HERE} iframe")
    inside = f"(selector) => document.querySelector('{HERE} iframe').contentDocument.querySelectorAll(selector).length"
    me.until(lambda: me.run(inside, "td"))
    assert me.run(inside, "script, body [style], [onerror], img[src], a[href^=javascript]") == 0
    me.until(lambda: me.run(f"() => document.querySelector('{HERE} iframe').offsetHeight") > 60)
    me.audit()
    me.told()


def test_a_form_shows_why_its_values_were_rejected(me: FirefoxUser, own: Site) -> None:
    me.open(own.url, part="#/ticket")
    me.see("[aria-label=Text] input")
    me.run("() => document.querySelector('[aria-label=Text] input').focus()")
    me.press("END", *"jour!", "ENTER")
    me.see("[aria-label=Text] .complaint", "“text” must be calm.")
    me.press("BACKSPACE", "ENTER")
    me.gone("[aria-label=Text] .complaint")


def test_the_page_reconnects(me: FirefoxUser, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    me.load()
    me.at("20+")
    site.kill()
    me.see(".banner", "No connection to the server")
    me.see(".row-title", "Handover")
    site.start()
    me.click(".banner button")
    me.gone(".banner")
    me.load()
    me.at("20+")
