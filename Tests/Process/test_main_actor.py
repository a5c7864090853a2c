"""A program whose author uses the main actor, endless feeds, and observers for other threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server import Server, program


@pytest.fixture
def feeds() -> Iterator[Server]:
    server = Server(program("MainActorProgram"))
    yield server
    server.kill()


def wait_for(feeds: Server, output: str, value: object) -> None:
    message = feeds.next()
    while (message.get("method"), message.get("params", {}).get("value")) != (output, value):
        message = feeds.next()


def test_a_main_actor_task_runs(feeds: Server) -> None:
    answer, _ = feeds.call("open", screen="feeds", view="v")
    if not answer["result"]["outputs"]["isReady"]["value"]:
        wait_for(feeds, "isReady", True)


def test_an_endless_feed_does_not_keep_a_program_after_its_input(feeds: Server) -> None:
    answer, _ = feeds.call("open", screen="feeds", view="v")
    if answer["result"]["outputs"]["last"]["value"] == 0:
        wait_for(feeds, "last", 1)
    feeds.close()
    assert feeds.ends() == 0


def test_a_load_answered_by_another_thread_finishes_after_the_end_of_input(feeds: Server) -> None:
    feeds.call("open", screen="feeds", view="v")
    feeds.notify("load")
    feeds.close()
    wait_for(feeds, "loaded", "loaded")
    assert feeds.ends() == 0
