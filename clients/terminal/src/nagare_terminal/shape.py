"""What a server's screens are, as discovery tells it: by what they take and show, not by what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import nagare

from .guard import guarded

Schema = Mapping[str, Any]
NO_PARAMS: Schema = {"type": "object"}


@dataclass(frozen=True)
class Shape:
    """What a screen takes, and what it shows."""

    name: str
    inputs: Mapping[str, Schema]
    """The schemas of the inputs' params."""
    states: Mapping[str, Schema]
    """The schemas of what is current."""
    events: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    """What inputs and outputs are for, where that is said."""
    display: Mapping[str, Any] = field(default_factory=dict)
    """How its items are shown."""
    id: str = ""
    """The member of its items that is their id, where that is said."""
    params: Schema = field(default_factory=dict)
    """The schema of what it is opened with."""

    @property
    def opens(self) -> bool:
        """Whether it opens without being told what to open."""
        return not self.params.get("required")

    @property
    def is_list(self) -> bool:
        """Items that grow, or can be opened."""
        return "items" in self.states and _is_rows(self.states["items"]) and bool({"reachBottom", "viewport", "loadMore"} & {*self.inputs})

    @property
    def has_window(self) -> bool:
        """Whether it can be held in part."""
        return self.is_list and "window" in _properties(self.params)

    @property
    def is_search(self) -> bool:
        """A list that is searched as somebody types."""
        return self.is_list and "text" in _properties(self.inputs.get("search", {})) and "query" in self.states

    @property
    def is_detail(self) -> bool:
        """One item of a list, whose neighbours are a swipe away."""
        goes = "swipe" in self.inputs and (not self.inputs["swipe"].get("properties") or "to" in self.inputs["swipe"]["properties"])
        return goes and {"id", "index", "item"} <= {*_properties(self.states.get("page", {}))}

    @property
    def is_choice(self) -> bool:
        """Something to choose."""
        return "choose" in self.inputs and self.rows is not None and len(needs(self.inputs["choose"])) <= 1

    @property
    def rows(self) -> str | None:
        """The state that holds what such a screen shows, where that is one of many things and all else tells how it fares."""
        held = [name for name, schema in self.states.items() if _is_rows(schema)]
        others = {*self.states} - {*held, "loading", "error", "state"}
        return held[0] if len(held) == 1 and not others else None

    def begins(self) -> str | None:
        """The input that tells it that it is in sight."""
        told = ("viewWillAppear", "viewDidAppear", "appear", "refresh", "load")
        return next((name for name in told if name in self.inputs and not needs(self.inputs[name])), None)


def shapes(document: Mapping[str, Any]) -> dict[str, Shape]:
    """The screens of a discovery, by their names."""
    models = {model["viewModel"]: model for model in document.get("x-viewModels", []) if not model.get("configured")}
    told = {output["name"]: output for output in document.get("x-notifications", [])}
    configured = [model for model in document.get("x-viewModels", []) if model.get("configured")]

    def shape(screen: Mapping[str, Any]) -> Shape:
        names = {*screen["inputs"]}
        same = (one for one in configured if names == {each["name"] for each in one["inputs"]})
        model: Mapping[str, Any] = models.get(screen["viewModel"]) or next(same, {})
        inputs = {each["name"]: each for each in model.get("inputs", [])}
        outputs = {each["name"]: each for each in model.get("outputs", [])}
        kinds = {name: outputs.get(name, {}).get("kind", "state") for name in screen["outputs"]}
        return Shape(
            screen["screen"],
            {name: schema_in(inputs.get(name, {}).get("params", NO_PARAMS)) for name in screen["inputs"]},
            {
                name: schema_in((outputs.get(name) or told.get(name) or {}).get("value", {}))
                for name in screen["outputs"]
                if kinds[name] != "event"
            },
            tuple(name for name in screen["outputs"] if kinds[name] == "event"),
            {name: one["summary"] for name, one in (inputs | outputs).items() if "summary" in one},
            screen.get("display") or model.get("display") or {},
            screen.get("id", ""),
            schema_in(screen.get("params", {})),
        )

    # A screen that can't be understood isn't offered.
    screens = document.get("x-screens", [])
    found = (guarded("the description of a screen", partial(shape, screen), lambda why: None) for screen in screens)
    return {one.name: one for one in found if one is not None}


async def told_by(view: nagare.View) -> Shape:
    """The shape of a view of which discovery says nothing, such as one that another view opens: its inputs, as the server names them
    where one isn't there, and what is current."""
    try:
        await view.open("?")
    except nagare.MethodNotFound as error:
        inputs = error.inputs
    except nagare.NagareError:
        inputs = []
    states = {name: schema_of(view[name]) for name in view.screen.outputs}
    return Shape(view.screen.name, dict.fromkeys(inputs, NO_PARAMS), states, ("navigate", "dismiss"))


def schema_of(value: Any) -> Schema:
    """What a value tells of its schema."""
    if isinstance(value, (list, nagare.Items)):
        return {"type": "array"}
    if isinstance(value, Mapping):
        return {"type": "object", "properties": {name: {} for name in value}}
    return {}


def schema_in(said: Any) -> Schema:
    """A schema in which `true` and other non-objects are replaced by `{}`, which means the same."""
    if not isinstance(said, Mapping):
        return {}
    properties, items = said.get("properties"), said.get("items")
    return {
        **said,
        **({"properties": {name: schema_in(one) for name, one in properties.items()}} if isinstance(properties, Mapping) else {}),
        **({"items": schema_in(items)} if items is not None else {}),
    }


def needs(schema: Schema) -> list[str]:
    """The parameters that have to be given."""
    return list(schema.get("required", []))


def _properties(schema: Schema) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    return properties


def _is_rows(schema: Schema) -> bool:
    said = schema.get("type", [])
    return said == "array" or "array" in said
