import asyncio
from nagare_source import Page, Source, inserted, run
ticks, rows = Source(), [{"id": 0}]

@ticks.page
def load(key, query, size):
    older = [row for row in rows if key is None or row["id"] < key]
    return Page(older[:size], next=older[size - 1]["id"] if len(older) > size else None)
@ticks.changes
async def changes():
    while True:
        await asyncio.sleep(1)
        rows.insert(0, {"id": len(rows)})
        yield inserted(rows[0])
run(ticks)
