"""Cells, keys and styles: the layer between screens and the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Glass
from nagare_terminal.canvas import Canvas
from nagare_terminal.cells import cut, fit, width, wrap
from nagare_terminal.field import Field
from nagare_terminal.keys import Decoder, Background, Mouse, Paste
from nagare_terminal.theme import Theme, WrongTheme, theme


@pytest.mark.parametrize("text, cells", [("abc", 3), ("検索", 4), ("e\u0301", 1), ("👨\u200d👩\u200d👧", 2), ("👍🏽", 2), ("한글", 4), ("", 0)])
def test_text_is_measured_in_cells(text: str, cells: int) -> None:
    assert width(text) == cells


def test_a_cut_text_ends_with_an_ellipsis_and_splits_no_character() -> None:
    assert [cut("検索画面", cells) for cells in (8, 7, 6, 1, 0)] == ["検索画面", "検索画…", "検索…", "…", ""]
    assert [fit("検", 4, align) for align in ("start", "center", "end")] == ["検  ", " 検 ", "  検"]


def test_lines_end_between_words_and_never_before_a_closing_sign() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("検索画面です。", 12) == ["検索画面で", "す。"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("one\n\n  two", 20) == ["one", "", "  two"]


def test_no_half_of_a_wide_character_remains() -> None:
    canvas = Canvas(6, 1)
    canvas.write(0, 0, "検索画")
    canvas.write(1, 0, "|")
    canvas.write(4, 0, "|")
    assert canvas.text() == " |索| "
    assert all(text for text, _ in canvas.cells[0][:2]) and len(canvas.cells[0]) == 6


def test_control_characters_in_texts_are_not_written() -> None:
    canvas = Canvas(12, 1)
    canvas.write(0, 0, "a\x1b[31m\x9b\u202eb\u2066\u061c" + "e" + 99 * "\u0301")
    assert canvas.text().startswith("a [31m b") and not {"\x1b", "\x9b", "\u202e", "\u2066", "\u061c"} & {*canvas.text()}
    assert max(len(text) for text, _ in canvas.cells[0]) <= 16, "nor does it pile up what no font shows"


def test_cutting_a_long_text_is_quick() -> None:
    measured: list[int] = []

    class Long(str):
        def __getitem__(self, part: Any) -> str:
            measured.append(len(str(self)[part]))
            return str(self)[part]

    assert cut(Long("検" * 1_000_000), 9) == "検検検検…" and max(measured) < 1000


def test_text_outside_of_a_canvas_is_not_drawn() -> None:
    canvas = Canvas(6, 2)
    canvas.part(1, 0, 3, 1).write(0, 0, "検索")
    canvas.part(5, 5, 3, 1).write(0, 0, "x")
    assert canvas.text() == " 検   \n      "


SAID = [
    (b"a", ["a"]),
    ("検".encode(), ["検"]),
    (b"\r\t\x7f\x03", ["enter", "tab", "backspace", "ctrl+c"]),
    (b"\x1b[A\x1bOB\x1b[1;5C\x1b[Z\x1b[5~\x1b[3~", ["up", "down", "ctrl+right", "shift+tab", "pageup", "delete"]),
    (b"\x1b[200~two\rlines \x1b[A\x1b[201~", [Paste("two\nlines \x1b[A")]),
    (b"\x1b[<0;3;2M\x1b[<0;3;2m\x1b[<65;1;1M", [Mouse("left", 2, 1), Mouse("down", 0, 0)]),
    (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", [Background(True)]),
    (b"\x1b]11;rgb:00/10/20\x07x", [Background(False), "x"]),
    (b"\x1bx", ["alt+x"]),
]


@pytest.mark.parametrize("said, events", SAID)
def test_keys_are_decoded_however_their_bytes_are_split(said: bytes, events: list[object]) -> None:
    assert [*Decoder().feed(said)] == events
    decoder = Decoder()
    assert [event for byte in said for event in decoder.feed(bytes([byte]))] == events


def test_an_escape_byte_is_the_escape_key_if_nothing_follows() -> None:
    decoder = Decoder()
    assert [*decoder.feed(b"\x1b")] == [] and decoder.is_incomplete
    assert [*decoder.flush()] == ["escape"] and not decoder.is_incomplete
    assert [*decoder.feed(b"\x1b["), *decoder.flush()] == ["escape", "["]
    assert [*decoder.feed(b"\x1b\x1b[A"), *decoder.flush()] == ["escape", "up"]


def test_a_field_is_edited_by_characters_not_by_code_points() -> None:
    field = Field("ae\u0301")
    field.type("backspace")
    assert (field.text, field.cursor) == ("a", 1)
    for key in ("left", "検", " ", "b", "home", "delete", "end", "ctrl+w"):
        assert field.type(key)
    assert field.text == " " and not field.type("enter")
    field.paste("two\nlines")
    assert field.text == " two lines"


def test_a_field_scrolls_so_that_the_cursor_stays_in_sight() -> None:
    glass, field = Glass((8, 1)), Field("abcdefghij検")
    field.draw(glass.canvas, 0, 0, 8, active=True)
    assert glass.canvas.text() == "fghij検 " and glass.canvas.cursor == [(7, 0)]


def test_styles_can_be_combined() -> None:
    styles = Theme({"cursor": "on #102030", "title": "bold #ffffff"})
    assert styles.code("cursor title") == "\x1b[0;48;2;16;32;48;1;38;2;255;255;255m"
    assert Theme(styles.styles, is_true_color=False).code("title") == "\x1b[0;1;38;5;231m"


def test_a_theme_can_be_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "theme.json"
    file.write_text(json.dumps({"base": "light", "cursor": "on #ffffcc"}))
    assert theme(file=file).attributes("cursor") == {"ground": "#ffffcc"} and theme(file=file).attributes("accent") == {"color": "#0550ae"}
    monkeypatch.setenv("NO_COLOR", "")
    assert theme().attributes("cursor") == {"reverse": "reverse"}
    for wrong in ('{"cursor": "on pink"}', '{"curser": "bold"}', '{"base": "pink"}', "[]", "{"):
        file.write_text(wrong)
        with pytest.raises(WrongTheme):
            theme(file=file)
