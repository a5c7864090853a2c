"""Compares the Python client with asyncio's own streams and JSON read by hand. Prints one number per line, as name,
tab and number.

usage: python_client.py SERVER CONFIGURATION
"""

import asyncio
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))

import nagare  # noqa: E402

PINGS = 20_000
PAGES = 100
"""The number of measured pages of 1,000 items. As many are listed before the clock starts."""


class Raw:
    """A minimal client."""

    def __init__(self, process):
        self.process, self.id = process, 0

    async def call(self, method, **params):
        self.id += 1
        request = {"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        while json.loads(await self.process.stdout.readline()).get("id") != self.id:
            pass


async def measure_raw(server, configuration):
    process = await asyncio.create_subprocess_exec(
        server, "--config", configuration, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24
    )
    raw = Raw(process)
    await raw.call("initialize", protocolVersion="1", capabilities={"deltas": True})
    pings = await timed(PINGS, lambda: raw.call("ping"))
    await raw.call("open", screen="items", view="v")
    await raw.call("viewWillAppear")
    await timed(PAGES, lambda: raw.call("loadMore"))
    items = await timed(PAGES, lambda: raw.call("loadMore"))
    process.stdin.close()
    await process.wait()
    return PINGS / pings, 1000 * PAGES / items


async def measure_client(server, configuration):
    async with nagare.spawn(server, "--config", configuration) as app:
        await app.ping()
        pings = await timed(PINGS, app.ping)
        view = await app.open("items", nagare.ListView)
        await view.viewWillAppear()
        await timed(PAGES, view.loadMore)
        items = await timed(PAGES, view.loadMore)
        assert len(view.items) == 1000 * (1 + 2 * PAGES)
        return PINGS / pings, 1000 * PAGES / items


async def timed(count, perform):
    begin = time.perf_counter()
    for _ in range(count):
        await perform()
    return time.perf_counter() - begin


def main(server, configuration):
    for name, measure in [("raw", measure_raw), ("client", measure_client)]:
        pings, items = asyncio.run(measure(server, configuration))
        print(f"python.pings.{name}\t{pings}\npython.items.{name}\t{items}")


main(*sys.argv[1:])
