"""What is current in a view, and how it changes."""

from __future__ import annotations

from typing import Any

from .items import Items


class Current:
    """The current values of a view's outputs, by name, as section 4 of the specification has them."""

    def __init__(self, view_model: str, outputs: dict[str, Any]) -> None:
        self.values: dict[str, Any] = {}
        self._revisions: dict[str, Any] = {}
        self._view_model = view_model
        for output, params in outputs.items():
            self._put(output, params)

    def take(self, output: str, params: dict[str, Any]) -> bool:
        """Takes what was said: false if it builds on what was never heard."""
        if "splices" in params:
            return self._splice(output, params)
        self._put(output, params)
        if self._lifts_failure(output):
            self.forgive()
        return True

    def forgive(self) -> None:
        """The failure that stands is over: a new load or task has begun."""
        if "error" in self.values:
            self.values["error"] = None

    def replace(self, output: str, params: dict[str, Any]) -> bool:
        """Takes what the server was asked for: whether it is another value."""
        value, revision = self.values.get(output), self._revisions.get(output)
        self._put(output, params)
        return self._revisions[output] != revision if output in self._revisions else bool(self.values[output] != value)

    def _put(self, output: str, params: dict[str, Any]) -> None:
        self.values[output] = params.get("value")
        if "revision" in params:
            self.values[output] = Items(params["value"])
            self._revisions[output] = params["revision"]

    def _splice(self, output: str, params: dict[str, Any]) -> bool:
        items = self.values[output]
        if self._revisions.get(output) != params["base"]:
            return False
        try:
            for splice in params["splices"]:
                items = items.splice(splice["start"], splice["deleteCount"], splice["items"])
        except IndexError:
            return False
        if len(items) != params["count"]:
            return False
        self.values[output], self._revisions[output] = items, params["revision"]
        return True

    def _lifts_failure(self, output: str) -> bool:
        """Whether what is current now says that a load or task has begun since the failure that stands.

        The specification has that failure be null from then on, without announcing it.
        """
        value = self.values[output]
        if output == "state" and isinstance(value, dict):
            return value.get("phase") == "requesting"
        if output == "loading":
            return value is True
        return self._view_model in ("feed", "task") and output != "error"
