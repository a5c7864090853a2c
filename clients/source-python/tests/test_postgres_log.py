"""The log in PostgreSQL: how little it costs writers, and that it never prevents them from writing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asking import run
from databases import UnderPostgreSQL
from nagare_source import ALL, Table
from nagare_source.postgres import PostgreSQL
from postgres import PostgreSQL as Server

WRITES = {
    "insert": "INSERT INTO mail (id) SELECT i FROM generate_series(100, {last}) AS n (i)",
    "update": "UPDATE mail SET read = 1 WHERE id >= 100",
    "key": "UPDATE mail SET id = id + 1000000 WHERE id >= 100",
    "delete": "DELETE FROM mail WHERE id >= 100",
}


@pytest.fixture
def mail(postgres: Server) -> Iterator[UnderPostgreSQL]:
    under = UnderPostgreSQL(postgres)
    under.run("INSERT INTO mail (id) VALUES (1), (2)")
    install(under)
    yield under
    under.run("DROP TABLE IF EXISTS mail CASCADE")
    under.connection.close()


async def closed(table: Table, work: Any) -> Any:
    try:
        return await work
    finally:
        assert isinstance(table._database, PostgreSQL)
        await table._database._close_idle()


def install(under: UnderPostgreSQL) -> None:
    table = Table(under.database(), "mail", write=True, triggers=True)
    run(closed(table, table.install()))


def state(under: UnderPostgreSQL) -> str:
    table = Table(under.database(), "mail", write=True, triggers=True)
    return str(run(closed(table, table._page(None, None, 1, {}))).state)


def changes(under: UnderPostgreSQL, since: str) -> list[Any]:
    table = Table(under.database(), "mail", write=True, triggers=True)
    steps, _ = run(closed(table, table.follower.steps(since, None, {})))
    return [change for changes, _ in steps for change in ([ALL] if changes == ALL else changes)]


def calls(under: UnderPostgreSQL, statement: str) -> int:
    """Counts the calls of triggers by a statement."""
    ((plan,),) = under.rows(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
    return sum(int(one["Calls"]) for one in plan[0]["Triggers"])


@pytest.mark.parametrize("last", [1_000, 10_000])
def test_a_statement_calls_one_trigger_however_many_rows_it_writes(mail: UnderPostgreSQL, last: int) -> None:
    for name in WRITES:
        since = state(mail)
        before = mail.rows("SELECT count(*) FROM nagare_mail")[0][0]
        assert calls(mail, WRITES[name].format(last=last)) == 1, name
        # So many changes make lists reload, so one entry is enough.
        noted = mail.rows("SELECT op, id FROM nagare_mail ORDER BY seq")[before:]
        assert noted == [("A", None)], name
        assert changes(mail, since) == [ALL]


def test_a_statement_for_few_rows_logs_each_row(mail: UnderPostgreSQL) -> None:
    since = state(mail)
    mail.run(WRITES["insert"].format(last=102))
    found = changes(mail, since)
    assert sorted(change["insert"]["id"] for change in found) == [100, 101, 102]
    since = state(mail)
    mail.run("UPDATE mail SET id = id + 9 WHERE id > 100")
    found = changes(mail, since)
    assert sorted(change["change"]["id"] for change in found if "change" in change) == [110, 111]
    assert sorted(change["remove"] for change in found if "remove" in change) == [101, 102]
    since = state(mail)
    mail.run("INSERT INTO mail (id, read) VALUES (1, 5), (7, 5) ON CONFLICT (id) DO UPDATE SET read = 6")
    assert sorted((name, row["id"], row["read"]) for change in changes(mail, since) for name, row in change.items()) == [("change", 1, 6), ("insert", 7, 5)]
    since = state(mail)
    mail.run("DELETE FROM mail WHERE id = 111")
    mail.run("DELETE FROM mail WHERE id = 5000")
    assert changes(mail, since) == [{"remove": 111}]
    mail.run("TRUNCATE mail")
    assert ALL in changes(mail, since)


def test_the_log_stays_short_whatever_the_size_of_statements(mail: UnderPostgreSQL) -> None:
    mail.run("DO $$ BEGIN FOR i IN 1..40 LOOP UPDATE mail SET id = id; INSERT INTO mail (id) SELECT g FROM generate_series(1000 * i, 1000 * i + 890) AS s (g); END LOOP; END $$")
    assert 10_000 <= mail.rows("SELECT count(*) FROM nagare_mail")[0][0] <= 11_000


def test_a_table_can_be_written_after_its_log_was_dropped(mail: UnderPostgreSQL) -> None:
    mail.run("DROP TABLE nagare_mail")
    mail.run("INSERT INTO mail (id) VALUES (50)")
    mail.run("UPDATE mail SET id = 51 WHERE id = 50")
    mail.run("DELETE FROM mail WHERE id = 51")
    mail.run("TRUNCATE mail")
    mail.run("INSERT INTO mail (id) VALUES (60)")
    with pytest.raises(Exception, match="isn't live any more"):
        table = Table(mail.database(), "mail", write=True, triggers=True)
        run(closed(table, table_state_without_install(table)))
    install(mail)
    since = state(mail)
    mail.run("INSERT INTO mail (id) VALUES (61)")
    assert [change["insert"]["id"] for change in changes(mail, since)] == [61]


async def table_state_without_install(table: Table) -> None:
    from nagare_source.follow import current_state
    from nagare_source.layout import Layout

    layout = Layout(table._database, "mail", await table._database.columns("mail"), **table._options)
    async with table._database.autocommit() as execute:
        await current_state(table._database, "mail", execute, layout)


def test_statements_for_a_parent_table_are_logged(mail: UnderPostgreSQL) -> None:
    """Statements for the parent don't call the table's triggers for statements."""
    mail.run("DROP TABLE IF EXISTS parent CASCADE")
    mail.run("CREATE TABLE parent (LIKE mail INCLUDING ALL) PARTITION BY RANGE (id)")
    mail.run("ALTER TABLE parent ATTACH PARTITION mail FOR VALUES FROM (0) TO (1000)")
    since = state(mail)
    mail.run("INSERT INTO parent (id) VALUES (70)")
    mail.run("DELETE FROM mail WHERE id = 1")
    assert [{name: row if name == "remove" else row["id"] for name, row in change.items()} for change in changes(mail, since)] == [{"insert": 70}, {"remove": 1}]
    mail.run("DROP TABLE parent CASCADE")


def test_a_trigger_of_an_older_version_works_until_it_is_replaced(mail: UnderPostgreSQL) -> None:
    for event in ("insert", "update", "delete"):
        mail.run(f"DROP TRIGGER nagare_mail_{event} ON mail")
    mail.run("CREATE TRIGGER nagare_mail_rows AFTER INSERT OR UPDATE OR DELETE ON mail FOR EACH ROW EXECUTE FUNCTION nagare_mail()")
    since = state(mail)
    mail.run("UPDATE mail SET id = 9 WHERE id = 2")
    assert [{name: row if name == "remove" else row["id"] for name, row in change.items()} for change in changes(mail, since)] == [{"remove": 2}, {"change": 9}]
    mail.run("DROP TRIGGER nagare_mail_truncate ON mail")
    install(mail)
    assert [name for (name,) in mail.rows("SELECT tgname::text FROM pg_trigger WHERE tgrelid = 'mail'::regclass AND tgname LIKE 'nagare%' ORDER BY 1")] == [
        f"nagare_mail_{name}" for name in ("delete", "insert", "truncate", "update")
    ]


def test_the_ids_of_hidden_rows_are_never_reported(mail: UnderPostgreSQL) -> None:
    mail.run("DROP ROLE IF EXISTS reader")
    mail.run("CREATE ROLE reader LOGIN")
    mail.run("GRANT SELECT ON mail, nagare_mail TO reader")
    mail.run("ALTER TABLE mail ENABLE ROW LEVEL SECURITY")
    mail.run("CREATE POLICY own ON mail TO reader USING (sender = 'reader')")
    mail.run("INSERT INTO mail (id, sender) VALUES (10, 'reader'), (11, 'reader')")
    table = Table(PostgreSQL(mail.server.connection.replace("user=postgres", "user=reader")), "mail", write=True, triggers=True)

    def since(state: str, filters: dict[str, Any]) -> list[Any]:
        steps, _ = run(closed(table, table.follower.steps(state, None, filters)))
        return [(changes if changes == ALL else [{name: row if name == "remove" else row["id"] for name, row in one.items()} for one in changes]) for changes, _ in steps]

    def told(statement: str, **filters: Any) -> list[Any]:
        state = run(closed(table, table._page(None, None, 1, {}))).state
        mail.run(statement)
        return since(state, filters)

    assert told("INSERT INTO mail (id) VALUES (20)") == [[]]
    # The row may have been visible, so only a reload can remove it without revealing its id.
    assert told("UPDATE mail SET read = 1 WHERE id = 20") == [ALL]
    assert told("DELETE FROM mail WHERE id = 20") == [ALL]
    assert told("INSERT INTO mail (id, sender) VALUES (12, 'reader'), (21, 'other')") == [[{"insert": 12}]]
    assert told("UPDATE mail SET read = 1 WHERE id = 12") == [[{"change": 12}]]
    assert told("UPDATE mail SET read = 0 WHERE id = 12", read=1) == [[{"remove": 12}]]
    assert told("UPDATE mail SET sender = 'other' WHERE id = 12") == [ALL]
    assert told("DELETE FROM mail WHERE id = 11") == [ALL]
    mail.run("DROP TABLE mail, nagare_mail CASCADE")
    mail.run("DROP ROLE reader")
