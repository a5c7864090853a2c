"""A server whose one screen is a view model of its own: it counts."""

import json
import sys

count = 0
for line in sys.stdin:
    message = json.loads(line)
    view, answers = "v1", {"ping": {}, "initialize": {"protocolVersion": "1", "capabilities": {}}}
    answers["screens"] = {"screens": [{"screen": "counter", "viewModel": "counter", "inputs": ["increment"], "outputs": ["count"]}]}
    answers["open"] = {"view": view, "screen": "counter", "viewModel": "counter", "outputs": {"count": {"value": count}}}
    if message["method"] == "increment":
        count += 1
        print(json.dumps({"jsonrpc": "2.0", "method": "count", "params": {"view": view, "value": count}}))
    print(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": answers.get(message["method"], {})}), flush=True)
