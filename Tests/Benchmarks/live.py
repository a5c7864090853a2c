"""Measures how soon a live source's change is sent, and the memory of very many. Prints one number per line, as
name, tab and number.

usage: live.py SERVER
"""

import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

from resident import resident

ROUNDS = 2_000
ARRIVALS, SECONDS = 1_000, 60
"""The number per second, and the number of seconds."""

# A source that answers requests for rows, and then reports changes. The changed row contains the time of the change.
SOURCE = """
import json, sys, time

def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")) + "\\n")
    sys.stdout.flush()

state, asked = 0, 0
while asked < 2:
    request = json.loads(sys.stdin.readline())
    asked += 1
    watches = request["method"] == "source/watch"
    rows = [{"id": n, "at": 0} for n in range(20)]
    say({"id": request["id"], "result": {"state": "0"} if watches else {"items": rows, "state": "0"}})
def tell(changes):
    global state
    state += 1
    say({"method": "source/changed", "params": {
        "source": "rows", "query": None, "since": str(state - 1), "state": str(state), "changes": changes}})
time.sleep(0.2)
"""
ONE_BY_ONE = SOURCE + f"""
for number in range({ROUNDS}):
    time.sleep(0.002)
    tell([{{"change": {{"id": 3, "at": time.monotonic_ns()}}}}])
sys.stdin.read()
"""
MANY = SOURCE + f"""
begin = time.monotonic()
for number in range({10 * SECONDS}):
    time.sleep(max(0, begin + number / 10 - time.monotonic()))
    first = number * {ARRIVALS // 10}
    # As in a log that is looked at from its end: what is old goes.
    tell([{{"insert": {{"id": 2000 + first + row, "text": "x" * 100}}, "before": 0}} for row in range({ARRIVALS // 10})]
         + [{{"remove": 1000 + first + row}} for row in range({ARRIVALS // 10})])
sys.stdin.read()
"""


class Server:
    """A server with a list from a live source program, used without a client library."""

    def __init__(self, server, program, folder, pace):
        path = pathlib.Path(folder)
        (path / "rows.py").write_text(program)
        source = {"type": "command", "command": [sys.executable, "rows.py"], "live": True}
        screen = {"viewModel": "list", "source": "rows", "livePace": pace}
        (path / "live.json").write_text(json.dumps({"sources": {"rows": source}, "screens": {"rows": screen}}))
        self.process = subprocess.Popen(
            [server, "--config", str(path / "live.json")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.rest = b""
        self.say("initialize", protocolVersion="1", capabilities={"deltas": True})
        self.say("open", screen="rows", view="v")
        self.say("viewWillAppear", view="v")

    def say(self, method, **params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")

    def lines(self):
        """Returns the received lines, at least one."""
        while b"\n" not in self.rest:
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                raise SystemExit("the server has ended")
            self.rest += read
        *lines, self.rest = self.rest.split(b"\n")
        return lines

    def memory(self):
        """The resident bytes of the server."""
        return resident(self.process.pid)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def told(items):
    """The new items, or all items."""
    return items["value"] if "value" in items else [item for splice in items["splices"] for item in splice["items"]]


def quantile(values, part):
    return sorted(values)[int(part * len(values))]


def measure_changes(path, folder):
    """Measures from just before a source writes a change until it is read from the server, and a ping round trip."""
    server = Server(path, ONE_BY_ONE, folder, 0)
    taken = []
    while len(taken) < ROUNDS:
        lines = server.lines()
        now = time.monotonic_ns()
        for line in lines:
            message = json.loads(line)
            if message.get("method") == "items":
                taken += [(now - item["at"]) / 1e3 for item in told(message["params"]) if item["at"]]
    pings = []
    for _ in range(ROUNDS):
        time.sleep(0.002)
        begin = time.monotonic_ns()
        server.say("ping")
        server.lines()
        pings.append((time.monotonic_ns() - begin) / 1e3)
    server.end()
    for name, values in [("change", taken), ("ping", pings)]:
        print(f"live.{name}.p50.us\t{quantile(values, 0.5)}")
        print(f"live.{name}.p99.us\t{quantile(values, 0.99)}")


def measure_arrivals(path, folder):
    """Measures the memory after a minute of arrivals beyond that after the first second, with a client that reads
    now and then."""
    server = Server(path, MANY, folder, 100)
    begin, before, peak, last = time.monotonic(), None, 0, None
    while last != ARRIVALS * SECONDS + 1999:
        time.sleep(0.5)
        if before is None and time.monotonic() - begin > 2:
            before = server.memory()
        if before is not None:
            peak = max(peak, server.memory())
        while select.select([server.process.stdout], [], [], 0)[0]:
            for line in server.lines():
                message = json.loads(line)
                if message.get("method") == "items":
                    last = max([item["id"] for item in told(message["params"])] + [last or 0])
    server.end()
    print(f"live.arrivals.memory\t{peak - before}")


with tempfile.TemporaryDirectory() as folder:
    measure_changes(sys.argv[1], folder)
    measure_arrivals(sys.argv[1], folder)
