"""The command in a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from conftest import ROOT, SOURCES
from nagare_terminal.__main__ import parse_arguments

WITH_KIT = os.pathsep.join([*SOURCES, str(ROOT / "clients" / "source-python" / "src")])


@contextmanager
def terminal(*words: str, status: int = 0, **environment: str) -> Iterator[Any]:
    """Runs the command in a terminal, and checks its exit status after the block."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm-256color", **environment}
    command = ["-m", "nagare_terminal", *words]
    with pexpect.spawn(sys.executable, command, env=environment, dimensions=(24, 80), encoding="utf-8", timeout=30) as spawned:
        yield spawned
        spawned.expect(pexpect.EOF)
    assert spawned.exitstatus == status


def test_a_mail_can_be_read_in_a_real_terminal(nagare_binary: str) -> None:
    with terminal(NAGARE=nagare_binary) as spawned:
        spawned.expect("Handover before my holiday")
        spawned.send("\x1b[B\x1b[B\r")
        spawned.expect("I'm away from Thursday on")
        spawned.send("\x1b[C")
        spawned.expect("Northlight Hosting")
        spawned.send("q")


def test_a_server_command_and_a_screen_can_be_given(nagare_binary: str) -> None:
    with terminal("--screen", "offers", "--", nagare_binary) as spawned:
        spawned.expect("Offers")
        spawned.expect("Film camera")
        spawned.send("q")


