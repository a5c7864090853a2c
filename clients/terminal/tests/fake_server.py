"""A fake server with any screens: `python fake_server.py DIALOGUE.json`.

- `models` and `screens` in the file are the parts of discovery.
- `outputs` are the first values of each screen.
- `answers` are the answers to each input: the first one to its first use, and so on. An answer is an `error`, or
  notifications by the names of their outputs and an `outcome` (by default `finished`).
- All other inputs are answered with `{}`.

With an `outcome`, `error` is an output as well. Two outcomes are special: `never` sends no answer, and `late` sends it
after the next input's.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

sys.set_int_max_str_digits(0)
with open(sys.argv[1]) as file:
    told = json.load(file)
models = {model["viewModel"]: model for model in told["models"]}
views: dict[str, dict[str, Any]] = {}
log = open(sys.argv[1] + ".log", "a")


def say(message: dict[str, Any]) -> None:
    # Inserts raw pieces of JSON, which Python's encoder can't write.
    print(re.sub(r'"<raw ([^>"]*)>"', r"\1", json.dumps({"jsonrpc": "2.0", **message})), flush=True)


def names(screen: dict[str, Any], kind: str) -> list[str]:
    return [each["name"] for each in models[screen["viewModel"]][kind]]


screens = [{**screen, "inputs": names(screen, "inputs"), "outputs": names(screen, "outputs")} for screen in told["screens"]]
document = {"x-screens": screens, "x-viewModels": told["models"], "x-notifications": []}


def opened(name: str, view: str) -> dict[str, Any]:
    screen = next((screen for screen in screens if screen["screen"] == name), {"screen": name, "viewModel": name, "inputs": []})
    views[view] = screen
    outputs = {output: {"value": value} for output, value in told["outputs"].get(name, {}).items()}
    for output in outputs.values():
        if isinstance(output["value"], list):
            output["revision"] = 0
    if "rows" in told:
        outputs["items"] = window(0, 20)
    return {"view": view, "screen": name, "viewModel": screen["viewModel"], "outputs": outputs}


def window(start: int, end: int) -> dict[str, Any]:
    """Returns the window on `rows` rows. One row in a hundred isn't loaded."""
    first, last = max(0, start - 50), min(told["rows"], end + 50)
    held = [{"id": n, "title": f"Row {n}"} if n % 100 else None for n in range(first, last)]
    return {"value": held, "start": first, "count": told["rows"], "exact": True, "revision": 1000 * start + end}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {"protocolVersion": "1", "server": {"name": "fake", "version": "1"}, "capabilities": {}}
    if method == "screens":
        return {"screens": [{name: screen[name] for name in ("screen", "viewModel", "inputs", "outputs")} for screen in screens]}
    if method == "rpc.discover":
        return document
    if method == "open":
        return opened(params["screen"], f"v{len(views) + 1}")
    if method in ("ping", "shutdown", "close"):
        return {}
    view = params["view"]
    if method == "viewport" and "rows" in told:
        say({"method": "items", "params": {"view": view, **window(params["start"], params["end"])}})
    log.write(json.dumps({method: {name: value for name, value in params.items() if name not in ("view", "wait")}}) + "\n")
    log.flush()
    answers = told.get("answers", {}).get(method, [])
    said = answers.pop(0) if answers else {}
    inputs = told["inputs"].get(views[view]["screen"], views[view]["inputs"])
    if method not in inputs:
        return {"error": {"code": -32601, "message": "no such input", "data": {"view": view, "inputs": inputs}}}
    if "error" in said and "outcome" not in said:
        return dict(said)
    outcome = said.pop("outcome", "finished")
    for output, value in said.items():
        if output == "navigate":
            value = opened(value, f"v{len(views) + 1}")
        more = {"revision": 1} if isinstance(value, list) else {}
        say({"method": output, "params": {"view": view, "value": value, **more}})
    return {"outcome": outcome} if params.get("wait") else {}


late: list[int] = []
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "exit":
        break
    result = answer(message["method"], message.get("params", {}))
    outcome = result.get("outcome")
    if "id" in message and outcome not in ("late", "never"):
        say({"id": message["id"], **(result if "error" in result else {"result": result})})
        while outcome and late:
            say({"id": late.pop(), "result": {"outcome": "finished"}})
    elif outcome == "late":
        late.append(message["id"])
