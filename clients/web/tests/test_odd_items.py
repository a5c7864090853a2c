"""An odd item doesn't prevent others from being shown, in a list, a detail or the states of a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Serve
from user import DESKTOP, PHONE, User

DEEP = 500
ODD = [
    "[" * DEEP + "]" * DEEP,
    '{"a":' * DEEP + "1" + "}" * DEEP,
    '{"a":[' * (DEEP // 2) + "]}" * (DEEP // 2),
    "7" * 400,
    "7" * 4000,
    "1e400",
    "-1e-400",
    "null",
    "true",
    '""',
    "{}",
    '"a\\ud83d"',
    '"\\ude00"',
    '"http://[x"',
    '"javascript:alert(1)"',
    '"data:image/png;base64,%%%"',
    '"' + "long " * 40_000 + '"',
    '"' + "W" * 200_000 + '"',
    '"' + "[" * 50_000 + '"',
    '"' + "**" * 20_000 + '"',
    '"2026-99-99T99:99"',
    '"0000-00-00"',
    "8640000000000001",
    '{"__proto__":1,"constructor":2,"toString":3,"valueOf":null}',
    '[null,1,"a",[2],{"a":null}]',
    '[{"url":"http://[x","size":' + "7" * 400 + "}]",
    '[{"url":"https://example.org/a","name":{"a":1},"type":5,"size":-1},{"url":"data:,","name":["a"],"type":null}]',
    '"a\\u0000\\u001b[31m\\u202eb\\r\\n"',
]
"""Values of each JSON type."""
MEMBERS = ["x", "subject", "sender", "date", "unread", "price"]
DISPLAYS = {
    "guessed": None,
    "said": {
        "title": "subject",
        "subtitle": "x",
        "badge": "x",
        "image": "x",
        "date": "x",
        "unread": "x",
        "body": {"member": "x", "format": "markdown"},
        "columns": ["x", {"member": "x.a", "format": "money", "currency": "JPY"}, {"member": "sender", "format": "date"}],
    },
}


@pytest.mark.parametrize("size, said", [(PHONE, "guessed"), (DESKTOP, "said")], ids=["phone, guessed", "desktop, said"])
def test_odd_items_can_be_listed_and_opened(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int], said: str) -> None:
    with open(tmp_path / "rows.jsonl", "w") as file:
        for number, value in enumerate(ODD):
            member = MEMBERS[number % len(MEMBERS)] if said == "guessed" else "x"
            subject = "" if member == "subject" else f'"subject":"Odd {number}",'
            file.write(f'{{"id":"odd {number}",{subject}"{member}":{value}}}\n{{"id":"even {number}","subject":"Even {number}"}}\n')
    screens = {
        "rows": {"viewModel": "list", "source": "rows", "detail": "row", "pageSize": 100, "undo": 5000, **({"display": DISPLAYS[said]} if DISPLAYS[said] else {})},
        "row": {"viewModel": "pager"},
    }
    me.open(serve({"sources": {"rows": {"type": "file", "path": "rows.jsonl"}}, "screens": screens}).url, size)
    me.see(".row-title", "Even 0")
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("END")
    me.see(".row-title", f"Even {len(ODD) - 1}")
    me.at(str(2 * len(ODD)))
    me.press("HOME", "ENTER")
    me.at(f"1 of {2 * len(ODD)}")
    for place in range(2, 2 * len(ODD) + 1):
        me.press("ARROW_RIGHT")
        me.at(f"{place} of {2 * len(ODD)}")
        me.see(".panel:not([inert]) article h2", f"Even {place // 2 - 1}" if place % 2 == 0 else "")
    assert "can’t be shown" not in str(me.run("() => document.body.textContent"))
    assert me.run("() => document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    me.press("ESCAPE", "e")
    me.see(".toast", f"Even {len(ODD) - 1}")
    me.press("e")
    me.see(".toast", "Archive")
    me.press("u", "u")
    me.at(str(2 * len(ODD)))
    assert all("net::ERR_INVALID_URL" in complaint for complaint in me.told()), "only a picture's address is wrong"
