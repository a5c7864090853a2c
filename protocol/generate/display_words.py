"""Generates the names of fields from which frontends and the kit guess how to show an item."""

from __future__ import annotations

import json
import re
from typing import Any

from model import ROOT

SOURCE = "clients/behaviour/display_words.json"
HEAD = f"Generated from {SOURCE}; make generate"
DOCS = {
    "titles": "Names of fields that hold an item's title. The first one that the item has is used.",
    "people": "Names of fields that hold the author, the seller or the maker of an item.",
    "amounts": "Names of fields that hold the price of an item.",
    "badges": "Names of fields that hold an item's badge.",
    "texts": "Names of fields that hold a text to read, however short it is.",
    "unreadValues": "Names of fields that hold whether an item was read, each with the value of the field for an unread item.",
    "longText": "The number of characters above which a text is shown as a paragraph.",
}
USED_BY_PYTHON = {
    "clients/terminal/src/nagare_terminal/display_words.py": ["titles", "people", "texts", "unreadValues", "longText"],
    "clients/source-python/src/nagare_source/display_words.py": ["titles", "people", "badges", "texts", "unreadValues", "longText"],
}
JAVASCRIPT_PATH = "clients/web/src/text/display-words.js"
USED_BY_JAVASCRIPT = ["titles", "people", "amounts", "texts", "unreadValues", "longText"]


def generate() -> dict[str, str]:
    """Returns the text of each generated file, by the file's path."""
    words = json.loads((ROOT / SOURCE).read_text(encoding="utf-8"))
    files = {path: python({name: words[name] for name in names}) for path, names in USED_BY_PYTHON.items()}
    return files | {JAVASCRIPT_PATH: javascript({name: words[name] for name in USED_BY_JAVASCRIPT})}


def python(words: dict[str, Any]) -> str:
    lines = ['"""The names of fields from which the display of an item is guessed."""', "", f"# {HEAD}", ""]
    for name, value in words.items():
        written = tuple(value) if isinstance(value, list) else value
        lines += [f"{constant(name)} = {written!r}".replace("'", '"'), f'"""{DOCS[name]}"""']
    return "\n".join(lines) + "\n"


def javascript(words: dict[str, Any]) -> str:
    lines = [f"// {HEAD}"]
    for name, value in words.items():
        written = json.dumps([*value.items()] if isinstance(value, dict) else value)
        lines += ["", f"/** {DOCS[name]} */", f"export const {constant(name)} = {f'new Map({written})' if isinstance(value, dict) else written};"]
    return "\n".join(lines) + "\n"


def constant(name: str) -> str:
    """Returns the name of a constant for a JSON name: `LONG_TEXT` for `longText`."""
    return re.sub(r"(?=[A-Z])", "_", name).upper()
