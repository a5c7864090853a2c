"""The mails of a Redis database, highest number first. The list is live by a stream; the ids of its entries are the
states.

    redis_mail.py URL

A writer does three things in one transaction: it stores the mail in the hash `mail`, its number in the sorted set
`mail:order`, and its number again in the stream `mail:changes`. Needs `pip install redis`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ConnectionError, TimeoutError

from nagare_source import UNREACHABLE, Page, Source, SourceError, TooOld, changed, inserted, removed, run

NEW, MOST = "new", 10_000
mail = Source()
redis: Any = Redis.from_url(sys.argv[1], decode_responses=True)


@contextmanager
def reached() -> Iterator[None]:
    """Raises a retryable error if the server can't be reached."""
    try:
        yield
    except (ConnectionError, TimeoutError) as error:
        raise SourceError(UNREACHABLE, f"Redis can't be reached: {error}", retryable=True) from error


async def kept() -> tuple[str, str]:
    """Returns the first and the last state whose later changes are known."""
    if not await redis.exists("mail:changes"):
        return "0-0", "0-0"
    info = await redis.xinfo_stream("mail:changes")
    is_trimmed = info["entries-added"] > info["length"]
    return info["first-entry"][0] if is_trimmed else "0-0", info["last-generated-id"]


@mail.page
async def load(key: int | None, query: str | None, size: int) -> Page:
    with reached():
        # Reads the state first. Changes between the state and the rows are then sent again, which is harmless.
        _, state = await kept()
        most = "+inf" if key is None else f"({key}"
        numbers = await redis.zrange("mail:order", most, "-inf", desc=True, byscore=True, offset=0, num=size + 1)
        more = len(numbers) > size
        found = await rows(numbers[:size])
    return Page(found.values(), next=int(numbers[size - 1]) if more else None, state=state)


@mail.changes
async def changes(since: str | None) -> AsyncGenerator[Any, None]:
    with reached():
        first, last = await kept()
        state = since or last
        if place(state) > place(last):
            raise TooOld()
        yield [], state
        while True:
            read = await redis.xread({"mail:changes": state}, count=500, block=1000)
            entries = read[0][1] if read else []
            first, _ = await kept()
            if place(state) < place(first):
                raise TooOld()
            # A change contains the mail's current version.
            found = await rows(fields["id"] for _, fields in entries)
            for state, fields in entries:
                row = found.get(fields["id"])
                is_new = fields["op"] == NEW
                yield [removed(int(fields["id"])) if row is None else inserted(row) if is_new else changed(row)], state


async def rows(numbers: Iterable[str]) -> dict[str, Any]:
    """Returns the mails with these numbers, without removed ones."""
    asked = list(numbers)
    found = await redis.hmget("mail", asked) if asked else []
    return {number: json.loads(text) for number, text in zip(asked, found) if text is not None}


def place(state: str) -> tuple[int, ...]:
    return tuple(int(part) for part in state.split("-"))


async def write(id: int, item: Any, op: str) -> None:
    with reached():
        async with redis.pipeline(transaction=True) as writing:
            if item is None:
                writing.hdel("mail", str(id)).zrem("mail:order", str(id))
            else:
                writing.hset("mail", str(id), json.dumps(item)).zadd("mail:order", {str(id): id})
            writing.xadd("mail:changes", {"op": op, "id": id}, maxlen=MOST, approximate=True)
            await writing.execute()


@mail.insert
async def insert(item: Any, before: Any) -> None:
    await write(item["id"], item, NEW)


@mail.change
async def change(item: Any) -> None:
    await write(item["id"], item, "changed")


@mail.remove
async def remove(id: int) -> None:
    await write(id, None, "removed")


run(mail)
