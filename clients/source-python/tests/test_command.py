"""Serving a table without code, as the README describes it, and the errors if that isn't possible."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import KIT, List
from databases import Under, UnderPostgreSQL
from nagare_source.command import _column_names, _directions, _as_argument
from postgres import PostgreSQL
from test_random_tables import NAMES

README = (KIT / "README.md").read_text()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nagare_source", *words], capture_output=True, text=True)


def test_the_commands_of_the_readme_make_a_table_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, list_of: List) -> None:
    monkeypatch.chdir(tmp_path)
    create, insert = re.findall(r'^    sqlite3 mail.db "(.*)"$', README, re.MULTILINE)
    (words,) = re.findall(r"^    nagare-source-sql (.*) > mail.json$", README, re.MULTILINE)
    assert f'make web ARGS="{words.removesuffix(" --configuration")}"' in README
    with sqlite3.connect("mail.db", isolation_level=None) as writer:
        writer.execute(create)
        Path("mail.json").write_text(command(*words.split()).stdout)
        listing = list_of(Path("mail.json"))
        assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
        writer.execute(insert)
        listing.until([1])
        assert listing.items[0]["subject"] == "Hello"


def test_the_readme_lists_every_option() -> None:
    told = set(re.findall(r"`(--[a-z]+)", README))
    assert set(re.findall(r"^ +(--[a-z]+)", command("--help").stdout, re.MULTILINE)) <= told | {"--table", "--configuration"}


@pytest.mark.parametrize(
    ("create", "words", "expected"),
    [
        ("(id INTEGER PRIMARY KEY, a TEXT)", [], [{"by": "id", "descending": True}]),
        ("(a TEXT)", [], [{"by": "rowid", "descending": True}]),
        ("(a TEXT, b TEXT, PRIMARY KEY (a, b))", [], [{"by": "rowid", "descending": True}]),
        ("(uid TEXT PRIMARY KEY NOT NULL, updated_at TEXT, sent DATETIME) WITHOUT ROWID", [], ["-sent", "-uid"]),
        ("(id INTEGER PRIMARY KEY, subject, date)", [], ["-date", "-id"]),
        ("(id INTEGER PRIMARY KEY, updated_at TEXT)", [], ["-updated_at", "-id"]),
        ("(id INTEGER PRIMARY KEY, a TEXT, b TEXT)", ["--order", "a, b desc"], ["a", "-b", "-id"]),
        ("(key INTEGER PRIMARY KEY, a TEXT, b TEXT)", ["--order=-a", "--id", "b"], ["-a", "-b"]),
        ("(a TEXT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID", [], ["-a", "-b"]),
        ('(id INTEGER PRIMARY KEY, "a, ""b"" desc" TEXT)', ["--order", '"a, ""b"" desc" desc'], ['-a, "b" desc', "-id"]),
    ],
)
def test_the_configuration_is_derived_from_the_table(tmp_path: Path, create: str, words: list[str], expected: list[Any]) -> None:
    path = tmp_path / "some.db"
    sqlite3.connect(path).execute(f'CREATE TABLE "some ""rows""" {create}')
    made = command("--sqlite", str(path), "--table", 'some "rows"', *words, "--configuration")
    assert made.returncode == 0, made.stderr
    source = json.loads(made.stdout)["sources"]['some "rows"']
    order = [{"by": one.removeprefix("-"), "descending": one.startswith("-")} if isinstance(one, str) else one for one in expected]
    assert sqlite3.connect(path).execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'nagare%'").fetchone() == (0,)
    assert source["order"] == order and source["id"] == "id"


def test_a_list_with_named_columns_shows_only_these(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tea.db")) as database, database:
        database.execute("CREATE TABLE teas (id INTEGER PRIMARY KEY, name TEXT, region TEXT, harvested DATE, grams REAL)")
        database.executemany("INSERT INTO teas VALUES (?, ?, ?, ?, ?)", [(n, f"Tea {n}", "Uji", "2026-05-01", 1.5 * n) for n in range(1, 30)])
    made = command("--sqlite", str(tmp_path / "tea.db"), "--table", "teas", "--columns", "name,grams", "--configuration")
    screens = json.loads(made.stdout)["screens"]
    shown = screens["teas"]["display"]
    assert [one["member"] for one in shown["columns"]] == ["name", "grams"] and "badge" not in shown and "date" not in shown
    assert {one["member"] for one in screens["detail"]["display"]["columns"]} > {"name", "grams"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--sqlite", "nowhere.db", "--table", "mail"], "can't be opened"),
        (["--sqlite", "mail.db", "--table", "males"], "there is no table 'males' in"),
        (["--sqlite", "mail.db", "--table", "mail", "--order", "colour desc"], "mail has no column 'colour', but 'a', 'b'"),
        (["--sqlite", "mail.db", "--table", "words"], "say which columns tell its rows apart, such as --id a"),
        (["--postgres", "host=/nowhere", "--table", "mail"], "can't be reached"),
    ],
)
def test_a_table_that_cannot_be_served_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    sqlite3.connect("mail.db").execute("CREATE TABLE mail (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID")
    sqlite3.connect("mail.db").execute("CREATE VIEW words AS SELECT a FROM mail")
    said = command(*words, "--configuration")
    assert said.returncode == 78 and reason in said.stderr and "Traceback" not in said.stderr, said.stderr
    assert not Path("nowhere.db").exists()


