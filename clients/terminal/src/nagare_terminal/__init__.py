"""Nagare's screens in a terminal: lists, searches, details, choices, feeds and tasks of any server."""

from .app import Terminal

__all__ = ["Terminal"]
