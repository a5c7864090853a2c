"""The user's position after a reload, after leaving and returning, and with a new server."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Serve, write_rows
from serving import Site
from user import DESKTOP, PHONE, REST, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"
TOP = f"() => document.querySelector('{SCROLLER}').scrollTop"


def rows(serve: Serve, folder: Path, count: int = 300, **source: object) -> str:
    write_rows(folder / "rows.jsonl", [{"id": n, "title": f"Row {n}", "label": "odd" if n % 2 else "even"} for n in range(count)])
    screens = {
        "rows": {"viewModel": "search", "source": "rows", "detail": "row", "filters": {"label": None, "sort": None}},
        "row": {"viewModel": "pager"},
    }
    return serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl", **source}}, "screens": screens}).url


def go_down(me: User) -> tuple[float, object]:
    """Scrolls several pages down, to a position between two rows."""
    for count in (20, 40, 60):
        me.until(lambda: me.session("({app}) => app.views.get('v1').items.length") >= count)
        me.scroll(SCROLLER, 100_000)
    me.scroll(SCROLLER, 2623)
    me.see(".row-title", "Row 31")
    me.let_pass(REST)
    me.until(lambda: me.run("() => history.state?.place?.index") == 30)
    return me.run(TOP), me.rows[0]


@SIZES
@pytest.mark.parametrize("way", ["reload", "away and back"])
def test_the_position_is_restored(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int], way: str) -> None:
    me.open(rows(serve, tmp_path), size)
    where = go_down(me)
    if way == "reload":
        me.chrome.refresh()
    else:
        me.chrome.get("about:blank")
        me.chrome.back()
    me.see(".row-title", "Row 31")
    me.gone(".row.skeleton")
    me.until(lambda: (me.run(TOP), me.rows[0]) == where)


@SIZES
def test_the_position_is_restored_after_rows_were_inserted_above(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    me.open(rows(serve, tmp_path), size)
    top, first = go_down(me)
    lines = (tmp_path / "rows.jsonl").read_text()
    (tmp_path / "rows.jsonl").write_text('{"id":"new","title":"New"}\n' + lines)
    me.chrome.refresh()
    me.see(".row-title", "Row 31")
    row = me.run("() => document.querySelector('.row').offsetHeight")
    me.until(lambda: me.run(TOP) == top + row)


@SIZES
def test_an_open_item_a_search_and_marks_are_restored(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    me.open(rows(serve, tmp_path), size)
    me.see(".row-title", "Row 3")
    me.press("/", *"Row 2", "ENTER")
    me.lists("Row 2")
    me.see(".row-title", "Row 25")
    me.click(".row", "Row 25")
    me.see("article h2", "Row 25")
    position = me.position
    assert "query=Row+2" in me.chrome.current_url
    me.chrome.refresh()
    me.see("article h2", "Row 25")
    me.at(position)
    assert me.run("() => document.querySelector('[type=search]').value") == "Row 2"
    me.press("ESCAPE")
    me.gone(".detail")
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("x")
    me.see(".marks", "1 marked")
    me.let_pass(REST)
    me.until(lambda: me.run("() => history.state?.marks?.length") == 1)
    me.chrome.refresh()
    me.see(".marks", "1 marked")
    me.see(".row.marked", "Row 25")


@SIZES
def test_a_url_opens_an_item_that_is_not_loaded(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    url = rows(serve, tmp_path, items=True)
    me.open(url, size, part="#/rows/207")
    me.see("article h2", "Row 207")
    assert me.position == "no longer listed"
    me.audit()
    me.open(url, size, part="#/rows/4711")
    me.see(".complaints", "“4711” isn’t loaded")


def test_the_position_is_kept_when_the_server_is_killed(me: User, serve: Serve, tmp_path: Path) -> None:
    url = rows(serve, tmp_path)
    me.open(url)
    where = go_down(me)
    me.click(".row", "Row 33")
    me.see("article h2", "Row 33")
    me.end_server()
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.size") == 2)
    me.until(lambda: me.position.startswith("34 of"))
    assert (me.run(TOP), me.rows[0]) == where


@SIZES
def test_filter_chips_offer_the_values_of_loaded_items(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    me.open(rows(serve, tmp_path), size)
    me.see(".row-title", "Row 3")
    me.click(".chip", "Label")
    me.audit()
    me.click("[role=menuitem]", "odd")
    me.see(".chip", "Label: odd")
    me.lists("Row 1", "Row 3")
    me.audit()
    me.let_pass(REST)
    me.until(lambda: "odd" in me.chrome.current_url)
    me.chrome.refresh()
    me.see(".chip", "Label: odd")
    me.lists("Row 1", "Row 3")
    me.click("[aria-label='Clear label']")
    me.lists("Row 0", "Row 1")
    me.let_pass(REST)
    me.until(lambda: "filters" not in me.chrome.current_url)


def test_old_results_stay_until_new_ones_load_and_matches_are_highlighted(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/articles")
    me.load()
    before = me.rows
    me.press("/", *"swift")
    me.see(".stale")
    me.advance(200)
    assert me.session("({app}) => app.views.get('v1').items.length") in (0, 20)
    assert me.rows == before or len(me.rows) == len(before), "what was found before is still there"
    me.see(".stale")
    me.load()
    me.gone(".stale")
    marked = "() => [...CSS.highlights.get('match')].map((range) => range.toString().toLowerCase())"
    assert set(me.run(marked)) == {"swift"}
    me.press("ESCAPE")
    me.load()
    me.gone(".stale")
    assert me.run("() => CSS.highlights.size") == 0
