"""Files that two packages have, as neither needs the other."""

from __future__ import annotations

import model

COPIES = {
    "clients/source-python/src/nagare_source/source_functions.py": "clients/python/src/nagare/source_functions.py",
}
"""The copies, and what they are copied from."""


def files() -> dict[str, str]:
    """Returns the text of each copy. It names its original after the first line."""
    return {copy: _marked(original) for copy, original in COPIES.items()}


def _marked(original: str) -> str:
    first, rest = (model.ROOT / original).read_text(encoding="utf-8").split("\n", 1)
    return f"{first}\n\n# Copied from {original}; make generate\n{rest}"
