"""The broken rules by name, in the order of the specification's sections."""

from . import edits, jumps, live, marks, messages, outputs, pagers, positions, sections, session, sources, transport, undo, view_models, windows  # noqa: F401
from .rule import Rule

RULES = dict(sorted(Rule.known.items(), key=lambda rule: (rule[1].section, rule[0])))
