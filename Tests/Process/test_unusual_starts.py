"""Servers that are started with unusual streams, signals, descriptors or process numbers."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from server import Start

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
EXIT = b'{"jsonrpc":"2.0","method":"shutdown","id":2}\n{"jsonrpc":"2.0","method":"exit"}\n'


def test_a_full_output_ends_with_a_message_and_a_status(nagare: str) -> None:
    """rules: 1.4.1, 1.4.2"""
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([nagare], input=PING, stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 74
    assert ended.stderr == b"the session ends: can't write to the standard output: No space left on device\n"


def test_an_output_at_its_size_limit_ends_with_a_message_and_a_status(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.1, 1.4.2"""
    command = f"ulimit -f 8; exec {nagare} > {tmp_path}/output"
    ended = subprocess.run(["bash", "-c", command], input=PING * 1000, stderr=subprocess.PIPE)
    assert ended.returncode == 74
    assert ended.stderr == b"the session ends: can't write to the standard output: File too large\n"


def test_a_full_log_ends_with_a_status(nagare: str) -> None:
    """rules: 1.4.2"""
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([nagare, "--log"], input=PING + EXIT, stdout=subprocess.PIPE, stderr=full)
    assert ended.returncode == 74
    assert len(ended.stdout.splitlines()) == 2


def test_a_folder_as_input_is_an_error(nagare: str, tmp_path: Path) -> None:
    """rules: 1.4.1, 1.4.2"""
    folder = os.open(tmp_path, os.O_RDONLY)
    ended = subprocess.run([nagare], stdin=folder, capture_output=True)
    os.close(folder)
    assert ended.returncode == 74
    assert ended.stderr == b"the session ends: can't read the standard input: Is a directory\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_blocked_by_the_parent_end_the_server(nagare: str, number: signal.Signals) -> None:
    """rules: 1.4.3"""
    signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        process = subprocess.Popen([nagare], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(PING)
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(number)
    assert process.wait(20) == 0
    assert b"the session ends: it received the signal " in process.stderr.read()


def test_the_server_ends_with_an_unreaped_process(start: Start) -> None:
    """rules: 1.4.1, 1.4.2"""
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    server = start()
    server.call("initialize", protocolVersion="1", processId=parent.pid, capabilities={})
    assert parent.stdin
    parent.stdin.close()
    os.waitid(os.P_PID, parent.pid, os.WEXITED | os.WNOWAIT)
    assert server.ends() == 0
    assert f"the process {parent.pid}, which" in server.errors()
    parent.wait()


def test_an_invisible_process_is_reported_and_not_watched(start: Start) -> None:
    """rules: 1.4.4"""
    dead = subprocess.Popen(["true"])
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)
    for number in (0, -1, 999_999_999, dead.pid):
        server = start()
        assert "result" in server.call("initialize", protocolVersion="1", processId=number, capabilities={})[0]
        assert server.call("ping")[0]["result"] == {}
        assert f'"initialize" names {number} as "processId"' in server.errors()
    dead.wait()


def requests(count: int) -> bytes:
    return b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"rpc.discover"}\n' % number for number in range(count))


@pytest.mark.parametrize(
    "leaving",
    [
        b'{"jsonrpc":"2.0","id":"x","method":"exit"}\n',
        b'[{"jsonrpc":"2.0","method":"exit"}]\n',
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"x","method":"exit"}]\n',
    ],
)
def test_exit_is_found_behind_a_full_pipe(start: Start, leaving: bytes) -> None:
    """rules: 1.4.9, 1.5.4"""
    server = start(reading=False)
    server.write(requests(50) + leaving)
    assert server.ends() == 1


def test_exit_is_found_in_a_batch_that_has_filled_the_pipe(start: Start) -> None:
    """rules: 1.4.9, 1.5.4"""
    # The messages between its members fill the pipe.
    server = start("--clock", "virtual", reading=False)
    members = [{"jsonrpc": "2.0", "id": number, "method": "open", "params": {"screen": "items"}} for number in range(500)]
    members += [{"jsonrpc": "2.0", "method": "viewWillAppear", "params": {"view": f"v{number + 1}"}} for number in range(500)]
    members += [{"jsonrpc": "2.0", "id": "t", "method": "clock/advance", "params": {"milliseconds": 1000}}]
    members += [{"jsonrpc": "2.0", "method": "refresh", "params": {"view": f"v{number + 1}"}} for number in range(500)]
    server.write(json.dumps([*members, {"jsonrpc": "2.0", "method": "exit"}]).encode() + b"\n")
    assert server.ends() == 1


def test_programs_of_sources_get_no_descriptors(nagare: str, tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    names = [name for name in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{name}')]\n"
        "    result = {'items': [{'id': int(name)} for name in names]}\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)\n"
    )
    (tmp_path / "nagare.json").write_text(
        json.dumps({
            "sources": {"rows": {"type": "command", "command": [sys.executable, "rows.py"]}},
            "screens": {"rows": {"viewModel": "list", "source": "rows"}},
        })
    )
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limit[1]), limit[1]))
    with open("/dev/null") as file:
        high = fcntl.fcntl(file, fcntl.F_DUPFD, 2000)
    try:
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"screen": "rows"}},
            {"jsonrpc": "2.0", "id": 2, "method": "viewWillAppear", "params": {"wait": True}},
            {"jsonrpc": "2.0", "id": 3, "method": "outputs"},
        ]
        ended = subprocess.run(
            [nagare, "--config", tmp_path / "nagare.json"], pass_fds=[high], capture_output=True,
            input="".join(json.dumps(message) + "\n" for message in messages[:2]).encode(),
        )
    finally:
        os.close(high)
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)
    items = [json.loads(line) for line in ended.stdout.splitlines()]
    listed = next(message["params"]["value"] for message in items if message.get("method") == "items")
    assert {item["id"] for item in listed} == {0, 1, 2}


def test_a_missing_folder_is_distinguished_from_a_missing_program(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    (folder / "nagare.json").write_text(
        json.dumps({
            "sources": {"rows": {"type": "command", "command": ["cat"]}},
            "screens": {"rows": {"viewModel": "list", "source": "rows"}},
        })
    )
    server = start("--config", str(folder / "nagare.json"))
    server.call("open", screen="rows", view="v")
    shutil.rmtree(folder)
    server.notify("viewWillAppear", view="v")
    failure = server.hear("error", where=lambda value: value is not None)["params"]["value"]
    assert f"can't enter the folder {folder}" in failure["message"], failure
