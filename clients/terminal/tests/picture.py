"""Draws terminals as SVG. `python tests/picture.py` draws the README's picture."""

from __future__ import annotations

import json
import tempfile
from html import escape
from itertools import groupby
from pathlib import Path

from conftest import PACKAGE, Glass, configure, run, user
from nagare_terminal.theme import BASES, Theme

COLORS = {"dark": ("#e6edf3", "#0d1117"), "light": ("#1f2328", "#ffffff"), "plain": ("#d0d0d0", "#000000")}
"""The colors of text and background, for each kind of terminal."""
WIDE, HIGH = 8.4, 18


def drawn(glass: Glass, base: str = "dark") -> str:
    """Returns a terminal's content as SVG. The SVG loads nothing, and uses fonts that the reader has."""
    columns, rows = glass.size
    look = Theme(BASES[base])
    text, ground = COLORS[base]
    parts = []
    for y, row in enumerate(glass.canvas.cells):
        x = 0
        for style, group in groupby(row, key=lambda cell: cell[1]):
            run = [one for one, _ in group]
            taken = len(run)
            words = look.attributes(style)
            front, behind = words.get("color", text), words.get("ground", ground)
            if "reverse" in words:
                front, behind = behind, front
            if behind != ground:
                parts.append(f'<rect x="{x * WIDE:.1f}" y="{y * HIGH}" width="{len(run) * WIDE:.1f}" height="{HIGH}" fill="{behind}"/>')
            at = x
            while run and run[0] == " ":
                run, at = run[1:], at + 1
            while run and run[-1] == " ":
                run.pop()
            # SVG would combine several spaces.
            if told := escape("".join(run)).replace(" ", "\xa0"):
                bold = ' font-weight="bold"' if "bold" in words else ""
                line = ' text-decoration="underline"' if "underline" in words else ""
                fit = f'textLength="{len(run) * WIDE:.1f}" lengthAdjust="spacingAndGlyphs"'
                parts.append(f'<text x="{at * WIDE:.1f}" y="{y * HIGH + 13}" fill="{front}" {fit}{bold}{line}>{told}</text>')
            x += taken
    if glass.canvas.cursor:
        x, y = glass.canvas.cursor[-1]
        parts.append(f'<rect x="{x * WIDE:.1f}" y="{y * HIGH}" width="2" height="{HIGH}" fill="{text}"/>')
    size = f'width="{columns * WIDE + 16:.0f}" height="{rows * HIGH + 16}"'
    font = "font-family=\"'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', monospace\" font-size=\"14\""
    inside = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="-8 -8 {columns * WIDE + 16:.0f} {rows * HIGH + 16}">\n<rect x="-8" y="-8" width="100%" height="100%" rx="6" fill="{ground}"/>\n<g {font}>\n{inside}\n</g>\n</svg>\n'

MAILS = [
    ("Handover before my holiday", "Daniel Weiss", "2026-11-20T18:33", "I'm away from Thursday on. Luca has the keys."),
    ("Your invoice for October", "Northlight Hosting", "2026-11-20T15:32", "The invoice is attached."),
    ("The Slow Terminal, issue 240", "The Slow Terminal", "2026-11-20T14:28", "In this issue: a shell without a prompt."),
    ("Agenda for Thursday", "Tom Okafor", "2026-11-19T22:00", "Search, paging, and what is for lunch."),
    ("Build #2097 is green again", "CI", "2026-11-17T07:53", "All tests have passed."),
    ("Re: 検索画面の件", "鈴木 健太", "2026-11-16T11:01", "了解しました。"),
]
UNREAD = 1, 4


async def picture() -> str:
    """Draws the README's picture."""
    with tempfile.TemporaryDirectory() as folder:
        names = "id", "subject", "sender", "date", "body", "unread"
        rows = [dict(zip(names, (n, *mail, n in UNREAD))) for n, mail in enumerate(MAILS)]
        Path(folder, "mails.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        sources = {"mails": {"type": "file", "path": "mails.jsonl"}}
        options = configure(Path(folder), {"sources": sources, "screens": {"inbox": {"viewModel": "list", "source": "mails"}}})
        async with user(options=options, size=(64, 15)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("down", "down")
            return drawn(me.glass)


FILE = PACKAGE / "mailbox.svg"

if __name__ == "__main__":
    FILE.write_text(run(picture()))
