#!/usr/bin/env python3
"""Plays the protocol's transcripts against a server, and reports each difference.

    run.py -- nagare --clock virtual
    run.py --filter swipe --framing headers -- nagare --clock virtual
    run.py 5.1-list 2-messages/batches.txt 2-messages/ids.txt::fraction -- ./my-server

The server must run on a virtual clock, and accept `--config FILE` and the options that the cases name.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from runner.cases import TranscriptError
from runner.manner import CHUNKINGS, Failed, Manner
from runner.replay import play
from runner.report import Outcome, explain, failures, listed, table, write_junit
from runner.transcript import Transcript, read

HERE = Path(__file__).resolve().parent


def main(arguments: list[str]) -> int:
    options, command = parse(arguments)
    try:
        transcripts = [one for place in find(options.paths) for one in read(place)]
    except (TranscriptError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    manners = [
        Manner(framing, chunks, options.seed, options.timeout)
        for framing in options.framing
        for chunks in options.chunks
    ]
    chosen = [one for one in transcripts if options.filter in one.name]
    if options.list:
        print(listed(chosen))
        return 0
    outcomes: list[Outcome] = []
    failed = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for played in pool.map(partial(attempt, command, manners), chosen):
            outcomes += played
            failed += sum(outcome.failure is not None for outcome in played)
            for alike in failures(played):
                print(explain(*alike), end="\n\n", flush=True)
            if options.stop_after and failed >= options.stop_after:
                pool.shutdown(cancel_futures=True)
                print(f"stopped after {failed} failures", end="\n\n")
                break
    if options.junit is not None:
        write_junit(outcomes, options.junit)
    print(table(outcomes))
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed or not outcomes else 0


def attempt(command: list[str], manners: list[Manner], transcript: Transcript) -> list[Outcome]:
    """Plays a case in each manner whose framing it allows."""
    outcomes: list[Outcome] = []
    for manner in manners:
        if manner.framing in transcript.framings:
            start = time.monotonic()
            failure = None
            try:
                play(transcript, command, manner)
            except Failed as error:
                failure = error
            outcomes.append(Outcome(transcript, manner, time.monotonic() - start, failure))
    return outcomes


def find(places: list[str]) -> list[str]:
    """Returns the files in these places, each with the case if the place names one. Without places, returns all files.

    A path that doesn't exist is also looked up in this file's folder.
    """
    found: list[str] = []
    for place in places or [str(HERE)]:
        name, *case = place.split("::")
        path = Path(name) if Path(name).exists() else HERE / name
        if not path.exists():
            raise TranscriptError(f"no such transcript or folder: {name}")
        files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        found += ["::".join([str(file), *case]) for file in files]
    return found


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Splits the arguments into the options before `--` and the server's command after it."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] [PATH…] -- SERVER…",
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="a folder, a file, or FILE::CASE; all cases by default"
    )
    parser.add_argument(
        "--framing", choices=["lines", "headers"], action="append", help="the framing to play; both by default"
    )
    parser.add_argument(
        "--chunks", choices=CHUNKINGS, action="append", help="how the bytes are split; in each way by default"
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed for splitting at random (default 1)")
    parser.add_argument("--filter", default="", help="play only cases whose section/file.txt::name contains this text")
    # The runner and the server mostly wait for each other. So two pairs keep one processor busy.
    jobs = 2 * (os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, help="cases played at once (default: 2 per processor)")
    parser.add_argument("--timeout", type=float, default=10.0, help="the seconds that a step may take (default 10)")
    parser.add_argument("--stop-after", type=int, metavar="N", help="end the run after N failures")
    parser.add_argument("--list", action="store_true", help="print what each case shows, without playing it")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="also write the results as JUnit XML")
    options = parser.parse_args(arguments[:end])
    command = arguments[end + 1 :]
    options.framing = options.framing or ["lines", "headers"]
    options.chunks = options.chunks or list(CHUNKINGS)
    if options.list:
        return options, command
    if not command:
        parser.error("the server's command is missing after --")
    if shutil.which(command[0]) is None:
        parser.error(f"the server can't be started: there is no program {command[0]}")
    return options, command


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
