"""Whatever the input is, the server never crashes, answers in JSON-RPC, and doesn't depend on how the bytes are cut."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from runner.framing import Decoder
from server import PATIENCE

METHODS = [
    *("initialize", "screens", "open", "outputs", "close", "ping", "rpc.discover", "clock/advance", "$/cancelRequest"),
    *("viewWillAppear", "reachBottom", "loadMore", "refresh", "retry", "change", "select", "swipe", "nonsense"),
]

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
)
views = st.sampled_from(["v", "w", "v1", "v2", 7, None])
parameters: dict[str, st.SearchStrategy[Any]] = {
    "view": views,
    "screen": st.sampled_from(["items", "detail", "nowhere"]) | values,
    "params": st.fixed_dictionaries({}, optional={"pageSize": st.integers(-1, 50)}) | values,
    "milliseconds": st.sampled_from([0, 1, 300, 999, 1000, 100_000, -1, 0.5]) | values,
    "id": st.sampled_from(["mail-1", "mail-2", 1, 2]) | values,
    "item": st.fixed_dictionaries({"id": st.sampled_from(["mail-1", 1])}) | values,
    "to": st.sampled_from(["next", "previous"]) | values,
    "protocolVersion": st.just("1") | values,
    "capabilities": st.fixed_dictionaries({"deltas": st.booleans()}) | values,
}
messages = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0"] * 20 + ["1.0"]), "method": st.sampled_from(METHODS)},
    optional={"id": scalars, "params": st.fixed_dictionaries({}, optional=parameters) | values},
)
batches = st.lists(messages | values, max_size=4)
broken = st.binary(max_size=30).filter(lambda data: b"exit" not in data)


@st.composite
def dialogues(draw: st.DrawFn) -> bytes:
    """Messages in one of the framings, sometimes with invalid bytes between them."""
    headers = draw(st.booleans())
    opening = {"jsonrpc": "2.0", "id": 0, "method": "open", "params": {"screen": "items", "view": "v"}}
    parts: list[bytes] = []
    for message in [opening, *draw(st.lists(messages | batches | values, max_size=12))]:
        body = json.dumps(message).encode("utf-8", "surrogatepass")
        parts.append(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if headers else body + b"\n")
        if draw(st.integers(0, 9)) == 0:
            parts.append(draw(broken) + b"\n")
    return b"".join(parts)


def answer(nagare: str, data: bytes) -> bytes:
    """Returns the server's output for these bytes, sent at once."""
    run = subprocess.run([nagare, "--clock", "virtual"], input=data, capture_output=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr.decode(errors="replace")
    return run.stdout


def check(output: bytes) -> None:
    """Checks that an output consists of complete JSON-RPC 2.0 messages in one framing."""
    decoder = Decoder("headers" if output.startswith(b"C") else "lines")
    said = decoder.feed(output)
    assert decoder.pending == b""
    for body in said:
        parsed = json.loads(body)
        for message in parsed if isinstance(parsed, list) else [parsed]:
            assert message["jsonrpc"] == "2.0"
            kinds = [kind for kind in ("method", "result", "error") if kind in message]
            assert len(kinds) == 1, message
            if kinds == ["error"]:
                assert isinstance(message["error"]["code"], int) and message["error"]["message"]
            else:
                assert isinstance(message["params" if kinds == ["method"] else "result"], dict)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=400).filter(lambda data: b"exit" not in data))
@example(data=b"")
@example(data=b"\xef\xbb")
@example(data=b"\xef\xbb\xbf")
@example(data=b"{" * 5000)
@example(data=b"[" * 200_000)
@example(data=b"Content-Length: 18446744073709551616\r\n\r\n{}")
@example(data=b"Content-Length: -1\r\n\r\n{}")
@example(data=b"x" * 100_000)
@example(data=b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}\n')
def test_arbitrary_bytes_do_not_crash_the_server(nagare: str, data: bytes) -> None:
    check(answer(nagare, data))


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=dialogues())
def test_arbitrary_dialogues_are_answered(nagare: str, data: bytes) -> None:
    check(answer(nagare, data))


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(data=dialogues(), cuts=st.lists(st.integers(0, 4000), max_size=12))
def test_the_answer_does_not_depend_on_how_the_bytes_are_cut(nagare: str, data: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    process = subprocess.Popen([nagare, "--clock", "virtual"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    for start, end in pairwise(places):
        process.stdin.write(data[start:end])
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert output == answer(nagare, data)
