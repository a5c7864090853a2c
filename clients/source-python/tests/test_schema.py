"""A table that becomes another while it is listed: other columns, another table of its name, none at all. What is listed is what
SELECT finds, or why it can't be, and nobody who writes is kept from it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conftest import List, Listing
from databases import Under, UnderSQLite, configure
from nagare_source import SourceError, TooOld
from nagare_source.table import Table
from server import until

ANOTHER = "CREATE TABLE {} (id INTEGER PRIMARY KEY, received TEXT, note TEXT)"
INSERT = "INSERT INTO mail (id, received) VALUES (9, '2027')"


def listed(under: Under, folder: Path, list_of: List, *options: str) -> Listing:
    """A list of three mails."""
    for id in (1, 2, 3):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"2026-0{id}"])
    listing = list_of(configure(under, folder, *options))
    listing.tell("viewWillAppear")
    listing.until([3, 2, 1])
    return listing


def lives(under: Under, listing: Listing, first: dict[str, object]) -> None:
    """The list is what it is to be, and goes on as ever."""
    listing.until_true(lambda: bool(listing.items) and listing.items[0] == first, what=f"first not {first}")
    under.run("INSERT INTO mail (id, received) VALUES (10, '2028')")
    listing.until_true(lambda: listing.ids()[0] == 10)
    listing.server.notify("remove", view="v", id=10)
    listing.until_true(lambda: listing.ids()[0] == 9)
    until(lambda: not under.rows("SELECT id FROM mail WHERE id = 10"))
    listing.until_true(lambda: listing.last.get("error") is None)


@pytest.mark.parametrize(
    "statement, other",
    [
        ("ALTER TABLE mail ADD COLUMN star INTEGER DEFAULT 5", {"sender": "Aoi", "star": 5}),
        ("ALTER TABLE mail DROP COLUMN sender", {}),
        ("ALTER TABLE mail RENAME COLUMN sender TO author", {"author": "Aoi"}),
    ],
)
def test_columns_come_go_and_are_renamed(under: Under, tmp_path: Path, list_of: List, statement: str, other: dict[str, object]) -> None:
    listing = listed(under, tmp_path, list_of)
    under.run(statement)
    row = {"received": "2026-03", "subject": "new", "read": 0, **other}
    listing.until_true(lambda: listing.items[0] == {"id": 3, **row}, what="told before anybody writes")
    under.run(INSERT)
    lives(under, listing, {"id": 9, **row, "received": "2027"})


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE mail", ANOTHER.format("mail"), INSERT],
        ["BEGIN", "DROP TABLE mail", ANOTHER.format("mail"), INSERT, "COMMIT"],
        ["BEGIN", ANOTHER.format("other"), INSERT.replace("mail", "other"), "DROP TABLE mail", "ALTER TABLE other RENAME TO mail", "COMMIT"],
    ],
)
def test_a_table_that_is_made_anew_lives_again(under: Under, tmp_path: Path, list_of: List, statements: list[str]) -> None:
    listing = listed(under, tmp_path, list_of)
    for statement in statements:
        under.run(statement)
    # In between, who reads it again is told that it isn't there.
    lives(under, listing, {"id": 9, "received": "2027", "note": None})


def test_a_table_that_is_gone_is_told_and_found_again(under: Under, tmp_path: Path, list_of: List) -> None:
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail RENAME TO other")
    error = listing.said("error")
    assert "there is no table 'mail' in" in error["message"] and "'other'" in error["message"], error
    assert listing.ids() == [3, 2, 1]
    under.run(INSERT.replace("mail", "other"))
    under.run("ALTER TABLE other RENAME TO mail")
    lives(under, listing, {"id": 9, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0})


def test_who_begins_to_follow_a_table_that_is_gone_is_told_to_read_it(under: Under) -> None:
    """As when it goes between a page and the watch that belongs to it."""

    async def test() -> None:
        table = Table(under.database(), "mail")
        state = (await table._page(None, None, 10, {})).state
        under.run("ALTER TABLE mail RENAME TO other")
        for since in (state, None):
            follower = table.follower.follow(since, None, {})
            begun, held = await anext(follower)
            assert begun == [] and await anext(follower) == ("all", held)
            await follower.aclose()
        follower = table.follower.follow(state, None, {})
        await anext(follower), await anext(follower)
        under.run("ALTER TABLE other RENAME TO mail")
        assert (await anext(follower))[0] == "all", "what is there again is read again"
        await follower.aclose()

    asyncio.run(asyncio.wait_for(test(), 60))


def test_a_page_of_another_shape_is_read_again_by_who_begins_to_follow_it(under: Under) -> None:
    async def test() -> None:
        table = Table(under.database(), "mail")
        state = (await table._page(None, None, 10, {})).state
        under.run("ALTER TABLE mail ADD COLUMN star INTEGER")
        with pytest.raises(TooOld):
            await anext(table.follower.follow(state, None, {}))

    asyncio.run(asyncio.wait_for(test(), 60))


def test_a_column_that_was_told_and_is_gone_is_named_with_what_names_it(under: Under, tmp_path: Path, list_of: List) -> None:
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail DROP COLUMN received")
    error = listing.said("error")
    assert error["message"] == "mail has no column 'received', but 'id', 'sender', 'subject', 'read'; --order names it in vain"
    assert listing.ids() == [3, 2, 1]


def test_a_key_that_is_renamed_keeps_nobody_from_writing(under: Under, tmp_path: Path, list_of: List) -> None:
    # The order of the configuration names the id.
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail RENAME COLUMN id TO number")
    assert "has no column 'id'" in listing.said("error")["message"]
    under.run("INSERT INTO mail (number, received) VALUES (9, '2027')")
    under.run("UPDATE mail SET received = '2025' WHERE number = 3")
    under.run("DELETE FROM mail WHERE number = 1")
    under.run("ALTER TABLE mail RENAME COLUMN number TO id")
    listing.until([9, 2, 3])
    lives(under, listing, {"id": 9, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0})


def test_a_key_that_goes_by_another_name_is_followed(under: Under) -> None:
    async def test() -> None:
        table = Table(under.database(), "mail")
        under.run("INSERT INTO mail (id, received) VALUES (1, '2026')")
        follower = table.follower.follow(None, None, {})
        changes, _ = await anext(follower)
        assert changes == []
        under.run("ALTER TABLE mail RENAME COLUMN id TO number")
        under.run("INSERT INTO mail (number, received) VALUES (2, '2027')")
        while (await anext(follower))[0] != "all":
            pass
        assert await table._item(2) == {"id": 2, "number": 2, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0}
        under.run("UPDATE mail SET read = 1 WHERE number = 2")
        while not any(change.get("change", {}).get("read") == 1 for change in (await anext(follower))[0] if isinstance(change, dict)):
            pass
        await follower.aclose()

    asyncio.run(asyncio.wait_for(test(), 60))


def test_a_name_that_no_column_has_any_more_is_never_taken_for_a_text(tmp_path: Path) -> None:
    """As SQLite does with what stands in double quotes: a row with the id `id` would be all that there are."""

    async def test() -> None:
        table = Table(under.database(), "mail")
        layout = await table.layout()
        under.run("ALTER TABLE mail RENAME COLUMN id TO number")
        async with under.database().write_transaction() as ask:
            where, values = layout.with_ids(["id"])
            with pytest.raises(SourceError, match="no such column: id"):
                await ask(f"DELETE FROM mail WHERE {where}", values)

    under = UnderSQLite(tmp_path / "mail.db")
    under.run("INSERT INTO mail (id) VALUES (1)")
    asyncio.run(test())
    assert under.rows("SELECT number FROM mail") == [(1,)]


def test_vacuum_and_checkpoints_change_nothing(tmp_path: Path, list_of: List) -> None:
    under = UnderSQLite(tmp_path / "mail.db")
    listing = listed(under, tmp_path, list_of)
    for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE other (id)", "DROP TABLE other", "ANALYZE", "REINDEX"):
        under.run(statement)
    under.run(INSERT)
    lives(under, listing, {"id": 9, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0})
