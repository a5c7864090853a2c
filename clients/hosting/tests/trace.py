"""What a process and all that it starts do to files, programs and addresses, as strace saw it."""

from __future__ import annotations

import re
from pathlib import Path

from gateway import debian

CALLS = "trace=%file,connect,bind,listen,sendto,sendmsg"
CALL = re.compile(r"^(\w+)\((.*)\) += .*$")
ADDRESSES = ("connect", "bind", "listen", "sendto", "sendmsg")


def tracing(folder: Path, *command: str) -> list[str]:
    """The command that runs another one and writes what it does into a folder, a file a process."""
    folder.mkdir()
    return [debian("strace"), "--quiet=all", "--seccomp-bpf", "-f", "-ff", "-s", "4096", "-e", CALLS, "-e", "signal=none"] + [
        "-o", str(folder / "process"), *command
    ]  # fmt: skip


def reached(folder: Path) -> set[str]:
    """Each call with the path or the address that it was about, from the program's start to its end."""
    traces = {file.suffix[1:]: file.read_text(errors="replace") for file in folder.iterdir()}
    found = {target for trace in traces.values() for target in targets(trace)}
    # From time to time the system's library for threads looks how those of its own process are.
    return found - {f"openat /proc/{process}/stat" for process in traces}


def targets(trace: str) -> set[str]:
    calls = [match.groups() for line in trace.splitlines() if (match := CALL.match(line))]
    return {f"{name} {target(name, arguments)}" for name, arguments in calls}


def target(name: str, arguments: str) -> str:
    """What a call is about, without what differs from process to process."""
    if name in ADDRESSES:
        address = re.search(r"\{sa_family=[^}]*\}", arguments)
        return address.group() if address else "-"
    paths = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)
    # All words of a command; of its environment strace shows the number of variables alone. Else two paths at most.
    return " ".join(paths if name == "execve" else paths[:2])
