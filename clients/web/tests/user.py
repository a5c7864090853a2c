"""Somebody before a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any, TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

Value = TypeVar("Value")
PATIENCE = 60.0
"""Seconds after which a test hangs."""
PHONE, DESKTOP = (390, 844), (1280, 800)


class User:
    """What somebody does with the page, and sees of it."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def open(
        self, url: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False, motion: bool = False, part: str = ""
    ) -> None:
        """Opens the page anew on a screen of this size."""
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
        wait: WebDriverWait[Chrome] = WebDriverWait(
            self.chrome, PATIENCE, poll_frequency=0.02, ignored_exceptions=[StaleElementReferenceException]
        )
        return wait.until(lambda _: condition())

    def all(self, selector: str) -> list[WebElement]:
        return [element for element in self.chrome.find_elements(By.CSS_SELECTOR, selector) if element.is_displayed()]

    def see(self, selector: str, text: str = "") -> WebElement:
        """Waits for an element with this text."""

        def seen() -> WebElement | None:
            return next((element for element in self.all(selector) if text in element.text), None)

        found = self.until(seen)
        assert found is not None
        return found

    def gone(self, selector: str, text: str = "") -> None:
        self.until(lambda: not any(text in element.text for element in self.all(selector)))

    def click(self, selector: str, text: str = "") -> None:
        self.see(selector, text).click()

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
        return self.chrome.execute_async_script(
            f"const done = arguments[0]; import('/web/src/main.js').then(({{session}}) => ({script})(session)).then(done)"
        )

    def end_server(self) -> None:
        """Ends the server of this page, and not what serves the page."""
        self.session("({app}) => app.request('exit').catch(() => {})")

    def advance(self, milliseconds: int) -> None:
        """Lets the server's time pass, and waits until the page shows what came."""
        self.session(
            f"async ({{app}}) => {{ await app.advance({milliseconds}); await app.request('ping');"
            " await new Promise((resolve) => requestAnimationFrame(() => resolve())); }"
        )

    def load(self) -> None:
        """Lets what is asked for come, however long its asking was held back."""
        self.advance(1000)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows on the page, in their order: those in sight, and a few more."""
        script = """() => [...document.querySelectorAll(".screen:not([hidden]) [role=option]")]
          .map((row) => ({ place: Number(row.ariaPosInSet), title: row.querySelector(".row-title").textContent }))
          .sort((one, other) => one.place - other.place)"""
        found: list[dict[str, Any]] = self.run(script)
        return found

    @property
    def position(self) -> str:
        """Where the user is: in the detail if that is open, else in the list."""
        places = self.all(".detail .position, .screen .position")
        return places[-1].text if places else ""

    @property
    def focused(self) -> str:
        """What has the focus, by its name."""
        script = "() => { const e = document.activeElement; return e.ariaLabel ?? e.textContent; }"
        return str(self.run(script))

    def scroll(self, selector: str, top: int) -> None:
        """Scrolls, and waits until the page has drawn what is there."""
        script = """const [selector, top, done] = arguments;
          const element = document.querySelector(selector);
          element.scrollTop = top;
          requestAnimationFrame(() => requestAnimationFrame(() => done(element.scrollTop)));"""
        self.chrome.execute_async_script(script, selector, top)

    def drag(self, selector: str, dx: int, dy: int, *, drop: bool = True, steps: int = 8) -> None:
        """Drags with a finger from the middle of an element, slowly: every step is a tenth of a second of its own."""
        box = self.see(selector).rect
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
        known = ("WebSocket connection", "Applying inline style", "Executing inline event handler")
        return [message for message in severe if not any(part in message for part in known)]

    def audit(self) -> None:
        """Finds nothing that keeps people from using the page, by axe's rules."""
        if not self.run("() => 'axe' in window"):
            # Only its script is wanted: its package would have us use another driver.
            self.chrome.execute_script((files("axe_playwright_python") / "axe.min.js").read_text())
        found = self.chrome.execute_async_script("axe.run(document, {resultTypes: ['violations']}).then(arguments[0])")
        told = {
            rule["id"]: [node["html"][:200] + node["failureSummary"] for node in rule["nodes"]] for rule in found["violations"]
        }
        assert not told, json.dumps(told, indent=2, ensure_ascii=False)
