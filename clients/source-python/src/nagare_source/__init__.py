"""Programs that serve sources for Nagare's lists: write one function, or name a table, and `run` does the rest."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .changes import ALL, TooOld, changed, counted, inserted, removed
    from .errors import NO_SUCH_ITEM, TIMED_OUT, UNREACHABLE, SourceError
    from .keyset import KeysetPage
    from .page import Page
    from .serve import run
    from .source import Source
    from .source_functions import Marked, Progress
    from .sqlite import SQLite
    from .table import Table

__all__ = [
    "ALL",
    "NO_SUCH_ITEM",
    "TIMED_OUT",
    "UNREACHABLE",
    "KeysetPage",
    "Marked",
    "Page",
    "Progress",
    "SQLite",
    "Source",
    "SourceError",
    "Table",
    "TooOld",
    "changed",
    "counted",
    "inserted",
    "removed",
    "run",
]

_MODULES = {
    "changes": ("ALL", "TooOld", "changed", "counted", "inserted", "removed"),
    "errors": ("NO_SUCH_ITEM", "TIMED_OUT", "UNREACHABLE", "SourceError"),
    "keyset": ("KeysetPage",),
    "page": ("Page",),
    "serve": ("run",),
    "source": ("Source",),
    "source_functions": ("Marked", "Progress"),
    "sqlite": ("SQLite",),
    "table": ("Table",),
}
"""The modules of the names, imported when a name is first used. So a program imports only what it needs, and starts faster."""


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
