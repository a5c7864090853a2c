"""A live source: its mails change as the lines say that come through the named pipe `changes`.

A line is what `source/changed` says besides the source and the query. Edits are refused while there is a file `locked`, and
written to `edits` otherwise. While there is a file `slow`, of each page only what it says is told: how far it has come.
"""

import json
import os
import selectors
import sys
from pathlib import Path
from typing import Any

MAILS = [
    {
        "id": number,
        "subject": f"Mail {number}",
        "sender": f"Person {number % 7} <{number}@example.net>",
        "date": f"2026-11-{20 - number // 4:02}T09:{59 - number:02}:00Z",
        "unread": number % 3 == 0,
        "body": "Some words that somebody has written to somebody else, and that are long enough. " * 3,
    }
    for number in range(40)
]


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "source/page":
        first = params["key"] or 0
        end = first + params["size"]
        return {"result": {"items": MAILS[first:end], "next": end if end < len(MAILS) else None}}
    if method == "source/watch":
        return {"result": {}}
    if os.path.exists("locked"):
        return {"error": {"code": 9, "message": "The mailbox is locked"}}
    with open("edits", "a") as edits:
        edits.write(json.dumps({method: params}) + "\n")
    return {"result": {}}


def asked(line: str) -> None:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        return
    if request["method"] == "source/page" and os.path.exists("slow"):
        say(method="source/progress", params={"request": request["id"], **json.loads(Path("slow").read_text())})
        return
    say(id=request["id"], **answer(request["method"], request["params"]))


# Both ends are this program's, so that it never comes to an end.
changes = os.fdopen(os.open("changes", os.O_RDWR), buffering=1)
selector = selectors.DefaultSelector()
selector.register(sys.stdin, selectors.EVENT_READ)
selector.register(changes, selectors.EVENT_READ)
buffers = {sys.stdin.fileno(): b"", changes.fileno(): b""}
while True:
    for key, _ in selector.select():
        data = os.read(key.fd, 65536)
        if not data:
            sys.exit()
        *lines, buffers[key.fd] = (buffers[key.fd] + data).split(b"\n")
        for text in lines:
            if key.fd == sys.stdin.fileno():
                asked(text.decode())
            else:
                say(method="source/changed", params={"source": "mails", "query": None, **json.loads(text)})
