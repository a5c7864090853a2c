"""Each example of the README prints the output that the README shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "README.md"
ROOT = PAGE.parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Process"))

from server import program  # noqa: E402

DEBIAN = ROOT / ".build" / "debian"
EXAMPLES = re.findall(r"^```bash\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """The programs of the README's examples, by name: the system's, or those in .build/debian."""
    libraries = ":".join(str(path) for path in DEBIAN.glob("**/lib/*-linux-gnu"))
    path = f"{Path(program()).parent}:{DEBIAN / 'usr' / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "LD_LIBRARY_PATH": libraries, "LC_ALL": "C.UTF-8"}


def test_every_example_is_found() -> None:
    assert len(EXAMPLES) == PAGE.read_text(encoding="utf-8").count("```bash") > 10


@pytest.mark.parametrize("commands", [commands for commands, _ in EXAMPLES if "socat" in commands])
def test_an_example_fails_where_socat_is_missing(commands: str, environment: dict[str, str], tmp_path: Path) -> None:
    for name in ("nagare", "sleep"):
        (tmp_path / name).symlink_to(str(shutil.which(name, path=environment["PATH"])))
    run = subprocess.run(
        [str(shutil.which("bash")), "-eu", "-o", "pipefail", "-c", commands],
        cwd=tmp_path,
        env={**environment, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 127 and "socat: command not found" in run.stderr


@pytest.mark.parametrize(("commands", "printed"), EXAMPLES, ids=lambda text: text.split("\n")[0][:40])
def test_an_example_prints_the_output_in_the_readme(
    commands: str, printed: str, environment: dict[str, str], tmp_path: Path
) -> None:
    run = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == printed
