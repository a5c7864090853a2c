"""`nagare-http` uses HTTP/2. If it doesn't read, the web server's events wait, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from aiohttp import web
from gateway import Gateway, debian, free_port
from idle import rests
from server import MEBIBYTE, Server, program
from test_http_idle import HOUR, most_resident
from test_http_live import Items
from web_server import Handler, Web

COUNT = 40_000
DATA = json.dumps({"changes": [{"change": {"id": 1, "text": "x" * 1000}}]})


def test_pages_and_events_are_received_over_http_2(
    gateway: Callable[..., Gateway], serve: Callable[[Handler], Web], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = 0

    async def tell(response: web.StreamResponse, request: web.BaseRequest) -> None:
        nonlocal sent
        for sent in range(0, COUNT, 100):
            events = "".join(f"id: {number}\ndata: {DATA}\n\n" for number in range(sent, sent + 100))
            await response.write(events.encode())

    items, protocols = Items(tell), []

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        protocols.append(request.headers["Protocol"])
        return await items.handle(request)

    behind, port = serve(handle).port, free_port()
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    (tmp_path / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tauto_https off\n}}\nhttps://localhost:{port} {{\n"
        f"\tbind 127.0.0.1\n\ttls {tmp_path}/server.pem {tmp_path}/server.pem\n\treverse_proxy 127.0.0.1:{behind} {{\n"
        "\t\tflush_interval -1\n\t\theader_up Protocol {http.request.proto}\n\t}\n}\n"
    )
    gateway(
        *(debian("caddy"), "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")),
        port=port,
        HOME=str(tmp_path),
    )
    address = f"https://localhost:{port}"
    configuration = {"url": f"{address}/items", "live": {"events": f"{address}/events"}}
    server = Server(program("nagare-http"), json.dumps(configuration), reading=False)
    try:
        server.send({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": {"source": "web", "query": None, "since": None}})
        assert rests(server.process.pid, HOUR) and sent < COUNT - 100
        server.read()
        for number in range(COUNT):
            while (message := server.next()).get("params", {}).get("state") is None:
                pass
            assert message["params"]["state"] == str(number)
        assert most_resident(server) < 40 * MEBIBYTE
        page = server.call("source/page", source="web", key=None, query=None, size=2)[0]
        assert page["result"]["items"] == [{"id": 1}, {"id": 2}]
        assert set(protocols) == {"HTTP/2.0"}
    finally:
        server.kill()
