#!/usr/bin/env python3
"""Runs a correct server and breaks one rule of the protocol, to check that the conformance suite detects it.

    run.py --rule ids-lose-precision -- nagare --clock virtual
    run.py --list

It starts the server that is named after `--`, forwards the messages between client and server, and changes them as the
rule requires. Without `--rule` it changes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from runner.framing import Decoder, FramingError  # noqa: E402
from wrong.rules import RULES  # noqa: E402
from wrong.rules.rule import Message, Rule, as_text  # noqa: E402


class Wrapper:
    """Forwards messages between a client and the real server in both directions, changed by a rule."""

    def __init__(self, rule: Rule, command: list[str]) -> None:
        self.rule = rule
        self.writing = threading.Lock()
        self.framing = ""
        self.write(map(as_text, rule.starts()), "lines")
        self.process = subprocess.Popen(
            rule.options(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def run(self) -> int:
        """Forwards everything until the server ends. Returns the exit code."""
        threading.Thread(target=self.listen, daemon=True).start()
        decoder = None
        assert self.process.stdout is not None
        while data := os.read(self.process.stdout.fileno(), 1 << 20):
            decoder = decoder or Decoder(framing_of(data))
            texts = [body.decode() for body in decoder.feed(data)]
            self.write(self.rule.burst(texts), decoder.framing)
        return self.rule.exit(self.process.wait())

    def listen(self) -> None:
        """Forwards the client's bytes to the server. The rule gets the bytes and the messages in them."""
        assert self.process.stdin is not None
        decoder = None
        while data := os.read(0, 1 << 20):
            decoder = decoder or Decoder(framing_of(data))
            for message in messages(decoder, data):
                self.write(map(as_text, self.rule.answers(message)), decoder.framing)
            self.forward(self.rule.forwards(data))
        self.forward(self.rule.forwards(b""))
        self.process.stdin.close()

    def forward(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            while data:
                data = data[self.process.stdin.write(data) :]
        except BrokenPipeError:
            pass  # the server ended; its exit code has the reason

    def write(self, texts: object, framing: str) -> None:
        data = b"".join(self.rule.frame(text.encode(), framing) for text in texts)
        with self.writing:
            while data:
                data = data[os.write(1, data) :]


def framing_of(data: bytes) -> str:
    return "lines" if data.lstrip()[:1] in (b"{", b"[") else "headers"


def messages(decoder: Decoder, data: bytes) -> list[Message]:
    """Returns the readable messages in the client's bytes. Broken input is skipped: rules don't need it."""
    found: list[Message] = []
    try:
        for body in decoder.feed(data):
            value = json.loads(body)
            found += value if isinstance(value, list) else [value]
    except (FramingError, ValueError, RecursionError):
        pass
    return [message for message in found if isinstance(message, dict)]


def main(arguments: list[str]) -> int:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s (--list | [--rule RULE] -- SERVER…)",
    )
    parser.add_argument("--rule", choices=RULES, metavar="RULE", help="the rule to break")
    parser.add_argument("--list", action="store_true", help="print the rules, each with the case that detects it")
    options = parser.parse_args(arguments[:end])
    if options.list:
        for name, rule in RULES.items():
            print(f"{rule.section:<4} {name}\n     {' '.join((rule.__doc__ or '').split())}\n     {rule.transcript}")
        return 0
    rule = RULES[options.rule]() if options.rule else Rule()
    return Wrapper(rule, arguments[end + 1 :]).run()


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # the thread that still waits for input must not delay the exit
