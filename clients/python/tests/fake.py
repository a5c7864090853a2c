"""A fake server that sends the messages that a test chooses."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import nagare

Message = dict[str, Any]

SCREENS = [
    {
        "screen": "rows",
        "viewModel": "list",
        "inputs": ["viewWillAppear", "refresh", "select"],
        "outputs": ["items", "loading", "error", "state", "navigate", "rang", "scrollTo"],
    },
    {"screen": "row", "viewModel": "pager", "inputs": ["swipe"], "outputs": ["page"]},
    {"screen": "profile", "viewModel": "task", "inputs": ["rename"], "outputs": ["name", "error"]},
    {"screen": "letter", "viewModel": "letter", "inputs": ["title.write"], "outputs": ["title.text"]},
]


class Fake:
    """The server's end of a connection with the client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.greeted: Message = {}

    async def next(self, method: str | None = None) -> Message:
        """Returns the client's next message, which must have this method. Answers `initialize` and `screens` itself."""
        while True:
            line = await asyncio.wait_for(self.reader.readline(), 10)
            assert line, "the client has ended"
            message: Message = json.loads(line)
            if message.get("method") == "initialize":
                self.greeted = message["params"]
                capabilities = {"deltas": True, "virtualClock": True}
                server = {"name": "fake", "version": "1"}
                self.answer(message, {"protocolVersion": "1", "server": server, "capabilities": capabilities})
            elif message.get("method") == "screens":
                self.answer(message, {"screens": SCREENS})
            else:
                assert message.get("method") == method, message
                return message

    def say(self, method: str, /, **params: Any) -> None:
        self.write({"jsonrpc": "2.0", "method": method, "params": {"view": "v", **params}})

    def ask(self, id: Any, method: str, /, **params: Any) -> None:
        self.write({"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def answer(self, message: Message, result: Any) -> None:
        self.write({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def refuse(self, message: Message, error: Any) -> None:
        self.write({"jsonrpc": "2.0", "id": message["id"], "error": error})

    def write(self, message: Any) -> None:
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def serve(self, method: str, result: Any) -> Message:
        """Receives the client's next message and answers it."""
        message = await self.next(method)
        self.answer(message, result)
        return message

    async def open(self, app: nagare.App, items: list[Any] | None = None, revision: int = 0, **more: Any) -> nagare.AnyView:
        """Makes the client open the view `v`."""
        outputs = {"items": {"value": items or [], "revision": revision}, **more}
        for name, value in {"loading": False, "error": None, "state": {"phase": "nothing"}}.items():
            outputs.setdefault(name, {"value": value})
        opening = asyncio.ensure_future(app.open("rows"))
        await self.serve("open", {"view": "v", "screen": "rows", "viewModel": "list", "outputs": outputs})
        return await opening

    async def settle(self, app: nagare.App) -> None:
        """Waits until the client has received all messages."""
        pinging = asyncio.ensure_future(app.ping())
        await self.serve("ping", {})
        await pinging
        await asyncio.sleep(0)

    async def end(self) -> None:
        self.writer.close()


@asynccontextmanager
async def fake_server(**options: Any) -> AsyncIterator[tuple[nagare.App, Fake]]:
    """Returns an app and the fake server it is connected to. The test enters the app."""
    ours, theirs = socket.socketpair()
    fake = Fake(*await asyncio.open_connection(sock=ours))
    reader, writer = await asyncio.open_connection(sock=theirs)
    app = nagare.connect(reader, writer, patience=0.05, **options)
    try:
        yield app, fake
    finally:
        await app.close()
        for end in (fake.writer, writer):
            end.close()
            try:
                await end.wait_closed()
            except ConnectionError:
                pass  # The other end closed the connection first.
