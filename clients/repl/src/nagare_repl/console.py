"""Carries out the lines that the user types."""

from __future__ import annotations

import json
from typing import Any

from nagare.wire import decode

from . import line as lines
from .client import Client
from .errors import LineFailed, suggestion
from .line import Argument
from .service import Method, Param, Screen
from .style import pad, printable, width

HELP_WIDTH = 28
OWN_WORDS = {
    "open": "Opens a view of a screen.",
    "await": "Waits for an output, or until the work that an input begins has ended.",
    "views": "Lists the open views.",
    "view": "Makes an open view the current one.",
    "show": "Prints the last shortened message in full.",
    "answer": "Answers the oldest request of the program.",
    "help": "Explains what you can type, or a name: help open.",
    "quit": "Ends the program and this prompt.",
}
"""The words with which a line can begin, besides methods and inputs."""
PROTOCOL_VERSION = "1"


class Console:
    """Carries out lines, one after the other."""

    def __init__(self, client: Client) -> None:
        self.client, self.printer = client, client.printer
        self.has_quit = False
        """Whether a line ended the session."""

    @property
    def screen(self) -> Screen | None:
        """The screen of the current view, if it is known."""
        view = self.client.views.current
        return self.client.service.screens.get(view.screen) if view is not None else None

    async def run(self, text: str) -> None:
        """Carries out a line. Raises `LineFailed` if that isn't possible, or if the program answers with an error."""
        line = lines.pasted(text)
        if line is None:
            return
        if lines.is_message(line):
            return await self._send(line)
        head, arguments = lines.parse(line)
        if head == "help":
            return self._help(arguments)
        if head == "quit":
            self._refuse(head, arguments)
            self.has_quit = True
        elif head == "views":
            self._refuse(head, arguments)
            self._list_views()
        elif head == "view":
            self._go_to(arguments)
        elif head == "show":
            self._refuse(head, arguments)
            self.printer.show()
        elif head == "answer":
            self._answer(arguments)
        elif head == "await":
            await self._await(arguments)
        else:
            await self._call(head, arguments, is_awaited=False)

    # Messages

    async def _send(self, line: str) -> None:
        try:
            message = decode(line.encode("utf-8", "backslashreplace"))
        except json.JSONDecodeError as error:
            reason = f"{error.msg[:1].lower()}{error.msg[1:]}"
            raise LineFailed(f"this isn't complete JSON, so it wasn't sent: {reason} at character {error.pos + 1}") from None
        except RecursionError:
            raise LineFailed("this JSON is nested too deeply, so it wasn't sent") from None
        await self.client.send(" ".join(line.splitlines()), message)

    async def _call(self, name: str, arguments: list[Argument], is_awaited: bool) -> None:
        method = self._method(name, arguments)
        params = self._params(method, arguments)
        if is_awaited and (method.params is None or "wait" in method.params):
            params["wait"] = True
        result = await self.client.call(method.name, params, method.has_answer)
        if result.get("outcome") == "failed":
            raise LineFailed(f"the work that {name} began has failed")

    def _method(self, name: str, arguments: list[Argument]) -> Method:
        """Returns the method or input with this name. Raises `LineFailed` with a hint if there is none."""
        service = self.client.service
        screen = self._screen_of(arguments)
        if screen is not None and name in screen.inputs:
            return service.input(screen, name)
        if name in service.methods:
            return service.methods[name]
        if not service.is_described and screen is None:
            return Method(name)
        raise LineFailed(self._unknown(name, screen))

    def _screen_of(self, arguments: list[Argument]) -> Screen | None:
        """Returns the screen of the view to which a call goes."""
        named = next((argument.text or argument.value for argument in arguments if argument.name == "view"), None)
        view = self.client.views.open.get(str(named)) if named is not None else self.client.views.current
        return self.client.service.screens.get(view.screen) if view is not None else None

    def _unknown(self, name: str, screen: Screen | None) -> str:
        """Explains why a name can't be called now."""
        service, views = self.client.service, self.client.views
        if name in service.screens:
            return f'"{name}" is a screen: type "open {lines.quoted(name)}"'
        if screen is not None and name in screen.outputs:
            return f'"{name}" is an output: type "await {name}"'
        for view in views.open.values():
            if view is not views.current and view.screen in service.screens and name in service.screens[view.screen].inputs:
                return f'"{name}" is an input of {view.name} ({view.screen}): type "view {view.name}" first, or add view={view.name}'
        for kind, screens in (("input", service.screens_with_input(name)), ("output", service.screens_with_output(name))):
            if screens:
                return f'"{name}" is an {kind} of {_listed(screens)}: type "open {lines.quoted(screens[0])}" first'
        known = [*OWN_WORDS, *(screen.inputs if screen is not None else ()), *service.inputs, *service.methods, *service.screens]
        where = f"{screen.name} has no input, and the program no method" if screen is not None else "the program has no method"
        return f'{where} "{name}"' + suggestion(name, known, '; "help" explains what you can type')

    def _params(self, method: Method, arguments: list[Argument]) -> dict[str, Any]:
        """Returns the parameters of a call."""
        params: dict[str, Any] = {}
        view = self.client.views.current
        if method.takes_current_view and view is not None and all(argument.name != "view" for argument in arguments):
            params["view"] = view.name
        if method.name == "initialize":
            params["protocolVersion"] = PROTOCOL_VERSION
        known = self.known_params(method)
        free = list(known)
        given: set[str] = set()
        for argument in arguments:
            name = argument.name
            if name is None:
                name = next((one for one in free if one not in given), None)
                if name is None:
                    raise LineFailed(self._too_many(method, argument, free))
            if name in given:
                raise LineFailed(f"{name} is there twice")
            given.add(name)
            path, param = self._path(method, name, known, params)
            value = argument.value
            if argument.text is not None and param is not None and param.is_only_text:
                value = argument.text
            if method.name == "open" and name == "screen":
                self._check_screen(value)
            place = params
            for step in path[:-1]:
                place = place.setdefault(step, {})
                if not isinstance(place, dict):
                    raise LineFailed(f"{step} has a value already, so {name} has no place in it")
            place[path[-1]] = value
        if method.name == "open" and "screen" not in params and self.client.service.screens:
            raise LineFailed(f'"open" needs a screen: {_listed(list(self.client.service.screens))}')
        return params

    def _check_screen(self, name: Any) -> None:
        screens = self.client.service.screens
        if screens and (not isinstance(name, str) or name not in screens):
            raise LineFailed(f'no screen is named "{name}"' + suggestion(str(name), screens, f"; there are {_listed(list(screens))}"))

    def known_params(self, method: Method) -> dict[str, tuple[list[str], Param]]:
        """Returns the names that a line may use for a method, with the paths of their values.

        The fields of an object have their own names: `dispatch type=selectQuery value=curry` fills the parameter `action`.
        """
        known: dict[str, tuple[list[str], Param]] = {}
        for name, param in method.own_params.items():
            if param.properties:
                known.update({field: ([name, field], one) for field, one in param.properties.items()})
            else:
                known[name] = ([name], param)
        if method.name == "initialize":
            known["protocolVersion"] = known.pop("protocolVersion", (["protocolVersion"], Param("protocolVersion")))
        return known

    def _path(
        self, method: Method, name: str, known: dict[str, tuple[list[str], Param]], params: dict[str, Any]
    ) -> tuple[list[str], Param | None]:
        """Returns the path of a parameter's value, and the parameter if it is known."""
        if name in known:
            return known[name]
        if method.params is None or name in method.params or (method.is_input and name in ("view", "wait")):
            return [name], (method.params or {}).get(name)
        if method.name == "open":
            screen = self.client.service.screens.get(str(params.get("screen")))
            settings = screen.params if screen is not None else None
            if settings is None or name in settings:
                return ["params", name], (settings or {}).get(name)
            raise LineFailed(f'{screen.name if screen else ""} has no setting "{name}"' + _choices(name, settings))
        raise LineFailed(f'{method.name} has no parameter "{name}"' + _choices(name, known))

    def _too_many(self, method: Method, argument: Argument, free: list[str]) -> str:
        value = argument.text if argument.text is not None else argument.value
        if method.params is None:
            return f"the program doesn't describe {method.name}, so each parameter needs its name: name={value}"
        if not free:
            return f'{method.name} takes no parameter, but "{value}" follows it'
        return f'{method.name} takes {_listed(free)}; put a text with spaces in quotes: {free[-1]}="two words"'

    # Waiting

    async def _await(self, arguments: list[Argument]) -> None:
        screen = self._screen_of(arguments)
        if not arguments or arguments[0].name is not None or not arguments[0].text:
            raise LineFailed('"await" needs an output or an input: ' + self._example_of_await(screen))
        name = arguments[0].text
        view = self.client.views.current
        named = next((argument.text or str(argument.value) for argument in arguments if argument.name == "view"), None)
        is_input = screen is not None and name in screen.inputs
        if not is_input and name in self.client.service.requests:
            return await self.client.arrival(None, name)
        if not is_input and screen is not None and name in (*screen.outputs, "closed"):
            return await self.client.arrival(named or (view.name if view else None), name)
        if screen is None and not self.client.service.is_described and len(arguments) == 1:
            return await self.client.arrival(None, name)
        if screen is not None and not is_input and name not in self.client.service.methods:
            near = suggestion(name, [*screen.outputs, *screen.inputs])
            raise LineFailed(f'{screen.name} has no output and no input "{name}"{near}')
        await self._call(name, arguments[1:], is_awaited=True)

    @staticmethod
    def _example_of_await(screen: Screen | None) -> str:
        names = [*screen.outputs[:1], *screen.inputs[:1]] if screen is not None else []
        return " or ".join(f"await {name}" for name in names or ["items", "refresh"])

    # Local commands

    def _answer(self, arguments: list[Argument]) -> None:
        named = {argument.name: argument.value for argument in arguments if argument.name is not None}
        plain = [argument.value for argument in arguments if argument.name is None]
        if len(plain) > 1 or (plain and named):
            raise LineFailed('"answer" takes one JSON value, or the fields of an object: answer outcome=completed value=Mei')
        self.client.answer(plain[0] if plain else named)

    def _go_to(self, arguments: list[Argument]) -> None:
        views = self.client.views
        if len(arguments) != 1 or arguments[0].name is not None:
            raise LineFailed('"view" needs the name of one view; "views" lists them')
        name = arguments[0].text or str(arguments[0].value)
        if name not in views.open:
            raise LineFailed(f'no view "{name}" is open' + suggestion(name, views.open, '; "views" lists the open ones'))
        views.go_to(name)

    def _list_views(self) -> None:
        views = self.client.views
        if not views.open:
            screens = list(self.client.service.screens)
            return self.printer.note("no view is open" + (f': type "open {lines.quoted(screens[0])}"' if screens else ""))
        rows = [(one.name, one.screen, f"opened by {one.opener}" if one.opener else "") for one in views.open.values()]
        sizes = [max(width(printable(row[column])) for row in rows) for column in range(2)]
        for name, screen, opener in rows:
            is_current = views.current is not None and views.current.name == name
            cells = f"{pad(printable(name), sizes[0])}  {pad(printable(screen), sizes[1])}  {printable(opener)}"
            self.printer.text(("* " if is_current else "  ") + cells.rstrip(), "bold" if is_current else "")

    def _help(self, arguments: list[Argument]) -> None:
        if not arguments:
            for command, text in self._help_lines():
                self.printer.spans([("bold", pad(command, HELP_WIDTH)), ("", text)])
            return
        name = arguments[0].text or str(arguments[0].value)
        service = self.client.service
        if name in service.screens:
            return self._describe_screen(service.screens[name])
        own = OWN_WORDS.get(name)
        screen = self.screen
        if screen is None or name not in screen.inputs:
            screen = next((one for one in service.screens.values() if name in one.inputs), None)
        if own is not None and name != "open":
            return self.printer.text(f"{name}: {own}")
        if screen is not None:
            return self._describe(service.input(screen, name))
        if name in service.methods:
            return self._describe(service.methods[name])
        known = [*OWN_WORDS, *service.methods, *service.screens, *service.inputs]
        raise LineFailed(f'nothing is named "{name}"' + suggestion(name, known))

    def _help_lines(self) -> list[tuple[str, str]]:
        """Returns the lines of `help`. Their examples are names of the program."""
        service = self.client.service
        first = next(iter(service.screens.values()), Screen("items", inputs=("refresh", "select"), outputs=("items",)))
        screen = self.screen if self.screen is not None and self.screen.inputs else first
        inputs = [service.input(screen, name) for name in screen.inputs]
        plain = next((input.name for input in inputs if not input.own_params), inputs[0].name if inputs else "ping")
        filled = next((input for input in inputs if any(param.is_required for param in input.own_params.values())), None)
        filled = filled or next((input for input in inputs if input.own_params), None)
        example = "select id=m001"
        if filled is not None:
            required = [name for name, param in filled.own_params.items() if param.is_required] or list(filled.own_params)[:1]
            example = " ".join([filled.name, *(f"{name}=…" for name in required)])
        output = screen.outputs[0] if screen.outputs else "items"
        return [
            (f"open {lines.quoted(first.name)}", "opens a view of a screen; the prompt shows it"),
            (plain, "calls an input of this view; Tab lists all names"),
            (example, "calls an input with parameters; \"two words\""),
            (f"await {output}", "waits until this output arrives"),
            (f"await {plain}", "calls an input, and waits until its work has ended"),
            ("views, view v1", "list the open views; go to the view v1"),
            ("show", "prints the last shortened message in full"),
            (f"help {lines.quoted(first.name)}, help open", "describe a screen, an input or a method"),
            ('{"jsonrpc":"2.0",…}', "sends a whole message as it is"),
            ("quit", "ends, like Ctrl-D; Ctrl-C stops waiting"),
        ]

    def _describe(self, method: Method) -> None:
        kind = "an input" if method.is_input else "a method" if method.has_answer else "a notification"
        self.printer.text(f"{method.name}, {kind}. {method.summary}".rstrip())
        known = self.known_params(method)
        self._describe_params({name: param for name, (_, param) in known.items()})
        if method.name == "open":
            self.printer.note('  "help" with the name of a screen lists its settings')

    def _describe_screen(self, screen: Screen) -> None:
        self.printer.text(f"{screen.name}, a screen" + (f" of the kind {screen.view_model}" if screen.view_model else ""))
        for title, names in (("inputs", screen.inputs), ("outputs", screen.outputs)):
            self.printer.text(f"  {title}: {printable(', '.join(names))}")
        if screen.params:
            self.printer.text(f"  settings: open {lines.quoted(screen.name)} {next(iter(screen.params))}=…")
            self._describe_params(screen.params)

    def _describe_params(self, params: dict[str, Param]) -> None:
        labels = {name: f"  {name}{'' if param.is_required else '?'}" for name, param in params.items()}
        size = max([width(label) for label in labels.values()], default=0)
        for name, param in params.items():
            text = ": ".join(filter(None, (param.describe(), param.summary)))
            self.printer.text(f"{pad(labels[name], size)}  {printable(text)}".rstrip())

    @staticmethod
    def _refuse(head: str, arguments: list[Argument]) -> None:
        if arguments:
            raise LineFailed(f'"{head}" takes nothing more; type it alone')


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def _choices(name: str, known: dict[str, Any]) -> str:
    """Returns the end of an error message about an unknown parameter."""
    return suggestion(name, known, f"; it has {_listed(list(known))}" if known else "; it takes none")
