"""A log that isn't read blocks nothing: lines that can't be written are dropped, and reported later."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_programs import PRELUDE
from server import PATIENCE, until


class Logging:
    """A server whose log is a pipe without a reader."""

    def __init__(self, binary: str, *options: str) -> None:
        self.log, log = os.pipe()
        self.process = subprocess.Popen(
            [binary, "--log", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, bufsize=0
        )
        os.close(log)

    def call(self, count: int) -> None:
        """Sends requests one by one, and waits for each response."""
        assert self.process.stdin and self.process.stdout
        for number in range(count):
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode() + b"\n")
            assert self.process.stdout.readline()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.log)


@pytest.fixture
def server(nagare: str) -> Iterator[Logging]:
    server = Logging(nagare)
    yield server
    server.close()


def test_an_unread_log_does_not_delay_answers(server: Logging) -> None:
    """rules: 1.4.12"""
    server.call(5000)
    assert server.process.stdin
    server.process.stdin.close()
    assert server.process.wait(20) == 0


def test_dropped_lines_are_reported(server: Logging) -> None:
    """rules: 1.4.12"""
    server.call(5000)
    held = os.read(server.log, 1 << 20)
    server.call(1)
    held += os.read(server.log, 1 << 20)
    lines = held.decode().splitlines()
    place, told = next((place, line) for place, line in enumerate(lines) if "dropped" in line)
    dropped = int(re.search(r"(\d+) lines", told)[1])  # type: ignore[index]
    # A partly written line counts as dropped, too.
    whole = [line for line in lines if line != told and line.endswith("}")]
    assert dropped >= 8000 and dropped + len(whole) == 10_002
    assert lines[place + 1].startswith("--> ")


def test_a_program_s_lines_are_dropped_too(nagare: str, tmp_path: Path) -> None:
    program = """
for id, params in requests():
    for _ in range(300):
        print("x" * 1000, file=sys.stderr, flush=True)
    page(id, 1)
    leave("done", "")
"""
    (tmp_path / "rows.py").write_text(PRELUDE + program)
    sources = {"rows": {"type": "command", "command": [sys.executable, "rows.py"]}}
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps({"sources": sources, "screens": {"l": {"viewModel": "list", "source": "rows"}}}))
    server = Logging(nagare, "--config", str(path))
    try:
        assert server.process.stdin
        server.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"l"}}\n')
        server.process.stdin.write(b'{"jsonrpc":"2.0","method":"viewWillAppear"}\n')
        until((tmp_path / "done").exists)
    finally:
        server.close()


def test_faults_of_a_configuration_are_written_completely(nagare: str, tmp_path: Path) -> None:
    """The whole text is written, because nothing else has to run."""
    path = tmp_path / "nagare.json"
    path.write_text(json.dumps({"screens": {f"s{number}": {"viewModel": "lost" * 50} for number in range(500)}}))
    told = subprocess.run([nagare, "--config", str(path)], capture_output=True, text=True, timeout=PATIENCE).stderr
    assert len(told.splitlines()) == 500
