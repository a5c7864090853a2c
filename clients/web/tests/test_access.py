"""Accessibility: keyboard, screen readers, contrast and themes."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Serve
from serving import Site
from test_screens import CONFIG as TASKS
from user import DESKTOP, PHONE, User

CONFIG = {
    "sources": {
        "mails": {"type": "demo"},
        "articles": {"type": "demo", "data": "articles"},
        "offers": {"type": "demo", "data": "offers"},
        "missing": {"type": "file", "path": "missing.jsonl"},
    },
    "stores": {"shop": {"query": "ramen"}},
    "screens": {
        "inbox": {"viewModel": "list", "source": "mails", "detail": "mail"},
        "mail": {"viewModel": "pager"},
        "search": {"viewModel": "search", "source": "articles", "detail": "mail"},
        "genres": {"viewModel": "choice", "choices": ["ramen", "curry"], "store": "shop.query"},
        "offers": {"viewModel": "feed", "source": "offers"},
        "broken": {"viewModel": "list", "source": "missing"},
        **TASKS["screens"],
    },
}


@pytest.mark.parametrize(
    ("size", "dark"), [(PHONE, True), (DESKTOP, False), ((360, 640), False)], ids=["phone-dark", "desktop-light", "small-light"]
)
def test_axe_finds_no_accessibility_problems(me: User, serve: Serve, size: tuple[int, int], dark: bool) -> None:
    site = serve(CONFIG, "--clock", "virtual")
    me.open(site.url, size, dark=dark)
    me.see(".row.skeleton")
    me.audit()
    me.load()
    me.see("[role=option]")
    me.audit()
    me.click(".row")
    me.see("article h2")
    me.audit()
    me.press("ESCAPE")
    audit_others(me)
    audit_dialogs(me)
    site.kill()
    me.see(".banner", "Trying again in")
    me.audit()
    assert me.run("() => document.documentElement.scrollWidth") <= size[0], "nothing is wider than the screen"


def audit_others(me: User) -> None:
    me.go("Search")
    me.load()
    me.click("[type=search]")
    me.press("nothing like this")
    me.load()
    me.see(".emptiness")
    me.audit()
    for screen, sign in (("Genres", ".choice"), ("Offers", ".row.skeleton"), ("Broken", "[role=alert]")):
        me.go(screen)
        me.see(sign)
        me.audit()
    me.go("Offers")
    me.load()
    me.click(".row", "Film camera")
    me.see("article")
    me.audit()


def audit_dialogs(me: User) -> None:
    me.go("Tasks")
    for task in ("Warn", "Paint", "Enter"):
        me.click(".choice", task)
        me.see("dialog")
        me.audit()
        me.press("ESCAPE")
        me.gone("dialog")
    me.click(".choice", "Fly")
    me.see("[role=alert]")
    me.audit()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_everything_is_reachable_by_keyboard(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size)
    me.load()
    assert me.focused == "Items"
    tab_to(me, "Skip to the content")
    me.press("ENTER")
    assert me.focused == "Items"
    me.press("ARROW_DOWN", "ARROW_DOWN", "ENTER")
    me.see("article h2", "Handover before my holiday")
    me.press("ARROW_RIGHT")
    me.see("article h2", "Your invoice")
    me.until(lambda: "Your invoice" in me.focused)
    me.press("ESCAPE")
    me.gone(".detail")
    assert me.focused == "Items"
    me.press("END")
    me.load()
    assert me.position == "40+"
    walk_to_the_search(me)
    walk_to_a_dialog(me)


def test_keys_work_at_once_and_after_choosing_a_screen(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.press("ARROW_DOWN", "ENTER")
    me.at("2 of 20+")
    address = me.chrome.current_url
    me.open(demo.url, part=address[address.index("#") :])
    me.load()
    me.at("2 of 20+")
    me.press("ARROW_RIGHT")
    me.at("3 of 20+")
    me.press("ESCAPE")
    for screen in ("Articles", "Items", "Items"):
        me.go(screen)
        me.sees("() => document.activeElement.role === 'listbox'")
        assert me.focused == screen


def test_keys_work_while_nothing_has_the_focus(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.click(".title")
    assert me.run("() => document.activeElement === document.body")
    me.press("ARROW_DOWN", "ENTER")
    me.at("2 of 20+")
    me.click(".detail .position")
    me.press("ARROW_RIGHT")
    me.at("3 of 20+")
    me.press("ESCAPE")
    me.go("Articles")
    me.click(".title", "Articles")
    me.press("/")
    assert me.focused == "Search articles"


def tab_to(me: User, name: str) -> None:
    for _ in range(30):
        me.press("TAB")
        if me.focused == name:
            return
    raise AssertionError(f"{name} isn't reached")


def walk_to_the_search(me: User) -> None:
    tab_to(me, "Articles")
    me.press("ENTER")
    me.see(".title", "Articles")
    me.load()
    me.until(lambda: me.focused == "Articles")
    me.press("/")
    assert me.focused == "Search articles"
    me.press("swift")
    me.load()
    me.press("ARROW_DOWN", "ENTER")
    me.see("article h2")
    me.press("ESCAPE")
    me.gone(".detail")


def walk_to_a_dialog(me: User) -> None:
    tab_to(me, "Profile")
    me.press("ENTER")
    me.see(".title", "Profile")
    me.press("TAB", "ENTER")
    me.see("dialog", "New name")
    me.press("Mei", "TAB", "TAB", "ENTER")
    me.gone("dialog")
    me.see(".choice", "Name: Mei")


def test_screen_readers_get_the_active_row(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    status = "() => [...document.querySelectorAll('[role=status]')].map((element) => element.textContent).join(' ')"
    me.until(lambda: "20 items" in me.run(status))
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("ARROW_DOWN")
    row = "() => document.getElementById(document.querySelector('[role=listbox]').getAttribute('aria-activedescendant'))"
    told = me.run(f"() => {{ const row = ({row})(); return [row.role, row.ariaPosInSet, row.ariaSetSize]; }}")
    assert told == ["option", "2", "20"]
    me.go("Articles")
    me.load()
    me.press("/", "nothing like this")
    me.load()
    me.until(lambda: "Nothing found" in me.run(status))


def test_the_theme_follows_the_system_or_the_user(me: User, demo: Site) -> None:
    def light() -> bool:
        ground = me.run("() => getComputedStyle(document.body).backgroundColor")
        return int(ground.split("(")[1].split(",")[0]) > 128

    me.open(demo.url)
    assert light()
    me.open(demo.url, dark=True)
    assert not light()
    me.click("[aria-label='Theme: system']")
    me.see("[aria-label='Theme: light']")
    assert light()
    me.open(demo.url, dark=True)
    assert light(), "it is remembered"
    me.click("[aria-label='Theme: light']")
    assert not light()
    me.click("[aria-label='Theme: dark']")
    me.see("[aria-label='Theme: system']")


def test_rows_grow_with_the_font_size(me: User, demo: Site, tmp_path: Path) -> None:
    me.open(demo.url, PHONE)
    me.load()
    before = me.see(".row").size["height"]
    me.run("() => void (document.documentElement.style.fontSize = '200%')")
    me.until(lambda: me.see(".row").size["height"] == 2 * before)
    second = """() => {
      const top = (place) => document.querySelector(`[aria-posinset="${place}"]`).getBoundingClientRect().top;
      return top(2) - top(1);
    }"""
    me.until(lambda: me.run(second) == 2 * before)
