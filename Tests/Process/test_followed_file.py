"""Followed files: appended lines are listed by themselves, and a replaced or truncated file is read again."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server import MEBIBYTE, Message, Server, Start

ServeLog = Callable[..., Server]


@pytest.fixture
def serve_log(start: Start, tmp_path: Path) -> ServeLog:
    """Serves a list of the lines of `logs/log.jsonl`."""

    def serve(**screen: Any) -> Server:
        configuration = {
            "sources": {"log": {"type": "file", "path": "logs/log.jsonl", "follow": True}},
            "screens": {"log": {"viewModel": "list", "source": "log", "livePace": 0, **screen}},
        }
        path = tmp_path / "nagare.json"
        path.write_text(json.dumps(configuration))
        server = start("--config", str(path))
        server.call("open", screen="log", view="v")
        server.notify("viewWillAppear", view="v")
        return server

    return serve


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "log.jsonl"
    path.write_text('{"id":1}\n')
    return path


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def listed(server: Server, *rows: Any) -> Message:
    """Waits until these rows are listed."""
    return server.hear("items", where=lambda value: [item["id"] for item in value] == list(rows))


def test_an_appended_line_is_listed_once_it_is_finished(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.11, 6.2.12, 6.2.13"""
    server = serve_log()
    listed(server, 1)
    append(log, '{"id":2}\n{"id"')
    listed(server, 1, 2)
    append(log, ":3}\n")
    listed(server, 1, 2, 3)
    append(log, 'nonsense\n{"id":4}\n')
    # Rows that arrive soon after others wait for the pace, an error doesn't.
    said: dict[str, Any] = {}
    while said.get("error") is None or len(said.get("items", [])) < 4:
        params = server.hear("items", "error")
        said[params["method"]] = params["params"]["value"]
    error = said["error"]
    assert [item["id"] for item in said["items"]] == [1, 2, 3, 4]
    assert (error["code"], error["trigger"]) == (-32013, "changed") and "log.jsonl:4:1" in error["message"]


def test_a_log_that_is_rotated_is_followed_in_its_new_file(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.14"""
    server = serve_log()
    listed(server, 1)
    for number in range(2, 6):
        log.rename(log.with_suffix(f".{number}"))
        log.write_text(f'{{"id":{number}}}\n')
        listed(server, number)
        append(log, f'{{"id":{10 * number}}}\n')
        listed(server, number, 10 * number)


def test_a_truncated_or_replaced_log_is_read_again(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.11, 6.2.14"""
    server = serve_log()
    listed(server, 1)
    append(log, '{"id":2}\n')
    listed(server, 1, 2)
    os.truncate(log, 9)
    listed(server, 1)
    (log.parent / "new").write_text('{"id":7}\n')
    os.replace(log.parent / "new", log)
    listed(server, 7)
    log.unlink()
    log.write_text('{"id":8}\n')
    listed(server, 8)


def test_a_folder_may_disappear_and_return(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.14"""
    server = serve_log()
    listed(server, 1)
    log.parent.rename(log.parent.with_name("gone"))
    log.parent.mkdir()
    log.write_text('{"id":2}\n')
    listed(server, 2)
    append(log, '{"id":3}\n')
    listed(server, 2, 3)


def test_a_link_that_leads_elsewhere_is_followed(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.14"""
    (log.parent / "one").mkdir()
    log.rename(log.parent / "one" / "log")
    log.symlink_to("one/log")
    server = serve_log()
    listed(server, 1)
    append(log.parent / "one" / "log", '{"id":2}\n')
    listed(server, 1, 2)
    (log.parent / "two").write_text('{"id":3}\n')
    log.unlink()
    log.symlink_to("two")
    listed(server, 3)


def test_a_file_is_polled_without_the_system_s_notifications(serve_log: ServeLog, log: Path, tmp_path: Path) -> None:
    """rules: 6.2.12"""
    log.parent.rename(tmp_path / "one")
    log.parent.symlink_to("one")
    server = serve_log()
    listed(server, 1)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "log.jsonl").write_text('{"id":2}\n')
    # Nothing changes in the watched file, nor in its folder.
    log.parent.unlink()
    log.parent.symlink_to("two")
    listed(server, 2)


def test_an_endless_writer_costs_neither_the_session_nor_memory(serve_log: ServeLog, log: Path) -> None:
    """rules: 6.2.15"""
    log.write_text("")
    server = serve_log(pageSize=50)
    server.call("ping")
    before, ended = server.resident(), threading.Event()

    def write() -> None:
        number = 0
        with log.open("a") as file:
            # More than 16 MiB a piece, and 400 MB in all at most.
            while not ended.is_set() and number < 2_000_000:
                file.write("".join(f'{{"id":{n},"text":"{"x" * 180}"}}\n' for n in range(number, number + 100_000)))
                number += 100_000

    writer = threading.Thread(target=write)
    writer.start()
    try:
        most = 0
        while writer.is_alive():
            server.call("ping")
            most = max(most, server.resident() - before)
        assert most < 150 * MEBIBYTE
    finally:
        ended.set()
        writer.join()


def test_a_signal_ends_it_during_endless_writing(serve_log: ServeLog, log: Path) -> None:
    server = serve_log(pageSize=50)
    listed(server, 1)
    append(log, "x" * (20 * MEBIBYTE))
    append(log, "".join(f'{{"id":{n}}}\n' for n in range(1_000_000)))
    server.process.send_signal(signal.SIGTERM)
    assert server.ends() == 0
