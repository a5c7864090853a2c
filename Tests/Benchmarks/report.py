"""Runs all measurements, and prints the results next to the goals.

usage: report.py BUILD_DIRECTORY [--json]

The build directory holds the release builds in static/, the C programs in bench/, and the file of items that is
made there. The same as JSON goes to BUILD_DIRECTORY/bench.json, and to standard output with --json.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ITEMS_SIZE = 500_000_000
MIB = 1 << 20

# The measurements of each client library, and of a loop by hand in the same language.
CLIENTS = {
    "python": [sys.executable, "{here}/python_client.py"],
    "javascript": ["node", "{here}/javascript_client.mjs"],
    "swift": ["{build}/static/release/ClientBenchmark"],
}
# The measurements of the memory of a window in each client library.
WINDOWS = {
    "python": [sys.executable, "{here}/python_window.py", "{server}", "{configuration}"],
    "javascript": ["node", "--expose-gc", "{here}/javascript_window.mjs", "{server}", "{configuration}"],
    "swift": ["{build}/static/release/ClientBenchmark", "{server}", "{configuration}", "--window"],
}


def measure(*command):
    """Runs a program that prints one number per line, as name, tab and number."""
    print("#", *command, file=sys.stderr, flush=True)
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: float(number) for name, number in (line.split("\t") for line in text.splitlines())}


def measure_windows(build, server):
    """Measures the memory that each client library keeps for a long list beyond the 1,000 rows in its window."""
    configuration = build / "bench/window.json"
    configuration.write_text(json.dumps({
        "sources": {"long": {"type": "demo", "rows": 10_000_000}},
        "screens": {"long": {"viewModel": "list", "source": "long", "pageSize": 200}},
    }))
    found = {}
    for program in WINDOWS.values():
        words = {"here": HERE, "build": build, "server": server, "configuration": configuration}
        found |= measure(*[word.format(**words) for word in program])
    return found


GROUPS = [
    ["streams.", "hand.", "feedback.", "fold", "jobs.", "records.", "json."],
    ["page."], ["edit."], ["live."], ["session."], ["window."],
]


def measure_all(build):
    client, reference = str(build / "bench/client"), str(build / "bench/reference")
    server, cases = str(build / "static/release/nagare"), str(build / "static/release/Benchmarks")
    items, configuration = build / "bench/items.jsonl", build / "bench/items.json"
    if not items.exists() or items.stat().st_size < ITEMS_SIZE:
        measure(client, "make-items", str(items), str(ITEMS_SIZE))
    configuration.write_text(json.dumps({
        "sources": {"mails": {"type": "file", "path": "items.jsonl", "id": "id"}},
        "screens": {"items": {"viewModel": "list", "source": "mails", "pageSize": 1000, "throttle": 0}},
    }))
    found = {"file.size": items.stat().st_size}
    for what in ["pings", "start", "memory", "rate"]:
        found |= measure(client, what, reference, server)
    # The measurements alternate, because the pipe's throughput varies with other load on the machine.
    runs = [
        measure(client, "pipe", reference, str(2 * ITEMS_SIZE)) | measure(client, "items", server, str(configuration))
        for _ in range(3)
    ]
    found |= {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    for what in ["--memory", "--memory-still", "--memory-live", "--memory-marks"]:
        found |= measure(cases, what)
    # Each group runs in a separate process, like a server. Otherwise earlier work would leave its memory fragmented.
    for group in GROUPS:
        found |= measure(cases, *group)
    found |= measure(sys.executable, str(HERE / "live.py"), server)
    found |= measure(sys.executable, str(HERE / "windows.py"), server, str(build / "bench"))
    found["start.ratio"] = found["start.ms"] / found["start.reference.ms"]
    for name in ["chain", "flatMapLatest", "merged", "shared"]:
        found[f"streams.{name}.ratio"] = found[f"streams.{name}"] / found[f"hand.{name}"]
    for name in ["move", "read"]:
        found[f"window.{name}.ratio"] = found[f"window.{name}.long"] / found[f"window.{name}.short"]
    for language, program in CLIENTS.items():
        found |= measure(*[word.format(here=HERE, build=build) for word in program], server, str(configuration))
        for name in ["pings", "items"]:
            found[f"{language}.{name}.ratio"] = found[f"{language}.{name}.raw"] / found[f"{language}.{name}.client"]
    found |= measure_windows(build, server)
    for name in ["step", "validated", "effect"]:
        found[f"feedback.{name}.ratio"] = found[f"feedback.{name}"] / found[f"folding.{name}"]
    found["jobs.ratio"] = found["jobs.long"] / found["jobs.short"]
    for name in ["decode", "encode"]:
        found[f"records.{name}.ratio"] = found[f"records.{name}.codable"] / found[f"records.{name}.fields"]
    for name in ["append", "change", "select", "swipe", "close"]:
        found[f"{name}.ratio"] = found[f"session.{name}.long"] / found[f"session.{name}.short"]
    for name in ["repeated", "replaced"]:
        found[f"page.{name}.ratio"] = found[f"page.{name}"] / found["page.distinct"]
    found["live.rate"] = 1e9 / found["live.change.middle"]
    found["live.sections.ratio"] = found["live.sections"] / found["live.change.long"]
    found["live.ratio"] = found["live.change.long"] / found["live.change.short"]
    found["live.delay.ratio"] = found["live.change.p99.us"] / found["live.ping.p99.us"]
    # Beyond 64 kB, for 1,000,000 rows.
    found["memory.live.row"] = max(0, found["memory.live"] - found["memory.still"] - 65_536) / 1e6
    for name in ["remove", "insert", "chain", "one", "neighbours", "answer"]:
        found[f"edit.{name}.ratio"] = found[f"edit.{name}.long"] / found[f"edit.{name}.short"]
    return found


# Description, name of the number, unit, goal (at most, or at least), and figures for comparison.
AT_MOST, AT_LEAST = "≤", "≥"


def rows(n):
    """The table's rows, made of the found numbers."""
    return [
        ("ping round trip, one processor, against a C program that polls, reads and writes", "ping.polling.ratio", "×", AT_MOST,
         1.08, f"here nagare {n['ping.us']:.1f} µs, C {n['ping.polling.us']:.1f} µs"),
        ("likewise, against one that only reads and writes", "ping.ratio", "×", AT_MOST, 1.22,
         f"C {n['ping.reference.us']:.1f} µs"),
        ("pipelined pings in lines, messages/s", "pipelined.lines", "", AT_LEAST, 2_000_000,
         f"here C writing each {n['pipelined.reference.each']:,.0f}, gathering "
         f"{n['pipelined.reference.gathering']:,.0f}; processor {n['pipelined.lines.cpu.ns']:.0f} ns a message"),
        ("pipelined pings in LSP framing, messages/s", "pipelined.lsp", "", AT_LEAST, 1_500_000,
         f"processor {n['pipelined.lsp.cpu.ns']:.0f} ns a message"),
        ("spawn to first reply, against the C program", "start.ratio", "×", AT_MOST, 3,
         f"here nagare {n['start.ms']:.1f} ms, C {n['start.reference.ms']:.1f} ms"),
        ("resident memory, idle", "memory.idle", "MiB", AT_MOST, 5.5,
         f"here C {n['memory.reference.idle'] / MIB:.1f} MiB"),
        ("resident memory after 200,000 pipelined requests", "memory.after", "MiB", AT_MOST, 10,
         f"its peak {n['memory.peak'] / MIB:.1f} MiB"),
        *(
            (f"streams: {what}, against the same by hand", f"streams.{name}.ratio", "×", AT_MOST, 1.8,
             f"{n[f'streams.{name}']:.0f} and {n[f'hand.{name}']:.0f} ns; {others}")
            for name, what, others in [
                ("chain", "subject, map, filter, scan; an event", "RxSwift 1,030, OpenCombine 324"),
                ("flatMapLatest", "flatMapLatest to a one-value stream", "RxSwift 2,412, OpenCombine 1,369"),
                ("merged", "three merged, withLatestFrom", "RxSwift 1,220"),
                ("shared", "shared with replay to 10", "RxSwift 3,433, OpenCombine 5,462"),
            ]
        ),
        ("streams: throttle, virtual clock moved at each event", "streams.throttle", "ns", AT_MOST, 80,
         "RxSwift 2,040"),
        ("streams: debounce, virtual clock moved at each event", "streams.debounce", "ns", AT_MOST, 80,
         "RxSwift 5,150, by hand 3"),
        *(
            (f"feedback: {what}, against the same by folding", f"feedback.{name}.ratio", "×", AT_MOST, limit,
             f"{n[f'feedback.{name}']:.0f} and {n[f'folding.{name}']:.0f} ns")
            for name, what, limit in [
                ("step", "a plain step, four outputs", 1.2),
                ("validated", "a step that may refuse, one output", 1),
                ("effect", "a load that is answered at once, four outputs", 3),
            ]
        ),
        ("feedback: a parallel job more, and the oldest answered, 10,000 running against 10", "jobs.ratio", "×", AT_MOST,
         1.5, f"{n['jobs.short']:.0f} and {n['jobs.long']:.0f} ns"),
        *(
            (f"a record of five members {name}d as Codable, against its Fields", f"records.{name}.ratio", "×", AT_MOST, 4,
             f"{n[f'records.{name}.codable']:,.0f} and {n[f'records.{name}.fields']:,.0f} ns; {scale}")
            for name, scale in [("decode", "JSONDecoder 2.3 × the Fields"), ("encode", "JSONEncoder 3.7 × the Fields")]
        ),
        ("the list's fold, a page of 20, at 10,000 pages", "fold", "ns", AT_MOST, 2000,
         f"at 50 pages {n['fold.small']:,.0f} ns; RxSwift's scan 7,977,000"),
        *(
            (f"a page of 400,000, half of it {what}, against different ids", f"page.{name}.ratio", "×", AT_MOST, 1.5,
             f"{n[f'page.{name}'] / 1e6:.0f} and {n['page.distinct'] / 1e6:.0f} ms")
            for name, what in [("repeated", "40 ids of its own again"), ("replaced", "40 listed ids")]
        ),
        *(
            (what, f"{name}.ratio", "×", AT_MOST, 1.5,
             f"{n[f'session.{name}.short'] / 1000:.1f} and {n[f'session.{name}.long'] / 1000:.1f} µs")
            for name, what in [
                ("append", "a page of 20 appended, deltas on, 1,000,000 items against 1,000"),
                ("change", "change, likewise"),
                ("select", "select (and close), likewise"),
                ("swipe", "swipe, likewise"),
                ("close", "the oldest of 3,000 pagers closed and another opened, against 100"),
            ]
        ),
        *(
            (what, f"edit.{name}.ratio", "×", AT_MOST, 2,
             f"{n[f'edit.{name}.short'] / 1000:.1f} and {n[f'edit.{name}.long'] / 1000:.1f} µs")
            for name, what in [
                ("remove", "a removal, and the oldest refused, 100,000 waiting against 1,000"),
                ("insert", "an insertion, likewise"),
                ("chain", "an insertion before the last, likewise"),
                ("one", "an insertion of the same item, likewise"),
                ("neighbours", "an insertion refused that as many others were put before"),
                ("answer", "a removal, and the oldest answered by the source"),
            ]
        ),
        ("changes of a live source folded into 100,000 rows, said every 100 ms, a second", "live.rate", "", AT_LEAST, 200_000,
         f"scattered over 1,000,000 rows {1e9 / n['live.scattered']:,.0f}"),
        ("a change of a live source among 1,000 rows, of 1,000,000 against 1,000", "live.ratio", "×", AT_MOST, 1.3,
         f"{n['live.change.short'] / 1000:.1f} and {n['live.change.long'] / 1000:.1f} µs"),
        ("a change among 1,000,000 rows in 3,700 sections, against one without sections", "live.sections.ratio", "×", AT_MOST, 3,
         f"{n['live.sections'] / 1000:.1f} and {n['live.change.long'] / 1000:.1f} µs"),
        ("a change written by a program until it is read, p99", "live.change.p99.us", "µs", AT_MOST, 1000,
         f"half of them within {n['live.change.p50.us']:.0f} µs"),
        ("likewise, against a ping there and back", "live.delay.ratio", "×", AT_MOST, 5,
         f"a ping {n['live.ping.p99.us']:.0f} µs, half of them within {n['live.ping.p50.us']:.0f}"),
        ("memory a row of 1,000,000 that a live source has, beyond a still one's and 64 kB", "memory.live.row", "B", AT_MOST, 4,
         f"{n['memory.live'] / MIB:.0f} and {n['memory.still'] / MIB:.0f} MiB"),
        ("memory after a minute of 1,000 arrivals a second beyond that at its start, read now and then", "live.arrivals.memory",
         "MiB", AT_MOST, 4, ""),
        ("memory an item of 1,000,000, beyond its own bytes", "memory.item", "B", AT_MOST, 64,
         f"the server with {n['file.size'] / 1e6:.0f} MB listed: {n['items.memory'] / 1e6:.0f} MB resident"),
        *(
            (what, f"window.{name}.ratio", "×", AT_MOST, 1.3,
             f"{n[f'window.{name}.short'] / 1000:.0f} and {n[f'window.{name}.long'] / 1000:.0f} µs")
            for name, what in [
                ("move", "a viewport's move among rows that are read, of 10,000,000 against 1,000"),
                ("read", "a viewport anywhere and its pages, of 10,000,000 against 100,000"),
            ]
        ),
        ("memory of the server after 5,000 viewports and jumps in 10,000,000 rows", "windows.memory", "MiB", AT_MOST, 24, ""),
        ("memory of marks of all 10,000,000 rows, and 1,000 taken out", "memory.marks", "MiB", AT_MOST, 1, ""),
        ("bytes that say a row inserted above the window", "windows.insertion.bytes", "", AT_MOST, 200, ""),
        ("a jump to its placeholders, against a ping there and back", "windows.jump.placeholders.ratio", "×", AT_MOST, 5, ""),
        ("a jump to its rows, beyond their source's own time, against a ping there and back", "windows.jump.rows.ratio", "×", AT_MOST,
         10, f"rows of a file, its reading included: {n['windows.jump.file.us']:.0f} µs, {n['windows.jump.file.ratio']:.1f} pings"),
        ("a file of 10,000,000 lines: its first page", "windows.file.first.ms", "ms", AT_MOST, 5, ""),
        ("its end, the first time", "windows.jump.first.mbps", "MB/s", AT_LEAST, 1000,
         f"here Python, reading it and counting its lines {n['windows.counting.mbps']:,.0f}"),
        ("its end, with the kept index", "windows.file.end.ms", "ms", AT_MOST, 20, ""),
        ("JSON checked in full, to raw slices with ids", "json.read", "MB/s", AT_LEAST, 1000,
         "simdjson's DOM 1,480, JSONDecoder 36"),
        ("a page of items written", "json.write", "MB/s", AT_LEAST, 500, "JSONEncoder 48"),
        ("items from file to wire", "items.mbps", "MB/s", AT_LEAST, 300,
         f"here the pipe itself {n['pipe.mbps']:.0f}; {n['items.cpu.mbps']:.0f} a second of processor"),
        *(
            row
            for language, what, pings, items in [
                ("python", "the Python client's round trip, against asyncio's streams", 2, 2),
                ("javascript", "the JavaScript client's round trip, against Node's pipes", 2, 2),
                ("swift", "the Swift client's round trip, against the event loop by itself", 5, 2),
            ]
            for row in [
                (what, f"{language}.pings.ratio", "×", AT_MOST, pings,
                 f"{n[f'{language}.pings.client']:,.0f} round trips/s, by hand {n[f'{language}.pings.raw']:,.0f}"),
                ("its list of 100,000 growing by deltas of 1,000, against reading them", f"{language}.items.ratio", "×",
                 AT_MOST, items,
                 f"{n[f'{language}.items.client']:,.0f} items/s, by hand {n[f'{language}.items.raw']:,.0f}"),
            ]
        ),
        *(
            (f"memory that the {name} client keeps of 10,000,000 rows, 5,000 viewports and jumps later, beyond its 1,000",
             f"{language}.window.memory", "MiB", AT_MOST, 4, "")
            for language, name in [("python", "Python"), ("javascript", "JavaScript"), ("swift", "Swift")]
        ),
    ]


