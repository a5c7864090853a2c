"""Fixtures of all tests: servers of the page, and a user with a browser."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "behaviour")]

from selenium import webdriver  # noqa: E402
from serving import Site  # noqa: E402
from user import PATIENCE, User  # noqa: E402

Serve = Callable[..., Site]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write", action="store_true", help="writes the accessibility trees to the files instead of comparing them")


def browser() -> webdriver.Chrome:
    """Starts a headless browser. The environment variable `SLOWER` slows its processor down by that factor."""
    driver = shutil.which("chromedriver")
    needed = "install Chromium and its driver (Debian: apt-get install chromium chromium-driver)"
    assert driver and shutil.which("chromium"), needed
    options = webdriver.ChromeOptions()
    options.add_argument("--headless=new")
    # Without a graphics card, emulating one is the slowest way to draw.
    options.add_argument("--disable-gpu")
    # The browser reaches only this machine, even if others were reachable.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost")
    # Otherwise the browser would keep each page that a test has left in a separate process.
    options.add_argument("--disable-features=BackForwardCache")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if os.geteuid() == 0:
        # Chromium's sandbox can't run as root. The page is trusted, so it needs no sandbox.
        options.add_argument("--no-sandbox")
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    chrome.set_script_timeout(2 * PATIENCE)
    if slower := os.environ.get("SLOWER"):
        chrome.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": float(slower)})
    chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"{{ {first_in_each_page()} }}"})
    return chrome


def first_in_each_page() -> str:
    """Returns the scripts that run first in each page: `eyes` for the tests, and a clock that stands still."""
    folder = Path(__file__).parent
    displayed = (files("selenium.webdriver.remote") / "isDisplayed.js").read_text()
    eyes, clock = (folder / "eyes.js").read_text(), (folder / "clock.js").read_text()
    return f"const displayed = {displayed};\n{eyes} {clock}"


@pytest.fixture(scope="session")
def chrome() -> Iterator[webdriver.Chrome]:
    with browser() as chrome:
        yield chrome


@pytest.fixture
def me(chrome: webdriver.Chrome) -> Iterator[User]:
    someone = User(chrome)
    someone.told()
    yield someone
    # The next test may use the same address, so its stored settings are removed. Each address has a cookie, which all are sent to all ports.
    chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chrome.execute_script("if (location.protocol === 'http:') localStorage.clear();")
    chrome.get("about:blank")
    assert not someone.told()


@pytest.fixture(scope="session")
def demo() -> Iterator[Site]:
    """The demo with a virtual clock. Each page gets its own server."""
    site = Site("--clock", "virtual")
    yield site
    site.kill()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Returns a function that serves a configuration with files in `tmp_path`, or the demo."""
    sites: list[Site] = []

    def start(config: dict[str, Any] | None = None, *options: str, program: str | None = None) -> Site:
        if config is not None:
            (tmp_path / "nagare.json").write_text(json.dumps(config))
            options = ("--config", str(tmp_path / "nagare.json"), *options)
        sites.append(Site(*options, program=program))
        return sites[-1]

    yield start
    for site in sites:
        site.kill()


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of custom view models, which the page doesn't know."""
    program = tmp_path_factory.mktemp("own") / "own"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("own.py")}"\n')
    program.chmod(0o755)
    site = Site(program=str(program))
    yield site
    site.kill()


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