def test_a_users_file_is_shown(nagare_binary: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_text('{"messageId": "m1", "subject": "Mine"}\n')
    with terminal("--file", str(mine), "--id", "messageId", NAGARE=nagare_binary) as spawned:
        spawned.expect("Mine")
        spawned.send("q")


def make_table(path: Path, *subjects: str) -> list[str]:
    """Creates a table of mails in a database. Returns the options that name the database."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, subject TEXT)")
        database.executemany("INSERT INTO mail (subject) VALUES (?)", [[subject] for subject in subjects])
    return ["--sqlite", str(path)]


def test_a_configured_id_field_is_used_even_if_another_field_is_named_id(nagare_binary: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_text('{"uid": "a", "id": 7, "title": "First", "body": "One."}\n{"uid": "b", "id": 7, "title": "Second", "body": "Two."}\n')
    config = tmp_path / "nagare.json"
    sources = {"mine": {"type": "file", "path": "mine.jsonl", "id": "uid"}, "none": {"type": "client"}}
    config.write_text(json.dumps({"sources": sources, "screens": {"items": {"viewModel": "list", "source": "mine", "detail": "one"}, "one": {"viewModel": "pager"}}}))
    with sqlite3.connect(tmp_path / "mail.db") as database:
        database.execute("CREATE TABLE mail (uid TEXT PRIMARY KEY, id INTEGER, title TEXT, body TEXT)")
        database.execute("INSERT INTO mail VALUES ('b', 7, 'First', 'One.'), ('a', 7, 'Second', 'Two.')")
    table = ["--sqlite", str(tmp_path / "mail.db"), "--table", "mail"]
    for words in (["--file", str(mine), "--id", "uid"], ["--config", str(config)], table):
        with terminal(*words, NAGARE=nagare_binary, PYTHONPATH=WITH_KIT, XDG_STATE_HOME=str(tmp_path / words[0])) as spawned:
            spawned.expect("Second")
            spawned.send("\x1b[B\r")
            spawned.expect("Two\\..*Next.*Previous")
            assert "No" not in spawned.after
            spawned.send("q")


def test_a_table_is_shown_as_a_live_list(nagare_binary: str, tmp_path: Path) -> None:
    words = make_table(tmp_path / "mail.db", "First")
    with terminal(*words, "--table", "mail", NAGARE=nagare_binary, PYTHONPATH=WITH_KIT) as spawned:
        spawned.expect("First")
        with sqlite3.connect(tmp_path / "mail.db") as database:
            database.execute("INSERT INTO mail VALUES (2, 'Second')")
        spawned.expect("Second")
        spawned.send("q")


def test_options_for_a_table_are_passed_on_to_the_source_kit(nagare_binary: str, tmp_path: Path) -> None:
    words = make_table(tmp_path / "mail.db", "Second", "First")
    with sqlite3.connect(tmp_path / "mail.db") as database:
        database.execute("CREATE VIEW mails AS SELECT subject, id AS number FROM mail")
    words += ["--table", "mails", "--id", "number", "--order=-subject", "--still"]
    with terminal(*words, NAGARE=nagare_binary, PYTHONPATH=WITH_KIT) as spawned:
        spawned.expect("Second.*First")
        spawned.send("q")


def test_make_terminal_shows_a_table(nagare_binary: str, tmp_path: Path) -> None:
    """The source's program runs in another folder than `make`."""
    words = make_table(tmp_path / "mail.db", "First")
    built = f"BUILT={Path(nagare_binary).parent}"
    wanted = [f"ARGS={' '.join(words)} --table mail", built, "SWIFT=true", f"PYTHON={sys.executable}"]
    with pexpect.spawn("make", ["terminal", *wanted], cwd=str(ROOT), dimensions=(24, 80), encoding="utf-8", timeout=30) as spawned:
        spawned.expect("First")
        spawned.send("q")
        spawned.expect(pexpect.EOF)


def test_a_missing_table_is_reported_before_the_screens_are_shown(nagare_binary: str, tmp_path: Path) -> None:
    with terminal(*make_table(tmp_path / "mail.db"), "--table", "mails", status=78, NAGARE=nagare_binary, PYTHONPATH=WITH_KIT) as spawned:
        spawned.expect("there is no table")


def test_options_of_nagare_and_a_program_cannot_be_combined(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--file", "a", "--", "nagare"])
    assert "add options of that program after its name" in capsys.readouterr().err


def test_the_server_command_nagare_is_found_outside_of_the_path(nagare_binary: str) -> None:
    with terminal("--", "nagare", "--clock", "real", NAGARE=nagare_binary, PATH="/nowhere") as spawned:
        spawned.expect("Handover before my holiday")
        spawned.send("q")


def test_fast_typing_loses_no_key(nagare_binary: str) -> None:
    with terminal("--screen", "articles", "--", nagare_binary) as spawned:
        spawned.expect("Articles · 1 of 20")
        spawned.send("/nothing like a/b")
        spawned.expect("nothing found for “nothing like a/b”")
        spawned.send("\x1b")
        spawned.expect("Articles · 1 of 20")
        spawned.send("q")


def test_keys_that_arrive_together_go_to_the_dialogs_they_open(nagare_binary: str) -> None:
    with terminal("--screen", "articles", "--", nagare_binary) as spawned:
        spawned.expect("Articles · 1 of 20")
        spawned.send(":go profile\r")
        spawned.expect("Rename")
        spawned.send("q")


def browser(folder: Path, name: str, does: str) -> tuple[list[str], str]:
    """Creates a browser with this name, and a file with a link that it can open. Returns the command that shows the
    file, and the value of `$BROWSER`."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    (folder / "links.jsonl").write_text('{"id": 1, "title": "A page", "url": "https://example.org/a"}\n')
    return ["--file", str(folder / "links.jsonl")], f"/nowhere/browser:{program} --tab %s"


def test_a_browser_that_stays_open_does_not_block(nagare_binary: str, tmp_path: Path) -> None:
    words, named = browser(tmp_path, "window", 'echo noise; echo "$@" > "$0.told"; echo $$ > "$0.process"; exec sleep 600')
    with terminal(*words, NAGARE=nagare_binary, BROWSER=named) as spawned:
        spawned.expect("A page")
        spawned.send("o")
        spawned.expect("Opened by window")
        assert "noise" not in spawned.before
        spawned.send("?")
        spawned.expect("Keys.*Copy")
        spawned.send("\x1b")
        spawned.send("q")
    assert (tmp_path / "window.told").read_text() == "--tab https://example.org/a\n"
    os.kill(int((tmp_path / "window.process").read_text()), signal.SIGKILL)


def test_a_browser_in_the_terminal_gets_the_terminal(nagare_binary: str, tmp_path: Path) -> None:
    words, named = browser(tmp_path, "w3m", 'echo "this is $2"; read key')
    with terminal(*words, NAGARE=nagare_binary, BROWSER=named) as spawned:
        spawned.expect("A page")
        spawned.send("o")
        spawned.expect_exact("\x1b[?1049l")
        spawned.expect("this is https://example.org/a")
        spawned.send("\r")
        spawned.expect("A page")
        spawned.send("q")


def test_a_failing_browser_is_reported(nagare_binary: str, tmp_path: Path) -> None:
    words, named = browser(tmp_path, "window", "exit 3")
    with terminal(*words, NAGARE=nagare_binary, BROWSER=named) as spawned:
        spawned.expect("A page")
        spawned.send("o")
        spawned.expect("window could not open it")
        spawned.send("q")


def test_a_wrong_configuration_is_reported_before_the_screens_are_shown(nagare_binary: str) -> None:
    with terminal("--config", "nowhere.json", status=78, NAGARE=nagare_binary) as spawned:
        spawned.expect("nowhere.json: No such file")


@pytest.mark.parametrize("how", ["control-c", "a signal"])
def test_quitting_restores_the_terminal(nagare_binary: str, how: str) -> None:
    with terminal("--", nagare_binary) as spawned:
        spawned.expect("Handover before my holiday")
        if how == "control-c":
            spawned.send("\x03")
        else:
            spawned.kill(signal.SIGTERM)
        spawned.expect_exact("\x1b[?1049l")
