"""Classifies the screens that discovery describes, by their inputs and outputs and not by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

import nagare

from .guard import guarded

Schema = Mapping[str, Any]
Kind = Literal["list", "search", "pager", "choice", "feed", "task", "other"]
LOADING_INPUTS = ("reachBottom", "reachTop", "loadMore")
"""The inputs that load more of a list and need no parameters."""
FEED_INPUTS = ("viewWillAppear", "viewDidAppear", "appear", "disappear", "refresh", "load", "retry")
"""The inputs that load the rows of a feed, which has no further pages."""
FIRST_INPUTS = ("viewWillAppear", "viewDidAppear", "appear", "refresh", "load")
"""The inputs that load the first page, the preferred ones first."""
SHOWN_INPUTS = frozenset(("appear", "disappear"))
"""The inputs that only report whether the view is shown."""
STATUS_STATES = ("loading", "error", "state")
"""The states that only describe other states."""
GUESSED_PARAMS: Mapping[str, Schema] = {"select": {"properties": {"id": {}}}, "search": {"properties": {"text": {}}}}
"""The parameters of inputs that discovery doesn't describe."""
NO_PARAMS: Schema = {"type": "object"}


@dataclass(frozen=True)
class Shape:
    """The inputs and outputs of a screen, and its kind."""

    name: str
    inputs: Mapping[str, Schema]
    """The schemas of the inputs' parameters."""
    states: Mapping[str, Schema]
    """The schemas of the states."""
    events: tuple[str, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of inputs and outputs, if discovery has them."""
    display: Mapping[str, Any] = field(default_factory=dict)
    """The screen's `display`."""
    id: str = ""
    """The name of the items' id field, if it is defined."""
    params: Schema = field(default_factory=dict)
    """The schema of the parameters of `open`."""

    @property
    def is_openable(self) -> bool:
        """Whether the screen can be opened without parameters."""
        return not self.is_opened_by_others and not self.params.get("required")

    lists: frozenset[str] = frozenset()
    """The states with a revision. These are arrays, even if their schemas have another type."""
    is_configured: bool = False
    """Whether a configuration defines the screen's tasks."""
    is_opened_by_others: bool = False
    """Whether only other views can open the screen."""
    confirms_removal: bool = False
    """Whether the server asks the user before a removal."""

    @cached_property
    def kind(self) -> Kind:
        """The kind of the screen: the first one that fits, in the order of the specification's table."""
        if self._has_page and self._takes("swipe", "to", or_undescribed=True):
            return "pager"
        loads = "viewport" in self.inputs or any(map(self.takes_nothing, LOADING_INPUTS))
        if "items" in self._arrays and (loads or self._takes("select", "id")):
            return "search" if self._takes("search", "text") and "query" in self.states else "list"
        if self.rows is not None and self.choosing_input is not None:
            return "choice"
        if self.rows is not None and _may_be_objects(self.states[self.rows]) and all(self._is_feed_input(name) for name in self.inputs):
            return "feed"
        return "task" if self.is_configured else "other"

    @property
    def is_list(self) -> bool:
        """Whether the screen is a list that may load more items."""
        return self.kind in ("list", "search")

    @property
    def has_window(self) -> bool:
        """Whether the screen can be opened with a window."""
        return self.is_list and "window" in _properties(self.params)

    @property
    def rows(self) -> str | None:
        """The state with the rows, if it is the only array and all other states only describe it."""
        others = {*self.states} - {*self._arrays, *STATUS_STATES}
        return self._arrays[0] if len(self._arrays) == 1 and not others else None

    @property
    def choosing_input(self) -> str | None:
        """The input that chooses one of several values."""
        if "choose" in self.inputs:
            return "choose" if len(required(self.inputs["choose"])) <= 1 else None
        inputs = [(name, schema) for name, schema in self.inputs.items() if name not in SHOWN_INPUTS]
        if len(inputs) != 1 or "dismiss" not in self.events:
            return None
        ((name, schema),) = inputs
        return name if len(_properties(schema)) == 1 else None

    @property
    def _arrays(self) -> list[str]:
        return [name for name, schema in self.states.items() if name in self.lists or _is_type(schema, "array")]

    @property
    def _has_page(self) -> bool:
        """Whether the screen has a state that may be the page of a pager."""
        page = self.states.get("page")
        if page is None or ("type" in page and not _is_type(page, "object")):
            return False
        return not _properties(page) or {"id", "index", "item"} <= {*_properties(page)}

    def _takes(self, name: str, parameter: str, or_undescribed: bool = False) -> bool:
        """Whether the screen has an input with a parameter. If `or_undescribed` is true, an input with unknown parameters counts, too."""
        parameters = _properties(self.inputs.get(name, {}))
        return name in self.inputs and (parameter in parameters or (or_undescribed and not parameters))

    def takes_nothing(self, name: str) -> bool:
        """Whether the screen has an input without required parameters."""
        return name in self.inputs and not required(self.inputs[name])

    def _is_feed_input(self, name: str) -> bool:
        return name in FEED_INPUTS and self.takes_nothing(name)

    @property
    def first_input(self) -> str | None:
        """The input that loads the first page. If it is `appear`, the page loads when the view is shown."""
        return next(filter(self.takes_nothing, FIRST_INPUTS), None)


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
        lists = {name for name in screen["outputs"] if "members" in notifications.get(name, {})}
        kinds = {name: outputs.get(name, {}).get("kind", "list" if name in lists else "state") for name in screen["outputs"]}
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
            frozenset(name for name, kind in kinds.items() if kind == "list"),
            bool(model.get("configured")),
            "params" not in screen,
            bool(screen.get("confirmRemoval")),
        )

    # Screens with an invalid description are omitted.
    screens = document.get("x-screens", [])
    found = (guarded("the description of a screen", partial(shape, screen), lambda why: None) for screen in screens)
    return {one.name: one for one in found if one is not None}


async def shape_of(view: nagare.View) -> Shape:
    """Returns the shape of a view that discovery doesn't describe, such as a view that another view opens.

    Sends an unknown input, because the server's error lists the inputs.
    """
    try:
        await view.open("?")
    except nagare.MethodNotFound as error:
        inputs = error.inputs
    except nagare.NagareError:
        inputs = []
    states = {name: schema_of(view[name]) for name in view.screen.outputs}
    return Shape(view.screen.name, {name: GUESSED_PARAMS.get(name, NO_PARAMS) for name in inputs}, states, ("navigate", "dismiss"))


def schema_of(value: Any) -> Schema:
    """Guesses a schema from a value."""
    if isinstance(value, (list, nagare.Items)):
        return {"type": "array"}
    if isinstance(value, Mapping):
        return {"type": "object", "properties": {name: {} for name in value}}
    return {}


def normalized_schema(schema: Any) -> Schema:
    """Replaces values in a schema that aren't objects, such as `true`, by `{}`, which has the same meaning."""
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


def _is_type(schema: Schema, type: str) -> bool:
    """Whether the values of a schema have a type. The schema may allow null, too."""
    types = schema.get("type", [])
    return [one for one in ([types] if isinstance(types, str) else types) if one != "null"] == [type]


def _may_be_objects(schema: Schema) -> bool:
    """Whether the items of an array may be objects."""
    items: Schema = schema.get("items", {})
    return "type" not in items or _is_type(items, "object")
