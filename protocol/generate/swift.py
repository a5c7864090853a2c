"""Generates the types for clients/swift. Failures, choices and error codes come from the module `Nagare` instead."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from model import Input, ListOf, Member, Model, OneOf, Output, Plain, Structure, Type, ViewModel, capitalized

PATH = "clients/swift/Sources/NagareClient/BuiltInViews.swift"
VALUES_PATH = "clients/swift/Sources/NagareClient/BuiltInValues.swift"
NAMES = {"text": "String", "integer": "Int", "number": "Double", "flag": "Bool", "id": "ItemID", "item": "Item", "choice": "ChoiceItem", "object": "RawJSON", "scalar": "RawJSON"}
SHARED = {"Failure", "Navigation"}
"""The structures that the module `Nagare` has already."""
ITEM = "<Item: Codable & Sendable>"
HEAD = """public import Nagare

// {about}
//
// Generated from protocol/openrpc.json; make generate
"""


def generate(model: Model) -> str:
    """Returns the types of the view models' inputs and outputs."""
    blocks = [one for view_model_ in model.view_models for one in view_model(view_model_)]
    return HEAD.format(about="The built-in view models.") + "".join(f"\n{block}\n" for block in blocks)


def values(model: Model) -> str:
    """Returns the types of the inputs' parameters and of the outputs' values."""
    inputs = [input for view_model_ in model.view_models for input in view_model_.inputs if len(input.params) > 1]
    blocks = [record(capitalized(input.name), input.doc, input.params) for input in inputs]
    blocks += [record(one.name, one.doc, one.members) for one in model.structures if one.name not in SHARED]
    head = HEAD.format(about="The types of the built-in view models' parameters and values.")
    return head + "".join(f"\n{block}\n" for block in [*blocks, "\n".join(tasks(model))])


def view_model(one: ViewModel) -> Iterator[str]:
    inputs, outputs = everything(one)
    of_item = any(param.type == Plain("item") for input in inputs for param in input.params)
    title, parameter = one.title, ITEM if one.mentions("item") else ""
    yield "\n".join(ports(title, inputs, ITEM if of_item else ""))
    yield "\n".join(streams(title, outputs, parameter))
    item = "<Item>" if of_item else ""
    arguments = f"{title}Input{item}, {title}Output{'<Item>' if parameter else ''}"
    yield f"/// {one.doc}\npublic typealias {title}View{parameter} = RemoteView<{arguments}>"


def everything(one: ViewModel) -> tuple[list[Input], list[Output]]:
    inputs, outputs = everything(one.base) if one.base else ([], [])
    return [*inputs, *one.inputs], [*outputs, *one.outputs]


def ports(title: str, inputs: list[Input], parameter: str) -> Iterator[str]:
    yield f"/// The inputs of a {title.lower()}."
    yield f"public struct {title}Input{parameter}: Ports {{"
    for input in inputs:
        yield f"  /// {input.doc}"
        if not input.params:
            yield f"  public let {input.name} = Trigger()"
        elif len(input.params) == 1:
            yield f'  public let {input.name} = Port<{name_of(input.params[0].type)}>("{input.params[0].name}")'
        else:
            yield f"  public let {input.name} = Port<{record_name(input)}>()"
    yield from ["", "  /// Creates the inputs.", "  public init() {}", "}"]


def streams(title: str, outputs: list[Output], parameter: str) -> Iterator[str]:
    yield f"/// The outputs of a {title.lower()}."
    yield f"public struct {title}Output{parameter} {{"
    for output in outputs:
        yield f"  /// {output.doc}"
        yield f"  public let {output.name}: {'Signal' if output.kind == 'event' else 'Driver'}<{value(output)}>"
    yield "}"


def value(output: Output) -> str:
    if output.kind == "list" and isinstance(output.type, ListOf):
        return f"Rows<{name_of(output.type.element)}>"
    if isinstance(output.type, Structure) and not output.type.name:
        return "Void"
    return name_of(output.type) + ("?" if output.nullable else "")


def record_name(input: Input) -> str:
    return capitalized(input.name) + ("<Item>" if any(param.type == Plain("item") for param in input.params) else "")


def record(name: str, doc: str, members: tuple[Member, ...]) -> str:
    """Returns a type with a property for each member."""
    parameter = ITEM if any(member.type == Plain("item") for member in members) else ""
    lines = [f"/// {doc}", f"public struct {name}{parameter}: Codable, Sendable {{"]
    for member in members:
        if isinstance(member.type, OneOf):
            lines += [*cases(member), ""]
    for member in members:
        lines += [f"  /// {member.doc}", f"  public let {member.name}: {type_in(member)}"]
    lines += ["", "  /// Creates a value from its fields."]
    given = (f"{member.name}: {type_in(member)}{'' if member.required else ' = nil'}" for member in members)
    taken = ", ".join(given)
    head = f"  public init({taken}) {{"
    lines += [head] if len(head) <= 120 else ["  public init(", *filled(taken), "  ) {"]
    lines += [f"    self.{member.name} = {member.name}" for member in members]
    return "\n".join([*lines, "  }", "}"])


def filled(params: str) -> list[str]:
    """Splits parameters into lines of at most 120 characters. Breaks only after commas."""
    fixed = params.replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return [f"    {line}".replace("\N{NO-BREAK SPACE}", " ") for line in textwrap.wrap(fixed, 116)]


def cases(member: Member) -> Iterator[str]:
    assert isinstance(member.type, OneOf)
    yield f"  /// {member.doc}"
    yield f"  public enum {capitalized(member.name)}: String, Codable, CaseIterable, Sendable {{"
    for word in member.type.words:
        yield f"    /// `{word}`."
        yield f"    case {word}"
    yield "  }"


def type_in(member: Member) -> str:
    name = capitalized(member.name) if isinstance(member.type, OneOf) else name_of(member.type)
    return name if member.required and not member.nullable else f"{name}?"


def tasks(model: Model) -> Iterator[str]:
    yield "/// The kinds of task that every client should know (section 5.5)."
    yield "public enum TaskKind: String, CaseIterable, Sendable {"
    for task in model.tasks:
        yield f"  /// {task.doc}"
        yield f"  case {task.kind}"
    yield "}"


def name_of(one: Type) -> str:
    if isinstance(one, Plain):
        return NAMES[one.name]
    if isinstance(one, ListOf):
        return f"[{name_of(one.element)}]"
    assert isinstance(one, Structure)
    return one.name + ("<Item>" if any(member.type == Plain("item") for member in one.members) else "")
