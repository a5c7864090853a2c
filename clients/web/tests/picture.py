"""Takes the README's screenshots: `python tests/picture.py`. Run it after each change of the page: a test compares the stamp that it writes."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from conftest import browser
from serving import PACKAGE, Site
from user import User


STAMP = PACKAGE / "pictures.sha256"
"""The checksum of the page's sources when the pictures were taken."""
SOURCES = ("index.html", "src", "style", "../javascript/src")


def checksum() -> str:
    """Returns the checksum of the page's sources."""
    sources = [path for name in SOURCES for path in [PACKAGE / name, *(PACKAGE / name).rglob("*")] if path.is_file()]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path.resolve().relative_to(PACKAGE.parent)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def use_japanese_font() -> None:
    """Lets the browser find a Japanese font, because the demo's mails are Japanese."""
    root = PACKAGE.parents[1]
    subprocess.run([root / "clients" / "fetch-debian", "fonts-ipafont-gothic"], check=True)
    os.environ["XDG_DATA_HOME"] = str(root / ".build" / "debian" / "usr" / "share")


def draw() -> None:
    use_japanese_font()
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
            # The browser's rounding of a phone's size may make the page scroll by a pixel.
            me.command("Emulation.setScrollbarsHidden", hidden=True)
            me.open(site.url, (360, 640), dark=True)
            me.load()
            me.click(".row", "Handover")
            me.drag(".carousel", -120, 0, drop=False)
            save(me, PACKAGE / "phone.png")
            STAMP.write_text(f"{checksum()}\n")
    finally:
        site.kill()


def save(me: User, path: Path) -> None:
    me.chrome.save_screenshot(str(path))


if __name__ == "__main__":
    draw()
