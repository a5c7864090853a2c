"""`nagare web`: who is let in, how pages and programs are connected, and how everything ends."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError
from nagare_web import command, demo
from nagare_web.bridge import Limits, MessageTooLong, read_lines
from nagare_web.server import PORTS, Server, listen, listen_at
from nagare_web.files import WEB, Site, find_site
from serving import KEY, PACKAGE, binary

PATIENT = Limits(patience=60)
"""Nothing in these tests takes that long."""
HASTY = Limits(patience=0.05)
"""For programs that never end by themselves."""
ECHO = ["/bin/cat"]
Socket: TypeAlias = "ClientWebSocketResponse[bool]"


def shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


@asynccontextmanager
async def serving(program: list[str] | None = None, limits: Limits = PATIENT) -> AsyncIterator[Server]:
    server = Server(Site(WEB.parent), program or ECHO, listen(0), KEY, limits)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def own(server: Server) -> dict[str, str]:
    """Returns the headers with which the page opens its socket."""
    return {"Origin": f"http://127.0.0.1:{server.port}", "Cookie": f"{server.cookie}={KEY}"}


@asynccontextmanager
async def page(server: Server) -> AsyncIterator[Socket]:
    async with ClientSession() as session:
        async with session.ws_connect(f"http://127.0.0.1:{server.port}/nagare", headers=own(server), max_msg_size=0) as socket:
            yield socket


async def get(server: Server, path: str, **headers: str) -> tuple[int, str, Mapping[str, str]]:
    async with ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{server.port}{path}", headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text(), answer.headers


def test_the_key_in_the_address_sets_a_cookie_that_opens_the_page() -> None:
    async def run() -> None:
        async with serving() as server, ClientSession() as browser:
            async with browser.get(server.address) as answer:
                assert answer.status == 200 and 'location.replace("web/"' in await answer.text()
                cookie = answer.cookies[f"nagare-{server.port}"]
            assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Strict", "/", "")
            cookies = {"Cookie": f"{cookie.key}={cookie.value}"}
            assert (await get(server, "/web/", **cookies))[0] == 200
            assert (await get(server, "/", **cookies))[0] == 200

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/?key=wrong", "/?key=", "/?key=%C3%A9", f"/?key={KEY}x"])
def test_a_wrong_key_is_refused_with_the_remedy(path: str) -> None:
    async def run() -> None:
        async with serving() as server:
            status, text, headers = await get(server, path)
            assert status == 403 and "The key in the address is wrong. Open the address that `nagare web` has printed." in text
            assert "Set-Cookie" not in headers

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/", "/web/", "/web/index.html", "/nagare"])
@pytest.mark.parametrize("cookie", ["", "nagare-{port}=", "nagare-{port}=of-another-start", "nagare-1=" + KEY])
def test_a_browser_without_the_cookie_is_refused_with_the_remedy(path: str, cookie: str) -> None:
    async def run() -> None:
        async with serving() as server:
            origin = f"http://localhost:{server.port}"
            status, text, _ = await get(server, path, Origin=origin, Cookie=cookie.format(port=server.port))
            assert status == 403 and "Open the address that `nagare web` has printed" in text

    asyncio.run(run())


def test_the_page_s_code_needs_no_cookie_because_browsers_load_the_manifest_without() -> None:
    async def run() -> None:
        async with serving() as server:
            for path in ("/web/manifest.webmanifest", "/web/worker.js", "/web/src/main.js", "/web/style/icon.svg"):
                assert (await get(server, path))[0] == 200

    asyncio.run(run())


@pytest.mark.parametrize("host", ["app.example.org", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "192.168.0.2:{port}", ""])
def test_a_request_through_a_proxy_or_for_another_host_is_refused_with_the_remedy(host: str) -> None:
    async def run() -> None:
        async with serving() as server:
            told = host.format(port=server.port)
            for path in (f"/?key={KEY}", "/web/src/main.js", "/nagare"):
                status, text, _ = await get(server, path, **{**own(server), "Host": told})
                assert status == 403 and f"answers only at http://127.0.0.1:{server.port}/" in text and f"“{told}”" in text
                assert f"ssh -L {server.port}:127.0.0.1:{server.port}" in text and "clients/hosting" in text

    asyncio.run(run())


@pytest.mark.parametrize("origin", ["http://evil.example", "http://evil.example:{port}", "http://localhost:1", "https://localhost:{port}", "null", "localhost:{port}"])
def test_pages_of_other_origins_are_refused(origin: str) -> None:
    async def run() -> None:
        async with serving() as server:
            for path in ("/nagare", f"/?key={KEY}", "/web/src/main.js"):
                status, text, _ = await get(server, path, **{**own(server), "Origin": origin.format(port=server.port)})
                assert status == 403 and "can't use this server" in text

    asyncio.run(run())


def test_a_socket_without_an_origin_is_refused() -> None:
    async def run() -> None:
        async with serving() as server, ClientSession() as session:
            with pytest.raises(WSServerHandshakeError) as refused:
                await session.ws_connect(f"http://127.0.0.1:{server.port}/nagare", headers={"Cookie": own(server)["Cookie"]})
            assert refused.value.status == 403

    asyncio.run(run())


@pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_all_names_of_this_machine_are_accepted(host: str) -> None:
    async def run() -> None:
        async with serving() as server:
            name = host.format(port=server.port)
            headers = {**own(server), "Host": name, "Origin": f"http://{name.lower()}"}
            async with ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{server.port}/nagare", headers=headers) as socket:
                await socket.send_str("{}")
                assert await socket.receive_str() == "{}"

    asyncio.run(run())


def test_the_address_that_a_browser_is_started_with_can_be_opened_once() -> None:
    async def run() -> None:
        async with serving() as server:
            path = server.address_once.removeprefix(f"http://127.0.0.1:{server.port}")
            assert [(await get(server, path))[0] for _ in range(2)] == [200, 403]
            assert (await get(server, f"/?key={KEY}"))[0] == 200

    asyncio.run(run())


@pytest.mark.parametrize("path", ["", "web/", "web/src/main.js", "web/style/body.css", "nowhere", "?key=wrong"])
def test_every_answer_has_the_security_headers(path: str) -> None:
    async def run() -> None:
        async with serving() as server:
            for headers in (own(server), {}):
                _, _, got = await get(server, f"/{path}", **headers)
                assert got["Content-Security-Policy"] == "frame-ancestors 'none'" and got["X-Content-Type-Options"] == "nosniff"
                assert got["Referrer-Policy"] == "no-referrer" and got["Cache-Control"] == "no-cache"

    asyncio.run(run())


@pytest.mark.parametrize(
    "path",
    [
        "web/bundle", "web/tests/conftest.py", "web/tests/eyes.js", "web/package.json", "javascript/test/support.js", "javascript/package.json", "Makefile", ".git/config",
        "web/src/../tests/eyes.js", "web/src/%2e%2e/tests/eyes.js", "web/src/..%2ftests/eyes.js", "web/src/%2e%2e%2ftests%2feyes.js", "web/src//main.js",
        "../Makefile", "%2e%2e/Makefile", "/etc/passwd", "web/src/main.js%00", "web/src", "web/src/", "web/src/.main.js", "web/style/main.css.gz",
    ],
)  # fmt: skip
def test_other_files_are_not_served(path: str) -> None:
    async def run() -> None:
        async with serving() as server:
            # The client of aiohttp would remove the dots.
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            cookie = own(server)["Cookie"]
            writer.write(f"GET /{path} HTTP/1.1\r\nHost: localhost:{server.port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n".encode())
            assert (await reader.read()).split(b" ", 2)[1] in (b"404", b"400")
            writer.close()

    asyncio.run(run())


def test_files_are_sent_compressed_and_only_if_they_have_changed(tmp_path: Path) -> None:
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "main.js").write_text("plain")
    (tmp_path / "web" / "src" / "main.js.gz").write_text("packed")
    site = Site(tmp_path)
    plain, packed = (site.read("web/src/main.js", accepts_gzip=accepts) for accepts in (False, True))
    assert plain and packed and (plain.body, packed.body, plain.compressed, packed.compressed) == (b"plain", b"packed", False, True)
    assert plain.tag != packed.tag and plain.type == "text/javascript; charset=utf-8"

    async def run() -> None:
        async with serving() as server:
            _, _, headers = await get(server, "/web/src/main.js")
            status, text, again = await get(server, "/web/src/main.js", **{"If-None-Match": headers["ETag"]})
            assert (status, text, again["ETag"]) == (304, "", headers["ETag"])

    asyncio.run(run())


def test_each_message_is_a_line() -> None:
    async def run() -> None:
        async with serving() as server, page(server) as socket:
            for text in ('{"a": 1}', '{\n"a":\n1}', json.dumps({"text": "ü\u2028" * 100_000}, ensure_ascii=False)):
                await socket.send_str(text)
                assert await socket.receive_str() == text.replace("\n", " ")

    asyncio.run(run())


def test_lines_are_read_from_pieces_of_any_size() -> None:
    async def read(*pieces: bytes) -> list[bytes]:
        stream = asyncio.StreamReader()
        for piece in pieces:
            stream.feed_data(piece)
        stream.feed_eof()
        return [line async for line in read_lines(stream, 10)]

    assert asyncio.run(read(b"a\nb", b"c\n\nd", b"\n", b"unended")) == [b"a", b"bc", b"", b"d"]
    assert asyncio.run(read(b"0123456789\n")) == [b"0123456789"]
    for long in (b"0123456789x", b"0123456789x\n"):
        with pytest.raises(MessageTooLong):
            asyncio.run(read(long))


def test_messages_of_16_mib_pass_and_longer_ones_close_the_connection() -> None:
    async def run() -> None:
        async with serving() as server:
            async with page(server) as socket:
                longest = "x" * (16 << 20)
                await socket.send_str(longest)
                assert await socket.receive_str() == longest
                with suppress(ConnectionError):
                    await socket.send_str(longest + "x")
                while not socket.closed:
                    await socket.receive()
            await until_idle()
        async with serving(shell("head -c 16777217 /dev/zero; cat")) as server, page(server) as socket:
            assert await socket.receive() and socket.close_code == 1009

    asyncio.run(run())


async def closed(socket: Socket) -> tuple[int, str]:
    """Returns the code and the reason with which the server closes a socket."""
    while (message := await socket.receive()).type is WSMsgType.TEXT:
        pass
    assert message.type is WSMsgType.CLOSE, message
    return message.data, message.extra or ""


@pytest.mark.parametrize(
    ("script", "code", "reason"),
    [
        ("exit 0", 1000, "sh has ended."),
        ("exit 3", 1011, "sh ended with status 3."),
        ("kill -SEGV $$", 1011, "sh was ended by signal 11."),
        ("exec <&- >&-; while :; do sleep 1000; done", 1011, "sh closed its input or output."),
    ],
)
def test_the_reason_for_closing_a_socket_is_the_program_s_end(script: str, code: int, reason: str) -> None:
    async def run() -> None:
        async with serving(shell(script), HASTY if "sleep" in script else PATIENT) as server, page(server) as socket:
            assert await closed(socket) == (code, reason)

    asyncio.run(run())


def test_a_program_that_cannot_be_started_is_a_reason_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving([str(tmp_path / "removed")]) as server, page(server) as socket:
            assert await closed(socket) == (1011, "Can't start removed: No such file or directory.")

    asyncio.run(run())


def test_binary_messages_are_refused() -> None:
    async def run() -> None:
        async with serving() as server, page(server) as socket:
            await socket.send_bytes(b"{}")
            assert await closed(socket) == (1003, "Messages must be text.")

    asyncio.run(run())


def test_the_last_messages_of_a_program_arrive_before_its_end() -> None:
    async def run() -> None:
        async with serving(shell("seq 1 20000; exit 7")) as server, page(server) as socket:
            lines = []
            async for message in socket:
                lines.append(message.data)
            assert lines == [str(number) for number in range(1, 20001)] and socket.close_code == 1011

    asyncio.run(run())


def test_the_last_messages_of_a_page_arrive_and_the_program_can_finish(tmp_path: Path) -> None:
    # It writes more than fits into a pipe before it ends.
    kept = tmp_path / "kept"
    script = f"cat > {shlex.quote(str(kept))}; head -c 1000000 /dev/zero | tr '\\0' '\\n'; echo done >> {shlex.quote(str(kept))}"

    async def run() -> None:
        async with serving(shell(script)) as server:
            async with page(server) as socket:
                for number in range(1000):
                    await socket.send_str(str(number))
            await until_idle()

    asyncio.run(run())
    assert kept.read_text().split() == [*map(str, range(1000)), "done"]


async def until_idle() -> None:
    """Waits until all pages are closed and their programs have ended."""
    while bridges():
        await asyncio.wait(bridges())


def bridges() -> list[asyncio.Task[object]]:
    """Returns the tasks that serve a page."""
    return [task for task in asyncio.all_tasks() if "RequestHandler.start" in repr(task.get_coro()) and task is not asyncio.current_task()]


def children() -> set[int]:
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        # The thread may have ended.
        with suppress(OSError):
            found.update(map(int, (thread / "children").read_text().split()))
    return found


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def wait_for(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_a_hundred_pages_leave_no_process_and_no_descriptor() -> None:
    async def run() -> None:
        async with serving([binary(), "--clock", "virtual"]) as server:
            before, files = children(), descriptors()
            async with ClientSession() as session:
                for _ in range(10):
                    sockets = [
                        await session.ws_connect(f"http://127.0.0.1:{server.port}/nagare", headers=own(server), max_msg_size=0) for _ in range(10)
                    ]
                    for number, socket in enumerate(sockets):
                        await socket.send_str('{"jsonrpc":"2.0","id":1,"method":"ping"}')
                        assert json.loads(await socket.receive_str())["id"] == 1
                        if number % 2:
                            await socket.close()
                        else:
                            # A page that is gone without a word.
                            transport = socket._response.connection and socket._response.connection.transport
                            assert transport
                            transport.abort()
            await wait_for(lambda: children() == before and descriptors() == files)

    asyncio.run(run())


def test_each_program_gets_only_its_own_ends_of_the_pipes() -> None:
    """Otherwise a program wouldn't get the end of its input while another one runs."""

    async def run() -> None:
        script = 'import os; print(*(n for n in range(256) if os.path.exists(f"/proc/self/fd/{n}")), flush=True); os.execv("/bin/cat", ["cat"])'
        async with serving([sys.executable, "-c", script]) as server, page(server) as first, page(server) as second:
            assert [(await socket.receive_str()).split() for socket in (first, second)] == [["0", "1", "2"]] * 2
            count = len(children())
            await first.close()
            await wait_for(lambda: len(children()) == count - 1)
            await second.send_str("{}")
            assert await second.receive_str() == "{}"

    asyncio.run(run())


