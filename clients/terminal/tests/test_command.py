"""The command, in a real pseudo-terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest
from conftest import SOURCES
from nagare_terminal.__main__ import find_nagare
from nagare_terminal.words import summary, title

COMMAND = [sys.executable, "-m", "nagare_terminal"]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES), "TERM": "xterm-256color", **more}


def test_somebody_reads_a_mail_in_a_real_terminal(nagare_binary: str) -> None:
    terminal = pexpect.spawn(
        COMMAND[0], COMMAND[1:], env=environment(NAGARE=nagare_binary), dimensions=(24, 80), encoding="utf-8", timeout=30
    )
    terminal.expect("Handover before my holiday")
    terminal.send("\x1b[B\x1b[B\r")
    terminal.expect("I'm away from Thursday on")
    terminal.send("\x1b[C")
    terminal.expect("Northlight Hosting")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_a_server_of_ones_own_and_a_screen_are_named(nagare_binary: str) -> None:
    words = [*COMMAND[1:], "--screen", "offers", "--", nagare_binary]
    terminal = pexpect.spawn(COMMAND[0], words, env=environment(), dimensions=(24, 80), encoding="utf-8", timeout=30)
    terminal.expect("offers")
    terminal.expect("Film camera")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_who_types_fast_loses_no_key(nagare_binary: str) -> None:
    words = [*COMMAND[1:], "--screen", "articles", "--", nagare_binary]
    terminal = pexpect.spawn(COMMAND[0], words, env=environment(), dimensions=(24, 80), encoding="utf-8", timeout=30)
    terminal.expect("articles · 1 of 20")
    terminal.send("/nothing like a/b")
    terminal.expect("nothing found for “nothing like a/b”")
    terminal.send("\x1b")
    terminal.expect("articles · 1 of 20")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_a_wrong_configuration_is_explained(nagare_binary: str) -> None:
    words = [*COMMAND[1:], "--config", "nowhere.json"]
    server = environment(NAGARE=nagare_binary)
    terminal = pexpect.spawn(COMMAND[0], words, env=server, dimensions=(24, 80), encoding="utf-8", timeout=30)
    terminal.expect("nowhere.json: No such file")
    terminal.send("\x1b")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 1


def test_the_program_is_found_by_its_variable_and_in_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "nagare"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("NAGARE", "/some/nagare")
    assert find_nagare() == "/some/nagare"
    monkeypatch.delenv("NAGARE")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_nagare() == str(program)


def test_titles_and_second_lines_are_guessed() -> None:
    mail = {"id": 1, "subject": "Hello", "sender": "Mei", "date": "2026-11-20T19:11:00+09:00", "tags": ["a", "b"], "body": "x" * 80}
    assert (title(mail), summary(mail)) == ("Hello", "Mei · 2026-11-20 19:11 · a, b")
    assert (title({"messageId": "m1", "size": 5, "read": False}), summary({"a": None})) == ("m1", "")
    assert (title("curry"), title({"id": 3})) == ("curry", "3")
