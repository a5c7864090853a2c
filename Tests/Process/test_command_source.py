"""Programs of sources: what they send, and how the server treats them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from command_programs import ROWS, ServeProgram, appear, failure, ids, left, outcome
from conftest import ROOT
from server import MEBIBYTE


def test_a_program_serves_pages(serve_program: ServeProgram) -> None:
    """rules: 6.4.3, 6.4.4, 6.4.5"""
    server = serve_program(ROWS)
    assert ids(appear(server)) == [0, 1, 2]
    server.notify("loadMore", view="v")
    assert ids(outcome(server)) == [0, 1, 2, 3, 4, 5]
    server.close()
    assert server.ends() == 0
    assert server.errors() == ""


def test_the_specification_s_program_works(serve_program: ServeProgram) -> None:
    """rules: 6.4.4, 6.4.5"""
    section = (ROOT / "protocol" / "SPECIFICATION.md").read_text().split("### 6.4")[1]
    program = section.split("```python\n")[1].split("```")[0]
    server = serve_program(program.replace("range(1000)", "range(5)"))
    assert ids(appear(server)) == [0, 1, 2]
    server.notify("loadMore", view="v")
    assert ids(outcome(server)) == [0, 1, 2, 3, 4]
    assert server.hear("state")["params"]["value"]["phase"] == "reachedBottom"


def test_a_program_runs_in_the_configuration_s_folder_with_our_environment(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 6.4.1"""
    server = serve_program("for id, params in requests(): page(id, os.getcwd(), os.environ['PATH'])")
    assert ids(appear(server)) == [str(tmp_path.resolve()), os.environ["PATH"]]


def test_a_program_gets_only_its_standard_streams(serve_program: ServeProgram) -> None:
    server = serve_program("for id, params in requests(): page(id, *sorted(os.listdir('/proc/self/fd')))")
    # The fourth is the folder that is listed.
    assert ids(appear(server)) == ["0", "1", "2", "3"]


def test_without_a_log_a_program_s_standard_error_is_not_passed_on(serve_program: ServeProgram) -> None:
    """rules: 6.4.7, 6.4.13"""
    server = serve_program("print('hello', file=sys.stderr, flush=True)\n" + ROWS)
    assert ids(appear(server)) == [0, 1, 2]
    server.close()
    assert server.ends() == 0
    assert server.errors() == ""


def test_an_invalid_page_is_a_permanent_failure(serve_program: ServeProgram) -> None:
    """rules: 6.4.11"""
    server = serve_program("for id, params in requests(): say({'id': id, 'rows': []})")
    told = failure(appear(server))
    assert told["code"] == -32012 and not told["retryable"]
    assert '"result"' in told["message"]


def test_a_stray_print_is_ignored(serve_program: ServeProgram) -> None:
    """rules: 6.4.7, 6.4.11, 6.4.13"""
    server = serve_program("print('warming up', flush=True)\nprint([1, 2], flush=True)\n" + ROWS, "--log")
    assert ids(appear(server)) == [0, 1, 2]
    assert "[rows] --> warming up\n" in server.errors()


def test_an_invalid_answer_is_reported_at_the_time_limit(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 6.4.11"""
    program = """
for number, (id, params) in enumerate(requests()):
    print({"jsonrpc": "2.0", "id": id}, flush=True)
    time.sleep(0.1)
    leave(f"asked {number}", 1)
"""
    server = serve_program(program, "--clock", "virtual")
    server.call("viewWillAppear", view="v")
    for number in range(2):
        left(tmp_path / f"asked {number}")
        server.call("ping")  # the program's output so far is read before the client's next line
        reply, said = server.call("clock/advance", milliseconds=31_000)
        assert "result" in reply
    told = [message["params"]["value"] for message in said if message["method"] == "error"]
    assert [error["code"] for error in told] == [-32011]
    assert "{'jsonrpc': '2.0', 'id': " in told[0]["message"]


def test_a_slow_program_blocks_nothing_else(serve_program: ServeProgram, tmp_path: Path) -> None:
    """rules: 6.4.11"""
    server = serve_program(
        """
for id, params in requests():
    leave("asked", 1)
    while not os.path.exists("go"): time.sleep(0.01)
    page(id, 1)
"""
    )
    server.call("viewWillAppear", view="v")
    left(tmp_path / "asked")
    assert server.call("ping")[0]["result"] == {}
    (tmp_path / "go").touch()
    assert ids(outcome(server)) == [1]


def test_a_flood_of_output_costs_no_memory_and_blocks_nothing_else(serve_program: ServeProgram) -> None:
    program = """
os.set_blocking(0, False)
line = b"x" * 1000 + b"\\n"
while True:
    os.write(1, line * 60)
    os.write(2, line * 60)
    if data := os.read(0, 1 << 16) if select.select([0], [], [], 0)[0] else b"":
        page(json.loads(data.splitlines()[0])["id"], "dry")
"""
    server = serve_program("import select\n" + program)
    before = server.resident()
    assert ids(appear(server)) == ["dry"]
    for _ in range(2000):
        assert server.call("ping")[0]["result"] == {}
    assert server.resident() < before + 16 * MEBIBYTE
    server.close()
    assert server.ends() == 0


def test_an_endless_line_takes_at_most_the_size_of_a_message(serve_program: ServeProgram) -> None:
    """rules: 6.4.11"""
    program = """
for id, params in requests():
    for _ in range(1000): os.write(1, b"x" * 100_000)
    os.write(1, b"\\n")
    page(id, "small")
"""
    server = serve_program(program, "--max-message-size", "1000000")
    before = server.resident()
    told = failure(appear(server))
    assert told["code"] == -32012 and "--max-message-size" in told["message"]
    assert server.resident() < before + 16 * MEBIBYTE


def test_a_flood_of_requests_stops_the_reading(serve_program: ServeProgram) -> None:
    """rules: 6.4.11"""
    program = """
call = json.dumps({"jsonrpc": "2.0", "id": "x" * 1000, "method": "give"}).encode() + b"\\n"
while True: os.write(1, call * 50)
"""
    server = serve_program(program)
    before = server.resident()
    server.notify("viewWillAppear", view="v")
    time.sleep(1)
    assert server.call("ping")[0]["result"] == {}
    assert server.resident() < before + 16 * MEBIBYTE
    server.process.send_signal(signal.SIGTERM)
    assert server.ends() == 0


def test_a_dropped_load_is_cancelled(serve_program: ServeProgram) -> None:
    """rules: 6.4.6"""
    server = serve_program(
        """
first = None
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "$/cancelRequest": cancelled = message["params"]["id"]
    elif first is None: first = message["id"]
    else: page(message["id"], f"{first} {cancelled}")
"""
    )
    server.call("viewWillAppear", view="v")
    server.call("refresh", view="v")
    assert ids(outcome(server)) == ["1 1"]
