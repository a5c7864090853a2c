"""Somebody before a browser."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import Any, TypeVar

from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from serving import Site

Value = TypeVar("Value")
PATIENCE = 60.0
"""Seconds after which a test hangs."""
GRACE = 5000
"""Milliseconds of the page's time in which something can be undone, and that it is told what has happened."""
REST = 400
"""Milliseconds of the page's time after which it is kept where somebody is."""
PHONE, DESKTOP = (390, 844), (1280, 800)


class User:
    """What somebody does with the page, and sees of it."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def open(
        self, url: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False, motion: bool = False, part: str = ""
    ) -> None:
        """Opens the page anew on a screen of this size."""
        # What is behind an address alone isn't loaded anew.
        if self.chrome.current_url != "about:blank":
            self.chrome.get("about:blank")
        phone = size[0] < 600
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": phone}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        self.command("Emulation.setTouchEmulationEnabled", enabled=phone, maxTouchPoints=1)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}
        self.command("Emulation.setEmulatedMedia", features=[scheme, still])
        self.chrome.get(url + part)
        self.see(".title, .detail, .banner")

    def command(self, name: str, **parameters: Any) -> Any:
        return self.chrome.execute_cdp_cmd(name, parameters)

    def until(self, condition: Callable[[], Value]) -> Value:
        """What the condition gives when it holds at last."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(StaleElementReferenceException):
                if value := condition():
                    return value
            time.sleep(0.02)
        raise AssertionError(f"what was waited for has not come; the page: {self.run('eyes.told')}")

    def sees(self, condition: str, *arguments: Any) -> Any:
        """What a condition gives when it holds at last, which the page looks at in every frame."""

        def look() -> Any:
            try:
                return self.run(f"(patience, ...all) => eyes.until(() => ({condition})(...all), patience)", PATIENCE * 1000, *arguments)
            except JavascriptException as gone:
                # The page has just been loaded anew.
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
        """Waits until there are so many elements."""
        self.sees("(number, selector) => eyes.all(selector).length === number", number, selector)

    def at(self, position: str) -> None:
        """Waits until the user is there."""
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
        """Goes to another screen, and waits until it has been told that it is seen."""
        self.click("nav a", screen)
        self.see(".title", screen)

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, wherever the focus is."""
        for key in keys:
            ActionChains(self.chrome).send_keys(getattr(Keys, key, key)).perform()

    def run(self, script: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(f"return ({script})(...arguments)", *arguments)

    def session(self, script: str) -> Any:
        """What a function gives that takes the page's session."""
        return self.run(f"async () => ({script})((await import('/web/src/main.js')).session)")

    def end_server(self) -> None:
        """Ends the server of this page, and not what serves the page, and waits until the page knows."""
        self.session("""({app}) => new Promise((resolve) => {
          app.addEventListener('lost', () => resolve(), {once: true});
          app.request('exit').catch(() => {});
        })""")

    def advance(self, milliseconds: int) -> None:
        """Lets the server's time pass, and waits until the page shows what came."""
        self.session(
            f"async ({{app}}) => {{ await app.advance({milliseconds}); await app.request('ping');"
            " await eyes.frame(); }"
        )

    def let_pass(self, milliseconds: int) -> None:
        """Lets the page's time pass, which stands still."""
        self.run("(milliseconds) => clock.pass(milliseconds)", milliseconds)

    @contextmanager
    def time_running(self) -> Iterator[None]:
        """Has the page's time pass by itself meanwhile."""
        self.run("() => clock.run(true)")
        yield
        self.run("() => clock.run(false)")

    @contextmanager
    def out_of_sight(self) -> Iterator[None]:
        """Nobody sees the page meanwhile, and it draws no frames."""
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
        """Has what moves stand as good as still, so that it can be looked at, until `full_speed`."""
        self.command("Animation.enable")
        self.command("Animation.setPlaybackRate", playbackRate=0.0001)

    def full_speed(self) -> None:
        self.command("Animation.setPlaybackRate", playbackRate=1)
        self.command("Animation.disable")

    def load(self) -> None:
        """Lets what is asked for come, however long its asking was held back."""
        self.advance(1000)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows on the page, in their order: those in sight, and a few more."""
        found: list[dict[str, Any]] = self.run("eyes.rows")
        return found

    @property
    def titles(self) -> list[str]:
        return [str(row["title"]) for row in self.rows]

    @property
    def position(self) -> str:
        """Where the user is: in the detail if that is open, else in the list."""
        return str(self.run("eyes.position"))

    @property
    def focused(self) -> str:
        """What has the focus, by its name."""
        script = "() => { const e = document.activeElement; return e.ariaLabel ?? e.textContent; }"
        return str(self.run(script))

    def scroll(self, selector: str, top: int) -> None:
        """Scrolls, and waits until the page has drawn what is there."""
        script = """async (selector, top) => {
          document.querySelector(selector).scrollTop = top;
          await eyes.frame();
          await eyes.frame();
        }"""
        self.run(script, selector, top)

    def tap(self, selector: str, text: str = "") -> None:
        """Taps on an element with a finger."""
        box = self.see(selector, text).rect
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        self.lift()

    def write(self, text: str) -> None:
        """Writes as the letters on a screen do, wherever the focus is."""
        self.command("Input.insertText", text=text)

    def drag(self, selector: str, dx: int, dy: int, *, text: str = "", drop: bool = True, steps: int = 8) -> None:
        """Drags with a finger from the middle of an element, slowly: every step is a tenth of a second of its own."""
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
        """Turns a wheel, or pushes two fingers over a trackpad: all of it at once, whatever else the machine does."""
        self.see(selector)
        script = """(selector, deltas) => {
          const element = document.querySelector(selector);
          for (const deltaX of deltas) element.dispatchEvent(new WheelEvent("wheel", { deltaX, cancelable: true }));
        }"""
        self.run(script, selector, deltas)

    def told(self) -> list[str]:
        """What the browser has complained of since it was asked the last time."""
        logged: list[dict[str, Any]] = self.chrome.get_log("browser")  # type: ignore[no-untyped-call]
        severe = [entry["message"] for entry in logged if entry["level"] == "SEVERE"]
        # A server that was killed on purpose is complained of, too, and what the HTML of a message tries, and isn't let do.
        known = ("WebSocket connection", "error occurred when fetching the script", "Applying inline style", "Executing inline event handler")
        lost = [message for message in severe if "net::ERR_" in message and message.startswith(Site.gone())]
        return [message for message in severe if message not in lost and not any(part in message for part in known)]

    def picture(self) -> str:
        """The page as it is seen, as a PNG in base64."""
        return str(self.command("Page.captureScreenshot")["data"])

    def unpainted(self) -> list[str]:
        """What can be clicked and looks as if it weren't there: without it, the page looks the same at its place."""
        if not self.run("() => eyes.controls()"):
            return []
        picture = self.picture()
        self.run("() => eyes.hide(true)")
        without = self.picture()
        self.run("() => eyes.hide(false)")
        found: list[str] = self.run("(...pictures) => eyes.same(...pictures)", picture, without)
        return found

    def audit(self, *, enhanced: bool = False) -> None:
        """Finds nothing that keeps people from using the page, by axe's rules; texts have more contrast than they need where it is enhanced.

        What can be clicked is seen, too.
        """
        assert not (unseen := self.unpainted()), f"can be clicked, and isn't painted: {unseen}"
        if not self.run("() => 'axe' in window"):
            # Only its script is wanted: its package would have us use another driver. Its time is the system's.
            rules = (files("axe_playwright_python") / "axe.min.js").read_text()
            self.chrome.execute_script(f"((setTimeout, clearTimeout) => {{ {rules} }})(clock.system.setTimeout, clock.system.clearTimeout)")
        found = self.run(
            "(enabled) => axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast-enhanced': {enabled}}})", enhanced
        )
        told = {
            rule["id"]: [node["html"][:200] + node["failureSummary"] for node in rule["nodes"]] for rule in found["violations"]
        }
        assert not told, json.dumps(told, indent=2, ensure_ascii=False)
