"""Views: open screens."""

from __future__ import annotations

import asyncio
import inspect
import weakref
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, TypeVar, get_origin

from .current_values import CurrentValues
from .codes import ErrorCode
from .errors import NagareError, NoSuchView, ViewClosed
from .output import Output
from .screen import Screen
from .session import Session
from .types import Outcome
from .window import Window

T = TypeVar("T")
V = TypeVar("V", bound="View")

Error = Callable[[], NagareError]


class View:
    """An open screen: its current values by name, its events and its inputs.

    A subclass such as `ListView` declares the inputs and outputs of one view model. Pass it to `App.open`.
    """

    def __init__(self, app: Session, name: str, screen: Screen, outputs: dict[str, Any]) -> None:
        self.app = app
        self.view_name = name
        """The view's name in messages."""
        self.screen = screen
        self._current = CurrentValues(outputs)
        self._readers: dict[str, weakref.WeakSet[Output[Any]]] = {}
        self._callbacks: dict[str, list[Callable[[Any], object]]] = {}
        self._conditions: dict[asyncio.Future[Any], Callable[[Any], Any]] = {}
        self._last_opened: View | None = None
        self._opened_count = 0
        self._catching_up: asyncio.Task[None] | None = None
        self._end_error: Error | None = None
        self.closed = False
        """Whether the view or the session is closed."""

    # Current values

    def __getitem__(self, output: str) -> Any:
        """Returns the current value of an output; a list is an immutable `Items`. Raises `KeyError` if the output has none."""
        if output in self._current.values:
            return self._current.values[output]
        raise KeyError(f"{self.screen.name!r} has no current {output!r}, but {', '.join(self._current.values)}")

    def __contains__(self, output: object) -> bool:
        return output in self._current.values

    async def sync(self) -> dict[str, Any]:
        """Requests the current values from the server, and returns them by output name.

        The view has these values already, unless it missed a notification.
        """
        self._check_open()
        return await self.app._request("outputs", {"view": self.view_name}, self._receive_all)

    # Inputs

    async def call(self, input: str, /, **params: Any) -> Outcome:
        """Sends an input, and waits until everything that it started is finished: loads, edits and tasks. Their changes
        have been received then.

        Returns the outcome. Raises `InvalidParams`, `MethodNotFound`, `NoSuchView`.
        """
        self._check_open()
        waiting = {**self._params(input, params), "wait": True}
        outcome: Outcome = await self.app._request(input, waiting, lambda result: result["outcome"])
        return outcome

    async def open(self, input: str, /, **params: Any) -> View | None:
        """Sends an input that opens a view, and waits for its immediate effects. Loads may still run.

        Returns the opened view, or None if the input opened none. Raises `InvalidParams`, `MethodNotFound`,
        `NoSuchView`.
        """
        self._check_open()
        connection, openings = await self.app._initialized(), self._opened_count

        def forget() -> None:
            self._last_opened = None

        def receive(result: Any) -> View | None:
            # Ignores a view that was opened before this input was sent.
            opened, self._last_opened = self._last_opened, None
            return opened if self._opened_count > openings else None

        # Separates the views that this input opens from those of earlier `send` and `call`.
        connection.separate(forget)
        return await connection.request(input, self._params(input, params), receive)

    def send(self, input: str, /, **params: Any) -> None:
        """Sends an input without waiting. Errors aren't reported. Does nothing if the view was closed."""
        if not self._was_closed:
            self.app._notify(input, self._params(input, params))

    async def close(self) -> None:
        """Closes the view and the views that it opened. Raises `NoSuchView` if it is closed already."""
        self._check_open()
        await self.app._request("close", {"view": self.view_name}, lambda result: self._end(None))

    # Outputs

    def output(self, name: str) -> Output[Any]:
        """Returns an iterator over an output's values from now on: see `Output`. Raises `KeyError` if the view has no such output."""
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
        """Returns an iterator over the views that this one opens from now on."""
        return self.output("navigate")

    def on(self, output: str, callback: Callable[[Any], object]) -> Callable[[], None]:
        """Calls a function at once with each new value of an output. Returns a function that stops the calls."""
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
        """Waits until a condition on this view is true, and returns its value: `await inbox.until(lambda view:
        view.items)`.

        The condition is checked now and after each notification, so no short-lived value is missed. Raises `ViewClosed`
        if the view is closed first, and `ServerDied` if the server dies.
        """
        if value := condition(self):
            return value
        if self.closed:
            raise self._closed_error()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._conditions[future] = condition
        try:
            return await future
        finally:
            self._conditions.pop(future, None)

    async def wait_closed(self) -> None:
        """Waits until the view is closed. Raises `ServerDied` if the server dies."""
        await self.until(lambda view: view.closed)
        if self._end_error is not None:
            raise self._end_error()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.view_name!r} of the screen {self.screen.name!r}>"

    # Private methods

    @property
    def _was_closed(self) -> bool:
        """Whether the view itself was closed, rather than the whole session."""
        return self.closed and self._end_error is None

    def _check_open(self) -> None:
        # Another view may have the same name now.
        if self._was_closed:
            raise NoSuchView(ErrorCode.NO_SUCH_VIEW, f"the view {self.view_name!r} was closed", {"views": self.app._view_names()})

    def _params(self, input: str, params: dict[str, Any]) -> dict[str, Any]:
        """Returns the parameters to send. Because `from` is a Python keyword, `from_` becomes `from`."""
        bare = {name: name.removesuffix("_") for name in params}
        named = {bare[name] if iskeyword(bare[name]) else name: value for name, value in params.items()}
        items = self._current.values.get("items")
        # Row numbers refer to this revision of the list. The server may have a newer one.
        revision = {"revision": items.revision} if input == "viewport" and isinstance(items, Window) else {}
        return {**revision, **named, "view": self.view_name}

    def _receive(self, output: str, params: dict[str, Any]) -> None:
        """Handles a notification from the server."""
        if output == "closed":
            self._publish(output, {})
            self._end(None)
        elif output == "navigate":
            self._last_opened = params["value"]
            self._opened_count += 1
            self._publish(output, self._last_opened)
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
            pass  # The view or the session is closed, so there is nothing to synchronize.

    def _receive_all(self, result: Any) -> dict[str, Any]:
        for output, params in result["outputs"].items():
            if self._current.replace(output, params):
                self._publish(output, self[output])
        return dict(self._current.values)

    def _check_output(self, name: str) -> None:
        # The events of a screen that `screens` doesn't list are unknown.
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
                if value := condition(self):
                    future.set_result(value)
                elif self.closed:
                    future.set_exception(self._closed_error())
            except Exception as error:
                future.set_exception(error)

    def _end(self, error: Error | None) -> None:
        """Ends the view, because it was closed, or because the session ended with an error."""
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
    """Returns the class without type arguments: `ListView` for `ListView[Mail]`."""
    found: type[View] = get_origin(kind) or kind
    return found
