"""Custom screens. How they are shown follows from their inputs and outputs."""

from __future__ import annotations

import pytest
from conftest import Serve
from serving import Site, binary
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def test_screens_with_required_parameters_are_not_in_the_menu(me: User, own: Site) -> None:
    me.open(own.url)
    assert [link.text for link in me.all("nav a")] == ["Counter", "Ticket", "List", "Articles", "Bills", "Outbox", "Diary", "Chat", "Album", "Shelf"]


@SIZES
def test_a_counter_has_a_button_a_form_and_a_number(me: User, own: Site, size: tuple[int, int]) -> None:
    me.open(own.url, size)
    me.see("dd", "0")
    me.click("button", "Increment")
    me.see("dd", "1")
    assert me.see("input[type=number]").get_attribute("value") == "5", "what the schema says by itself"
    me.click("form button", "Add")
    me.see("dd", "6")
    me.audit()


@SIZES
def test_a_form_has_a_field_for_each_property_of_its_schema(me: User, own: Site, size: tuple[int, int]) -> None:
    me.open(own.url, size, part="#/ticket")
    me.see("dd", "プリンターが紙を食べる")
    form = "[aria-label=Order]"
    me.click(f"{form} button", "Order")
    assert me.focused == "", "the browser asks for what is required"
    me.press(*"Paper")
    fill = """(label, value) => {
      const field = [...document.querySelectorAll('[aria-label=Order] label')].find((it) => it.textContent === label).control;
      if (field.type === 'checkbox') field.click(); else field.value = value;
    }"""
    for label, value in (("Size", "7"), ("Color", "1"), ("Due", "2026-12-24"), ("Urgent", ""), ("City", "Nowhere")):
        me.run(fill, label, value)
    me.click(f"{form} fieldset button", "Add")
    me.press(*"紙", "TAB")
    me.audit()
    me.click(f"{form} > .buttons button", "Order")
    me.see(f"{form} .field .complaint", "“address.city” must be somewhere.")
    assert me.run("() => document.activeElement.labels[0].textContent") == "City"
    me.audit()
    me.run(fill, "City", "大阪")
    me.click(f"{form} > .buttons button", "Order")
    me.see("dd", "大阪")
    expected = {"id": "T-2", "title": "Paper", "size": 7, "color": "deep_blue", "due": "2026-12-24", "urgent": True}
    assert me.session("({app}) => app.views.get('v1').ticket") == expected | {"address": {"city": "大阪"}, "tags": ["紙"]}


@SIZES
def test_errors_are_shown_at_their_field_or_below_the_form(
    me: User, own: Site, size: tuple[int, int]
) -> None:
    me.open(own.url, size, part="#/ticket")
    field = me.see("[aria-label=Text] input")
    assert field.get_attribute("value") == "Bon", "what there is already is filled in"
    field.send_keys("jour!")
    me.press("ENTER")
    me.see("[aria-label=Text] .complaint", "“text” must be calm.")
    field.clear()
    field.send_keys("\n")
    me.gone("[aria-label=Text] .complaint")
    me.click("button", "Save")
    me.see("[role=alert]", "Nothing to save")
    me.audit()
    field.send_keys("Hello\n")
    me.click("[role=alert] button", "Try again")
    me.see(".toast", "Saved")
    me.gone("[role=alert] p", "Nothing to save")


@SIZES
def test_objects_become_tables_and_urls_become_pictures_or_links(me: User, own: Site, size: tuple[int, int]) -> None:
    me.open(own.url, size, part="#/ticket")
    me.see("td", "また。")
    assert [head.text for head in me.all("th")] == ["Id", "Text", "Likes"]
    me.open(own.url, size, part="#/list")
    me.see("dd img")
    assert me.see("dd a").get_attribute("href") == "https://example.org/"
    me.click("button", "Items")
    me.gone("dd img")
    me.audit()


@SIZES
@pytest.mark.parametrize("way", ["choose", "back", "key", "button"])
def test_a_view_that_an_input_opens_replaces_its_screen(me: User, own: Site, size: tuple[int, int], way: str) -> None:
    me.open(own.url, size, part="#/ticket")
    me.see("dd", "プリンター")
    me.click("button", "Assign")
    me.see(".title", "People")
    me.audit()
    if way == "choose":
        me.click(".choice", "Mei")
    elif way == "key":
        me.press("ESCAPE")
    elif way == "button":
        me.click("[aria-label=Back]")
    else:
        me.chrome.back()
    me.see(".title", "Ticket")
    me.see("dd", "Mei" if way == "choose" else "–")
    me.until(lambda: me.session("({app}) => app.views.size") == (2 if way == "choose" else 1) or way == "choose")
    assert me.chrome.current_url.endswith("#/ticket")


@SIZES
def test_a_custom_list_is_shown_as_a_list(me: User, own: Site, size: tuple[int, int]) -> None:
    me.open(own.url, size, part="#/articles")
    me.at("9+")
    me.scroll(".screen:not([hidden]) .scroller", 100_000)
    with me.time_running():
        me.at("9")
    me.scroll(".screen:not([hidden]) .scroller", 0)
    assert me.see(".row-title", "1.0") and not me.all(".row.skeleton")
    # A refresh starts with the first page again. The others follow.
    me.run("() => document.querySelector('.screen:not([hidden]) [role=listbox]').focus()")
    me.press("r")
    me.at("9+")
    me.click(".row", "Article 4")
    me.see(".detail article", "Article 4")
    assert not me.all(".toast"), "what is opened is seen"
    me.audit()


