"""Lists of any length with a window: the page holds only the visible rows and some around them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve, write_rows
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from serving import Site
from user import DESKTOP, PHONE, REST, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"
TOP = f"() => document.querySelector('{SCROLLER}').scrollTop"
COUNT = 10_000_000
VIEW = "[...app.views.values()].findLast((view) => 'items' in view.current)"


@pytest.fixture(scope="module")
def millions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a list with ten million rows. Each page has its own server."""
    screens = {
        "mails": {"viewModel": "list", "source": "mails", "detail": "mail", "undo": 5000},
        "mail": {"viewModel": "pager"},
    }
    path = tmp_path_factory.mktemp("millions") / "nagare.json"
    path.write_text(json.dumps({"sources": {"mails": {"type": "demo", "rows": COUNT}}, "screens": screens}))
    site = Site("--config", str(path), "--clock", "virtual")
    yield site.url
    site.kill()


def open_millions(me: User, url: str, size: tuple[int, int] = DESKTOP) -> None:
    """Opens the list, and grabs its thumb, which opens a window on the list."""
    me.open(url, size)
    me.load()
    me.at("20+")
    me.see(".thumb").click()
    me.until(lambda: len(me.session("({app}) => [...app.views.keys()]")) == 2)
    me.load()
    me.at("10,000,000")
    me.run("() => document.querySelector('[role=listbox]').focus()")


def long(serve: Serve, count: int, *options: str, writes: list[str] | None = None, clock: str = "real", **screen: Any) -> str:
    """Serves a number of rows of a test source, and returns the URL."""
    command = [sys.executable, str(Path(__file__).with_name("long_rows.py")), str(count), *options]
    told = {"positions": True, "live": True} if "--positions" in options else {}
    source = {"type": "command", "command": command, **told, **({"writes": writes} if writes else {})}
    rows = {"viewModel": "list", "source": "rows", "pageSize": 500, **screen}
    return serve({"sources": {"rows": source}, "screens": {"rows": rows}}, "--clock", clock).url


def in_sight(me: User) -> list[tuple[int, str, float]]:
    """Returns the entirely visible rows: their numbers in the list from 1, their titles, and their positions on the screen."""
    script = """(selector) => {
      const sight = document.querySelector(selector).getBoundingClientRect();
      const rows = [...document.querySelectorAll("[role=option]")].map((row) => [row, row.getBoundingClientRect()]);
      return rows.filter(([, box]) => box.top >= sight.top && box.bottom <= sight.bottom)
        .map(([row, box]) => [Number(row.ariaPosInSet), row.querySelector(".row-title")?.textContent ?? "", box.top]);
    }"""
    return [(place, title, top) for place, title, top in me.run(script, SCROLLER)]


def seen(me: User) -> dict[int, float]:
    """Returns the positions on the screen of the entirely visible rows, by their numbers in the list from 1."""
    return {place: top for place, _, top in sorted(in_sight(me))}


def drag_thumb(me: User, share: float, *, drop: bool = True) -> None:
    """Drags the thumb by mouse to a share of its track."""
    track, thumb = me.see(".scrollbar").rect, me.see(".thumb").rect
    way = track["y"] + share * (track["height"] - thumb["height"]) - thumb["y"]
    # To reach the end, the mouse moves beyond it.
    way += 20 * (share == 1) - 20 * (share == 0)
    actions = ActionChains(me.chrome, duration=20).click_and_hold(me.see(".thumb"))
    for _ in range(4):
        actions = actions.move_by_offset(0, round(way / 4))
    actions.perform()
    if drop:
        ActionChains(me.chrome).release().perform()


def settle(me: User) -> None:
    """Lets the drawn rows load, page by page."""
    me.load()
    while me.all(".row.skeleton"):
        me.load()


def wheel(me: User, distance: int) -> None:
    """Turns the wheel over the list, and waits until the page has drawn its rows."""
    box = me.see(SCROLLER).rect
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    me.command("Input.synthesizeScrollGesture", **place, yDistance=-distance, speed=8000, gestureSourceType="mouse")
    # The browser scrolls in another process. The page receives the new position in one of the next frames.
    still = """async (selector) => {
      const { scrollTop } = document.querySelector(selector);
      for (let frame = 0; frame < 5; frame += 1) await eyes.frame();
      return document.querySelector(selector).scrollTop === scrollTop;
    }"""
    me.until(lambda: me.run(still, SCROLLER))


