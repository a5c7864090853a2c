"""The built-in view models, read from protocol/openrpc.json for the generators."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Union

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Plain:
    """A type that each generator maps to a type of its language.

    Its name is `text`, `integer`, `number`, `flag`, `id`, `item`, `choice`, `scalar` (a text, a number or a flag), or
    `object` (an object whose members the app names).
    """

    name: str


@dataclass(frozen=True)
class OneOf:
    """One of several fixed texts."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class ListOf:
    """An array of values of one type."""

    element: Type


@dataclass(frozen=True)
class Member:
    """A member of an object, or a parameter."""

    name: str
    doc: str
    type: Type
    required: bool
    nullable: bool = False
    """Whether the value may be null."""


@dataclass(frozen=True)
class Structure:
    """An object with fixed members. The name is empty if the document gives it no title."""

    name: str
    doc: str
    members: tuple[Member, ...]


Type = Union[Plain, OneOf, ListOf, Structure]


@dataclass(frozen=True)
class Input:
    name: str
    doc: str
    params: tuple[Member, ...]


@dataclass(frozen=True)
class Output:
    name: str
    doc: str
    kind: str
    """`state`, `list` or `event`."""
    type: Type
    nullable: bool
    """Whether the value may be null."""
    optional: bool
    """Whether only some screens have it."""


@dataclass(frozen=True)
class ViewModel:
    name: str
    doc: str
    base: ViewModel | None
    """The view model that it extends. `inputs` and `outputs` don't contain those of the base."""
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]

    @property
    def title(self) -> str:
        return capitalized(self.name)

    def mentions(self, name: str) -> bool:
        """Whether any of its types contains the plain type or the structure of this name."""
        types = [output.type for output in self.outputs] + [param.type for one in self.inputs for param in one.params]
        own = any(name in (part.name for part in parts(one) if isinstance(part, (Plain, Structure))) for one in types)
        return own or (self.base is not None and self.base.mentions(name))


@dataclass(frozen=True)
class Task:
    kind: str
    doc: str
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Error:
    name: str
    code: int
    doc: str


@dataclass(frozen=True)
class Model:
    view_models: tuple[ViewModel, ...]
    tasks: tuple[Task, ...]
    errors: tuple[Error, ...]
    outcomes: OneOf
    """The outcomes of a call with `wait`."""

    @property
    def structures(self) -> list[Structure]:
        """The structures in the values of outputs, each once, without `Navigation`: clients receive a view instead."""
        types = [output.type for view_model in self.view_models for output in view_model.outputs]
        found = {part.name: part for one in types for part in parts(one) if isinstance(part, Structure) and part.name}
        return [structure for name, structure in found.items() if name != "Navigation"]


def load() -> Model:
    document = json.loads((ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8"))
    view_models: list[ViewModel] = []
    for described in document["x-viewModels"]:
        if not described.get("configured"):
            view_models.append(view_model(described, view_models))
    tasks = [Task(one["kind"], one["summary"], members(one["members"])) for one in document["x-tasks"]]
    errors = document["components"]["errors"]
    dispatch = next(method for method in document["methods"] if method["name"] == "dispatch")
    [outcome] = members(dispatch["result"]["schema"])
    assert isinstance(outcome.type, OneOf)
    return Model(
        tuple(view_models),
        tuple(tasks),
        tuple(Error(name, error["code"], error["message"]) for name, error in errors.items()),
        outcome.type,
    )


def view_model(described: Any, known: list[ViewModel]) -> ViewModel:
    inputs = {one["name"]: Input(one["name"], one.get("summary", ""), members(one["params"])) for one in described["inputs"]}
    outputs = {
        one["name"]: Output(one["name"], one.get("summary", ""), one["kind"], type_of(one["value"]), is_nullable(one["value"]), one.get("optional", False))
        for one in described["outputs"]
    }
    names = set(inputs) | set(outputs)
    base = next((one for one in known if names_of(one) < names), None)
    inherited = names_of(base) if base else set()
    return ViewModel(
        described["viewModel"],
        described["summary"],
        base,
        tuple(one for one in inputs.values() if one.name not in inherited),
        tuple(one for one in outputs.values() if one.name not in inherited),
    )


def names_of(one: ViewModel) -> set[str]:
    """Returns the names of the inputs and outputs, without those of the base."""
    return {input.name for input in one.inputs} | {output.name for output in one.outputs}


def members(schema: Any) -> tuple[Member, ...]:
    required = schema.get("required", [])
    return tuple(
        Member(name, one.get("description", ""), type_of(one), name in required, is_nullable(one))
        for name, one in schema.get("properties", {}).items()
    )


def is_nullable(schema: Any) -> bool:
    return isinstance(schema.get("type"), list) and "null" in schema["type"]


def type_of(schema: Any) -> Type:
    if "enum" in schema:
        return OneOf(tuple(schema["enum"]))
    if is_nullable(schema):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        return type_of(schema | {"type": kinds[0] if len(kinds) == 1 else kinds})
    title, kind = schema.get("title", ""), schema.get("type")
    if title == "Choice":
        return Plain("choice")
    # A schema without a type, and the items of a list, are the app's own data.
    if title == "Item" or kind is None:
        return Plain("item")
    if kind == "array":
        return ListOf(type_of(schema["items"]))
    if kind == "object" and "additionalProperties" in schema:
        return Plain("object")
    if kind == "object":
        return Structure(title, schema.get("description", ""), members(schema))
    plain = {"string": "text", "integer": "integer", "number": "number", "boolean": "flag"}
    if isinstance(kind, list):
        return Plain("scalar" if "boolean" in kind else "id")
    return Plain(plain[kind])


def parts(one: Type) -> Iterator[Type]:
    """Yields a type and all types that it contains."""
    yield one
    if isinstance(one, ListOf):
        yield from parts(one.element)
    if isinstance(one, Structure):
        for member in one.members:
            yield from parts(member.type)


def capitalized(name: str) -> str:
    return name[:1].upper() + name[1:]
