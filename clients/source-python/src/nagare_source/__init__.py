"""Programs that serve sources for Nagare's lists: write one function, or name a table, and `run` does the rest."""

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
