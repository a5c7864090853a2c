"""`nagare --file` pages through real files to their end, in order, without losing or repeating anything."""

from __future__ import annotations

import json
import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import MEBIBYTE, Message, Server, Start

RECORDS = 500_000


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a million records of uneven size, the same on every run."""
    path = tmp_path_factory.mktemp("records") / "records.jsonl"
    dice = random.Random(7)
    words = ["流れ", "mail", "\\u00e9t\\u00e9", "a/b", "\\n", "🌊", "{", "]", ","]
    with path.open("w", encoding="utf-8") as file:
        for number in range(RECORDS):
            subject = " ".join(dice.choices(words, k=dice.randrange(12)))
            file.write(f'{{"id":{number},"subject":"{subject}","n":{dice.random()}}}\n')
    return path


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One record for each file that this machine's packages installed, or for each line of these tests."""
    path = tmp_path_factory.mktemp("packages") / "files.jsonl"
    # Debian keeps lists of the packages' files there, with very varied paths. Other systems have no such folder, so the
    # tests' own lines replace them.
    lists = sorted(Path("/var/lib/dpkg/info").glob("*.list")) or sorted(Path(__file__).parent.glob("*.py"))
    with path.open("w", encoding="utf-8") as file:
        for source in lists:
            for number, line in enumerate(source.read_text(errors="replace").splitlines()):
                record = {"key": f"{source.stem} {number}", "path": line}
                file.write(json.dumps(record, ensure_ascii=number % 2 == 0) + "\n")
    return path


def added(message: Message) -> Iterator[Any]:
    """Returns the items that a delta appends to the list."""
    for splice in message["params"]["splices"]:
        assert splice["deleteCount"] == 0
        yield from splice["items"]


def pages(server: Server, size: int) -> Iterator[list[Any]]:
    """Loads page after page to the end, as a client with deltas."""
    server.call("initialize", protocolVersion="1", capabilities={"deltas": True})
    server.call("open", screen="items", view="v", params={"pageSize": size})
    trigger = "viewWillAppear"
    count = 0
    while True:
        _, said = server.call(trigger, view="v")
        items = [item for message in said if message["method"] == "items" for item in added(message)]
        count += len(items)
        state = next(message["params"]["value"] for message in said if message["method"] == "state")
        assert state["count"] == count
        assert not [message for message in said if message["method"] == "error"]
        yield items
        if state["phase"] == "reachedBottom":
            return
        assert state["phase"] == "requestFinished"
        server.call("clock/advance", milliseconds=1000)
        trigger = "reachBottom"


@pytest.mark.parametrize("size", [997, 10_000])
def test_half_a_million_records_are_listed_to_their_end(start: Start, records: Path, size: int) -> None:
    server = start("--clock", "virtual", "--file", str(records))
    with records.open(encoding="utf-8") as lines:
        for page in pages(server, size):
            for item in page:
                assert item == json.loads(next(lines))
        assert not next(lines, "")
    # Listed records are held, each with few bytes beyond its own.
    assert server.resident() < records.stat().st_size + RECORDS * 64 + 48 * MEBIBYTE


def test_every_file_of_every_package_is_listed(start: Start, packages: Path) -> None:
    server = start("--clock", "virtual", "--file", str(packages), "--id", "key")
    with packages.open(encoding="utf-8") as lines:
        for page in pages(server, 5000):
            for item in page:
                assert item == json.loads(next(lines))
        assert not next(lines, "")


def test_a_large_file_is_read_only_as_far_as_paging_goes(start: Start, records: Path) -> None:
    """rules: 6.2.2"""
    server = start("--clock", "virtual", "--file", str(records))
    first = next(pages(server, 20))
    assert [item["id"] for item in first] == list(range(20))
    assert server.resident() < 16 * MEBIBYTE


def test_one_array_is_paged_like_lines(start: Start, tmp_path: Path) -> None:
    """rules: 6.2.1"""
    path = tmp_path / "array.json"
    items = [{"id": number, "text": "[" * (number % 7) + '"\\'} for number in range(5000)]
    path.write_text(json.dumps(items, indent=1))
    server = start("--clock", "virtual", "--file", str(path))
    assert [item for page in pages(server, 333) for item in page] == items


