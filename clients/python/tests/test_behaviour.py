"""Plays the scenarios that all client libraries share: normally, on a slow pipe, and with the server killed at each message."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import nagare
import pytest
from conftest import run
from scenario import RELAY, SCENARIOS, Messages, Played

PATHS = sorted(SCENARIOS.glob("*.json"))
AT_ONCE = 6
"""The number of servers that run at the same time."""

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each
def test_every_shared_scenario_passes(path: Path, nagare_binary: str, tmp_path: Path) -> None:
    assert run(Played(path, tmp_path, nagare_binary, "--clock", "virtual").play()) == 0


@each
def test_every_shared_scenario_passes_on_a_slow_pipe(path: Path, nagare_binary: str, tmp_path: Path) -> None:
    relay = [sys.executable, str(RELAY), "--", nagare_binary, "--clock", "virtual"]
    assert run(Played(path, tmp_path, *relay).play()) == 0


@each
def test_every_call_ends_if_the_server_is_killed_at_any_message(path: Path, nagare_binary: str, tmp_path: Path) -> None:
    async def play(messages: Messages) -> int | None:
        folder = tmp_path / str(messages.last)
        folder.mkdir()
        return await Played(path, folder, nagare_binary, "--clock", "virtual", messages=messages).play()

    async def killed(number: int, places: asyncio.Semaphore) -> None:
        async with places:
            messages = Messages(number)
            try:
                status = await play(messages)
            except nagare.ServerDied as error:
                assert error.status == -9
            else:
                # A shorter wait sends fewer pings, so the session may have ended before the server was killed.
                assert status == -9 or messages.count <= number, "the end was in order"

    async def all_of_them() -> None:
        whole = Messages(sys.maxsize)
        assert await play(whole) == 0
        places = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(killed(number, places) for number in range(whole.count)))

    run(all_of_them())