def written(number, unit):
    if unit == "MiB":
        number /= MIB
    digits = 0 if number >= 100 else 1 if number >= 10 else 2
    return f"{number:,.{digits}f}{'' if unit in ('', '×') else ' '}{unit}"


def report(numbers):
    table = []
    for what, name, unit, bound, limit, scale in rows(numbers):
        value = numbers[name] / (MIB if unit == "MiB" else 1)
        table.append({
            "what": what,
            "toReach": f"{bound} {limit:,}{'' if unit in ('', '×') else ' '}{unit}",
            "reached": written(numbers[name], unit),
            "verdict": "reached" if (value <= limit if bound == AT_MOST else value >= limit) else "missed",
            "forScale": scale,
        })
    return table


def print_table(table):
    lines = [["what", "to reach", "reached", "", "for scale"]]
    lines += [[row["what"], row["toReach"], row["reached"], row["verdict"], row["forScale"]] for row in table]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for line in lines:
        what, goal, reached, verdict, scale = (cell.ljust(width) for cell, width in zip(line, widths))
        print(f"{what}  {goal.strip():>{widths[1]}}  {reached.strip():>{widths[2]}}  {verdict}  {scale}".rstrip())


def main(directory, *options):
    build = pathlib.Path(directory)
    numbers = measure_all(build)
    table = report(numbers)
    text = json.dumps({"rows": table, "numbers": numbers, "load": os.getloadavg()}, ensure_ascii=False, indent=2)
    (build / "bench.json").write_text(text + "\n")
    if "--json" in options:
        print(text)
    else:
        print_table(table)


main(*sys.argv[1:])
