"""The example ChatExample: lists that open lists, and a pager next to a list that another list opened."""

from __future__ import annotations

import pytest
from conftest import Serve
from serving import binary
from user import DESKTOP, PHONE, User


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_channel_s_images_open_next_to_its_messages(me: User, serve: Serve, size: tuple[int, int]) -> None:
    me.open(serve(None, program=binary("ChatExample")).url, size)
    me.see(".row", "Streams and lists")
    me.click(".row", "swift")
    me.see(".title", "Messages")
    me.see(".row-title", "Look at this")
    me.press("DOWN", "DOWN", "DOWN", "DOWN", "i")
    me.see(".detail .position", "4 of 10")
    me.see(".detail", ".svg")
    me.press("RIGHT")
    me.see(".detail .position", "5 of 10")
    me.press("ESCAPE")
    me.gone(".detail")
    me.see(".title", "Messages")
    me.press("i")
    me.see(".detail .position", "4 of 10")
    me.chrome.back()
    me.gone(".detail")
    me.chrome.back()
    me.see(".title", "Channels")
    assert not me.all("[role=alert] *")
