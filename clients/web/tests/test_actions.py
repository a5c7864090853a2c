"""How items are shown by their screen's `display`, and actions on items."""

from __future__ import annotations

import pytest
from own import PIXEL
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from serving import Site
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
UNREACHABLE = "Failed to load resource: net::ERR_NAME_NOT_RESOLVED"
"""The browser's error for a remote URL, which these tests block."""


def bills(me: User, own: Site, size: tuple[int, int] = DESKTOP) -> None:
    me.open(own.url, size, part="#/bills")
    me.see(".row-title", "Bill 6")
    me.run("() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()")


def settle(me: User) -> None:
    """Ends the undo time of removals."""
    me.session("({app}) => app.views.get('v1').call('settle')")


@SIZES
def test_items_are_shown_as_the_display_defines(me: User, own: Site, size: tuple[int, int]) -> None:
    bills(me, own, size)
    row = me.all("[role=option]")[0]
    for text in ("Bill 0", "late", "City of Kyoto", "¥12,800", "2.5 MB", "1:02:05"):
        assert text in row.text
    assert "hidden word" not in row.text and me.all(".row .portrait img")
    assert "unread" in str(row.get_attribute("class"))
    me.audit()
    row.click()
    # Marking the item as read draws it again.
    article = me.until(lambda: me.see("article").text)
    assert "To pay" in article and "¥12,800" in article and "hidden word" not in article
    me.audit()
    me.press("ESCAPE")
    me.see(".row.read .row-title", "Bill 0")


@SIZES
def test_html_runs_no_scripts_and_loads_nothing_unasked(me: User, own: Site, size: tuple[int, int]) -> None:
    bills(me, own, size)
    me.click(".row", "Bill 2")
    inside = """(selector, member) => [...document.querySelector('.panel:not([inert]) iframe').contentDocument.querySelectorAll(selector)]
      .map((element) => element.getAttribute(member))"""
    me.see(".panel:not([inert]) iframe")
    me.until(lambda: me.run(inside, "td", "class"))
    assert me.run(inside, "a", "href") == ["https://example.org/pay", None]
    assert me.run(inside, "img", "src") == [None] and me.run(inside, "script", "src") == []
    assert me.run(inside, "p", "style") == [None] and me.run(inside, "img", "onerror") == [None]
    assert me.see(".panel:not([inert]) iframe").get_attribute("sandbox") == "allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    me.until(lambda: me.see(".panel:not([inert]) iframe").rect["height"] > 60)
    me.audit()
    me.click(".panel:not([inert]) button", "Show a remote picture")
    assert me.run(inside, "img", "src") == ["https://example.org/spy.png"]
    me.gone(".panel:not([inert]) button")
    assert me.chrome.title == "Bills – Nagare"
    assert me.until(me.told) == [f"https://example.org/spy.png - {UNREACHABLE}"]


@SIZES
def test_attachments_run_no_scripts_and_load_nothing_unasked(me: User, own: Site, size: tuple[int, int]) -> None:
    bills(me, own, size)
    assert "📎 5" in me.see(".row", "Bill 4").text
    me.click(".row", "Bill 4")
    files = ".panel:not([inert]) .attachments"
    me.see(f"{files} h3", "5 attachments")
    told = [item.text.splitlines() for item in me.all(f"{files} li")]
    # The type of a file is shown next to its picture.
    assert [words[-2:] for words in told] == [
        ["請求書.pdf", "PDF · 123 kB"],
        ["face.png", "PNG · 70 B"],
        ["spy.jpg", "JPG · 2.4 MB"],
        ["notes.html", "HTML · 35 B"],
        ["Attachment", "text/plain · 5 B"],
    ]
    links = "(selector, names) => [...document.querySelectorAll(selector)].map((link) => names.map((name) => link.getAttribute(name)))"
    attributes = me.run(links, f"{files} a", ["href", "download", "rel"])
    assert attributes == [
        ["https://example.org/bill.pdf", None, "noopener noreferrer"],
        [PIXEL, "face.png", None],
        ["https://example.org/spy.jpg", None, "noopener noreferrer"],
        ["data:text/html,<script>opener.broken=true</script>", "notes.html", None],
    ]
    assert me.run(links, f"{files} img", ["src"]) == [[PIXEL]]
    me.audit()
    me.click(f"{files} button", "Show a remote picture")
    me.gone(f"{files} button")
    assert me.until(me.told) == [f"https://example.org/spy.jpg - {UNREACHABLE}"]


