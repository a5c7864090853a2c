"""Counts the steps of a backtracking match, and finds the regular expressions of a Python package.

The steps are counted, not timed, so the result is the same on every machine.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:
    import sre_parse as parser  # Python 3.10

Then = Callable[[int], bool]
Use = tuple[str, "re.Pattern[Any]"]
"""The function that a pattern is used with, such as `search`, and the pattern."""

FEW = 10
"""The repetitions of the shorter input; the longer input has ten times as many."""
MOST = 15
"""The maximum growth of the steps at ten times the input. Linear growth is at most 10, quadratic growth near 100."""
SET_SAMPLES = 6
"""The members of a set of characters that inputs are made of."""
MOST_BREAKS = 3
"""The excluded characters that inputs end with."""

_FUNCTIONS = {"match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": lambda one: one.isalnum() or one == "_",
}
_SAMPLES = {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}


def patterns(package: Path) -> set[Use]:
    """Returns the patterns in the modules of a package. Each must be a constant of `re.…`, or a constant of its module."""
    found: set[Use] = set()
    for path in package.glob("*.py"):
        tree = ast.parse(path.read_text())
        names = vars(importlib.import_module(f"{package.name}.{path.stem}")) if path.stem != "__main__" else {}
        known = {name: value for name, value in names.items() if isinstance(value, re.Pattern)}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        used: set[str] = set()
        for call in calls:
            function, owner = call.func.attr, call.func.value  # type: ignore[attr-defined]
            if not isinstance(owner, ast.Name):
                continue
            if owner.id in known and function in _FUNCTIONS:
                found.add((function, known[owner.id]))
                used.add(owner.id)
            elif owner.id == "re" and function in _FUNCTIONS:
                found.add((function, re.compile(ast.literal_eval(call.args[0]))))
        # How a pattern is used that has another name there, as in a loop, is unknown.
        found |= {("search", pattern) for name, pattern in known.items() if name not in used}
    return found


def worst(function: str, pattern: re.Pattern[Any]) -> tuple[float, str]:
    """Returns the largest growth of the steps at ten times an input, or the first above `MOST`, and that input's beginning."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        return _worst(function, pattern)
    finally:
        sys.setrecursionlimit(limit)


