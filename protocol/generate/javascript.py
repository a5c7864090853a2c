"""Generates the types for clients/javascript, and its module of error codes."""

from __future__ import annotations

from collections.abc import Iterator

from model import Input, ListOf, Member, Model, OneOf, Output, Plain, Structure, Type, ViewModel

PATH = "clients/javascript/src/model.ts"
CODES_PATH = "clients/javascript/src/codes.js"
NAMES = {"text": "string", "integer": "number", "number": "number", "flag": "boolean", "id": "Id", "item": "Item", "choice": "Choice", "object": "Record<string, any>", "scalar": "string | number | boolean"}
HEAD = """/** The types of the built-in view models. */

// Generated from protocol/openrpc.json; make generate

import type { ExactNumber } from "./json.js";
import type { View } from "./types.js";

/** An item's id: the value of one of its fields. Integers beyond 2⁵³ are bigints. */
export type Id = string | number | bigint | ExactNumber;
"""


def generate(model: Model) -> str:
    outcome = f"/** The outcome of all work that an input started. */\nexport type Outcome = {name_of(model.outcomes)};"
    blocks = [outcome, *("\n".join(structure(one)) for one in model.structures)]
    blocks += ["\n".join(view_model(one)) for one in model.view_models]
    blocks += ["\n".join(tasks(model))]
    return HEAD + "".join(f"\n{block}\n" for block in blocks)


def codes(model: Model) -> str:
    lines = ["// Generated from protocol/openrpc.json; make generate", ""]
    lines += ["/** The error codes of the protocol, by name. */", "export const ErrorCode = Object.freeze({"]
    for error in model.errors:
        lines += [f"  /** {error.doc} */", f"  {error.name}: {error.code},"]
    return "\n".join([*lines, "});"]) + "\n"


def structure(one: Structure) -> Iterator[str]:
    is_generic = any(member.type == Plain("item") for member in one.members)
    yield f"/** {one.doc} */"
    yield f"export interface {one.name}{'<Item>' if is_generic else ''} {{"
    yield from described_members(one.members)
    yield "}"


def described_members(members: tuple[Member, ...]) -> Iterator[str]:
    for member in members:
        if member.doc:
            yield f"  /** {member.doc} */"
        yield f"  {declared(member)};"


def view_model(one: ViewModel) -> Iterator[str]:
    parameter = "<Item>" if one.mentions("item") else "<Choice = string>" if one.mentions("choice") else ""
    base = f"{one.base.title}Model<Item>" if one.base else ""
    values = [output for output in one.outputs if output.kind != "event"]
    events = [output for output in one.outputs if output.kind == "event"]
    yield f"/** {one.doc} */"
    yield f"export interface {one.title}Model{parameter} {{"
    yield from part("values", base, [(output.doc, f"{output.name}{'?' if output.optional else ''}: {value(output)}") for output in values])
    own = [(output.doc, f"{output.name}: {event(output)}") for output in events]
    closed = [] if base else [("The view was closed, by the client or the server.", "closed: null")]
    yield from part("events", base, [*own, *closed])
    yield from part("inputs", base, [(input.doc, f"{input.name}: {params(input)}") for input in one.inputs])
    yield "}"


def part(name: str, base: str, members: list[tuple[str, str]]) -> Iterator[str]:
    inherited = f'{base}["{name}"] & ' if base else ""
    yield f"  {name}: {inherited}{{"
    for doc, member in members:
        if doc:
            yield f"    /** {doc} */"
        yield f"    {member};"
    yield "  };"


def value(output: Output) -> str:
    return name_of(output.type) + (" | null" if output.nullable else "")


def event(output: Output) -> str:
    if isinstance(output.type, Structure) and not output.type.name:
        return "{}"
    return "View" if is_navigation(output) else value(output)


def params(input: Input) -> str:
    return "{ " + "; ".join(map(declared, input.params)) + " }" if input.params else "void"


def tasks(model: Model) -> Iterator[str]:
    yield "/** The kinds of task that every client should know. */"
    yield "export type TaskKind = " + " | ".join(f'"{task.kind}"' for task in model.tasks) + ";"
    yield ""
    yield "/** The fields of these kinds of task. A task has only the fields of its kind. */"
    yield "export interface TaskMembers<Choice = any> {"
    members = {member.name: member for task in model.tasks for member in task.members}
    optional = (Member(one.name, one.doc, one.type, False) for one in members.values())
    yield from described_members(tuple(optional))
    yield "}"


def declared(member: Member) -> str:
    return f"{member.name}{'' if member.required else '?'}: {name_of(member.type)}{' | null' if member.nullable else ''}"


def is_navigation(output: Output) -> bool:
    return isinstance(output.type, Structure) and output.type.name == "Navigation"


def name_of(one: Type) -> str:
    if isinstance(one, Plain):
        return NAMES[one.name]
    if isinstance(one, OneOf):
        return " | ".join(f'"{word}"' for word in one.words)
    if isinstance(one, ListOf):
        return f"readonly {name_of(one.element)}[]"
    return one.name + ("<Item>" if any(member.type == Plain("item") for member in one.members) else "")
