"""Tests the Redis example with a real database that is killed during writes (`NAGARE_KILLS` times, twenty by default)."""

from __future__ import annotations

import json
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import List, Listing
from redis.exceptions import RedisError
from redis_server import RedisServer
from test_examples import configure

KILLS = int(os.environ.get("NAGARE_KILLS", "20"))


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def listing(redis: RedisServer, examples: Path, list_of: List) -> Listing:
    with redis.connect() as connection:
        for number in range(1, 121):
            write(connection, number, "new")
    listing = list_of(configure(examples, "redis_mail", redis.url), "inbox", patience=600)
    assert listing.tell("viewWillAppear")["phase"] == "requestFinished"
    return listing


def write(redis: Any, number: int, op: str, keep: int = 10_000) -> None:
    with redis.pipeline(transaction=True) as writing:
        if op == "removed":
            writing.hdel("mail", str(number)).zrem("mail:order", str(number))
        else:
            item = {"id": number, "subject": f"{op} {random.random()}"}
            writing.hset("mail", str(number), json.dumps(item)).zadd("mail:order", {str(number): number})
        writing.xadd("mail:changes", {"op": op, "id": number}, maxlen=keep, approximate=False)
        writing.execute()


def is_listed(listing: Listing, redis: RedisServer) -> None:
    """Waits until the list equals the database."""
    with redis.connect() as connection:
        found = [json.loads(text) for text in connection.hvals("mail")]
    found.sort(key=lambda row: -row["id"])
    listing.until_true(lambda: listing.items == found, f"not {found}")


def test_changes_by_other_writers_are_listed(listing: Listing, redis: RedisServer) -> None:
    with redis.connect() as connection:
        write(connection, 121, "new")
        write(connection, 7, "changed")
        write(connection, 100, "removed")
        is_listed(listing, redis)
        # The stream keeps so few entries that some changes are lost.
        for number in range(121, 150):
            write(connection, number, "new", keep=1)
        is_listed(listing, redis)


def test_edits_are_written(listing: Listing, redis: RedisServer) -> None:
    listing.server.notify("insert", view="v", item={"id": 500, "subject": "mine"})
    listing.server.notify("change", view="v", item={"id": 119, "subject": "read"})
    listing.server.notify("remove", view="v", id=120)
    listing.until_true(lambda: listing.ids()[:2] == [500, 119])
    with redis.connect() as connection:
        while connection.hexists("mail", "120"):
            pass
        assert [json.loads(text or "")["subject"] for text in connection.hmget("mail", ["500", "119"])] == ["mine", "read"]
    is_listed(listing, redis)


def test_redis_is_killed_under_writes(listing: Listing, redis: RedisServer) -> None:
    seed = random.Random(5)
    is_over = threading.Event()

    def go_on_writing() -> None:
        last = 120
        while not is_over.is_set():
            try:
                with redis.connect() as connection:
                    while not is_over.is_set():
                        op = seed.choice(["new", "changed", "removed"])
                        last += op == "new"
                        number = last if op == "new" else seed.randrange(1, last + 1)
                        if op != "changed" or connection.hexists("mail", str(number)):
                            write(connection, number, op)
            except (RedisError, OSError):
                is_over.wait(0.005)

    writer = threading.Thread(target=go_on_writing)
    writer.start()
    try:
        for _ in range(KILLS):
            is_over.wait(seed.random() / 20)
            redis.kill()
            redis.start()
    finally:
        is_over.set()
        writer.join()
    is_listed(listing, redis)
