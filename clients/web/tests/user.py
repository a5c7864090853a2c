"""A simulated user of the page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import urlsplit

from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from serving import KEY, Site

Value = TypeVar("Value")
PATIENCE = 60.0
"""Seconds after which a test counts as hanging."""
GRACE = 5000
"""Milliseconds of the page's time in which an action can be undone and a toast is shown."""
REST = 400
"""Milliseconds of the page's time after which the user's position is saved."""
PHONE, DESKTOP = (390, 844), (1280, 800)


class User:
    """A user of the page in Chromium: inputs, and waiting for what they show."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def open(
        self, url: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False, motion: bool = False, part: str = ""
    ) -> None:
        """Loads the page on a screen of a size."""
        # A browser doesn't reload the page if only the part of the URL after `#` changes.
        if self.chrome.current_url != "about:blank":
            self.chrome.get("about:blank")
        phone = size[0] < 600
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": phone}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        self.command("Emulation.setTouchEmulationEnabled", enabled=phone, maxTouchPoints=1)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}
        self.command("Emulation.setEmulatedMedia", features=[scheme, still])
        if url.startswith("http:"):
            cookie = {"url": url, "name": f"nagare-{urlsplit(url).port}", "value": KEY}
            self.command("Network.setCookies", cookies=[cookie])
        self.chrome.get(url + part)
        self.see(".title, .detail, .banner")

    def command(self, name: str, **parameters: Any) -> Any:
        return self.chrome.execute_cdp_cmd(name, parameters)

    def until(self, condition: Callable[[], Value]) -> Value:
        """Waits until a condition is true, and returns its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(StaleElementReferenceException):
                if value := condition():
                    return value
            time.sleep(0.02)
        raise AssertionError(f"what was waited for has not come; the page: {self.run('eyes.told')}")

    def sees(self, condition: str, *arguments: Any) -> Any:
        """Waits until a condition is true, which the page checks in every frame, and returns its value."""

        def look() -> Any:
            try:
                return self.run(f"(patience, ...all) => eyes.until(() => ({condition})(...all), patience)", PATIENCE * 1000, *arguments)
            except JavascriptException as gone:
                # The page has just been reloaded.
                if "unloaded" not in str(gone):
                    raise
                return None

        seen = self.until(look)
        assert seen, f"never seen: {condition} {arguments}"
        return seen

    def all(self, selector: str, text: str = "") -> list[WebElement]:
        found: list[WebElement] = self.run("eyes.all", selector, text)
        return found

    def see(self, selector: str, text: str = "") -> WebElement:
        """Waits for an element with this text."""
        found: WebElement = self.sees("(...what) => eyes.all(...what)[0]", selector, text)
        return found

    def gone(self, selector: str, text: str = "") -> None:
        """Waits until there is no element with this text."""
        self.sees("(...what) => eyes.all(...what).length === 0", selector, text)

    def count(self, number: int, selector: str) -> None:
        """Waits until there is a number of elements."""
        self.sees("(number, selector) => eyes.all(selector).length === number", number, selector)

    def at(self, position: str) -> None:
        """Waits until the page shows a position, such as `4 of 20+`."""
        self.sees("(position) => eyes.position() === position", position)

    def lists(self, *titles: str) -> None:
        """Waits until the first rows have these titles."""
        self.sees("(...titles) => titles.every((title, place) => eyes.rows()[place]?.title === title)", *titles)

    def click(self, selector: str, text: str = "") -> None:

        def click() -> bool:
            self.see(selector, text).click()
            return True

        self.until(click)

    def go(self, screen: str) -> None:
        """Opens another screen from the menu, and waits until its title is shown."""
        self.click("nav a", screen)
        self.see(".title", screen)

    def press(self, *keys: str) -> None:
        """Presses keys one after the other in the focused element."""
        for key in keys:
            ActionChains(self.chrome).send_keys(getattr(Keys, key, key)).perform()

    def run(self, script: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(f"return ({script})(...arguments)", *arguments)

    def session(self, script: str) -> Any:
        """Calls a function with the page's session, and returns its result."""
        return self.run(f"async () => ({script})((await import('/web/src/main.js')).session)")

    def end_server(self) -> None:
        """Ends this page's `nagare`, but not the web server, and waits until the page has noticed it."""
        self.session("""({app}) => new Promise((resolve) => {
          app.addEventListener('lost', () => resolve(), {once: true});
          app.request('exit').catch(() => {});
        })""")

    def advance(self, milliseconds: int) -> None:
        """Advances the server's clock, and waits until the page shows the result."""
        self.session(
            f"async ({{app}}) => {{ await app.advance({milliseconds}); await app.request('ping');"
            " await eyes.frame(); }"
        )

    def let_pass(self, milliseconds: int) -> None:
        """Advances the page's clock, which stands still otherwise."""
        self.run("(milliseconds) => clock.pass(milliseconds)", milliseconds)

    @contextmanager
    def time_running(self) -> Iterator[None]:
        """Lets the page's clock run within the context."""
        self.run("() => clock.run(true)")
        yield
        self.run("() => clock.run(false)")

    @contextmanager
    def out_of_sight(self) -> Iterator[None]:
        """Hides the page within the context, so that it draws no frames."""
        window = self.command("Browser.getWindowForTarget")["windowId"]

        def show(state: str) -> None:
            self.command("Browser.setWindowBounds", windowId=window, bounds={"windowState": state})
            seen = state == "normal"
            self.until(lambda: self.run("() => [!document.hidden, document.hasFocus()]") == [seen, seen])

        show("minimized")
        try:
            yield
        finally:
            show("normal")

    def slow_motion(self) -> None:
        """Slows animations down almost to a standstill, so that they can be examined, until `full_speed`."""
        self.command("Animation.enable")
        self.command("Animation.setPlaybackRate", playbackRate=0.0001)

    def full_speed(self) -> None:
        self.command("Animation.setPlaybackRate", playbackRate=1)
        self.command("Animation.disable")

    def load(self) -> None:
        """Lets requested rows load, also if their request was delayed."""
        self.advance(1000)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The drawn rows in their order: the visible ones and a few more."""
        found: list[dict[str, Any]] = self.run("eyes.rows")
        return found

    @property
    def titles(self) -> list[str]:
        return [str(row["title"]) for row in self.rows]

    @property
    def position(self) -> str:
        """The user's position in the detail if it is open, otherwise in the list."""
        return str(self.run("eyes.position"))

    @property
    def focused(self) -> str:
        """The accessible name of the focused element."""
        script = "() => { const e = document.activeElement; return e.ariaLabel ?? e.textContent; }"
        return str(self.run(script))

    def scroll(self, selector: str, top: int) -> None:
        """Scrolls, and waits until the page has drawn the rows there."""
        script = """async (selector, top) => {
          document.querySelector(selector).scrollTop = top;
          await eyes.frame();
          await eyes.frame();
        }"""
        self.run(script, selector, top)

    def tap(self, selector: str, text: str = "") -> None:
        """Taps an element with a finger."""
        box = self.see(selector, text).rect
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        self.lift()

    def write(self, text: str) -> None:
        """Enters a text in the focused element, like an on-screen keyboard."""
        self.command("Input.insertText", text=text)

    def drag(self, selector: str, dx: int, dy: int, *, text: str = "", drop: bool = True, steps: int = 8) -> None:
        """Drags slowly with a finger from the middle of an element: each step takes a tenth of a second."""
        box = self.see(selector, text).rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        moment = self.run("() => performance.timeOrigin / 1000")

        def touch(kind: str, step: int) -> None:
            points = [{"x": x + dx * step / steps, "y": y + dy * step / steps}] if kind != "touchEnd" else []
            self.command("Input.dispatchTouchEvent", type=kind, touchPoints=points, timestamp=moment + step / 10)

        touch("touchStart", 0)
        for step in range(1, steps + 1):
            touch("touchMove", step)
        if drop:
            touch("touchEnd", steps + 1)

    def lift(self) -> None:
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def wheel(self, selector: str, *deltas: int) -> None:
        """Turns a wheel or swipes on a trackpad. All events are sent at once, so a slow machine doesn't matter."""
        self.see(selector)
        script = """(selector, deltas) => {
          const element = document.querySelector(selector);
          for (const deltaX of deltas) element.dispatchEvent(new WheelEvent("wheel", { deltaX, cancelable: true }));
        }"""
        self.run(script, selector, deltas)

    def told(self) -> list[str]:
        """Returns the errors that the browser has logged since the last call."""
        logged: list[dict[str, Any]] = self.chrome.get_log("browser")  # type: ignore[no-untyped-call]
        severe = [entry["message"] for entry in logged if entry["level"] == "SEVERE"]
        # Expected errors: lost connections to killed servers, and attempts by the HTML of messages that the browser blocks.
        known = ("WebSocket connection", "error occurred when fetching the script", "Applying inline style", "Executing inline event handler")
        lost = [message for message in severe if "net::ERR_" in message and message.startswith(Site.gone())]
        return [message for message in severe if message not in lost and not any(part in message for part in known)]

    def picture(self) -> str:
        """Takes a screenshot: a PNG in base64."""
        return str(self.command("Page.captureScreenshot")["data"])

    def unpainted(self) -> list[str]:
        """Returns the controls that aren't painted: hiding them doesn't change the page's picture at their positions."""
        if not self.run("() => eyes.controls()"):
            return []
        picture = self.picture()
        self.run("() => eyes.hide(true)")
        without = self.picture()
        self.run("() => eyes.hide(false)")
        found: list[str] = self.run("(...pictures) => eyes.same(...pictures)", picture, without)
        return found

    def audit(self, *, enhanced: bool = False) -> None:
        """Asserts that axe finds no accessibility problems; with `enhanced`, texts need the contrast of WCAG's level AAA.

        Also asserts that all controls are painted.
        """
        assert not (unseen := self.unpainted()), f"can be clicked, and isn't painted: {unseen}"
        if not self.run("() => 'axe' in window"):
            # Only the script is used, because its package requires another driver. It runs with the system's clock.
            rules = (files("axe_playwright_python") / "axe.min.js").read_text()
            self.chrome.execute_script(f"((setTimeout, clearTimeout) => {{ {rules} }})(clock.system.setTimeout, clock.system.clearTimeout)")
        found = self.run(
            "(enabled) => axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast-enhanced': {enabled}}})", enhanced
        )
        told = {
            rule["id"]: [node["html"][:200] + node["failureSummary"] for node in rule["nodes"]] for rule in found["violations"]
        }
        assert not told, json.dumps(told, indent=2, ensure_ascii=False)
