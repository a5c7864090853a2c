#!/usr/bin/env python3
"""Checks that texts are written in plain language: documents, comments, names of tests, and messages.

    Tests/Prose/check.py            checks everything
    Tests/Prose/check.py PATH …     checks these files and folders

It prints each sentence that breaks a rule, with the rule and the remedy, and exits with 1 if there are any. A sentence that is right as it
is belongs in `exceptions.txt`. It also checks that `messages.txt` lists all messages of the programs, so that they can be read
together; `Tests/Prose/check.py --update` writes that list.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from texts import ROOT, Text, messages_in, sentences_in, test_names_in, tracked

FOLDER = Path(__file__).resolve().parent
MESSAGES = FOLDER / "messages.txt"
EXCEPTIONS = FOLDER / "exceptions.txt"
LONGEST = 50
"""The most words of a sentence."""

RULES: list[tuple[str, str, str]] = [
    ("programs don't talk", r"(?<!\bpage )(?<!\bdocument )(?<!\bspecification )(?<!\bdescription )\b(?:says?|said|unsaid|tells?|told|hears?|heard|unheard)\b", "send, report, receive, record, return"),
    ("a noun for a clause", r"(?:^|[.;:] )What (?:is|was|has|had|are|were|comes?|came|runs?|goes|went|belongs|stands|follows|waits|says) |\b(?:of|than|by|as|like) what (?:is|was|has|had|are|were|came|runs?|went) ", "name the thing"),
    ("a noun for a person", r"\b(?:[Ww]ho(?:ever)?|[Nn]obody|[Ss]omebody|[Aa]nybody) (?:asks?|knows?|hears?|is told|has asked)\b|\b[Ww]hom\b|\b[Ww]hoever\b", "name the client, the list, the observer"),
    ("a verb that is negated", r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b)[a-z]+", "isn't, doesn't have"),
    ("a condition", r"\b(?:nil|null|None|absent|0) where\b", "if"),
    ("old words", r"\b(?:anew|as ever|be it|thereby|likewise|of one's own|in vain|lest|for good|all the same|whilst|hence|thereof)\b", "a common word"),
    ("things don't stand or lie", r"\b(?:stands?|stood|lies|lay) (?:beside|by|at|where|behind|before|above|beneath|below|on|there)\b", "is, replaces, means"),
    ("a private word", r"\b(?:let go|lets go|letting go|comes? to stand|taken out|takes out|read anew|held back|holds back|hold back)\b", "evict, reach, remove, reload, defer"),
    ("too many clauses", r"(?:\b(?:that|which|who|whose|where|what)\b[^.;:]*){5,}", "two sentences, or a list"),
]
"""What a rule is called, the habit that it finds, and what to write instead."""

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "protocol/*.md", "clients/*.md", "Sources/*.md"]
SOURCES = ["Package.swift", "Sources/*.swift", "Tests/*.swift", "Tests/*.py", "protocol/*.py", "protocol/*.txt", "clients/*.swift", "clients/*.py", "clients/*.js", "clients/*.ts"]
PROGRAMS = ["Sources/*.swift", ":!Sources/*Example/*", ":!Sources/*Testing/*", ":!Sources/PageSources/Demo/Demo[AOST]*"]


def faults(text: Text, exceptions: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the rules that a text breaks, each with its remedy."""
    if text.words in exceptions:
        return
    for name, habit, remedy in RULES:
        if found := re.search(habit, text.words):
            yield f"{name}: “{found[0][:60]}”", remedy
    if len(text.words.split()) > LONGEST and not text.words.startswith(("usage:", "--")):
        yield f"a sentence of {len(text.words.split())} words", "two sentences, or a list"


def message_list() -> str:
    """The messages of all programs, by the folders of their sources."""
    lines = list[str]()
    for path in sorted(tracked(*PROGRAMS)):
        messages = sorted({text.words for text in messages_in(path)})
        if messages:
            lines += [f"{path.relative_to(ROOT / 'Sources')}", *(f"    {message}" for message in messages), ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="files and folders; all by default")
    parser.add_argument("--update", action="store_true", help="write the list of messages")
    options = parser.parse_args()
    if options.update:
        MESSAGES.write_text(message_list(), encoding="utf-8")
    exceptions = set(EXCEPTIONS.read_text(encoding="utf-8").splitlines())
    asked = [Path(path).resolve() for path in options.paths]
    programs = set(tracked(*PROGRAMS))
    failed, count = 0, 0
    for path in sorted(set(tracked(*DOCUMENTS, *SOURCES))):
        if asked and not any(path.is_relative_to(one) for one in asked) or path.is_relative_to(FOLDER):
            continue
        texts = [*sentences_in(path), *test_names_in(path)]
        if path in programs:
            texts += messages_in(path)
        count += len(texts)
        for text in texts:
            for fault, remedy in faults(text, exceptions):
                failed += 1
                print(f"{text.file}:{text.line}: {fault}; write {remedy}\n    {text.words}")
    if not asked and MESSAGES.read_text(encoding="utf-8") != message_list():
        failed += 1
        print(f"{MESSAGES.relative_to(ROOT)} isn't up to date; run Tests/Prose/check.py --update, and read what changed")
    print(f"{failed} faults in {count} texts", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
