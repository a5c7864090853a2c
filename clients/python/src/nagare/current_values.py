"""The current values of a view."""

from __future__ import annotations

from typing import Any

from .items import Items
from .window import Window


class CurrentValues:
    """The current values of a view's states by name (section 4 of the specification)."""

    def __init__(self, outputs: dict[str, Any]) -> None:
        self.values: dict[str, Any] = {}
        self._revisions: dict[str, Any] = {}
        for output, params in outputs.items():
            self._set(output, params)

    def receive(self, output: str, params: dict[str, Any]) -> bool:
        """Applies a notification. Returns false if it builds on a revision that the client missed."""
        if "splices" in params:
            return self._splice(output, params)
        self._set(output, params)
        return True

    def replace(self, output: str, params: dict[str, Any]) -> bool:
        """Replaces a value by the server's. Returns whether the two differ."""
        value, revision = self.values.get(output), self._revisions.get(output)
        self._set(output, params)
        return self._revisions[output] != revision if output in self._revisions else bool(self.values[output] != value)

    def _set(self, output: str, params: dict[str, Any]) -> None:
        self.values[output] = params.get("value")
        if "revision" in params:
            items: Items[Any] = Items(params["value"])
            self.values[output] = _window(items, params) if "start" in params else items
            self._revisions[output] = params["revision"]

    def _splice(self, output: str, params: dict[str, Any]) -> bool:
        items = self.values[output]
        is_window = isinstance(items, Window)
        if is_window:
            items = items.held
        if self._revisions.get(output) != params["base"]:
            return False
        try:
            for splice in params["splices"]:
                items = items.splice(splice["start"], splice["deleteCount"], splice["items"])
            if is_window:
                items = _window(items, params)
        except IndexError:
            return False
        if len(items) != params["count"]:
            return False
        self.values[output], self._revisions[output] = items, params["revision"]
        return True


def _window(held: Items[Any], params: dict[str, Any]) -> Window[Any]:
    return Window(held, params["start"], params["count"], params["exact"], params["revision"])
