import asyncio, time
from nagare_source import Page, Source, inserted, run

ticks, rows = Source(), []

@ticks.page
def load(key, query, size):
    found = [row for row in rows if key is None or row["id"] < key]
    return Page(found[:size], next=found[size - 1]["id"] if len(found) > size else None)

@ticks.changes
async def changes():
    while True:
        rows.insert(0, {"id": len(rows), "title": time.strftime("%X")})
        yield inserted(rows[0])
        await asyncio.sleep(1)

run(ticks)
