"""What items are called of which nothing is known but their members."""

from __future__ import annotations

import nagare
import pytest
from nagare_terminal.words import identity, line, summary, title



def test_titles_and_second_lines_are_guessed() -> None:
    mail = {"id": 1, "subject": "Hello", "sender": "Mei", "date": "2026-11-20T19:11:00+09:00", "tags": ["a", "b"], "body": "x" * 80}
    assert (title(mail), summary(mail)) == ("Hello", "Mei · 2026-11-20 19:11 · a, b")
    assert (title({"messageId": "m1", "size": 5, "read": False}), summary({"a": None})) == ("m1", "")
    assert (title("curry"), title({"id": 3})) == ("curry", "3")


def test_an_id_is_told_once() -> None:
    assert summary({"messageId": "m1", "size": 5}) == "5"
    assert summary({"messageId": "m1", "subject": "Hello", "size": 5}) == "5"


@pytest.mark.parametrize("name", ["messageId", "message_id", "message-id", "ID", "rowID", "uid"])
def test_a_member_that_only_ends_like_an_id_is_none(name: str) -> None:
    assert identity({"paid": True, "valid": False, name: "m1"}) == "m1"


def test_a_list_is_told_by_its_members() -> None:
    assert line(nagare.Items([{"name": "a"}, "b"])) == line([{"name": "a"}, "b"]) == "name: a, b"
