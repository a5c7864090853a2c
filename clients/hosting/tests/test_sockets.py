"""A process for each connection, whose standard input and output are its socket: by socat, and by systemd's socket activation."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from gateway import Gateway, debian, free_port, runs, until

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = '{"jsonrpc":"2.0","id":1,"result":{}}\n'
WAYS: dict[str, Callable[[int, list[str]], list[str]]] = {
    "socat": lambda port, command: [
        debian("socat"), f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork", f"EXEC:{' '.join(command)},nofork"
    ],
    "socat between": lambda port, command: [
        debian("socat"), f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork", f"EXEC:{' '.join(command)}"
    ],
    "systemd": lambda port, command: [
        debian("systemd-socket-activate"), "--inetd", "--accept", "--listen", f"127.0.0.1:{port}", *command
    ],
}  # fmt: skip
Listen = Callable[..., Gateway]


@pytest.fixture(params=WAYS)
def listen(request: pytest.FixtureRequest, gateway: Callable[..., Gateway], nagare: str) -> Listen:
    """Returns a function that listens for connections, and starts `nagare` for each."""

    def listen(*options: str) -> Gateway:
        port = free_port()
        return gateway(*WAYS[request.param](port, [nagare, *options]), port=port)

    return listen


def test_each_connection_has_its_own_session(listen: Listen) -> None:
    gateway = listen()
    clients = [gateway.connect(), gateway.connect()]
    for client in clients:
        client.write('{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"items","view":"mine"}}')
    assert all('"view":"mine"' in client.line() for client in clients)
    assert len(gateway.servers()) == 2
    for client in clients:
        client.close()
    until(lambda: not gateway.servers(), "both servers end")


def test_a_half_closed_connection_receives_all_answers(listen: Listen) -> None:
    client = listen().connect()
    client.write(*[PING] * 2000)
    client.half_close()
    assert client.rest() == [PONG] * 2000
    client.close()


def test_the_server_ends_when_its_client_vanishes(listen: Listen) -> None:
    gateway = listen()
    client = gateway.connect()
    client.write(PING)
    assert client.line() == PONG
    server = gateway.server()
    client.vanish()
    until(lambda: not runs(server), "the server ends")


def test_the_server_ends_when_a_client_that_never_reads_vanishes(listen: Listen) -> None:
    gateway = listen()
    client = gateway.connect()
    client.socket.settimeout(1)
    with pytest.raises(TimeoutError):  # The server stops reading while its answers aren't read.
        while True:
            client.write(*['{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'] * 1000)
    server = gateway.server()
    client.vanish()
    until(lambda: not runs(server), "the server ends")


def test_sigterm_answers_received_requests_first(listen: Listen) -> None:
    gateway = listen()
    client = gateway.connect()
    client.write('{"jsonrpc":"2.0","id":0,"method":"open","params":{"screen":"items"}}', PING)
    assert client.line().startswith('{"jsonrpc":"2.0","id":0,"result"')
    server = gateway.server()
    os.kill(server, signal.SIGTERM)
    assert client.rest() == [PONG]
    until(lambda: not runs(server), "the server ends")
    client.close()


def test_a_command_source_does_not_keep_the_connection_open(listen: Listen, tmp_path: Path) -> None:
    """A command source has three pipes and doesn't inherit the connection."""
    program = ["sh", "-c", "ls -l /proc/self/fd >&2; ls -l /proc/self/fd > fds; cat > /dev/null"]
    configuration = {
        "sources": {"rows": {"type": "command", "command": program}},
        "screens": {"rows": {"viewModel": "list", "source": "rows"}},
    }
    (tmp_path / "nagare.json").write_text(json.dumps(configuration))
    gateway = listen("--config", str(tmp_path / "nagare.json"))
    client = gateway.connect()
    client.write(
        '{"jsonrpc":"2.0","id":0,"method":"open","params":{"screen":"rows"}}',
        '{"jsonrpc":"2.0","id":1,"method":"viewWillAppear"}',
    )
    until(lambda: gateway.servers("cat"), "the program runs")
    opened = (tmp_path / "fds").read_text()
    assert "pipe:" in opened and "socket:" not in opened, opened
    client.vanish()
    until(lambda: not gateway.servers() and not gateway.servers("cat"), "both end")
