"""Counts instructions and allocations under callgrind and compares them with the committed bounds.

usage: check.py BUILD_DIRECTORY [--update]

Both counts are the same on every run of one build, so unlike times they can be checked exactly. With --update the
found counts become the bounds.
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys

BOUNDS = pathlib.Path(__file__).with_name("bounds.json")
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
# The same functions by the names in a statically linked C library.
ALLOCATORS |= {f"__libc_{name}" for name in ALLOCATORS} | {"__posix_memalign"}
# Swift uses a new random seed for its hashes in each process unless this variable is set.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


def callgrind(directory, *command, messages=()):
    """Runs a program and returns its output. The profiles are files in the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("profile*"):
        old.unlink()
    # Files are always ready for reading and writing. So the reader's speed doesn't affect the counts.
    taken, given = directory / "input", directory / "output"
    taken.write_text("".join(messages))
    print("#", *(word for word in command if not word.startswith("--")), file=sys.stderr, flush=True)
    with taken.open() as stdin, given.open("w") as stdout:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--quiet", "--dump-line=no",
             f"--callgrind-out-file={directory / 'profile'}", *command],
            check=True, env=ENVIRONMENT, stdin=stdin, stdout=stdout)
    return given.read_text()


def instructions(profile):
    return int(re.search(r"^totals: (\d+)", profile.read_text(), re.MULTILINE).group(1))


def allocations(profile):
    """Counts the calls of allocation functions in a profile (callgrind's format, version 1)."""
    names, callee, calls = {}, "", 0
    for line in profile.read_text().splitlines():
        if named := re.match(r"(c?)fn=(\(\d+\))(?: (.*))?", line):
            is_callee, number, name = named.groups()
            name = names.setdefault(number, name)
            callee = name if is_callee else callee
        elif line.startswith("calls=") and callee in ALLOCATORS:
            calls += int(line[6:].split()[0])
    return calls


def count_cases(build):
    """Counts the cases that run in one process, each with a profile of the marked function."""
    program = build / "static/release/Benchmarks"
    symbols = subprocess.run(["nm", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    mark = re.search(r"\S*10runCounted\S*", symbols).group()
    directory = build / "bench/cases"

    def run(count, *options):
        printed = callgrind(directory, *options, f"--dump-after={mark}", str(program), "--count")
        lines = (line.split("\t") for line in printed.splitlines())
        return {
            name: count(directory / f"profile.{place}") / float(repetitions)
            for place, (name, repetitions) in enumerate(lines, 1)
        }

    # Collecting only within the mark counts instructions correctly, but also counts calls outside of it. Resetting at
    # the mark has the opposite fault.
    costs = run(instructions, "--collect-atstart=no", f"--toggle-collect={mark}")
    calls = run(allocations, f"--zero-before={mark}")
    return {name: (costs[name], calls[name]) for name in costs}


def message(method, params=None):
    body = {"jsonrpc": "2.0", "id": 1, "method": method} | ({"params": params} if params else {})
    return json.dumps(body) + "\n"


def count_server(build):
    """Counts the server itself: from its start to its end, and for each further message."""
    directory, server = build / "bench/server", str(build / "static/release/nagare")
    items, configuration = build / "bench/few.jsonl", build / "bench/few.json"
    subprocess.run([build / "bench/client", "make-items", items, "8000000"], check=True)
    configuration.write_text(json.dumps({
        "sources": {"mails": {"type": "file", "path": "few.jsonl", "id": "id"}},
        "screens": {"items": {"viewModel": "list", "source": "mails", "pageSize": 1000, "throttle": 0}},
    }))

    def run(messages, *options):
        callgrind(directory, server, *options, messages=messages)
        return instructions(directory / "profile"), allocations(directory / "profile")

    def each(start, repeated, few, many, *options):
        less, more = (run(start + [repeated] * times, *options) for times in (few, many))
        return [(high - low) / (many - few) for low, high in zip(less, more)]

    start = [message("initialize", {"protocolVersion": "1", "capabilities": {"deltas": True}}),
             message("open", {"screen": "items"}), message("viewWillAppear")]
    return {
        "server.start": run([message("ping")]),
        "server.ping": each([], message("ping"), 1000, 6000),
        "server.page": each(start, message("loadMore"), 2, 12, "--config", str(configuration)),
    }


def ratios(found):
    """Compares the cost of a long list with that of a short one."""
    names = {name.removesuffix(".long") for name in found if name.endswith(".long")}
    return {name: found[f"{name}.long"][0] / found[f"{name}.short"][0] for name in sorted(names)}


def compare(found, bounds):
    """Prints each count next to its bound. Returns how many exceed theirs."""
    slack, faults = bounds["slack"], 0

    def row(name, value, bound):
        # Rounded to hundredths, like the bounds: work done once for all repetitions becomes 0.
        verdict = "ok" if bound is not None and round(value, 2) <= bound else "TOO MUCH" if bound is not None else "NO BOUND"
        print(f"{name:<40} {value:>14,.2f} {'at most':>9} {bound or 0:>14,.2f}  {verdict}")
        return verdict != "ok"

    for name, (cost, calls) in found.items():
        bound = bounds["cases"].get(name)
        faults += row(f"{name} instructions", cost, bound and bound["instructions"] * slack)
        faults += row(f"{name} allocations", calls, bound and bound["allocations"] * slack)
    for name, ratio in ratios(found).items():
        faults += row(f"{name} long : short", ratio, bounds["longToShort"])
    for name in bounds["cases"].keys() - found.keys():
        faults += 1
        print(f"{name} has a bound and was not counted")
    return faults


def main(directory, *options):
    build = pathlib.Path(directory).resolve()
    found = count_cases(build) | count_server(build)
    bounds = json.loads(BOUNDS.read_text())
    if "--update" in options:
        bounds["cases"] = {
            name: {"instructions": math.ceil(cost), "allocations": round(calls, 2)}
            for name, (cost, calls) in found.items()
        }
        BOUNDS.write_text(json.dumps(bounds, indent=2) + "\n")
    faults = compare(found, bounds)
    if faults:
        sys.exit(f"{faults} counts are over their bounds")


main(*sys.argv[1:])
