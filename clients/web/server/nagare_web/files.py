"""The page's files: where they are, and which of them are served."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The types of the served files, by the endings of their names. Other files aren't served."""
FILES = re.compile(r"web/(index\.html|manifest\.webmanifest|worker\.js)|(web/(src|style)|javascript/src)/([\w-]+/)*[\w-]+(\.[\w-]+)+", re.ASCII)
"""The paths that are served. No part of them can be `..` or hidden."""
PACKAGE = Path(__file__).resolve().parent
WEB = PACKAGE.parents[1]
"""The page's folder in a checkout."""


class MissingSite(Exception):
    """The page's files are missing."""


@dataclass(frozen=True)
class File:
    body: bytes
    type: str
    tag: str
    """Identifies the content."""
    compressed: bool


class Site:
    """A folder with the page's files: `web`, and next to it `javascript/src`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, path: str, *, accepts_gzip: bool) -> File | None:
        """Returns the file at a path, compressed if possible, or None if there is none."""
        kind = TYPES.get(Path(path).suffix)
        if kind is None or not FILES.fullmatch(path):
            return None
        for ending in (".gz", "") if accepts_gzip else ("",):
            with suppress(OSError):
                body = (self.folder / (path + ending)).read_bytes()
                return File(body, kind, hashlib.sha256(body).hexdigest()[:32], compressed=ending != "")
        return None


def find_site() -> Site:
    """Finds the site: in an installed package, inside it; in a checkout, the bundled one, or the sources if they can't be bundled."""
    packaged = PACKAGE / "site"
    if packaged.is_dir():
        return Site(packaged)
    script = WEB / "bundle"
    if not script.is_file():
        raise MissingSite(f"the page's files are missing from {packaged}: install the package nagare-web again")
    if os.environ.get("DEVELOPMENT") or subprocess.run([script]).returncode != 0:
        return Site(WEB.parent)
    return Site(WEB.parents[1] / ".build" / "site")
