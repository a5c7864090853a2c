"""Programs of sources: how the server handles their deaths, and that none is left when the server has ended."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_programs import ROWS, ServeProgram, appear, configured, failure, ids, left
from server import Server, Start, until
from test_flow_control import FULL, unread


def lives(process: int) -> bool:
    """Whether a process runs. A process that has ended but wasn't reaped doesn't."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def ends(process: int) -> None:
    """Waits until a process has ended."""
    until(lambda: not lives(process))


def test_a_program_that_dies_during_a_load_is_restarted(serve_program: ServeProgram) -> None:
    """rules: 6.4.10, 6.4.11"""
    server = serve_program(
        """
for id, params in requests():
    if not os.path.exists("died"):
        leave("died", 1)
        os.kill(os.getpid(), signal.SIGKILL)
    page(id, "second life")
"""
    )
    assert ids(appear(server)) == ["second life"]


def test_a_program_that_keeps_dying_is_reported_with_its_last_line(serve_program: ServeProgram) -> None:
    """rules: 6.4.11, 6.4.12"""
    server = serve_program("for id, params in requests(): raise ValueError('no such table')", "--log")
    told = failure(appear(server))
    assert told["code"] == -32010 and told["retryable"]
    for part in ('"rows"', "exit status 1", "ValueError: no such table"):
        assert part in told["message"]
    errors = server.errors()
    assert errors.count("[rows] ValueError: no such table\n") == 5
    assert errors.count("[rows] has ended: exit status 1\n") == 5


STUBBORN = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"],
    stdout=subprocess.PIPE)
grandchild.stdout.readline()
for id, params in requests():
    page(id, os.getpid(), grandchild.pid)
time.sleep(600)
"""


def by_end_of_input(server: Server) -> None:
    server.close()


def by_exit(server: Server) -> None:
    server.notify("exit")


def by_signal(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [by_end_of_input, by_exit, by_signal])
def test_a_program_that_ignores_signals_ends_with_the_server_and_its_children(
    serve_program: ServeProgram, end: Callable[[Server], None]
) -> None:
    """rules: 1.4.10"""
    server = serve_program(STUBBORN)
    processes = ids(appear(server))
    assert len(processes) == 2 and all(lives(process) for process in processes)
    end(server)
    assert server.ends() == (1 if end is by_exit else 0)
    for process in processes:
        ends(process)


def unread_list_of_a_stubborn_program(start: Start, tmp_path: Path) -> tuple[Server, list[Any]]:
    """Starts a server whose output isn't read beyond the first rows, which are the program's processes."""
    server = start("--config", str(configured(tmp_path, STUBBORN)), reading=False)
    server.send(
        {"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"screen": "rows", "view": "v"}},
        {"jsonrpc": "2.0", "method": "viewWillAppear"},
    )
    while (message := json.loads(server.output.readline())).get("method") != "items":
        pass
    return server, ids(message)


def test_a_signal_ends_it_despite_a_stubborn_program_and_an_unread_output(start: Start, tmp_path: Path) -> None:
    """rules: 1.4.1, 1.4.10"""
    server, processes = unread_list_of_a_stubborn_program(start, tmp_path)
    server.write(b'{"jsonrpc":"2.0","id":2,"method":"rpc.discover"}\n' * 10)
    until(lambda: unread(server) > FULL // 2)
    by_signal(server)
    assert server.ends() == 0
    for process in processes:
        ends(process)


def test_a_closed_output_also_ends_the_program(start: Start, tmp_path: Path) -> None:
    """rules: 1.4.10"""
    server, processes = unread_list_of_a_stubborn_program(start, tmp_path)
    server.output.close()
    assert server.ends() >= 0
    for process in processes:
        ends(process)


def test_a_program_that_obeys_a_signal_ends_by_itself(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 6.4.8"""
    server = serve_program(
        f"""
def terminated(*_):
    leave("ended", 1)
    os._exit(0)

signal.signal(signal.SIGTERM, terminated)
{ROWS}
while True: signal.pause()  # The input's end alone doesn't end it.
"""
    )
    appear(server)
    server.close()
    assert server.ends() == 0
    assert (tmp_path / "ended").exists()


def test_children_of_a_dead_program_are_killed(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 6.4.9"""
    server = serve_program(
        """
for id, params in requests():
    if not os.path.exists("grandchild"):
        leave("grandchild", subprocess.Popen(["sleep", "600"]).pid)
        os._exit(3)
    page(id, "again")
"""
    )
    assert ids(appear(server)) == ["again"]
    ends(int(left(tmp_path / "grandchild")))


def test_a_killed_server_ends_the_input_of_its_program(serve_program: ServeProgram) -> None:
    """rules: 6.4.8"""
    server = serve_program("for id, params in requests(): page(id, os.getpid())")
    [process] = ids(appear(server))
    server.process.kill()
    ends(process)
