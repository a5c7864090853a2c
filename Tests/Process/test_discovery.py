"""The service's description of itself is an OpenRPC document, and correct."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
from conftest import ROOT
from server import Message, Server, Start

SESSION = ["initialize", "screens", "open", "outputs", "close", "ping", "rpc.discover", "shutdown"]


def discover(server: Server) -> Message:
    document: Message = server.call("rpc.discover")[0]["result"]
    return document


def test_the_document_is_valid_openrpc(start: Start) -> None:
    """rules: 3.20"""
    schema = json.loads((Path(__file__).parent / "openrpc-1.3.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(discover(start()))


def test_the_document_describes_every_method_of_session_and_screens(start: Start) -> None:
    """rules: 3.20"""
    server = start()
    names = [method["name"] for method in discover(server)["methods"]]
    assert len(set(names)) == len(names)
    inputs = {name for screen in server.call("screens")[0]["result"]["screens"] for name in screen["inputs"]}
    assert set(SESSION) | inputs <= set(names)


def test_the_virtual_clock_is_described_only_if_it_exists(start: Start) -> None:
    """rules: 3.16, 3.20"""
    assert "clock/advance" in [method["name"] for method in discover(start("--clock", "virtual"))["methods"]]
    assert "clock/advance" not in [method["name"] for method in discover(start())["methods"]]


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for element in value:
            yield from references(element)


def test_every_reference_has_a_target(start: Start) -> None:
    document = discover(start())
    for reference in references(document):
        place: Any = document
        assert reference.startswith("#/")
        for name in reference[2:].split("/"):
            place = place[name.replace("~1", "/").replace("~0", "~")]


def test_the_document_is_the_same_every_time(start: Start) -> None:
    first, second = start(), start()
    for server in (first, second):
        server.send({"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"})
    assert first.next_line() == second.next_line()


def test_the_published_document_is_up_to_date(start: Start) -> None:
    """rules: 3.23"""
    published = (ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8")
    assert published == json.dumps(discover(start()), indent=2, ensure_ascii=False) + "\n", "run `make generate`"


def test_the_types_of_the_clients_match_the_document() -> None:
    generator = [sys.executable, "-B", str(ROOT / "protocol" / "generate"), "--check"]
    checked = subprocess.run(generator, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_each_view_model_is_described_separately(start: Start) -> None:
    """rules: 3.20"""
    server = start()
    document = discover(server)
    described = {view_model["viewModel"]: view_model for view_model in document["x-viewModels"]}
    for screen in document["x-screens"]:
        view_model = described[screen["viewModel"]]
        for ports in ("inputs", "outputs"):
            optional = {one["name"] for one in view_model[ports] if one.get("optional")}
            always = [one["name"] for one in view_model[ports] if one["name"] not in optional]
            assert [name for name in screen[ports] if name not in optional] == always
            assert set(screen[ports]) <= set(always) | optional
        needs = "params" not in screen or "required" in screen["params"]
        opened = {} if needs else server.call("open", screen=screen["screen"])[0]["result"]["outputs"]
        for output in view_model["outputs"]:
            if opened and not output.get("optional"):
                assert (output["name"] in opened) == (output["kind"] != "event"), output
                assert ("revision" in opened.get(output["name"], {})) == (output["kind"] == "list"), output


def test_all_built_in_inputs_and_outputs_have_a_summary(start: Start) -> None:
    view_models = discover(start())["x-viewModels"]
    known = {part["name"] for view_model in view_models for part in view_model["inputs"] + view_model["outputs"] if "summary" in part}
    for view_model in view_models:
        if not view_model.get("configured"):
            assert view_model["summary"]
            assert {part["name"] for part in view_model["inputs"] + view_model["outputs"]} <= known


def test_outputs_are_described_by_screen(start: Start) -> None:
    """rules: 3.20, 4.2.2"""
    server = start()
    document = discover(server)
    described = {screen["screen"]: screen for screen in document["x-screens"]}
    for screen in server.call("screens")[0]["result"]["screens"]:
        assert {name: described[screen["screen"]][name] for name in screen} == screen
        for output in screen["outputs"]:
            (notification,) = (said for said in document["x-notifications"] if said["name"] == output)
            assert screen["screen"] in notification["screens"]
