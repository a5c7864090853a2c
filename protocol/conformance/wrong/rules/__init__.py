"""The broken rules, by name, in the order of the specification."""

from . import jumps, live, messages, outputs, pagers, positions, session, sources, transport, view_models, windows  # noqa: F401
from .rule import Rule

RULES = dict(sorted(Rule.known.items(), key=lambda rule: (rule[1].section, rule[0])))
