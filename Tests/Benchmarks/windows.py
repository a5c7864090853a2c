"""Measures windows of long lists. Prints one number per line, as name, tab and number.

usage: windows.py SERVER FOLDER

The folder keeps a file of 10,000,000 lines, which is made there the first time.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

ROWS = 10_000_000
STEPS = 5_000
TRIES = 200


class Server:
    """A server with a window of a list, used without a client library."""

    def __init__(self, server, source, folder, *options, sources=(), **screen):
        path = pathlib.Path(folder) / "windows.json"
        screen = {"viewModel": "list", "source": "rows", "throttle": 0, **screen}
        path.write_text(json.dumps({"sources": {"rows": source}, "screens": {"rows": screen}}))
        self.process = subprocess.Popen(
            [server, *options, "--config", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.call("initialize", protocolVersion="1", capabilities={"deltas": True, "windows": True, "sources": sources})
        self.call("open", screen="rows", view="v", params={"window": {"margin": 50}})

    def say(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        if not (line := self.process.stdout.readline()):
            raise SystemExit("the server has ended")
        return line

    def call(self, method, **params):
        """Calls a method and reads all messages up to its response."""
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        answer = b'"id":%d,"result"' % self.number
        while answer not in (line := self.line()):
            if b'"error":{"code"' in line:
                raise SystemExit(line.decode())

    def items(self):
        """Reads messages up to the next `items`."""
        while True:
            message = json.loads(line := self.line())
            if "error" in message:
                raise SystemExit(line.decode())
            if message.get("method") == "items":
                self.count = message["params"]["count"]
                return message["params"], len(line)

    def rows(self):
        """Reads messages until rows have arrived that aren't placeholders."""
        while not any(item for splice in self.items()[0]["splices"] for item in splice["items"]):
            pass

    def memory(self):
        """The peak of resident bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def median(values):
    return sorted(values)[len(values) // 2]


def timed(action):
    begin = time.perf_counter()
    action()
    return (time.perf_counter() - begin) * 1e6


def measure_memory(path, folder):
    """Measures the memory after very many viewports and jumps, all of whose pages arrive; the time from a jump to
    its placeholders; and a ping."""
    server = Server(path, {"type": "demo", "rows": ROWS}, folder, "--clock", "virtual")
    server.call("viewWillAppear", view="v")
    server.call("clock/advance", milliseconds=3000)
    places, later, pings = random.Random(1), [], []
    for step in range(STEPS):
        start = places.randrange(ROWS - 100)
        if step % 5 == 0:
            later.append(timed(lambda: (server.say(
                {"id": 0, "method": "jump", "params": {"view": "v", "index": start}}), server.items())))
            pings.append(timed(lambda: server.call("ping")))
        else:
            server.call("viewport", view="v", start=start, end=start + 40)
        server.call("clock/advance", milliseconds=3000)
    print(f"windows.memory\t{server.memory()}")
    print(f"windows.jump.placeholders.ratio\t{median(later) / median(pings)}")
    server.end()


def measure_insertion(path, folder):
    """The number of bytes in the message that a row was inserted above the window."""
    source = {"type": "client", "positions": True, "live": True}
    server = Server(path, source, folder, sources=["rows"], livePace=0)
    server.say({"method": "viewWillAppear", "params": {"view": "v"}})
    asked = 0
    def answer():
        nonlocal asked
        while True:
            message = json.loads(server.line())
            if message.get("method") == "source/watch":
                server.say({"id": message["id"], "result": {"state": "0"}})
            elif message.get("method") == "source/page":
                start, size = message["params"].get("at", 0), message["params"]["size"]
                server.say({"id": message["id"], "result": {
                    "items": [{"id": n} for n in range(start, start + size)], "position": start, "total": ROWS, "state": "0"}})
                asked += 1
            elif message.get("method") == "loading" and not message["params"]["value"]:
                return
    answer()
    server.say({"method": "viewport", "params": {"view": "v", "start": ROWS // 2, "end": ROWS // 2 + 40}})
    answer()
    server.say({"method": "source/changed", "params": {
        "source": "rows", "query": None, "since": "0", "state": "1", "total": ROWS + 1, "changes": [{"insert": {"id": "new"}}]}})
    print(f"windows.insertion.bytes\t{server.items()[1]}")
    server.end()


def count_lines(folder):
    """Reads the file and counts its lines."""
    with (pathlib.Path(folder) / "lines.jsonl").open("rb", buffering=0) as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def measure_jumps(path, folder):
    """Measures from a jump to the rows of a file: first to the end, and then in comparison with a ping round trip."""
    # This measures the disk if the file isn't in the system's memory.
    count_lines(folder)
    counting = timed(lambda: count_lines(folder))
    server = Server(path, {"type": "file", "path": "lines.jsonl", "index": True}, folder)
    server.say({"method": "viewWillAppear", "params": {"view": "v"}})
    server.rows()
    first, rows, pings = None, [], []
    places = random.Random(2)
    for attempt in range(TRIES + 1):
        # At first the number of lines is an estimate.
        index = server.count - 40 if attempt == 0 else places.randrange(ROWS - 100)
        begin = time.perf_counter()
        server.say({"id": 0, "method": "jump", "params": {"view": "v", "index": index}})
        server.rows()
        took = (time.perf_counter() - begin) * 1e6
        if attempt == 0:
            first = took
        else:
            rows.append(took)
        server.call("ping")
        time.sleep(0.01)
        pings.append(timed(lambda: server.call("ping")))
    size = (pathlib.Path(folder) / "lines.jsonl").stat().st_size
    print(f"windows.jump.first.mbps\t{size / first}")
    print(f"windows.counting.mbps\t{size / counting}")
    print(f"windows.jump.file.us\t{median(rows)}")
    print(f"windows.jump.file.ratio\t{median(rows) / median(pings)}")
    server.end()


def measure_rows(path, folder):
    """Measures from a jump to its rows, without the time of the source, which is this process."""
    server = Server(path, {"type": "client", "positions": True}, folder, sources=["rows"], pageSize=200)
    def answer():
        """Answers a page request, and returns the time that it took."""
        while b'"source/page"' not in (line := server.line()):
            pass
        begin = time.perf_counter()
        asked = json.loads(line)
        start = asked["params"].get("at", 0)
        answer = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {
            "items": [{"id": n} for n in range(start, start + 200)], "position": start, "total": ROWS}}).encode() + b"\n"
        took = time.perf_counter() - begin
        server.process.stdin.write(answer)
        server.process.stdin.flush()
        server.rows()
        return took * 1e6
    server.say({"method": "viewWillAppear", "params": {"view": "v"}})
    answer()
    server.say({"method": "viewport", "params": {"view": "v", "start": 60, "end": 100}})
    rows, pings, own, places = [], [], 0, random.Random(3)
    def jump():
        nonlocal own
        server.say({"id": 0, "method": "jump", "params": {"view": "v", "index": places.randrange(60, ROWS - 300)}})
        own = answer()
    for _ in range(TRIES):
        took = timed(jump)
        rows.append(took - own)
        server.call("ping")
        time.sleep(0.01)
        pings.append(timed(lambda: server.call("ping")))
    print(f"windows.jump.rows.us\t{median(rows)}")
    print(f"windows.jump.rows.ratio\t{median(rows) / median(pings)}")
    server.end()


def measure_file(path, folder):
    """Measures the first page of a file with and without a kept index, and the end of the file with a kept index."""
    firsts, ends = [], []
    for _ in range(11):
        server = Server(path, {"type": "file", "path": "lines.jsonl", "index": True}, folder)
        firsts.append(timed(lambda: (server.say({"method": "viewWillAppear", "params": {"view": "v"}}), server.rows())))
        def end():
            server.say({"id": 0, "method": "jump", "params": {"view": "v", "index": server.count - 40}})
            server.rows()
        # The index is loaded at the first use.
        ends.append(timed(end))
        server.end()
    print(f"windows.file.first.ms\t{median(firsts) / 1e3}")
    print(f"windows.file.end.ms\t{median(ends) / 1e3}")


def make_lines(folder):
    path = pathlib.Path(folder) / "lines.jsonl"
    if path.exists():
        return
    part = path.with_suffix(".part")
    text = "x" * 72
    with part.open("w") as file:
        for start in range(0, ROWS, 100_000):
            file.write("".join(f'{{"id":{n},"text":"{text}"}}\n' for n in range(start, start + 100_000)))
    part.rename(path)


def main(server, folder):
    make_lines(folder)
    for index in pathlib.Path(folder).glob("*lines.jsonl*.nagare-index"):
        index.unlink()
    measure_jumps(server, folder)
    measure_rows(server, folder)
    measure_file(server, folder)
    measure_insertion(server, folder)
    measure_memory(server, folder)


main(*sys.argv[1:])
