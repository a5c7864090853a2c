"""Measures the memory that the Python client keeps for a list of ten million rows, beyond the rows in its window.
Prints a name, a tab and a number of bytes.

usage: python_window.py SERVER CONFIGURATION
"""

import asyncio
import gc
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))

import nagare  # noqa: E402

from resident import resident  # noqa: E402

MOVES = 5000


def kept():
    """The resident bytes of this process, after a garbage collection."""
    gc.collect()
    return resident()


async def main(server, configuration):
    chance = random.Random(7)
    async with nagare.spawn(server, "--clock", "virtual", "--config", configuration) as app:
        view = await app.open("long", nagare.ListView, window={"margin": 490})
        view.send("viewWillAppear")
        await app.advance(1000)

        async def hold(row):
            """Moves the window to 1,000 rows, all of them loaded."""
            view.send("viewport", start=row, end=row + 20)
            await app.advance(3000)
            if len(view.window.held) != 1000 or None in view.window.held:
                raise SystemExit("what is held isn't what was looked at")

        for row in [500, 5_000_000, 1000]:
            await hold(row)
        before = kept()
        for move in range(MOVES):
            row = chance.randrange(len(view.window) - 1000) + 490
            if move % 2:
                view.send("jump", index=row)
            else:
                view.send("viewport", start=row, end=row + 20)
            await app.advance(300)
        await hold(1000)
        print(f"python.window.memory\t{max(0, kept() - before)}")


asyncio.run(main(*sys.argv[1:]))
