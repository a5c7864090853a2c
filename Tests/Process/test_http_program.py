"""`nagare-http` as a program: its start, its end, and its answers to unknown messages."""

from __future__ import annotations

import json as text
import os
import subprocess

import pytest

from conftest import ROOT
from http_pages import ITEMS, PAGED, Serve, Source, page, send, slow
from server import PATIENCE, Server, until
from web_server import json


def test_the_end_of_input_ends_the_program(serve: Serve, source: Source) -> None:
    web_server = serve(slow)
    server = source(web_server.url())
    send(server, 1)
    until(lambda: web_server.running == 1)
    server.close()
    assert [reply["error"]["code"] for reply in server.rest()] == [-32800]
    assert server.ends() == 0


@pytest.mark.parametrize("blocking", [False, True])
def test_shared_streams_keep_their_flags(nagare_http: str, blocking: bool) -> None:
    (its_input, input), (output, its_output) = os.pipe(), os.pipe()
    for stream in (its_input, its_output):
        os.set_blocking(stream, blocking)
    process = subprocess.Popen([nagare_http, '{"url": "https://example.org/{page}"}'], stdin=its_input, stdout=its_output)
    # Longer than a pipe's capacity, and so is the answer, which contains it.
    method = "m" * 200_000
    try:
        with os.fdopen(input, "wb", buffering=0) as writing, os.fdopen(output, "rb") as reading:
            for number in (1, 2):
                message = memoryview(text.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode() + b"\n")
                while message:
                    message = message[writing.write(message) :]
                answer = text.loads(reading.readline())
                assert answer["id"] == number and method in answer["error"]["message"]
            assert os.get_blocking(its_input) == os.get_blocking(its_output) == blocking
        assert process.wait(5) == 0
    finally:
        process.kill()
        os.close(its_input)
        os.close(its_output)


def test_a_closed_input_counts_as_ended(nagare_http: str) -> None:
    configuration = text.dumps({"url": "https://example.org/{page}"})
    command = f"exec {nagare_http} '{configuration}' <&-"
    ended = subprocess.run(command, shell=True, stdout=subprocess.PIPE, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (0, b"")


def test_a_closed_output_ends_the_program(serve: Serve, nagare_http: str) -> None:
    configuration = text.dumps({"url": serve(json(ITEMS)).url()})
    server = Server(nagare_http, configuration, reading=False)
    try:
        server.output.close()
        send(server, 1)
        assert server.ends() == 0
    finally:
        server.kill()


def test_unknown_requests_are_answered(serve: Serve, source: Source) -> None:
    server = source(serve(json(ITEMS)).url(PAGED))
    assert server.call("open", screen="items")[0]["error"]["code"] == -32601
    assert server.call("source/page", source="web")[0]["error"]["code"] == -32602
    assert page(server, size=0)["code"] == -32602
    assert page(server, "two")["code"] == -32602
    assert page(server, 0)["code"] == -32602
    server.write(b"{broken\n")
    assert server.next()["error"]["code"] == -32700
    assert page(server)["next"] == 2


WRONG: dict[str, tuple[str, list[str]]] = {
    "not JSON": ('{"url":}', ["1:8", "not JSON"]),
    "no address": ("{}", ["1:1", "'url' is missing"]),
    "unknown member": ('{"url":"http://h/",\n"itens":[]}', ["2:9", "'itens' is unknown", "'items'"]),
    "wrong placeholder": ('{"url":"http://h/?q={search}"}', ["1:8", "{query}"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_configuration_is_explained(nagare_http: str, name: str) -> None:
    configuration, words = WRONG[name]
    result = subprocess.run([nagare_http, configuration], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (78, "")
    for word in words:
        assert word in result.stderr, result.stderr


def test_without_a_configuration_it_prints_its_usage(nagare_http: str) -> None:
    result = subprocess.run([nagare_http], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert result.returncode == 64 and "usage" in result.stderr
    result = subprocess.run([nagare_http, "--help"], capture_output=True, text=True)
    assert result.returncode == 0 and "usage" in result.stdout


@pytest.mark.parametrize("name", ["qiita", "github"])
def test_the_examples_are_valid_configurations(nagare_http: str, name: str) -> None:
    path = ROOT / "protocol" / "examples" / f"{name}.json"
    for configuration in text.loads(path.read_text(encoding="utf-8"))["sources"].values():
        run = subprocess.run(
            [nagare_http, text.dumps(configuration)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**os.environ, "GITHUB_TOKEN": "x", "QIITA_TOKEN": "x"},
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
