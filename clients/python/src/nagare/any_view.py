"""A view of any screen, without declared inputs and outputs."""

from __future__ import annotations

from typing import Any

from .inputs import Input
from .view import View


class AnyView(View):
    """A view with a method for each input and an attribute for each current value: `await inbox.refresh()`,
    `inbox.items`.

    Every view has some attributes already, such as `close`. An input or output of the same name is reached by `call` or
    `[]`. See also `Input`.
    """

    def __getattr__(self, name: str) -> Any:
        # Python looks up special names, and any name before `__init__` has run. Neither is an input.
        if name.startswith("_") or "screen" not in self.__dict__:
            raise AttributeError(name, name=name, obj=self)
        if name in self.screen.inputs:
            return Input(self, name, dict)
        if name in self._current.values:
            return self._current.values[name]
        if any(each.startswith(f"{name}.") for each in (*self.screen.inputs, *self.screen.outputs)):
            return Namespace(self, name)
        inputs, outputs = ", ".join(self.screen.inputs), ", ".join(self.screen.outputs)
        message = f"{self.screen.name!r} has no {name!r}: its inputs are {inputs}; its outputs are {outputs}"
        raise AttributeError(message, name=name, obj=self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.screen.inputs, *self._current.values]

    def _detail_class(self) -> type[View]:
        return AnyView


class Namespace:
    """The inputs and outputs of a nested view model: `await letter.title.write(text="Dear Mei")`, `letter.title.text`."""

    def __init__(self, view: AnyView, name: str) -> None:
        self._view, self._name = view, name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name, name=name, obj=self)
        return getattr(self._view, f"{self._name}.{name}")
