"""Pictures in data URLs, shown by kitty's protocol or as sixels."""

from __future__ import annotations

import base64
import shutil
import struct
import subprocess
from collections.abc import Iterator

from .canvas import Cell
from .display import format_value

MAX_HEIGHT = 16
"""The maximum height of a picture, in lines."""
_PNG = b"\x89PNG\r\n\x1a\n"
# A placeholder cell. Combining characters encode its row and first column, and its color encodes the picture's number.
_PART = "\U0010eeee"
_ROWS = "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357"
_PIECE = 4096
_PATIENCE = 2.0
"""Seconds that converting a line of a picture may take."""


def placeholder(url: object) -> str:
    """Returns the text that replaces a picture. Returns an empty text if the address isn't a picture."""
    is_picture = isinstance(url, str) and url.startswith("data:image/")
    return f"[picture, {format_value(len(str(url)) * 3 // 4, 'bytes')}]" if is_picture else ""


def decoded(url: str) -> bytes | None:
    """Returns the bytes of a PNG in a data URL, or None for anything else."""
    try:
        data = base64.b64decode(url.partition(";base64,")[2], validate=True)
    except ValueError:
        return None
    return data if data.startswith(_PNG) and len(data) > 24 else None


def cells(png: bytes, columns: int) -> tuple[int, int]:
    """Returns the columns and lines of a picture within a width. A cell is twice as high as wide."""
    wide, high = struct.unpack(">II", png[16:24])
    across = min(columns, max(1, wide // 8), max(1, 2 * MAX_HEIGHT * wide // max(1, high)))
    return across, max(1, min(MAX_HEIGHT, round(across * high / max(1, wide) / 2)))


def lines(number: int, columns: int, rows: int) -> Iterator[tuple[str, str]]:
    """Yields the placeholder lines of a picture, and their style."""
    for row in range(rows):
        yield f"{_PART}{_ROWS[row]}{_ROWS[0]}" + _PART * (columns - 1), f"#{number:06x}"


def kitty_sequence(png: bytes, number: int, columns: int, rows: int) -> str:
    """Returns the sequence that sends a picture to the terminal."""
    text = base64.b64encode(png).decode()
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    first = f"a=T,U=1,q=2,f=100,i={number},c={columns},r={rows},"
    return "".join(
        f"\x1b_G{'' if place else first}m={int(place + 1 < len(pieces))};{piece}\x1b\\" for place, piece in enumerate(pieces)
    )


def sixel_lines(png: bytes, columns: int, rows: int, cell: tuple[int, int]) -> list[str]:
    """Converts a picture to lines of sixels. `cell` is a cell's size in pixels. Returns no lines if the converter isn't installed."""
    if not (program := shutil.which("img2sixel")):
        return []
    wide, high = (max(1, side) for side in struct.unpack(">II", png[16:24]))
    across, down = columns * cell[0], rows * cell[1]
    across, down = min(across, max(1, wide * down // high)), min(down, max(1, high * across // wide))
    made = []
    for top in range(0, down, cell[1]):
        part = f"{across}x{min(cell[1], down - top)}+0+{top}"
        try:
            ran = subprocess.run([program, f"-w{across}", f"-h{down}", f"-c{part}", "-"], input=png, capture_output=True, timeout=_PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            return []
        if ran.returncode or not ran.stdout.isascii():
            return []
        made.append(ran.stdout.decode("ascii"))
    return made


def is_part(cell: Cell) -> bool:
    """Whether a cell is part of a picture."""
    return cell[0].startswith(_PART)


def first_part(cell: Cell) -> tuple[int, int] | None:
    """If the cell is the first one of a picture's line, returns the picture's number and the line."""
    return (int(cell[1].rpartition("#")[2], 16), _ROWS.index(cell[0][1])) if cell[0] > _PART else None
