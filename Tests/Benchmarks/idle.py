"""Measures an idle minute: the processor time of each program, with each kind of source and frontend.

    idle.py FOLDER [SECONDS]

FOLDER has the built programs. A table goes to standard output; the exit status is 1 if a row is over its bound.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST = 0.005
"""The largest allowed share of one processor."""
SETTLING = 5.0
"""Seconds to wait for the work that is done once at the start."""

PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = {"state": "s"} if message["method"] == "source/watch" else {"items": [{"id": 1}], "state": "s"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


class Handler(BaseHTTPRequestHandler):
    """Serves items immediately, a page that never arrives, and an event stream without events."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.startswith("/items"):
            self.send_response(200)
            self.send_header("Content-Length", "10")
            self.end_headers()
            self.wfile.write(b'[{"id":1}]')
            return
        if self.path.startswith("/events"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.flush()
        STOPPED.wait()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


STOPPED = threading.Event()


def processes(pid: int) -> Iterator[int]:
    """Yields a process and its descendants."""
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from processes(int(child))


def used(pid: int) -> float:
    """Seconds of processor time of a process, its threads and its descendants."""
    ticks = 0
    for process in processes(pid):
        # The fields from the third on. The second one is the program's name, which may contain spaces.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def states(built: Path, folder: Path, web: str) -> dict[str, subprocess.Popen[bytes]]:
    """Starts the programs, each in its state, by the names of the rows."""
    (folder / "rows.jsonl").write_text('{"id":1}\n')
    (folder / "rows.py").write_text(PROGRAM)
    database = sqlite3.connect(folder / "rows.db")
    database.execute("create table rows (id integer primary key, title text)")
    database.execute("insert into rows (title) values ('a')")
    database.commit()
    database.close()
    os.environ["PYTHONPATH"] = ":".join(str(ROOT / "clients" / name / "src") for name in ("python", "source-python", "terminal"))
    os.environ["NAGARE"] = str(built / "nagare")
    kit = [sys.executable, "-m", "nagare_source", "--sqlite", "rows.db", "--table", "rows"]
    sources: dict[str, dict[str, Any]] = {
        "file": {"type": "file", "path": "rows.jsonl"},
        "file, followed": {"type": "file", "path": "rows.jsonl", "follow": True},
        "program": {"type": "command", "command": [sys.executable, "rows.py"]},
        "program, live": {"type": "command", "command": [sys.executable, "rows.py"], "live": True},
        "SQLite, live": {"type": "command", "command": kit, "live": True},
        "web server": {"type": "http", "url": f"{web}/items?page={{page}}&size={{size}}"},
        "web server, slow page": {"type": "http", "url": f"{web}/slow?page={{page}}&size={{size}}", "timeout": 600_000},
        "web server, events": {"type": "http", "url": f"{web}/items?page={{page}}", "live": {"events": f"{web}/events"}},
        "web server, poll": {"type": "http", "url": f"{web}/items?page={{page}}", "live": {"poll": 60_000}},
    }
    found: dict[str, subprocess.Popen[bytes]] = {}

    def start(name: str, *options: str, screen: str = "rows") -> None:
        log = open(folder / "log", "ab")
        process = subprocess.Popen([built / "nagare", *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, cwd=folder)
        assert process.stdin
        for method, params in (("open", {"screen": screen, "view": "v"}), ("viewWillAppear", {"view": "v"})):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")
        process.stdin.flush()
        found[name] = process

    start("demo", screen="inbox")
    for number, (name, source) in enumerate(sources.items()):
        path = folder / f"{number}.json"
        path.write_text(json.dumps({"sources": {"s": source}, "screens": {"rows": {"viewModel": "list", "source": "s"}}}))
        start(name, "--config", str(path))
    terminal, line = pty.openpty()
    found["terminal, with its server"] = subprocess.Popen(
        [sys.executable, "-m", "nagare_terminal"], stdin=line, stdout=line, stderr=line, start_new_session=True, env={**os.environ, "TERM": "xterm-256color"}
    )
    threading.Thread(target=drain, args=(terminal,), daemon=True).start()
    return found


def drain(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(descriptor, 1 << 16):
            pass


def main() -> int:
    built, seconds = Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    is_over = False
    with tempfile.TemporaryDirectory() as folder:
        found = states(built, Path(folder), f"http://127.0.0.1:{server.server_port}")
        try:
            time.sleep(SETTLING)
            before = {name: used(process.pid) for name, process in found.items()}
            time.sleep(seconds)
            print(f"{'waiting with':28} milliseconds of a processor in {seconds:g} s, share")
            for name, process in found.items():
                if process.poll() is not None:
                    print(f"{name:28} has ended with {process.returncode}")
                    is_over = True
                    continue
                share = (used(process.pid) - before[name]) / seconds
                print(f"{name:28} {share * seconds * 1000:8.0f}  {share:7.3%}{'' if share <= MOST else '  OVER ' + format(MOST, '.1%')}")
                is_over = is_over or share > MOST
        finally:
            STOPPED.set()
            for process in found.values():
                process.kill()
                process.wait()
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main())
