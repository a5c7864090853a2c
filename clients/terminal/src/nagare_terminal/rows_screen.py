"""What every screen with rows has."""

from __future__ import annotations

from textual.widget import Widget

from .rows import Rows
from .view_screen import ViewScreen


class RowsScreen(ViewScreen):
    """Rows, which the keys are for."""

    def body(self) -> list[Widget]:
        return [Rows()]

    @property
    def rows(self) -> Rows:
        return self.query_one(Rows)

    def begin(self) -> None:
        self.rows.focus()
