"""Pictures that are written as text, in terminals that know kitty's protocol, or sixels."""

from __future__ import annotations

import base64
import shutil
import struct
import subprocess
from collections.abc import Iterator

from .canvas import Cell
from .display import formatted

HIGHEST = 16
"""Lines that a picture takes at most."""
_PNG = b"\x89PNG\r\n\x1a\n"
# A cell that stands for a part of a picture: its row is said by what combines with it, its column counts from the first one on, and
# which picture it is by its color.
_PART = "\U0010eeee"
_ROWS = "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357"
_PIECE = 4096
_PATIENCE = 2.0
"""Seconds that a line of a picture may take to be made."""


def told(url: object) -> str:
    """What is said of a picture that can't be shown; nothing if it is none."""
    is_picture = isinstance(url, str) and url.startswith("data:image/")
    return f"[picture, {formatted(len(str(url)) * 3 // 4, 'bytes')}]" if is_picture else ""


def decoded(url: str) -> bytes | None:
    """The bytes of a PNG in a data URL; None if it is something else."""
    try:
        data = base64.b64decode(url.partition(";base64,")[2], validate=True)
    except ValueError:
        return None
    return data if data.startswith(_PNG) and len(data) > 24 else None


def cells(png: bytes, columns: int) -> tuple[int, int]:
    """How many columns and lines a picture takes, of so many columns. A cell is twice as high as it is wide."""
    wide, high = struct.unpack(">II", png[16:24])
    across = min(columns, max(1, wide // 8), max(1, 2 * HIGHEST * wide // max(1, high)))
    return across, max(1, min(HIGHEST, round(across * high / max(1, wide) / 2)))


def lines(number: int, columns: int, rows: int) -> Iterator[tuple[str, str]]:
    """The lines that stand for a picture of this number, and their style."""
    for row in range(rows):
        yield f"{_PART}{_ROWS[row]}{_ROWS[0]}" + _PART * (columns - 1), f"#{number:06x}"


def sent(png: bytes, number: int, columns: int, rows: int) -> str:
    """What tells a terminal of a picture."""
    text = base64.b64encode(png).decode()
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    first = f"a=T,U=1,q=2,f=100,i={number},c={columns},r={rows},"
    return "".join(
        f"\x1b_G{'' if place else first}m={int(place + 1 < len(pieces))};{piece}\x1b\\" for place, piece in enumerate(pieces)
    )


def strips(png: bytes, columns: int, rows: int, cell: tuple[int, int]) -> list[str]:
    """A picture's lines as sixels, where a cell has so many pixels across and down; nothing where no program makes them."""
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
    """Whether a part of a picture stands in a cell."""
    return cell[0].startswith(_PART)


def begun(cell: Cell) -> tuple[int, int] | None:
    """Which picture it is, and which line of it, where the first cell of a line is this one."""
    return (int(cell[1].rpartition("#")[2], 16), _ROWS.index(cell[0][1])) if cell[0] > _PART else None
