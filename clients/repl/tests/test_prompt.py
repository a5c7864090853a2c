"""The prompt in a real pseudo-terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from conftest import FAKE_PROGRAM, PATIENCE

SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[=>])")


@contextmanager
def prompt(environment: dict[str, str], *words: str, status: int = 0, size: tuple[int, int] = (40, 100)) -> Iterator[Any]:
    """Runs the command in a terminal, and checks its exit status after the block."""
    command = ["-m", "nagare_repl", *words]
    with pexpect.spawn(sys.executable, command, env=environment, dimensions=size, encoding="utf-8", timeout=PATIENCE) as spawned:
        yield spawned
        spawned.expect(pexpect.EOF)
    assert spawned.exitstatus == status


def keys(text: str) -> str:
    """Returns a pattern that finds a typed text on the screen, where control sequences may separate its characters."""
    return r"(?:\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\n])*".join(map(re.escape, text))


def test_a_newcomer_is_led_to_the_first_view(environment: dict[str, str]) -> None:
    with prompt(environment) as user:
        user.expect("Type “open items” to begin, or “help”")
        user.send("help\r")
        user.expect("quit .*ends, like Ctrl-D")
        user.send("open items\r")
        user.expect("-->.*open")
        user.expect("<--.*result")
        user.expect("items v1")
        user.send("await viewWillAppear\r")
        user.expect("議事録: 検索画面定例")
        user.expect("18 more")
        user.expect("finished")
        user.send("show\r")
        user.expect("m019")
        user.send("select id=m002\r")
        user.expect("detail v2")
        user.send("views\r")
        user.expect(r"\* v2  detail  opened by v1")
        user.send("close\r")
        user.expect("items v1")
        user.send("quit\r")


def test_tab_completes_words_screens_inputs_and_parameters(environment: dict[str, str]) -> None:
    with prompt(environment) as user:
        user.expect("to begin")
        user.send("op\tit\tpageS\t5\r")
        user.expect(r"-->[^\r]*pageSize[^\r]*5")
        user.expect("items v1")
        user.send("await viewW\t\r")
        user.expect("finished")
        user.send("sel\tid=m00\t")
        user.expect("Handover before my holiday")
        user.send("3\r")
        user.expect("detail v2")
        user.send("swi\tto=n\t\r")
        user.expect(r"-->[^\r]*next")
        user.send("\x04")


def test_a_message_that_arrives_while_the_user_types_keeps_the_line(environment: dict[str, str], tmp_path: Path) -> None:
    news = tmp_path / "news"
    os.mkfifo(news)
    with prompt(environment, "--", *FAKE_PROGRAM, str(news)) as user:
        user.expect("lists no screens")
        user.send("echo text=ha")
        user.expect(keys("text=ha"))
        with news.open("w", encoding="utf-8") as file:
            file.write("流れ\n")
        user.expect("news.*流れ")
        user.expect(keys("echo text=ha"))
        user.send("lf\r")
        user.expect("<--.*half")
        user.send("\x04")


def test_lines_that_are_typed_during_a_wait_are_carried_out_afterwards(environment: dict[str, str], tmp_path: Path) -> None:
    news = tmp_path / "news"
    os.mkfifo(news)
    with prompt(environment, "--", *FAKE_PROGRAM, str(news)) as user:
        user.expect("lists no screens")
        user.send("await news\r")
        user.expect("waiting for news")
        user.send("echo text=later\r")
        with news.open("w", encoding="utf-8") as file:
            file.write("now\n")
        user.expect("<--.*now")
        user.expect("<--.*later")
        user.send("quit\r")


def test_control_c_stops_waiting_and_keeps_the_line(environment: dict[str, str]) -> None:
    with prompt(environment, "--", *FAKE_PROGRAM) as user:
        user.expect("lists no screens")
        user.send("never\r")
        user.expect("waiting for the answer to never")
        user.send("echo text=a")
        user.expect(keys("text=a"))
        user.send("\x03")
        user.expect("stopped waiting for the answer to never")
        user.send("b\r")
        user.expect("<--.*ab")
        user.send("\x03")
        user.expect("Ctrl-D or “quit” ends the session")
        user.send("\x04")


def test_wrong_and_cleared_lines_stay_in_the_history(environment: dict[str, str], tmp_path: Path) -> None:
    with prompt(environment) as user:
        user.expect("to begin")
        user.send("open itms\r")
        user.expect("did you mean")
        user.send("\x1b[A\x7f\x7f\x7ftems\r")
        user.expect("items v1")
        user.send("half\x03\x04")
    assert "+half\n" in (tmp_path / "state" / "nagare" / "repl-history").read_text(encoding="utf-8")


def test_the_history_is_kept_in_a_private_file(environment: dict[str, str], tmp_path: Path) -> None:
    for typed in ("open items\r", "\x1b[A\x1b[A\r"):
        with prompt(environment) as user:
            user.expect("to begin")
            user.send(typed)
            user.expect("items v1")
            user.send("quit\r")
    file = tmp_path / "state" / "nagare" / "repl-history"
    assert file.read_text(encoding="utf-8").count("open items") == 2 and file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("state", ["/dev/null/state", ""])
def test_the_prompt_works_without_a_home(state: str, environment: dict[str, str]) -> None:
    with prompt({**environment, "HOME": "/nonexistent", "XDG_STATE_HOME": state}) as user:
        user.expect("to begin")
        user.send("open items\r")
        user.expect("items v1")
        user.send("\x04")


def test_pasted_lines_are_carried_out_one_after_the_other(environment: dict[str, str]) -> None:
    with prompt(environment) as user:
        user.expect("to begin")
        pasted = '--> {"jsonrpc":"2.0","id":1,"method":"open",\n  "params":{"screen":"offers","view":"v"}}'
        user.send(f"\x1b[200~{pasted}\x1b[201~\r")
        user.expect("offers v")
        user.send("\x1b[200~ping\nawait refresh\nquit\x1b[201~\r")
        user.expect("finished")


def test_colors_can_be_switched_off(environment: dict[str, str]) -> None:
    with prompt({**environment, "NO_COLOR": "1"}, "--", *FAKE_PROGRAM) as user:
        user.expect("lists no screens")
        user.send("complain\r")
        user.expect("<--[^\n]*\n")
        assert SEQUENCE.search(user.after) is None
        user.send("\x04")


def test_the_programs_standard_error_is_dim_and_harmless(environment: dict[str, str]) -> None:
    with prompt(environment, "--", *FAKE_PROGRAM) as user:
        user.expect("lists no screens")
        user.send("complain\r")
        user.expect_exact("\x1b[2msomething is \\u001b[31mwrong\x1b[0m")
        user.send("\x04")


def test_the_prompt_ends_with_the_program(environment: dict[str, str]) -> None:
    with prompt(environment, "--", *FAKE_PROGRAM, status=3) as user:
        user.expect("lists no screens")
        user.send("crash\r")
        user.expect("ended with status 3")
