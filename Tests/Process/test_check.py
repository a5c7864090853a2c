"""`nagare check` warns of missing files and programs. With `--try` it requests a page of each source."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from server import PATIENCE

ANSWER = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], {answer}}}), flush=True)
"""


def check(nagare: str, folder: Path, sources: dict[str, Any], *options: str) -> subprocess.CompletedProcess[str]:
    """Checks a configuration with a list of each source."""
    screens = {f"list of {name}": {"viewModel": "list", "source": name} for name in sources}
    path = folder / "nagare.json"
    path.write_text(json.dumps({"sources": sources, "screens": screens}))
    return subprocess.run([nagare, "check", *options, str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)


def program(folder: Path, name: str, answer: str) -> dict[str, Any]:
    """The source of a program that gives each request this answer."""
    (folder / f"{name}.py").write_text(ANSWER.format(answer=answer))
    return {"type": "command", "command": [sys.executable, f"{name}.py"]}


def test_missing_files_and_programs_are_warnings(nagare: str, tmp_path: Path) -> None:
    """rules: 7.0.15"""
    (tmp_path / "there.jsonl").touch()
    (tmp_path / "not-a-program").touch()
    sources = {
        "good file": {"type": "file", "path": "there.jsonl"},
        "lost file": {"type": "file", "path": "lost.jsonl"},
        "good program": {"type": "command", "command": ["sh", "-c", "exit"]},
        "lost program": {"type": "command", "command": ["nowhere-in-path"]},
        "lost script": {"type": "command", "command": ["./rows.py"]},
        "file as program": {"type": "command", "command": ["./not-a-program"]},
        "mine": {"type": "client"},
        "demo": {"type": "demo"},
    }
    result = check(nagare, tmp_path, sources)
    assert (result.returncode, result.stdout) == (0, f"{tmp_path}/nagare.json: 8 screens, no mistakes\n")
    start = f'{tmp_path}/nagare.json: warning: the source "'
    assert result.stderr.splitlines() == [
        f'{start}lost file" needs the file {tmp_path}/lost.jsonl: No such file or directory',
        f'{start}lost program" needs the program nowhere-in-path, which isn\'t in PATH',
        f'{start}lost script" needs the program {tmp_path}/./rows.py, which can\'t be run',
        f'{start}file as program" needs the program {tmp_path}/./not-a-program, which can\'t be run',
    ]


def test_trying_prints_the_first_item_of_each_source_its_id_and_the_time(nagare: str, tmp_path: Path) -> None:
    """rules: 7.0.16"""
    (tmp_path / "mail.jsonl").write_text('{"key":"a","text":"one"}\n{"key":"b"}\n')
    (tmp_path / "empty.jsonl").touch()
    sources = {
        "mail": {"type": "file", "path": "mail.jsonl", "id": "key"},
        "empty": {"type": "file", "path": "empty.jsonl"},
        "rows": program(tmp_path, "rows", '"result": {"items": [{"id": 7}]}'),
        "mine": {"type": "client"},
        "demo": {"type": "demo", "data": "offers"},
    }
    result = check(nagare, tmp_path, sources, "--try")
    assert (result.returncode, result.stderr) == (0, "")
    lines = [re.sub(r"\d+ ms", "N ms", line) for line in result.stdout.splitlines()]
    assert lines[1:5] == [
        'mail: first item {"key":"a","text":"one"}, id "a", N ms',
        "empty: no items, N ms",
        'rows: first item {"id": 7}, id 7, N ms',
        "mine: skipped, because the client provides this source",
    ]
    assert lines[5].startswith("demo: first item {") and lines[5].endswith(", N ms")


def test_a_source_that_fails_is_reported_after_one_try_and_the_others_are_tried(nagare: str, tmp_path: Path) -> None:
    """rules: 7.0.16"""
    count = tmp_path / "count"
    failing = program(tmp_path, "failing", '"error": {"code": 1, "message": "no rights", "data": {"retryable": True}}')
    script = tmp_path / "failing.py"
    script.write_text(script.read_text().replace("    request =", f"    open({str(count)!r}, 'a').write('x')\n    request ="))
    sources = {
        "failing": failing,
        "lost": {"type": "file", "path": "lost.jsonl"},
        "ending": {"type": "command", "command": ["false"]},
        "broken": program(tmp_path, "broken", '"result": {"items": [{"name": "without an id"}]}'),
        "rows": program(tmp_path, "rows", '"result": {"items": [{"id": 7}]}'),
    }
    result = check(nagare, tmp_path, sources, "--try")
    assert result.returncode == 1
    assert "lost.jsonl" in result.stderr
    lines = [re.sub(r"\d+ ms", "N ms", line) for line in result.stdout.splitlines()][1:]
    assert [line.split(": ")[0] for line in lines] == list(sources)
    assert all(f"{name}: failed after N ms: " in result_line for name, result_line in zip(list(sources)[:4], lines, strict=False))
    assert "no rights" in lines[0] and "lost.jsonl" in lines[1] and '"id"' in lines[3] and "first item" in lines[4]
    assert count.read_text() == "x"


def test_a_configuration_with_mistakes_is_not_tried(nagare: str, tmp_path: Path) -> None:
    """rules: 7.0.16"""
    result = check(nagare, tmp_path, {"rows": {"type": "comand"}}, "--try")
    assert (result.returncode, result.stdout) == (78, "")
    assert "did you mean 'command'?" in result.stderr
