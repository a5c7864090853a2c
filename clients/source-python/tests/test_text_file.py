"""Text files with rows: how they are read, and that they are live and never written."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import List
from nagare_source import SourceError, Table
from nagare_source.text_file import TextFile


def rows(path: Path, content: str | bytes) -> list[dict[str, Any]]:
    """Returns the rows of a file with this content, without their ids."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    async def read() -> list[dict[str, Any]]:
        file = TextFile(path)
        (name,) = await file.tables()
        page = await Table(file, name, order=["row_id"])._page(None, None, 100, {})
        return [{name: value for name, value in item.items() if name not in ("id", "row_id") or (name == "id" and "row_id" in item)} for item in page.items]

    return asyncio.run(read())


def without_id(found: list[dict[str, Any]]) -> list[list[Any]]:
    return [[value for name, value in item.items() if name != "id"] for item in found]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n1,x\n2,y\n", [[1, "x"], [2, "y"]]),
        ("a;b\r\n1,5;x\r\n", [["1,5", "x"]]),
        ("a\tb\n1\tx, y\n", [[1, "x, y"]]),
        ("a|b\n1|x\n", [[1, "x"]]),
        ("a\nx\ny\n", [["x"], ["y"]]),
        ('a,b\n1,"two\nlines, and ""quotes"""\n', [[1, 'two\nlines, and "quotes"']]),
        ("zip,phone,card\n00501,+81 3,4111111111111111\n90210,1,1\n", [["00501", "+81 3", "4111111111111111"], ["90210", "1", "1"]]),
        ("n,r\n-1,0.5\n,1e3\n", [[-1, 0.5], [None, 1000.0]]),
        ("n\n1\nnone\n", [["1"], ["none"]]),
        ("a,a,,A\n1,2,3,4\n", [[1, 2, 3, 4]]),
        ("a,b\n1\n1,2,3\n", [[1, None, None], [1, 2, 3]]),
        ("\ufeffa,b\n1,é\n", [[1, "é"]]),
        ("a,b\n1,é\n".encode("utf-16"), [[1, "é"]]),
        ("a,b\n1,é€\n".encode("cp1252"), [[1, "é€"]]),
        ("a,b\n1,x\0y\n", [[1, "xy"]]),
        ("a,b\n", []),
        ("", []),
    ],
)
def test_csv_is_read_as_it_is_usually_written(tmp_path: Path, content: str | bytes, expected: list[list[Any]]) -> None:
    assert without_id(rows(tmp_path / "some.csv", content)) == expected


def test_json_arrays_and_lines_are_read(tmp_path: Path) -> None:
    items = [{"name": "a", "n": 1, "tags": ["x"], "done": True}, {"name": "b", "size": 0.5, "done": False}]
    expected = [["a", 1, '["x"]', True, None], ["b", None, None, False, 0.5]]
    assert without_id(rows(tmp_path / "some.json", json.dumps(items))) == expected
    assert without_id(rows(tmp_path / "some.jsonl", "\n".join(map(json.dumps, items)))) == expected


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [("a.json", '{"a": 1}', "it has no array of items"), ("a.jsonl", '{"a": 1}\n{"b"', "line 2 is no JSON"), ("a.json", "[1,", "can't be read")],
)
def test_a_file_that_cannot_be_read_is_an_error_with_its_place(tmp_path: Path, name: str, content: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        rows(tmp_path / name, content)


def test_a_csv_file_is_listed_live_and_in_its_order(tmp_path: Path, list_of: List) -> None:
    path = tmp_path / "bills.csv"
    path.write_text("number,customer,id\n1,Aoi,x\n2,Ren,y\n")
    before = path.read_bytes()
    said = subprocess.run([sys.executable, "-m", "nagare_source", "--csv", str(path), "--configuration"], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    configuration = json.loads(said.stdout)
    assert configuration["sources"]["bills"]["writes"] == []
    configuration["screens"]["bills"] |= {"livePace": 0, "arrivals": "show"}
    (tmp_path / "nagare.json").write_text(json.dumps(configuration))
    listing = list_of(tmp_path / "nagare.json")
    listing.id = "row_id"
    assert listing.tell("viewWillAppear")["phase"] == "reachedBottom"
    assert [item["customer"] for item in listing.items] == ["Aoi", "Ren"] and path.read_bytes() == before
    with path.open("a") as file:
        file.write("3,Yui,z\n")
    listing.until_true(lambda: [item["customer"] for item in listing.items] == ["Aoi", "Ren", "Yui"])
    other = tmp_path / "other.csv"
    other.write_text("number,customer,id,more\n1,Aoi,x,5\n3,Yui,z,6\n")
    other.replace(path)
    listing.until_true(lambda: [item.get("more") for item in listing.items] == [5, 6])
    path.unlink()
    path.write_text("number,customer,id\n7,Mei,w\n")
    listing.until_true(lambda: [item["customer"] for item in listing.items] == ["Mei"])
