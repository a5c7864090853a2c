"""Pictures that are written as text."""

from __future__ import annotations

import base64
import struct
from pathlib import Path

from conftest import list_of_rows, run, user, write_rows
from nagare_terminal import picture

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 80, 40) + b"\x08\x02" + bytes(5000)
URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


def test_a_picture_is_shown_where_the_terminal_can_and_else_told(tmp_path: Path) -> None:
    async def test() -> None:
        async with user(options=list_of_rows(tmp_path)) as me:
            await me.until(lambda: me.view["items"])
            assert "base64" not in me.text
            await me.press("enter")
            assert "Avatar        [picture, 5.04 kB]" in me.text and "base64" not in me.text
            me.glass.pictures = []
            await me.resize(81, 24)
            assert "[picture" not in me.text and me.glass.pictures == [PNG]
            rows = [line for line in me.lines if "\U0010eeee" in line]
            assert [line.count("\U0010eeee") for line in rows] == [10, 10]
            y = me.lines.index(rows[1])
            assert me.glass.canvas.cells[y][2] == ("\U0010eeee\u030d\u0305", "#000001")

    write_rows(tmp_path, [{"id": 1, "title": "Mei", "avatar": URL}])
    run(test())


def test_a_picture_keeps_its_shape_and_is_told_in_pieces() -> None:
    assert picture.cells(PNG, 60) == (10, 2) and picture.cells(PNG, 4) == (4, 1)
    told = picture.sent(PNG, 7, 10, 2)
    assert told.startswith("\x1b_Ga=T,U=1,q=2,f=100,i=7,c=10,r=2,m=1;") and told.count("\x1b_G") == 2 and "\x1b_Gm=0;" in told
    assert [picture.decoded(url) for url in ("data:image/png;base64,AAAA", "data:image/png;base64,???", "data:,")] == [None, None, None]
