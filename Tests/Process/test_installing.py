"""The script `clients/apt-get` waits while another program holds the locks. The tests replace apt-get and sleep."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Fails with the lines of `errors`, one for each call, and then succeeds.
APT_GET = """#!/bin/sh
echo "$*" >> calls
error=$(head -n 1 errors)
sed -i 1d errors
if [ -n "$error" ]; then echo "$error" >&2; exit 100; fi
echo installed
"""
SLEEP = """#!/bin/sh
echo "$1" >> sleeps
"""


@pytest.mark.parametrize(
    ("errors", "status", "slept"),
    [
        ([], 0, 0),
        (["E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"] * 3, 0, 3),
        (["E: Unable to lock directory /var/lib/apt/lists/", "E: Unable to locate package nagare"], 100, 1),
        (["E: Could not get lock"] * 1000, 100, 599),
    ],
)
def test_apt_get_waits_while_another_program_installs(
    errors: list[str], status: int, slept: int, tmp_path: Path
) -> None:
    for name, text in (("apt-get", APT_GET), ("sleep", SLEEP)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "errors").write_text("".join(f"{error}\n" for error in errors))
    (tmp_path / "sleeps").touch()
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    run = subprocess.run(
        [ROOT / "clients" / "apt-get", "install", "nagare"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.returncode == status
    assert (run.stdout, run.stderr) == (("installed\n", "") if status == 0 else ("", f"{errors[-1]}\n"))
    assert len((tmp_path / "sleeps").read_text().splitlines()) == slept
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == ["-o DPkg::Lock::Timeout=600 install nagare"] * (slept + 1)
