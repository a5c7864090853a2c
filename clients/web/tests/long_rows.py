"""A source of any number of rows: `long_rows.py COUNT`.

Pages have keys. With `--positions`, pages can also be requested by position. With `--busy`, rows are continually inserted at the top
while a watch runs. Edits are written to the file `edits`. While a file `locked` exists, they are refused; while a file `silent` exists,
they are not answered.
"""

import json
import select
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

COUNT = int(sys.argv[1])
HAS_POSITIONS, IS_BUSY = "--positions" in sys.argv, "--busy" in sys.argv
PACE = 0.02

came = 0
watches: list[dict[str, Any]] = []
members: dict[str, Any] = {"unread": True}
left: list[int] | None = None
"""The remaining rows after all others were removed; None before."""


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def row(place: int) -> dict[str, Any]:
    number = place - came if left is None else left[place]
    day = date(2026, 11, 20) - timedelta(max(0, number) // 5 % 20_000)
    return {"id": number, "title": f"Row {number}" if number >= 0 else f"New {-number}", "date": f"{day}T09:00:00Z", **members}


def page(key: int | None, size: int, at: int | None = None, **_: Any) -> dict[str, Any]:
    # A key is the number of a row. Rows that are inserted before it don't change the key.
    first = at if at is not None else 0 if key is None else key + came
    count = COUNT + came if left is None else len(left)
    end = min(first + size, count)
    result = {"items": [row(place) for place in range(first, end)], "next": end - came if end < count else None}
    return {**result, "total": count, "position": first, "state": str(came)} if HAS_POSITIONS else result


def edit(method: str, params: dict[str, Any]) -> None:
    global left, members
    if params.get("all") and method == "source/remove":
        left = params["except"]
    elif params.get("all"):
        members = {**members, **params["set"]}


def hear(request: dict[str, Any]) -> None:
    method, params = request.get("method"), request.get("params", {})
    if method == "source/page":
        params.pop("key" if params.get("at") is not None else "at", None)
        say(id=request["id"], result=page(**{"key": None, **params}))
    elif method == "source/watch":
        watches.append(params)
        say(id=request["id"], result={"state": str(came)})
    elif method in ("source/remove", "source/change"):
        if Path("locked").exists():
            say(id=request["id"], error={"code": 9, "message": "The rows are locked"})
            return
        with open("edits", "a") as edits:
            edits.write(json.dumps({method: params}) + "\n")
        edit(method, params)
        if not Path("silent").exists():
            say(id=request["id"], result={})
    elif "id" in request:
        say(id=request["id"], result={})


# Unbuffered, because `select` doesn't report lines that are in a buffer already.
lines = open(0, "rb", buffering=0)
while True:
    ready, _, _ = select.select([lines], [], [], PACE if IS_BUSY and watches else None)
    if ready:
        line = lines.readline()
        if not line:
            break
        hear(json.loads(line))
    elif watches:
        came += 1
        told = {"since": str(came - 1), "state": str(came), "total": COUNT + came, "changes": [{"insert": row(0), "position": 0}]}
        say(method="source/changed", params={"source": watches[-1]["source"], "query": None, **told})
