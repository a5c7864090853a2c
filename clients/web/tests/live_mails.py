"""A live source of mails. The lines of the named pipe `changes` change its mails.

A line contains the parameters of `source/changed`, except the source and the query. While a file `locked` exists, edits are
refused; otherwise they are written to the file `edits`. While a file `slow` exists, pages are not sent, only the progress in that file.
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


# This program opens both ends of the pipe, so that it never reads the end of the stream.
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
