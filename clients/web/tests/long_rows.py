"""A source of so many rows as it is told: `long_rows.py COUNT`.

It knows pages by their keys alone, unless `--positions` says that it can be asked for any place, too. With `--busy` a row comes in at
the top ever again, once somebody watches.
"""

import json
import select
import sys
from typing import Any

COUNT = int(sys.argv[1])
HAS_POSITIONS, IS_BUSY = "--positions" in sys.argv, "--busy" in sys.argv
PACE = 0.02

came = 0
watches: list[dict[str, Any]] = []


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def row(place: int) -> dict[str, Any]:
    number = place - came
    return {"id": number, "title": f"Row {number}" if number >= 0 else f"New {-number}"}


def page(key: int | None, size: int, at: int | None = None, **_: Any) -> dict[str, Any]:
    # Keys are numbers of rows: what comes in before them leaves them as they are.
    first = at if at is not None else 0 if key is None else key + came
    count = COUNT + came
    end = min(first + size, count)
    result = {"items": [row(place) for place in range(first, end)], "next": end - came if end < count else None}
    return {**result, "total": count, "position": first, "state": str(came)} if HAS_POSITIONS else result


def hear(request: dict[str, Any]) -> None:
    method, params = request.get("method"), request.get("params", {})
    if method == "source/page":
        params.pop("key" if params.get("at") is not None else "at", None)
        say(id=request["id"], result=page(**{"key": None, **params}))
    elif method == "source/watch":
        watches.append(params)
        say(id=request["id"], result={"state": str(came)})
    elif "id" in request:
        say(id=request["id"], result={})


# What is read ahead nobody would be woken for.
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
