"""The broken rules, by name, in the order of the specification."""

from . import live, messages, outputs, session, sources, transport, view_models  # noqa: F401
from .rule import Rule

RULES = dict(sorted(Rule.known.items(), key=lambda rule: (rule[1].section, rule[0])))
