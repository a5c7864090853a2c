"""Choices, feeds, dialogs for tasks, and unknown screens and items."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from conftest import Serve
from selenium.webdriver.common.by import By
from serving import Site
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==")


def begun_by(name: str, kind: str, **asked: object) -> dict[str, object]:
    return {"input": name, "output": f"{name}ed", "task": {"kind": kind, **asked}}


TASKS = [
    begun_by("warn", "alert", title="Mind <b>the</b> gap", message="It is wide."),
    begun_by("paint", "choose", title="Which color?", choices=["red", {"id": 7, "name": "Green"}]),
    begun_by("enter", "login", title="Who is there?"),
    begun_by("fly", "fly"),
]
CONFIG = {"screens": {"tasks": {"viewModel": "task", "tasks": TASKS}}}


@SIZES
def test_a_prompt_s_answer_is_shown(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size, part="#/profile")
    for name, keys in (("Mei", ["Mei", "ENTER"]), ("Mei", ["Tom", "ESCAPE"]), ("Mei T", ["END", " T", "ENTER"])):
        me.click(".choice", "Rename")
        me.see("dialog", "New name")
        assert me.focused == "New name"
        me.press(*keys)
        me.gone("dialog")
        me.see(".choice", f"Name: {name}")


@SIZES
@pytest.mark.parametrize("answer, agreed", [("Yes", True), ("No", False), ("ESCAPE", False), ("ENTER", True)])
def test_a_confirmation_can_be_accepted_or_declined(me: User, demo: Site, size: tuple[int, int], answer: str, agreed: bool) -> None:
    me.open(demo.url, size, part="#/profile")
    me.click(".choice", "Log")
    me.see("dialog", "Log out?")
    if answer.isupper():
        me.press(answer)
    else:
        me.click("dialog button", answer)
    me.gone("dialog")
    me.see(".choice", f"Logged in: {'no' if agreed else 'yes'}")
    assert "Log" in me.focused, "the focus comes back to what began the task"


def test_a_confirmation_highlights_the_button_that_enter_presses(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/profile")
    me.click(".choice", "Log")
    me.see("dialog", "Log out?")
    assert me.focused == "Yes"
    ring = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert me.run(ring) == "solid"
    me.run("() => document.querySelector('dialog button').focus()")
    assert me.focused == "No" and me.run(ring) == "solid"
    me.press("ENTER")
    me.gone("dialog")


def test_a_picked_image_is_shown(me: User, demo: Site, tmp_path: Path) -> None:
    (tmp_path / "me.png").write_bytes(PIXEL)
    (tmp_path / "me.txt").write_text("not me")
    me.open(demo.url, part="#/profile")
    me.click(".choice", "Pick image")
    field = me.see("dialog input")
    field.send_keys(str(tmp_path / "me.txt"))
    me.see("dialog [role=alert]", "me.txt isn’t a picture")
    field.send_keys(str(tmp_path / "me.png"))
    me.see("dialog img")
    me.click("dialog button", "OK")
    me.gone("dialog")
    assert str(me.see(".choice img").get_attribute("src")).startswith("data:image/png;base64,")


def test_alerts_choices_and_logins_are_dialogs_and_unknown_tasks_are_reported(me: User, serve: Serve) -> None:
    me.open(serve(CONFIG).url)
    me.click(".choice", "Warn")
    assert "Mind <b>the</b> gap\nIt is wide." in me.see("dialog").text
    me.click("dialog button", "OK")
    me.gone("dialog")
    me.click(".choice", "Paint")
    me.click("dialog button", "Green")
    me.see(".choice", "Painted: 7")
    me.click(".choice", "Enter")
    me.see("dialog", "Who is there?")
    me.press(*"secret")
    assert "secret" not in me.see("dialog").text and me.see("dialog input").get_attribute("type") == "password"
    me.press("ENTER")
    me.see(".choice", "Entered: secret")
    me.click(".choice", "Fly")
    me.see("[role=alert]", "doesn't know tasks of the kind fly")


def test_a_cancelled_task_s_dialog_closes(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/profile")
    me.click(".choice", "Rename")
    me.see("dialog")
    me.session("({app}) => app.views.get('v1').close()")
    me.gone("dialog")


@SIZES
def test_a_choice_returns_to_the_list(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size, part="#/shops")
    me.load()
    me.see(".row-second", "ramen")
    me.go("Genres")
    me.click(".choice", "curry")
    me.see(".status-message", "Genres: curry selected")
    assert me.chrome.current_url.endswith("#/shops")
    me.load()
    me.see(".row-second", "curry")
    me.gone(".row-second", "ramen")
    me.go("Genres")
    assert me.see(".choice", "curry").get_attribute("aria-pressed") == "true"


@SIZES
def test_a_feed_shows_its_newest_items(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size, part="#/offers")
    me.see(".row.skeleton")
    me.load()
    assert me.position == "20"
    me.click(".row", "Film camera")
    assert "Setagaya" in me.see("article").text and "12,800" in me.see("article").text
    me.press("ESCAPE")
    me.gone(".detail")
    me.click("[aria-label=Refresh]")
    me.see(".waiting")
    me.load()
    me.gone(".waiting")
    assert me.position == "20"


def test_an_error_is_shown_until_it_is_dismissed(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.session("({app}) => { app.views.get('v1').send('remove', {id: 'm001'}); document.querySelector('[role=option]').click(); }")
    me.see(".complaints", "m001")
    me.press("ESCAPE")
    me.gone(".complaints")


def test_the_url_of_an_unknown_screen_opens_the_first_screen(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/nowhere")
    me.see(".title", "Items")
    me.see(".complaints", "There is no screen “nowhere”")
    assert me.chrome.current_url.endswith("#/items")
    assert me.chrome.find_element(By.CSS_SELECTOR, "nav [aria-current]").text == "Items"


@pytest.mark.parametrize("address", ["#/items/m033", "#/offers/o33", "#/genres/jazz"])
def test_the_url_of_an_unknown_item_shows_an_error(me: User, demo: Site, address: str) -> None:
    me.open(demo.url, part=address)
    me.load()
    me.see(".complaints", f"“{address.split('/')[-1]}” isn’t loaded")
    assert me.chrome.current_url.endswith(address.rpartition("/")[0])
