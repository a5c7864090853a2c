"""Runs every case of the protocol's transcripts, in every framing and every way of cutting the bytes."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from conftest import CONFORMANCE
from runner.compare import Memory, difference
from runner.escapes import expand
from runner.manner import CHUNKINGS
from runner.transcript import parse_json


@pytest.mark.parametrize("framing", ["lines", "headers"])
@pytest.mark.parametrize("chunks", CHUNKINGS)
def test_the_server_passes_the_transcripts(nagare: str, framing: str, chunks: str) -> None:
    """rules: 1.1.6, 1.5.5"""
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--framing", framing, "--chunks", chunks]
        + ["--", nagare, "--clock", "virtual"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"\n{run.stdout[-20000:]}{run.stderr}"


@pytest.mark.parametrize(
    ("expected", "received", "path"),
    [
        ('{"a":1}', '{"a":1.0}', None),
        ('{"a":1}', '{"a":"1"}', "$.a"),
        ('{"a":1,"...":"..."}', '{"b":2,"a":1}', None),
        ('{"a":1}', '{"b":2,"a":1}', "$.b"),
        ('{"a":{"b":[1,2]}}', '{"a":{"b":[1,3]}}', "$.a.b[1]"),
        ('[1,"..."]', "[1,2,3]", None),
        ("[1,2]", "[1,2,3]", "$[2]"),
        ("[1,2]", "[1]", "$[1]"),
        ('"<string>"', '"a"', None),
        ('"<string>"', "1", "$"),
        ('"<string: a, b>"', '"bca"', None),
        ('"<string: a, b>"', '"ac"', "$"),
        ('"<integer>"', "1.5", "$"),
        ("true", "1", "$"),
        ("9007199254740993", "9007199254740992", "$"),
    ],
)
def test_the_runner_names_the_first_difference(expected: str, received: str, path: str | None) -> None:
    found = difference(parse_json(expected), parse_json(received), Memory())
    assert (found and found.path) == path


def test_every_case_is_run() -> None:
    run = subprocess.run([sys.executable, str(CONFORMANCE / "run.py"), "--list"], capture_output=True, text=True)
    assert int(run.stdout.splitlines()[-1].removesuffix(" cases")) >= 477


def test_the_runner_fails_a_wrong_server(tmp_path: Path) -> None:
    junit = tmp_path / "report" / "junit.xml"
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--filter", "one-ping", "--timeout", "5"]
        + ["--junit", str(junit), "--", "cat"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert re.search(r"FAILED /\S*/1-transport/\S+\.txt:\d+", run.stdout) and "first difference at $.result" in run.stdout
    assert run.stdout.endswith("0 passed, 8 failed\n")
    suite = xml.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures"), len(suite.findall("testcase/failure"))) == ("8", "8", 8)


def test_escapes_become_bytes() -> None:
    assert expand(r"\xff\r\n\(3*ab)流\\") == b"\xff\r\nababab\xe6\xb5\x81\\"
