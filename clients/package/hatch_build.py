"""Adds the program that the environment variable PROGRAM names to a wheel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """The platform tag is this machine's. `auditwheel` replaces it by the oldest system on which the program runs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        program = os.environ["PROGRAM"]
        build_data["shared_scripts"][program] = Path(program).name
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{os.uname().machine}"
