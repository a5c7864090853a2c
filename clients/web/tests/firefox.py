"""Drives Firefox by WebDriver BiDi, which Firefox supports without a driver: https://w3c.github.io/webdriver-bidi."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.common.keys import Keys
from serving import KEY, Site
from user import DESKTOP, PATIENCE, User
from websocket import WebSocket, create_connection

PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "general.smoothScroll": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class Node:
    """An element of the page."""

    def __init__(self, firefox: Firefox, shared: dict[str, Any]) -> None:
        self.firefox, self.shared = firefox, shared

    @property
    def text(self) -> str:
        return str(self.firefox.execute_script("return arguments[0].innerText", self))

    def get_attribute(self, name: str) -> Any:
        return self.firefox.execute_script("return arguments[0].getAttribute(arguments[1])", self, name)

    def click(self) -> None:
        origin = {"type": "element", "element": self.shared}
        self.firefox.point({"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})


class Firefox:
    """A headless Firefox, with scripts that run first in each of its pages."""

    def __init__(self, first: str) -> None:
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        assert program, "install Firefox (Debian: apt-get install firefox-esr)"
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        Path(self.profile.name, "user.js").write_text("".join(lines))
        command = [program, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port", "0", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect()
        self.number = 0
        self.complaints: list[str] = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self.context = self.command("browsingContext.getTree")["contexts"][0]["context"]
        self.command("script.addPreloadScript", functionDeclaration=f"() => {{ {first} }}")

    def __enter__(self) -> Firefox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def connect(self) -> WebSocket:
        """Connects to the address at which Firefox listens. Firefox writes it to its profile."""
        server = Path(self.profile.name, "WebDriverBiDiServer.json")
        while not server.exists() or not (told := server.read_text()):
            assert self.process.poll() is None, "Firefox has ended"
            time.sleep(0.02)
        address = json.loads(told)
        return create_connection(f"ws://{address['ws_host']}:{address['ws_port']}/session", timeout=2 * PATIENCE, suppress_origin=True)

    def command(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (told := json.loads(self.socket.recv())).get("id") != self.number:
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.complaints.append(str(told["params"]["text"]))
        if told["type"] == "error":
            if told["error"] in ("no such node", "stale element reference"):
                raise StaleElementReferenceException(told["message"])
            raise JavascriptException(f"unloaded? {told['error']}: {told['message']}")
        return told["result"]

    def get(self, url: str) -> None:
        self.command("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def refresh(self) -> None:
        self.command("browsingContext.reload", context=self.context, wait="complete")

    @property
    def current_url(self) -> str:
        return str(self.execute_script("return location.href"))

    def execute_script(self, script: str, *arguments: Any) -> Any:
        # Elements are returned as references, all other values as JSON.
        tell = "(value) => (value instanceof Node ? value : JSON.stringify(value ?? null))"
        told = self.command(
            "script.callFunction",
            functionDeclaration=f"async function () {{ return ({tell})(await (function () {{ {script} }}).apply(this, arguments)); }}",
            target={"context": self.context},
            arguments=[self.given(argument) for argument in arguments],
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise JavascriptException(told["exceptionDetails"]["text"])
        result = told["result"]
        return Node(self, {"sharedId": result["sharedId"]}) if result["type"] == "node" else json.loads(result["value"])

    def given(self, value: Any) -> dict[str, Any]:
        """Returns an argument in the form that BiDi requires."""
        match value:
            case Node():
                return value.shared
            case bool():
                return {"type": "boolean", "value": value}
            case int() | float():
                return {"type": "number", "value": value}
            case str():
                return {"type": "string", "value": value}
            case None:
                return {"type": "null"}
            case list() | tuple():
                return {"type": "array", "value": [self.given(part) for part in value]}
        raise TypeError(value)

    def act(self, kind: str, *actions: dict[str, Any], **more: Any) -> None:
        source = {"type": kind, "id": kind, "actions": list(actions), **more}
        self.command("input.performActions", context=self.context, actions=[source])

    def point(self, *actions: dict[str, Any]) -> None:
        self.act("pointer", *actions, parameters={"pointerType": "mouse"})


class FirefoxUser(User):
    """A user of the page in Firefox."""

    def __init__(self, firefox: Firefox) -> None:
        super().__init__(firefox)  # type: ignore[arg-type]
        self.firefox = firefox

    def open(
        self, url: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False, motion: bool = False, part: str = ""
    ) -> None:
        assert not dark and not motion
        self.firefox.get("about:blank")
        viewport = {"width": size[0], "height": size[1]}
        self.firefox.command("browsingContext.setViewport", context=self.firefox.context, viewport=viewport)
        cookie = {"name": f"nagare-{urlsplit(url).port}", "value": {"type": "string", "value": KEY}, "domain": urlsplit(url).hostname}
        self.firefox.command("storage.setCookie", cookie=cookie)
        self.firefox.get(url + part)
        self.see(".title, .detail, .banner")

    def press(self, *keys: str) -> None:
        for key in keys:
            value = str(getattr(Keys, key, key))
            self.firefox.act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def turn(self, selector: str, distance: int) -> None:
        """Turns a wheel over an element."""
        shared = self.see(selector).shared  # type: ignore[attr-defined]
        origin = {"type": "element", "element": shared}
        before = self.run("(selector) => document.querySelector(selector).scrollTop", selector)
        self.firefox.act("wheel", {"type": "scroll", "x": 0, "y": 0, "deltaX": 0, "deltaY": distance, "origin": origin})
        self.sees("(selector, before) => document.querySelector(selector).scrollTop !== before", selector, before)
        self.run("eyes.frame")

    def picture(self) -> str:
        return str(self.firefox.command("browsingContext.captureScreenshot", context=self.firefox.context)["data"])

    def told(self) -> list[str]:
        told, self.firefox.complaints = self.firefox.complaints, []
        # Firefox also logs lost connections to servers that tests have killed.
        known = ("can’t establish a connection", "was interrupted", *Site.gone())
        return [text for text in told if not any(part in text for part in known)]
