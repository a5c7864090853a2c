"""The screens, methods and parameters of a program, by discovery."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NAMES_ITS_VIEW = {"open", "session/join"}
"""Methods whose parameter `view` doesn't name a view that the client has joined."""
WITHOUT_VIEW = {"initialize", "screens", "open", "dispatch", "ping", "rpc.discover", "shutdown", "exit", "clock/advance"}
"""Methods without a view, for a program that doesn't describe its methods."""


def as_object(value: Any) -> dict[str, Any]:
    """Returns a JSON object, or an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    """Returns the objects of an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_texts(value: Any) -> list[str]:
    """Returns the strings of an array."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Returns a string, or an empty one for any other value."""
    return value if isinstance(value, str) else ""


@dataclass(frozen=True)
class Param:
    """A parameter of a method, an input or a screen."""

    name: str
    schema: dict[str, Any] = field(default_factory=dict)
    summary: str = ""
    is_required: bool = False

    @property
    def types(self) -> list[str]:
        """The JSON types of its values; empty if every type is allowed."""
        named = self.schema.get("type")
        return [named] if isinstance(named, str) else as_texts(named)

    @property
    def properties(self) -> dict[str, Param]:
        """The fields of its values, if they are objects whose fields are known."""
        return properties(self.schema)

    @property
    def is_only_text(self) -> bool:
        """Whether its values are always strings."""
        return self.types == ["string"]

    def describe(self) -> str:
        """Describes the type of its values, in a few words."""
        choices = self.schema.get("enum")
        if isinstance(choices, list) and choices:
            return " or ".join(str(choice) for choice in choices)
        return " or ".join(self.types)


def properties(schema: Any) -> dict[str, Param]:
    """Returns the fields that a JSON Schema describes."""
    required = as_texts(as_object(schema).get("required"))
    return {
        name: Param(name, as_object(one), as_text(as_object(one).get("description")), name in required)
        for name, one in as_object(as_object(schema).get("properties")).items()
    }


@dataclass(frozen=True)
class Method:
    """A method of the session, or an input of a view."""

    name: str
    summary: str = ""
    params: dict[str, Param] | None = None
    """The parameters; None if they are unknown."""
    has_answer: bool = True
    """Whether it is a request; otherwise it is a notification."""
    is_input: bool = False

    @property
    def takes_current_view(self) -> bool:
        """Whether the current view is sent along if no other view is named."""
        if self.params is None:
            return self.is_input or self.name not in WITHOUT_VIEW
        return "view" in self.params and self.name not in NAMES_ITS_VIEW

    @property
    def own_params(self) -> dict[str, Param]:
        """The parameters without those that every input has."""
        hidden = ("view", "wait") if self.is_input else ("wait",)
        return {name: param for name, param in (self.params or {}).items() if name not in hidden}


@dataclass(frozen=True)
class Screen:
    """A screen that can be opened, or whose views other views open."""

    name: str
    view_model: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    params: dict[str, Param] | None = None
    """The parameters of `open`; None if they are unknown."""


class Service:
    """The known facts about a program."""

    def __init__(self) -> None:
        self.title = ""
        self.screens: dict[str, Screen] = {}
        self.methods: dict[str, Method] = {}
        """The methods of the session."""
        self.requests: list[str] = []
        """The methods of the requests that the program sends."""
        self._inputs: dict[str, Method] = {}
        self._inputs_of_view_models: dict[str, dict[str, Method]] = {}

    def learn(self, document: Any, listed: Any) -> None:
        """Takes over the results of `rpc.discover` and of `screens`. Each of them may be missing."""
        document, listed = as_object(document), as_object(listed)
        self.title = as_text(as_object(document.get("info")).get("title"))
        self.requests = [as_text(one.get("name")) for one in as_objects(document.get("x-serverRequests"))]
        for one in [*as_objects(listed.get("screens")), *as_objects(document.get("x-screens"))]:
            name = as_text(one.get("screen"))
            inputs, outputs = as_texts(one.get("inputs")), as_texts(one.get("outputs"))
            known = properties(one["params"]) if "properties" in as_object(one.get("params")) else None
            self.screens[name] = Screen(name, as_text(one.get("viewModel")), tuple(inputs), tuple(outputs), known)
        names = {name for screen in self.screens.values() for name in screen.inputs}
        for one in as_objects(document.get("methods")):
            method = self._method(one, names)
            (self._inputs if method.is_input else self.methods)[method.name] = method
        for one in as_objects(document.get("x-viewModels")):
            described = {as_text(input.get("name")): input for input in as_objects(one.get("inputs"))}
            self._inputs_of_view_models[as_text(one.get("viewModel"))] = {
                name: self._input(name, described[name]) for name in described
            }

    @property
    def is_described(self) -> bool:
        """Whether the program has described its methods."""
        return bool(self.methods)

    def input(self, screen: Screen, name: str) -> Method:
        """Returns an input of a screen."""
        known = self._inputs_of_view_models.get(screen.view_model, {}).get(name) or self._inputs.get(name)
        return known or Method(name, is_input=True)

    def screens_with_input(self, name: str) -> list[str]:
        """Returns the screens whose views have an input."""
        return [screen.name for screen in self.screens.values() if name in screen.inputs]

    def screens_with_output(self, name: str) -> list[str]:
        """Returns the screens whose views have an output."""
        return [screen.name for screen in self.screens.values() if name in screen.outputs]

    @property
    def inputs(self) -> list[str]:
        """The names of all inputs."""
        return list(dict.fromkeys(name for screen in self.screens.values() for name in screen.inputs))

    def _method(self, one: dict[str, Any], inputs: set[str]) -> Method:
        params = {
            as_text(param.get("name")): Param(
                as_text(param.get("name")), as_object(param.get("schema")), as_text(param.get("summary")), param.get("required") is True
            )
            for param in as_objects(one.get("params"))
        }
        name = as_text(one.get("name"))
        return Method(name, as_text(one.get("summary")), params, "result" in one or name in inputs, name in inputs)

    def _input(self, name: str, one: dict[str, Any]) -> Method:
        """Returns an input as its view model describes it, with the parameters that every input has."""
        shared = self._inputs[name].params or {} if name in self._inputs else {}
        common: dict[str, Param] = {param: shared[param] for param in ("view", "wait") if param in shared}
        common = common or {"view": Param("view"), "wait": Param("wait", {"type": "boolean"})}
        return Method(name, as_text(one.get("summary")), {**common, **properties(one.get("params"))}, is_input=True)
