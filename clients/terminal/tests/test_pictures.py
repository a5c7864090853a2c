"""Pictures in data URLs."""

from __future__ import annotations

import base64
import fcntl
import os
import re
import shutil
import struct
import termios
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, list_of_rows, run, user, write_rows
from nagare_terminal import picture
from test_command import terminal

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 80, 40) + b"\x08\x02" + bytes(5000)
URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


def test_a_picture_is_shown_if_the_terminal_supports_it_and_otherwise_described(tmp_path: Path) -> None:
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


def test_a_picture_keeps_its_proportions_and_is_sent_in_pieces() -> None:
    assert picture.cells(PNG, 60) == (10, 2) and picture.cells(PNG, 4) == (4, 1)
    told = picture.kitty_sequence(PNG, 7, 10, 2)
    assert told.startswith("\x1b_Ga=T,U=1,q=2,f=100,i=7,c=10,r=2,m=1;") and told.count("\x1b_G") == 2 and "\x1b_Gm=0;" in told
    assert [picture.decoded(url) for url in ("data:image/png;base64,AAAA", "data:image/png;base64,???", "data:,")] == [None, None, None]


def drawn(wide: int, high: int, *colors: tuple[int, int, int]) -> bytes:
    """Returns a PNG of horizontal stripes of the same height."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(color) * wide for color in colors for _ in range(high // len(colors)))
    header = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


STRIPES = drawn(80, 40, (255, 0, 0), (0, 0, 255))


@pytest.fixture
def sixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a program that converts to sixels into PATH."""
    tools = ROOT / ".build" / "debian" / "usr"
    if not shutil.which("img2sixel"):
        assert (tools / "bin" / "img2sixel").exists(), "img2sixel is missing: install libsixel-bin"
        monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{tools / 'bin'}")
        monkeypatch.setenv("LD_LIBRARY_PATH", os.pathsep.join(str(one.parent) for one in tools.glob("lib/*/libsixel.so.1")))


@contextmanager
def before(folder: Path, nagare_binary: str, answer: str, pixels: tuple[int, int] = (640, 384)) -> Iterator[Any]:
    """Starts a terminal of 80 columns and 24 rows with a size in pixels, which answers the question for its attributes
    with `answer`. It shows a mail with a picture."""
    write_rows(folder, [{"id": 1, "title": "Mei", "avatar": f"data:image/png;base64,{base64.b64encode(STRIPES).decode()}", "text": "The end"}])
    with terminal("--file", str(folder / "rows.jsonl"), NAGARE=nagare_binary, TERM="xterm") as spawned:
        fcntl.ioctl(spawned.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, *pixels))
        spawned.expect_exact("\x1b[c")
        spawned.send(answer)
        spawned.expect("Mei")
        spawned.send("\r")
        yield spawned
        spawned.send("q")


def test_a_picture_is_drawn_as_sixels_if_the_terminal_supports_them(sixels: None, tmp_path: Path, nagare_binary: str) -> None:
    with before(tmp_path, nagare_binary, "\x1b[?62;4;22c") as spawned:
        spawned.expect_exact("\x1b8")
        shown = spawned.before + spawned.after
        spawned.expect_exact("The end")
        shown += spawned.before
    assert "[picture" not in shown and "\U0010eeee" not in shown
    # Each line of the terminal has one line of the picture, which keeps its proportions. A cell has 8 × 16 pixels.
    places = re.findall(r"\x1b\[(\d+)X\x1b7\x1bP(.*?)\x1b\\\x1b8((?:\x1b\[C)+)", shown)
    assert [(cells, right.count("C")) for cells, _, right in places] == [("10", 10), ("10", 10)]
    assert [re.findall(r'"1;1;(\d+;\d+)', made) for _, made, _ in places] == [["64;16"], ["64;16"]]
    colors = [set(re.findall(r"#\d+;2;(\d+);(\d+);(\d+)", made)) for _, made, _ in places]
    assert all(int(red) > 90 and int(blue) < 10 for red, _, blue in colors[0]) and colors[0]
    assert any(int(blue) > 90 and int(red) < 10 for red, _, blue in colors[1])


@pytest.mark.parametrize("answer, pixels", [("\x1b[?62;22c", (640, 384)), ("\x1b[?62;4c", (0, 0))], ids=["no sixels", "no pixels"])
def test_a_picture_is_described_if_the_terminal_cannot_draw_it(
    sixels: None, tmp_path: Path, nagare_binary: str, answer: str, pixels: tuple[int, int]
) -> None:
    with before(tmp_path, nagare_binary, answer, pixels) as spawned:
        spawned.expect_exact("[picture")


def test_a_picture_is_described_if_no_converter_is_installed(monkeypatch: pytest.MonkeyPatch, sixels: None) -> None:
    assert len(picture.sixel_lines(STRIPES, 10, 2, (8, 16))) == 2
    assert picture.sixel_lines(PNG, 10, 2, (8, 16)) == [], "it only looks like a picture"
    assert len(picture.sixel_lines(STRIPES, 10, 3, (9, 20))) == 3, "its shape is kept: 45 pixels of the height that it might have"
    monkeypatch.setenv("PATH", "")
    assert picture.sixel_lines(STRIPES, 10, 2, (8, 16)) == []
