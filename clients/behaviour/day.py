"""Data for the tests of the frontends: some issues of a house, and screens that show them."""

from __future__ import annotations

from typing import Any

ISSUES: list[dict[str, Any]] = [
    {
        "id": n,
        "title": f"{['Door', 'Lamp', 'Stairs'][n % 3]} {n} {['がきしむ', 'flickers', 'creak'][n % 3]}",
        "label": ["bug", "wish"][n % 2],
        "month": "2026-03" if n < 6 else "2026-04",
        "text": f"It is about number {n}. See https://example.org/{n}",
        "unread": n % 3 == 1,
    }
    for n in range(60)
]
ACTIONS = [
    {"input": "remove", "name": "Archive", "icon": "🗄", "key": "e", "undo": True, "for": "many"},
    {"input": "change", "name": "Read", "key": "R", "set": {"unread": False}, "for": "many"},
]
TASKS = [
    {"input": "rename", "output": "name", "task": {"kind": "prompt", "title": "New name"}},
    {"input": "leave", "output": "left", "task": {"kind": "confirm", "title": "Leave?"}},
]
CONFIG = {
    "sources": {"file": {"type": "file", "path": "rows.jsonl", "items": True}},
    "screens": {
        "issues": {
            "viewModel": "search",
            "source": "file",
            "detail": "issue",
            "filters": {"label": None, "month": None, "unread": None},
            "display": {"actions": ACTIONS},
        },
        "issue": {"viewModel": "pager", "source": "file"},
        "me": {"viewModel": "task", "tasks": TASKS},
    },
}
"""The issues are the lines of a file, `rows.jsonl`."""
