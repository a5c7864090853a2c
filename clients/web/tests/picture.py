"""Takes the README's screenshots: `python tests/picture.py`."""

from __future__ import annotations

from pathlib import Path

from conftest import browser
from serving import PACKAGE, Site
from user import User


def draw() -> None:
    site = Site("--live", "--clock", "virtual")
    try:
        with browser() as chrome:
            me = User(chrome)
            me.open(site.url, (1080, 640))
            me.load()
            me.click(".row", "Handover")
            me.see("article h2")
            me.scroll(".scroller", 150)
            while not me.all(".pill"):
                me.advance(5000)
            # For the browser, a click by the driver counts as a key, so the focus would be visible.
            me.run("() => document.activeElement.blur()")
            save(me, PACKAGE / "desktop.png")
            me.open(site.url, (360, 640), dark=True)
            me.load()
            me.click(".row", "Handover")
            me.drag(".carousel", -120, 0, drop=False)
            save(me, PACKAGE / "phone.png")
    finally:
        site.kill()


def save(me: User, path: Path) -> None:
    me.chrome.save_screenshot(str(path))


if __name__ == "__main__":
    draw()
