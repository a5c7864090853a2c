"""What every test here needs: the library, the program `nagare`, and a loop for each test."""

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

# The same examples on every run: a test that fails today failed yesterday.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

PATIENCE = 180.0
"""Seconds after which a test hangs."""


def run(test: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a loop of its own, which complains of everything that is left lying about."""

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
    """The program itself: the one that the environment's NAGARE names, or the release build."""
    binary = Path(os.environ.get("NAGARE", ROOT / ".build" / "release" / "nagare"))
    assert binary.exists(), f"{binary} is missing: run `swift build -c release --product nagare`"
    return str(binary)
