"""Files that are attached to an item: `[{"name", "type", "size", "url"}, …]`, as JMAP has them, with their addresses."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from .text import Number, amount, line, number

LONGEST = 200
"""Bytes of a file's name: most file systems take 255, of which a number may need some."""
_HEAD = re.compile(r"(?i)data:([^;,]*)([^,]*),")


@dataclass(frozen=True)
class File:
    """One of them."""

    url: str
    name: str
    kind: str
    size: Number | None

    @property
    def about(self) -> str:
        """What it is, and how large."""
        return " · ".join(text for text in (self.kind, "" if self.size is None else amount(self.size, "bytes")) if text)

    def content(self) -> bytes | None:
        """What is in it, where its address holds that itself; None where nothing can be read there."""
        if (found := _HEAD.match(self.url)) is None:
            return None
        try:
            data = unquote_to_bytes(self.url[found.end() :])
            return base64.b64decode(data) if found[2].lower().endswith(";base64") else data
        except ValueError:
            return None


def file(said: Mapping[str, Any]) -> File:
    """What is said of a file, and what its address tells besides."""
    url = said["url"]
    data = _HEAD.match(url)
    name = line(said.get("name")) or ("" if data else _last(url)) or "Attachment"
    ending = re.search(r"\.(\w{1,5})$", name)
    kind = ending[1].upper() if ending else line(said.get("type")) or (data[1] if data else "")
    size = said.get("size")
    if data is not None and size is None:
        length = len(url) - data.end()
        size = length * 3 // 4 - url[-2:].count("=") if data[2].lower().endswith(";base64") else length - 2 * url.count("%", data.end())
    return File(url, line(name), kind, number(size))


def _last(url: str) -> str:
    """The last part of an address's path; nothing where it isn't an address."""
    try:
        return unquote(urlsplit(url).path.rpartition("/")[2])
    except ValueError:
        return ""


def place_for(name: str) -> Path:
    """Where a file is kept if nothing else is said: it takes no other's place, and its name leads nowhere else."""
    folder = Path.home() / "Downloads"
    if not folder.is_dir():
        folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "nagare" / "downloads"
    bare = re.sub(r"[/\\]", "_", line(name)).lstrip(".").encode()
    if len(bare) > LONGEST:
        ending = re.search(rb"\.\w{1,5}$", bare)
        bare = bare[: LONGEST - 5] + (ending[0] if ending else b"")
    own = Path(bare.decode(errors="ignore").strip() or "Attachment")
    names = (own.name, *(f"{own.stem} {number}{own.suffix}" for number in range(2, 1000)))
    return next((folder / one for one in names if not (folder / one).exists()), folder / own.name)
