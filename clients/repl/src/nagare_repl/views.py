"""The open views, as far as the received messages show them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .service import as_object


@dataclass
class OpenView:
    """A view."""

    name: str
    screen: str
    opener: str | None = None
    """The view that opened it."""
    values: dict[str, Any] = field(default_factory=dict)
    """The last received values of its outputs."""


class Views:
    """The open views in the order of opening, and the current one."""

    def __init__(self) -> None:
        self.open: dict[str, OpenView] = {}
        self._visited: list[str] = []
        """The views that were current, most recent last."""

    @property
    def current(self) -> OpenView | None:
        """The view to which inputs go if the user names no other."""
        return self.open[self._visited[-1]] if self._visited else None

    def go_to(self, name: str) -> None:
        """Makes an open view the current one."""
        self._visited = [*(one for one in self._visited if one != name), name]

    def add(self, opened: Any, opener: str | None, is_current: bool) -> None:
        """Adds a view: the result of `open`, or the value of the event `navigate`. Does nothing for other values."""
        opened = as_object(opened)
        name, screen = opened.get("view"), opened.get("screen")
        if not isinstance(name, str) or not isinstance(screen, str):
            return
        outputs = as_object(opened.get("outputs"))
        values = {output: params["value"] for output, params in outputs.items() if "value" in as_object(params)}
        self.open[name] = OpenView(name, screen, opener, values)
        if is_current:
            self.go_to(name)
        elif name not in self._visited:
            self._visited.insert(0, name)

    def close(self, name: str) -> None:
        """Removes a view, and the views that it opened."""
        if self.open.pop(name, None) is None:
            return
        self._visited.remove(name)
        for other in [one.name for one in self.open.values() if one.opener == name]:
            self.close(other)

    def receive(self, method: str, params: dict[str, Any]) -> None:
        """Takes over a notification."""
        name = params.get("view")
        if not isinstance(name, str):
            return
        if method == "closed":
            self.close(name)
        elif name in self.open:
            # With deltas, a list's value is unknown: this client doesn't apply splices.
            self.open[name].values[method] = params.get("value")
