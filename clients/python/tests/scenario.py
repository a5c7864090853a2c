"""Plays the scenarios that all client libraries share. `clients/behaviour/README.md` defines their format."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import nagare
from nagare.wire import decode, encode

SCENARIOS = Path(__file__).resolve().parents[2] / "behaviour" / "scenarios"
RELAY = SCENARIOS.parent / "relay.py"

PATIENCE = 30.0


def matches(expected: Any, value: Any) -> bool:
    """Whether a value matches the value that a scenario expects."""
    if isinstance(expected, str) and expected in KINDS:
        return KINDS[expected](value)
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(
            name in value and matches(one, value[name]) for name, one in expected.items()
        )
    if isinstance(expected, list):
        value = list(held(value)) if isinstance(value, (nagare.Items, nagare.Window)) else value
        return isinstance(value, list) and len(value) == len(expected) and all(map(matches, expected, value))
    return bool(expected == value) and isinstance(expected, bool) == isinstance(value, bool)


KINDS: dict[str, Callable[[Any], bool]] = {
    "<any>": lambda value: True,
    "<string>": lambda value: isinstance(value, str),
    "<number>": lambda value: isinstance(value, (int, float, Decimal)) and not isinstance(value, bool),
    "<object>": lambda value: isinstance(value, dict),
    "<array>": lambda value: isinstance(value, (list, nagare.Items, nagare.Window)),
}


def held(items: Any) -> Any:
    """Returns the held part of a window, and any other list unchanged."""
    return items.held if isinstance(items, nagare.Window) else items


def ids(items: Any) -> list[Any]:
    return [item and item["id"] for item in held(items)]


class Asked:
    """A request that the server sent, from the handler's point of view."""

    def __init__(self, method: str, params: dict[str, Any]) -> None:
        self.method, self.params = method, params
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.told: asyncio.Queue[nagare.Step] = asyncio.Queue()
        self.cancelled = False


class Messages:
    """Counts the server's messages, and kills the server after a given number. Later messages are dropped."""

    def __init__(self, last: int) -> None:
        self.last, self.count = last, 0
        self.transport: Any = None

    def count_at(self, app: nagare.App) -> None:
        start = app._start

        async def counted() -> Any:
            self.transport = await start()
            self.reader, self.transport.reader = self.transport.reader, self
            if self.last == 0:
                self.transport._process.kill()
            return self.transport

        app._start = counted

    async def read(self, n: int, /) -> bytes:
        while piece := await self.reader.read(n):
            *lines, _ = piece.split(b"\n")
            if self.count + len(lines) < self.last:
                self.count += len(lines)
                return bytes(piece)
            if self.count < self.last:
                heard = lines[: self.last - self.count]
                self.count = self.last
                self.transport._process.kill()
                return b"\n".join([*heard, b""])
        return b""


