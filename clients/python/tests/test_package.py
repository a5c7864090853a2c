"""The installed package."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from conftest import CLIENT
from nagare.session import CLIENT as CLIENT_INFO

USE = "import nagare; nagare.spawn('nagare').open('items', 5)\n"


def test_the_wheel_contains_its_types_and_has_no_dependencies(tmp_path: Path) -> None:
    client = shutil.copytree(CLIENT, tmp_path / "client", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    built = subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(client)],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("nagare-*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        (metadata,) = (files.read(name).decode() for name in names if name.endswith("/METADATA"))
    modules = {f"nagare/{path.name}" for path in (CLIENT / "src" / "nagare").glob("*.py")}
    assert modules | {"nagare/py.typed"} <= names
    assert "Requires-Dist" not in metadata
    assert f"\nVersion: {CLIENT_INFO['version']}\n" in metadata

    installed = tmp_path / "installed"
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", "--target", str(installed), str(wheel)], check=True)
    told = subprocess.run([sys.executable, "-c", "import nagare; print(nagare.__file__)"], cwd=installed, capture_output=True)
    assert told.stdout.decode().strip() == str(installed / "nagare" / "__init__.py")

    # mypy uses the installed types: it reports a wrong argument.
    (installed / "use.py").write_text(USE)
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "use.py"]
    checked = subprocess.run(mypy, cwd=installed, capture_output=True, text=True)
    assert 'argument type "str, int"' in checked.stdout or "arg-type" in checked.stdout or "call-overload" in checked.stdout
