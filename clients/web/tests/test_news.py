"""Notifications of new items while the page is hidden."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.request import urlopen

import pytest
from test_live import Change, change, mail, mailbox
from user import User
from websocket import create_connection

__all__ = ["change", "mailbox"]
BELL = ".bar [aria-label='Notify me']"
SCROLLER = ".screen:not([hidden]) .scroller"
# If notifications are queried before one is shown, Chromium sometimes never returns it. So the test waits until it is shown.
SHOWN = """async () => {
  await Promise.all(window.showing ?? []);
  const shown = await (await navigator.serviceWorker.getRegistration()).getNotifications();
  return shown.map(({ title, body }) => [title, body]);
}"""
SHOWING = """() => {
  window.showing = [];
  const { showNotification } = ServiceWorkerRegistration.prototype;
  ServiceWorkerRegistration.prototype.showNotification = function (...words) {
    const shown = showNotification.apply(this, words);
    window.showing.push(shown);
    return shown;
  };
}"""
ASKED = """() => {
  window.asked = 0;
  const ask = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = () => (window.asked++, ask());
}"""


@pytest.fixture
def allowed(me: User) -> Callable[[str], None]:
    """Returns a function that sets the browser's permission for notifications."""

    def allow(setting: str) -> None:
        origin = me.run("() => location.origin")
        me.command("Browser.setPermission", permission={"name": "notifications"}, setting=setting, origin=origin)

    return allow


def shown(me: User) -> list[list[str]]:
    """Returns the title and text of each notification."""
    found: list[list[str]] = me.run(SHOWN)
    return found


def choose(me: User) -> None:
    """Clicks the notification. Only a browser command can fire that event in the service worker."""
    address = me.chrome.capabilities["goog:chromeOptions"]["debuggerAddress"]
    targets = json.load(urlopen(f"http://{address}/json/list"))
    origin = me.run("() => location.origin")
    worker = next(target for target in targets if target["type"] == "service_worker" and target["url"].startswith(origin))
    socket = create_connection(worker["webSocketDebuggerUrl"], suppress_origin=True)
    script = "(async () => { const [shown] = await registration.getNotifications(); shown.close(); await show(shown.data); })().catch(String)"
    socket.send(json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {"expression": script, "awaitPromise": True}}))
    while (told := json.loads(socket.recv())).get("id") != 1:
        pass
    # A browser brings a page to the front only after a click on a notification.
    assert told["result"]["result"].get("value", "").startswith("InvalidAccessError: Not allowed to focus")
    socket.close()


def pass_time(me: User) -> None:
    """Lets all timers of the page fire. The page draws nothing meanwhile."""
    me.run("() => [...clock.waiting].forEach((timer) => clock.act(...timer))")


def begin(me: User, url: str) -> None:
    me.open(url)
    me.see(".row-title", "Mail 0")
    me.until(lambda: me.run("async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)"))
    # The module for notifications loads after the first rows.
    me.run("async () => { await import('/web/src/list/arrival-notifications.js'); await eyes.frame(); }")
    me.run(SHOWING)


def test_notifications_show_items_that_arrived_while_the_page_was_hidden(
    me: User, mailbox: Callable[..., str], change: Change, allowed: Callable[[str], None]
) -> None:
    begin(me, mailbox())
    me.run(ASKED)
    assert not me.all(BELL), "nobody knows yet that something comes"
    change({"insert": mail(100, "Fresh")})
    me.see(".row-title", "Fresh")
    bell = me.see(BELL)
    assert bell.get_attribute("aria-pressed") == "false" and me.run("() => asked") == 0
    allowed("granted")
    bell.click()
    me.see(".toast", "Notifications turned on")
    assert bell.get_attribute("aria-pressed") == "true"
    me.audit()
    me.until(lambda: me.run("() => document.hasFocus()"))
    me.scroll(SCROLLER, 900)
    change({"insert": mail(101, "Seen")})
    me.see(".pill", "1 new message")
    assert shown(me) == [], "who looks sees it"
    with me.out_of_sight():
        change({"insert": mail(102, "Hello")})
        me.until(lambda: shown(me) == [["Mei", "Hello"]])
        change({"insert": mail(103, "見積もり")}, {"change": {**mail(102, "Hello"), "unread": False}})
        me.until(lambda: me.session("({app}) => app.views.get('v1').items[0].id") == 103)
        assert shown(me) == [["Mei", "Hello"]], "not one after the other at once"
        pass_time(me)
        me.until(lambda: shown(me) == [["2 new messages", "見積もり\nHello"]])
        choose(me)
        me.until(lambda: me.run("() => document.querySelector('.scroller').scrollTop") == 0)
        assert shown(me) == []
        change({"insert": mail(104, "Third")})
        pass_time(me)
        me.until(lambda: shown(me) != [])
    me.until(lambda: shown(me) == [])
    # The setting is kept for the next visit.
    me.chrome.refresh()
    me.until(lambda: me.see(BELL).get_attribute("aria-pressed") == "true")
    me.press(":")
    me.see("dialog.palette")
    me.press(*"notifications", "ENTER")
    me.see(".toast", "Notifications turned off")
    assert me.see(BELL).get_attribute("aria-pressed") == "false"
    with me.out_of_sight():
        change({"insert": mail(105, "Fourth")})
        me.until(lambda: me.session("({app}) => app.views.get('v1').items[0].id") == 105)
        assert shown(me) == []


def test_a_notification_of_deferred_arrivals_opens_them(
    me: User, mailbox: Callable[..., str], change: Change, allowed: Callable[[str], None]
) -> None:
    begin(me, mailbox(arrivals="ask"))
    allowed("granted")
    me.press(":")
    me.see("dialog.palette")
    me.press(*"notifications", "ENTER")
    me.see(BELL)
    me.click(".row", "Mail 3")
    me.see("article h2", "Mail 3")
    with me.out_of_sight():
        change({"insert": mail(100, "Fresh")}, {"insert": mail(101, "Fresher")})
        me.until(lambda: shown(me) == [["2 new messages", "Inbox"]])
        choose(me)
        me.until(lambda: me.session("({app}) => app.views.get('v1').items[0].id") == 101)
    me.lists("Fresher", "Fresh")
    me.gone(".detail")


def test_blocked_notifications_are_reported(
    me: User, mailbox: Callable[..., str], change: Change, allowed: Callable[[str], None]
) -> None:
    begin(me, mailbox())
    change({"insert": mail(100, "Fresh")})
    allowed("denied")
    me.see(BELL).click()
    me.see("[role=alert]", "The browser blocks notifications")
    assert me.see(BELL).get_attribute("aria-pressed") == "false"

