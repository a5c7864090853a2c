"""Guessed titles and summaries of items, and the format of values."""

from __future__ import annotations

import nagare
import pytest
from nagare_terminal import filters
from nagare_terminal.article import plain_text
from nagare_terminal.item_guess import item_id, summary, title
from nagare_terminal.markdown import markdown
from nagare_terminal.text import humanize, line


def test_titles_and_second_lines_are_guessed() -> None:
    mail = {"id": 1, "subject": "Hello", "sender": "Mei <mei@example.jp>", "date": "2026-11-20T19:11:00+09:00", "tags": ["a", "b"], "body": "x" * 80}
    assert (title(mail), summary(mail)) == ("Hello", "Mei · 2026-11-20 19:11 · a, b · " + "x" * 80)
    assert (title({"messageId": "m1", "size": 5, "read": False}), summary({"a": None})) == ("m1", "")
    assert (title("curry"), title({"id": 3})) == ("curry", "3")


def test_an_id_is_shown_once() -> None:
    assert summary({"messageId": "m1", "size": 5}) == "5"
    assert summary({"messageId": "m1", "subject": "Hello", "size": 5}) == "5"


@pytest.mark.parametrize("name", ["messageId", "message_id", "message-id", "ID", "rowID", "uid"])
def test_a_field_that_only_ends_with_the_letters_id_is_not_the_id(name: str) -> None:
    assert item_id({"paid": True, "valid": False, name: "m1"}) == "m1"


def test_arrays_are_formatted_by_their_elements() -> None:
    assert line(nagare.Items([{"name": "a"}, "b"])) == line([{"name": "a"}, "b"]) == "Name: a, b"


def test_the_body_comes_last_in_a_summary_however_short_it_is() -> None:
    assert summary({"id": 1, "body": "Short.", "sender": "Mei"}) == "Mei · Short."
    assert summary({"id": 1, "body": "One\n\ntwo " + "x" * 99, "more": "y" * 99}) == "One two " + "x" * 99
    assert summary({"id": 1, "sender": "<mei@example.jp>"}) == "<mei@example.jp>"


@pytest.mark.parametrize(
    "told, shown",
    [
        ("2026-11-20T10:11:00Z", "2026-11-20 19:11"),
        ("2026-11-20T23:11:00.1234-0500", "2026-11-21 13:11"),
        ("2026-11-20T10:11", "2026-11-20 10:11"),
        ("2026-13-20T10:11Z", "2026-13-20T10:11Z"),
        ("9999-12-31T23:59Z", "9999-12-31T23:59Z"),
    ],
)
def test_times_are_shown_in_local_time(told: str, shown: str) -> None:
    assert line(told) == shown


def test_names_are_converted_to_words() -> None:
    assert [humanize(name) for name in ("pickImage", "pick_image", "items", "")] == ["Pick image", "Pick image", "Items", ""]


@pytest.mark.parametrize(
    "said, values, meant",
    [
        ("2026-03-31", ["2026-03-31T10:00:00Z"], {"from": "2026-03-31", "to": "2026-03-31T24:00"}),
        ({"from": "2026-03-01", "to": "2026-03-31"}, [None, "2026-01-01 10:00"], {"from": "2026-03-01", "to": "2026-03-31 24:00"}),
        ({"from": "2026-03-01"}, ["2026-01-01 10:00"], {"from": "2026-03-01"}),
        ({"to": "2026-03-31 12"}, ["2026-01-01 10:00"], {"to": "2026-03-31 12"}),
        ("2026-03-31", ["2026-03-31"], "2026-03-31"),
        ({"from": 1, "to": 2}, [1, 2], {"from": 1, "to": 2}),
        (["2026-03-31"], ["2026-01-01 10:00"], ["2026-03-31"]),
    ],
)
def test_a_day_in_a_filter_for_times_means_the_whole_day(said: object, values: list[object], meant: object) -> None:
    assert filters.whole_days(said, values) == meant


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("a..b", {"from": "a", "to": "b"}),
        ("7 ..", {"from": 7}),
        ("..2026-03-31", {"to": "2026-03-31"}),
        ("0..0.5", {"from": 0, "to": 0.5}),
        ('"7".."010"', {"from": "7", "to": "010"}),
        ("..", ".."),
        ('"a..b"', "a..b"),
        ('"7"', "7"),
        ('"„“"', "„“"),
        ('"begun', '"begun'),
        ("7", 7),
        ("007", "007"),
        ("bug", "bug"),
        ('["bug", "a..b"]', ["bug", "a..b"]),
        ("v1...v2", {"from": "v1", "to": ".v2"}),
    ],
)
def test_a_filter_is_typed_as_a_value_a_range_or_a_text_in_quotes(typed: str, meant: object) -> None:
    assert filters.read(typed) == meant and type(filters.read(typed)) is type(meant)
    assert filters.read(filters.written(meant)) == meant, "what stands is written so that it is read again as it is"


@pytest.mark.parametrize(
    "text, rendered",
    [
        ("# Plans #", "Plans"),
        ("## C # and more ##", "C # and more"),
        ("#   ", ""),
        ("[a [b](https://x.jp/?c[]=1)", "[a b (https://x.jp/?c[]=1)"),
        ("[[[", "[[["),
    ],
)
def test_headings_and_links_of_markdown(text: str, rendered: str) -> None:
    assert "".join(part for parts in markdown(text, 80) for part, _ in parts) == rendered


def test_invisible_elements_of_html_are_omitted() -> None:
    text = "<HEAD>a</head >b<script>c</style>d</Script>e<style>f<script>g</script>h<header>i</header>"
    assert plain_text(text, "html") == "befhi"
