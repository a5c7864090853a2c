"""Generates the types for clients/python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from keyword import iskeyword

from model import Input, ListOf, Member, Model, OneOf, Output, Plain, Structure, Type, ViewModel, capitalized

TYPES_PATH = "clients/python/src/nagare/types.py"
VIEW_MODELS_PATH = "clients/python/src/nagare/view_models.py"
CODES_PATH = "clients/python/src/nagare/codes.py"
NAMES = {"text": "str", "integer": "int", "number": "float", "flag": "bool", "id": "Any", "item": "T", "choice": "Any", "object": "dict[str, Any]", "scalar": "str | float | bool"}
TYPES_HEAD = '''"""The types of the outputs' values."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Literal, TypedDict
'''
VIEW_MODELS_HEAD = '''"""The inputs and outputs of the built-in view models."""

# Generated from protocol/openrpc.json; make generate

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from .inputs import input
from .items import Items
from .types import IMPORTED
from .view import View

T = TypeVar("T")
'''


def types(model: Model) -> str:
    outcome = f'Outcome = {name_of(model.outcomes)}\n"""The outcome of all work that an input started (section 4.1)."""'
    return TYPES_HEAD + joined([outcome, tasks(model), *map(structure, model.structures)])


def view_models(model: Model) -> str:
    blocks = joined("\n".join(view_model(one)) for one in model.view_models)
    imported = sorted(one.name for one in model.structures if re.search(rf"\b{one.name}\b", blocks))
    return VIEW_MODELS_HEAD.replace("IMPORTED", ", ".join(imported)) + blocks


def joined(blocks: Iterable[str]) -> str:
    return "".join(f"\n\n{block}\n" for block in blocks)


def codes(model: Model) -> str:
    lines = ['"""The error codes of the protocol."""', "", "# Generated from protocol/openrpc.json; make generate", ""]
    lines += ["from enum import IntEnum", "", "", "class ErrorCode(IntEnum):"]
    lines += ['    """The code of an error (section 2.2)."""', ""]
    for error in model.errors:
        lines += [f"    {constant(error.name)} = {error.code}", f'    """{error.doc}"""']
    return "\n".join(lines) + "\n"


def tasks(model: Model) -> str:
    kinds = ", ".join(f'"{task.kind}"' for task in model.tasks)
    return f'TaskKind = Literal[{kinds}]\n"""The kinds of task that every client should know (section 5.5)."""'


def structure(one: Structure) -> str:
    # `NotRequired` needs Python 3.11.
    optional = [member for member in one.members if not member.required]
    lines = sometimes(one, optional) + ["", ""] if optional else []
    lines += [f"class {one.name}({f'Sometimes{one.name}' if optional else 'TypedDict'}):", f'    """{one.doc}"""', ""]
    return "\n".join(lines + [line for member in one.members if member.required for line in declared(member)])


def sometimes(one: Structure, optional: list[Member]) -> list[str]:
    name, doc = f"Sometimes{one.name}", f"The optional fields of `{one.name}`."
    if any(iskeyword(member.name) for member in optional):
        # A class can't have a field whose name is a keyword.
        members = ", ".join(f'"{member.name}": {value_of(member)}' for member in optional)
        return [f'{name} = TypedDict("{name}", {{{members}}}, total=False)', f'"""{doc}"""']
    lines = [f"class {name}(TypedDict, total=False):", f'    """{doc}"""', ""]
    return lines + [line for member in optional for line in declared(member)]


def value_of(member: Member) -> str:
    # A generic TypedDict needs Python 3.11.
    name = "Any" if member.type == Plain("item") else name_of(member.type)
    return f"{name} | None" if member.nullable else name


def declared(member: Member) -> Iterator[str]:
    yield f"    {member.name}: {value_of(member)}"
    if member.doc:
        yield f'    """{member.doc}"""'


def view_model(one: ViewModel) -> Iterator[str]:
    is_generic = one.mentions("item") and not one.base
    base = f"{one.base.title}Model[T]" if one.base else "View, Generic[T]" if is_generic else "View"
    yield f"class {one.title}Model({base}):"
    yield f'    """{one.doc}"""'
    for output in one.outputs:
        if output.kind != "event":
            yield from current(output)
    for input in one.inputs:
        yield from method(input)


def current(output: Output) -> Iterator[str]:
    name = name_of(output.type)
    if output.kind == "list" and isinstance(output.type, ListOf):
        name = f"Items[{name_of(output.type.element)}]"
    if output.nullable:
        name += " | None"
    yield ""
    yield "    @property"
    yield f"    def {output.name}(self) -> {name}:"
    yield f'        """{output.doc}"""'
    yield f'        value: {name} = self["{output.name}"]'
    yield "        return value"


def method(input: Input) -> Iterator[str]:
    params = "".join(f", {param(one)}" for one in input.params)
    yield ""
    yield "    @input"
    yield f"    def {input.name}(self{', *' if params else ''}{params}) -> None:"
    yield f'        """{input.doc}"""'


def param(one: Member) -> str:
    name, type = one.name + "_" * iskeyword(one.name), name_of(one.type)
    if one.required:
        return f"{name}: {type}"
    return f"{name}: {type if type == 'Any' else f'{type} | None'} = None"


def name_of(one: Type) -> str:
    if isinstance(one, Plain):
        return NAMES[one.name]
    if isinstance(one, OneOf):
        return "Literal[" + ", ".join(f'"{word}"' for word in one.words) + "]"
    if isinstance(one, ListOf):
        return f"list[{name_of(one.element)}]"
    return capitalized(one.name)


def constant(name: str) -> str:
    """Returns the name of a constant for a JSON name: `PARSE_ERROR` for `parseError`."""
    return re.sub(r"(?=[A-Z])", "_", name).upper()