def test_a_still_table_is_listed_without_altering_the_database(tmp_path: Path, list_of: List) -> None:
    path = tmp_path / "mail.db"
    with sqlite3.connect(path) as writer:
        writer.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        writer.execute("INSERT INTO mail VALUES (1, x'00ff')")
        before = writer.execute("SELECT * FROM sqlite_master").fetchall()
        writer.commit()
        (tmp_path / "mail.json").write_text(command("--sqlite", str(path), "--table", "mail", "--columns", "id,raw", "--still", "--configuration").stdout)
        listing = list_of(tmp_path / "mail.json")
        assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
        assert listing.items == [{"id": 1, "raw": "\\x00ff"}]
        assert writer.execute("SELECT * FROM sqlite_master").fetchall() == before


KINDS = """
CREATE TABLE app.kinds (
  id uuid PRIMARY KEY, at timestamptz, day date, amount numeric, big bigint, half real, word text, mood app.mood, on_off boolean,
  tags text[], more jsonb, raw bytea
)
"""


def test_values_of_every_postgresql_type_are_listed_sorted_and_written(postgres: PostgreSQL, tmp_path: Path, list_of: List) -> None:
    """Each type has a JSON form, is sorted as the list sorts it, and can be written in its JSON form."""
    with postgres.connect() as writer:
        writer.execute("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('sad', 'glad')")
        writer.execute(KINDS.encode())
        insert = """INSERT INTO app.kinds SELECT gen_random_uuid(),
            CASE WHEN mod(n, 4) > 0 THEN timestamptz '2026-01-01 00:00:00.5+05' + n * interval '1 hour 0.25 s' END,
            date '2026-01-01' + mod(n, 3), CASE WHEN mod(n, 5) > 0 THEN 1.10 * n * n END, 9007199254740993 - n, n / 3.0,
            CASE WHEN mod(n, 6) > 0 THEN substr('Ää-aZz_Éb', mod(n, 9) + 1) END, (ARRAY['sad', 'glad'])[mod(n, 2) + 1]::app.mood, mod(n, 2) = 0,
            ARRAY['x', 'y,"'], '{"a": [1, null]}', '\\x00ff' FROM generate_series(%s::int, %s) AS numbers (n)"""
        writer.execute(insert.encode(), [1, 30])
        options = ["--postgres", postgres.connection, "--table", "app.kinds"]
        # Rows contain bytes only if their columns are named.
        columns = "id,at,day,amount,big,half,word,mood,on_off,tags,more,raw"
        configuration = json.loads(command(*options, "--columns", columns, "--write", "--triggers", "--configuration").stdout)
        assert configuration["sources"]["app.kinds"]["order"] == [{"by": "at", "descending": True}, {"by": "id", "descending": True}]
        configuration["screens"]["kinds"] |= {"pageSize": 7, "livePace": 0}
        (tmp_path / "kinds.json").write_text(json.dumps(configuration))
        listing = list_of(tmp_path / "kinds.json")
        listing.tell("viewWillAppear")

        def found(order: str) -> list[str]:
            return [id for (id,) in writer.execute(f"SELECT id::text FROM app.kinds ORDER BY {order}, at DESC NULLS LAST, id DESC".encode())]

        count = 30
        for sort in ["at", "day", "amount", "big", "half", "word", "mood"]:
            column = f'{sort}::text COLLATE "C"' if sort in ("word", "mood") else sort
            for way in ("", "-"):
                listing.tell("filter", set={"sort": f"{way}{sort}"})
                listing.until(found(f"{column} {'DESC' if way else 'ASC'} NULLS LAST"))
                # New rows get the same position as rows that are read.
                count += 5
                writer.execute(insert.encode(), [count, count + 4])
                listing.until(found(f"{column} {'DESC' if way else 'ASC'} NULLS LAST"))
        row = listing.items[0]
        before = writer.execute("SELECT * FROM app.kinds WHERE id = %s", [row["id"]]).fetchall()
        writer.execute("DELETE FROM app.kinds WHERE id = %s", [row["id"]])
        listing.until_true(lambda: row["id"] not in listing.ids())
        listing.server.notify("insert", view="v", item=row)
        listing.until_true(lambda: writer.execute("SELECT * FROM app.kinds WHERE id = %s", [row["id"]]).fetchall() == before)


