"""Lists: pages, rows, refreshing, searching and failures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Serve, write_rows
from serving import Site
from user import DESKTOP, GRACE, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"


def one_list(path: str, **parameters: object) -> dict[str, object]:
    return {
        "sources": {"file": {"type": "file", "path": path}},
        "screens": {"rows": {"viewModel": "list", "source": "file", **parameters}},
    }


@SIZES
def test_a_list_shows_placeholders_and_then_its_items(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size)
    me.see(".row.skeleton")
    assert me.see("[role=listbox]").get_attribute("aria-busy") == "true"
    me.load()
    me.see(".row-title", "Handover before my holiday")
    me.gone(".row.skeleton")
    assert me.position == "20+"


@SIZES
def test_the_next_page_loads_when_the_end_is_visible(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size)
    me.load()
    for count in ("40+", "60+"):
        me.scroll(SCROLLER, 100_000)
        me.see(".row.skeleton")
        me.load()
        assert me.position == count


def test_a_high_browser_window_is_filled_with_several_pages(me: User, demo: Site) -> None:
    me.open(demo.url, (1280, 4000))
    for _ in range(3):
        me.load()
    assert me.position == "60+"


@SIZES
def test_only_a_few_of_a_hundred_thousand_rows_are_in_the_document(me: User, serve: Serve, size: tuple[int, int]) -> None:
    count = 100_000
    # A source without positions has no window, so the page holds all rows.
    source = {"type": "command", "command": [sys.executable, str(Path(__file__).with_name("long_rows.py")), str(count)]}
    screens = {"rows": {"viewModel": "list", "source": "rows", "pageSize": 10_000}}
    me.open(serve({"sources": {"rows": source}, "screens": screens}).url, size)
    # Modules that load after the first rows count as well.
    me.until(lambda: me.run("() => document.querySelector('.scrollbar')"))
    elements, seen = set(), 0
    for place in range(0, count, 10_000):
        me.until(lambda: me.position in (f"{place + 10_000}+", str(count)))
        me.scroll(SCROLLER, 100_000_000)
        rows = me.rows
        assert [row["title"] for row in rows] == [f"Row {row['place'] - 1}" for row in rows]
        assert rows[0]["place"] > seen
        seen = rows[-1]["place"]
        elements.add(me.run("() => document.querySelectorAll('*').length"))
    me.until(lambda: me.rows[-1]["title"] == f"Row {count - 1}")
    assert me.position == str(count)
    assert max(elements) < 600 and max(elements) - min(elements) < 50
    me.scroll(SCROLLER, 0)
    assert me.rows[0]["title"] == "Row 0"


def test_row_elements_are_reused(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.run("() => { for (const row of document.querySelectorAll('.row')) row.mark = true; }")
    me.scroll(SCROLLER, 700)
    assert me.rows[0]["place"] > 1
    assert me.run("() => [...document.querySelectorAll('.row')].filter((row) => !row.mark).length") <= 6


def test_visible_rows_stay_while_items_are_inserted_above(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.scroll(SCROLLER, 860)
    place = """() => [...document.querySelectorAll('[role=option]')]
      .find((row) => row.textContent.includes('Agenda')).getBoundingClientRect().top"""
    before = me.run(place)
    me.session("({app}) => app.views.get('v1').insert({item: {id: 'new', subject: 'New'}})")
    me.at("21+")
    assert me.run(place) == before


@pytest.mark.parametrize("way", ["key", "button", "finger"])
def test_a_refresh_loads_the_first_page_again(me: User, demo: Site, way: str) -> None:
    me.open(demo.url, PHONE)
    me.load()
    me.scroll(SCROLLER, 100_000)
    me.load()
    assert me.position == "40+"
    if way == "key":
        me.run("() => document.querySelector('[role=listbox]').focus()")
        me.press("r")
    elif way == "button":
        me.click("[aria-label=Refresh]")
    else:
        me.scroll(SCROLLER, 0)
        me.drag(SCROLLER, 0, 40)
        assert me.position == "40+", "a short pull is none"
        me.drag(SCROLLER, 0, 200, drop=False)
        me.see(".pull.enough")
        me.lift()
    assert me.position == "40+", "what is there stays until it has come again"
    me.until(lambda: me.session("({app}) => app.views.get('v1').loading"))
    me.load()
    # Down to the last visible row, which is at the top now.
    assert me.position == "20+" and me.rows[0]["place"] == 1
    assert not me.session("({app}) => app.views.get('v1').loading")


def test_a_failed_load_is_shown_and_can_be_retried(me: User, serve: Serve, tmp_path: Path) -> None:
    me.open(serve(one_list("rows.jsonl")).url)
    me.see("[role=alert]", "No such file or directory")
    write_rows(tmp_path / "rows.jsonl", [{"id": n, "title": f"Row {n}"} for n in range(3)])
    me.click("[role=alert] button", "Try again")
    me.see(".row-title", "Row 2")
    me.gone("[role=alert]")
    assert me.position == "3"


PROGRAM = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    first = request["params"]["key"] or 0
    items = [{"id": n, "title": f"Row {n}"} for n in range(first, first + 20)]
    answer = {"result": {"items": items, "next": first + 20 if first < 40 else None}}
    if first > 0 and not os.path.exists(f"page-{first}"):
        answer = {"error": {"code": 7, "message": "Not now"}}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
"""