def test_broken_lines_are_reported_and_the_others_listed(start: Start, tmp_path: Path) -> None:
    """rules: 6.2.7"""
    broken = {100: '{"id":100', 2500: "not json", 2501: '{"id":2501}}', 4999: '{"id":"\xff"}'}
    path = tmp_path / "broken.jsonl"
    text = "".join(broken.get(number, f'{{"id":{number}}}') + "\n" for number in range(1, 5001))
    path.write_bytes(text.encode("latin-1"))
    server = start("--clock", "virtual", "--file", str(path))
    server.call("open", screen="items", view="v", params={"pageSize": 1000})
    errors: list[Message] = []
    trigger = "viewWillAppear"
    while True:
        _, said = server.call(trigger, view="v")
        errors += [m["params"]["value"] for m in said if m["method"] == "error" and m["params"]["value"] is not None]
        if [m for m in said if m["method"] == "state" and m["params"]["value"]["phase"] == "reachedBottom"]:
            break
        server.call("clock/advance", milliseconds=1000)
        trigger = "reachBottom"
    reply, _ = server.call("outputs", view="v")
    listed = [item["id"] for item in reply["result"]["outputs"]["items"]["value"]]
    assert listed == [number for number in range(1, 5001) if number not in broken]
    assert all(error["code"] == -32013 and not error["retryable"] for error in errors)
    said_of = " ".join(error["message"] for error in errors)
    assert "broken.jsonl" in said_of and "100" in said_of and "4999" in said_of


def test_a_file_that_is_a_folder_fails_the_load(start: Start, tmp_path: Path) -> None:
    """rules: 6.2.7"""
    server = start("--clock", "virtual", "--file", str(tmp_path))
    server.call("open", screen="items", view="v")
    _, said = server.call("viewWillAppear", view="v")
    assert [message["params"]["value"]["code"] for message in said if message["method"] == "error"] == [-32010]


def test_an_incomplete_array_fails_the_load(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('[{"id":1},{"id":2},{"id":')
    server = start("--clock", "virtual", "--file", str(path))
    server.call("open", screen="items", view="v")
    _, said = server.call("viewWillAppear", view="v")
    errors = [message["params"]["value"] for message in said if message["method"] == "error"]
    assert len(errors) == 1 and "cut.json" in errors[0]["message"]
    assert server.call("ping")[0]["result"] == {}


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge", "folder"])
def test_an_invalid_kept_index_is_ignored(start: Start, tmp_path: Path, kind: str) -> None:
    """rules: 6.2.18"""
    path, index = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.nagare-index"
    path.write_text("".join(f'{{"id":{number}}}\n' for number in range(2000)))
    config = tmp_path / "nagare.json"
    source, screen = {"type": "file", "path": "rows.jsonl", "index": True}, {"viewModel": "list", "source": "rows"}
    config.write_text(json.dumps({"sources": {"rows": source}, "screens": {"rows": screen}}))
    match kind:
        case "pipe":
            os.mkfifo(index)
        case "endless":
            index.symlink_to("/dev/zero")
        case "huge":
            with index.open("wb") as file:
                file.truncate(1 << 40)
        case _:
            index.mkdir()
    # An open pipe, which never ends.
    holder = os.open(index, os.O_RDWR) if kind == "pipe" else None
    try:
        server = start("--config", str(config))
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (1 << 30, 1 << 30))
        server.call("initialize", protocolVersion="1", capabilities={"windows": True})
        server.call("open", screen="rows", view="v", params={"window": {}})
        server.call("viewWillAppear", view="v")
        server.call("jump", view="v", index=1990)
        reply = server.call("outputs", view="v")[0]["result"]["outputs"]["items"]
        assert reply["value"][-1] == {"id": 1999} and reply["count"] == 2000
    finally:
        if holder is not None:
            os.close(holder)
