"""The conformance suite tells a wrong server: each rule that the wrapper breaks is caught by a transcript."""

from __future__ import annotations

import sys

import pytest
from conftest import CONFORMANCE
from runner.replay import Failed, Manner, play
from runner.transcript import read
from wrong.rules import RULES


def _wrapped(nagare: str, *options: str) -> list[str]:
    return [sys.executable, str(CONFORMANCE / "wrong" / "run.py"), *options, "--", nagare, "--clock", "virtual"]


@pytest.mark.parametrize("name", RULES)
def test_a_broken_rule_is_caught(nagare: str, name: str) -> None:
    rule = RULES[name]
    transcript = read(CONFORMANCE / rule.transcript)
    manner = Manner(rule.framing, rule.chunks)
    play(transcript, _wrapped(nagare), manner)
    with pytest.raises(Failed):
        play(transcript, _wrapped(nagare, "--rule", name), Manner(rule.framing, rule.chunks, timeout=2))


def test_every_rule_says_what_it_breaks() -> None:
    for name, rule in RULES.items():
        assert rule.__doc__ and rule.section, name
    assert len(RULES) >= 25