@SIZES
def test_a_failed_next_page_is_shown_and_can_be_retried(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "pages.py").write_text(PROGRAM)
    source = {"type": "command", "command": [sys.executable, "pages.py"]}
    screens = {"rows": {"viewModel": "list", "source": "pages", "detail": "row"}, "row": {"viewModel": "pager"}}
    me.open(serve({"sources": {"pages": source}, "screens": screens}).url, size)
    me.see(".row-title", "Row 0")
    me.scroll(SCROLLER, 100_000)
    me.see(".scroller [role=alert]", "Not now")
    assert me.position == "20+"
    me.click(".row", "Row 19")
    me.see(".detail [role=alert]", "Not now")
    (tmp_path / "page-20").touch()
    me.click(".detail button", "Try again")
    me.at("20 of 40+")
    me.press("ESCAPE")
    me.gone(".detail")
    me.scroll(SCROLLER, 100_000)
    me.see(".scroller [role=alert]", "Not now")
    (tmp_path / "page-40").touch()
    me.scroll(SCROLLER, 0)
    me.scroll(SCROLLER, 100_000)
    me.at("60")


EARLIER = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    first = request["params"]["key"] or 0
    items = [{"id": n, "title": f"Row {n}"} for n in range(first, first + 20)]
    result = {"items": items, "next": first + 20, "previous": first - 20 if first > -40 else None}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""


@SIZES
def test_the_previous_page_is_inserted_above_the_visible_rows(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "pages.py").write_text(EARLIER)
    source = {"type": "command", "command": [sys.executable, "pages.py"]}
    me.open(serve({"sources": {"pages": source}, "screens": {"rows": {"viewModel": "list", "source": "pages"}}}).url, size)
    me.at("40+")
    titles = "() => [...document.querySelectorAll('[role=option]')].filter((row) => row.getBoundingClientRect().top > 50)"
    shown = f"() => ({titles})().map((row) => row.querySelector('.row-title').textContent)"
    assert "Row 0" in me.run(shown) and not me.all(".pill")
    me.scroll(SCROLLER, 0)
    me.at("60+")
    assert not me.all(".pill")


def test_an_empty_list_shows_a_notice(me: User, serve: Serve, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [])
    me.open(serve(one_list("rows.jsonl")).url)
    me.see(".emptiness", "Nothing here")


@SIZES
def test_texts_of_items_are_never_parsed_as_html(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int]) -> None:
    evil = "<img src=x onerror='document.title=\"broken\"'>"
    links = {"link": "javascript:alert(1)", "home": "https://example.org/"}
    item = {"id": evil, "title": evil, "sender": evil, "body": evil * 3, "tag": evil, **links}
    write_rows(tmp_path / "rows.jsonl", [item])
    config = one_list("rows.jsonl", detail="detail")
    config["screens"]["detail"] = {"viewModel": "pager"}  # type: ignore[index]
    me.open(serve(config).url, size)
    me.click(".row")
    assert evil in me.see("article h2").text
    assert [link.text for link in me.all("article a")] == ["https://example.org/"]
    assert me.run("() => document.querySelectorAll('img').length") == 0
    assert me.chrome.title == "Rows – Nagare"


def test_the_browser_prevents_parsing_texts_as_html(me: User, demo: Site) -> None:
    me.open(demo.url)
    assert me.run("() => { try { document.body.innerHTML = '<p>'; } catch (error) { return error.name; } }") == "TypeError"
    assert "TrustedHTML" in me.told()[0]


@SIZES
def test_a_search_follows_typing(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size, part="#/articles")
    me.load()
    me.click("[type=search]")
    me.press(*"swift")
    me.advance(199)
    assert me.session("({app}) => app.views.get('v1').query") == ""
    me.load()
    me.see(".row-title", "Swift Testing")
    me.press(*"zz")
    me.load()
    me.see(".emptiness", "Nothing found for “swiftzz”")
    me.press("ESCAPE")
    me.load()
    assert me.position == "20+" and me.see("[type=search]").get_attribute("value") == ""


@SIZES
def test_escape_in_the_list_ends_the_search(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size, part="#/articles")
    me.load()
    me.press("/", *"swift", "ENTER")
    me.load()
    me.press("ENTER")
    me.see(".detail")
    me.press("ESCAPE")
    me.gone(".detail")
    assert me.see("[type=search]").get_attribute("value") == "swift", "what is open is closed first"
    me.press("ESCAPE")
    me.load()
    assert me.position == "20+" and me.see("[type=search]").get_attribute("value") == ""


def test_the_newest_query_wins_and_its_items_are_shown_from_the_top(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/articles")
    me.load()
    me.scroll(SCROLLER, 900)
    me.run("() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()")
    me.press("/", *"rx")
    me.advance(300)
    me.press(*"swift")
    me.load()
    assert me.session("({app}) => app.views.get('v1').query") == "rxswift"
    assert me.rows[0]["place"] == 1
    assert all("rx" in title.lower() for title in [me.all(".row-title")[0].text])


def test_the_id_is_the_configured_field_even_if_another_is_named_id(me: User, serve: Serve, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [{"id": 7, "shopId": 1, "order": n, "title": f"Order {n}"} for n in range(5)])
    screens = {"rows": {"viewModel": "list", "source": "file", "detail": "one", "undo": GRACE}, "one": {"viewModel": "pager"}}
    source = {"type": "file", "path": "rows.jsonl", "id": "order"}
    me.open(serve({"sources": {"file": source}, "screens": screens}, "--clock", "virtual").url)
    me.load()
    me.click(".row", "Order 3")
    me.see("article h2", "Order 3")
    assert me.chrome.current_url.endswith("#/rows/3") and me.see(".row[aria-selected=true]").text .endswith("Order 3\nid 7 · shop id 1")
    me.press("ESCAPE", "x", "ARROW_DOWN", "e")
    me.see(".toast", "Archive: “Order 3”")
    me.lists("Order 0", "Order 1", "Order 2", "Order 4")
    me.advance(GRACE)
    me.gone(".toast")
    assert me.titles == ["Order 0", "Order 1", "Order 2", "Order 4"]
