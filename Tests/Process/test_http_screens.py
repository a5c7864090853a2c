"""Screens on web servers: nagare starts nagare-http by itself, and recovers from failures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from conftest import ROOT
from http_pages import PAGED, Serve
from server import Message, Start

EXAMPLES = sorted((ROOT / "protocol" / "examples").glob("*.json"))


def screens(path: Path, url: str, **members: Any) -> str:
    configuration: Message = {
        "sources": {"web": {"type": "http", "url": url, **members}},
        "screens": {"found": {"viewModel": "search", "source": "web", "pageSize": 10, "throttle": 0}},
    }
    (path / "nagare.json").write_text(json.dumps(configuration))
    return str(path / "nagare.json")


def test_a_search_pages_through_a_web_server(nagare_http: str, start: Start, serve: Serve, tmp_path: Path) -> None:
    """rules: 6.5.1"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        first = (int(request.query["page"]) - 1) * 10
        return web.json_response([{"id": id, "of": request.query["query"]} for id in range(first, min(first + 10, 35))])

    server = start("--config", screens(tmp_path, serve(handler).url("/?page={page}&size={size}&query={query}")))
    server.call("open", screen="found")
    server.notify("search", text="流れ & more")
    server.hear("state", where=lambda state: state["phase"] == "requestFinished")
    for count in (20, 30, 35):
        server.notify("reachBottom")
        server.hear("state", where=lambda state: state["count"] == count)
    items = server.call("outputs")[0]["result"]["outputs"]["items"]["value"]
    assert items == [{"id": id, "of": "流れ & more"} for id in range(35)]
    server.close()
    assert server.ends() == 0


def test_a_web_server_s_failure_is_an_error_and_retry_succeeds(
    nagare_http: str, start: Start, serve: Serve, tmp_path: Path
) -> None:
    answers = iter([503] * 6)

    async def handler(_: web.BaseRequest) -> web.StreamResponse:
        return web.json_response([{"id": 1}], status=next(answers, 200))

    server = start("--config", screens(tmp_path, serve(handler).url(PAGED), retries=2))
    server.call("open", screen="found")
    server.notify("viewWillAppear")
    failure = server.hear("error")["params"]["value"]
    assert (failure["code"], failure["retryable"]) == (503, True)
    server.notify("retry")
    assert server.hear("items", where=bool)["params"]["value"] == [{"id": 1}]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_without_mistakes(start: Start, example: Path) -> None:
    """rules: 7.0.9, 7.0.11"""
    server = start("check", str(example))
    count = len(json.loads(example.read_text())["screens"])
    assert server.next_line().decode() == f"{example}: {count} screens, no mistakes\n"
    assert server.ends() == 0


def test_the_published_schema_is_up_to_date(start: Start) -> None:
    """rules: 7.0.11"""
    server = start("schema")
    printed = b"".join(iter(server.next_line, b""))
    assert printed == (ROOT / "protocol" / "configuration.schema.json").read_bytes()
