"""`nagare-http` gets pages from web servers in order and byte for byte."""

from __future__ import annotations

import gzip
import json as text

import pytest
from aiohttp import web
from http_pages import ITEMS, PAGED, Ask, Serve, Source, failed, page
from web_server import each, json


def test_pages_follow_each_other_by_number(serve: Serve, source: Source) -> None:
    """rules: 6.5.2, 6.5.7, 6.5.8"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        number, size = int(request.query["page"]), int(request.query["size"])
        items = [{"id": item} for item in range(7)][(number - 1) * size : number * size]
        return web.json_response(items)

    server, keys, items = source(serve(handler).url(PAGED)), [None], []
    while (answer := page(server, keys[-1], size=3))["next"] is not None:
        items += answer["items"]
        keys.append(answer["next"])
    assert keys == [None, 2, 3]
    assert [item["id"] for item in items + answer["items"]] == list(range(7))


def test_pages_follow_each_other_by_offset(serve: Serve, source: Source) -> None:
    """rules: 6.5.7, 6.5.8"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        start = int(request.query["from"])
        return web.json_response({"data": {"list": [{"id": start}, {"id": start + 1}]}, "meta": {"count": 6}})

    web_server = serve(handler)
    server = source(web_server.url("/?from={offset}"), items=["data", "list"], total={"path": ["meta", "count"]})
    assert page(server) == {"items": [{"id": 0}, {"id": 1}], "next": 2, "total": 6}
    assert page(server, 4) == {"items": [{"id": 4}, {"id": 5}], "next": None, "total": 6}