def test_a_role_that_may_not_create_triggers_gets_an_error(postgres: PostgreSQL) -> None:
    under: Under = UnderPostgreSQL(postgres)
    under.run("DROP ROLE IF EXISTS reader")
    under.run("CREATE ROLE reader LOGIN")
    under.run("GRANT SELECT ON mail TO reader")
    options = ["--postgres", postgres.connection.replace("user=postgres", "user=reader"), "--table", "mail"]
    refused = command(*options, "--triggers", "--configuration")
    assert refused.returncode == 78 and "permission denied" in refused.stderr, refused.stderr
    assert command(*under.arguments, "--table", "mail", "--triggers", "--configuration").returncode == 0
    under.run("GRANT SELECT ON nagare_mail TO reader")
    assert command(*options, "--triggers", "--configuration").returncode == 0, "nothing is missing"
    under.run("DROP OWNED BY reader")


def test_texts_are_sorted_by_code_points_whatever_the_tables_collation(tmp_path: Path, list_of: List) -> None:
    path = tmp_path / "mail.db"
    with sqlite3.connect(path, isolation_level=None) as writer:
        writer.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, word TEXT COLLATE NOCASE NOT NULL, other)")
        rows = [(1, "a", 5), (2, "B", "x"), (3, "C", None), (4, "é", 0.5), (5, "d", "5")]
        writer.executemany("INSERT INTO mail VALUES (?, ?, ?)", rows)
        made = command("--sqlite", str(path), "--table", "mail", "--order", "word", "--configuration")
        (tmp_path / "mail.json").write_text(made.stdout)
        listing = list_of(tmp_path / "mail.json", pageSize=2)
        listing.tell("viewWillAppear")
        listing.until([2, 3, 1, 5, 4])
        writer.execute("INSERT INTO mail VALUES (6, 'b', 7), (7, 'Z', '6')")
        listing.until([2, 3, 7, 1, 6, 5, 4])
        # Numbers come before texts, and null comes last.
        listing.tell("filter", set={"sort": "other"})
        listing.until([4, 1, 6, 5, 7, 2, 3])
        writer.execute("UPDATE mail SET other = '55' WHERE id = 1")
        listing.until([4, 6, 5, 1, 7, 2, 3])
        listing.tell("filter", set={"sort": "-other"})
        listing.until([2, 7, 1, 5, 6, 4, 3])


def test_every_column_name_can_be_given_on_the_command_line() -> None:
    """The options in a configuration reproduce the columns that were found."""
    for falls in (False, True):
        order = dict.fromkeys(NAMES, falls)
        assert _directions(",".join(_as_argument(name, falls) for name in NAMES)) == order
    assert _column_names(",".join(map(_as_argument, NAMES))) == NAMES


def test_a_table_with_unusual_column_names_is_served(tmp_path: Path, list_of: List) -> None:
    # Excludes OID, so that one name of the row number remains for it.
    names = [name for name in {name.lower(): name for name in NAMES}.values() if name != "OID"]
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    with sqlite3.connect(tmp_path / "mail.db", isolation_level=None) as writer:
        writer.execute(f"CREATE TABLE mail ({columns})")
        for number in range(5):
            writer.execute(f"INSERT INTO mail VALUES ({', '.join('?' * len(names))})", [f"{number * 3 % 5}"] * len(names))
        options = ["--order", '"-minus" desc', "--columns", ",".join('"' + name.replace('"', '""') + '"' for name in names)]
        made = command("--sqlite", str(tmp_path / "mail.db"), "--table", "mail", *options, "--configuration")
        assert made.returncode == 0, made.stderr
        (tmp_path / "mail.json").write_text(made.stdout)
        listing = list_of(tmp_path / "mail.json", pageSize=2)
        listing.tell("viewWillAppear")
        listing.until_true(lambda: [item["-minus"] for item in listing.items] == ["4", "3", "2", "1", "0"])
        assert all(item[name] == item["-minus"] for item in listing.items for name in names)
        writer.execute(f"INSERT INTO mail VALUES ({', '.join('?' * len(names))})", ["25"] * len(names))
        listing.until_true(lambda: [item["-minus"] for item in listing.items] == ["4", "3", "25", "2", "1", "0"])
