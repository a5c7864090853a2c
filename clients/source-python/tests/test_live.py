"""Changes functions, and the states that the kit counts for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from asking import line, run
from conftest import EXAMPLES, KIT, List
from nagare_source import ALL, Page, Source, SourceError, TooOld, changed, counted, inserted, removed
from nagare_source.changes import Log
from nagare_source.program import Program

Message = dict[str, Any]


class Told:
    """A program with one live source, and the notifications that it sends."""

    def __init__(self, function: Callable[..., AsyncGenerator[Any, None]]) -> None:
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        source = Source(lambda key, query, size, filters: Page([{"id": 1}]), changes=function)
        self.program = Program(source, 1, lambda text: self._said.put_nowait(json.loads(text)))

    async def ask(self, method: str, **params: Any) -> Any:
        answer = await self.program.answer(line(method, **params))
        return None if answer is None else json.loads(answer)

    async def watch(self, since: str | None = None, **params: Any) -> Any:
        answer = await self.ask("source/watch", since=since, **params)
        return answer.get("result", answer.get("error"))

    async def said(self) -> Message:
        message = await self._said.get()
        assert message["method"] == "source/changed"
        params: Message = message["params"]
        return params

    async def is_silent(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        assert self._said.empty()


class Script:
    """A changes function that yields the changes that a test chooses."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()
        self.begun = 0
        self.ended = 0

    async def changes(self) -> AsyncGenerator[Any, None]:
        self.begun += 1
        try:
            while True:
                said = await self.queue.get()
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.ended += 1

    async def by_query(self, query: str | None, filters: Message) -> AsyncGenerator[Any, None]:
        yield inserted({"id": [query, filters]})
        async for said in self.changes():
            yield said


def test_changes_are_sent_with_consecutive_states() -> None:
    async def scenario() -> None:
        script = Script()
        told = Told(script.changes)
        begin = await told.watch()
        assert begin.keys() == {"state"}
        script.queue.put_nowait(inserted({"id": 2}, before=1))
        script.queue.put_nowait([changed({"id": 2, "n": 1}), removed(1), inserted({"id": 3}, at_end=True)])
        first, second = await told.said(), await told.said()
        assert first["since"] == begin["state"] and second["since"] == first["state"] != second["state"]
        assert first["changes"] == [{"insert": {"id": 2}, "before": 1}]
        assert second["changes"] == [{"change": {"id": 2, "n": 1}}, {"remove": 1}, {"insert": {"id": 3}, "at": "end"}]
        assert (await told.ask("source/page"))["result"]["state"] == second["state"]
        assert await told.watch(second["state"]) == {"state": second["state"]}
        # A list that missed changes receives all of them.
        assert await told.watch(begin["state"]) == {
            "state": second["state"],
            "changes": first["changes"] + second["changes"],
        }
        assert (await told.watch("of another life"))["code"] == -32014
        script.queue.put_nowait(removed(3))
        assert (await told.said())["since"] == second["state"]
        await told.is_silent()

    run(scenario())


def test_a_total_is_sent_next_to_the_changes() -> None:
    async def scenario() -> None:
        script = Script()
        told = Told(script.changes)
        begin = await told.watch()
        script.queue.put_nowait([inserted({"id": 2}), counted(5), counted(7)])
        first = await told.said()
        assert first["changes"] == [{"insert": {"id": 2}}] and first["total"] == 7
        script.queue.put_nowait(counted(8))
        second = await told.said()
        assert (second["changes"], second["total"], second["since"]) == ([], 8, first["state"])
        script.queue.put_nowait(removed(2))
        assert "total" not in await told.said()
        assert (await told.watch(begin["state"]))["total"] == 8

    run(scenario())


def test_nothing_is_sent_after_the_watch_ended() -> None:
    async def scenario() -> None:
        script = Script()
        told = Told(script.changes)
        await told.watch()
        await told.is_silent()
        assert script.begun == 1
        unwatch = {"jsonrpc": "2.0", "method": "source/unwatch", "params": {"source": "rows", "query": None}}
        assert await told.program.answer(json.dumps(unwatch).encode()) is None
        script.queue.put_nowait(removed(1))
        await told.is_silent()
        assert script.ended == 1
        assert "state" not in (await told.ask("source/page"))["result"]

    run(scenario())


def test_a_list_with_a_query_reloads_if_the_changes_function_has_no_query() -> None:
    async def scenario() -> None:
        script = Script()
        told = Told(script.changes)
        await told.watch(query="a")
        await told.watch(filters={"b": 1})
        await told.is_silent()
        script.queue.put_nowait(removed(1))
        script.queue.put_nowait(removed(2))
        said = [await told.said() for _ in range(4)]
        assert [one["changes"] for one in said] == ["all"] * 4
        assert [one["since"] for one in said if one["query"] == "a"] == [one["since"] for one in said if "filters" in one]
        # Both watches share one run of the function.
        assert script.begun == 1

    run(scenario())


