"""Modules that two Python packages have, because neither needs the other."""

from __future__ import annotations

import model

MODULES = "exact_numbers.py", "source_functions.py"
"""Modules of the client library that the kit has as well."""


def files() -> dict[str, str]:
    """Returns the text of each copy. It names its original after the first line."""
    return {f"clients/source-python/src/nagare_source/{name}": _copy(f"clients/python/src/nagare/{name}") for name in MODULES}


def _copy(original: str) -> str:
    first, rest = (model.ROOT / original).read_text(encoding="utf-8").split("\n", 1)
    return f"{first}\n\n# Copied from {original}; make generate\n{rest}"
