"""Completes names while the user types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from nagare.wire import encode
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from . import line as lines
from .console import OWN_WORDS, Console
from .errors import LineFailed
from .service import Method, Param, as_objects
from .style import printable

MOST_IDS = 200
"""The number of ids that are offered."""
BARE = re.compile(r"[^\s\"'{\[=]+")
"""A value that needs no quotes."""


class LineCompleter(Completer):
    """Offers the names that can come next: words, methods, inputs, screens, views, outputs, parameters and their values."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = lines.PASTED.sub("", document.text_before_cursor, count=1).lstrip()
        if lines.is_message(before):
            return
        word = re.split(r"\s", before)[-1] if before else ""
        for text, meta in self._offers(before[: len(before) - len(word)], word):
            if text.startswith(word):
                shown = text[len(word.partition("=")[0]) + 1 :] if "=" in word else text
                # After the name of a parameter, its value follows.
                whole = text if text.endswith("=") else f"{text} "
                yield Completion(whole, -len(word), display=printable(shown), display_meta=printable(meta))

    def _offers(self, before: str, word: str) -> Iterable[tuple[str, str]]:
        """Returns the words that can follow, each with a description."""
        if not before:
            return [*self._calls(), *OWN_WORDS.items()]
        try:
            head, arguments = lines.parse(before)
        except LineFailed:
            return []  # The cursor is inside a quoted text.
        service, views = self._console.client.service, self._console.client.views
        names = [argument.name for argument in arguments]
        if head in ("view", "close") and not arguments:
            return [(view.name, view.screen) for view in views.open.values()]
        if head == "help":
            return [] if arguments else [*self._calls(), *OWN_WORDS.items(), *self._screens()]
        if head == "await" and not arguments:
            screen = self._console.screen
            outputs = [(name, "waits for this output") for name in (screen.outputs if screen else ())]
            return [*outputs, *self._inputs(), *((name, "a request of the program") for name in service.requests)]
        if head == "await" and isinstance(arguments[0].value, str):
            head, names = arguments[0].value, names[1:]
        elif head == "open" and not arguments and "=" not in word:
            return self._screens()
        elif head in OWN_WORDS and head != "open":
            return []
        return self._params(head, [str(name) for name in names], arguments, word)

    def _calls(self) -> list[tuple[str, str]]:
        methods = self._console.client.service.methods.values()
        return [*self._inputs(), *((method.name, method.summary) for method in methods if method.name != "open")]

    def _inputs(self) -> list[tuple[str, str]]:
        screen, service = self._console.screen, self._console.client.service
        return [(name, service.input(screen, name).summary) for name in screen.inputs] if screen is not None else []

    def _screens(self) -> list[tuple[str, str]]:
        return [(screen.name, screen.view_model) for screen in self._console.client.service.screens.values()]

    def _params(self, head: str, names: list[str], arguments: list[lines.Argument], word: str) -> list[tuple[str, str]]:
        """Returns the parameters that a call doesn't have yet, or the values of the one that the user types."""
        screen, service = self._console.screen, self._console.client.service
        method = service.input(screen, head) if screen is not None and head in screen.inputs else service.methods.get(head)
        if method is None:
            return []
        known = {name: param for name, (_, param) in self._console.known_params(method).items()}
        opened = service.screens.get(str(arguments[0].value)) if head == "open" and arguments else None
        if opened is not None:
            known = {**known, **(opened.params or {})}
            known.pop("screen", None)
        if "=" in word:
            name = word.partition("=")[0]
            return [(f"{name}={text}", meta) for text, meta in self._values(method, known.get(name), name)]
        first = next(iter(known.values()), None)
        values = self._values(method, first, first.name) if first is not None and not arguments else []
        free = [(f"{name}=", _meta(param)) for name, param in known.items() if name not in names]
        return [*free, *values] if word else free

    def _values(self, method: Method, param: Param | None, name: str) -> list[tuple[str, str]]:
        views = self._console.client.views
        if name == "view":
            return [(view.name, view.screen) for view in views.open.values()]
        choices = param.schema.get("enum") if param is not None else None
        if isinstance(choices, list):
            return [(_text(choice), "") for choice in choices]
        if param is not None and param.types == ["boolean"]:
            return [("true", ""), ("false", "")]
        if method.is_input and name in ("id", "from", "to", "before"):
            return self._ids()
        return []

    def _ids(self) -> list[tuple[str, str]]:
        """Returns the ids of the items that the current view has, with a text of each."""
        view = self._console.client.views.current
        lists = [as_objects(value) for value in (view.values.values() if view is not None else ())]
        items = [item for one in lists for item in one if isinstance(item.get("id"), (str, int))][:MOST_IDS]
        return [(_text(item["id"]), next((text for key, text in item.items() if key != "id" and isinstance(text, str)), "")) for item in items]


def _meta(param: Param) -> str:
    return ": ".join(filter(None, (param.describe(), param.summary)))


def _text(value: Any) -> str:
    """Writes a value so that a line is read with the same value."""
    if isinstance(value, str) and BARE.fullmatch(value) and not lines.LITERAL.fullmatch(value):
        return value
    return encode(value).decode()