@SIZES
def test_a_custom_screen_with_select_is_shown_as_a_list(me: User, own: Site, size: tuple[int, int]) -> None:
    me.open(own.url, size, part="#/shelf")
    me.at("3")
    assert [row["title"] for row in me.rows] == ["d0", "d1", "d2"] and not me.all(".row.skeleton, table")
    me.see("dd", "Aoi")
    me.scroll(".screen:not([hidden]) .scroller", 100_000)
    me.click(".row", "Day 1")
    me.see(".detail article", "Day 1")
    assert not me.all(".toast"), "what is opened is seen"
    me.audit()


@SIZES
def test_the_previous_page_loads_when_the_first_row_is_visible(me: User, own: Site, size: tuple[int, int]) -> None:
    scroller = ".screen:not([hidden]) .scroller"

    def requested(number: int, first: str) -> None:
        """Waits until the input was sent a number of times and a row is at the top of the list."""
        me.sees("(number) => document.querySelector('.screen:not([hidden]) dd')?.textContent === String(number)", number)
        me.sees(
            """(first) => {
              const top = document.querySelector('.screen:not([hidden]) .scroller').getBoundingClientRect().top;
              const row = eyes.all('.screen:not([hidden]) [role=option]', first)[0];
              return row && Math.abs(row.getBoundingClientRect().top - top) < 1;
            }""",
            first,
        )

    me.open(own.url, size, part="#/diary")
    requested(1, "Day 60")
    assert me.position == "60+" and not me.all(".pill"), "rows of an earlier page aren't new"
    me.scroll(scroller, 0)
    requested(2, "Day 40")
    me.let_pass(1000)
    requested(2, "Day 40")
    me.let_pass(100)
    requested(3, "Day 40")
    assert me.position == "80+"
    me.audit()
    me.scroll(scroller, 0)
    requested(4, "Day 20")
    me.see(".complaints [role=alert], [role=alert] .complaints", "The diary is locked")
    me.audit()
    me.click(".complaints button", "Try again")
    requested(5, "Day 20")
    assert me.position == "100+" and not me.all(".complaints")
    for number in (6, 8):
        me.scroll(scroller, 0)
        requested(number, "Day 0")
        me.let_pass(1100)
        requested(number + 1, "Day 0")
        me.let_pass(60_000)
        requested(number + 1, "Day 0")
        me.scroll(scroller, 1000)


def asked(me: User, number: int) -> None:
    """Waits until the previous page was requested a number of times."""
    me.sees("(number) => [...document.querySelectorAll('.screen:not([hidden]) dd')].at(-1)?.textContent === String(number)", number)


def stands_at(me: User, edge: str, title: str) -> None:
    """Waits until a row is at the `top` or `bottom` of the visible part of the list."""
    me.sees(
        """(edge, title) => {
          const list = document.querySelector('.screen:not([hidden]) .scroller').getBoundingClientRect();
          const row = eyes.all('.screen:not([hidden]) [role=option]', title)[0];
          return row && Math.abs(row.getBoundingClientRect()[edge] - list[edge]) < 1;
        }""",
        edge,
        title,
    )


@SIZES
def test_a_list_at_its_end_keeps_its_position_when_the_previous_page_loads(me: User, own: Site, size: tuple[int, int]) -> None:
    scroller = ".screen:not([hidden]) .scroller"
    me.open(own.url, size, part="#/chat")
    asked(me, 1)
    stands_at(me, "bottom", "Day 99")
    assert me.position == "60+" and not me.all(".pill"), "rows of an earlier page aren't new"
    me.see("dd", "to 60")
    me.scroll(scroller, 0)
    asked(me, 2)
    stands_at(me, "top", "Day 40")
    assert not me.all(".pill")
    me.scroll(scroller, 0)
    asked(me, 3)
    stands_at(me, "top", "Day 20")
    me.audit()


@SIZES
def test_a_list_keeps_its_position_when_its_viewport_loads_the_previous_page(me: User, own: Site, size: tuple[int, int]) -> None:
    scroller = ".screen:not([hidden]) .scroller"
    me.open(own.url, size, part="#/album")
    for number, first in enumerate(("Day 60", "Day 40", "Day 20"), 1):
        asked(me, number)
        stands_at(me, "top", first)
        assert not me.all(".pill"), "rows of an earlier page aren't new"
        assert me.position == f"{40 + 20 * number}+", "the total is unknown"
        me.scroll(scroller, 0)
    me.audit()


@SIZES
def test_the_tutorial_s_list_is_shown_as_a_list(me: User, serve: Serve, size: tuple[int, int]) -> None:
    me.open(serve(program=binary("ArticlesExample")).url, size)
    me.see(".row-title", "Article 0 on page 1")
    # The list drops requests within a second, so the page sends it again.
    with me.time_running():
        me.at("9")
    me.click(".row", "Article 2 on page 1")
    me.see("article h2", "Article 2 on page 1")
    assert me.position == "3 of 9"
    me.press("ARROW_RIGHT")
    me.see("article h2", "Article 0 on page 2")
    assert not me.all(".toast")


def test_views_that_other_views_opened_end_with_the_server(me: User, own: Site) -> None:
    me.open(own.url, part="#/ticket")
    me.see("dd", "プリンター")
    me.click("button", "Assign")
    me.see(".title", "People")
    me.session("({app}) => app.close().then(() => app.dispatchEvent(new Event('lost')))")
    me.see(".title", "Ticket")
    me.see("dd", "プリンター")
