"""Opens a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
PATIENCE = 10.0


def open_browser(address: str, failed: Callable[[], None]) -> None:
    """Opens an address in the user's browser. Returns at once; calls `failed` if no browser can be opened.

    A separate process does it without a terminal, because a browser for terminals would take over this one, and some settings of `BROWSER`
    wait until the browser is closed.
    """

    def run() -> None:
        # Without a display, there are only browsers for terminals.
        if sys.platform != "darwin" and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
            return failed()
        nothing = subprocess.DEVNULL
        opener = subprocess.Popen([sys.executable, "-I", "-c", OPEN, address], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
        try:
            if opener.wait(PATIENCE) != 0:
                failed()
        except subprocess.TimeoutExpired:
            # It waits for the browser.
            pass

    threading.Thread(target=run, daemon=True).start()
