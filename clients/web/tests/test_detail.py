"""The detail: swiping by finger, wheel and keys, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Serve
from serving import Site
from user import DESKTOP, PHONE, User

CAROUSEL = ".carousel"
WHEEL_RESTS = 120
"""Milliseconds after the last wheel event."""
TRACK = "() => new DOMMatrixReadOnly(getComputedStyle(document.querySelector('.track')).transform).m41"


def open_mail(me: User, demo: Site, place: int, size: tuple[int, int] = PHONE, *, motion: bool = False) -> None:
    me.open(demo.url, size, motion=motion)
    me.load()
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press(*["ARROW_DOWN"] * (place - 1), "ENTER")
    me.at(f"{place} of 20+")


def test_dragging_moves_the_page_and_its_neighbor(me: User, demo: Site) -> None:
    open_mail(me, demo, 2)
    me.drag(CAROUSEL, -150, 10, drop=False)
    assert me.run(TRACK) == -150
    edges = "() => [...document.querySelectorAll('.panel')].map((panel) => panel.getBoundingClientRect().left)"
    assert sorted(me.run(edges)) == [-540, -150, 240]
    me.lift()
    me.until(lambda: me.run(TRACK) == 0)


@pytest.mark.parametrize("motion", [False, True], ids=["still", "moving"])
def test_swiping_moves_to_the_neighbors(me: User, demo: Site, motion: bool) -> None:
    open_mail(me, demo, 2, motion=motion)
    me.drag(CAROUSEL, -250, 0)
    me.at("3 of 20+")
    me.see("article h2", "Handover before my holiday")
    me.until(lambda: me.run(TRACK) == 0)
    me.drag(CAROUSEL, 250, 0)
    me.at("2 of 20+")
    me.until(lambda: me.run(TRACK) == 0)


def test_a_short_drag_changes_nothing(me: User, demo: Site) -> None:
    open_mail(me, demo, 2)
    me.drag(CAROUSEL, -100, 0)
    me.until(lambda: me.run(TRACK) == 0)
    me.drag(CAROUSEL, -60, -300)
    assert me.run(TRACK) == 0 and me.position == "2 of 20+"


def test_dragging_beyond_the_end_moves_less_and_less(me: User, demo: Site) -> None:
    open_mail(me, demo, 1)
    me.drag(CAROUSEL, 180, 0, drop=False)
    assert 0 < me.run(TRACK) < 90
    me.lift()
    me.until(lambda: me.run(TRACK) == 0)
    assert me.position == "1 of 20+"


def test_a_trackpad_swipes_once_despite_its_momentum(me: User, demo: Site) -> None:
    open_mail(me, demo, 2, DESKTOP)
    me.wheel(CAROUSEL, 60, 60, 60, 40, 30, 20, 10, 5)
    me.at("3 of 20+")
    me.let_pass(WHEEL_RESTS)
    me.until(lambda: me.run(TRACK) == 0)
    me.wheel(CAROUSEL, -90, -90)
    me.at("2 of 20+")
    me.let_pass(WHEEL_RESTS)
    me.until(lambda: me.run(TRACK) == 0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_arrow_keys_move_between_mails_and_the_list_follows(me: User, demo: Site, size: tuple[int, int]) -> None:
    open_mail(me, demo, 2, size)
    for position in ("3 of 20+", "4 of 20+"):
        me.press("ARROW_RIGHT")
        me.at(position)
    me.press("ARROW_LEFT", "ARROW_LEFT", "ARROW_LEFT", "ARROW_LEFT")
    me.at("1 of 20+")
    me.press(*["ARROW_RIGHT"] * 14)
    me.at("15 of 20+")
    me.press("ESCAPE")
    me.gone(".detail")
    active = me.see(".row.active").rect
    assert 0 <= active["y"] and active["y"] + active["height"] <= size[1]
    assert me.run("() => document.querySelector('.row.active').ariaPosInSet") == "15"


def test_reaching_the_last_loaded_mail_loads_the_next_page(me: User, demo: Site) -> None:
    open_mail(me, demo, 19)
    me.press("ARROW_RIGHT")
    me.at("20 of 20+")
    me.drag(CAROUSEL, -150, 0, drop=False)
    me.see(".panel .skeleton")
    me.lift()
    me.load()
    me.at("20 of 40+")
    me.press("ARROW_RIGHT")
    me.at("21 of 40+")


def test_buttons_move_to_the_neighbors_and_are_disabled_at_the_ends(me: User, demo: Site) -> None:
    open_mail(me, demo, 1, DESKTOP)
    assert me.see("[aria-label=Previous]").get_attribute("aria-disabled") == "true"
    me.click("[aria-label=Next]")
    me.at("2 of 20+")
    me.click("[aria-label=Previous]")
    me.at("1 of 20+")
    me.click("[aria-label=Close]")
    me.gone(".detail")


def test_the_back_button_closes_the_detail_and_its_url_opens_it_again(me: User, demo: Site) -> None:
    open_mail(me, demo, 3)
    me.drag(CAROUSEL, -250, 0)
    me.at("4 of 20+")
    address = me.chrome.current_url
    me.chrome.back()
    me.gone(".detail")
    assert me.chrome.current_url.endswith("#/items")
    me.open(demo.url, part=address[address.index("#") :])
    me.load()
    me.at("4 of 20+")


def test_views_that_are_no_longer_shown_are_closed(me: User, demo: Site) -> None:
    open_mail(me, demo, 2, DESKTOP)
    me.all("[role=option]")[4].click()
    me.at("5 of 20+")
    me.until(lambda: me.session("({app}) => app.views.size") == 2)
    me.press("ESCAPE")
    me.until(lambda: me.session("({app}) => app.views.size") == 1)


IDS = ["9007199254740992", "9007199254740993", "1e400", "1.1e400"]


def test_ids_can_be_numbers_that_javascript_cannot_hold(me: User, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id":{id},"size":{id}}}\n' for id in IDS))
    screens = {"rows": {"viewModel": "list", "source": "rows", "detail": "row"}, "row": {"viewModel": "pager"}}
    site = serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens})
    me.open(site.url, DESKTOP)
    for place, id in enumerate(IDS, 1):
        me.click(".row", id)
        me.at(f"{place} of 4")
        me.see(".panel:not([inert]) article h2", id)
        me.see(".panel:not([inert]) article dd", id)
        assert str(me.run("() => location.hash")).endswith(f"/{id}")
        opened = "() => [...document.querySelectorAll('.row[aria-selected=true]')].map((row) => row.textContent).join()"
        assert id in str(me.run(opened)) and "," not in str(me.run(opened))
    me.open(site.url, DESKTOP, part=f"#/rows/{IDS[1]}")
    me.at("2 of 4")
    me.press("ARROW_RIGHT")
    me.at("3 of 4")
    me.see(".panel:not([inert]) article h2", IDS[2])
