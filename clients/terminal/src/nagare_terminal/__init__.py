"""Nagare's screens in a terminal: lists, searches, details, choices, feeds and tasks, whatever a server has."""

from .app import Terminal

__all__ = ["Terminal"]
