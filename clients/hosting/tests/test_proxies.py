"""The proxies as configured here, with TLS and a password, and websocketd behind them with a server for each browser."""

from __future__ import annotations

import asyncio
import signal
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
import trustme
from gateway import DEBIAN, Gateway, debian, descendants, free_port, until
from unit import ready

HOST = "app.example.org"
ORIGIN = f"https://{HOST}"
USER, PASSWORD = "ann", "correct horse"
LIBRARY = "export {};\n" * 1000
Proxy = Callable[[int], Gateway]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certificate(authority: trustme.CA, tmp_path: Path) -> tuple[str, str]:
    issued = authority.issue_cert(HOST)
    (chain,) = issued.cert_chain_pems
    chain.write_to_path(tmp_path / "cert.pem")
    issued.private_key_pem.write_to_path(tmp_path / "key.pem")
    return str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")


@pytest.fixture
def nginx(gateway: Callable[..., Gateway], certificate: tuple[str, str], tmp_path: Path) -> Proxy:
    def start(behind: int) -> Gateway:
        port = free_port()
        (tmp_path / "nagare.htpasswd").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        # The paths and addresses in the published file, and the test's replacements.
        changes = {
            "127.0.0.1:8080": f"127.0.0.1:{behind}",
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "/etc/ssl/app.example.org.pem": certificate[0],
            "/etc/ssl/private/app.example.org.key": certificate[1],
            "/etc/nginx/nagare.htpasswd": str(tmp_path / "nagare.htpasswd"),
            "/srv/nagare/page": str(page(tmp_path)),
        }
        temporary = "".join(
            f"{kind}_temp_path {tmp_path / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (tmp_path / "nginx.conf").write_text(
            f"daemon off;\nuser root;\npid {tmp_path / 'nginx.pid'};\nevents {{}}\n"
            f"http {{\naccess_log off;\ninclude {mime_types()};\n{temporary}{ready('nginx.conf', changes)}}}\n"
        )
        return gateway(
            debian("nginx"), "-p", str(tmp_path), "-e", "stderr", "-c", str(tmp_path / "nginx.conf"), port=port
        )

    return start


@pytest.fixture
def caddy(gateway: Callable[..., Gateway], certificate: tuple[str, str], tmp_path: Path) -> Proxy:
    def start(behind: int) -> Gateway:
        port = free_port()
        run = [debian("caddy"), "hash-password", "--plaintext", PASSWORD]
        hashed = subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()
        site = f"{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls {' '.join(certificate)}\n"
        # The paths and addresses in the published file, and the test's replacements.
        changes = {"127.0.0.1:8080": f"127.0.0.1:{behind}", f"{HOST} {{\n": site, "/srv/nagare/page": str(page(tmp_path))}
        options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
        (tmp_path / "Caddyfile").write_text(options + ready("Caddyfile", changes))
        return gateway(
            *(debian("caddy"), "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")),
            port=port,
            NAGARE_PASSWORD_HASH=hashed,
            HOME=str(tmp_path),
        )

    return start


def page(folder: Path) -> Path:
    """A folder with the page and the client library, as on a host."""
    for file, text in {"web/index.html": "<title>The page</title>", "javascript/src/index.js": LIBRARY}.items():
        (folder / "page" / file).parent.mkdir(parents=True)
        (folder / "page" / file).write_text(text)
    return folder / "page"


def mime_types() -> Path:
    """Returns the path of a file that Debian's nginx.conf includes: in .build/debian or on the system."""
    return next(path for path in (DEBIAN / "etc/nginx/mime.types", Path("/etc/nginx/mime.types")) if path.exists())


Browse = Callable[..., aiohttp.ClientSession]


@pytest.fixture
def browse(authority: trustme.CA) -> Browse:
    """A browser that trusts the certificate, and resolves every host name to this machine."""

    def browse() -> aiohttp.ClientSession:
        trust = ssl.create_default_context()
        authority.configure_trust(trust)
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=Loopback(), ssl=trust))

    return browse


def headers(password: str | None = PASSWORD, origin: str = ORIGIN) -> dict[str, str]:
    known = {} if password is None else {"Authorization": aiohttp.encode_basic_auth(USER, password)}
    return {"Origin": origin, "Proxy": "http://evil.example", "Cookie": "session=secret", **known}


async def ping(socket: aiohttp.ClientWebSocketResponse) -> None:
    await socket.send_str('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert await socket.receive_str() == '{"jsonrpc":"2.0","id":1,"result":{}}'


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_browser_connects_through_the_proxy(
    name: str, request: pytest.FixtureRequest, websocketd: Callable[..., Gateway], nagare: str, browse: Browse
) -> None:
    behind = websocketd(nagare, options=(f"--origin={HOST}",))
    url = f"https://{HOST}:{request.getfixturevalue(name)(behind.port).port}/nagare"

    async def converse() -> None:
        async with browse() as session:
            for wrong, status in [(headers(None), 401), (headers("wrong"), 401), (headers(origin="https://evil.example"), 403)]:
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(url, headers=wrong)
                assert refused.value.status == status
            async with session.ws_connect(url, headers=headers()) as socket:
                await ping(socket)
                environment = Path(f"/proc/{behind.server()}/environ").read_text()
                assert all(name not in environment for name in ("HTTP_PROXY", "HTTP_COOKIE", "HTTP_AUTHORIZATION"))
            until(lambda: not behind.servers(), "the server ends with its client")

    asyncio.run(converse())


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_the_proxy_serves_the_page(name: str, request: pytest.FixtureRequest, browse: Browse) -> None:
    url = f"https://{HOST}:{request.getfixturevalue(name)(free_port()).port}"

    async def look() -> None:
        async with browse() as session:
            async with session.get(f"{url}/web/", headers=headers(None)) as refused:
                assert refused.status == 401
            async with session.get(f"{url}/", headers=headers()) as answer:
                assert answer.url.path == "/web/" and await answer.text() == "<title>The page</title>"
                assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
            async with session.get(f"{url}/javascript/src/index.js", headers=headers()) as answer:
                assert answer.content_type.endswith("/javascript") and await answer.text() == LIBRARY
                assert answer.headers["Content-Encoding"] == "gzip"

    asyncio.run(look())


def test_connections_survive_a_reload_of_nginx(
    nginx: Proxy, websocketd: Callable[..., Gateway], nagare: str, browse: Browse
) -> None:
    """This way a machine can be removed from the load balancer without ending its connections."""
    proxy = nginx(websocketd(nagare, options=(f"--origin={HOST}",)).port)

    async def converse() -> None:
        async with (
            browse() as session,
            session.ws_connect(f"https://{HOST}:{proxy.port}/nagare", headers=headers()) as socket,
        ):
            await ping(socket)
            workers = set(descendants(proxy.process.pid))
            proxy.process.send_signal(signal.SIGHUP)
            until(lambda: set(descendants(proxy.process.pid)) - workers, "a new worker runs")
            await ping(socket)

    asyncio.run(converse())


class Loopback(aiohttp.abc.AbstractResolver):
    """Resolves every host name to this machine."""

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[aiohttp.abc.ResolveResult]:
        return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": 2, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        pass