def test_a_child_of_a_program_that_holds_its_output_open_delays_no_end(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    async def run() -> None:
        script = f"sleep 1000 & echo $! > {shlex.quote(str(pid))}; exit 4"
        async with serving(shell(script), HASTY) as server:
            before = descriptors()
            async with page(server) as socket:
                assert await closed(socket) == (1011, "sh ended with status 4.")
            await wait_for(lambda: descriptors() == before)

    try:
        asyncio.run(run())
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)


def test_a_program_that_ignores_the_end_of_its_input_and_signals_is_ended_with_its_children() -> None:
    async def run() -> None:
        async with serving(shell("trap '' TERM INT HUP; sleep 1000 & echo $!; while :; do wait; done"), HASTY) as server:
            before = children()
            async with page(server) as socket:
                pid = await socket.receive_str()
                child = Path("/proc") / str(pid) / "stat"
                assert child.exists()
            await wait_for(lambda: children() == before)
            await wait_for(lambda: not child.exists() or child.read_text().rsplit(")", 1)[1].split()[0] == "Z")

    asyncio.run(run())


def test_a_cancelled_connection_leaves_no_child_of_its_program() -> None:
    async def run() -> None:
        async with serving(shell("sleep 1000 & echo $!; wait")) as server:
            before = children()
            async with page(server) as socket:
                child = Path("/proc") / str(await socket.receive_str()) / "stat"
                [serving_page] = bridges()
                serving_page.cancel()
                await wait_for(lambda: children() == before)
                await wait_for(lambda: not child.exists() or child.read_text().rsplit(")", 1)[1].split()[0] == "Z")

    asyncio.run(run())


