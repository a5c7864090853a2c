"""Lost connections and reconnecting, and serving the page."""

from __future__ import annotations

import gzip
from http.client import HTTPConnection
from pathlib import Path

import pytest
from conftest import Serve
from serving import KEY, Site
from user import DESKTOP, PHONE, User

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SCROLLER = ".screen:not([hidden]) .scroller"


def back(me: User) -> None:
    """Waits until the page is connected again."""

    def connected() -> bool:
        # The page may reconnect by itself meanwhile, which hides the banner.
        me.run("() => document.querySelector('.banner button').click()")
        return not me.all(".banner") and bool(me.session("({app}) => app.state === 'open'"))

    me.until(connected)


@SIZES
def test_a_lost_connection_is_shown_and_the_list_keeps_its_position(me: User, serve: Serve, size: tuple[int, int]) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url, size)
    me.load()
    me.scroll(SCROLLER, 100_000)
    me.load()
    me.scroll(SCROLLER, 1720)
    top, first = me.run("() => document.querySelector('.scroller').scrollTop"), me.rows[0]
    site.kill()
    me.see(".banner", "No connection to the server")
    assert me.rows[0] == first, "what was there is still there"
    site.start()
    back(me)
    assert me.rows[0] == first, "until it comes again"
    for count in ("20+", "40+"):
        me.load()
        assert me.position == count
    assert me.rows[0] == first and me.run("() => document.querySelector('.scroller').scrollTop") == top
    me.scroll(SCROLLER, 100_000)
    me.load()
    assert me.position == "60+"


@SIZES
def test_an_open_mail_stays_open_after_reconnecting(me: User, demo: Site, size: tuple[int, int]) -> None:
    me.open(demo.url, size)
    me.load()
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    me.press("ARROW_RIGHT")
    me.at("4 of 20+")
    me.end_server()
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.size") == 1)
    me.see("article h2", "Your invoice")
    # Time that passes before the list is requested loads nothing.
    me.until(lambda: me.session("({app}) => app.views.get('v1').state.phase") == "requesting")
    me.load()
    me.until(lambda: me.session("({app}) => app.views.size") == 2)
    me.press("ARROW_RIGHT")
    me.at("5 of 20+")


def test_an_open_mail_stays_open_if_its_list_shows_other_rows(me: User, demo: Site) -> None:
    me.open(demo.url)
    me.load()
    me.scroll(SCROLLER, 100_000)
    me.load()
    me.scroll(SCROLLER, 100_000)
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("END", "ARROW_UP", "ENTER")
    me.until(lambda: me.position.startswith("39 of"))
    heading = me.see("article h2").text
    me.scroll(SCROLLER, 0)
    me.end_server()
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.size") == 1)
    me.until(lambda: me.session("({app}) => app.views.get('v1').state.phase") == "requesting")
    me.load()
    me.load()
    me.until(lambda: me.session("({app}) => app.views.size") == 2)
    assert me.position.startswith("39 of") and me.see("article h2").text == heading


def test_the_demo_runs_in_real_time(me: User, serve: Serve) -> None:
    me.open(serve().url)
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    me.press("ARROW_RIGHT")
    me.see("article h2", "Your invoice")