def test_a_changes_function_with_query_and_filters_runs_for_each_combination() -> None:
    async def scenario() -> None:
        told = Told(Script().by_query)
        await told.watch(query="a", filters={"b": 1})
        await told.watch()
        assert [(await told.said())["changes"] for _ in range(2)] == [
            [{"insert": {"id": ["a", {"b": 1}]}}],
            [{"insert": {"id": [None, {}]}}],
        ]

    run(scenario())


def test_a_failed_changes_function_is_called_again_and_the_list_reloads(capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        script = Script()
        told = Told(script.changes)
        begin = await told.watch()
        script.queue.put_nowait(ValueError("lost the thread"))
        script.queue.put_nowait(removed(1))
        assert (await told.said())["changes"] == "all"
        assert (await told.said())["changes"] == [{"remove": 1}]
        assert script.begun == 2
        assert (await told.watch(begin["state"]))["code"] == -32014

    run(scenario())
    assert "lost the thread" in capsys.readouterr().err


def test_a_list_that_missed_more_than_the_log_keeps_reloads() -> None:
    async def scenario() -> None:
        log = Log(size=3)
        steps = log.follow(None)
        begin = (await anext(steps))[1]
        for number in range(5):
            log.add([removed(number)])
        assert await anext(steps) == (ALL, log.state)
        with pytest.raises(TooOld):
            await anext(log.follow(begin))
        log.add([removed(5)])
        assert await anext(steps) == ([removed(5)], log.state)

    run(scenario())


class Broker:
    """A source with its own states, which sometimes loses its connection."""

    def __init__(self) -> None:
        self.entries = ["a", "b"]
        self.more = asyncio.Event()
        self.oldest = 0
        self.is_lost = False

    def add(self, entry: str) -> None:
        self.entries.append(entry)
        self.more.set()

    async def changes(self, since: str | None) -> AsyncGenerator[Any, None]:
        at = len(self.entries) if since is None else int(since)
        if at < self.oldest:
            raise TooOld()
        yield [removed(entry) for entry in self.entries[at:]], str(len(self.entries))
        at = len(self.entries)
        while True:
            await self.more.wait()
            self.more.clear()
            if self.is_lost:
                self.is_lost = False
                raise SourceError(5, "the connection was lost")
            for entry in self.entries[at:]:
                at += 1
                yield [removed(entry)], str(at)


def test_a_source_can_keep_its_own_states() -> None:
    async def scenario() -> None:
        broker = Broker()
        told = Told(broker.changes)
        assert await told.watch("1") == {"state": "2", "changes": [{"remove": "b"}]}
        assert await told.watch() == {"state": "2"}
        await told.is_silent()
        broker.add("c")
        assert (await told.said())["state"] == "3"
        # The function continues at the last state when it is called again.
        broker.is_lost = True
        broker.add("d")
        said = await told.said()
        assert (said["since"], said["state"], said["changes"]) == ("3", "4", [{"remove": "d"}])
        broker.is_lost, broker.oldest = True, 5
        broker.add("e")
        said = await told.said()
        assert (said["since"], said["state"], said["changes"]) == ("4", "5", "all")
        assert (await told.watch("4"))["code"] == -32014
        assert "state" not in (await told.ask("source/page"))["result"]

    run(scenario())


@pytest.mark.parametrize("params", [{"since": 1}, {"since": ["a"]}])
def test_a_since_that_is_not_a_text_is_refused(params: Message) -> None:
    async def scenario() -> None:
        answer = await Told(Script().changes).ask("source/watch", **params)
        assert answer["error"]["code"] == -32602

    run(scenario())


def test_a_source_without_a_changes_function_refuses_a_watch() -> None:
    async def scenario() -> None:
        answer = await Program(lambda key, query, size: Page([]), 1).answer(line("source/watch"))
        assert answer is not None and json.loads(answer)["error"]["code"] == -32601

    run(scenario())


def test_the_readme_shows_a_live_source_in_fifteen_lines() -> None:
    program = (EXAMPLES / "live.py").read_text()
    assert len(program.splitlines()) <= 15
    assert program in (KIT / "README.md").read_text()


def test_the_fifteen_line_example_is_a_live_source(examples: Any, list_of: List) -> None:
    listing = list_of(examples / "live.json", "ticks")
    listing.server.notify("viewWillAppear", view="v")
    listing.until_true(lambda: len(listing.items) >= 2)
    assert listing.ids() == list(range(len(listing.items)))[::-1]
