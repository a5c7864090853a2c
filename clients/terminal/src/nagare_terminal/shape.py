"""Classifies the screens that discovery describes: by their inputs and outputs, not by their names."""

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
    """The inputs and outputs of a screen."""

    name: str
    inputs: Mapping[str, Schema]
    """The schemas of the inputs' parameters."""
    states: Mapping[str, Schema]
    """The schemas of the states."""
    events: tuple[str, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of inputs and outputs, if there are any."""
    display: Mapping[str, Any] = field(default_factory=dict)
    """The screen's `display`."""
    id: str = ""
    """The name of the items' id field, if it is defined."""
    params: Schema = field(default_factory=dict)
    """The schema of the parameters for opening it."""

    @property
    def is_openable(self) -> bool:
        """Whether it can be opened without parameters."""
        return not self.params.get("required")

    @property
    def is_list(self) -> bool:
        """Whether it is a list that loads more items."""
        return "items" in self.states and _is_rows(self.states["items"]) and bool({"reachBottom", "viewport", "loadMore"} & {*self.inputs})

    @property
    def has_window(self) -> bool:
        """Whether it can be opened with a window."""
        return self.is_list and "window" in _properties(self.params)

    @property
    def is_search(self) -> bool:
        """Whether it is a list that is searched while the user types."""
        return self.is_list and "text" in _properties(self.inputs.get("search", {})) and "query" in self.states

    @property
    def is_detail(self) -> bool:
        """Whether it shows one item of a list, with swipes to its neighbours."""
        goes = "swipe" in self.inputs and (not self.inputs["swipe"].get("properties") or "to" in self.inputs["swipe"]["properties"])
        return goes and {"id", "index", "item"} <= {*_properties(self.states.get("page", {}))}

    @property
    def is_choice(self) -> bool:
        """Whether it lists choices."""
        return "choose" in self.inputs and self.rows is not None and len(required(self.inputs["choose"])) <= 1

    @property
    def rows(self) -> str | None:
        """The state with the rows, if it is the only list and the other states only report loading."""
        held = [name for name, schema in self.states.items() if _is_rows(schema)]
        others = {*self.states} - {*held, "loading", "error", "state"}
        return held[0] if len(held) == 1 and not others else None

    def appear_input(self) -> str | None:
        """The input that reports that the screen appears."""
        names = ("viewWillAppear", "viewDidAppear", "appear", "refresh", "load")
        return next((name for name in names if name in self.inputs and not required(self.inputs[name])), None)


def shapes(document: Mapping[str, Any]) -> dict[str, Shape]:
    """Returns the shapes of all screens by name."""
    models = {model["viewModel"]: model for model in document.get("x-viewModels", []) if not model.get("configured")}
    notifications = {output["name"]: output for output in document.get("x-notifications", [])}
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
            {name: normalized_schema(inputs.get(name, {}).get("params", NO_PARAMS)) for name in screen["inputs"]},
            {
                name: normalized_schema((outputs.get(name) or notifications.get(name) or {}).get("value", {}))
                for name in screen["outputs"]
                if kinds[name] != "event"
            },
            tuple(name for name in screen["outputs"] if kinds[name] == "event"),
            {name: one["summary"] for name, one in (inputs | outputs).items() if "summary" in one},
            screen.get("display") or model.get("display") or {},
            screen.get("id", ""),
            normalized_schema(screen.get("params", {})),
        )

    # A screen with an invalid description is left out.
    screens = document.get("x-screens", [])
    found = (guarded("the description of a screen", partial(shape, screen), lambda why: None) for screen in screens)
    return {one.name: one for one in found if one is not None}


async def shape_of(view: nagare.View) -> Shape:
    """Returns the shape of a view that discovery doesn't describe, such as one that another view opens. The server's error for an unknown
    input lists the inputs."""
    try:
        await view.open("?")
    except nagare.MethodNotFound as error:
        inputs = error.inputs
    except nagare.NagareError:
        inputs = []
    states = {name: schema_of(view[name]) for name in view.screen.outputs}
    return Shape(view.screen.name, dict.fromkeys(inputs, NO_PARAMS), states, ("navigate", "dismiss"))


def schema_of(value: Any) -> Schema:
    """Guesses a schema from a value."""
    if isinstance(value, (list, nagare.Items)):
        return {"type": "array"}
    if isinstance(value, Mapping):
        return {"type": "object", "properties": {name: {} for name in value}}
    return {}


def normalized_schema(schema: Any) -> Schema:
    """Replaces `true` and other non-objects in a schema by `{}`, which means the same."""
    if not isinstance(schema, Mapping):
        return {}
    properties, items = schema.get("properties"), schema.get("items")
    return {
        **schema,
        **({"properties": {name: normalized_schema(one) for name, one in properties.items()}} if isinstance(properties, Mapping) else {}),
        **({"items": normalized_schema(items)} if items is not None else {}),
    }


def required(schema: Schema) -> list[str]:
    """Returns the names of the required parameters."""
    return list(schema.get("required", []))


def _properties(schema: Schema) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    return properties


def _is_rows(schema: Schema) -> bool:
    type = schema.get("type", [])
    return type == "array" or "array" in type
