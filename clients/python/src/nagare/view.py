"""An opened screen."""

from __future__ import annotations

import asyncio
import inspect
import weakref
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, TypeVar, get_origin

from .current_values import CurrentValues
from .errors import NagareError, ViewClosed
from .output import Output
from .screen import Screen
from .session import Session
from .types import Outcome
from .window import Window

T = TypeVar("T")
V = TypeVar("V", bound="View")

Error = Callable[[], NagareError]


class View:
    """A view: what is current in it, by name, and ways to hear of it and to tell it something.

    Subclasses write out what a screen's view model has, as `ListView` does, to be given to `App.open`.
    """

    def __init__(self, app: Session, name: str, screen: Screen, outputs: dict[str, Any]) -> None:
        self.app = app
        self.view_name = name
        """The name by which both sides mean it."""
        self.screen = screen
        self._current = CurrentValues(outputs)
        self._readers: dict[str, weakref.WeakSet[Output[Any]]] = {}
        self._callbacks: dict[str, list[Callable[[Any], object]]] = {}
        self._conditions: dict[asyncio.Future[Any], Callable[[Any], Any]] = {}
        self._opened: View | None = None
        self._openings = 0
        self._catching_up: asyncio.Task[None] | None = None
        self._end_error: Error | None = None
        self.closed = False
        """Whether the view has been closed, or the session with it."""

    # What is current

    def __getitem__(self, output: str) -> Any:
        """The current value of an output; a list is an immutable `Items`. Raises `KeyError` if it has none."""
        if output in self._current.values:
            return self._current.values[output]
        raise KeyError(f"{self.screen.name!r} has no current {output!r}, but {', '.join(self._current.values)}")

    def __contains__(self, output: object) -> bool:
        return output in self._current.values

    async def sync(self) -> dict[str, Any]:
        """Asks the server what is current, and gives it by the outputs' names. It is what the view has already."""
        return await self.app._request("outputs", {"view": self.view_name}, self._receive_all)

    # What it is told

    async def call(self, input: str, /, **params: Any) -> Outcome:
        """Tells the view something, and waits until all that it began is over: loads, edits, tasks. What they caused has been heard then.

        Gives what has become of it all. Raises `InvalidParams`, `MethodNotFound`, `NoSuchView`.
        """
        said = {**self._params(input, params), "wait": True}
        outcome: Outcome = await self.app._request(input, said, lambda result: result["outcome"])
        return outcome

    async def open(self, input: str, /, **params: Any) -> View | None:
        """Tells the view something that opens another, and waits until all that it caused at once has been heard. What it began goes on.

        Gives the view that was opened by it, or None. Raises `InvalidParams`, `MethodNotFound`, `NoSuchView`.
        """

        connection, openings = await self.app._initialized(), self._openings

        def receive(result: Any) -> View | None:
            # What was opened before the view was told this was opened by something else.
            opened, self._opened = self._opened, None
            return opened if self._openings > openings else None

        return await connection.request(input, self._params(input, params), receive)

    def send(self, input: str, /, **params: Any) -> None:
        """Tells the view something, and waits for nothing: what goes wrong with it isn't told."""
        self.app._notify(input, self._params(input, params))

    async def close(self) -> None:
        """Closes the view, and the views that it opened. Raises `NoSuchView` if it is closed already."""
        await self.app._request("close", {"view": self.view_name}, lambda result: self._end(None))

    # How it is heard

    def output(self, name: str) -> Output[Any]:
        """What an output says from now on: see `Output`. Raises `KeyError` if there is no such output."""
        self._check_output(name)
        latest = name in self._current.values
        reader: Output[Any] = Output(latest=latest)
        if latest:
            reader._push(self._current.values[name])
        if self.closed:
            reader._finish(self._end_error and self._end_error())
        self._readers.setdefault(name, weakref.WeakSet()).add(reader)
        return reader

    def navigations(self) -> Output[Any]:
        """The views that this one opens from now on."""
        return self.output("navigate")

    def on(self, output: str, callback: Callable[[Any], object]) -> Callable[[], None]:
        """Calls a function with each value that an output says, in the moment in which it comes, until what is returned is called."""
        self._check_output(output)
        if inspect.iscoroutinefunction(callback):
            raise TypeError("a callback is a plain function; `async for … in view.output(…)` is for what waits")
        callbacks = self._callbacks.setdefault(output, [])
        callbacks.append(callback)

        def off() -> None:
            if callback in callbacks:
                callbacks.remove(callback)

        return off

    async def until(self: V, condition: Callable[[V], T]) -> T:
        """Waits until a condition on this view holds, and gives what it said: `await inbox.until(lambda view: view.items)`.

        It is asked now, and after each thing that is heard, so it misses nothing that is current for a moment only. Raises
        `ViewClosed` if the view is closed before, and `ServerDied` if the server dies.
        """
        if said := condition(self):
            return said
        if self.closed:
            raise self._closed_error()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._conditions[future] = condition
        try:
            return await future
        finally:
            self._conditions.pop(future, None)

    async def wait_closed(self) -> None:
        """Waits until the view is closed, by whomever. Raises `ServerDied` if the server dies."""
        await self.until(lambda view: view.closed)
        if self._end_error is not None:
            raise self._end_error()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.view_name!r} of the screen {self.screen.name!r}>"

    # Inside

    def _params(self, input: str, params: dict[str, Any]) -> dict[str, Any]:
        """What is said of what was given: `from_` is `from`, for that is Python's own."""
        bare = {name: name.removesuffix("_") for name in params}
        said = {bare[name] if iskeyword(bare[name]) else name: value for name, value in params.items()}
        items = self._current.values.get("items")
        # Numbers of rows are those of the list as it is here; the server's may be others by now.
        meant = {"revision": items.revision} if input == "viewport" and isinstance(items, Window) else {}
        return {**meant, **said, "view": self.view_name}

    def _receive(self, output: str, params: dict[str, Any]) -> None:
        """Takes a notification of the server."""
        if output == "closed":
            self._publish(output, {})
            self._end(None)
        elif output == "navigate":
            self._opened = params["value"]
            self._openings += 1
            self._publish(output, self._opened)
        elif output not in self._current.values:
            self._publish(output, params.get("value"))
        elif self._current.receive(output, params):
            self._publish(output, self[output])
        elif self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.ensure_future(self._catch_up())

    async def _catch_up(self) -> None:
        try:
            await self.sync()
        except NagareError:
            pass  # The view is closed, or the server gone: there is nothing to catch up with.

    def _receive_all(self, result: Any) -> dict[str, Any]:
        for output, params in result["outputs"].items():
            if self._current.replace(output, params):
                self._publish(output, self[output])
        return dict(self._current.values)

    def _check_output(self, name: str) -> None:
        # Of a screen that only another view's input opens, nobody says which events it has.
        is_known = self.screen.view_model != ""
        if is_known and name not in {*self._current.values, *self.screen.outputs, "closed"}:
            raise KeyError(f"{self.screen.name!r} has no output {name!r}, but {', '.join(self.screen.outputs)}")

    def _publish(self, output: str, value: Any) -> None:
        for reader in list(self._readers.get(output, ())):
            reader._push(value)
        for callback in list(self._callbacks.get(output, ())):
            try:
                callback(value)
            except Exception as error:
                context = {"message": f"a callback of {self!r} for {output!r} failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
        self._check()

    def _check(self) -> None:
        for future, condition in list(self._conditions.items()):
            if future.done():
                continue
            try:
                if said := condition(self):
                    future.set_result(said)
                elif self.closed:
                    future.set_exception(self._closed_error())
            except Exception as error:
                future.set_exception(error)

    def _end(self, error: Error | None) -> None:
        """Nothing comes any more: the view was closed, or the session has ended with an error."""
        if self.closed:
            return
        self.closed, self._end_error = True, error
        self.app._on_view_closed(self)
        for readers in self._readers.values():
            for reader in list(readers):
                reader._finish(error and error())
        self._check()

    def _closed_error(self) -> NagareError:
        return self._end_error() if self._end_error is not None else ViewClosed(f"{self!r} is closed")

    def _detail_class(self) -> type[View]:
        return View


def class_of(kind: Any) -> type[View]:
    """The class of `ListView[Mail]`, and of `ListView` as well."""
    found: type[View] = get_origin(kind) or kind
    return found
