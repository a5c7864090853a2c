"""Copies modules of the Python client library into the kit, so that neither package depends on the other."""

from __future__ import annotations

import model

MODULES = "exact_numbers.py", "source_functions.py"
"""The modules of the client library that are copied into the kit."""


def files() -> dict[str, str]:
    """Returns the text of each copy, by the copy's path. A comment after the first line names the original."""
    return {f"clients/source-python/src/nagare_source/{name}": _copy(f"clients/python/src/nagare/{name}") for name in MODULES}


def _copy(original: str) -> str:
    first, rest = (model.ROOT / original).read_text(encoding="utf-8").split("\n", 1)
    return f"{first}\n\n# Copied from {original}; make generate\n{rest}"
