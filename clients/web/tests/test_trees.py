"""The accessibility tree of each state, which screen readers read. `./run-tests -k trees --write` writes the expected trees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve, write_rows
from test_screens import TASKS
from user import DESKTOP, PHONE, User

ROWS = [
    {"id": n, "title": ["Door", "階段がきしむ", "Lamp"][n], "label": ["bug", "wish"][n % 2], "sender": "Mei", "text": "See https://example.org/", "unread": n == 1}
    for n in range(3)
]
CONFIG: dict[str, Any] = {
    "sources": {"file": {"type": "file", "path": "rows.jsonl"}, "missing": {"type": "file", "path": "missing.jsonl"}, "offers": {"type": "demo", "data": "offers"}},
    "stores": {"shop": {"query": "ramen"}},
    "screens": {
        "issues": {"viewModel": "search", "source": "file", "detail": "issue", "filters": {"label": None}, "undo": 5000},
        "issue": {"viewModel": "pager"},
        "broken": {"viewModel": "list", "source": "missing"},
        "genres": {"viewModel": "choice", "choices": ["ramen", "curry"], "store": "shop.query"},
        "offers": {"viewModel": "feed", "source": "offers"},
        "tasks": {"viewModel": "task", "tasks": TASKS},
    },
}
SAID = ("focused", "selected", "checked", "expanded", "disabled", "invalid", "busy", "modal", "live", "pressed", "required", "hasPopup")
"""The properties that are listed besides role and name."""
UNTOLD = ("generic", "none", "StaticText", "InlineTextBox", "LineBreak", "ListMarker", "RootWebArea", "LayoutTableCell")


def tree(me: User) -> str:
    """Yields a line for each element that screen readers read, indented below its parent."""
    me.run("() => eyes.frame()")
    nodes = {node["nodeId"]: node for node in me.command("Accessibility.getFullAXTree")["nodes"]}

    def lines(node: dict[str, Any], depth: int, told: str) -> Iterator[str]:
        role, name = (node.get(part, {}).get("value", "") for part in ("role", "name"))
        is_told = not node["ignored"] and role not in UNTOLD
        if is_told:
            said = {one["name"]: one["value"].get("value") for one in node.get("properties", []) if one["name"] in SAID}
            states = [f"{state}={value}" if isinstance(value, str) and value != "true" else state for state, value in said.items() if value not in (False, "false", "off", "")]
            value = node.get("value", {}).get("value", "")
            yield " ".join(part for part in ("  " * depth + role, f'"{name}"' if name else "", f"= {value}" if value != "" else "", *sorted(states)) if part)
        elif not node["ignored"] and role == "StaticText" and name.strip() and name not in told:
            yield "  " * depth + f'"{name}"'
        for child in node.get("childIds", []):
            if child in nodes:
                yield from lines(nodes[child], depth + is_told, name if is_told else told)

    return "\n".join(lines(next(node for node in nodes.values() if "parentId" not in node), 0, ""))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_accessibility_tree_of_each_state(me: User, serve: Serve, tmp_path: Path, size: tuple[int, int], request: pytest.FixtureRequest) -> None:
    write_rows(tmp_path / "rows.jsonl", ROWS)
    site = serve(CONFIG, "--clock", "virtual")
    heard = ""

    def hear(state: str) -> None:
        nonlocal heard
        heard += f"== {state}\n{tree(me)}\n".replace(str(tmp_path), "FOLDER")

    me.command("Accessibility.enable")
    me.open(site.url, size)
    me.load()
    me.see("[role=option]")
    hear("a list")
    me.press("x")
    me.see(".marks", "1 marked")
    hear("a list with a mark")
    me.press("e")
    me.see(".toast")
    hear("what can be undone")
    me.press("u")
    me.gone(".toast")
    me.see(".marks", "1 marked")
    me.press("ESCAPE")
    me.gone(".marks")
    me.click(".chip", "Label")
    me.see("[role=menu]")
    hear("a menu")
    me.press("ESCAPE")
    me.click("[role=option]", "階段")
    me.see("article h2")
    me.load()
    hear("an item")
    me.press("ESCAPE")
    me.gone(".detail")
    me.press(":")
    me.see("dialog.palette")
    hear("the commands")
    me.press("ESCAPE", "?")
    me.see("dialog.keys")
    hear("the keys")
    me.press("ESCAPE", "/", *"nothing")
    me.load()
    me.see(".emptiness", "Nothing found")
    hear("nothing found")
    for screen, sign, state in (("Genres", ".choice", "a choice"), ("Offers", ".row.skeleton", "a feed that loads"), ("Broken", "[role=alert]", "a failure")):
        me.go(screen)
        me.see(sign)
        hear(state)
    me.go("Tasks")
    for task in ("Warn", "Paint", "Enter"):
        me.click(".choice", task)
        me.see("dialog")
        hear(f"a dialog, {task.lower()}")
        me.press("ESCAPE")
        me.gone("dialog")
    site.kill()
    me.see(".banner", "Trying again in")
    hear("no server")
    me.command("Accessibility.disable")
    path = Path(__file__).with_name("accessibility_phone.txt" if size == PHONE else "accessibility_desktop.txt")
    if request.config.getoption("write"):
        path.write_text(heard)
    assert heard == path.read_text()