def test_a_page_that_does_not_read_stops_the_program_so_memory_is_bounded(tmp_path: Path) -> None:
    written = tmp_path / "written"
    script = f"""
import os
for number in range(4096):
    os.write(1, b"x" * 65535 + b"\\n")
    with open({str(written)!r}, "a") as file: file.write(".")
"""

    def count() -> int:
        return written.stat().st_size if written.exists() else 0

    async def run() -> None:
        async with serving([sys.executable, "-c", script], HASTY) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write("\r\n".join(["GET /nagare HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *upgrade(server), "", ""]).encode())
            assert (await reader.readline()).startswith(b"HTTP/1.1 101")
            # Nothing reads the connection any more. Its program writes until all buffers are full.
            counts = [-1]
            while counts[-50:] != [count()] * 50:
                counts.append(count())
                await asyncio.sleep(0.01)
            assert 0 < count() < 1024, "pieces of 64 KiB. The kernel's buffers of the connection take most of them."
            writer.transport.abort()
            await until_idle()

    asyncio.run(run())


def upgrade(server: Server) -> list[str]:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "c29tZSBub25jZSBoZXJlIQ=="}
    return [f"{name}: {value}" for name, value in {**headers, **own(server)}.items()]


def test_a_program_that_does_not_read_stops_the_page_and_is_ended_after_a_while() -> None:
    async def run() -> None:
        async with serving(shell("sleep 1000"), Limits(patience=0.05, unread=0.5)) as server:
            before = children()
            async with page(server) as socket:
                sent = 0

                async def send() -> None:
                    nonlocal sent
                    with suppress(ConnectionError):
                        while True:
                            await socket.send_str("x" * 65536)
                            sent += 1

                sending = asyncio.create_task(send())
                assert await closed(socket) == (1011, "sh didn't read its input for 0.5 s.")
                sending.cancel()
                assert sent < 1000, "the page has to wait as well"
            await wait_for(lambda: children() == before)

    asyncio.run(run())


def test_stopping_closes_the_pages_with_a_reason_and_ends_their_programs() -> None:
    async def run() -> None:
        before = children()
        async with serving() as server, page(server) as socket:
            await socket.send_str("{}")
            await socket.receive_str()
            stopping = asyncio.create_task(server.stop())
            assert await closed(socket) == (1001, "The web server was stopped.")
            await stopping
        assert children() == before

    asyncio.run(run())


def test_the_program_does_not_get_control_c() -> None:
    async def run() -> None:
        async with serving(shell("ps -o sid= -p $$; cat")) as server, page(server) as socket:
            assert int(await socket.receive_str()) != os.getsid(0)

    asyncio.run(run())


def test_a_taken_port_is_followed_by_the_next_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        listeners = listen(port)
        assert port < listeners[0].getsockname()[1] <= port + PORTS
        assert len({listener.getsockname()[1] for listener in listeners}) == 1
        for listener in listeners:
            listener.close()


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_a_port_that_is_taken_for_ipv6_only_is_not_used() -> None:
    try:
        taken = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("needs IPv6")
    with taken:
        with pytest.raises(OSError):
            listen_at(taken.getsockname()[1])
        # The other kind was closed again.
        socket.create_server(("127.0.0.1", taken.getsockname()[1])).close()


def test_a_machine_without_ipv6_works(monkeypatch: pytest.MonkeyPatch) -> None:
    create = socket.create_server

    def without(address: tuple[str, int], *, family: int, backlog: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return create(address, family=family, backlog=backlog)

    monkeypatch.setattr(socket, "create_server", without)
    [listener] = listen(0)
    assert listener.getsockname()[0] == "127.0.0.1"
    listener.close()


def test_only_this_machine_is_listened_to() -> None:
    listeners = listen(0)
    assert {listener.getsockname()[0] for listener in listeners} <= {"127.0.0.1", "::1"}
    for listener in listeners:
        listener.close()


def web(*words: str, module: str = "nagare_web", **environment: str | None) -> subprocess.Popen[str]:
    """Starts `nagare web`. A variable that is None is removed from the environment."""
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE / "server"), "NAGARE": binary(), "NAGARE_WEB_KEY": KEY, **environment}
    given = {name: value for name, value in variables.items() if value is not None}
    return subprocess.Popen([sys.executable, "-m", module, *words], env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def stopped(process: subprocess.Popen[str], number: int = signal.SIGINT) -> tuple[int, str, str]:
    """Waits for the address, ends the process, and returns its status, its output and its errors."""
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Press Control-C" in line:
            break
    process.send_signal(number)
    status, out, err = finished(process)
    return status, "".join(lines) + out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly_and_the_address_is_printed(number: int) -> None:
    status, out, err = stopped(web("--port", "0"), number)
    first, second = out.splitlines()
    assert status == 0 and err == "" and second == "Press Control-C to stop."
    assert first.startswith("The page is at http://127.0.0.1:") and first.endswith(f"/?key={KEY}")


def test_a_machine_without_a_home_folder_and_without_a_browser_works(tmp_path: Path) -> None:
    process = web("--open", "--port=0", HOME=None, XDG_CONFIG_HOME=None, XDG_RUNTIME_DIR=None, DISPLAY=None, WAYLAND_DISPLAY=None, BROWSER=None)
    assert process.stderr
    assert process.stderr.readline() == "No browser can be opened here. Open the address above in a browser on this machine.\n"
    assert stopped(process)[0] == 0


def test_a_browser_that_fails_is_reported() -> None:
    process = web("--open", "--port=0", BROWSER="/bin/false", DISPLAY=None, WAYLAND_DISPLAY=None)
    assert process.stderr
    assert "No browser can be opened here." in process.stderr.readline()
    assert stopped(process)[0] == 0


@pytest.mark.parametrize("module", ["nagare_web", "nagare_web.demo"])
def test_a_browser_that_never_ends_delays_nothing_and_gets_a_key_of_its_own(module: str, tmp_path: Path) -> None:
    browser, given = tmp_path / "browser", tmp_path / "given"
    os.mkfifo(given)
    browser.write_text(f'#!/bin/sh\necho $$ "$1" > {shlex.quote(str(given))}\nexec sleep 1000\n')
    browser.chmod(0o755)
    process = web("--port=0", *(["--open"] if module == "nagare_web" else []), module=module, BROWSER=str(browser))
    number, address = given.read_text().split()
    try:
        assert address.startswith("http://127.0.0.1:") and "/?key=" in address and KEY not in address
        status, out, err = stopped(process)
        assert (status, err) == (0, "") and address.split("/?")[0] in out
    finally:
        os.kill(int(number), signal.SIGKILL)


def test_a_taken_port_is_reported_with_the_one_that_is_used() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, out, err = stopped(web("--port", str(port)))
    assert status == 0 and err == "" and f"Port {port} is taken, so port " in out


@pytest.mark.parametrize("port", ["many", "-1", "65536", "", "8e3", "١"])
def test_a_port_that_is_none_is_an_error(port: str) -> None:
    with pytest.raises(command.Problem, match="isn't a port: use a number from 1 to 65535, or 0 for any free port") as wrong:
        command.parse(["--port", port])
    assert wrong.value.status == 64


def test_wrong_options_are_reported_by_the_program_before_serving() -> None:
    status, out, err = finished(web("--config", "nowhere.json"))
    assert status == 78 and "nowhere.json: No such file" in err and out == ""


def test_missing_programs_are_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("NAGARE", "/nowhere/nagare")
    monkeypatch.setenv("PATH", "/nowhere")
    for words, missing in (
        ([], "/nowhere/nagare is missing: the environment variable NAGARE must be the path"),
        (["--", "/nowhere/own"], "/nowhere/own is missing: name a program in PATH"),
    ):
        assert command.reporting(lambda: command.serve_arguments(words)) == 78
        assert f"nagare web: {missing}" in capsys.readouterr().err
    with pytest.raises(command.Problem, match="can't find the program nagare-terminal"):
        demo.run_terminal([])


def test_another_program_is_served_with_its_arguments(tmp_path: Path) -> None:
    program = tmp_path / "own"
    program.write_text('#!/bin/sh\necho "$@" >&2\nexit 3\n')
    program.chmod(0o755)
    assert finished(web("--", str(program), "--wanted", "--port")) == (3, "", "--wanted --port\n")
    with pytest.raises(command.Problem, match="--file is an option of nagare"):
        command.parse(["--file", "x", "--", str(program)])


def test_an_endless_feed_does_not_delay_serving(tmp_path: Path) -> None:
    program = tmp_path / "waits"
    program.write_text('#!/bin/sh\nwhile read -r line; do case $line in *\'"exit"\'*) exit 0 ;; esac; done\nexec sleep 1000\n')
    program.chmod(0o755)
    assert stopped(web("--port", "0", "--", str(program)))[0] == 0


def test_a_key_of_the_environment_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAGARE", binary())
    monkeypatch.setenv("NAGARE_WEB_KEY", "a; b")
    with pytest.raises(command.Problem, match="NAGARE_WEB_KEY isn't a key"):
        command.serve_arguments([])


def test_own_options_are_kept_and_all_others_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAGARE", binary())
    parsed = command.parse(["--file", "mails.jsonl", "--port=1", "--id", "key", "--open", "--sqlite", "mail.db"])
    assert parsed.command == [binary(), "--file", "mails.jsonl", "--id", "key", "--sqlite", "mail.db"]
    assert (parsed.port, parsed.open) == (1, True)


def test_nagare_is_found_next_to_the_program_and_then_in_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside, path = tmp_path / "beside", tmp_path / "path"
    for folder in (beside, path):
        folder.mkdir()
        (folder / "nagare").symlink_to("/bin/true")
    monkeypatch.delenv("NAGARE", raising=False)
    monkeypatch.chdir(path)
    monkeypatch.setattr(sys, "argv", [str(beside / "nagare-web")])
    monkeypatch.setenv("PATH", f":.:{path}")
    assert command.find_nagare() == str(beside / "nagare")
    (beside / "nagare").unlink()
    assert command.find_nagare() == str(path / "nagare")
    monkeypatch.setenv("PATH", ":.:")
    assert command.find_program("nagare") is None


def test_the_demo_s_terminal_replaces_the_process(tmp_path: Path) -> None:
    terminal = tmp_path / "nagare-terminal"
    terminal.write_text('#!/bin/sh\necho "$@"\n')
    terminal.chmod(0o755)
    process = web("--terminal", "--screen", "items", module="nagare_web.demo", PATH=f"{tmp_path}:/bin")
    assert finished(process) == (0, "--live --screen items\n", "")


def test_the_site_of_a_checkout_is_bundled_unless_development_wants_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEVELOPMENT", raising=False)
    bundled = find_site()
    assert bundled.folder == PACKAGE.parents[1] / ".build" / "site" and bundled.read("web/src/main.js", accepts_gzip=True)
    monkeypatch.setenv("DEVELOPMENT", "1")
    assert find_site().folder == PACKAGE.parent
