"""A program that speaks the protocol without describing itself. Its methods make it behave as tests need it."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any


def write(message: dict[str, Any]) -> None:
    os.write(1, json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")


def follow(path: str) -> None:
    """Sends a notification for each line in a named pipe."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            write({"method": "news", "params": {"value": line.strip()}})


def main() -> None:
    if len(sys.argv) > 1:
        threading.Thread(target=follow, args=sys.argv[1:], daemon=True).start()
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if method == "echo":
            write({"id": message["id"], "result": message.get("params")})
        elif method == "complain":
            print("something is \x1b[31mwrong", file=sys.stderr, flush=True)
            write({"id": message["id"], "result": {}})
        elif method == "crash":
            sys.exit(3)
        elif method == "garbage":
            os.write(1, b"this is no message\n")
            write({"id": message["id"], "result": {}})
        elif method == "never":
            pass
        elif "id" in message:
            write({"id": message["id"], "error": {"code": -32601, "message": f"no method {json.dumps(method)}"}})


main()
