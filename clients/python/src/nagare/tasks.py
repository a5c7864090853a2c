"""Tasks: the server's questions to the user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from .view import View


class TaskOutcome(Enum):
    """The outcome of a task without a value."""

    CANCELLED = "cancelled"


CANCELLED: Final = TaskOutcome.CANCELLED
"""A handler returns it if the user cancelled the task."""


class Task(Mapping[str, Any]):
    """A task to present (section 5.5 of the specification): `task.kind`, `task["title"]`, `task.get("message")`."""

    def __init__(self, view: View | None, members: Mapping[str, Any]) -> None:
        self.view = view
        """The view that asks the user."""
        self.kind: str = str(members.get("kind"))
        """The kind: `alert`, `confirm`, `prompt`, `choose`, `pickImage`, `login`, or the app's own."""
        self._members = members

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"Task({dict(self._members)!r})"


Handler: TypeAlias = Callable[[Task], "Awaitable[Any] | Any"]
"""Presents a task and returns its value, such as a text, True or an id. Returns None if the task has no value, and
`CANCELLED` if the user cancelled it."""


def task_result(value: Any) -> dict[str, Any]:
    """Converts a handler's result to the answer for the server."""
    if value is CANCELLED:
        return {"outcome": "cancelled"}
    return {"outcome": "completed"} if value is None else {"outcome": "completed", "value": value}