def test_keys_move_through_ten_million_rows(me: User, millions: str) -> None:
    open_millions(me, millions)
    me.press("G")
    me.see(".row.skeleton")
    settle(me)
    assert list(seen(me))[-1] == COUNT
    me.press("PAGE_UP", "PAGE_UP", "ARROW_UP")
    settle(me)
    assert COUNT - 30 < list(seen(me))[0] < COUNT - 10
    # The rows are loaded by the server, which can take some time.
    me.press("g")
    me.until(lambda: list(seen(me))[:1] == [1])
    me.press("END")
    assert me.all(".row.skeleton") or list(seen(me))[-1] == COUNT
    me.press("HOME")
    me.until(lambda: list(seen(me))[:1] == [1])


def test_the_thumb_scrolls_anywhere_and_shows_the_position(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_thumb(me, 0.5, drop=False)
    me.see(".thumb-label")
    assert me.see(".row.skeleton")
    me.audit()
    settle(me)
    assert 4_900_000 < list(seen(me))[0] < 5_100_000
    ActionChains(me.chrome).release().perform()
    me.gone(".thumb-label")
    drag_thumb(me, 1)
    settle(me)
    assert list(seen(me))[-1] == COUNT
    drag_thumb(me, 0)
    settle(me)
    assert list(seen(me))[0] == 1
    # Pressing the scrollbar next to the thumb scrolls there, too.
    box = me.see(".scrollbar").rect
    ActionChains(me.chrome).move_to_element_with_offset(me.see(".scrollbar"), 0, round(box["height"] / 4)).click().perform()
    settle(me)
    assert 6_900_000 < list(seen(me))[0] < 8_000_000


def test_a_finger_moves_the_thumb(me: User, millions: str) -> None:
    open_millions(me, millions, PHONE)
    me.drag(".thumb", 0, 300, drop=False)
    me.see(".thumb-label")
    me.lift()
    settle(me)
    assert 3_000_000 < list(seen(me))[0] < 6_000_000


@SIZES
def test_wheel_and_finger_scroll_exactly_far_down_the_list(me: User, millions: str, size: tuple[int, int]) -> None:
    open_millions(me, millions, size)
    drag_far(me)
    before = seen(me)
    row = me.see(".row").size["height"]
    wheel(me, 3 * row)
    settle(me)
    after = seen(me)
    kept = set(before) & set(after)
    assert kept and all(abs(before[place] - after[place] - 3 * row) < 2 for place in kept)


def drag_far(me: User) -> None:
    me.press("g")
    me.session(f"({{app}}) => void {VIEW}.jump.send({{index: 5_000_000}})")
    me.until(lambda: me.run(TOP) > 1_000_000)
    settle(me)


def test_the_laid_out_part_never_ends_before_the_list(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_far(me)
    first = list(seen(me))[0]
    row = me.see(".row").size["height"]
    for _ in range(5):
        place = me.run(TOP)
        me.scroll(SCROLLER, place + 7_000_000)
        first += 7_000_000 // row
        settle(me)
        assert abs(list(seen(me))[0] - first) < 3
        assert 1_000_000 < me.run(TOP) < 14_000_000
    me.scroll(SCROLLER, me.run(TOP) - 7_000_000)
    settle(me)
    assert abs(list(seen(me))[0] - first + 7_000_000 // row) < 3


def test_visible_rows_stay_while_rows_above_change(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_far(me)
    wheel(me, 130)
    settle(me)
    before = seen(me)
    for number in range(3):
        me.session(f"({{app}}) => {VIEW}.insert({{item: {{id: 'new{number}', subject: 'New'}}}})")
    me.at("10,000,003")
    assert seen(me) == {place + 3: top for place, top in before.items()}
    me.see(".pill", "3 new messages")
    me.session(f"({{app}}) => {VIEW}.remove({{id: 'new1'}})")
    me.at("10,000,002")
    assert seen(me) == {place + 2: top for place, top in before.items()}


@SIZES
def test_the_position_is_restored_in_millions_of_rows(me: User, millions: str, size: tuple[int, int]) -> None:
    open_millions(me, millions, size)
    drag_far(me)
    wheel(me, 130)
    settle(me)
    before = seen(me)
    me.let_pass(REST)
    me.until(lambda: me.run("() => history.state?.place?.index") == list(before)[0] - 2)
    me.chrome.refresh()
    me.see(".row.skeleton")
    settle(me)
    assert seen(me) == before


def test_the_position_is_restored_at_the_item_s_new_index(me: User, serve: Serve, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [{"id": n, "title": f"Row {n}"} for n in range(5000)])
    screens = {"rows": {"viewModel": "list", "source": "rows"}}
    me.open(serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens}).url)
    me.see(".thumb").click()
    me.at("5,000")
    me.session(f"({{app}}) => void {VIEW}.jump.send({{index: 3000}})")
    me.see(".row-title", "Row 3000")
    before = seen(me)
    me.let_pass(REST)
    me.until(lambda: me.run("() => history.state?.place?.id") == list(before)[0] - 1)
    lines = (tmp_path / "rows.jsonl").read_text()
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id":"new{n}","title":"New"}}\n' for n in range(40)) + lines)
    me.chrome.refresh()
    me.see(".row-title", "Row 3000")
    me.until(lambda: seen(me) == {place + 40: top for place, top in before.items()})


def test_the_position_far_down_is_kept_when_the_server_is_killed(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_far(me)
    before = seen(me)
    me.end_server()
    me.until(lambda: me.session(f"({{app}}) => app.state === 'open' && {VIEW}?.state.phase") == "requesting")
    assert seen(me) == before, "what is there stays"
    while me.session(f"({{app}}) => {VIEW}.items.at(5_000_000)") is None:
        me.load()
    me.until(lambda: seen(me) == before)


def test_archiving_far_down_can_be_undone(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_far(me)
    titles = [row["title"] for row in me.rows]
    me.press("e")
    me.see(".toast", "Archive:")
    me.at("9,999,999")
    # The rows around it are unchanged, even after scrolling elsewhere.
    me.press("g")
    settle(me)
    assert list(seen(me))[0] == 1
    me.press("u")
    me.at("10,000,000")
    drag_far(me)
    assert [row["title"] for row in me.rows] == titles


def test_a_row_number_scrolls_to_that_row(me: User, millions: str) -> None:
    open_millions(me, millions)
    ActionChains(me.chrome).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    me.see("dialog.palette")
    me.press(*"go to a row", "ENTER")
    me.see("dialog", "Go to a row")
    me.audit()
    me.press(*"7654321", "ENTER")
    me.gone("dialog")
    settle(me)
    assert 7_654_321 in seen(me)


def test_an_item_far_down_can_be_opened_and_swiped(me: User, millions: str) -> None:
    open_millions(me, millions)
    drag_far(me)
    me.press("ENTER")
    me.see("article h2")
    me.press("ARROW_RIGHT")
    me.load()
    me.see("article h2")
    me.press("ESCAPE")
    me.gone(".detail")
    assert 5_000_001 in seen(me)


def test_only_a_few_of_millions_of_rows_are_held_and_in_the_document(me: User, millions: str) -> None:
    open_millions(me, millions)
    held: list[Any] = []
    for place in range(0, 10):
        me.session(f"({{app}}) => void {VIEW}.jump.send({{index: {place * 1_000_000}}})")
        me.load()
        held.append(me.session(f"({{app}}) => {VIEW}.items.held.length"))
    assert max(held) <= 150
    assert me.run("() => document.querySelectorAll('*').length") < 600


@pytest.mark.parametrize("busy", [False, True], ids=["still", "busy"])
def test_a_long_list_is_opened_with_a_window_if_its_length_is_known(me: User, serve: Serve, busy: bool) -> None:
    me.open(long(serve, COUNT, "--positions", *["--busy"] * busy))
    me.until(lambda: me.position.startswith("10,000,0"))
    me.until(lambda: me.session("({app}) => app.views.size") == 1)
    drag_thumb(me, 0.5)
    me.see(".row-title", "Row")
    me.gone(".row.skeleton")
    rows = [row for row in me.rows if not row["title"].startswith("New")]
    assert len(rows) > 5 and all(4_900_000 < int(row["title"].split()[1]) < 5_100_000 for row in rows)
    # Visible rows keep their positions while rows are inserted above them.
    before = in_sight(me)
    came = me.session(f"({{app}}) => {VIEW}.items.length")
    if busy:
        me.until(lambda: me.session(f"({{app}}) => {VIEW}.items.length") > came + 20)
        assert sorted(after[1:] for after in in_sight(me)) == sorted(row[1:] for row in before)


def test_a_list_gets_a_window_when_it_has_grown_long(me: User, serve: Serve, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [{"id": n, "title": f"Row {n}"} for n in range(30_000)])
    screens = {"rows": {"viewModel": "list", "source": "rows", "pageSize": 4000}}
    me.open(serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens}).url)
    for count in (4000, 8000):
        me.at(f"{count}+")
        me.scroll(SCROLLER, 100_000_000)
    before = seen(me)
    assert list(before)[-1] == 8000
    me.until(lambda: me.session(f"({{app}}) => app.views.size === 1 && {VIEW}.items.held?.length < 1000"))
    me.gone(".row.skeleton")
    assert seen(me) == before


@pytest.mark.parametrize("busy", [False, True], ids=["still", "busy"])
def test_dropping_the_thumb_on_unloaded_rows_of_a_file_loads_them_at_once(me: User, serve: Serve, tmp_path: Path, busy: bool) -> None:
    count = 200_000
    rows = [{"id": n, "subject": f"Row {n}"} for n in range(count)]
    write_rows(tmp_path / "rows.jsonl", rows)
    sizes = [len(json.dumps(row)) + 1 for row in rows]
    # The server estimates the length of a file by the rows that it has read. The first page has the shortest rows.
    estimate = 20 * sum(sizes) / sum(sizes[:20])
    # The list of `--file` can't be edited.
    source = {"type": "file", "path": str(tmp_path / "rows.jsonl")}
    screens = {"items": {"viewModel": "list", "source": "rows", "onRefresh": "revalidate"}}
    me.open(serve({"sources": {"rows": source}, "screens": screens}).url)
    me.see(".row-title", "Row 0")
    me.see(".thumb").click()
    me.until(lambda: "," in me.position)
    for place, share in enumerate((0.5, 0.9, 0.2)):
        drag_thumb(me, share, drop=False)
        if busy:
            me.session(f"({{app}}) => void {VIEW}.insert.send({{item: {{id: 'new{place}', subject: 'New'}}}})")
        ActionChains(me.chrome).release().perform()
        # The page's clock stands still, so a delayed request would never be sent.
        me.gone(".row.skeleton")
        numbers = [int(row["title"].split()[1]) for row in me.rows]
        assert len(numbers) > 5 and share * count - count / 10 < numbers[0] < share * estimate + count / 10
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    if busy:
        me.see(".pill", "3 new")


def test_the_end_key_scrolls_to_the_end_if_it_is_known(me: User, serve: Serve) -> None:
    me.open(long(serve, 5000, "--positions"))
    me.at("500 of 5,000")
    me.see(".thumb")
    me.press("END")
    me.see(".row-title", "Row 4999")
    me.at("5,000")
    me.press("HOME")
    me.see(".row-title", "Row 0")


def test_an_open_item_stays_open_while_its_list_gets_a_window(me: User, millions: str) -> None:
    me.open(millions)
    me.load()
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    me.see(".thumb").click()
    me.until(lambda: len(me.session("({app}) => [...app.views.keys()]")) == 3)
    me.load()
    me.see(".screen .position", "10,000,000")
    me.see("article h2", "Handover")
    me.press("ESCAPE")
    me.gone(".detail")
    me.until(lambda: me.session("({app}) => app.views.size") == 1)


@SIZES
def test_a_source_without_positions_gets_no_window(me: User, serve: Serve, size: tuple[int, int]) -> None:
    me.open(long(serve, 3000), size)
    me.see(".row-title", "Row 3")
    me.at("500+")
    before = seen(me)
    me.see(".thumb").click()
    me.gone(".thumb")
    me.until(lambda: me.session("({app}) => app.views.size") == 1)
    assert (me.position, seen(me)) == ("500+", before)


def test_the_position_far_down_is_restored_without_positions(me: User, serve: Serve) -> None:
    me.open(long(serve, 3000))
    for count in (500, 1000, 1500):
        me.at(f"{count}+")
        me.scroll(SCROLLER, 10_000_000)
    me.at("2000+")
    row = me.see(".row").size["height"]
    me.scroll(SCROLLER, 1300 * row + 20)
    me.let_pass(REST)
    me.until(lambda: me.run("() => history.state?.place?.index") == 1300)
    before = seen(me)
    me.chrome.refresh()
    me.see(".row-title", "Row 1301")
    me.until(lambda: seen(me) == before)
    me.until(lambda: me.session("({app}) => app.views.size") == 1)


def test_rows_are_placeholders_while_the_list_scrolls_fast(me: User, millions: str) -> None:
    open_millions(me, millions)
    me.gone(".row.skeleton")
    # Like a fast wheel: more than a screenful in a frame, over loaded rows.
    outlined = me.run(f"""async () => {{
      const scroller = document.querySelector('{SCROLLER}');
      const outlined = () => document.querySelectorAll('.row.skeleton').length;
      let most = 0;
      for (let top = 0; top < 4000; top += 1000) {{
        scroller.scrollTop = top;
        await eyes.frame();
        most = Math.max(most, outlined());
      }}
      return most;
    }}""")
    assert outlined > 0
    settle(me)


def test_rows_are_drawn_when_fast_scrolling_stops(me: User, serve: Serve) -> None:
    me.open(long(serve, 400))
    me.at("400")
    me.see(".row-title", "Row 3")
    # Two steps of more than a screenful, and a small one with the same rows.
    me.run("""async (selector) => {
      const scroller = document.querySelector(selector);
      for (const distance of [5000, 5000, 1, 0, 0]) {
        scroller.scrollTop += distance;
        await eyes.frame();
      }
    }""", SCROLLER)
    me.see(".row-title", "Row 1")
    me.gone(".row.skeleton")
