"""The prompt in a terminal."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

from nagare.system import state_folder
from nagare.wire import decode
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, get_common_complete_suffix
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from . import line as lines
from .client import Client
from .complete import LineCompleter
from .console import Console
from .errors import LineFailed
from .style import printable

STYLE = Style.from_dict({"prompt": "bold", "waiting": "italic", "completion-menu.meta.completion": "noreverse"})
MOST_SCREENS = 12
"""The number of screens that the greeting names."""


async def run_prompt(client: Client) -> None:
    """Reads lines with a prompt until the user quits or the program ends."""
    await Prompt(client).run()


class Prompt:
    """The prompt stays usable while a line waits. The lines are carried out one after the other."""

    def __init__(self, client: Client) -> None:
        self._client, self._console = client, Console(client)
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._completer = LineCompleter(self._console)
        self._session: PromptSession[str] = PromptSession(
            self._prompt,
            rprompt=self._waiting,
            completer=self._completer,
            complete_while_typing=False,
            history=_history(),
            key_bindings=self._keys(),
            style=STYLE,
            enable_suspend=True,
        )

    async def run(self) -> None:
        client = self._client
        client.on_change = self._session.app.invalidate
        loop = asyncio.get_running_loop()
        # Between two prompts, Ctrl-C is a signal.
        loop.add_signal_handler(signal.SIGINT, client.stop_waiting)
        with patch_stdout(raw=True):
            working = asyncio.ensure_future(self._work())
            working.add_done_callback(lambda done: self._leave())
            ending = asyncio.ensure_future(self._end_with_program())
            try:
                await self._read()
                if not self._lines.empty() or client.waits_for is not None:
                    await asyncio.wait({working, client.ended}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                working.cancel()
                ending.cancel()
                await asyncio.wait({working, ending})
                if client.ended.done():
                    client.printer.note("The program has ended.")
                await client.end(is_hurried=True)
                loop.remove_signal_handler(signal.SIGINT)
        if not working.cancelled():
            working.result()

    async def _read(self) -> None:
        while not self._client.ended.done() and not self._console.has_quit:
            try:
                text = await self._session.prompt_async(handle_sigint=False)
            except EOFError:
                return self._stop()
            typed = _split(text)
            if typed == ["quit"]:
                return self._stop()
            for line in typed:
                self._lines.put_nowait(line)
            if "quit" in typed:
                return

    def _stop(self) -> None:
        """Drops the lines that haven't been carried out."""
        while not self._lines.empty():
            self._lines.get_nowait()
        self._client.stop_waiting()

    async def _work(self) -> None:
        """Carries out lines, until one ends the session."""
        await self._client.discovered()
        self._greet()
        while not self._console.has_quit:
            line = await self._lines.get()
            try:
                await self._console.run(line)
            except LineFailed as error:
                if not error.is_shown:
                    self._client.printer.error(str(error))
            self._client.on_change()

    async def _end_with_program(self) -> None:
        await asyncio.wait({self._client.ended})
        self._leave()

    def _leave(self) -> None:
        """Ends the prompt. The text that the user has begun stays in the history."""
        if self._session.app.is_running and not self._session.app.is_done:
            if begun := self._session.default_buffer.text.strip():
                self._session.history.append_string(begun)
            self._session.app.exit(exception=EOFError())

    def _greet(self) -> None:
        service, printer = self._client.service, self._client.printer
        if self._client.ended.done():
            return
        names = [printable(name) for name in service.screens]
        if not names:
            return printer.note("The program lists no screens. Type a method, or help.")
        more = f" and {len(names) - MOST_SCREENS} more" if len(names) > MOST_SCREENS else ""
        printer.note(f"{service.title or 'The program'} has the screens {', '.join(names[:MOST_SCREENS])}{more}.")
        printer.note(f"Type “open {lines.quoted(names[0])}” to begin, or “help”. Tab completes names.")

    def _prompt(self) -> StyleAndTextTuples:
        view = self._client.views.current
        if view is None:
            name = os.path.basename(self._client.command[0])
        else:
            name = view.name if view.name == view.screen else f"{view.screen} {view.name}"
        return [("class:prompt", printable(name)), ("", "> ")]

    def _waiting(self) -> StyleAndTextTuples:
        # A line that the user has entered stays without this remark.
        if self._client.waits_for is None or self._session.app.is_done:
            return []
        return [("class:waiting", printable(f"waiting for {self._client.waits_for} · Ctrl-C stops"))]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            """Stops waiting. If no line waits, the begun line is cleared; the history keeps it."""
            if self._client.stop_waiting():
                return
            buffer = event.current_buffer
            if buffer.text.strip():
                buffer.reset(append_to_history=True)
            else:
                self._client.printer.note("Ctrl-D or “quit” ends the session.")

        @keys.add("tab")
        def _(event: KeyPressEvent) -> None:
            """Completes at once, so that the keys after Tab can be typed quickly. A menu lists several completions."""
            buffer = event.current_buffer
            if buffer.complete_state is not None:
                return buffer.complete_next()
            requested = CompleteEvent(completion_requested=True)
            found = list(self._completer.get_completions(buffer.document, requested))
            if len(found) == 1:
                return buffer.apply_completion(found[0])
            buffer.insert_text(get_common_complete_suffix(buffer.document, found))
            if found:
                buffer.start_completion()

        return keys


def _split(text: str) -> list[str]:
    """Splits a pasted text into lines. A message that was pasted with line breaks is one line."""
    parts = [part.strip() for part in text.splitlines() if part.strip()]
    whole = lines.PASTED.sub("", " ".join(parts), count=1)
    if len(parts) > 1 and lines.is_message(whole) and (_is_json(whole) or not _is_json(lines.PASTED.sub("", parts[0], count=1))):
        return [whole]
    return parts


def _is_json(text: str) -> bool:
    try:
        decode(text.encode("utf-8", "backslashreplace"))
    except (ValueError, RecursionError):
        return False
    return True


class _SafeHistory(FileHistory):
    """A history that works without its file when the file can't be written."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _history() -> History:
    """Returns the history in the user's state folder. Without a home, or if the folder can't be written, nothing is saved."""
    folder = state_folder()
    if folder is None:
        return InMemoryHistory()
    file = folder / "repl-history"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The file is private, because lines contain search texts and names.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError:
        return InMemoryHistory()
    return _SafeHistory(str(file))
