"""The installed package."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from conftest import KIT


def test_the_wheel_contains_its_types_and_needs_a_dependency_only_for_postgresql(tmp_path: Path) -> None:
    kit = shutil.copytree(KIT, tmp_path / "kit", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    built = subprocess.run([*build, str(kit)], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("nagare_source-*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        (metadata,) = (files.read(name).decode() for name in names if name.endswith("/METADATA"))
    modules = {f"nagare_source/{path.name}" for path in (KIT / "src" / "nagare_source").glob("*.py")}
    assert modules | {"nagare_source/py.typed"} <= names
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert all(line.endswith("extra == \"postgres\"") for line in needed)
