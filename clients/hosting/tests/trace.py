"""Records by strace which files, programs and addresses a process and its descendants use."""

from __future__ import annotations

import re
from pathlib import Path

from gateway import debian

CALLS = "trace=%file,connect,bind,listen,sendto,sendmsg"
CALL = re.compile(r"^(\w+)\((.*)\) += .*$")
ADDRESSES = ("connect", "bind", "listen", "sendto", "sendmsg")


def tracing(folder: Path, *command: str) -> list[str]:
    """Returns the command that runs another command, and writes its system calls to a folder, with a file for each process."""
    folder.mkdir()
    return [debian("strace"), "--quiet=all", "--seccomp-bpf", "-f", "-ff", "-s", "4096", "-e", CALLS, "-e", "signal=none"] + [
        "-o", str(folder / "process"), *command
    ]  # fmt: skip


def reached(folder: Path) -> set[str]:
    """Returns each system call with its path or address, from the program's start to its end."""
    traces = {file.suffix[1:]: file.read_text(errors="replace") for file in folder.iterdir()}
    found = {target for trace in traces.values() for target in targets(trace)}
    # The thread library sometimes reads the state of the process's own threads.
    return found - {f"openat /proc/{process}/stat" for process in traces}


def targets(trace: str) -> set[str]:
    calls = [match.groups() for line in trace.splitlines() if (match := CALL.match(line))]
    return {f"{name} {target(name, arguments)}" for name, arguments in calls}


def target(name: str, arguments: str) -> str:
    """Returns a call's path, command or address, without parts that differ between processes."""
    if name in ADDRESSES:
        address = re.search(r"\{sa_family=[^}]*\}", arguments)
        return address.group() if address else "-"
    paths = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)
    # The program and all arguments of a command; strace prints only the number of its environment variables. Otherwise at most two paths.
    return " ".join(paths if name == "execve" else paths[:2])
