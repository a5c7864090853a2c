"""Choices."""

from __future__ import annotations

from typing import Any

import nagare

from .item_guess import title
from .lists import ListScreen


class ChoiceScreen(ListScreen):
    """A list of choices. The input that chooses an item passes the choice to the stores."""

    async def select(self, item: Any) -> None:
        input = str(self.shape.choosing_input)
        names = list(self.shape.inputs[input].get("properties", {})) or ["id"]
        result = await self.try_call(input, {names[0]: self.display.item_id(item)})
        if isinstance(result, nagare.InvalidParams) and result.param and result.param not in names:
            # Discovery doesn't list the parameters, but the server's error names one.
            result = await self.try_call(input, {result.param: self.display.item_id(item)})
        if isinstance(result, nagare.NagareError):
            self.app.show_error(str(result))
        else:
            self.app.show_message(f"Chosen: {title(item)}")

    def empty_text(self) -> str:
        return "nothing here"
