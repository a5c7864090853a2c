"""A server of custom view models, with screens of each kind.

- `counter` counts, and `List` has no kind that frontends know.
- `ticket` is a form with loads, and only it opens its child `people`.
- `articles` is a list, and `shelf` is a list that is complete.
- `diary` is a list that begins in the middle and has pages before its first one.
- `chat` and `album` begin at their ends. `chat` has the inputs `viewport`, which loads nothing, and `reachTop`. The `viewport` of
  `album` loads the page before.
- `outbox` is a list with items that aren't sent.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TEXT, NUMBER, FLAG, NOTHING = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "object"}
PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg=="


def record(required: str = "", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required.split()}


DAYS = [{"id": f"d{n}", "text": f"Day {n}"} for n in range(100)]
FAILURE = {"type": ["object", "null"], "title": "Failure"}
ODD_EDITS: list[Any] = [None, 5, "c0", [], {}, {"state": "failed"}, {"id": None, "state": "failed"}, {"id": "c0", "state": "lost"}, {"id": "c1", "state": ["failed"]}]
"""Edits in the state `pending` that are invalid: without a row, or with an unknown state."""
REMARK = record("id text", id=TEXT, text=TEXT, likes=NUMBER)
ORDER = record(
    "title",
    title={**TEXT, "minLength": 3, "description": "The title."},
    size={**NUMBER, "minimum": 1, "maximum": 9, "default": 2},
    color={**TEXT, "enum": ["red", "deep_blue"]},
    due={**TEXT, "format": "date"},
    urgent=FLAG,
    address=record("city", city=TEXT, zip=TEXT),
    tags={"type": "array", "items": TEXT},
    note={"type": ["string", "null"]},
)
VIEWPORT = record("start end", start=NUMBER, end=NUMBER)
SCREENS: dict[str, dict[str, Any]] = {
    "counter": {
        "inputs": {"increment": NOTHING, "add": record("by", by={**NUMBER, "minimum": 1, "default": 5})},
        "states": {"count": (NUMBER, 0)},
    },
    "ticket": {
        "inputs": {"appear": NOTHING, "text": record("text", text=TEXT), "save": NOTHING, "assign": NOTHING, "order": ORDER},
        "states": {
            "ticket": ({**record("id", id=TEXT, title=TEXT), "type": ["object", "null"]}, None),
            "remarks": ({"type": "array", "items": REMARK}, []),
            "assignee": ({"type": ["string", "null"]}, None),
            "text": (TEXT, "Bon"),
            "loading": (FLAG, False),
            "error": (FAILURE, None),
        },
        "events": {"saved": NOTHING, "navigate": {"title": "Navigation"}},
    },
    "people": {
        "inputs": {"choose": record("name", name=TEXT)},
        "states": {"people": ({"type": "array", "items": TEXT}, ["Aoi", "Mei", "漣"])},
        "events": {"dismiss": NOTHING},
        "opened": True,
    },
    "list": {
        "inputs": {"items": NOTHING},
        "states": {"items": ({"type": "object"}, {"milk": 2, "picture": PIXEL, "home": "https://example.org/"}), "error": (TEXT, "")},
    },
    "articles": {
        "inputs": {"refresh": NOTHING, "reachBottom": NOTHING, "select": record("id", id=TEXT), "star": record("id", id=TEXT)},
        "states": {"items": ({"type": "array", "items": REMARK}, []), "loading": (FLAG, False), "error": (FAILURE, None)},
        "events": {"opened": REMARK, "starred": TEXT},
    },
    "bills": {
        "inputs": {
            **{name: NOTHING for name in ("appear", "reachBottom", "refresh")},
            **{"select": record("id", id=NUMBER), "remove": record("id", id=NUMBER), "change": record("item", item={})},
            "assign": record("id to", id=NUMBER, to=TEXT),
            "comment": record("id text", id=NUMBER, text={**TEXT, "minLength": 1}),
            "files": record("id", id=NUMBER),
            "undo": NOTHING,
        },
        "states": {
            "items": ({"type": "array", "items": {}}, []),
            "loading": (FLAG, False),
            "error": (FAILURE, None),
            "undoable": ({"type": ["object", "null"]}, None),
        },
        "events": {"told": TEXT, "navigate": {"title": "Navigation"}},
    },
    "outbox": {
        "inputs": {"reachBottom": NOTHING, "retry": record("id", id=TEXT)},
        "states": {
            "items": ({"type": "array", "items": REMARK}, [{"id": f"c{n}", "text": text} for n, text in enumerate(("Are you there?", "On my way", "Which door?", "はい"))]),
            "pending": ({"type": "array", "items": record("id state", id=TEXT, state=TEXT)}, ODD_EDITS + [{"id": "c2", "state": "sending"}, {"id": "c3", "state": "failed"}]),
        },
    },
    "diary": {
        "inputs": {"reachTop": NOTHING, "reachBottom": NOTHING},
        "states": {"items": ({"type": "array", "items": REMARK}, DAYS[60:100]), "error": (FAILURE, None), "asked": (NUMBER, 0)},
    },
    "chat": {
        "inputs": {"appear": NOTHING, "viewport": VIEWPORT, "reachTop": NOTHING, "say": record("text", text=TEXT)},
        "states": {"items": ({"type": "array", "items": REMARK}, []), "seen": (TEXT, ""), "asked": (NUMBER, 0)},
        "events": {"scrollTo": record("index id", index=NUMBER, id=TEXT)},
    },
    "album": {
        "inputs": {"viewport": VIEWPORT},
        "states": {"items": ({"type": "array", "items": REMARK}, DAYS[60:100]), "seen": (TEXT, ""), "asked": (NUMBER, 0)},
    },
    "shelf": {
        "inputs": {"select": record("id", id=TEXT)},
        "states": {"items": ({"type": "array", "items": REMARK}, DAYS[:3]), "owner": (TEXT, "Aoi")},
        "events": {"opened": REMARK},
    },
    "papers": {
        "inputs": {"swipe": record("to", to=TEXT)},
        "states": {"page": ({"type": "object"}, {}), "loading": (FLAG, False), "error": (FAILURE, None)},
        "opened": True,
    },
}


def described(name: str, screen: dict[str, Any]) -> dict[str, Any]:
    states = [
        {"name": output, "kind": "list" if output in ("items", "remarks") and name != "list" else "state", "value": schema}
        for output, (schema, _) in screen["states"].items()
    ]
    events = [{"name": output, "kind": "event", "value": schema} for output, schema in screen.get("events", {}).items()]
    inputs = [{"name": name, "params": schema} for name, schema in screen["inputs"].items()]
    return {"viewModel": name, "inputs": inputs, "outputs": states + events}


def document() -> dict[str, Any]:
    screens = [
        {
            "screen": name,
            "viewModel": name,
            "inputs": list(screen["inputs"]),
            "outputs": [*screen["states"], *screen.get("events", {})],
            **({} if screen.get("opened") else {"params": NOTHING}),
            **({"display": DISPLAY[name]} if name in DISPLAY else {}),
        }
        for name, screen in SCREENS.items()
    ]
    models = [described(name, screen) for name, screen in SCREENS.items()]
    return {"x-screens": screens, "x-viewModels": models, "x-notifications": []}


DISPLAY: dict[str, Any] = {
    "bills": {
        "title": "about.what",
        "subtitle": "payee",
        "body": {"member": "html", "format": "html"},
        "badge": "label",
        "image": "face",
        "date": "at",
        "unread": "fresh",
        "hidden": ["secret"],
        "columns": [
            "payee",
            {"member": "sum", "name": "To pay", "format": "money", "currency": "JPY"},
            {"member": "size", "format": "bytes"},
            {"member": "length", "format": "duration", "align": "start"},
        ],
        "actions": [
            {"input": "remove", "name": "Pay", "icon": "💴", "key": "p", "undo": True, "for": "many"},
            {"input": "change", "set": {"fresh": True}, "name": "Mark as new", "key": "n", "for": "many"},
            {"input": "assign", "params": {"to": "me"}, "name": "Assign to me", "icon": "☝", "confirm": "Take this one?"},
            {"input": "comment", "name": "Comment", "key": "c"},
            {"input": "files", "name": "Papers", "key": "f"},
        ],
    }
}
HTML = """<h1>Hello</h1><p style="color:red">請求書です。<a href="https://example.org/pay">Pay</a> <a href="javascript:alert(1)">not</a></p>
<script>document.title = "broken"</script><img src="https://example.org/spy.png" alt="A spy" onerror="document.title='broken'">
<table><tr><td>One</td><td>Two</td></tr></table>"""
ATTACHMENTS = [
    {"name": "請求書.pdf", "type": "application/pdf", "size": 123_456, "url": "https://example.org/bill.pdf"},
    {"name": "face.png", "type": "image/png", "url": PIXEL},
    {"name": "spy.jpg", "type": "image/jpeg", "size": 2_400_000, "url": "https://example.org/spy.jpg"},
    {"name": "notes.html", "type": "text/html", "url": "data:text/html,<script>opener.broken=true</script>"},
    {"name": None, "type": "text/plain", "size": 5, "url": "javascript:alert(1)"},
]
MARKDOWN = "# Why\n\nIt is **due**, see [there](https://example.org/).\n\n- one\n- `two`\n\n> quoted\n\n<b>no tag</b>"


def bill(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "about": {"what": f"Bill {number}"},
        "payee": "東京電力" if number % 2 else "City of Kyoto",
        "at": f"2026-11-{20 - number:02}T09:00:00Z",
        "sum": 12800 + number,
        "size": 2_500_000,
        "length": 3725,
        "label": "late" if number % 3 == 0 else "",
        "face": PIXEL,
        "fresh": number < 2,
        "secret": "hidden word",
        "html": HTML,
        **({"attachments": ATTACHMENTS} if number == 4 else {}),
    }


class Refused(Exception):
    def __init__(self, param: str, expected: str) -> None:
        super().__init__(f"“{param}” must be {expected}.")
        self.data = {"param": param, "expected": expected}


class Server:
    def __init__(self) -> None:
        self.values: dict[str, dict[str, Any]] = {}
        self.screens: dict[str, str] = {}
        self.told: list[str] = []
        self.removed: list[tuple[int, dict[str, Any]]] = []
        """The bills whose removal can be undone, with their indexes. The newest removal is the last."""

    def say(self, **message: Any) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def tell(self, view: str, output: str, value: Any) -> None:
        lasting = output in self.values[view]
        if lasting:
            self.values[view][output] = value
        listed = {"revision": len(value) + 1} if isinstance(value, list) and output in ("items", "remarks") else {}
        self.say(method=output, params={"view": view, "value": value, **listed})

    def open(self, screen: str) -> dict[str, Any]:
        view = f"v{len(self.screens) + 1}"
        self.screens[view] = screen
        self.values[view] = {name: value for name, (_, value) in SCREENS[screen]["states"].items()}
        outputs = {
            name: {"value": value, **({"revision": 0} if isinstance(value, list) and name in ("items", "remarks") else {})}
            for name, value in self.values[view].items()
        }
        return {"view": view, "screen": screen, "viewModel": screen, "outputs": outputs}

    def answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                return {"protocolVersion": "1", "capabilities": {}}
            case "screens":
                return {"screens": document()["x-screens"]}
            case "rpc.discover":
                return document()
            case "open":
                return self.open(params["screen"])
            case "close" | "ping" | "shutdown":
                return {}
            case "exit":
                sys.exit()
        view = params["view"]
        outcome = getattr(self, f"{self.screens[view]}_{method}")(view, params)
        return {"outcome": outcome or "finished"}

    def counter_increment(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "count", self.values[view]["count"] + params.get("by", 1))

    counter_add = counter_increment

    def ticket_appear(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "ticket", {"id": "T-1", "title": "プリンターが紙を食べる"})
        self.tell(view, "remarks", [{"id": "a", "text": "Again?", "likes": 3}, {"id": "b", "text": "また。", "likes": 12}])

    def ticket_text(self, view: str, params: dict[str, Any]) -> None:
        if "!" in params["text"]:
            raise Refused("text", "calm")
        self.tell(view, "text", params["text"])

    def ticket_save(self, view: str, params: dict[str, Any]) -> None:
        if self.values[view]["text"] == "":
            self.tell(view, "error", {"code": 1, "message": "Nothing to save", "retryable": False, "trigger": "save", "number": 1})
            return
        self.tell(view, "error", None)
        self.tell(view, "saved", {})

    def ticket_order(self, view: str, params: dict[str, Any]) -> None:
        order = {name: value for name, value in params.items() if name not in ("view", "wait")}
        if order.get("address", {}).get("city") == "Nowhere":
            raise Refused("address.city", "somewhere")
        self.tell(view, "ticket", {"id": "T-2", **order})

    def ticket_assign(self, view: str, params: dict[str, Any]) -> None:
        self.parent = view
        opened = self.open("people")
        self.say(method="navigate", params={"view": view, "value": opened})

    def people_choose(self, view: str, params: dict[str, Any]) -> None:
        self.tell(self.parent, "assignee", params["name"])
        self.tell(view, "dismiss", {})

    def list_items(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "items", {})

    def articles_refresh(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "items", [{"id": f"1.{n}", "text": f"Article {n}", "likes": n} for n in range(3)])

    def articles_reachBottom(self, view: str, params: dict[str, Any]) -> str | None:
        items = self.values[view]["items"]
        if len(items) >= 9:
            return "nothing"
        self.tell(view, "items", items + [{"id": f"{len(items)}.{n}", "text": f"Article {len(items) + n}"} for n in range(3)])
        return None

    def articles_select(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "opened", next(item for item in self.values[view]["items"] if item["id"] == params["id"]))

    def diary_reachTop(self, view: str, params: dict[str, Any]) -> str | None:
        """Drops the second request, as if it came too soon, and fails the fourth."""
        asked, items = self.values[view]["asked"] + 1, self.values[view]["items"]
        self.tell(view, "asked", asked)
        if asked == 4:
            self.tell(view, "error", {"message": "The diary is locked", "retryable": True, "trigger": "reachTop", "number": 1})
            return "failed"
        if asked == 2 or len(items) == len(DAYS):
            return "nothing"
        self.tell(view, "error", None)
        self.tell(view, "items", DAYS[-len(items) - 20 :])
        return None

    def outbox_reachBottom(self, view: str, params: dict[str, Any]) -> str:
        return "nothing"

    def outbox_retry(self, view: str, params: dict[str, Any]) -> None:
        pending = [{**edit, "state": "sending"} if edit == {"id": params["id"], "state": "failed"} else edit for edit in self.values[view]["pending"]]
        self.tell(view, "pending", pending)

    def diary_reachBottom(self, view: str, params: dict[str, Any]) -> str:
        return "nothing"

    def chat_appear(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "items", DAYS[60:])
        self.tell(view, "scrollTo", {"index": 39, "id": "d99"})

    def chat_viewport(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "seen", f"{params['start']} to {params['end']}")

    def chat_reachTop(self, view: str, params: dict[str, Any]) -> str | None:
        items = self.values[view]["items"]
        self.tell(view, "asked", self.values[view]["asked"] + 1)
        if items[0] == DAYS[0]:
            return "nothing"
        self.tell(view, "items", DAYS[DAYS.index(items[0]) - 20 : DAYS.index(items[0])] + items)
        return None

    def chat_say(self, view: str, params: dict[str, Any]) -> None:
        items = self.values[view]["items"]
        self.tell(view, "items", [*items, {"id": f"said{len(items)}", "text": params["text"]}])
        self.tell(view, "scrollTo", {"index": len(items), "id": f"said{len(items)}"})

    def album_viewport(self, view: str, params: dict[str, Any]) -> str | None:
        self.chat_viewport(view, params)
        return self.chat_reachTop(view, params) if params["start"] == 0 else "nothing"

    shelf_select = articles_select

    def bills_appear(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "items", [bill(number) for number in range(7)])

    bills_refresh = bills_appear

    def bills_reachBottom(self, view: str, params: dict[str, Any]) -> str:
        return "nothing"

    def bills_select(self, view: str, params: dict[str, Any]) -> None:
        pass

    def bills_remove(self, view: str, params: dict[str, Any]) -> None:
        place, item = next(one for one in enumerate(self.values[view]["items"]) if one[1]["id"] == params["id"])
        self.removed.append((place, item))
        self.tell(view, "items", [other for other in self.values[view]["items"] if other is not item])
        self.tell_undoable(view)

    def bills_undo(self, view: str, params: dict[str, Any]) -> None:
        if self.removed:
            self.put_back(view, *self.removed.pop())
            self.tell_undoable(view)

    def bills_settle(self, view: str, params: dict[str, Any]) -> None:
        """Ends the undo time of all removals. The removal of bill 1 fails once. Only tests send this."""
        removed, self.removed = self.removed, []
        self.tell_undoable(view)
        for place, item in removed:
            if item["id"] == 1 and not self.told:
                self.told.append("refused")
                self.put_back(view, place, item)
                self.tell(view, "error", {"code": 9, "message": "No money", "retryable": False, "trigger": "remove", "number": 1})

    def put_back(self, view: str, place: int, item: dict[str, Any]) -> None:
        items = self.values[view]["items"]
        self.tell(view, "items", [*items[:place], item, *items[place:]])

    def tell_undoable(self, view: str) -> None:
        edit = {"count": 1, "input": "remove", "ids": [self.removed[-1][1]["id"]], "milliseconds": 5000} if self.removed else None
        self.tell(view, "undoable", edit)

    def bills_change(self, view: str, params: dict[str, Any]) -> None:
        changed = params["item"]
        self.tell(view, "items", [changed if item["id"] == changed["id"] else item for item in self.values[view]["items"]])

    def paper(self, number: int) -> dict[str, Any]:
        """A document of a bill. Its id equals that of another bill."""
        page = {"id": number, "index": number, "count": 2, "item": {"id": number, "title": f"Paper {number}"}}
        return {**page, "hasPrevious": number > 0, "hasNext": number < 1, "hasMore": False}

    def bills_files(self, view: str, params: dict[str, Any]) -> None:
        opened = self.open("papers")
        opened["outputs"]["page"]["value"] = self.values[opened["view"]]["page"] = self.paper(0)
        self.say(method="navigate", params={"view": view, "value": opened})

    def papers_swipe(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "page", self.paper(1 if params["to"] == "next" else 0))

    def bills_assign(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "told", f"{params['id']} to {params['to']}")

    def bills_comment(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "told", f"{params['id']}: {params['text']}")

    def articles_star(self, view: str, params: dict[str, Any]) -> None:
        self.tell(view, "starred", params["id"])


def main() -> None:
    server = Server()
    for line in sys.stdin:
        message = json.loads(line)
        try:
            result = {"result": server.answer(message["method"], message.get("params", {}))}
        except Refused as refused:
            result = {"error": {"code": -32602, "message": str(refused), "data": refused.data}}
        if "id" in message:
            server.say(id=message["id"], **result)


if __name__ == "__main__":
    main()
