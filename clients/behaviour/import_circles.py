"""Finds modules of a Python package that import one another in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path


def circle(package: Path) -> list[str]:
    """Returns the modules of one circle, with the first module again at the end. Without a circle the list is empty.

    Every import of a module of the same package counts, also one within a function or under `TYPE_CHECKING`.
    """
    modules = {path.stem: path for path in package.glob("*.py")}
    graph = {name: {one for one in _imported(path, package.name) if one in modules} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imported(path: Path, package: str) -> Iterator[str]:
    """Yields the names of the imported modules, relative to the package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            parts = (node.module or "").split(".") if node.level == 0 else [package, *(node.module or "").split(".")]
            if parts[0] == package:
                name = ".".join(parts[1:])
                yield from [name] if name else (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix(f"{package}.") for alias in node.names if alias.name.startswith(f"{package}."))
