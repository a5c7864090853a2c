"""The program `nagare` and the state folder are found on any machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from nagare.system import find_nagare, state_folder


def make_program(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "nagare"
    program.write_text("")
    program.chmod(0o755)
    return str(program)


def test_nagare_is_found_where_the_user_expects_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    built = make_program(tmp_path / ".build" / "release")
    in_path = make_program(tmp_path / "bin")
    beside = make_program(tmp_path / "venv" / "bin")
    script = tmp_path / "venv" / "bin" / "nagare-terminal"
    script.write_text("")
    link = tmp_path / "link"
    link.symlink_to(script)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.setenv("NAGARE", "/some/nagare")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "argv", [str(link)])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "elsewhere" / "python"))
    assert find_nagare() == "/some/nagare"
    monkeypatch.delenv("NAGARE")
    assert find_nagare() == beside
    Path(beside).unlink()
    assert find_nagare() == in_path
    Path(in_path).chmod(0o644)
    assert find_nagare() == built


def test_a_nagare_in_the_current_folder_is_not_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = make_program(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NAGARE", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    for argument in ("", "-c", "-m"):
        monkeypatch.setattr(sys, "argv", [argument])
        assert find_nagare() != mine


def test_the_state_folder_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_folder() == tmp_path / "state" / "nagare"
    for wrong in ("", "state"):
        monkeypatch.setenv("XDG_STATE_HOME", wrong)
        assert state_folder() == tmp_path / ".local" / "state" / "nagare"


@pytest.mark.parametrize("home", ["", "/nonexistent"])
def test_a_user_without_a_home_has_no_state_folder(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert state_folder() is None