@pytest.mark.parametrize("way", ["key", "menu", "right click", "palette", "finger", "detail"])
def test_an_action_works_from_each_control_and_can_be_undone(me: User, own: Site, way: str) -> None:
    bills(me, own, PHONE if way == "finger" else DESKTOP)
    if way == "key":
        me.press("p")
    elif way == "menu":
        me.press("m")
        me.see("[role=menu]")
        assert me.focused.strip().startswith("Open")
        me.audit()
        me.press("ARROW_DOWN", "ENTER")
    elif way == "right click":
        ActionChains(me.chrome).context_click(me.see(".row", "Bill 0")).perform()
        me.click("[role=menuitem]", "Pay")
    elif way == "palette":
        ActionChains(me.chrome).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        me.see("dialog.palette")
        me.press(*"pay")
        me.audit()
        me.press("ENTER")
    elif way == "finger":
        me.drag(".row:has(+ .row)", 300, 0)
    else:
        me.click(".row", "Bill 0")
        me.see("article h2", "Bill 0")
        me.click(".detail [aria-label=Pay]")
    me.see(".toast", "Pay: “Bill 0”")
    me.gone(".row-title", "Bill 0")
    me.click(".toast button", "Undo")
    me.see(".row-title", "Bill 0")


def test_items_of_a_failed_removal_are_restored_and_it_can_be_retried(me: User, own: Site) -> None:
    bills(me, own)
    me.press("ARROW_DOWN", "p")
    me.gone(".row-title", "Bill 1")
    settle(me)
    me.see(".complaints", "“Bill 1” was restored: No money")
    me.see(".row-title", "Bill 1")
    me.audit()
    me.click(".complaints button", "Try again")
    me.gone(".row-title", "Bill 1")
    settle(me)
    me.gone(".toast")
    assert not me.all(".complaints, .row-title", "Bill 1")


@SIZES
def test_an_action_applies_to_all_marked_items(me: User, own: Site, size: tuple[int, int]) -> None:
    bills(me, own, size)
    # The list reports its end only after another request, which it accepts after a second.
    with me.time_running():
        me.at("7")
    if size == DESKTOP:
        me.press("ARROW_DOWN", "ARROW_DOWN", "x")
        ActionChains(me.chrome).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    else:
        for number in (2, 3, 4):
            me.run("(n) => document.querySelectorAll('[role=option] .portrait')[n].click()", number)
    me.see(".marks", "3 marked")
    assert not me.all(".detail")
    me.audit()
    me.click(".marks button", "Mark as new")
    me.count(5, ".row.unread")
    me.gone(".marks")
    me.run("() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()")
    ActionChains(me.chrome).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    me.see(".marks", "7 marked")
    me.press("p")
    me.see(".toast", "Pay: 7 items")
    me.see(".screen:not([hidden]) .emptiness", "Nothing here")
    me.press("u")
    me.see(".marks", "7 marked")
    me.count(7, ".row.marked")
    me.press("u")
    me.count(7, ".row-title")


def test_an_action_asks_for_confirmation_and_missing_parameters(me: User, own: Site) -> None:
    bills(me, own)
    me.press("m")
    me.click("[role=menuitem]", "Assign to me")
    me.see("dialog", "Take this one?")
    me.click("dialog button", "No")
    me.gone("dialog")
    me.press("m")
    me.click("[role=menuitem]", "Assign to me")
    me.click("dialog button", "Yes")
    me.see(".toast", "Told: 0 to me")
    me.press("c")
    me.see("dialog", "Comment")
    me.audit()
    me.press(*"Paid?", "ENTER")
    me.see(".toast", "Told: 0: Paid?")
    me.gone("dialog")


