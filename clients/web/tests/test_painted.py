"""All controls that can be clicked are painted, in light and dark themes."""

from __future__ import annotations

import pytest
from conftest import Serve
from selenium.webdriver.common.action_chains import ActionChains
from serving import Site
from test_actions import bills
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
DARK = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


@DARK
@SIZES
def test_all_controls_are_painted(me: User, serve: Serve, own: Site, size: tuple[int, int], dark: bool) -> None:
    site = serve(None, "--live", "--clock", "virtual")
    me.open(site.url, size, dark=dark)
    me.load()
    seen(me, "a list")
    me.press("x")
    me.see(".marks", "1 marked")
    seen(me, "marks")
    me.press("ESCAPE", "ENTER")
    me.see("article h2")
    seen(me, "an open item")
    me.click(".detail [aria-label=More]")
    me.see("[role=menu]")
    seen(me, "a menu")
    me.press("ESCAPE")
    me.gone("[role=menu]")
    me.click(".detail [aria-label=Archive]")
    me.see(".toast")
    seen(me, "what can be undone")
    for key, shown in (("?", "dialog.keys"), (":", "dialog.palette")):
        me.run("() => document.querySelector('.detail .panel:not([inert])').focus()")
        me.press(key)
        me.see(shown)
        seen(me, shown)
        me.press("ESCAPE")
        me.gone(shown)
    while not me.all(".screen .pill") and size == DESKTOP:
        me.scroll(".scroller", 200)
        me.advance(5000)
    seen(me, "arrivals")
    site.kill()
    me.see(".banner", "Trying again in")
    seen(me, "no connection")
    bills(me, own, size)
    me.press("ARROW_DOWN", "p")
    me.see(".toast", "Pay")
    for number in (2, 4):
        me.click(".row", f"Bill {number}")
        me.see(".panel:not([inert]) article h2", f"Bill {number}")
        seen(me, "another app's item")
        if size == PHONE:
            me.press("ESCAPE")
            me.gone(".detail")
    for screen, sign in (("Counter", ".inputs"), ("Ticket", "form"), ("People", ".choice")):
        if me.all("nav a", screen):
            me.go(screen)
            me.see(sign)
            seen(me, screen)


def seen(me: User, what: str) -> None:
    assert me.run("() => eyes.controls()") > 0, f"{what}: there is something to click"
    assert me.unpainted() == [], what


@DARK
def test_an_unpainted_control_is_detected(me: User, demo: Site, dark: bool) -> None:
    me.open(demo.url, dark=dark)
    me.load()
    me.click(".row")
    me.see("article h2")
    button = "document.querySelector('.detail [aria-label=Archive]')"
    for broken in ("firstChild.style.display = 'none'", "style.color = 'transparent'", "firstChild.style.width = 0"):
        me.run(f"() => {{ {button}.{broken}; }}")
        assert [html for html in me.unpainted() if 'aria-label="Archive"' in html], broken
        me.run(f"() => {{ {button}.style = ''; {button}.firstChild.style = ''; }}")
    # The button under the pointer is painted, too.
    ActionChains(me.chrome).move_to_element(me.see(".detail [aria-label=Archive]")).perform()
    assert me.unpainted() == []