def test_a_search_is_kept_after_reconnecting(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/articles")
    me.load()
    me.click("[type=search]")
    me.press("swift testing")
    me.load()
    found = me.rows
    me.end_server()
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.get('v1')?.state.phase") == "nothing")

    def looked_for() -> bool:
        me.load()
        return bool(me.session("({app}) => app.views.get('v1').query") == "swift testing")

    me.until(looked_for)
    me.gone(".row.skeleton")
    assert me.rows == found


def test_a_choice_is_repeated_after_reconnecting(me: User, demo: Site) -> None:
    me.open(demo.url, part="#/genres")
    me.click(".choice", "curry")
    me.until(lambda: me.see(".choice", "curry").get_attribute("aria-pressed") == "true")
    me.go("Shops")
    me.load()
    me.see(".row-second", "curry")
    me.end_server()
    me.until(lambda: me.session("({app}) => app.state === 'open' && app.views.get('v2')?.state.phase") == "requesting")
    me.load()
    me.see(".row-second", "curry")
    assert me.chrome.current_url.endswith("#/shops")


def test_a_page_waits_for_a_server_that_starts_later(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    site.kill()
    me.see(".banner", "Trying again in")
    site.start()
    me.let_pass(500)
    me.gone(".banner")


def test_try_now_reconnects_at_once(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    site.kill()
    me.see(".banner", "Trying again in")
    site.start()
    me.click(".banner button", "Try now")
    me.gone(".banner")


def test_the_page_shows_why_the_server_closed_the_connection(me: User, serve: Serve, tmp_path: Path) -> None:
    program = tmp_path / "short"
    program.write_text('#!/bin/sh\nread -r line && case $line in *shutdown*) exit 0 ;; esac\nexit 3\n')
    program.chmod(0o755)
    me.open(serve(program=str(program)).url)
    me.see(".banner", "short ended with status 3.")


def test_controls_that_need_the_server_are_disabled_while_disconnected(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    me.load()
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    site.kill()
    me.see(".banner", "No connection")
    disabled = "() => [...document.querySelectorAll('[aria-disabled=true]')].map((e) => e.ariaLabel ?? e.textContent)"
    others = ["Articles", "Genres", "Shops", "Profile", "Offers"]
    assert sorted(me.run(disabled)) == sorted([*others, "Refresh", "Previous", "Next"])
    me.click("nav a", "Articles")
    me.see(".banner", "This needs a connection")
    assert me.chrome.current_url.endswith("#/items/m003")
    site.start()
    back(me)
    me.load()
    me.until(lambda: me.run(disabled) == [])


@SIZES
def test_listed_items_can_be_read_while_disconnected(me: User, serve: Serve, size: tuple[int, int]) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url, size)
    me.load()
    site.kill()
    me.see(".banner", "No connection")
    me.click(".row", "Handover")
    me.see("article h2", "Handover")
    me.see(".panel:not([inert]) article", "Luca has the keys")
    me.press("ARROW_RIGHT")
    me.see(".panel:not([inert]) h2", "Your invoice")
    me.audit()
    site.start()
    back(me)
    me.until(lambda: me.session("({app}) => app.views.get('v1').state.phase") == "requesting")
    me.load()
    me.until(lambda: me.session("({app}) => app.views.size") == 2)
    me.see(".panel:not([inert]) h2", "Your invoice")
    me.at("4 of 20+")


def test_a_pending_removal_is_lost_with_its_server_and_nothing_is_edited_while_disconnected(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    me.load()
    first, second = me.titles[:2]
    me.run("() => document.querySelector('[role=listbox]').focus()")
    me.press("e")
    me.see(".toast", "Archive:")
    assert me.titles[0] == second
    site.kill()
    me.see(".banner", "No connection")
    me.gone(".toast button")
    me.press("e")
    me.see(".banner", "This needs a connection to the server.")
    assert me.titles[0] == second
    site.start()
    back(me)
    me.until(lambda: me.session("({app}) => app.views.get('v1').state.phase") == "requesting")
    me.load()
    me.lists(first, second)
    assert not me.all(".toast *, [role=alert]")


def test_the_page_is_bundled_and_small(me: User, serve: Serve) -> None:
    # A new address, so the browser has nothing of the page in its cache.
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    me.see(".row.skeleton")
    names = me.run("() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/^.*?\\/web\\//, ''))")
    assert sorted(set(names) & {"src/main.js", "style/main.css"}) == ["src/main.js", "style/main.css"] and len(names) <= 12
    sent = [get(site, path)[1] for path in ("web/src/main.js", "web/style/main.css")]
    assert sum(map(len, sent)) < 50_000 and sum(len(gzip.decompress(body)) for body in sent) < 137_000
    # All files that the browser has loaded, with those after the first rows.
    me.load()
    me.see(".row-title", "Handover")
    # Files that are requested again for the service worker come from the cache.
    loaded = dict(me.run("() => performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])"))
    assert sum(loaded.values()) < 65_000


def test_the_page_loads_while_its_server_is_down(me: User, serve: Serve) -> None:
    site = serve(None, "--clock", "virtual")
    me.open(site.url)
    me.load()
    kept = "async (...files) => (await Promise.all(files.map((file) => caches.match(file)))).every(Boolean)"
    me.until(lambda: me.run(kept, "/web/", "/web/src/main.js", "/web/style/main.css"))
    site.kill()
    me.open(site.url)
    me.see(".banner", "No connection to the server")
    site.start()
    back(me)
    me.see(".title")
    me.load()
    me.see(".row-title", "Handover")


def test_the_page_can_be_installed_as_an_app(me: User, demo: Site) -> None:
    me.open(demo.url)
    told = me.command("Page.getAppManifest")
    assert told["url"] == f"{demo.url}manifest.webmanifest" and told["errors"] == []
    assert told["manifest"]["name"] == "Nagare" and told["manifest"]["display"] == "kStandalone"
    assert [get(demo, icon["url"].removeprefix(demo.url.removesuffix("web/")))[0] for icon in told["manifest"]["icons"]] == [200]
    assert me.command("Page.getInstallabilityErrors") == {"installabilityErrors": []}


def test_the_unbundled_sources_work(me: User, monkeypatch: pytest.MonkeyPatch, serve: Serve) -> None:
    monkeypatch.setenv("DEVELOPMENT", "1")
    site = serve(None, "--clock", "virtual")
    assert get(site, "javascript/src/index.js")[0] == 200
    me.open(site.url)
    me.load()
    me.see(".row-title", "Handover")


def test_closing_a_page_logs_no_error_and_the_server_s_log_is_printed(me: User, tmp_path: Path) -> None:
    path = tmp_path / "log"
    site = Site("--clock", "virtual", "--log", log=path)
    try:
        for _ in range(3):
            me.open(site.url)
            me.load()
    finally:
        site.kill()
    assert '"method":"viewport"' in path.read_text()
    assert "ERROR" not in path.read_text()


def test_the_printed_address_redirects_to_the_page_and_keeps_the_screen(me: User, demo: Site) -> None:
    me.open(demo.address, part="#/articles")
    assert me.see(".title").text == "Articles"
    assert me.chrome.current_url == f"http://127.0.0.1:{demo.port}/web/#/articles"


def get(site: Site, path: str) -> tuple[int, bytes]:
    """Sends a request as a browser with the cookie, and returns the status and the body."""
    connection = HTTPConnection("127.0.0.1", site.port)
    connection.request("GET", f"/{path}", headers={"Cookie": f"nagare-{site.port}={KEY}", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body
