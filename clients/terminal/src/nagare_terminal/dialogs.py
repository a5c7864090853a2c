"""Tasks that the server has the user do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import nagare
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from .answers import Answer, Choices, Field
from .words import identity, line, paragraphs, title


class Dialog(ModalScreen[Any]):
    """A question. It ends with the answer, or with `CANCELLED`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "turn_down", "Cancel", key_display="Esc"),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]

    def __init__(self, heading: str, message: str = "") -> None:
        super().__init__()
        self.heading, self.message = heading, message
        self.withdrawn = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(line(self.heading), id="question", markup=False)
            if self.message:
                yield VerticalScroll(Static(paragraphs(self.message), markup=False), id="message", can_focus=False)
            yield from self.answers()
        yield Footer(show_command_palette=False)  # It hides the keys of the screen below, which are out of reach.

    def answers(self) -> list[Widget]:
        """What the user can answer by."""
        return []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Where all of the message is in sight, the keys are for the answers.
        return action != "scroll" or any(message.max_scroll_y > 0 for message in self.query("#message"))

    def action_scroll(self, pages: int) -> None:
        """Goes through the message, while the focus stays on the answers."""
        message = self.query_one("#message")
        message.scroll_relative(y=pages * message.size.height, animate=False)

    def action_turn_down(self) -> None:
        self.dismiss(nagare.CANCELLED)

    def withdraw(self) -> None:
        """Goes without an answer: at once, or when it is on top again."""
        self.withdrawn = True
        if self.is_current:
            self.dismiss(nagare.CANCELLED)

    def on_screen_resume(self) -> None:
        if self.withdrawn:
            self.dismiss(nagare.CANCELLED)


class Alert(Dialog):
    """Something to know."""

    def answers(self) -> list[Widget]:
        return [Answer("OK", variant="primary")]

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)


class Confirm(Dialog):
    """Something to agree to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", "Yes"),
        Binding("n", "turn_down", "No"),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, heading: str, message: str = "", yes: str = "Yes", no: str = "No") -> None:
        super().__init__(heading, message)
        self.yes, self.no = yes, no

    def answers(self) -> list[Widget]:
        return [Horizontal(Answer(self.yes, variant="primary", id="yes"), Answer(self.no, id="no"))]

    def action_agree(self) -> None:
        self.dismiss(True)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(True if event.button.id == "yes" else nagare.CANCELLED)


class Trouble(Confirm):
    """Why nothing more is shown, and whether to begin anew."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", show=False),
        Binding("n", "turn_down", show=False),
        Binding("escape,q", "turn_down", "Quit", key_display="q Esc"),
    ]

    def __init__(self, heading: str, message: str) -> None:
        super().__init__(heading, message, "Start it again", "Quit")


class Prompt(Dialog):
    """A text to type."""

    def __init__(self, heading: str, message: str = "", text: str = "", *, secret: bool = False) -> None:
        super().__init__(heading, message)
        self.text, self.secret = text, secret

    def answers(self) -> list[Widget]:
        return [Field(self.text, password=self.secret), Static(id="complaint", markup=False)]

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.take(event.value)

    def take(self, text: str) -> None:
        """Ends with what was typed."""
        self.dismiss(text)


class PickFile(Prompt):
    """A file that is there."""

    def take(self, text: str) -> None:
        path = Path(text).expanduser()
        if path.is_file():
            self.dismiss(str(path.resolve()))
        else:
            self.query_one("#complaint", Static).update(f"There is no file {line(text)}")


class Choose(Dialog):
    """One of several."""

    def __init__(self, heading: str, choices: Sequence[Any], message: str = "") -> None:
        super().__init__(heading, message)
        self.choices = choices

    def answers(self) -> list[Widget]:
        return [Choices(*(Option(title(choice)) for choice in self.choices), markup=False)]

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(identity(self.choices[event.option_index]))


def dialog(task: nagare.Task) -> Dialog:
    """The dialog that a task asks for."""
    heading, message = task.get("title", ""), task.get("message", "")
    if task.kind == "alert":
        return Alert(heading, message)
    if task.kind == "confirm":
        return Confirm(heading, message)
    if task.kind == "choose":
        return Choose(heading, task["choices"], message)
    if task.kind == "pickImage":
        return PickFile("Path of an image")
    if task.kind == "login":
        return Prompt(heading or "Log in", "Token", secret=True)
    return Prompt(heading, message, task.get("text") or "")


KINDS = "alert", "confirm", "prompt", "choose", "pickImage", "login"
"""The kinds of tasks that there are dialogs for."""