@SIZES
def test_a_list_s_actions_do_not_apply_to_another_pager_s_items(me: User, own: Site, size: tuple[int, int]) -> None:
    bills(me, own, size)
    me.press("f")
    me.see("article h2", "Paper 0")
    me.at("1 of 2")
    me.audit()
    assert not me.all(".detail .actions button")
    # It has the id of a bill. The bill must not change.
    me.press("p", "n", "c", "m")
    me.press("ARROW_RIGHT")
    me.see(".panel:not([inert]) article h2", "Paper 1")
    me.press("p", "ARROW_LEFT")
    me.see(".panel:not([inert]) article h2", "Paper 0")
    assert not me.all(".toast, dialog, [role=menu]")
    assert str(me.run("() => location.hash")).endswith("#/bills")
    me.press("ESCAPE")
    me.gone(".detail")
    me.lists("Bill 0", "Bill 1")
    me.count(2, ".row.unread")
    assert not me.all(".row[aria-selected=true]")
    me.click(".row", "Bill 0")
    me.see(".panel:not([inert]) article h2", "Bill 0")
    me.press("p")
    me.see(".toast", "Pay: “Bill 0”")


def test_the_list_of_keys_shows_all_keys(me: User, own: Site) -> None:
    bills(me, own)
    me.press("?")
    told = me.see("dialog.keys").text
    assert "Pay" in told and "Comment" in told and "undo" in told
    me.audit()
    me.press("ENTER")
    me.gone("dialog.keys")
    me.press(":")
    me.see("dialog.palette")
    me.press(*"counter", "ENTER")
    me.see(".title", "Counter")


def test_the_layout_can_be_changed_and_is_kept(me: User, own: Site) -> None:
    bills(me, own)
    width = "() => document.querySelector('.screen:not([hidden])').offsetWidth"
    before = me.run(width)
    me.run("() => document.querySelector('.separator').focus()")
    me.press("ARROW_RIGHT", "ARROW_RIGHT")
    wide = me.run(width)
    assert wide > before + 20
    ActionChains(me.chrome).drag_and_drop_by_offset(me.all(".separator")[0], 100, 0).perform()
    assert abs(me.run(width) - wide - 100) < 12
    rows = len(me.rows)
    for command in ("compact", "below", "hide"):
        me.press(":")
        me.see("dialog.palette")
        me.press(*command, "ENTER")
        me.gone("dialog")
    me.chrome.refresh()
    me.see(".row-title", "Bill 6")
    assert me.run("() => document.querySelector('.row').offsetHeight") == 54 and len(me.rows) >= rows
    assert not me.all("nav a") and me.run(width) > 1200
    me.click(".row", "Bill 2")
    me.see("article h2", "Bill 2")
    me.audit()


def test_on_a_wide_screen_menu_list_and_detail_are_side_by_side(me: User, demo: Site) -> None:
    me.open(demo.url, (2560, 1440))
    me.load()
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    menu, rows, item = (me.see(selector).rect for selector in ("nav", "[role=listbox]", ".detail article"))
    assert menu["x"] + menu["width"] <= rows["x"] and rows["x"] + rows["width"] <= item["x"]
    # No part takes the whole width, and lines have a readable length.
    assert rows["width"] > 500 and item["width"] < 1000
    me.audit()


@pytest.mark.parametrize("mode", ["forced colors", "right to left", "200 % zoom", "high contrast", "high contrast in the dark"])
def test_the_page_is_usable_in_other_display_modes(me: User, own: Site, mode: str) -> None:
    bills(me, own, (640, 400) if mode == "200 % zoom" else DESKTOP)
    if mode == "forced colors":
        # Setting a media feature resets the others, so reduced motion is set again.
        features = [{"name": "forced-colors", "value": "active"}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        me.command("Emulation.setEmulatedMedia", features=features)
    elif mode.startswith("high contrast"):
        scheme = "dark" if "dark" in mode else "light"
        features = [{"name": "prefers-contrast", "value": "more"}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        me.command("Emulation.setEmulatedMedia", features=[*features, {"name": "prefers-color-scheme", "value": scheme}])
    elif mode == "right to left":
        me.run("() => { document.documentElement.dir = 'rtl'; }")
        nav, rows = me.see("nav").rect, me.see("[role=listbox]").rect
        assert nav["x"] > rows["x"], "the menu is at the right"
    me.press("x", "ARROW_DOWN")
    me.see(".marks", "1 marked")
    me.audit(enhanced="contrast" in mode)
    me.press("ENTER")
    me.see("article h2", "Bill 1")
    me.audit(enhanced="contrast" in mode)
    assert me.run("() => document.documentElement.scrollWidth <= innerWidth")
