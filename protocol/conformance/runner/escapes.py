"""The escapes of `raw -->` and `framed -->`: bytes that a line can't contain otherwise, and repeated texts."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\x(?P<hex>[0-9a-fA-F]{2})|\\(?P<char>[rnt\\])|\\\((?P<count>\d+)\*(?P<text>[^)]*)\)|\\(?P<bad>.?)"
)
_CHARACTERS = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\"}


def expand(text: str) -> bytes:
    r"""Replaces the escapes: `\xff`, `\r`, `\n`, `\t` and `\\` by a byte, and `\(600*[)` by six hundred `[`."""
    result = bytearray()
    start = 0
    for token in _TOKEN.finditer(text):
        result += text[start : token.start()].encode()
        start = token.end()
        if token["hex"]:
            result.append(int(token["hex"], 16))
        elif token["char"]:
            result += _CHARACTERS[token["char"]]
        elif token["count"]:
            result += token["text"].encode() * int(token["count"])
        else:
            raise ValueError(f"no such escape: \\{token['bad']}")
    return bytes(result + text[start:].encode())
