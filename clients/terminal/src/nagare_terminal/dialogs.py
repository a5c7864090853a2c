"""Dialogs: questions in a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import nagare

from .application import Question
from .canvas import Canvas
from .cells import fit, width, wrap
from .commands import Command, command, footer
from .field import Field
from .item_guess import item_id, title
from .keys import Mouse
from .text import line, paragraphs

MAX_WIDTH = 72
"""The maximum width, in cells."""
MIN_FRAME_HEIGHT, MIN_FRAME_WIDTH = 8, 30
"""The minimum lines and columns for a frame, keys and gaps."""


class Dialog(Question):
    """A question in a frame."""

    is_opaque = False

    def __init__(self, heading: str, message: str = "") -> None:
        super().__init__()
        self.heading, self.message = line(heading), paragraphs(message)
        self._first = 0
        self._pages = False
        self._left = self._answers_top = 0
        self._is_bare, self._framed = False, ""

    def commands(self) -> Iterator[Command]:
        yield command("escape", "Cancel", self.cancel)
        if self._pages:
            yield command("pageup", "", lambda: self._scroll(-1))
            yield command("pagedown", "", lambda: self._scroll(1))

    def question_text(self) -> str:
        """The text above the answers. It includes the heading if the frame has no room for it."""
        return "\n".join(text for text in ("" if self._framed else self.heading, self.message) if text)

    def height(self, columns: int) -> int:
        """Returns the number of lines that the answers need."""
        return 0

    def draw_answers(self, canvas: Canvas) -> None:
        """Draws the answers, such as buttons or a field."""

    def draw(self, canvas: Canvas) -> None:
        # The terminal is too small for a frame, so the dialog fills it.
        self._is_bare = canvas.height < MIN_FRAME_HEIGHT or canvas.width < MIN_FRAME_WIDTH
        keys = 0 if canvas.height < MIN_FRAME_HEIGHT else 1
        columns = canvas.width if self._is_bare else min(MAX_WIDTH, canvas.width - (4 if canvas.width > 40 else 0))
        across, frame, gap = (columns, 0, 0) if self._is_bare else (columns - 4, 2, 1)
        self._framed = self.heading if not self._is_bare and width(self.heading) <= columns - 6 else ""
        lines = wrap(question, across - (2 if self._is_bare else 0)) if (question := self.question_text()) else []
        needed = self.height(across)
        # All answers stay in sight if they fit. A long question scrolls.
        free = canvas.height - keys - frame - (gap if lines else 0)
        room = min(len(lines), max(1, free - min(needed, max(free // 2, 4))))
        shown = min(needed, free - room)
        self._pages, self._room = len(lines) > room, room
        self._first = max(0, min(self._first, len(lines) - room))
        rows = canvas.height - keys if self._is_bare else frame + room + (gap if lines and shown else 0) + shown
        left, top = (canvas.width - columns) // 2, max(0, (canvas.height - 1 - rows) // 2)
        inside = canvas.part(left, top, columns, rows)
        inside = inside.cleared() if self._is_bare else inside.frame(self._framed, "frame")
        self._left, start = left + (columns - across) // 2, room + (gap if lines else 0)
        self._answers_top = top + frame // 2 + start
        for y, text in enumerate(lines[self._first : self._first + room]):
            inside.write(0, y, text, "title" if self._is_bare else "text")
        if self._pages:
            below = self._first + room < len(lines)
            inside.write(inside.width - (1 if self._is_bare else 0), room - 1 if below else 0, "↓" if below else "↑", "accent")
        self.draw_answers(inside.part(0, start, inside.width, shown))
        if keys:
            footer(canvas, canvas.height - 1, self.commands())

    def _scroll(self, pages: int) -> None:
        self._first += pages * self._room


class Confirm(Dialog):
    """Asks for a confirmation."""

    def __init__(self, heading: str, message: str = "", answers: Sequence[str] = ("Yes", "No")) -> None:
        super().__init__(heading, message)
        self.answers = answers
        self._chosen = 0
        self._ends: list[int] = []

    def commands(self) -> Iterator[Command]:
        yield command("enter", "OK", lambda: self._choose(self._chosen))
        if len(self.answers) > 1:
            yield command("y", self.answers[0], lambda: self._choose(0))
            yield command("n", self.answers[1], self.cancel)
            yield command("left right tab shift+tab", "", self._other)
        yield from super().commands()

    def height(self, columns: int) -> int:
        return 1

    def draw_answers(self, canvas: Canvas) -> None:
        x, self._ends = 0, []
        pad = "  " if width("".join(self.answers)) + 6 * len(self.answers) <= canvas.width + 2 else " "
        for number, answer in enumerate(self.answers):
            x = canvas.write(x, 0, f"{pad}{answer}{pad}", "chosen" if number == self._chosen else "button") + len(pad)
            self._ends.append(x)

    def click(self, mouse: Mouse) -> None:
        if mouse.y == self._answers_top and mouse.button == "left":
            for number, end in enumerate(self._ends):
                if mouse.x - self._left < end:
                    self._choose(number)
                    return

    def _other(self) -> None:
        self._chosen = 1 - self._chosen

    def _choose(self, number: int) -> None:
        self.dismiss(True if number == 0 else nagare.CANCELLED)


class Alert(Confirm):
    """Shows information that the user only closes."""

    def __init__(self, heading: str, message: str = "") -> None:
        super().__init__(heading, message, ["OK"])

    def _choose(self, number: int) -> None:
        self.dismiss(None)


class Trouble(Confirm):
    """Shows why the session ended, and offers to restart."""

    def __init__(self, heading: str, message: str) -> None:
        super().__init__(heading, message, ["Start it again", "Quit"])

    def commands(self) -> Iterator[Command]:
        yield command("enter", "OK", lambda: self._choose(self._chosen))
        yield command("q escape n", "Quit", self.cancel)
        yield from super().commands()


class Prompt(Dialog):
    """Asks for a text."""

    def __init__(self, heading: str, message: str = "", text: str = "", *, secret: bool = False) -> None:
        super().__init__(heading, message)
        self.field = Field(text, secret=secret)
        self.complaint = ""

    def commands(self) -> Iterator[Command]:
        yield command("enter", "OK", lambda: self.accept(self.field.text))
        yield from super().commands()

    def type(self, key: str) -> None:
        self.field.type(key)

    def paste(self, text: str) -> None:
        self.field.paste(text)

    def height(self, columns: int) -> int:
        return 2 if self.complaint else 1

    def draw_answers(self, canvas: Canvas) -> None:
        self.field.draw(canvas, 0, 0, canvas.width, active=True)
        canvas.write(0, 1, self.complaint, "error")

    def accept(self, text: str) -> None:
        """Accepts the typed text."""
        self.dismiss(text)


class PickFile(Prompt):
    """Asks for an existing file."""

    def accept(self, text: str) -> None:
        path = Path(text).expanduser()
        if path.is_file():
            self.dismiss(str(path.resolve()))
        else:
            self.complaint = f"There is no file {line(text)}"


class SaveFile(Prompt):
    """Asks for the path of a new file. If the offered folder is missing, it is created."""

    def __init__(self, heading: str, offered: Path) -> None:
        super().__init__(heading, "", str(offered))
        self._offered = offered.parent

    def accept(self, text: str) -> None:
        path = Path(text).expanduser()
        if path.parent == self._offered:
            with suppress(OSError):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists():
            self.complaint = f"There is already {'a folder' if path.is_dir() else 'a file'} {line(text)}"
        elif not path.parent.is_dir():
            self.complaint = f"There is no folder {line(path.parent)}"
        else:
            self.dismiss(path.absolute())


class Choose(Dialog):
    """Asks for one of several choices. Typing filters them."""

    def __init__(
        self, heading: str, choices: Sequence[tuple[str, str, Any]], message: str = "",
        made: Callable[[str], Iterable[tuple[str, str, Any]]] = lambda text: (),
    ) -> None:  # fmt: skip
        """- `choices` are a text on the left, a text on the right, and the answer. `made` returns more choices for the typed text."""
        super().__init__(heading, message)
        self.choices, self._made = choices, made
        self.field = Field()
        self._cursor = self._start = 0

    @property
    def found(self) -> list[tuple[str, str, Any]]:
        """The choices that match the typed text."""
        words = self.field.text.casefold().split()
        left = [choice for choice in self.choices if all(word in f"{choice[0]} {choice[1]}".casefold() for word in words)]
        return [*self._made(self.field.text), *left]

    def question_text(self) -> str:
        # Saves a line: the heading becomes the field's hint.
        self.field.hint = self.heading if self._is_bare else "type to find"
        return self.message if self._is_bare else super().question_text()

    def commands(self) -> Iterator[Command]:
        yield command("enter", "OK", self._accept)
        yield command("up shift+tab", "", lambda: self._move(-1))
        yield command("down tab", "", lambda: self._move(1))
        if not self._pages:
            yield command("pageup", "", lambda: self._move(-10))
            yield command("pagedown", "", lambda: self._move(10))
        if not self.field.text:
            yield command("home", "", lambda: self._move(-len(self.choices)))
            yield command("end", "", lambda: self._move(len(self.choices)))
        yield from super().commands()

    def type(self, key: str) -> None:
        if self.field.type(key):
            self._cursor = 0

    def height(self, columns: int) -> int:
        return len(self.choices) + 1

    def draw_answers(self, canvas: Canvas) -> None:
        self.field.draw(canvas, 0, 0, canvas.width, active=True)
        found, room = self.found, canvas.height - 1
        self._cursor = max(0, min(self._cursor, len(found) - 1))
        self._start = max(self._cursor - room + 1, min(self._start, self._cursor))
        for y, (left, right, _) in enumerate(found[self._start : self._start + room], 1):
            style = "chosen" if self._start + y - 1 == self._cursor else "text"
            canvas.write(0, y, fit(left, canvas.width), style)
            if width(left) + width(right) + 2 <= canvas.width:
                canvas.write(canvas.width - width(right), y, right, style if style == "chosen" else "dim")

    def click(self, mouse: Mouse) -> None:
        if mouse.button in ("up", "down"):
            self._move(3 if mouse.button == "down" else -3)
        elif 0 <= (row := mouse.y - self._answers_top - 1 + self._start) < len(self.found):
            self._cursor = row
            self._accept()

    def _move(self, rows: int) -> None:
        self._cursor = max(0, min(self._cursor + rows, len(self.found) - 1))

    def _accept(self) -> None:
        if self.found:
            self.dismiss(self.found[self._cursor][2])


def dialog(task: nagare.Task) -> Dialog:
    """Returns the dialog for a task of the server."""
    heading, message = task.get("title", ""), task.get("message", "")
    if task.kind == "alert":
        return Alert(heading, message)
    if task.kind == "confirm":
        return Confirm(heading, message)
    if task.kind == "choose":
        return Choose(heading, [(title(choice), "", item_id(choice)) for choice in task["choices"]], message)
    if task.kind == "pickImage":
        return PickFile("Path of an image")
    if task.kind == "login":
        return Prompt(heading or "Log in", "Token", secret=True)
    return Prompt(heading, message, task.get("text") or "")


KINDS = "alert", "confirm", "prompt", "choose", "pickImage", "login"
"""The kinds of tasks with a dialog."""
