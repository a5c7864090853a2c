"""Plays one transcript against a new process of the server."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from .compare import Difference, Memory, difference, show
from .framing import Decoder, FramingError, frame
from .manner import Failed, Manner
from .transcript import Close, Exit, Expect, Place, Send, Step, Transcript, parse_json
from .writer import Writer

_PING = b'{"jsonrpc":"2.0","id":"fence","method":"ping"}'


def play(transcript: Transcript, command: list[str], manner: Manner) -> None:
    """Starts the server and plays the transcript. Raises `Failed` unless the server sends the expected messages."""
    with tempfile.TemporaryDirectory(prefix="transcript-") as folder, tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command + _arguments(transcript, Path(folder)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            bufsize=0,
            start_new_session=True,
        )
        try:
            _Player(process, transcript, manner).run()
        except Failed as failure:
            _kill(process)
            log.seek(max(0, os.fstat(log.fileno()).st_size - 10_000))
            failure.log = log.read().decode(errors="replace")
            raise
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the server and all processes that it started."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def _arguments(transcript: Transcript, folder: Path) -> list[str]:
    for name, text in transcript.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    arguments = [option.replace("{folder}", str(folder)) for option in transcript.options]
    if transcript.config is not None:
        (folder / "nagare.json").write_text(transcript.config, encoding="utf-8")
        arguments += ["--config", str(folder / "nagare.json")]
    return arguments


class _Player:
    def __init__(self, process: subprocess.Popen[bytes], transcript: Transcript, manner: Manner) -> None:
        assert process.stdout is not None
        self.process, self.transcript, self.manner = process, transcript, manner
        self.output, self.writer = process.stdout, Writer(process, manner, transcript.name)
        self.decoder, self.memory = Decoder(manner.framing), Memory()
        self.chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.messages: list[bytes] = []
        self.asked: list[object] = []
        threading.Thread(target=self._read, daemon=True).start()

    def run(self) -> None:
        if self.manner.chunks in ("message", "bytes"):
            self._play_step_by_step()
        else:
            self._play_at_once()

    def _play_step_by_step(self) -> None:
        fence = self.manner.chunks == "message" and self.transcript.fenced
        before: Step | None = None
        for step in self.transcript.steps:
            if fence and isinstance(before, Expect) and isinstance(step, (Send, Close)):
                self.writer.write(before.place, frame(_PING, self.manner.framing))
                self.memory.sent += 1
                self._expect(Expect(before.place, {"jsonrpc": "2.0", "id": "fence", "result": {}}))
            self._do(step)
            before = step

    def _play_at_once(self) -> None:
        steps, held = self.transcript.steps, b""
        awaited: list[tuple[int, Expect]] = []
        sent = 0
        for step in steps:
            if isinstance(step, Send):
                held += self._bytes(step)
                sent += 1
            elif isinstance(step, Expect):
                awaited.append((sent, step))
            else:
                self.writer.write(step.place, held)
                held = b""
                if isinstance(step, Close):
                    self.writer.close()
                else:
                    self._await(awaited)
                    awaited = []
                    self._exit(step)
        self._await(awaited)

    def _await(self, awaited: list[tuple[int, Expect]]) -> None:
        for self.memory.sent, step in awaited:
            self._expect(step)

    def _do(self, step: Step) -> None:
        match step:
            case Send():
                self.writer.write(step.place, self._bytes(step))
                self.memory.sent += 1
            case Expect():
                self._expect(step)
            case Close():
                self.writer.close()
            case Exit():
                self._exit(step)

    def _bytes(self, step: Send) -> bytes:
        return frame(step.body, self.manner.framing) if step.framed else step.body

    def _read(self) -> None:
        while data := os.read(self.output.fileno(), 65536):
            self.chunks.put(data)
        self.chunks.put(b"")

    def _next(self, place: Place, wanted: str) -> bytes | None:
        """Returns the next message, or None at the end of the server's output."""
        self.deadline = time.monotonic() + self.manner.timeout
        data = b""
        while not self.messages:
            try:
                self.messages = self.decoder.feed(data)
            except FramingError as error:
                raise Failed(place, wanted, str(error)) from error
            if not self.messages and not (data := self._receive(place, wanted)):
                return None
        return self.messages.pop(0)

    def _receive(self, place: Place, wanted: str) -> bytes:
        """Returns the next bytes of the server's output. They are empty at its end."""
        rest = f", but an unfinished message: {self.decoder.pending[:200]!r}" if self.decoder.pending else ""
        try:
            data = self.chunks.get(timeout=max(0.0, self.deadline - time.monotonic()))
        except queue.Empty:
            raise Failed(place, wanted, f"nothing within {self.manner.timeout:g} s{rest}") from None
        if not data:
            self.chunks.put(b"")
            if rest:
                raise Failed(place, wanted, f"{self._end()}{rest}")
        return data

    def _end(self) -> str:
        """Returns how the server ended, for a report."""
        try:
            code = self.process.wait(max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return "a closed output, but the process is still running"
        return f"exit {code}" if code >= 0 else f"an end by signal {-code}"

    def _expect(self, step: Expect) -> None:
        wanted = step.text if step.text is not None else show(step.value)
        body = self._next(step.place, wanted)
        if body is None:
            raise Failed(step.place, wanted, f"{self._end()}: the end of the server's output")
        received = body.decode(errors="replace")
        try:
            value = parse_json(body)
            if isinstance(value, dict) and "method" in value and "id" in value:
                self.asked.append(json.loads(body)["id"])
            found = self.memory.observe(value) or (
                difference(step.value, value, self.memory) if step.text is None else None
            )
        except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
            raise Failed(step.place, wanted, f"{received} — not a usable message: {error!r}") from error
        if step.text is not None and not re.fullmatch(re.escape(wanted).replace("<revision>", "[1-9][0-9]*"), received):
            at = len(os.path.commonprefix([wanted, received]))
            found = Difference(f"character {at}", wanted[at : at + 40], received[at : at + 40])
        if found is not None:
            raise Failed(step.place, wanted, received, found)

    def _is_farewell(self, body: bytes) -> bool:
        """Whether the message ends a watch, or cancels a request that the server has sent in this case.

    Such messages are allowed at the server's end.
    """
        try:
            message = json.loads(body)
            method, params = message["method"], message["params"]
            return method == "source/unwatch" or (method == "$/cancelRequest" and params["id"] in self.asked)
        except (ValueError, KeyError, TypeError, RecursionError):
            return False

    def _exit(self, step: Exit) -> None:
        wanted = f"silence and exit {step.code}"
        while (body := self._next(step.place, wanted)) is not None:
            if not self._is_farewell(body):
                raise Failed(step.place, wanted, body.decode(errors="replace"))
        if (end := self._end()) != f"exit {step.code}":
            raise Failed(step.place, wanted, end)
