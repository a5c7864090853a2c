"""What dialogs are answered by: Textual's widgets, whose Enter is among the keys that are shown."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Button, Input, OptionList


class Answer(Button):
    """One of the answers that there are."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "press", "OK", key_display="Enter")]


class Field(Input):
    """An answer to type."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "OK", key_display="Enter")]


class Choices(OptionList):
    """An answer to pick."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "OK", key_display="Enter")]
