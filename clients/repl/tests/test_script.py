"""Lines from a pipe."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FAKE_PROGRAM, PACKAGE, PATIENCE, Run
from nagare_repl.line import arguments, quoted


def test_short_lines_become_messages_for_the_current_view(environment: dict[str, str]) -> None:
    run = Run(environment, "open items pageSize=3\nviewWillAppear\nawait items\nselect id=m002\nswipe to=next\nclose\nrefresh\n")
    assert run.status == 0, run.errors
    assert [json.loads(line)["params"] for line in run.sent] == [
        {"screen": "items", "params": {"pageSize": 3}},
        {"view": "v1"},
        {"view": "v1", "id": "m002"},
        {"view": "v2", "to": "next"},
        {"view": "v2"},
        {"view": "v1"},
    ]
    assert [json.loads(line)["id"] for line in run.sent] == [1, 2, 3, 4, 5, 6]
    assert run.errors == ""


def test_values_without_names_are_parameters_in_their_order(environment: dict[str, str]) -> None:
    run = Run(environment, 'open articles\nviewport 0 20\nsearch "東京 大阪"\ndispatch selectQuery curry\n')
    assert [json.loads(line)["params"] for line in run.sent[1:]] == [
        {"view": "v1", "start": 0, "end": 20},
        {"view": "v1", "text": "東京 大阪"},
        {"action": {"type": "selectQuery", "value": "curry"}},
    ]


def test_the_answers_end_before_the_next_line_and_running_work_before_the_end(environment: dict[str, str]) -> None:
    run = Run(environment, "open offers\nrefresh\n")
    assert run.status == 0
    assert run.output.index("--> ") < run.output.index('"id":1,"result"') < run.output.index('"refresh"')
    assert json.loads(run.received[-2])["params"]["value"]  # the offers, after the answer
    assert json.loads(run.received[-1])["params"] == {"view": "v1", "value": False}


def test_await_with_an_input_waits_until_its_work_has_ended(environment: dict[str, str]) -> None:
    run = Run(environment, "open items pageSize=2\nawait viewWillAppear\n")
    assert json.loads(run.sent[-1])["params"] == {"view": "v1", "wait": True}
    assert json.loads(run.received[-1])["result"] == {"outcome": "finished"}
    assert run.status == 0


def test_await_also_finds_an_output_that_has_arrived_already(environment: dict[str, str]) -> None:
    run = Run(environment, "open items\nawait viewWillAppear\nawait loading\nawait items\nawait loading\nawait state\n")
    assert run.status == 0, run.errors


def test_a_wait_that_takes_too_long_is_a_failure(environment: dict[str, str]) -> None:
    run = Run(environment, "open items\nawait items\nping\n", "--timeout", "0.1")
    assert run.status == 1
    assert run.errors == "nagare repl: line 2: items didn't arrive within 0.1 s; --timeout changes this limit\n"
    assert json.loads(run.received[-1])["result"] == {}


def test_whole_messages_are_sent_as_they_are(environment: dict[str, str]) -> None:
    message = '{"jsonrpc": "2.0", "id": "流", "method": "ping", "n": 1.50}'
    batch = '[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]'
    run = Run(environment, f"{message}\n{batch}\nping\n")
    assert run.status == 0
    assert run.sent == [message, batch, '{"jsonrpc":"2.0","id":8,"method":"ping"}']
    assert run.received[0] == '{"jsonrpc":"2.0","id":"流","result":{}}'


def test_lines_that_were_copied_from_an_example_are_understood(environment: dict[str, str]) -> None:
    run = Run(environment, '# A comment\n--> {"jsonrpc":"2.0","id":1,"method":"ping"}\n<-- {"jsonrpc":"2.0","id":1,"result":{}}\n$ ping\n\n')
    assert run.status == 0
    assert len(run.sent) == len(run.received) == 2


@pytest.mark.parametrize(
    "line, hint",
    [
        ("refesh", 'items has no input, and the program no method "refesh"; did you mean "refresh"?'),
        ("open itms", 'no screen is named "itms"; did you mean "items"?'),
        ("select idd=m001", 'select has no parameter "idd"; did you mean "id"?'),
        ("open items pagesize=3", 'items has no setting "pagesize"; did you mean "pageSize"?'),
        ("await laoding", 'items has no output and no input "laoding"; did you mean "loading"?'),
        ("open", '"open" needs a screen: items, detail, articles, genres, shops, profile, offers'),
        ("await", '"await" needs an output or an input: await items or await viewWillAppear'),
        ("loading", '"loading" is an output: type "await loading"'),
        ("genres", '"genres" is a screen: type "open genres"'),
        ("search text=a", '"search" is an input of articles: type "open articles" first'),
        ("page", '"page" is an output of detail: type "open detail" first'),
        ("view v9", 'no view "v9" is open; "views" lists the open ones'),
        ("select a b", 'select takes id; put a text with spaces in quotes: id="two words"'),
        ("select id=1 id=2", "id is there twice"),
        ("refresh now", 'refresh takes no parameter, but "now" follows it'),
        ('select id="m001', '"m001 isn\'t complete JSON: unterminated string starting at'),
        ('select id="m001"x', "a space is missing before x"),
        ('{"id":1', "this isn't complete JSON, so it wasn't sent: expecting ',' delimiter at character 8"),
        ("answer true", "the program waits for no answer"),
        ("help slect", 'nothing is named "slect"; did you mean "select"?'),
        ("quit now", '"quit" takes nothing more; type it alone'),
    ],
)
def test_a_wrong_line_is_explained_and_not_sent(line: str, hint: str, environment: dict[str, str]) -> None:
    run = Run(environment, f"open items\n{line}\nping\n")
    assert run.errors == f"nagare repl: line 2: {hint}\n"
    assert [json.loads(line)["method"] for line in run.sent] == ["open", "ping"]
    assert run.status == 1


def test_an_input_of_another_view_is_explained(environment: dict[str, str]) -> None:
    run = Run(environment, "open items\nopen offers\nselect m001\nreachBottom view=v1\nview v1\nselect m001\n")
    assert 'line 3: "select" is an input of v1 (items): type "view v1" first, or add view=v1\n' in run.errors
    assert [json.loads(line)["params"].get("view") for line in run.sent[2:]] == ["v1", "v1"]


def test_an_error_of_the_program_is_a_failure(environment: dict[str, str]) -> None:
    run = Run(environment, 'open items\nselect nothing\n{"jsonrpc":"2.0","id":9,"method":"nothing"}\nping\n')
    assert run.status == 1
    assert [line.split(":")[1] for line in run.errors.splitlines()] == [" line 2", " line 3"]
    assert len(run.received) == 4


def test_a_failed_load_is_a_failure(environment: dict[str, str], tmp_path: Path) -> None:
    sources = {"rows": {"type": "file", "path": "missing.jsonl"}}
    (tmp_path / "nagare.json").write_text(json.dumps({"sources": sources, "screens": {"items": {"viewModel": "list", "source": "rows"}}}))
    run = Run(environment, "open items\nawait viewWillAppear\n", "--config", str(tmp_path / "nagare.json"))
    assert run.status == 1
    assert "line 2: the work that viewWillAppear began has failed" in run.errors


def test_views_and_help_use_the_names_of_the_program(environment: dict[str, str]) -> None:
    run = Run(environment, "help\nopen items\nawait viewWillAppear\nselect m001\nviews\nhelp viewport\nhelp profile\nhelp open\nshow\n")
    assert run.status == 0, run.errors
    text = run.output.splitlines()
    assert text[0].startswith("open items ") and text[9].startswith("quit ") and text[10].startswith("--> ")
    assert "  v1  items" in text and "* v2  detail  opened by v1" in text
    (viewport,) = (number for number, line in enumerate(text) if line.startswith("viewport, an input."))
    assert [line.split()[0] for line in text[viewport + 1 : viewport + 4]] == ["start", "end", "revision?"]
    assert "profile, a screen of the kind task" in text
    assert "  inputs: pickImage, rename, logout" in text
    assert "open, a method. Opens a view of a screen. This loads nothing yet." in text


def test_requests_of_the_program_can_be_answered(environment: dict[str, str]) -> None:
    lines = "initialize present=true\nopen profile\nrename\nawait present\nanswer outcome=completed value=Mei\nawait name\n"
    run = Run(environment, lines)
    assert run.status == 0, run.errors
    assert json.loads(run.sent[0])["params"] == {"protocolVersion": "1", "capabilities": {"present": True}}
    assert '{"jsonrpc":"2.0","id":1,"result":{"outcome":"completed","value":"Mei"}}' in run.sent
    assert json.loads(run.received[-1])["params"] == {"view": "v1", "value": "Mei"}


def test_the_virtual_clock_can_be_moved(environment: dict[str, str]) -> None:
    run = Run(environment, "open offers\nrefresh\nclock/advance 300\nawait offers\n", "--clock", "virtual")
    assert run.status == 0, run.errors


def test_quit_ends_before_the_rest_of_the_input(environment: dict[str, str]) -> None:
    run = Run(environment, "open items\nviewWillAppear\nquit\nping\n", "--clock", "virtual")
    assert run.status == 0
    assert len(run.sent) == 2


def test_exit_ends_the_program(environment: dict[str, str]) -> None:
    run = Run(environment, "ping\nshutdown\nexit\nping\nping\n")
    assert run.errors == "nagare repl: line 4: the program has ended\n"
    assert run.status == 1
    assert [json.loads(line)["method"] for line in run.sent] == ["ping", "shutdown", "exit"]


# Programs that don't describe themselves


def test_a_program_without_discovery_can_be_used(environment: dict[str, str]) -> None:
    lines = 'echo text=流れ number=5 word="5" list=[1, 2] plain=a\nnothing\ncomplain\ngarbage\n'
    run = Run(environment, lines, "--", *FAKE_PROGRAM)
    assert run.status == 1
    assert json.loads(run.received[0])["result"] == {"text": "流れ", "number": 5, "word": "5", "list": [1, 2], "plain": "a"}
    assert 'line 2: no method "nothing"\n' in run.errors
    assert "something is \\u001b[31mwrong\n" in run.errors
    assert "this is no message" in run.received


def test_a_value_without_a_name_needs_a_described_method(environment: dict[str, str]) -> None:
    run = Run(environment, "echo hello\n", "--", *FAKE_PROGRAM)
    assert "line 1: the program doesn't describe echo, so each parameter needs its name: name=hello\n" in run.errors


def test_a_program_that_crashes_is_reported(environment: dict[str, str]) -> None:
    run = Run(environment, "crash\necho\n", "--", *FAKE_PROGRAM)
    assert run.status == 3
    assert "line 1: the program has ended\n" in run.errors
    assert run.errors.endswith("ended with status 3\n")
    assert len(run.sent) == 1


def test_a_program_that_ends_at_once_fails_the_first_line(environment: dict[str, str]) -> None:
    run = Run(environment, "ping\nping\n", "--", "true")
    assert (run.status, run.errors) == (1, "nagare repl: line 1: the program has ended\n")


def test_a_program_that_never_answers_can_be_used(environment: dict[str, str]) -> None:
    run = Run(environment, '{"jsonrpc":"2.0","method":"hello"}\n', "--timeout", "0.1", "--", "sh", "-c", "while read -r line; do :; done")
    assert run.errors == (
        "the program's description didn't arrive within 0.1 s; --timeout changes this limit; names can't be completed or checked\n"
    )
    assert run.status == 0


def test_the_command_ends_with_the_reader_of_its_output(environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "nagare_repl"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"ping\n")
        process.stdin.flush()
        assert process.stdout.readline() and process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"ping\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == b""


def test_the_command_ends_with_the_program_although_the_input_stays_open(environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "nagare_repl", "--", "false"], env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.wait(PATIENCE) == 1


@pytest.mark.parametrize(
    "words, status, message",
    [
        (["--", "/no/such/program"], 127, "can't start /no/such/program: No such file or directory"),
        (["--", "nosuchprogram"], 127, "can't start nosuchprogram: no such program: is it in PATH? Name it by its path otherwise"),
        (["--"], 64, "a program is missing after --"),
        (["./my-program", "--option"], 64, "write -- before a program: nagare repl -- ./my-program --option"),
        (["--live", "--", "program"], 64, "write --live behind the program: nagare repl -- PROGRAM --live"),
        (["--timeout", "0"], 64, "--timeout must be a number greater than 0"),
    ],
)
def test_a_wrong_command_line_is_explained(words: list[str], status: int, message: str, environment: dict[str, str]) -> None:
    run = Run(environment, "", *words)
    assert run.errors == f"nagare repl: {message}\n"
    assert run.status == status


def test_options_are_passed_on_to_nagare(environment: dict[str, str]) -> None:
    run = Run(environment, "", "--nonsense")
    assert run.status == 64
    assert "--nonsense" in run.errors


def test_a_missing_nagare_is_explained(environment: dict[str, str], tmp_path: Path) -> None:
    run = Run({**environment, "NAGARE": str(tmp_path / "nagare")}, "")
    assert run.status == 127 and "can't start" in run.errors


def test_random_lines_are_sent_or_explained(environment: dict[str, str]) -> None:
    generator = random.Random(7)
    heads = ["open", "refresh", "select", "viewport", "dispatch", "initialize", "view", "views", "help", "answer", "change", "close", "outputs", "流れ", "\x1b[A"]
    words = [
        "items", "articles", "v1", "5", "-1.5e3", "null", "true", "id=5", "id=\"5\"", "item={\"id\":1}", "params=5", "pageSize=3", "action=1", "type=x",
        "value=[1,2]", "view=v1", "view=", "view={}", "{}", "[", "\"a b\"", "\"a", "'b", "''", "=", "=5", "a=b=c", "\\", "wait=true", "screen=items", "capabilities=1", "deltas=true",
    ]  # fmt: skip
    lines = [" ".join([generator.choice(heads), *generator.choices(words, k=generator.randrange(4))]) for _ in range(400)]
    run = Run(environment, "\n".join(["open items", *lines, "ping"]) + "\n", "--clock", "virtual")
    notes = ("nagare repl: line ", "no view is open", "no message was shortened")
    assert all(line.startswith(notes) for line in run.errors.splitlines()), run.errors
    assert json.loads(run.sent[-1])["method"] == "ping" and json.loads(run.received[-1])["result"] == {}


def test_the_script_in_the_readme_works(environment: dict[str, str]) -> None:
    (script,) = re.findall(r"^```\n(nagare repl .*?)^```$", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    commands = f'nagare() {{ shift; {sys.executable} -m nagare_repl "$@"; }}\n{script}'
    run = subprocess.run(["bash", "-c", commands], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    assert [len(json.loads(line[4:])["params"]["value"]) for line in run.stdout.splitlines() if '"method":"items"' in line] == [2]


def test_the_dialogue_in_the_readme_is_up_to_date(environment: dict[str, str]) -> None:
    (dialogue,) = re.findall(r"^```\n(Nagare has .*?)^```$", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    typed = re.findall(r"^\S.*?> (\w.*)$", dialogue, re.MULTILINE)
    run = Run(environment, "\n".join(typed) + "\n")
    messages = re.findall(r"^(?:-->|<--) .*(?:\n  .*)*", dialogue, re.MULTILINE)
    printed = [line for line in run.output.splitlines() if line.startswith(("-->", "<--"))]
    assert len(typed) == 3 and len(messages) == len(printed)
    for shown, line in zip(messages, printed):
        text = "".join(part.strip() for part in shown.splitlines())
        beginning = text.partition("… ")[0].rstrip(",")
        assert line.replace(" ", "").startswith(beginning.replace(" ", "")), (shown, line)
    assert run.errors.removeprefix("nagare repl: line 3: ") == dialogue.splitlines()[-1] + "\n"


@pytest.mark.parametrize(("name", "typed"), [("items", "items"), ("Tea Log", "'Tea Log'"), ("Mei's", "Mei's"), ("'", '"\'"'), ("5", "'5'"), ("a=b", "'a=b'"), ("", "''"), ("検索", "検索")])
def test_names_are_shown_as_they_must_be_typed(name: str, typed: str) -> None:
    assert quoted(name) == typed
    [argument] = arguments(typed)
    assert (argument.name, argument.value) == (None, name)
