"""Each row of the table of faults names a test for it, and all of these tests exist."""

from __future__ import annotations

import re

from conftest import CONFORMANCE, ROOT
from runner.transcript import read

FAULTS = (ROOT / "protocol" / "FAULTS.md").read_text(encoding="utf-8")


def test_every_row_names_a_test() -> None:
    rows = [line for line in FAULTS.splitlines() if line.startswith("| ") and not line.startswith("| fault")]
    assert len(rows) >= 35
    for row in rows:
        assert re.search(r"`[^`]+(\.txt(::[-\w]+)?|::test_\w+)` ?[,|]", row.split("|")[3] + "|"), row


def test_every_named_test_exists() -> None:
    for transcript in re.findall(r"`(\d[^`]*\.txt[^`]*)`", FAULTS):
        assert read(f"{CONFORMANCE}/{transcript}"), transcript
    for file, name in re.findall(r"`(test_\w+\.py)::(test_\w+)`", FAULTS):
        assert f"def {name}(" in (ROOT / "Tests" / "Process" / file).read_text(encoding="utf-8"), f"{file}::{name}"
