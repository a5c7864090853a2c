"""A user's everyday goals, reached by keyboard only and by touch only, also if the server is killed in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from conftest import write_rows
from day import CONFIG, ISSUES
from serving import Site
from test_many import mark_all
from user import DESKTOP, PHONE, User

CAROUSEL, SCROLLER = ".carousel", ".screen:not([hidden]) .scroller"
Step = Callable[[User], object]


@dataclass
class Errand:
    """A goal of a user: its keys before and after the server may be killed, its touches, and the check that it is reached."""

    about: str
    before: list[str]
    after: list[str]
    touch: list[Step]
    done: Step


def dies(me: User) -> None:
    """Marks the step at which the server may be killed."""


def tap(selector: str, text: str = "") -> Step:
    return lambda me: me.tap(selector, text)


def row(text: str) -> Step:
    return tap(".row", text)


def write(text: str) -> Step:
    return lambda me: me.write(text)


def swipe(selector: str, dx: int, text: str = "") -> Step:
    return lambda me: me.drag(selector, dx, 0, text=text)


def press_long(text: str) -> Step:
    """Presses long on a row. A browser without a touch screen doesn't turn a resting finger into this event."""
    script = """(row) => {
      const { x, y } = row.getBoundingClientRect();
      row.dispatchEvent(new MouseEvent("contextmenu", { clientX: x + 50, clientY: y + 20, bubbles: true, cancelable: true }));
    }"""
    return lambda me: me.run(script, me.see(".row", text))


def sees(selector: str, text: str) -> Step:
    return lambda me: me.see(selector, text)


def reads(number: int) -> Step:
    return sees(".panel:not([inert]) article", f"It is about number {number}.")


def lists(*numbers: int) -> Step:
    return lambda me: me.lists(*(str(ISSUES[n]["title"]) for n in numbers))


def both(*steps: Step) -> Step:
    return lambda me: [step(me) for step in steps]


def active(place: int) -> Step:
    return lambda me: me.sees(f"() => document.querySelector('.detail').hidden && document.querySelector('.row.active').ariaPosInSet === '{place}'")


def follows(number: int) -> Step:
    return lambda me: me.sees(f"() => window.followed === 'https://example.org/{number}'")


ERRANDS = [
    Errand("open the third", ["ARROW_DOWN", "ARROW_DOWN"], ["ENTER"], [dies, row("Stairs 2")], reads(2)),
    Errand(
        *("read on from one to the next", ["ENTER", "ARROW_RIGHT"], ["ARROW_RIGHT"]),
        *([row("Door 0"), swipe(CAROUSEL, -250), reads(1), dies, swipe(CAROUSEL, -250)], reads(2)),
    ),
    Errand(
        *("read one at the end of the second page", ["END", "END"], ["ENTER"]),
        *([lambda me: me.scroll(SCROLLER, 100_000), lambda me: me.at("40+"), lambda me: me.scroll(SCROLLER, 100_000), dies, row("Door 39")], reads(39)),
    ),
    Errand(
        *("find the one about the lamp 25 and open it", ["/", *"Lamp 25", "ENTER"], ["ENTER"]),
        *([tap("[type=search]"), write("Lamp 25"), lists(25), dies, row("Lamp 25")], reads(25)),
    ),
    Errand(
        *("go back to the list where I was", ["ARROW_DOWN", "ENTER", "ARROW_RIGHT"], ["ESCAPE"]),
        *([row("Lamp 1"), swipe(CAROUSEL, -250), reads(2), dies, tap("[aria-label=Close]")], active(3)),
    ),
    Errand(
        *("archive the second", ["ARROW_DOWN"], ["e"], [dies, swipe(".row", 300, "Lamp 1")]),
        both(lists(0, 2), sees(".toast", "Archive: “Lamp 1")),
    ),
    Errand(
        *("archive it and have it back", ["ARROW_DOWN"], ["e", "u"]),
        *([dies, swipe(".row", 300, "Lamp 1"), lists(0, 2), tap(".toast button", "Undo")], lists(0, 1, 2)),
    ),
    Errand(
        *("archive the open one and see the next", ["ARROW_DOWN", "ENTER"], ["e"]),
        *([row("Lamp 1"), dies, tap(".detail [aria-label=Archive]")], reads(2)),
    ),
    Errand(
        *("archive three at once", ["x", "ARROW_DOWN", "x", "ARROW_DOWN", "x"], ["e"]),
        [tap(".row:has([lang=ja]) .portrait"), tap(".row:nth-of-type(3) .portrait"), tap(".row:nth-of-type(4) .portrait"), dies, tap(".marks button", "Archive")],
        both(lists(3, 4), sees(".toast", "3 items")),
    ),
    Errand(
        *("see the wishes alone", [":", *"wish", "ENTER"], ["ARROW_DOWN"]),
        *([dies, tap(".chip", "Label"), tap("[role=menuitem]", "wish")], lists(1, 3, 5)),
    ),
    Errand(
        *("see the bugs of March", [":", *"bug", "ENTER"], [":", *"2026-03", "ENTER"]),
        [tap(".chip", "Label"), tap("[role=menuitem]", "bug"), dies, tap(".chip", "Month"), tap("[role=menuitem]", "2026-03")],
        both(lists(0, 2, 4), lambda me: me.count(3, "[role=option]")),
    ),
    Errand(
        *("see all again", [":", *"wish", "ENTER"], [":", *"all label", "ENTER"]),
        [tap(".chip", "Label"), tap("[role=menuitem]", "wish"), lists(1, 3), dies, tap("[aria-label='Clear label']")],
        lists(0, 1, 2),
    ),
    Errand("open the link", ["ARROW_DOWN", "ENTER"], ["to the link", "ENTER"], [row("Lamp 1"), dies, tap(".panel:not([inert]) article a")], follows(1)),
    Errand("find what I was sent", ["sent"], [], [lambda me: visit(me), dies], reads(45)),
    Errand(
        *("change my name", [":", *"me", "to me"], ["asked", *"Mei", "ENTER"]),
        *([tap("nav a", "Me"), dies, tap(".choice", "Rename"), tap("dialog input"), write("Mei"), tap("dialog button", "OK")], sees(".choice", "Name: Mei")),
    ),
    Errand(
        *("leave, and be asked whether I mean it", [":", *"me", "to me"], ["TAB", "asked", "ENTER"]),
        *([tap("nav a", "Me"), dies, tap(".choice", "Leave"), tap("dialog button", "Yes")], sees(".choice", "Left: yes")),
    ),
    Errand("go to another screen", [], [":", *"me", "to me"], [dies, tap("nav a", "Me")], sees(".title", "Me")),
    Errand(
        *("load it anew and stay", ["ARROW_DOWN", "ARROW_DOWN"], ["r"]),
        *([dies, lambda me: me.drag(SCROLLER, 0, 200)], both(lists(0, 1, 2), lambda me: me.at("20+"))),
    ),
    Errand("see what can be done with it", ["ARROW_DOWN"], ["m"], [dies, press_long("Lamp 1")], sees("[role=menu] [role=menuitem]", "Archive")),
    Errand(
        *("find the one about the lamp 25, archive it and have it back", ["/", *"Lamp 25", "ENTER"], ["e", "u"]),
        [tap("[type=search]"), write("Lamp 25"), lists(25), dies, swipe(".row", 300, "Lamp 25"), tap(".toast button", "Undo")],
        both(lists(25), lambda me: me.gone(".toast")),
    ),
    Errand(
        "mark all unread of March as read",
        [":", *"2026-03", "ENTER"],
        [":", *"yes unread", "ENTER", "all", "R"],
        [tap(".chip", "Month"), tap("[role=menuitem]", "2026-03"), dies, tap(".chip", "Unread"), tap("[role=menuitem]", "yes")]
        + [tap(".row .portrait", "L"), tap(".row:not(.marked) .portrait", "L"), tap(".marks button", "Read")],
        both(lists(1, 4), lambda me: me.gone(".row.unread"), lambda me: me.count(2, ".row.read")),
    ),
    Errand(
        *("do it from the menu", ["ARROW_DOWN"], ["m", "ARROW_DOWN", "ENTER"]),
        *([press_long("Lamp 1"), dies, tap("[role=menuitem]", "Archive")], both(lists(0, 2), sees(".toast", "Archive: “Lamp 1"))),
    ),
]


