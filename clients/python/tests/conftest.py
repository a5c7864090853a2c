"""Shared by all tests: the library's path, the program `nagare`, and an event loop for each test."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

CLIENT = Path(__file__).resolve().parents[1]
ROOT = CLIENT.parents[1]
sys.path[:0] = [str(CLIENT / "src"), str(ROOT / "clients" / "behaviour")]

# Hypothesis generates the same examples in every run, so a failure can be repeated.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

PATIENCE = 180.0
"""Seconds after which a test fails because it hangs."""


def run(test: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a new event loop. Fails if the test leaves tasks running or the loop reports an error."""

    async def bounded() -> Any:
        complaints: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        result = await asyncio.wait_for(test, PATIENCE)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left
        assert not complaints, complaints
        return result

    return asyncio.run(bounded())


@pytest.fixture(scope="session")
def nagare_binary() -> str:
    """The path of the program `nagare`: the value of the environment variable NAGARE, or the release build."""
    binary = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare"))
    assert binary.exists(), f"{binary} is missing: run `swift build -c release --product nagare`"
    return str(binary)
