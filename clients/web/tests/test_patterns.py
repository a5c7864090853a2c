"""The steps of each pattern in the page and its client library grow linearly with the input, because texts come from strangers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[1]
sys.path.append(str(WEB.parent / "behaviour"))
from pattern_steps import MOST, worst  # noqa: E402

# A pattern in a line of source. It is where a value can begin.
LITERAL = re.compile(r"(?:(?:^|[(,=:?!|&\[]|=>|return)\s*)/(?![*/])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+)/([a-z]*)")
# The characters that represent a Unicode property in the inputs.
PROPERTIES = {"L": "a-z\u3042", "M": "\u0301", "N": "0-9", "Ll": "a-z", "Lu": "A-Z", "Cs": "\ud800"}
FUNCTIONS = {"g": "finditer", "y": "match"}
# Patterns that take more steps, some for texts only that end with a certain character.
SLOW = [
    *[(r"<.*?>", "g"), (r"(a+)+$", ""), (r"\s+$", ""), (r"\[.*\]", "g"), (r"\[+\]", ""), (r"^(.*?)\s+#*\s*$", "")],
    *[(r"(.+)+$", ""), (r"([^<>]+)+$", ""), (r"(\S+)+$", "")],
]


def sources() -> list[Path]:
    return [*sorted((WEB / "src").rglob("*.js")), WEB / "worker.js", *sorted((WEB.parent / "javascript" / "src").rglob("*.js"))]


def literals() -> list[tuple[str, str, str]]:
    """Returns the patterns in the sources, each with the first file that has it and with its flags."""
    found: dict[tuple[str, str], str] = {}
    for path in sources():
        lines = [line for line in path.read_text().split("\n") if not re.match(r"\s*(/?\*|//)", line)]
        for source, flags in (match for line in lines for match in LITERAL.findall(line)):
            found.setdefault((source, flags), path.name)
    return [(name, source, flags) for (source, flags), name in found.items()]


def in_python(source: str, flags: str) -> re.Pattern[str]:
    """Returns the same pattern as Python writes it."""
    text, in_set = "", False
    for part in re.findall(r"\\p\{\w+\}|\\.|.", source, re.DOTALL):
        if part.startswith(r"\p"):
            members = PROPERTIES[part[3:-1]]
            text += members if in_set else f"[{members}]"
        elif part == "$" and not in_set and "m" not in flags:
            text += r"\Z"
        elif part == "[" and in_set:
            text += r"\["
        else:
            in_set = part == "[" or in_set and part != "]"
            text += part
    options = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE}
    return re.compile(text, sum((options[flag] for flag in flags if flag in options), re.RegexFlag(0)))


def test_patterns_are_found() -> None:
    assert len(literals()) > 60


def test_no_pattern_is_composed_at_run_time() -> None:
    assert [path.name for path in sources() if "RegExp(" in path.read_text()] == []


@pytest.mark.parametrize(("name", "source", "flags"), literals(), ids=lambda part: part[:60])
def test_the_steps_of_each_pattern_grow_linearly(name: str, source: str, flags: str) -> None:
    function = next((FUNCTIONS[flag] for flag in flags if flag in FUNCTIONS), "search")
    growth, begin = worst(function, in_python(source, flags))
    assert growth <= MOST, f"{name}: {growth:.0f} times the steps for ten times {begin!r}"


@pytest.mark.parametrize(("source", "flags"), SLOW)
def test_a_pattern_with_quadratic_steps_is_detected(source: str, flags: str) -> None:
    function = next((FUNCTIONS[flag] for flag in flags if flag in FUNCTIONS), "search")
    assert worst(function, in_python(source, flags))[0] > MOST