def test_a_page_is_asked_for_by_its_position(serve: Serve, source: Source) -> None:
    """rules: 6.0.8"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        start, size = int(request.query["from"]), int(request.query["n"])
        return web.json_response({"list": [{"id": id} for id in range(start, min(50, start + size))], "count": 50})

    server = source(serve(handler).url("/?from={offset}&n={size}"), items=["list"], total={"path": ["count"]})
    jump = server.call("source/page", source="web", key=None, at=30, size=2)[0]["result"]
    assert jump == {"items": [{"id": 30}, {"id": 31}], "next": 32, "previous": {"before": 30}, "total": 50, "position": 30}
    assert page(server, {"before": 30}, size=2)["items"] == [{"id": 28}, {"id": 29}]
    first = page(server, {"before": 1}, size=2)
    assert first == {"items": [{"id": 0}], "next": 1, "total": 50, "position": 0}
    beyond = server.call("source/page", source="web", key=None, at=99, size=2)[0]["result"]
    assert (beyond["items"], beyond["position"], beyond["next"]) == ([], 50, None)


def test_pages_follow_each_other_by_cursor(serve: Serve, source: Source) -> None:
    """rules: 6.5.7"""
    web_server = serve(
        each(
            json('{"items":[{"id":1}],"next":"a/b \\u00e9"}'),
            json('{"items":[{"id":2}],"next":"c","more":true}'),
            json('{"items":[{"id":3}],"next":"d","more":false}'),
        )
    )
    server = source(
        web_server.url("/?after={cursor}&n={size}"),
        items=["items"],
        next={"by": "cursor", "path": ["next"], "more": ["more"]},
    )
    assert [page(server, key)["next"] for key in (None, "a/b é", "c")] == ["a/b é", "c", None]
    assert web_server.paths() == ["/?n=2", "/?after=a%2Fb%20%C3%A9&n=2", "/?after=c&n=2"]


def test_pages_follow_each_other_by_link(serve: Serve, source: Source) -> None:
    """rules: 6.5.7"""
    link = '</items?page=1>; rel="prev first", </items?page=3&x=%2F>; title="a, b"; rel="next"'
    web_server = serve(each(json(ITEMS, Link=link), json(ITEMS)))
    server = source(web_server.url("/items"), next={"by": "link"})
    first = page(server)
    following = first["next"]
    assert following == web_server.url("/items?page=3&x=%2F")
    assert first["previous"] == web_server.url("/items?page=1")
    assert page(server, following)["next"] is None
    assert web_server.paths() == ["/items", "/items?page=3&x=%2F"]


def test_the_body_may_contain_the_links(serve: Serve, source: Source) -> None:
    """rules: 6.5.7"""
    web_server = serve(
        each(
            json('{"results":[{"id":1}],"links":{"next":"?page=2","prev":null}}'),
            json('{"results":[{"id":2}],"links":{"next":null,"prev":"/items?page=1"}}'),
        )
    )
    way = {"by": "link", "path": ["links", "next"], "previous": ["links", "prev"]}
    server = source(web_server.url("/items"), items=["results"], next=way)
    assert page(server) == {"items": [{"id": 1}], "next": web_server.url("/items?page=2")}
    last = {"items": [{"id": 2}], "next": None, "previous": web_server.url("/items?page=1")}
    assert page(server, web_server.url("/items?page=2")) == last


def test_a_cursor_may_lead_to_the_previous_page(ask: Ask) -> None:
    way = {"by": "cursor", "path": ["after"], "previous": ["before"]}
    answer = ask(json('{"items":[{"id":1}],"after":2.50,"before":"x"}'), "/?c={cursor}", items=["items"], next=way)
    assert answer == {"items": [{"id": 1}], "next": 2.5, "previous": "x"}


def test_a_link_elsewhere_is_refused(ask: Ask) -> None:
    """rules: 6.5.9"""
    link = "<http://other.example/items?page=2>; rel=next"
    answer = ask(json(ITEMS, Link=link), "/items", next={"by": "link"})
    failed(answer, -32012, False, "other.example", "allowRedirectsTo")
    answer = ask(json(ITEMS, Link=link), "/items", next={"by": "link"}, allowRedirectsTo=["other.example"])
    assert answer["next"] == "http://other.example/items?page=2"


def test_a_key_can_not_lead_elsewhere(serve: Serve, source: Source) -> None:
    server = source(serve(json(ITEMS)).url("/items"), next={"by": "link"})
    for key in ("http://other.example/", "file:///etc/passwd", "items", 7, {"url": "http://127.0.0.1/"}):
        assert page(server, key)["code"] == -32602


def test_the_total_is_read_from_a_header(ask: Ask) -> None:
    answer = ask(json(ITEMS, Total_Count="5"), total={"header": "total-count"})
    assert (answer["total"], answer["next"]) == (5, 2)
    answer = ask(json(ITEMS, Total_Count="2"), total={"header": "Total-Count"})
    assert (answer["total"], answer["next"]) == (2, None)


def test_a_query_is_encoded_and_an_empty_one_omitted(serve: Serve, source: Source) -> None:
    """rules: 6.5.2, 6.5.3"""
    web_server = serve(json(ITEMS))
    server = source(web_server.url("/items?q={query}&page={page}"))
    for query in (None, "", "a&b=流 #"):
        page(server, query=query)
    assert web_server.paths() == ["/items?page=1", "/items?page=1", "/items?q=a%26b%3D%E6%B5%81%20%23&page=1"]


def test_a_query_can_not_leave_its_folder_in_the_path(serve: Serve, source: Source) -> None:
    """rules: 6.5.5"""
    web_server = serve(json(ITEMS))
    server = source(web_server.url("/items/{query}/list"))
    for query in ("..", ".", "../../secret", "x/.."):
        answer = page(server, query=query)
        assert answer["code"] == -32602 and "'query'" in answer["message"], answer
    page(server, query="..x")
    assert web_server.paths() == ["/items/..x/list"]


def test_a_page_size_is_limited_to_the_server_s(serve: Serve, source: Source) -> None:
    web_server = serve(json(ITEMS))
    server = source(web_server.url(PAGED), maxPageSize=2)
    assert page(server, size=500)["next"] == 2
    assert web_server.paths() == ["/items?page=1&size=2"]


def test_items_are_passed_on_byte_for_byte(serve: Serve, source: Source) -> None:
    items = r'[ {"id" : 1.50e2,"a":"\u00e9\/","b":12345678901234567890.10,"a":null} ,{"id":"\ud83c\udf0a"}]'
    server = source(serve(json(items)).url())
    params = {"source": "web", "key": None, "query": None, "size": 2}
    server.send({"jsonrpc": "2.0", "id": 1, "method": "source/page", "params": params})
    line = server.next_line()
    assert line.decode() == f'{{"jsonrpc":"2.0","id":1,"result":{{"items":{items},"next":null}}}}\n'


def test_line_feeds_between_tokens_become_spaces(ask: Ask) -> None:
    assert ask(json('[\r\n{"id":\n1}\n]'), "/")["items"] == [{"id": 1}]


def test_a_byte_order_mark_is_skipped(ask: Ask) -> None:
    assert ask(json("\ufeff" + ITEMS), "/")["items"] == [{"id": 1}, {"id": 2}]


def test_items_without_id_are_passed_on(ask: Ask) -> None:
    assert ask(json('[{"name":"x"}]'), "/")["items"] == [{"name": "x"}]


def test_gzip_is_decompressed(ask: Ask) -> None:
    assert ask(json(gzip.compress(ITEMS.encode()), Content_Encoding="gzip"), "/")["items"] == [{"id": 1}, {"id": 2}]


def test_a_large_page_may_arrive_in_many_pieces(ask: Ask) -> None:
    items = [{"id": number, "text": "x" * 1000} for number in range(5000)]

    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        body = text.dumps(items).encode()
        for start in range(0, len(body), 70_001):
            await response.write(body[start : start + 70_001])
        return response

    assert ask(handler, "/")["items"] == items


def test_secrets_come_from_the_environment(serve: Serve, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAGARE_TEST_TOKEN", "hunter2")
    web_server = serve(json("[]"))
    headers = {
        "Authorization": {"environment": "NAGARE_TEST_TOKEN", "prefix": "Bearer "},
        "X-Missing": {"environment": "NAGARE_TEST_NOTHING", "optional": True},
        "accept": "application/vnd.example+json",
    }
    assert page(source(web_server.url(), headers=headers))["items"] == []
    sent = web_server.requests[0].headers
    assert (sent["Authorization"], sent.getall("Accept")) == ("Bearer hunter2", ["application/vnd.example+json"])
    assert "X-Missing" not in sent and "Cookie" not in sent


def test_a_missing_secret_is_named(ask: Ask) -> None:
    answer = ask(json("[]"), "/", headers={"Authorization": {"environment": "NAGARE_TEST_NOTHING"}})
    failed(answer, -32010, False, "Authorization", "NAGARE_TEST_NOTHING")


def test_no_secret_is_in_a_message(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAGARE_TEST_TOKEN", "hunter2")
    headers = {"X-Key": {"environment": "NAGARE_TEST_TOKEN"}}
    answer = ask(json("nothing", status=403), "/items?key=hunter3&page={page}", headers=headers)
    failed(answer, 403, False, "/items?key=…&page=1", "403", "application/json", "headers")
    assert "hunter" not in answer["message"]


def test_an_unchanged_page_is_not_sent_again(serve: Serve, source: Source) -> None:
    """rules: 6.5.11"""
    async def handler(request: web.BaseRequest) -> web.StreamResponse:
        if request.headers.get("If-None-Match") == '"v1"':
            return web.Response(status=304, headers={"ETag": '"v1"'})
        return web.Response(text=ITEMS, headers={"ETag": '"v1"', "Total-Count": "2"})

    web_server = serve(handler)
    server = source(web_server.url(), total={"header": "Total-Count"})
    assert page(server) == page(server) == {"items": [{"id": 1}, {"id": 2}], "next": None, "total": 2}
    assert [request.headers.get("If-None-Match") for request in web_server.requests] == [None, '"v1"']


def test_an_unchanged_page_may_be_recognized_by_date(serve: Serve, source: Source) -> None:
    """rules: 6.5.11"""
    date = "Sun, 06 Nov 1994 08:49:37 GMT"
    web_server = serve(each(json(ITEMS, Last_Modified=date), json("", status=304), json("[]")))
    server = source(web_server.url())
    assert [len(page(server)["items"]) for _ in range(3)] == [2, 2, 0]
    assert [request.headers.get("If-Modified-Since") for request in web_server.requests] == [None, date, date]


def test_not_modified_without_an_earlier_page_is_an_error(ask: Ask) -> None:
    failed(ask(json("", status=304)), 304, False, "304")
