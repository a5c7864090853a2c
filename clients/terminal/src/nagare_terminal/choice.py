"""Choices."""

from __future__ import annotations

from typing import Any

import nagare

from .lists import ListScreen
from .item_guess import title


class ChoiceScreen(ListScreen):
    """Something to choose, which other screens hear of."""

    async def select(self, item: Any) -> None:
        names = list(self.shape.inputs["choose"].get("properties", {})) or ["id"]
        told = await self.attempt("choose", {names[0]: self.display.identity(item)})
        if isinstance(told, nagare.InvalidParams) and told.param and told.param not in names:
            # Discovery doesn't say what it takes, but the server does.
            told = await self.attempt("choose", {told.param: self.display.identity(item)})
        if isinstance(told, nagare.NagareError):
            self.app.complain(str(told))
        else:
            self.app.notify(f"Chosen: {title(item)}")

    def emptiness(self) -> str:
        return "nothing here"
