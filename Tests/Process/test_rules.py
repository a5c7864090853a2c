"""The rules of the specification: each is shown by a transcript or checked by a test, which names it in a line `rules: …`."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CITATION = re.compile(r"\brules: (\d[\d., ]*\d)")
WITHOUT_TRANSCRIPT = {
    "2.1.8": "JSONValueTests: only an author's own view model has such a parameter",
    "3.14": "StoreTests: only an author's own program has such a store",
    "3.24": "ScreenKindTests, and the clients' tests that read screen_kinds.json",
    "3.25": "ScreenKindTests, and the clients' tests that read screen_kinds.json",
    "3.26": "for frontends: test_shown.py of the terminal and of the page",
    "3.27": "for frontends: test_shown.py of the terminal and of the page",
    "3.28": "for frontends: test_chat.py and test_shapes.py of the terminal and of the page",
    "3.29": "for frontends: test_authors.py of the terminal, test_place.py of the page",
    "6.0.21": "something that can't be done",
    "6.2.5": "FileTurnTests",
    "6.2.6": "FileTurnTests",
    "6.6.22": "a duty of sources",
    "6.6.27": "a duty of sources",
    "8.2": "an intention",
    "8.5": "an intention",
    "8.7": "an intention",
    "8.8": "a definition",
}
"""Rules that no transcript shows: the tests that check them, or why there is none."""


@cache
def rules() -> dict[str, str]:
    """The texts of the specification's rules, by their numbers."""
    section, found = "", dict[str, str]()
    for line in re.sub(r"^```.*?^```", "", (ROOT / "protocol/SPECIFICATION.md").read_text(), flags=re.M | re.S).splitlines():
        if heading := re.match(r"#{2,3} (\d+(?:\.\d+)?)", line):
            section = heading[1]
        elif section and (rule := re.match(r"(\d+)\. (.*)", line)):
            number = section if "." in section or section in ("3", "8") else f"{section}.0"
            assert f"{number}.{rule[1]}" not in found, f"rule {number}.{rule[1]} is there twice"
            found[f"{number}.{rule[1]}"] = rule[2]
    return found


@cache
def citations() -> dict[str, list[str]]:
    """The files that name a rule, by its number."""
    folders = ["protocol/conformance", "Tests", "clients"]
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=True, text=True)
    found = dict[str, list[str]]()
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if path.suffix not in (".txt", ".py", ".swift") or path == Path(__file__).resolve() or not path.is_file():
            continue
        for line in CITATION.findall(path.read_text(encoding="utf-8")):
            for rule in re.split(r"[, ]+", line):
                found.setdefault(rule, []).append(name)
    return found


def test_rules_are_numbered_without_gaps() -> None:
    for section, numbers in by_section().items():
        assert numbers == list(range(1, len(numbers) + 1)), f"the rules of section {section}: {numbers}"


def by_section() -> dict[str, list[int]]:
    sections = dict[str, list[int]]()
    for rule in rules():
        section, _, number = rule.rpartition(".")
        sections.setdefault(section, []).append(int(number))
    return sections


def test_cited_rules_exist() -> None:
    wrong = {rule: files for rule, files in citations().items() if rule not in rules()}
    assert not wrong


def test_every_rule_is_shown() -> None:
    missing = {rule: text for rule, text in rules().items() if rule not in citations() and rule not in WITHOUT_TRANSCRIPT}
    assert not missing, "\n".join(f"{rule} {text}" for rule, text in missing.items())
