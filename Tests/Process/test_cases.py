"""Tests of transcript files: their cases, shared parts and repetitions."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from conftest import CONFORMANCE
from runner.cases import TranscriptError
from runner.transcript import Exit, Expect, Place, Send, Transcript, read

OPENED = """\
# Pings are answered.
options --max-views 2
--> {"id":"file"}
"""
GROUPED = (
    OPENED
    + """
== alone
# One ping.
--> {"id":"alone"}

= a view is open
--> {"id":"group"}

== first
# The first
# of two.
--> {"id":"first"}
config {
  "screens": {}
}

== second
# The second of two.
only lines
--> {"id":"second"}

= nothing is open
--> {"id":"other group"}
== last
# The last.
exit 1
"""
)


@pytest.fixture
def write(tmp_path: Path) -> Path:
    """The path of a file of cases, in a section."""
    (tmp_path / "1-pings").mkdir()
    return tmp_path / "1-pings" / "pings.txt"


def sent(transcript: Transcript) -> list[str]:
    return [step.body.decode() for step in transcript.steps if isinstance(step, Send)]


def test_a_case_begins_with_the_steps_above_the_headings(write: Path) -> None:
    write.write_text(GROUPED)
    alone, first, second, last = read(write)
    assert sent(alone) == ['{"id":"file"}', '{"id":"alone"}']
    assert sent(first) == ['{"id":"file"}', '{"id":"group"}', '{"id":"first"}']
    assert sent(second) == ['{"id":"file"}', '{"id":"group"}', '{"id":"second"}']
    assert sent(last) == ['{"id":"file"}', '{"id":"other group"}']
    assert all(one.options == ["--max-views", "2"] for one in (alone, first, second, last))


def test_server_options_of_a_case_apply_only_to_it(write: Path) -> None:
    write.write_text(GROUPED)
    alone, first, second, last = read(write)
    assert [one.config for one in (alone, first, second)] == [None, '{\n  "screens": {}\n}\n', None]
    assert [one.framings for one in (first, second)] == [("lines", "headers"), ("lines",)]
    assert [[step.code for step in one.steps if isinstance(step, Exit)] for one in (second, last)] == [[0], [1]]


def test_a_config_of_a_case_replaces_the_shared_one(write: Path) -> None:
    shared = 'config {\n  "screens": {}\n}\n'
    write.write_text(f"{shared}== own\n# Its own.\nconfig {{\n}}\n== shared\n# The shared one.\nclose\n")
    assert [one.config for one in read(write)] == ["{\n}\n", shared.removeprefix("config ")]


def test_a_case_has_a_name_a_line_and_a_summary(write: Path) -> None:
    write.write_text(GROUPED)
    assert [one.name for one in read(write)] == [
        f"1-pings/pings.txt::{name}" for name in ("alone", "first", "second", "last")
    ]
    (first,) = read(f"{write}::first")
    assert (first.line, first.about) == (12, "The first of two.")
    assert [step.place for step in first.steps if isinstance(step, Send)] == [Place(1, 3), Place(2, 10), Place(3, 15)]


def test_a_file_without_headings_is_a_case(write: Path) -> None:
    write.write_text(OPENED)
    (only,) = read(write)
    assert (only.name, only.about, sent(only)) == ("1-pings/pings.txt", "Pings are answered.", ['{"id":"file"}'])


def test_a_comment_after_a_blank_line_is_not_part_of_the_summary(write: Path) -> None:
    write.write_text(f"== a\n# The case.\n\n# its first step\n{OPENED}")
    (case,) = read(write)
    assert case.about == "The case."


def test_repeat_counts_its_rounds(write: Path) -> None:
    write.write_text(
        "# Three.\nrepeat 3 {\n"
        '--> {"id":<n>,"next":<n+1>,"before":<n-1>,"key":<20*n>,"last":<20*n-19>}\n<-- {"id":"<n>"}\n}\n'
    )
    (case,) = read(write)
    assert sent(case) == [
        '{"id":1,"next":2,"before":0,"key":20,"last":1}',
        '{"id":2,"next":3,"before":1,"key":40,"last":21}',
        '{"id":3,"next":4,"before":2,"key":60,"last":41}',
    ]
    answers = [step for step in case.steps if isinstance(step, Expect)]
    assert [step.value for step in answers] == [{"id": str(n)} for n in (1, 2, 3)]
    assert [step.place for step in answers] == [Place(1, 4, 1), Place(3, 4, 2), Place(5, 4, 3)]


def test_headings_and_counters_in_a_server_file_are_kept(write: Path) -> None:
    write.write_text("# A file.\nfile rows <<END\n== <n>\n\n# x\nEND\nclose\n")
    (case,) = read(write)
    assert case.files == {"rows": "== <n>\n\n# x\n"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("== a\n# A.\nclose\n== a\n# A.\nclose\n", "4: a case needs a unique name"),
        ("== A b\n# A.\nclose\n", "1: a case needs a unique name of a-z, 0-9 and hyphens"),
        ("close\n== a\n# A.\n", "2: the case has no statements"),
        ("== a\n# A.\nclose\n= b\nclose\n", "4: this heading has no case below it"),
        ("= b\nclose\n= c\nclose\n== a\n# A.\nclose\n", "1: this heading has no case below it"),
        ("== a\nclose\n", "1: a case must begin with a comment"),
        ("close\n", "1: a case must begin with a comment"),
        ("# A.\nrepeat 2 {\nclose\n", "2: a line with only '}' must end the block"),
        ("# A.\nfile a <<END\n", "2: a line with only 'END' must end the block"),
        ("# A.\nrepeat two {\n}\n", "2: not a statement"),
        ("# A.\nrepeat 2 {\nconfig {\n}\n", "3: a repeat can't contain a block"),
    ],
)
def test_an_invalid_transcript_is_reported_with_its_line(write: Path, text: str, fault: str) -> None:
    write.write_text(text)
    with pytest.raises(TranscriptError) as error:
        read(write)
    assert f"{write}:{fault}" in str(error.value)


def test_the_list_has_each_rule_with_its_cases_and_their_number(write: Path) -> None:
    write.write_text(GROUPED)
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--list", f"{write}::first", f"{write}::last"],
        capture_output=True,
        text=True,
    )
    assert run.stdout.splitlines() == [
        "1-pings/pings.txt", "    Pings are answered.",
        "1-pings/pings.txt::first", "    The first of two.",
        "1-pings/pings.txt::last", "    The last.",
        "2 cases",
    ]  # fmt: skip


def test_an_unknown_case_is_reported_with_the_known_ones(write: Path) -> None:
    write.write_text(GROUPED)
    with pytest.raises(TranscriptError, match="there is no case third, only alone, first, second, last"):
        read(f"{write}::third")


def test_a_failure_names_the_case_its_line_and_its_round(write: Path, nagare: str) -> None:
    junit = write.parent / "junit.xml"
    write.write_text(
        '--> {"jsonrpc":"2.0","id":0,"method":"ping"}\n<-- {"jsonrpc":"2.0","id":0,"result":{}}\n'
        '== right\n# Right.\n--> {"jsonrpc":"2.0","id":1,"method":"ping"}\n<-- {"jsonrpc":"2.0","id":1,"result":{}}\n'
        '== wrong\n# Wrong in the second round.\nrepeat 2 {\n'
        '--> {"jsonrpc":"2.0","id":<n>,"method":"ping"}\n<-- {"jsonrpc":"2.0","id":1,"result":{}}\n}\n'
    )
    command = [sys.executable, str(CONFORMANCE / "run.py"), "--framing", "lines", "--chunks", "message"]
    server = ["--", nagare, "--clock", "virtual"]
    run = subprocess.run([*command, "--junit", str(junit), str(write), *server], capture_output=True, text=True)
    assert f"FAILED {write}:11 in wrong, round 2\n  Wrong in the second round.\n" in run.stdout
    assert "run again with  --framing lines --chunks message --seed 1 1-pings/pings.txt::wrong\n" in run.stdout
    assert [line.split("--> ")[1][17:23] for line in run.stdout.splitlines() if "--> " in line] == [
        '"id":0', '"id":1', '"id":2',
    ]
    assert run.stdout.endswith("1 passed, 1 failed\n")
    assert [case.get("name") for case in xml.parse(junit).getroot()] == [
        "pings.txt::right [lines, message]", "pings.txt::wrong [lines, message]",
    ]
    alone = subprocess.run([*command, f"{write}::right", *server], capture_output=True, text=True)
    assert alone.stdout.endswith("1 passed, 0 failed\n")
