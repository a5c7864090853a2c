"""The parts that `nagare-http` makes requests with: libcurl, names, proxies, certificates, and servers that attack
them."""

from __future__ import annotations

import asyncio
import contextlib
import json as text
import os
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme
from aiohttp import web
from http_pages import ITEMS, Serve, Source, failed, page, send
from idle import needs_proc, rests
from server import MEBIBYTE, Server, until
from test_http_idle import HOUR, most_resident, unread
from test_http_live import Items, begin, changed, event, watch, writing
from web_server import json

pytestmark = needs_proc


@pytest.mark.parametrize("library", ["empty", "of another kind"])
def test_without_libcurl_the_first_load_names_the_package(
    serve: Serve, source: Source, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, library: str
) -> None:
    """rules: 6.5.1"""
    web_server = serve(Items(writing()).handle)
    if library == "empty":
        (tmp_path / "libcurl.so.4").touch()
    else:
        code = b"int curl_global_init(void) { return 0; }"
        subprocess.run(["cc", "-shared", "-xc", "-", "-o", tmp_path / "libcurl.so.4"], input=code, check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    server = source(web_server.url("/items"), live={"events": web_server.url("/events")}, retries=3)
    failed(page(server), -32010, False, "libcurl.so.4", "libcurl4")
    error = watch(server)["error"]
    assert error["code"] == -32012 and "libcurl4" in error["message"]
    # After its installation it is found.
    (tmp_path / "libcurl.so.4").unlink()
    assert page(server)["items"] == [{"id": 1}, {"id": 2}]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Accepts connections, and stays silent unless the test sends something."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def url(listener: socket.socket, scheme: str = "http") -> str:
    return f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/"


def test_a_stalled_handshake_is_cancelled(listener: socket.socket, source: Source) -> None:
    server = source(url(listener, "https"), timeout=300)
    failed(page(server), -32011, True, "300 ms")
    assert rests(server.process.pid)


@pytest.mark.parametrize("at", ["the connection", "the head", "the body", "the handshake"])
def test_a_load_that_is_dropped_closes_its_connection(listener: socket.socket, source: Source, at: str) -> None:
    """rules: 6.5.12"""
    server = source(url(listener, "https" if at == "the handshake" else "http"), timeout=600_000)
    send(server, 1)
    connection, _ = listener.accept()
    with connection:
        assert connection.recv(65536)
        if at == "the head":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")
        elif at == "the body":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[")
        server.notify("$/cancelRequest", id=1)
        assert server.next()["error"]["code"] == -32800
        connection.settimeout(20)
        # Bytes that the program hasn't read cause a reset.
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(65536) == b""
    assert rests(server.process.pid)


@pytest.mark.parametrize("at", ["the connection", "the head", "the body", "an event"])
def test_the_end_of_input_ends_the_program_at_any_moment(listener: socket.socket, nagare_http: str, at: str) -> None:
    configuration = text.dumps({"url": url(listener), "timeout": 600_000, "live": {"events": url(listener) + "events"}})
    server = Server(nagare_http, configuration)
    try:
        params = {"source": "web", "query": None, "since": None}
        if at == "an event":
            server.send({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": params})
        else:
            send(server, 1)
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(65536)
            if at == "the head":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")
            elif at == "the body":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[")
            elif at == "an event":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {")
                assert server.next()["result"] == {}
                server.next()
            server.close()
            assert all(reply["error"]["code"] == -32800 for reply in server.rest())
            assert server.ends() == 0
    finally:
        server.kill()


def test_an_unread_output_does_not_keep_a_program_after_its_input(serve: Serve, nagare_http: str) -> None:
    """The program that started it keeps the output open, and reads nothing."""
    many = event("a", {"change": {"id": 1, "text": "x" * 10_000}}) * 1000
    web_server = serve(Items(writing(many)).handle)
    configuration = text.dumps({"url": web_server.url("/items"), "live": {"events": web_server.url("/events")}})
    server = Server(nagare_http, configuration, reading=False)
    try:
        params = {"source": "web", "query": None, "since": None}
        server.send({"jsonrpc": "2.0", "id": 1, "method": "source/watch", "params": params})
        until(lambda: unread(web_server.port) > 0)
        assert rests(server.process.pid, HOUR) and unread(web_server.port) > 0
        server.close()
        assert server.ends() == 0
    finally:
        server.kill()


def test_a_silent_name_server_blocks_neither_cancelling_nor_the_end(
    serve: Serve, source: Source, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A name is looked up by a thread that can't be stopped. Neither a cancelled load nor the end of the program
    waits for it."""
    library = tmp_path / "silent.so"
    code = b"#include <unistd.h>\nint getaddrinfo(void) { for (;;) pause(); }"
    subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", library], input=code, check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    server = source("http://a-name.example/", timeout=600_000, maxConcurrent=100)
    for number in range(10):
        send(server, number)
        until(lambda: threads(server) == number + 2)
        server.notify("$/cancelRequest", id=number)
        assert server.next()["error"]["code"] == -32800
    assert server.call("ping")[0]["error"]["code"] == -32601
    send(server, 10)
    until(lambda: threads(server) == 12)
    server.close()
    assert server.ends() == 0


def threads(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def proxy(answer: bytes) -> tuple[str, list[bytes]]:
    """Starts a proxy with a fixed answer, and records its requests."""
    listener, asked = socket.create_server(("127.0.0.1", 0)), []

    def run() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                asked.append(connection.recv(65536))
                connection.sendall(answer)

    threading.Thread(target=run, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", asked


def test_the_environment_names_the_proxy(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """rules: 6.5.13"""
    address, asked = proxy(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(ITEMS), ITEMS.encode()))
    monkeypatch.setenv("http_proxy", address)
    monkeypatch.setenv("no_proxy", "other.example")
    assert page(source("http://nowhere.example/items"))["items"] == [{"id": 1}, {"id": 2}]
    assert asked[0].startswith(b"GET http://nowhere.example/items HTTP/1.1\r\n")


def test_the_environment_names_hosts_without_a_proxy(serve: Serve, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    address, asked = proxy(b"")
    monkeypatch.setenv("http_proxy", address)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert page(source(serve(json(ITEMS)).url()))["items"] == [{"id": 1}, {"id": 2}]
    assert not asked


@pytest.mark.parametrize("answer", [b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", b"", b"SSH-2.0-x\r\n"])
def test_a_proxy_that_refuses_is_a_broken_connection(source: Source, monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    address, asked = proxy(answer)
    monkeypatch.setenv("https_proxy", address)
    monkeypatch.delenv("no_proxy", raising=False)
    failed(page(source("https://nowhere.example/items")), -32010, True, "nowhere.example/items")
    assert asked[0].startswith(b"CONNECT nowhere.example:443 HTTP/1.1\r\n")


@pytest.fixture
def secure(serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Starts a web server with a certificate whose authority is set in the environment."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))

    def secure(handler: Callable[[web.BaseRequest], object], *names: str) -> str:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(*names).configure_cert(context)
        return serve(handler, context).url("/items")

    return secure


def test_a_certificate_of_the_environment_s_authority_is_accepted(secure: Callable[..., str], source: Source) -> None:
    """rules: 6.5.13"""
    items = Items(writing(event("a", {"remove": 1})))
    address = secure(items.handle, "127.0.0.1")
    server = source(address, live={"events": address.replace("/items", "/events")})
    begin(server)
    assert changed(server)[0]["state"] == "a"
    assert rests(server.process.pid, HOUR)


def test_a_certificate_for_another_name_is_refused(secure: Callable[..., str], source: Source) -> None:
    address = secure(Items(writing()).handle, "other.example")
    server = source(address, retries=3, live={"events": address})
    failed(page(server), -32010, False, "certificate")
    assert watch(server)["error"]["code"] == -32012


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>; rel=next\r\n\r\n" + OK, "page"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n[]\r\n0\r\nX: y\r\n\r\n", "page"),
        (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n[]", "page"),
        (b"HTTP/1.0 200 OK\r\n\r\n[]", "page"),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\n[]", "page"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", "204"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "any"),
        (b"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n", "999"),
        (b"HTTP/1.1 000 What\r\nContent-Length: 0\r\n\r\n", "any"),
        (b"HTTP/1.1 99999 What\r\nContent-Length: 0\r\n\r\n", "any"),
        (b"HTTP/1.1 -1 What\r\nContent-Length: 0\r\n\r\n", "any"),
        (b"HTTP/3.7 200 OK\r\nContent-Length: 2\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n", "any"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 2\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: " + b", ".join([b"gzip"] * 50) + b"\r\nContent-Length: 2\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\nX\x00Y: z\r\nContent-Length: 2\r\n\r\n[]", "any"),
        (b"HTTP/1.1 200 OK\r\n\xff\xfe: \xff\r\nContent-Length: 2\r\n\r\n[]", "any"),
        (b"\x00" * 1000, "any"),
        (b"\r\n\r\n", "any"),
    ],
)
def test_unusual_answers_are_a_page_or_an_error(listener: socket.socket, source: Source, answer: bytes, expected: str) -> None:
    server = source(url(listener), next={"by": "link"})
    send(server, 1)
    with listener.accept()[0] as connection:
        connection.recv(65536)
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        reply = server.next()
    if expected == "page" or "result" in reply:
        assert expected in ("page", "any") and reply["result"] == {"items": [], "next": None}
    else:
        assert reply["error"]["message"].startswith(url(listener))
        assert expected == "any" or reply["error"]["code"] == int(expected)
    send(server, 2)
    with listener.accept()[0] as connection:
        connection.recv(65536)
        connection.sendall(OK)
        assert server.next()["result"] == {"items": [], "next": None}


@pytest.mark.parametrize(
    ("head", "piece", "code"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", -32010),
        (b"HTTP/1.1 200 OK\r\n", b"X-Y: " + b"z" * 1000 + b"\r\n", -32010),
        (b"HTTP/1.1 200 OK\r\nX: y\r\n", b" " + b"z" * 1000 + b"\r\n", -32010),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Y: " + b"z" * 1000 + b"\r\n", -32010),
        # The header isn't kept, so it continues until the time limit.
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"z" * 1000, -32011),
    ],
    ids=["provisional answers", "headers", "one long header", "trailers", "a chunk's extensions"],
)
def test_an_endless_head_is_an_error(listener: socket.socket, source: Source, head: bytes, piece: bytes, code: int) -> None:
    """rules: 6.5.14"""
    server = source(url(listener), timeout=600_000 if code == -32010 else 500)
    send(server, 1)
    with listener.accept()[0] as connection:
        connection.recv(65536)
        connection.sendall(head)
        with contextlib.suppress(ConnectionError):
            while True:
                connection.sendall(piece * 100)
    failed(server.next()["error"], code, True)
    assert most_resident(server) < 40 * MEBIBYTE


def descriptors(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def test_all_descriptors_are_closed(serve: Serve, source: Source) -> None:
    """After thousands of answers, hang-ups, cancelled loads and ended connections."""

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        number = len(web_server.requests)
        if number % 5 == 0:
            assert request.transport is not None
            request.transport.abort()
        elif number % 7 == 0:
            return web.Response(text=ITEMS, headers={"Connection": "close"})
        elif number % 11 == 0:
            await asyncio.sleep(0.01)
        return web.Response(text=ITEMS)

    web_server = serve(handler)
    server = source(web_server.url(), maxConcurrent=8)
    most = 0
    for start in range(0, 3000, 30):
        send(server, *range(start, start + 30))
        for number in range(start, start + 30, 4):
            server.notify("$/cancelRequest", id=number)
        for _ in range(30):
            server.next()
        most = max(most, descriptors(server))
    assert most < 60
    assert rests(server.process.pid)
