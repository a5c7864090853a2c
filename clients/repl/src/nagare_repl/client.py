"""The connection to a program: sends messages, follows the open views, and waits for messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from nagare.codes import ErrorCode
from nagare.connect import start_process
from nagare.transport import Transport
from nagare.wire import decode, encode

from .errors import LineFailed, ProgramEnded
from .printer import Printer
from .service import Service, as_object, as_objects
from .views import Views

READ_SIZE = 1 << 20
MOST_ARRIVALS = 10_000
"""The number of received notifications that `await` remembers."""
OWN = "nagare-repl:"
"""The beginning of the ids of requests that aren't shown."""
PATIENCE = 3.0
"""Seconds that a program has to end. Then it gets SIGTERM, and after as many seconds SIGKILL."""


class Client:
    """A running program.

    - A line waits for the answers to its requests, so the effects of a line are known before the next line is carried out.
    - `await items` also finds a notification that arrived since the last message was sent. So it doesn't depend on the
      program's speed.
    """

    def __init__(self, command: Sequence[str], printer: Printer, timeout: float | None) -> None:
        """`timeout` is the number of seconds that a line may wait; None for no limit."""
        self.command, self.printer, self.timeout = list(command), printer, timeout
        self.service, self.views = Service(), Views()
        self.waits_for: str | None = None
        """The thing that the current line waits for."""
        self.unanswered: dict[bytes, str] = {}
        """The requests of the program that have no answer yet, by their ids in JSON, with their methods."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when the current view or `waits_for` may have changed."""
        self.status: int | None = None
        """The program's exit status, or the negative number of the signal that ended it; None if unknown."""
        self._transport: Transport
        self._answers: dict[bytes, asyncio.Future[dict[str, Any]]] = {}
        self._sent: dict[bytes, tuple[str, dict[str, Any]]] = {}
        """The methods and parameters of requests without an answer, by their ids in JSON."""
        self._last_id = 0
        self._count = 0
        self._arrivals: deque[tuple[int, str | None, str]] = deque(maxlen=MOST_ARRIVALS)
        """The notifications and requests since the last sent message: their numbers, views and methods."""
        self._mark = 0
        """The number of the last notification that an `await` must not find any more."""
        self._awaited: tuple[str | None, str, asyncio.Future[dict[str, Any]]] | None = None
        self._waiting: asyncio.Future[dict[str, Any]] | None = None
        self.ended: asyncio.Future[None]
        """Done when the program's output has ended. Await it only with `asyncio.wait`, because `await` can cancel it."""

    async def start(self) -> None:
        """Starts the program and discovers its screens. Raises `OSError` if it can't be started."""
        self._transport = await start_process(self.command)
        self.ended = asyncio.get_running_loop().create_future()
        self._reading = asyncio.ensure_future(self._read())
        self._discovering = asyncio.ensure_future(self._discover())
        self._discovering.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def discovered(self) -> None:
        """Waits until the program has described itself, or ended."""
        try:
            await self._wait(self._discovering, "the program's description")
        except ProgramEnded:
            pass
        except LineFailed as error:
            self.printer.note(f"{error}; names can't be completed or checked")

    async def end(self, is_hurried: bool) -> None:
        """Ends the program: after its running work, or at once if `is_hurried`."""
        if not self.ended.done():
            if is_hurried:
                self._write({"jsonrpc": "2.0", "id": f"{OWN}shutdown", "method": "shutdown"}, is_shown=False)
                self._write({"jsonrpc": "2.0", "method": "exit"}, is_shown=False)
            self._transport.writer.close()
            if not is_hurried:
                await asyncio.wait({self.ended}, timeout=self.timeout)
        self.status = await self._transport.end(PATIENCE, PATIENCE)
        await asyncio.wait({self.ended}, timeout=PATIENCE)
        self._discovering.cancel()
        self._reading.cancel()
        await asyncio.wait({self._reading, self._discovering})
        if not self._reading.cancelled():
            self._reading.result()

    # Sending

    async def call(self, method: str, params: dict[str, Any], has_answer: bool = True) -> dict[str, Any]:
        """Sends a request, and waits for its result. A notification isn't answered; its result is empty."""
        message: dict[str, Any] = {"jsonrpc": "2.0"}
        if has_answer:
            self._last_id += 1
            message["id"] = self._last_id
        message["method"] = method
        if params:
            message["params"] = params
        return await self.send(encode(message).decode(), message)

    async def send(self, text: str, message: Any) -> dict[str, Any]:
        """Sends a message or a batch, and waits for the answers to its requests. Returns the result of the last one.

        Raises `LineFailed` if an answer is an error.
        """
        parts = [message] if isinstance(message, dict) else as_objects(message)
        asked: list[tuple[bytes, asyncio.Future[dict[str, Any]]]] = []
        for part in parts:
            method, params = part.get("method"), as_object(part.get("params"))
            if "id" in part and isinstance(method, str):
                asked.append((self._expect(part["id"], method, params), self._answers[encode(part["id"])]))
            elif "id" in part:
                self.unanswered.pop(encode(part["id"]), None)
        self._mark = self._count
        self._arrivals.clear()
        self._write(text)
        result: dict[str, Any] = {}
        failed: LineFailed | None = None
        for id, future in asked:
            try:
                result = await self._wait(future, f"the answer to {self._sent[id][0] if id in self._sent else 'the request'}")
            except ProgramEnded:
                if any(part.get("method") == "exit" for part in parts):
                    return result
                raise
            except LineFailed as error:
                failed = failed or error
                if not error.is_shown:
                    raise
        if failed is not None:
            raise failed
        if any(part.get("method") == "exit" for part in parts):
            await self._wait(self.ended, "the end of the program")
        return result

    def answer(self, result: Any) -> None:
        """Answers the oldest request of the program."""
        if not self.unanswered:
            raise LineFailed("the program waits for no answer")
        id = next(iter(self.unanswered))
        del self.unanswered[id]
        self._mark = self._count
        self._arrivals.clear()
        self._write({"jsonrpc": "2.0", "id": decode(id), "result": result})

    def _expect(self, id: Any, method: str, params: dict[str, Any]) -> bytes:
        """Registers a request, so that its answer is recognized. Returns its id in JSON."""
        if isinstance(id, int) and not isinstance(id, bool):
            self._last_id = max(self._last_id, id)
        key = encode(id)
        self._sent[key] = (method, params)
        self._answers[key] = asyncio.get_running_loop().create_future()
        # Retrieves a failure. Otherwise asyncio would report it if the user doesn't wait any more.
        self._answers[key].add_done_callback(lambda done: done.cancelled() or done.exception())
        return key

    def _write(self, message: str | dict[str, Any], is_shown: bool = True) -> None:
        if self.ended.done():
            raise ProgramEnded("the program has ended")
        text = message if isinstance(message, str) else encode(message).decode()
        if is_shown:
            self.printer.sent(text)
        self._transport.writer.write(text.encode("utf-8", "backslashreplace") + b"\n")

    # Waiting

    async def arrival(self, view: str | None, method: str) -> None:
        """Waits until a notification or a request arrives. Finds it also if it arrived since the last message was sent."""
        for number, where, name in self._arrivals:
            if number > self._mark and name == method and view in (None, where):
                self._mark = number
                return
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._awaited = (view, method, future)
        try:
            if self.ended.done():
                raise ProgramEnded(f"{method} can't arrive, because the program has ended")
            await self._wait(future, method)
        finally:
            self._awaited = None

    def stop_waiting(self) -> bool:
        """Makes the current line fail, if it waits. Returns whether it does."""
        if self._waiting is None or self._waiting.done():
            return False
        self._waiting.set_exception(LineFailed(f"stopped waiting for {self.waits_for}"))
        return True

    async def _wait(self, future: asyncio.Future[Any], name: str) -> Any:
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def forward(done: asyncio.Future[Any]) -> None:
            if waiting.done():
                return
            if done.cancelled():
                waiting.cancel()
            elif (error := done.exception()) is not None:
                waiting.set_exception(error)
            else:
                waiting.set_result(done.result())

        future.add_done_callback(forward)
        self._waiting, self.waits_for = waiting, name
        self.on_change()
        try:
            return await asyncio.wait_for(waiting, self.timeout)
        except asyncio.TimeoutError:
            raise LineFailed(f"{name} didn't arrive within {self.timeout:g} s; --timeout changes this limit") from None
        finally:
            self._waiting, self.waits_for = None, None
            self.on_change()

    # Discovery

    async def _discover(self) -> None:
        """Requests the program's description. Programs that have none are used without hints and completions."""
        keys = []
        for method in ("rpc.discover", "screens"):
            id = f"{OWN}{method}"
            keys.append(self._expect(id, method, {}))
            self._write({"jsonrpc": "2.0", "id": id, "method": method}, is_shown=False)
        document, listed = await asyncio.gather(*(self._answers[key] for key in keys), return_exceptions=True)
        if isinstance(document, ProgramEnded):
            raise document
        self.service.learn(document, listed)

    # Receiving

    async def _read(self) -> None:
        begun: list[bytes] = []
        try:
            while piece := await self._read_piece():
                head, *rest = piece.split(b"\n")
                begun.append(head)
                for line in rest:
                    self._receive(b"".join(begun))
                    begun = [line]
            self._receive(b"".join(begun))
        finally:
            self._end()

    def _end(self) -> None:
        """Ends all waits, because nothing can arrive any more."""
        self.ended.set_result(None)
        error = ProgramEnded("the program has ended")
        for future in [*self._answers.values(), *([self._awaited[2]] if self._awaited else [])]:
            if not future.done():
                future.set_exception(error)
        self.on_change()

    async def _read_piece(self) -> bytes:
        try:
            return await self._transport.reader.read(READ_SIZE)
        except OSError:
            return b""  # A broken connection counts as ended.

    def _receive(self, line: bytes) -> None:
        if not line.strip():
            return
        text = line.decode("utf-8", "replace").strip()
        try:
            message = decode(line)
        except (ValueError, RecursionError):
            return self.printer.received(text)
        parts = [message] if isinstance(message, dict) else as_objects(message)
        is_own = len(parts) == 1 and isinstance(parts[0].get("id"), str) and parts[0]["id"].startswith(OWN)
        if not is_own:
            self.printer.received(text)
        for part in parts:
            self._handle(part)
        self.on_change()

    def _handle(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), as_object(message.get("params"))
        if not isinstance(method, str):
            return self._receive_answer(message)
        if "id" in message:
            self.unanswered[encode(message["id"])] = method
        elif method == "$/cancelRequest":
            self.unanswered.pop(encode(params.get("id")), None)
        view = params.get("view") if isinstance(params.get("view"), str) else None
        self.views.receive(method, params)
        # The view that a user's own input opens becomes the current one. It arrives before the answer to the input.
        self.views.add(params.get("value"), view, is_current=bool(self._sent))
        self._count += 1
        if self._awaited is not None and self._awaited[1] == method and self._awaited[0] in (None, view):
            if not self._awaited[2].done():
                self._mark = self._count
                return self._awaited[2].set_result({})
        self._arrivals.append((self._count, view, method))

    def _receive_answer(self, message: dict[str, Any]) -> None:
        key = encode(message.get("id"))
        error = message.get("error")
        if key not in self._sent and error is not None and message.get("id") is None and len(self._sent) == 1:
            key = next(iter(self._sent))  # The program couldn't read the message, so it doesn't know the message's id.
        method, params = self._sent.pop(key, ("", {}))
        future = self._answers.pop(key, None)
        if future is None:
            return
        if error is None:
            result = as_object(message.get("result"))
            if "outputs" in result and not str(message.get("id")).startswith(OWN):
                self.views.add(result, None, is_current=True)
            if method == "close":
                current = self.views.current
                self.views.close(params.get("view") or (current.name if current else ""))
            if not future.done():
                future.set_result(result)
            return
        if as_object(error).get("code") == ErrorCode.NO_SUCH_VIEW:
            self.views.close(str(params.get("view")))
        if not future.done():
            text = as_object(error).get("message")
            future.set_exception(LineFailed(str(text), is_shown=not str(message.get("id")).startswith(OWN)))
