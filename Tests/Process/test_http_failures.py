"""Whatever a web server does wrong, `nagare-http` names the fault and the remedy, and continues."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl

import pytest
import trustme
from aiohttp import web
from http_pages import ITEMS, Ask, Serve, Source, failed, page
from web_server import Handler, always, json, raw


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", ["empty"]),
        ("[{", ["unexpected end", "line 1, column 3"]),
        ('[{"id":1},\n{"id":2,}]', ["line 2, column 9", '{\\"id\\":1}']),
        (b'[{"id":"\xff"}]', ["not UTF-8", "column 9"]),
        (ITEMS.encode("utf-16"), ["isn't JSON"]),
        ('{"items":[]}', ["isn't an array", '"items"']),
        ("null", ["isn't an array"]),
        ("[" * 600 + "]" * 600, ["nested deeper"]),
        ('[{"id":1},\n 7]', ["item 1, at line 2, column 2, isn't an object"]),
    ],
)
def test_an_answer_that_is_not_a_page_is_an_error(ask: Ask, body: str | bytes, words: list[str]) -> None:
    """rules: 6.5.24, 6.5.25"""
    failed(ask(json(body)), -32012, False, "/items?page=1&size=2 answered 200, application/json", *words)


def test_html_instead_of_json_is_an_error(ask: Ask) -> None:
    html = "<!DOCTYPE html>\n<html><body>Sign in</body></html>"
    answer = ask(always(lambda: web.Response(text=html, content_type="text/html")))
    failed(answer, -32012, False, "200, text/html", "isn't JSON", "<!DOCTYPE html> <html>", 'check "url"')


def test_items_in_the_wrong_place_are_an_error(ask: Ask) -> None:
    failed(ask(json('{"data":[]}'), items=["data", "items"]), -32012, False, '"data.items"', 'set "items"')
    failed(ask(json('{"data":7}'), items=["data"]), -32012, False, '"data" isn\'t an array')


def test_a_total_or_a_cursor_of_the_wrong_type_is_an_error(ask: Ask) -> None:
    failed(ask(json('{"n":"7","i":[]}'), items=["i"], total={"path": ["n"]}), -32012, False, '"n" isn\'t a number')
    failed(ask(json(ITEMS, X_Total="many"), total={"header": "X-Total"}), -32012, False, "X-Total")
    cursor = {"by": "cursor", "path": ["next"]}
    answer = ask(json('{"i":[],"next":{}}'), "/?c={cursor}", items=["i"], next=cursor)
    failed(answer, -32012, False, '"next" isn\'t a cursor')


@pytest.mark.parametrize("status", [204, 400, 401, 404, 410, 501])
def test_a_permanent_status_is_reported_without_retries(ask: Ask, status: int) -> None:
    """rules: 6.5.24"""
    headers = {"WWW-Authenticate": 'Basic realm="x"'} if status == 401 else {}
    answer = ask(always(lambda: web.Response(status=status, headers=headers)), retries=5)
    failed(answer, status, False, f"answered {status}")


def test_an_error_by_status_quotes_the_server_s_message(ask: Ask) -> None:
    failed(ask(json('{"message":"too\\nmuch"}', status=403)), 403, False, 'begins with "{\\"message\\":', "headers")


def test_a_body_over_the_limit_is_not_read_to_its_end(serve: Serve, source: Source) -> None:
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"[" + b" " * 100_000)

    server = source(serve(handler).url(), maxResponseSize=1_000_000)
    failed(page(server), -32012, False, "more than 1000000 bytes", "maxResponseSize")
    assert server.resident() < 100 << 20


def test_a_compressed_body_counts_uncompressed(ask: Ask) -> None:
    bomb = gzip.compress(b"[" + b" " * 50_000_000 + b"]")
    answer = ask(json(bomb, Content_Encoding="gzip"), maxResponseSize=1_000_000)
    failed(answer, -32012, False, "more than 1000000 bytes")


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
BROKEN: dict[str, tuple[Handler, list[str]]] = {
    "hangs up at once": (raw(b""), ["Empty reply"]),
    "resets the connection": (raw(b"", reset=True), []),
    "shorter than its length": (raw(HEAD + b"Content-Length: 100\r\n\r\n" + ITEMS.encode()), ["bytes remaining"]),
    "cut off within a chunk": (raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n[{"), []),
    "cut off between chunks": (raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\n[{}\r\n"), []),
    "a chunk without a size": (raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n[{}]"), []),
    "not what it says it is packed as": (json(ITEMS, Content_Encoding="gzip"), []),
    "cut off within its headers": (raw(b"HTTP/1.1 200 OK\r\nContent-Le"), ["within its headers"]),
    "cut off after a header": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"), []),
    "cut off within its status": (raw(b"HTTP/1.1 20"), []),
    "not HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), []),
    "a flood of headers": (raw(HEAD + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 100) for n in range(50_000))), []),
    "one endless header": (raw(HEAD + b"X: " + b"y" * 5_000_000), []),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_is_a_temporary_error(ask: Ask, name: str) -> None:
    handler, words = BROKEN[name]
    failed(ask(handler), -32010, True, "/items?page=1&size=2", *words)


def test_a_body_longer_than_its_length_is_an_error(ask: Ask) -> None:
    head = HEAD + b"Content-Length: 9\r\nConnection: close\r\n\r\n"
    failed(ask(raw(head + ITEMS.encode())), -32012, False, "unexpected end")


async def never() -> None:
    """Waits until the test is over."""
    await asyncio.Event().wait()


@pytest.mark.parametrize("part", [0, 10])
def test_a_server_that_is_too_slow_is_an_error(ask: Ask, part: int) -> None:
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if part == 0:
            await never()
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b" " * part)
        await never()
        return response

    failed(ask(handler, timeout=300), -32011, True, "300 ms", "timeout")


def test_single_bytes_do_not_extend_the_time_limit(ask: Ask) -> None:
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        for _ in range(1000):
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    failed(ask(handler, timeout=500), -32011, True, "500 ms")


def test_a_closed_port_is_an_error(source: Source) -> None:
    """rules: 6.5.24"""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    failed(page(source(f"http://127.0.0.1:{port}/")), -32010, True, f"127.0.0.1:{port}", "connect")


def test_an_unknown_host_is_an_error(source: Source) -> None:
    failed(page(source("http://nowhere.invalid/")), -32010, True, "nowhere.invalid")


def test_an_untrusted_certificate_is_an_error(serve: Serve, source: Source) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    web_server = serve(json(ITEMS), context)
    failed(page(source(web_server.url(), retries=3)), -32010, False, "certificate")
    assert not web_server.requests


def test_tls_to_a_port_without_tls_is_an_error(serve: Serve, source: Source) -> None:
    url = serve(json(ITEMS)).url().replace("http:", "https:")
    failed(page(source(url, retries=3)), -32010, False, "SSL")
