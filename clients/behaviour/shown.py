"""A server whose views have the inputs `appear` and `disappear`: `python shown.py LOG`. It logs each input that a screen receives.

- `board` is a list that `appear` loads. Its detail is `card`.
- `offers` is a feed.
- `account` is another kind of screen, and opens `help`.
- `counter` has neither input.

`expire` closes all views, for example after a sign-out: opened views last, or first with `reverse`. Later `open` requests are refused with
`refuse`, end the server with `die`, and open views that are closed at once with `always`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

NOTHING = {"type": "object"}
SHOWN = {"appear": NOTHING, "disappear": NOTHING}
ROWS = [{"id": n, "title": f"Row {n}"} for n in range(3)]
ID = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TO = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
FILTERS = {"type": "object", "properties": {"set": {"type": "object"}}, "required": ["set"]}
FAILURE = {"type": ["object", "null"]}
LIST = {"type": "array", "items": {"type": "object"}}
SCREENS: dict[str, dict[str, Any]] = {
    "board": {
        "inputs": {**SHOWN, "reachBottom": NOTHING, "select": ID, "remove": ID, "filter": FILTERS},
        "states": {"items": (LIST, []), "filters": (NOTHING, {"title": None})},
        "events": ["navigate"],
    },
    "card": {"inputs": {**SHOWN, "swipe": TO}, "states": {"page": (NOTHING, {}), "error": (FAILURE, None)}, "opened": True},
    "offers": {"inputs": {**SHOWN, "refresh": NOTHING}, "states": {"offers": (LIST, [])}},
    "account": {
        "inputs": {"viewWillAppear": NOTHING, **SHOWN, "ask": NOTHING},
        "states": {"name": ({"type": "string"}, "Aoi")},
        "events": ["navigate"],
    },
    "help": {"inputs": SHOWN, "states": {"text": ({"type": "string"}, "Ask Mei")}, "opened": True},
    "counter": {"inputs": {"increment": NOTHING}, "states": {"count": ({"type": "integer"}, 0)}},
}


def document() -> dict[str, Any]:
    screens, models = [], []
    for name, screen in SCREENS.items():
        outputs = [{"name": output, "kind": "state", "value": schema} for output, (schema, _) in screen["states"].items()]
        outputs += [{"name": event, "kind": "event", "value": {}} for event in screen.get("events", [])]
        models.append({"viewModel": name, "inputs": [{"name": one, "params": schema} for one, schema in screen["inputs"].items()], "outputs": outputs})
        described = {"screen": name, "viewModel": name, "inputs": list(screen["inputs"]), "outputs": [output["name"] for output in outputs]}
        screens.append(described | ({} if screen.get("opened") else {"params": NOTHING}))
    return {"x-screens": screens, "x-viewModels": models, "x-notifications": []}


class Refused(Exception):
    pass


class Server:
    def __init__(self, log: str) -> None:
        self.log = log
        self.views: dict[str, str] = {}
        """The screens of the open views."""
        self.count = 0
        self.ending: dict[str, Any] = {}
        """The parameters of `expire`."""

    def say(self, **message: Any) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def open(self, screen: str, **values: Any) -> dict[str, Any]:
        self.count += 1
        view = f"v{self.count}"
        self.views[view] = screen
        states = {name: values.get(name, value) for name, (_, value) in SCREENS[screen]["states"].items()}
        outputs = {name: {"value": value, **({"revision": 0} if isinstance(value, list) else {})} for name, value in states.items()}
        return {"view": view, "screen": screen, "viewModel": screen, "outputs": outputs}

    def page(self, number: int) -> dict[str, Any]:
        return {"id": number, "index": number, "count": 3, "item": ROWS[number], "hasPrevious": number > 0, "hasNext": number < 2, "hasMore": False}

    def answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            return {"protocolVersion": "1", "capabilities": {}}
        if method == "screens":
            return {"screens": document()["x-screens"]}
        if method == "rpc.discover":
            return document()
        if method in ("ping", "shutdown"):
            return {}
        if method == "exit":
            sys.exit()
        if method == "expire":
            for view in sorted(self.views, reverse=params.get("reverse", False)):
                self.say(method="closed", params={"view": view, "value": {}})
            self.views.clear()
            self.ending = params
            return {}
        if method == "open" and self.ending.get("die"):
            sys.exit(1)
        if method == "open" and self.ending.get("refuse"):
            raise Refused("not now")
        screen = params["screen"] if method == "open" else self.views.get(params["view"])
        if screen is None:
            raise LookupError(params["view"])
        if method not in ("reachBottom", "swipe"):
            with open(self.log, "a") as log:
                log.write(f"{screen} {method}\n")
        if method == "open":
            return self.open(screen)
        view = params["view"]
        if method == "close":
            del self.views[view]
        elif screen in ("board", "offers") and method in ("appear", "refresh"):
            self.say(method="items" if screen == "board" else "offers", params={"view": view, "value": ROWS, "revision": 1})
        elif method == "filter":
            self.say(method="filters", params={"view": view, "value": params["set"]})
        elif method in ("select", "ask"):
            opened = self.open("card", page=self.page(params["id"])) if method == "select" else self.open("help")
            self.say(method="navigate", params={"view": view, "value": opened})
        return {"outcome": "nothing" if method == "reachBottom" else "finished"}


def main() -> None:
    server = Server(sys.argv[1])
    for line in sys.stdin:
        message = json.loads(line)
        try:
            result = {"result": server.answer(message["method"], message.get("params", {}))}
        except LookupError as error:
            result = {"error": {"code": -32001, "message": f"no such view: {error}"}}
        except Refused as refused:
            result = {"error": {"code": 1, "message": str(refused)}}
        if "id" in message:
            server.say(id=message["id"], **result)
        if message["method"] == "open" and server.ending.get("always"):
            server.answer("expire", server.ending)


if __name__ == "__main__":
    main()