@pytest.fixture(scope="session")
def issues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with issues of a file. Each page has its own server, whose edits change only that server's list."""
    folder = tmp_path_factory.mktemp("issues")
    write_rows(folder / "rows.jsonl", ISSUES)
    (folder / "nagare.json").write_text(json.dumps(CONFIG))
    site = Site("--config", str(folder / "nagare.json"), "--clock", "virtual")
    yield site
    site.kill()


def visit(me: User) -> None:
    me.open(me.chrome.current_url.partition("#")[0], part="#/issues/45")


def to_the_link(me: User) -> None:
    for _ in range(20):
        if me.focused.startswith("https://"):
            return
        me.press("TAB")
    raise AssertionError("no key leads to the link")


def to_me(me: User) -> None:
    me.press("ENTER")
    # The page notices a changed URL without a reload.
    me.see(".title", "Me")


def asked(me: User) -> None:
    me.press("ENTER")
    # Dialogs are in a separate file, which the page loads on first use.
    me.see("dialog[open]")


def press(me: User, keys: list[str]) -> None:
    for key in keys:
        words = {"to the link": to_the_link, "to me": to_me, "asked": asked, "sent": visit, "all": mark_all}
        words[key](me) if key in words else me.press(key)
        if key == ":":
            me.see("dialog.palette")
        # The page notices a changed URL without a reload, and loads its screen then.
        me.run("() => eyes.frame()")
        me.load()


def end_server(me: User) -> None:
    """Kills the server, and waits until the page is connected to another one and shows the same as before."""
    me.end_server()
    me.sees("() => !document.querySelector('.screen:not([hidden]) [aria-disabled=true]')")
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.size > 0"))
    for _ in range(3):
        me.load()


@pytest.mark.parametrize("killed", [False, True], ids=["", "the server killed"])
@pytest.mark.parametrize("way", ["keys", "touch"])
@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.about)
def test_an_errand_succeeds_by_keyboard_and_touch_and_after_a_crash(me: User, issues: Site, errand: Errand, way: str, killed: bool) -> None:
    me.open(issues.url, PHONE if way == "touch" else DESKTOP)
    me.load()
    me.see(".row-title", "Stairs 2")
    # Links to other machines aren't followed.
    me.run("""() => addEventListener("click", (event) => {
      const link = event.target.closest("a[target]");
      if (link) event.preventDefault();
      window.followed = link?.href;
    }, { capture: true })""")
    if way == "touch":
        for step in errand.touch:
            if step is not dies:
                step(me)
            elif killed:
                end_server(me)
            me.load()
    else:
        press(me, errand.before)
        if killed:
            end_server(me)
        press(me, errand.after)
    errand.done(me)


def test_keys_pressed_while_a_menu_loads_go_to_the_menu(me: User, issues: Site) -> None:
    me.open(issues.url)
    me.load()
    press(me, ["ARROW_DOWN"])
    me.run("""() => {
      for (const key of ["m", "ArrowDown", "Enter"]) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    }""")
    lists(0, 2)(me)
