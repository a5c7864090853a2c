"""Filters, full items and items by id, on real files, programs and web servers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aiohttp import web
from command_programs import PRELUDE
from http_pages import Serve, Source
from server import Server, Start


def configured(start: Start, folder: Path, **configuration: Any) -> Server:
    path = folder / "nagare.json"
    path.write_text(json.dumps(configuration))
    return start("--config", str(path))


def ids(server: Server, **filters: Any) -> list[Any]:
    """Returns the list with these filters, after its page has arrived."""
    reply, before = server.call("filter", view="v", set=filters, wait=True)
    assert reply["result"] == {"outcome": "finished"}, before
    [*_, items] = [message for message in before if message["method"] == "items"]
    return [item["id"] for item in items["params"]["value"]]


def test_a_large_file_is_filtered_and_its_items_are_found(start: Start, tmp_path: Path) -> None:
    with (tmp_path / "rows.jsonl").open("w") as file:
        for number in range(200_000):
            file.write(f'{{"id":{number},"word":"w{number % 1000}","at":"2026-{1 + number % 12:02}"}}\n')
    screens = {
        "rows": {"viewModel": "list", "source": "rows", "filters": {"word": None, "id": None, "at": None}},
        "row": {"viewModel": "pager", "source": "rows"},
    }
    sources = {"rows": {"type": "file", "path": "rows.jsonl", "items": True}}
    server = configured(start, tmp_path, sources=sources, screens=screens)
    server.call("open", screen="rows", view="v")
    server.call("viewWillAppear", view="v", wait=True)
    assert ids(server, word="w999", id={"from": 150_000}) == list(range(150_999, 170_000, 1000))
    assert ids(server, word=["none"], id=None) == []
    january = [number for number in range(200_000) if number % 1000 == 8 and number % 12 == 0]
    assert ids(server, word=["none", "w8"], at={"to": "2026-01"}) == january[:20]
    # A long search doesn't block other work.
    server.send({"jsonrpc": "2.0", "id": "o", "method": "open", "params": {"screen": "row", "view": "p", "params": {"id": 199_999}}})
    reply, _ = server.call("ping")
    assert reply["result"] == {}
    page = server.hear("page", where=lambda value: value["item"] is not None)["params"]["value"]
    assert page["item"] == {"id": 199_999, "word": "w999", "at": "2026-08"} and page["index"] is None
    server.close()
    assert server.ends() == 0


def test_a_program_receives_filters_and_returns_full_items(start: Start, tmp_path: Path) -> None:
    """rules: 6.4.3"""
    program = """
for line in sys.stdin:
    message = json.loads(line)
    id, params = message.get("id"), message["params"]
    if message["method"] == "source/page":
        page(id, json.dumps(params.get("filters"), sort_keys=True))
    elif message["method"] == "source/item" and params["id"] == "dies":
        sys.exit(3)
    elif message["method"] == "source/item":
        say({"id": id, "result": {"item": {"id": params["id"], "body": "x"}}})
"""
    (tmp_path / "rows.py").write_text(PRELUDE + program)
    sources = {"rows": {"type": "command", "command": ["python3", "rows.py"], "items": True}}
    screens = {
        "rows": {"viewModel": "list", "source": "rows", "filters": {"a": {"store": "s.k"}, "sort": None}},
        "row": {"viewModel": "pager", "source": "rows"},
    }
    server = configured(start, tmp_path, sources=sources, screens=screens, stores={"s": {"k": [1, 2.50]}})
    server.call("open", screen="rows", view="v")
    server.call("viewWillAppear", view="v", wait=True)
    assert [json.loads(one) for one in ids(server, sort="-at")] == [{"a": [1, 2.5], "sort": "-at"}]
    assert ids(server, sort=None)[0] == '{"a": [1, 2.5]}'
    server.call("open", screen="row", view="p", params={"id": "m"})
    assert server.hear("page")["params"]["value"]["item"] == {"id": "m", "body": "x"}
    # A program that dies is tried again, and finally reported.
    server.call("open", screen="row", view="q", params={"id": "dies"})
    error = server.hear("error", where=lambda value: value is not None)["params"]["value"]
    assert (error["code"], error["retryable"], error["trigger"]) == (-32010, True, "item")


def test_filters_are_part_of_the_address(serve: Serve, source: Source) -> None:
    """rules: 6.5.2, 6.5.4"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        return web.json_response([{"id": 1}])

    web_server = serve(handler)
    url = "/items/{filter.kind}?label={filter.label}&since={filter.at.from}&sort={filter.sort}"
    server = source(web_server.url(url))

    def ask(**filters: Any) -> Any:
        reply, _ = server.call("source/page", source="web", key=None, query=None, filters=filters, size=2)
        return reply

    assert ask(kind="a/b", label=["x", "y z"], at={"from": "2026"}, sort="-at")["result"]["items"] == [{"id": 1}]
    assert ask(kind="k", label=1.50)["result"]["items"] == [{"id": 1}]
    assert ask(kind="k", label=[])["result"] == {"items": [], "next": None, "total": 0}
    for name, wrong in (("filters", {"kind": ".."}), ("filters.label", {"kind": "k", "label": {"from": 1}})):
        assert ask(**wrong)["error"]["data"]["param"] == name
    assert web_server.paths() == ["/items/a%2Fb?label=x%2Cy%20z&since=2026&sort=-at", "/items/k?label=1.5"]
