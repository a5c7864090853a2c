"""Draws the README's picture: `python tests/picture.py`."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from conftest import PACKAGE, configure, run, user

MAILS = [
    ("Handover before my holiday", "Daniel Weiss", "2026-11-20T18:33", "I'm away from Thursday on. Luca has the keys."),
    ("Your invoice for October", "Northlight Hosting", "2026-11-20T15:32", "The invoice is attached."),
    ("The Slow Terminal, issue 240", "The Slow Terminal", "2026-11-20T14:28", "In this issue: a shell without a prompt."),
    ("Agenda for Thursday", "Tom Okafor", "2026-11-19T22:00", "Search, paging, and what is for lunch."),
    ("Build #2097 is green again", "CI", "2026-11-17T07:53", "All tests have passed."),
    ("Re: 検索画面の件", "鈴木 健太", "2026-11-16T11:01", "了解しました。"),
]
UNREAD = 1, 4


async def draw() -> None:
    with tempfile.TemporaryDirectory() as folder:
        names = "id", "subject", "sender", "date", "body", "unread"
        rows = [dict(zip(names, (n, *mail, n in UNREAD))) for n, mail in enumerate(MAILS)]
        Path(folder, "mails.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        sources = {"mails": {"type": "file", "path": "mails.jsonl"}}
        options = configure(Path(folder), {"sources": sources, "screens": {"inbox": {"viewModel": "list", "source": "mails"}}})
        async with user(options=options, size=(64, 15)) as me:
            await me.until(lambda: me.view["items"])
            await me.press("down", "down")
            picture = me.terminal.export_screenshot(title="nagare")
    # The reader's own fonts will do: a picture loads nothing.
    (PACKAGE / "mailbox.svg").write_text(re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL))


if __name__ == "__main__":
    run(draw())
