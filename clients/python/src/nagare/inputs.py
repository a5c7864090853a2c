"""The inputs of views."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from .types import Outcome
from .view import View

P = ParamSpec("P")
V = TypeVar("V", covariant=True)


class Input(Generic[P, V]):
    """An input of a view: `await inbox.refresh()`, `inbox.reachBottom.send()`, `await inbox.select.open(id="m001")`."""

    def __init__(self, view: View, name: str, params: Callable[P, dict[str, Any]]) -> None:
        self._view, self._name, self._params = view, name, params

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Outcome:
        """Sends the input, and waits until everything that it started is finished: see `View.call`."""
        return await self._view.call(self._name, **self._params(*args, **kwargs))

    async def open(self, *args: P.args, **kwargs: P.kwargs) -> V | None:
        """Sends the input, and returns the view that it opened: see `View.open`."""
        opened = await self._view.open(self._name, **self._params(*args, **kwargs))
        return cast("V | None", opened)

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Sends the input without waiting: see `View.send`."""
        self._view.send(self._name, **self._params(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<input {self._name!r} of {self._view!r}>"


class InputDeclaration(Generic[P, V]):
    """The declaration of an input in a view's class."""

    def __init__(self, function: Callable[Concatenate[Any, P], Any]) -> None:
        self._name, self._signature, self.__doc__ = function.__name__, inspect.signature(function), function.__doc__

    @overload
    def __get__(self, view: None, owner: type) -> InputDeclaration[P, V]: ...
    @overload
    def __get__(self, view: View, owner: type) -> Input[P, V]: ...
    def __get__(self, view: View | None, owner: type) -> InputDeclaration[P, V] | Input[P, V]:
        return self if view is None else Input(view, self._name, self._params)

    def _params(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        bound = self._signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        _, *given = bound.arguments.items()
        # Omitted optional parameters are None here. They aren't sent.
        optional = {name for name, one in self._signature.parameters.items() if one.default is None}
        return {name: value for name, value in given if value is not None or name not in optional}


@overload
def input(function: Callable[Concatenate[Any, P], None]) -> InputDeclaration[P, View]: ...
@overload
def input(function: Callable[Concatenate[Any, P], V]) -> InputDeclaration[P, V]: ...
def input(function: Callable[Concatenate[Any, P], Any]) -> InputDeclaration[P, Any]:
    """Declares an input of a view. The function has the input's name and parameters, and is never called:

        class Profile(nagare.View):
            @nagare.input
            def rename(self) -> None: ...

    If the input opens a view of a known type, annotate that type as the function's result.
    """
    return InputDeclaration(function)
