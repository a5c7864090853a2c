"""Attachments of an item: `[{"name", "type", "size", "url"}, …]`, as in JMAP but with addresses."""

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

NAME_LIMIT = 200
"""The maximum size of a file name in bytes. Most file systems allow 255, and a number may be added."""
_HEAD = re.compile(r"(?i)data:([^;,]*)((?:;[^,]*)?),")


@dataclass(frozen=True)
class File:
    """An attachment."""

    url: str
    name: str
    kind: str
    size: Number | None

    @property
    def description(self) -> str:
        """The type and the size, for people."""
        return " · ".join(text for text in (self.kind, "" if self.size is None else amount(self.size, "bytes")) if text)

    def content(self) -> bytes | None:
        """Returns the content of a data URL. Returns None if the address isn't a data URL, or is invalid."""
        if (found := _HEAD.match(self.url)) is None:
            return None
        try:
            data = unquote_to_bytes(self.url[found.end() :])
            return base64.b64decode(data) if found[2].lower().endswith(";base64") else data
        except ValueError:
            return None


def file_of(properties: Mapping[str, Any]) -> File:
    """Reads an attachment. Missing properties are derived from its address."""
    url = properties["url"]
    data = _HEAD.match(url)
    name = line(properties.get("name")) or ("" if data else _last(url)) or "Attachment"
    ending = re.search(r"\.(\w{1,5})$", name)
    kind = ending[1].upper() if ending else line(properties.get("type")) or (data[1] if data else "")
    size = properties.get("size")
    if data is not None and size is None:
        length = len(url) - data.end()
        size = length * 3 // 4 - url[-2:].count("=") if data[2].lower().endswith(";base64") else length - 2 * url.count("%", data.end())
    return File(url, line(name), kind, number(size))


def _last(url: str) -> str:
    """Returns the last part of a URL's path; empty if it isn't a URL."""
    try:
        return unquote(urlsplit(url).path.rpartition("/")[2])
    except ValueError:
        return ""


def save_path(name: str) -> Path:
    """Returns the default path for saving a file. No file exists there yet, and the name can't lead to another folder."""
    folder = Path.home() / "Downloads"
    if not folder.is_dir():
        folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "nagare" / "downloads"
    bare = re.sub(r"[/\\]", "_", line(name)).lstrip(".").encode()
    if len(bare) > NAME_LIMIT:
        ending = re.search(rb"\.\w{1,5}$", bare)
        bare = bare[: NAME_LIMIT - 5] + (ending[0] if ending else b"")
    own = Path(bare.decode(errors="ignore").strip() or "Attachment")
    names = (own.name, *(f"{own.stem} {number}{own.suffix}" for number in range(2, 1000)))
    return next((folder / one for one in names if not (folder / one).exists()), folder / own.name)
