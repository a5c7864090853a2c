"""Reports of a run, for people and for build servers."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from .manner import Failed, Manner
from .transcript import Place, Send, Transcript


@dataclass(frozen=True)
class Outcome:
    """The result of one case played in one manner. `failure` is None if the case passed."""

    transcript: Transcript
    manner: Manner
    seconds: float
    failure: Failed | None = None


def listed(transcripts: list[Transcript]) -> str:
    """Returns the rules with their cases, the descriptions of both, and the number of cases."""
    lines: list[str] = []
    for file, cases in groupby(transcripts, lambda one: one.file):
        for number, one in enumerate(cases):
            lines += [file, f"    {one.rule}"] if one.rule and number == 0 else []
            lines += [one.name, f"    {one.about}"]
    return "\n".join([*lines, f"{len(transcripts)} cases"])


def failures(played: list[Outcome]) -> list[list[Outcome]]:
    """Groups the failures of one case. Those in a group differ only in the manner."""
    alike: dict[tuple[Place, str, str], list[Outcome]] = {}
    for outcome in played:
        if (failure := outcome.failure) is not None:
            alike.setdefault((failure.place, failure.expected, failure.received), []).append(outcome)
    return list(alike.values())


def explain(outcome: Outcome, *alike: Outcome, context: int = 6) -> str:
    """Describes a failure, with its position, the messages before it, and the difference.

    `alike` are the same failures in other manners. `context` is the largest number of sent messages to show.
    """
    failure, manner = outcome.failure, outcome.manner
    assert failure is not None
    until = failure.place.statement
    sent = [s for s in outcome.transcript.steps if isinstance(s, Send) and s.place.statement <= until]
    lines = [
        f"FAILED {_where(outcome)}",
        f"  {outcome.transcript.about}",
        f"  run again with  --framing {manner.framing} --chunks {manner.chunks} --seed {manner.seed}"
        f" {outcome.transcript.name}",
        *([f"  also fails in  {', '.join(f'{o.manner.framing} {o.manner.chunks}' for o in alike)}"] if alike else []),
        *([f"  sent before (the last {context} of {len(sent)})"] if len(sent) > context else ["  sent before"]),
        *(f"    {step.place.line:>4}  {_cut(step.shown)}" for step in sent[-context:]),
        f"  expected  {_cut(failure.expected)}",
        f"  received  {_cut(failure.received)}",
    ]
    if failure.found is not None:
        lines += [
            f"  first difference at {failure.found.path}",
            f"    expected  {_cut(failure.found.expected)}",
            f"    received  {_cut(failure.found.received)}",
        ]
    if failure.log.strip():
        lines += ["  end of the server's log"] + [f"    {_cut(line)}" for line in failure.log.splitlines()[-8:]]
    return "\n".join(lines)


def _where(outcome: Outcome) -> str:
    """Returns the file and the line of a failure, its case, and its round in a `repeat`."""
    assert outcome.failure is not None
    place, case = outcome.failure.place, outcome.transcript.case
    return (
        f"{outcome.transcript.path}:{place.line}"
        + (f" in {case}" if case else "")
        + (f", round {place.round}" if place.round else "")
    )


def _cut(text: str, limit: int = 1000) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def table(outcomes: list[Outcome]) -> str:
    """Returns a table with the numbers of each section's cases and runs: in each framing, passed, and failed."""
    sections = sorted({outcome.transcript.section for outcome in outcomes})
    rows = [("section", "cases", "lines", "headers", "passed", "failed")]
    rows += [_row(section, [o for o in outcomes if o.transcript.section == section]) for section in sections]
    rows.append(_row("all", outcomes))
    width = max(len(row[0]) for row in rows)
    return "\n".join("  ".join([f"{row[0]:<{width}}", *(f"{cell:>11}" for cell in row[1:])]) for row in rows)


def _row(name: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    framings = [outcome.manner.framing for outcome in outcomes]
    failed = sum(outcome.failure is not None for outcome in outcomes)
    cases = len({outcome.transcript.name for outcome in outcomes})
    counts = (cases, framings.count("lines"), framings.count("headers"), len(outcomes) - failed, failed)
    return (name, *map(str, counts))


def write_junit(outcomes: list[Outcome], path: Path) -> None:
    """Writes a JUnit report with one test case for each case and manner."""
    failed = sum(outcome.failure is not None for outcome in outcomes)
    suite = xml.Element("testsuite", name="conformance", tests=str(len(outcomes)), failures=str(failed))
    for outcome in outcomes:
        transcript, manner = outcome.transcript, outcome.manner
        name = f"{transcript.name.partition('/')[2]} [{manner.framing}, {manner.chunks}]"
        case = xml.SubElement(
            suite, "testcase", classname=transcript.section, name=name, time=f"{outcome.seconds:.3f}"
        )
        if outcome.failure is not None:
            xml.SubElement(case, "failure", message=_where(outcome)).text = _printable(explain(outcome))
    path.parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def _printable(text: str) -> str:
    return "".join(c if c in "\n\t" or c >= " " else "\ufffd" for c in text)