class Played:
    """A scenario while it is played."""

    def __init__(self, path: Path, folder: Path, *command: str, messages: Messages | None = None) -> None:
        self.scenario = decode(path.read_bytes())
        arguments = list(command)
        for name, text in self.scenario.get("files", {}).items():
            (folder / name).write_text(text)
        if "config" in self.scenario:
            configuration = folder / "config.json"
            configuration.write_bytes(encode(self.scenario["config"]))
            arguments += ["--config", str(configuration)]
        self.app = nagare.spawn(arguments)
        if messages is not None:
            messages.count_at(self.app)
        self.views: dict[str, nagare.AnyView] = {}
        self.heard: dict[tuple[str, str], list[Any]] = {}
        self.requests: list[Asked] = []
        self.named: dict[str, Asked] = {}
        self.calls: dict[str, asyncio.Task[nagare.Outcome]] = {}
        self.listening: list[asyncio.Task[None]] = []
        for source in self.scenario.get("sources", []):
            self.answer_for(source)
        for kind in self.scenario.get("present", []):
            self.app.present(*([] if kind == "*" else [kind]))(self.present)

    async def play(self) -> int | None:
        """Plays the scenario, and returns the server's exit status."""
        try:
            async with self.app:
                for number, step in enumerate(self.scenario["steps"], 1):
                    try:
                        await self.take(step)
                    except AssertionError as error:
                        raise AssertionError(f"step {number}, {encode(step).decode()}: {error}") from None
        finally:
            await asyncio.gather(*self.listening, return_exceptions=True)
            for end in await asyncio.wait_for(asyncio.gather(*self.calls.values(), return_exceptions=True), PATIENCE):
                assert isinstance(end, (str, nagare.ServerDied, nagare.SessionClosed)), f"a call ended with {end!r}"
        return self.app.status

    # Handlers

    def answer_for(self, name: str) -> None:
        @self.app.source(name)
        async def source(key: Any, query: str | None, size: int, filters: dict[str, Any], at: Any, around: Any) -> nagare.Page:
            params = {"source": name, "key": key, "query": query, "size": size, "filters": filters, "at": at, "around": around}
            return nagare.Page(**await self.wait("source/page", params))

        @source.changes
        async def changes(query: str | None, filters: dict[str, Any], since: str | None) -> AsyncGenerator[nagare.Step, None]:
            asked = Asked("source/watch", {"source": name, "query": query, "filters": filters, "since": since})
            self.requests.append(asked)
            try:
                yield nagare.Step(**await asked.answer)
                while True:
                    yield await asked.told.get()
            finally:
                asked.cancelled = True

        @source.item
        async def item(id: Any) -> Any:
            return (await self.wait("source/item", {"source": name, "id": id}))["item"]

        @source.insert
        async def insert(item: Any, before: Any) -> None:
            await self.wait("source/insert", {"source": name, "item": item, "before": before})

        @source.change
        async def change(item: Any) -> None:
            await self.wait("source/change", {"source": name, "item": item})

        @source.remove
        async def remove(id: Any) -> None:
            await self.wait("source/remove", {"source": name, "id": id})

        def named(marked: nagare.Marked) -> dict[str, Any]:
            looked = {"all": True, "except": marked.ids, "query": marked.query, "filters": dict(marked.filters)}
            return {"source": name, **(looked if marked.all else {"ids": marked.ids})}

        @source.change_marked
        async def change_marked(marked: nagare.Marked, given: dict[str, Any]) -> None:
            await self.wait("source/change", {**named(marked), "set": given})

        @source.remove_marked
        async def remove_marked(marked: nagare.Marked) -> None:
            await self.wait("source/remove", named(marked))

    async def present(self, task: nagare.Task) -> Any:
        result = await self.wait("present", {"task": dict(task)})
        return result.get("value") if result["outcome"] == "completed" else nagare.CANCELLED

    async def wait(self, method: str, params: dict[str, Any]) -> Any:
        asked = Asked(method, params)
        self.requests.append(asked)
        try:
            return await asked.answer
        except asyncio.CancelledError:
            asked.cancelled = True
            raise

    # Steps of a scenario

    async def take(self, step: dict[str, Any]) -> None:
        verb = next(name for name in VERBS if name in step)
        perform = VERBS[verb]
        if "fails" not in step:
            await perform(self, step)
            return
        try:
            await perform(self, step)
        except nagare.ResponseError as error:
            told = {"code": error.code, "message": error.message, "data": error.data}
            assert matches(step["fails"], told), f"failed with {told}"
        else:
            raise AssertionError("didn't fail")

    async def open(self, step: dict[str, Any]) -> None:
        self.name(step.get("as", "v"), await self.app.open(step["open"], **step.get("params", {})))

    def name(self, name: str, view: nagare.AnyView) -> None:
        self.views[name] = view
        for output in view.screen.outputs:
            said = self.heard[name, output] = []
            if output in view:
                view.on(output, said.append)
            else:
                self.listening.append(asyncio.ensure_future(self.listen(view.output(output), said)))

    async def listen(self, output: nagare.Output[Any], said: list[Any]) -> None:
        async for value in output:
            said.append({"screen": value.screen.name} if isinstance(value, nagare.View) else value)

    async def do(self, step: dict[str, Any]) -> None:
        opened = await self.view(step).open(step["do"], **self.params(step))
        if step.get("opens") is not None:
            assert isinstance(opened, nagare.AnyView), "no view was opened"
            self.name(step["opens"], opened)
        elif "opens" in step:
            assert opened is None, f"{opened} was opened"

    async def call(self, step: dict[str, Any]) -> None:
        self.calls[step["as"]] = asyncio.ensure_future(self.view(step).call(step["call"], **self.params(step)))
        await asyncio.sleep(0)

    async def over(self, step: dict[str, Any]) -> None:
        outcome = await asyncio.wait_for(self.calls.pop(step["over"]), PATIENCE)
        assert "outcome" not in step or outcome == step["outcome"], f"the outcome is {outcome}"
        assert "ids" not in step or matches(step["ids"], ids(self.view(step)["items"]))

    async def pending(self, step: dict[str, Any]) -> None:
        await self.settle()
        call = self.calls[step["pending"]]
        assert not call.done(), f"it is over: {call.result()}"

    async def leave(self, step: dict[str, Any]) -> None:
        call = self.calls.pop(step["leave"])
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled(), f"it was over: {call.result()}"

    def params(self, step: dict[str, Any]) -> dict[str, Any]:
        """Returns the parameters of a step's input."""

        def filled(value: Any) -> Any:
            if not (named := re.fullmatch("<(item|id) ([0-9]+)>", str(value))):
                return value
            item = held(self.view(step)["items"])[int(named[2])]
            return item if named[1] == "item" else item["id"]

        return {name: filled(value) for name, value in step.get("with", {}).items()}

    async def tell(self, step: dict[str, Any]) -> None:
        self.view(step).send(step["tell"], **self.params(step))

    async def expect(self, step: dict[str, Any]) -> None:
        view = self.view(step)

        def current() -> bool:
            return (
                all(name in view and matches(value, view[name]) for name, value in step["expect"].items())
                and ("ids" not in step or matches(step["ids"], ids(view["items"])))
                and ("count" not in step or len(view["items"]) == step["count"])
                and all(getattr(view["items"], name) == step[name] for name in ("start", "exact") if name in step)
            )

        try:
            await asyncio.wait_for(view.until(lambda view: current()), PATIENCE)
        except asyncio.TimeoutError:
            raise AssertionError(f"current is {view._current.values}") from None

    async def hear(self, step: dict[str, Any]) -> None:
        said = self.heard[step.get("in", "v"), step["heard"]]
        await self.eventually(lambda: len(said) >= len(step["values"]), lambda: f"heard {said}")
        await self.settle()
        assert matches(step["values"], said), f"heard {said}"
        said.clear()

    async def ask(self, step: dict[str, Any]) -> None:
        await self.eventually(lambda: bool(self.requests), lambda: "nothing was asked")
        asked = self.requests.pop(0)
        told = {"method": asked.method, **asked.params}
        assert asked.method == step["asked"] and matches(step.get("with", {}), asked.params), f"asked was {told}"
        self.named[step.get("as", "")] = asked
        if "result" in step or "error" in step:
            self.give(asked, step)

    async def answer(self, step: dict[str, Any]) -> None:
        self.give(self.named[step["answer"]], step)

    def give(self, asked: Asked, step: dict[str, Any]) -> None:
        if asked.answer.done():
            return  # The handler was cancelled, so nobody waits for the answer.
        if "result" in step:
            asked.answer.set_result(step["result"])
        else:
            asked.answer.set_exception(nagare.ResponseError(**step["error"]))

    async def change(self, step: dict[str, Any]) -> None:
        self.named[step["changed"]].told.put_nowait(nagare.Step(step["changes"], step.get("state"), step.get("total")))

    async def cancelled(self, step: dict[str, Any]) -> None:
        asked = self.named[step["cancelled"]]
        await self.eventually(lambda: asked.cancelled, lambda: "it wasn't cancelled")

    async def unasked(self, step: dict[str, Any]) -> None:
        await self.settle()
        assert not self.requests, f"asked was {[one.params for one in self.requests]}"

    async def advance(self, step: dict[str, Any]) -> None:
        await self.app.advance(step["advance"])

    async def dispatch(self, step: dict[str, Any]) -> None:
        if "as" not in step:
            return self.app.send_action(step["dispatch"], step.get("value"))
        self.calls[step["as"]] = asyncio.ensure_future(self.app.dispatch(step["dispatch"], step.get("value")))
        await asyncio.sleep(0)

    async def screens(self, step: dict[str, Any]) -> None:
        names = [screen.name for screen in await self.app.screens()]
        assert names == step["screens"], f"they are {names}"

    async def outputs(self, step: dict[str, Any]) -> None:
        await self.settle()
        view = self.view(step)
        own = dict(view._current.values)
        said = await view.sync()
        assert matches(step["outputs"], said), f"current is {said}"
        assert own == said, f"the library had {own}"

    async def close(self, step: dict[str, Any]) -> None:
        await self.views[step["close"]].close()

    async def closed(self, step: dict[str, Any]) -> None:
        view = self.views[step["closed"]]
        await asyncio.wait_for(view.wait_closed(), PATIENCE)
        assert view.closed

    # Waiting

    def view(self, step: dict[str, Any]) -> nagare.AnyView:
        return self.views[step.get("in", "v")]

    async def settle(self) -> None:
        await self.app.ping()
        await self.app.ping()
        await asyncio.sleep(0)

    async def eventually(self, condition: Callable[[], bool], told: Callable[[], str]) -> None:
        """Waits until a condition is true. Each check sends a ping, so a dead server is reported."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while not condition():
            assert asyncio.get_running_loop().time() < end, told()
            await self.settle()


VERBS: dict[str, Callable[[Played, dict[str, Any]], Any]] = {
    "open": Played.open,
    "do": Played.do,
    "call": Played.call,
    "over": Played.over,
    "pending": Played.pending,
    "leave": Played.leave,
    "tell": Played.tell,
    "expect": Played.expect,
    "heard": Played.hear,
    "asked": Played.ask,
    "answer": Played.answer,
    "changed": Played.change,
    "cancelled": Played.cancelled,
    "unasked": Played.unasked,
    "advance": Played.advance,
    "dispatch": Played.dispatch,
    "screens": Played.screens,
    "outputs": Played.outputs,
    "close": Played.close,
    "closed": Played.closed,
}