def _worst(function: str, pattern: re.Pattern[Any]) -> tuple[float, str]:
    tree = parser.parse(pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1"), pattern.flags)
    alphabet = {*" x", *_alphabet(tree)}
    begins = {sample[:end] for sample in {_sample(tree, number) for number in range(6)} for end in range(len(sample) + 1)}
    inputs = {(begin, unit) for begin in begins for unit in alphabet}
    inputs |= {("", unit) for unit in begins - {""} | {a + b for a in alphabet for b in alphabet}}
    ends = ["", "\x01"]
    breaks = sorted({*_breaks(tree)} - {*ends})[:MOST_BREAKS]
    growths = [(0.0, "")]
    known: dict[Any, bool] = {}
    for begin, unit in sorted(inputs):
        for end in ends + breaks if len(unit) == 1 else ends:
            few = _count(function, tree, pattern.flags, begin + unit * FEW + end, None, known)
            many = _count(function, tree, pattern.flags, begin + unit * (10 * FEW) + end, (MOST + 1) * few, known)
            growths.append((many / few, begin + unit * 2 + end))
            if many > MOST * few:
                return growths[-1]
    return max(growths)


class _TooMany(Exception):
    """The steps exceed the limit."""


def _count(function: str, tree: Any, flags: int, text: str, limit: int | None, known: Any) -> int:
    match = _Match(text, flags, limit, known)
    nodes, at = list(tree), 0
    try:
        while at <= len(text):
            ends: list[int] = []

            def ended(end: int) -> bool:
                if function == "fullmatch" and end < len(text):
                    return False
                ends.append(end)
                return True

            found = match.sequence(nodes, 0, at, ended)
            if function in ("match", "fullmatch") or found and function == "search":
                break
            at = max(ends[0], at + 1) if found else at + 1
    except _TooMany:
        pass
    return match.steps


class _Match:
    """One match by backtracking, as `re` does it."""

    def __init__(self, text: str, flags: int, limit: int | None, known: dict[Any, bool]) -> None:
        self.text, self.flags, self.limit = text, flags, limit
        self.steps = 0
        self.groups: dict[int, str] = {}
        self.known = known

    def sequence(self, nodes: list[Any], first: int, at: int, then: Then) -> bool:
        if first == len(nodes):
            return then(at)
        kind, value = nodes[first]
        return self.node(kind, value, at, lambda end: self.sequence(nodes, first + 1, end, then))

    def node(self, kind: Any, value: Any, at: int, then: Then) -> bool:
        self._step()
        match str(kind):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return at < len(self.text) and self._is_one(kind, value, self.text[at]) and then(at + 1)
            case "BRANCH":
                return any(self.sequence(list(branch), 0, at, then) for branch in value[1])
            case "SUBPATTERN":
                number, added, removed, part = value
                return self._group(number, added, removed, part, at, then)
            case "GROUPREF":
                group = self.groups.get(value, "")
                return self.text.startswith(group, at) and then(at + len(group))
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, part = value
                nodes = list(part)
                is_greedy = str(kind) == "MAX_REPEAT"
                if len(nodes) == 1 and str(nodes[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
                    return self._repeat_one(nodes[0][0], nodes[0][1], int(least), int(most), is_greedy, at, then)
                return self._repeat(nodes, int(least), int(most), is_greedy, at, then)
            case "AT":
                return self._is_at(str(value), at) and then(at)
            case "ASSERT" | "ASSERT_NOT":
                direction, part = value
                begin = at if direction > 0 else at - part.getwidth()[0]
                holds = begin >= 0 and self.sequence(list(part), 0, begin, lambda end: True)
                return holds == (str(kind) == "ASSERT") and then(at)
        raise NotImplementedError(kind)

    def _step(self) -> None:
        self.steps += 1
        if self.limit is not None and self.steps > self.limit:
            raise _TooMany

    def _group(self, number: int | None, added: int, removed: int, part: Any, at: int, then: Then) -> bool:
        before, flags = dict(self.groups), self.flags

        def after(end: int) -> bool:
            if number is not None:
                self.groups[number] = self.text[at:end]
            inner, self.flags = self.flags, flags
            if then(end):
                return True
            self.flags = inner
            return False

        self.flags = flags & ~removed | added
        found = self.sequence(list(part), 0, at, after)
        self.flags = flags
        if not found:
            self.groups = before
        return found

    def _repeat_one(self, kind: Any, value: Any, least: int, most: int, is_greedy: bool, at: int, then: Then) -> bool:
        end = at
        while end - at < most and (is_greedy or end - at < least) and end < len(self.text) and self._is_one(kind, value, self.text[end]):
            self._step()
            end += 1
        while end - at >= least:
            if then(end):
                return True
            self._step()
            if is_greedy:
                end -= 1
            elif end - at < most and end < len(self.text) and self._is_one(kind, value, self.text[end]):
                end += 1
            else:
                return False
        return False

    def _repeat(self, nodes: list[Any], least: int, most: int, is_greedy: bool, at: int, then: Then) -> bool:
        def again(end: int) -> bool:
            # A repetition of nothing would never end.
            return (end > at or least > 0) and self._repeat(nodes, max(0, least - 1), most - 1, is_greedy, end, then)

        if least > 0:
            return self.sequence(nodes, 0, at, again)
        if is_greedy:
            return most > 0 and self.sequence(nodes, 0, at, again) or then(at)
        return then(at) or most > 0 and self.sequence(nodes, 0, at, again)

    def _is_at(self, where: str, at: int) -> bool:
        match where:
            case "AT_BEGINNING" if self.flags & re.MULTILINE:
                return at == 0 or self.text[at - 1] == "\n"
            case "AT_BEGINNING" | "AT_BEGINNING_STRING":
                return at == 0
            case "AT_END" if self.flags & re.MULTILINE:
                return at == len(self.text) or self.text[at] == "\n"
            case "AT_END":
                return self.text[at:] in ("", "\n")
            case "AT_END_STRING":
                return at == len(self.text)
            case "AT_BOUNDARY":
                is_word = _CATEGORIES["CATEGORY_WORD"]
                return (at > 0 and is_word(self.text[at - 1])) != (at < len(self.text) and is_word(self.text[at]))
        raise NotImplementedError(where)

    def _is_one(self, kind: Any, value: Any, one: str) -> bool:
        key = (id(value) if isinstance(value, list) else (str(kind), value), one, self.flags)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._decide(kind, value, one)
        return known

    def _decide(self, kind: Any, value: Any, one: str) -> bool:
        forms = {one.lower(), one.upper()} if self.flags & re.IGNORECASE else {one}
        match str(kind):
            case "ANY":
                return one != "\n" or bool(self.flags & re.DOTALL)
            case "LITERAL":
                return chr(value) in forms
            case "NOT_LITERAL":
                return chr(value) not in forms
        negated = str(value[0][0]) == "NEGATE"
        return any(_is_in(str(name), given, form) for name, given in value[negated:] for form in forms) != negated


def _is_in(kind: str, value: Any, one: str) -> bool:
    match kind:
        case "LITERAL":
            return bool(ord(one) == value)
        case "RANGE":
            return bool(value[0] <= ord(one) <= value[1])
        case "CATEGORY":
            name = str(value)
            is_in: bool = _CATEGORIES[name.replace("_NOT_", "_")](one)
            return is_in != ("_NOT_" in name)
    raise NotImplementedError(kind)


def _alphabet(nodes: Any) -> Iterator[str]:
    """Yields characters that make a difference to a pattern."""
    for kind, value in nodes:
        match str(kind):
            case "LITERAL" | "NOT_LITERAL":
                yield chr(value)
            case "IN":
                for name, given in value[:SET_SAMPLES]:
                    yield from _member(str(name), given)
            case "BRANCH":
                for branch in value[1]:
                    yield from _alphabet(branch)
            case "SUBPATTERN" | "MAX_REPEAT" | "MIN_REPEAT" | "ASSERT" | "ASSERT_NOT":
                yield from _alphabet(value[-1])


def _breaks(nodes: Any) -> Iterator[str]:
    """Yields characters that a pattern excludes, so that a repetition ends at them."""
    for kind, value in nodes:
        match str(kind):
            case "ANY":
                yield "\n"
            case "NOT_LITERAL":
                yield chr(value)
            case "IN":
                is_negated = str(value[0][0]) == "NEGATE"
                for name, given in value[: SET_SAMPLES if is_negated else 1]:
                    if is_negated or "_NOT_" in str(given):
                        yield from _member(str(name), given)
            case "BRANCH":
                for branch in value[1]:
                    yield from _breaks(branch)
            case "SUBPATTERN" | "MAX_REPEAT" | "MIN_REPEAT" | "ASSERT" | "ASSERT_NOT":
                yield from _breaks(value[-1])


def _member(kind: str, value: Any) -> Iterator[str]:
    if kind in ("LITERAL", "RANGE"):
        yield chr(value if kind == "LITERAL" else value[0])
    elif kind == "CATEGORY":
        yield _SAMPLES[str(value).replace("_NOT_", "_")]


def _sample(nodes: Any, choice: int, groups: dict[int, str] | None = None) -> str:
    """Returns a short text that a pattern matches, approximately; `choice` is the branch that is taken, and the member of a set."""
    groups, text = {} if groups is None else groups, ""
    for kind, value in nodes:
        match str(kind):
            case "LITERAL":
                text += chr(value)
            case "NOT_LITERAL" | "ANY":
                text += "x"
            case "IN":
                members = [one for name, given in value for one in _member(str(name), given)]
                text += "x" if str(value[0][0]) == "NEGATE" else members[choice % len(members)]
            case "BRANCH":
                text += _sample(value[1][choice % len(value[1])], choice, groups)
            case "SUBPATTERN":
                part = _sample(value[-1], choice, groups)
                groups[value[0]] = part
                text += part
            case "GROUPREF":
                text += groups[value]
            case "MAX_REPEAT" | "MIN_REPEAT":
                text += "".join(_sample(value[-1], choice, groups) for _ in range(max(1, int(value[0]))))
    return text
