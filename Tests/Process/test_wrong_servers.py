"""The conformance suite detects wrong servers: each rule that the wrapper breaks is caught, and each way to fail is
reported."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import CONFORMANCE
from runner.manner import Failed, Manner
from runner.replay import play
from runner.transcript import Transcript, read
from wrong.rules import RULES

PING = "1-transport/framing.txt::one-ping"


def _wrapped(nagare: str, *options: str) -> list[str]:
    return [sys.executable, str(CONFORMANCE / "wrong" / "run.py"), *options, "--", nagare, "--clock", "virtual"]


def _case(name: str) -> Transcript:
    (only,) = read(f"{CONFORMANCE}/{name}")
    return only


@pytest.mark.parametrize("name", RULES)
def test_a_broken_rule_is_caught(nagare: str, name: str) -> None:
    rule = RULES[name]
    with pytest.raises(Failed) as failed:
        play(_case(rule.transcript), _wrapped(nagare, "--rule", name), Manner(rule.framing, rule.chunks, timeout=5))
    assert "Traceback" not in failed.value.log, "the rule itself is broken, not the server"


@pytest.mark.parametrize(
    ("transcript", "framing", "chunks"), sorted({(r.transcript, r.framing, r.chunks) for r in RULES.values()})
)
def test_the_wrapper_alone_breaks_nothing(nagare: str, transcript: str, framing: str, chunks: str) -> None:
    play(_case(transcript), _wrapped(nagare), Manner(framing, chunks))


def test_every_rule_has_a_description_and_a_section() -> None:
    for name, rule in RULES.items():
        assert rule.__doc__ and re.match(r"[1-7](\.\d)?$", rule.section), name
    assert len(RULES) >= 25


@pytest.mark.parametrize(
    ("program", "received"),
    [
        ("import os; os.abort()", "an end by signal 6: the end of the server's output"),
        ("exit(3)", "exit 3: the end of the server's output"),
        ("print('Listening on port 80', flush=True)", "Listening on port 80 — not a usable message"),
        ("import os; os.write(1, b'{')", "exit 0, but an unfinished message: b'{'"),
        ("print('[' * 100000 + ']' * 100000, flush=True)", "not a usable message: RecursionError"),
        ("while True: print(end='x' * 65536)", "more than 8,388,608 bytes of one message"),
        ("import time; time.sleep(60)", "nothing within 1 s"),
    ],
)
def test_a_server_that_fails_is_reported_with_its_log(program: str, received: str) -> None:
    program = f"import sys; sys.stdin.readline(); print('the log', file=sys.stderr, flush=True); {program}"
    if "while" in program:
        program = program.replace("; while", "\nwhile")
    with pytest.raises(Failed) as failed:
        play(_case(PING), [sys.executable, "-c", program], Manner("lines", "whole", timeout=1))
    assert received in failed.value.received
    assert failed.value.log == "the log\n"


def test_a_server_that_reads_nothing_fails() -> None:
    with pytest.raises(Failed, match="reads its input"):
        program = [sys.executable, "-c", "import time; time.sleep(60)"]
        play(_case(PING), program, Manner("lines", "bytes", timeout=1))


def test_a_run_ends_after_the_given_number_of_failures() -> None:
    options = ["--jobs", "1", "--stop-after", "1", "1-transport"]
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), *options, "--", "cat"], capture_output=True, text=True
    )
    assert run.returncode == 1 and "stopped after" in run.stdout


def test_a_failure_that_is_the_same_in_several_manners_is_reported_once(nagare: str) -> None:
    command = [sys.executable, str(CONFORMANCE / "run.py"), "2-messages/ids.txt::fraction", "--"]
    run = subprocess.run(
        [*command, *_wrapped(nagare, "--rule", "ids-lose-precision")], capture_output=True, text=True
    )
    assert run.stdout.count("FAILED") == 1
    assert "also fails in  lines whole, lines bytes, lines random, headers message" in run.stdout
    assert run.stdout.endswith("0 passed, 8 failed\n")
