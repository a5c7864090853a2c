"""A program whose author uses the main actor, feeds without an end, and observers for other threads."""

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


def test_a_task_of_the_main_actor_runs(feeds: Server) -> None:
    answer, _ = feeds.call("open", screen="feeds", view="v")
    if not answer["result"]["outputs"]["isReady"]["value"]:
        wait_for(feeds, "isReady", True)


def test_a_feed_without_an_end_holds_no_program_whose_input_has_ended(feeds: Server) -> None:
    answer, _ = feeds.call("open", screen="feeds", view="v")
    if answer["result"]["outputs"]["last"]["value"] == 0:
        wait_for(feeds, "last", 1)
    feeds.close()
    assert feeds.ends() == 0


def test_a_load_that_another_thread_answers_is_finished_after_the_end_of_input(feeds: Server) -> None:
    feeds.call("open", screen="feeds", view="v")
    feeds.notify("load")
    feeds.close()
    wait_for(feeds, "loaded", "loaded")
    assert feeds.ends() == 0
