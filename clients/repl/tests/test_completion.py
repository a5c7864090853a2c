"""The names that Tab offers."""

from __future__ import annotations

import asyncio
import json

import pytest
from conftest import ROOT
from nagare_repl.client import Client
from nagare_repl.complete import LineCompleter
from nagare_repl.console import Console
from nagare_repl.printer import Printer
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document


@pytest.fixture(scope="module")
def completer() -> LineCompleter:
    """A completer for the demo, with a list and its detail open."""

    async def make() -> LineCompleter:
        client = Client(["nagare"], Printer(is_interactive=False), None)
        client.service.learn(json.loads((ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8")), None)
        items = [{"id": id, "subject": f"Mail {id}"} for id in ("m001", "m002", "5", "two words", 7)]
        client.views.add({"view": "v2", "screen": "detail", "outputs": {}}, "v1", is_current=False)
        client.views.add({"view": "v1", "screen": "items", "outputs": {"items": {"value": items}}}, None, is_current=True)
        return LineCompleter(Console(client))

    return asyncio.run(make())


def offers(completer: LineCompleter, typed: str) -> list[str]:
    return [one.text for one in completer.get_completions(Document(typed), CompleteEvent())]


@pytest.mark.parametrize(
    "typed, expected",
    [
        ("ref", ["refresh "]),
        ("vi", ["viewWillAppear ", "viewport ", "views ", "view "]),
        ("swi", []),
        ("open ge", ["genres "]),
        ("--> open ge", ["genres "]),
        ("open items pa", ["params=", "pageSize="]),
        ("open items onRefresh=k", ["onRefresh=keep "]),
        ("await un", ["undoable ", "undo "]),
        ("await select id=m", ["id=m001 ", "id=m002 "]),
        ("select i", ["id="]),
        ("select m00", ["m001 ", "m002 "]),
        ("select id=", ["id=m001 ", "id=m002 ", 'id="5" ', 'id="two words" ', "id=7 "]),
        ("viewport start=0 ", ["end=", "revision="]),
        ("view v", ["v2 ", "v1 "]),
        ("refresh view=v", ["view=v2 ", "view=v1 "]),
        ("help gen", ["genres "]),
        ("dispatch ty", ["type="]),
        ("answer ", []),
        ('select id="m', []),
        ('{"jsonrpc":"2.0","method":"op', []),
        ("nothing ", []),
        ('select {"a":1} {"', []),
        ("open {} vie", ["view="]),
    ],
)
def test_completion_offers_the_names_that_can_follow(typed: str, expected: list[str], completer: LineCompleter) -> None:
    assert offers(completer, typed) == expected
