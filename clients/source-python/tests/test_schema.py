"""A table that changes while it is listed: other columns, another table of the same name, or no table at all.

The list equals the result of SELECT, or shows why it can't. Writers are never hindered.
"""

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
    """Opens a list of three mails."""
    for id in (1, 2, 3):
        under.run("INSERT INTO mail (id, received) VALUES (?, ?)", [id, f"2026-0{id}"])
    listing = list_of(configure(under, folder, *options))
    listing.tell("viewWillAppear")
    listing.until([3, 2, 1])
    return listing


def lives(under: Under, listing: Listing, first: dict[str, object]) -> None:
    """Checks that the list has the expected first row, and that it is still live."""
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
def test_columns_can_be_added_dropped_and_renamed(under: Under, tmp_path: Path, list_of: List, statement: str, other: dict[str, object]) -> None:
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
def test_a_recreated_table_is_live_again(under: Under, tmp_path: Path, list_of: List, statements: list[str]) -> None:
    listing = listed(under, tmp_path, list_of)
    for statement in statements:
        under.run(statement)
    # Until the table exists again, a reload fails.
    lives(under, listing, {"id": 9, "received": "2027", "note": None})


def test_a_dropped_table_is_reported_and_found_again(under: Under, tmp_path: Path, list_of: List) -> None:
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail RENAME TO other")
    error = listing.said("error")
    assert "there is no table 'mail' in" in error["message"] and "'other'" in error["message"], error
    assert listing.ids() == [3, 2, 1]
    under.run(INSERT.replace("mail", "other"))
    under.run("ALTER TABLE other RENAME TO mail")
    lives(under, listing, {"id": 9, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0})


def test_a_watch_of_a_dropped_table_makes_the_list_reload(under: Under) -> None:
    """The table may be dropped between a page and its watch."""

    async def test() -> None:
        table = Table(under.database(), "mail", write=True, triggers=True)
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


def test_a_watch_with_the_state_of_an_older_schema_makes_the_list_reload(under: Under) -> None:
    async def test() -> None:
        table = Table(under.database(), "mail", write=True, triggers=True)
        state = (await table._page(None, None, 10, {})).state
        under.run("ALTER TABLE mail ADD COLUMN star INTEGER")
        with pytest.raises(TooOld):
            await anext(table.follower.follow(state, None, {}))

    asyncio.run(asyncio.wait_for(test(), 60))


def test_the_error_for_a_dropped_column_names_the_option_that_needs_it(under: Under, tmp_path: Path, list_of: List) -> None:
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail DROP COLUMN received")
    error = listing.said("error")
    assert error["message"] == "mail has no column 'received', but 'id', 'sender', 'subject', 'read'; --order names it in vain"
    assert listing.ids() == [3, 2, 1]


def test_a_table_can_be_written_after_its_key_was_renamed(under: Under, tmp_path: Path, list_of: List) -> None:
    # The configuration's order names the id.
    listing = listed(under, tmp_path, list_of)
    under.run("ALTER TABLE mail RENAME COLUMN id TO number")
    assert "has no column 'id'" in listing.said("error")["message"]
    under.run("INSERT INTO mail (number, received) VALUES (9, '2027')")
    under.run("UPDATE mail SET received = '2025' WHERE number = 3")
    under.run("DELETE FROM mail WHERE number = 1")
    under.run("ALTER TABLE mail RENAME COLUMN number TO id")
    listing.until([9, 2, 3])
    lives(under, listing, {"id": 9, "received": "2027", "sender": "Aoi", "subject": "new", "read": 0})


def test_changes_are_reported_after_the_key_was_renamed(under: Under) -> None:
    async def test() -> None:
        table = Table(under.database(), "mail", write=True, triggers=True)
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


def test_the_name_of_a_dropped_column_is_never_treated_as_a_text(tmp_path: Path) -> None:
    """SQLite treats a missing name in double quotes as a text. Then the row with the id `id` would be the only one."""

    async def test() -> None:
        table = Table(under.database(), "mail", write=True, triggers=True)
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
