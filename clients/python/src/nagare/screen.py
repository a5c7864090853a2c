"""Definitions of screens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Screen:
    """The definition of a screen."""

    name: str
    view_model: str
    """The kind of view model: `list`, `search`, `pager`, `choice`, `task`, `feed`, or the server's own."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
