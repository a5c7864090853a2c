"""A server whose one screen is a view model of its own: it counts."""

import json
import sys
from typing import Any

SCREEN = {"screen": "counter", "viewModel": "counter"}


def answer(method: str, count: int) -> dict[str, Any]:
    if method == "initialize":
        return {"protocolVersion": "1", "capabilities": {}}
    if method == "screens":
        return {"screens": [{**SCREEN, "inputs": ["increment"], "outputs": ["count"]}]}
    return {**SCREEN, "view": "v1", "outputs": {"count": {"value": count}}} if method == "open" else {}


count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "increment":
        count += 1
        print(json.dumps({"jsonrpc": "2.0", "method": "count", "params": {"view": "v1", "value": count}}))
    print(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": answer(message["method"], count)}), flush=True)
