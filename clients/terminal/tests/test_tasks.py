"""Tasks as dialogs, choices and feeds, and dead servers."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from conftest import Glass, User, before, configure, list_of_rows, run, user, write_rows
from nagare_terminal import Terminal
from nagare_terminal.dialogs import Confirm, Trouble
from nagare_terminal.screen import ViewScreen

TASKS = {
    "warn": {"kind": "alert", "title": "Mind [b]the[/b] gap", "message": "It is wide."},
    "paint": {"kind": "choose", "title": "Which color?", "choices": ["red", {"id": 7, "name": "Green"}]},
    "enter": {"kind": "login", "title": "Who is there?"},
    "fly": {"kind": "fly"},
}
CONFIG = {
    "screens": {
        "tasks": {
            "viewModel": "task",
            "tasks": [{"input": name, "output": f"{name}ed", "task": task} for name, task in TASKS.items()],
        }
    }
}


LONG = "\n".join(f"line {number}" for number in range(30))


async def back(me: User) -> None:
    """Waits until the dialog is closed and its answer has arrived."""
    await me.until(lambda: isinstance(me.terminal.top, ViewScreen))
    await me.settle()


def kill_server(me: User) -> None:
    transport = me.terminal.session._transport
    os.kill(transport._process.get_pid(), signal.SIGKILL)  # type: ignore[union-attr]


def test_a_prompts_answer_is_sent_and_shown() -> None:
    async def test() -> None:
        async with user("profile") as me:
            assert "Pick image" in me.text and "Logged in yes" in me.words
            await me.press("down", "enter")
            assert "New name" in me.text and "Enter OK  Esc Cancel" in me.text and "Quit" not in me.text
            await me.press(*"Mei", "enter")
            await back(me)
            assert me.view["name"] == "Mei" and "Name Mei" in me.words

    run(test())


@pytest.mark.parametrize("key, logged_in", [("y", False), ("n", True), ("escape", True), ("enter", False)])
def test_a_confirmation_can_be_accepted_or_declined(key: str, logged_in: bool) -> None:
    async def test() -> None:
        async with user("profile") as me:
            await me.press("end", "enter")
            assert "Log out?" in me.text
            await me.press(key)
            await back(me)
            assert me.view["loggedIn"] is logged_in

    run(test())


def test_an_image_must_be_an_existing_file(tmp_path: Path) -> None:
    async def test() -> None:
        async with user("profile") as me:
            await me.press("enter", *"no", "enter")
            assert "There is no file no" in me.text
            await me.press("backspace", "backspace", *str(image), "enter")
            await back(me)
            assert me.view["image"] == str(image)

    image = tmp_path / "me.png"
    image.write_bytes(b"")
    run(test())


def test_alerts_choices_and_logins_are_dialogs_and_unknown_tasks_are_refused(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=configure(tmp_path, CONFIG)) as me:
            await me.press("enter")
            assert "Mind [b]the[/b] gap" in me.text and "It is wide." in me.text
            await me.press("enter")
            await back(me)
            await me.press("down", "enter")
            assert "Green" in me.text
            await me.press("down", "enter")
            await back(me)
            assert me.view["painted"] == 7
            await me.press("down", "enter", *"secret")
            assert "secret" not in me.text
            await me.press("enter")
            await back(me)
            assert me.view["entered"] == "secret"
            await me.press("down", "enter")
            await me.until(lambda: me.screen.error)
            await me.settle()
            assert "presents no tasks of the kind 'fly'" in me.status

    run(test())


@pytest.mark.parametrize(
    "task, answers",
    [
        ({"kind": "confirm"}, ["Yes", "No"]),
        ({"kind": "prompt", "text": "as it was"}, ["as it was"]),
        ({"kind": "choose", "choices": [f"color {number}" for number in range(99)]}, ["color 98"]),
    ],
)
def test_a_long_question_hides_no_answer(tmp_path: Path, task: dict[str, Any], answers: list[str]) -> None:
    async def test() -> None:
        async with user(options=configure(tmp_path, config)) as me:
            await me.press("enter", "end")
            assert [shown for shown in ("Sure?", "line 0", *answers) if shown not in me.text] == []
            await me.press(*["pagedown"] * 6)
            assert [shown for shown in ("Sure?", "line 29", *answers) if shown not in me.text] == []

    tasks = [{"input": "go", "output": "gone", "task": {"title": "Sure?", "message": LONG, **task}}]
    config = {"screens": {"tasks": {"viewModel": "task", "tasks": tasks}}}
    run(test())


def test_a_choice_returns_to_the_list_that_depends_on_it() -> None:
    async def test() -> None:
        async with user("shops") as me:
            await me.wait(1000)
            assert "ramen" in me.text
            await me.press("s", "down", "down", "enter")
            assert me.status == "Genres · 1 of 6"
            await me.press("down", "enter")
            await me.until(lambda: me.screen.view.screen.name == "shops")
            await me.wait(1000)
            assert "curry" in me.text and "ramen" not in me.text
            await me.press("enter")
            assert "Genre curry" in me.words

    run(test())


def test_a_feed_shows_its_newest_answer() -> None:
    async def test() -> None:
        async with user("offers") as me:
            assert "loading…" in me.text
            await me.wait(2000)
            assert me.status == "Offers · 1 of 20" and "Film camera" in me.text
            await me.press("enter")
            assert "Setagaya" in me.text and "Condition" in me.text
            await me.press("escape", "r")
            assert me.status == "Offers · 1 of 20 · loading…"
            await me.wait(2000)
            assert me.status == "Offers · 1 of 20"

    run(test())


def test_a_dead_server_can_be_restarted_by_the_user() -> None:
    async def test() -> None:
        async with user() as me:
            await me.wait(300)
            await me.press("enter")
            kill_server(me)
            await me.until(lambda: not isinstance(me.terminal.top, ViewScreen))
            await me.settle()
            # The line breaks of the dialog depend on the length of the program's path.
            assert "The server has ended" in me.words and "was ended by SIGKILL" in me.words
            await me.press("enter")
            await back(me)
            await me.wait(300)
            assert me.status == "Detail · 1 of 20+", "it comes back to where it was"

    run(test())


def test_the_question_of_a_dead_server_is_closed() -> None:
    async def test() -> None:
        async with user("profile") as me:
            await me.press("down", "enter")
            assert "New name" in me.text
            kill_server(me)
            await me.until(lambda: isinstance(me.terminal.top, Confirm))
            await me.settle()
            await me.press("enter")
            await back(me)
            assert me.status == "Profile" and len(me.terminal.layers) == 1

    run(test())


def test_a_server_that_cannot_be_started_is_reported() -> None:
    async def test() -> None:
        glass = Glass((80, 24))
        async with before(Terminal(["/nowhere/nagare"], device=glass), glass) as me:
            assert isinstance(me.terminal.top, Confirm)
            assert "The server can't be started" in me.text and "No such file or directory: /nowhere/nagare" in me.text
            assert "NAGARE" in me.text

    run(test())


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c", "n"])
@pytest.mark.parametrize("screen", ["nowhere", "detail"])
def test_the_error_for_a_missing_screen_lists_the_existing_screens(screen: str, key: str) -> None:
    async def test() -> None:
        async with user(screen) as me:
            await me.settle()
            assert f"No screen “{screen}” can be opened" in me.text and "q Quit" in me.text
            assert "items, articles, genres, shops, profile, offers" in me.words
            await me.press(key)
            assert me.terminal._over.done()

    run(test())


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            await me.settle()
            assert " [31mred" in me.text and "\x1b" not in me.text and "\x9b" not in me.text

    write_rows(tmp_path, [{"id": 1, "title": "\x1b[31mred\x9b", "text": "\x1b]0;x\x07"}])
    run(test())


@pytest.mark.parametrize("size", [(24, 3), (20, 4), (29, 5), (24, 8), (28, 12), (16, 6)])
def test_a_small_terminal_has_room_for_every_dialog(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with user("items", size=size) as me:
            await me.wait(1000)
            await me.press(":")
            assert me.lines[0].strip() == "Commands" and me.lines[1].split()[0] == "Open", "the first command is in sight, and chosen"
            await me.press(*"screens")
            assert me.lines[0].strip() == "screens" and me.lines[1].split() == ["Screens", "s"]
            await me.press("enter", "down", "down", "down")
            assert "Profile" not in me.text.split("\n")[1] and "Shops" in me.text, "what is chosen stays in sight"
            await me.press("escape")
            me.terminal.push(Confirm("Is it to go for good?"))
            await me.settle()
            assert "Is it to go for good?" in me.words and "Yes      No" in me.text
            await me.press("y")
            me.terminal.push(Trouble("The server has ended", "It said nothing, and nobody knows why that is so."))
            await me.settle()
            assert "Start it again" in me.text and "│" not in me.text
            await me.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
            assert "is so." in me.words
            await me.press("y")

    run(test())


def test_a_question_that_is_longer_than_its_frame_is_read_whole() -> None:
    async def test() -> None:
        async with user("items") as me:
            me.terminal.push(Confirm("Shall " + "all of it " * 10 + "go?"))
            await me.settle()
            assert "Shall " + "all of it " * 10 + "go?" in me.words and "all…" not in me.text

    run(test())
